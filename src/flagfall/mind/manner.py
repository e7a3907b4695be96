"""How a player thinks: what tells one level from another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Manner:
    """How a player thinks: search, memory and care.

    deepest: plies. nodes: a move's budget. noise: spread of the lots added to each move's worth, in points. prior: how
    far the deployment prior counts in the belief, 0..1. trust: how far it counts on the enemy's not knowing, 0..1.
    memory: for how many plies after a man was last seen in battle, or told by its move, its rank is remembered; None
    for ever. care: the share of its own moves that it looks at, by lot. weights: what of the package's weights it
    weighs otherwise, by name.
    """

    deepest: int
    nodes: int
    noise: float
    prior: float = 1.0
    trust: float = 1.0
    memory: int | None = None
    care: float = 1.0
    weights: tuple[tuple[str, float], ...] = ()
