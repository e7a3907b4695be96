"""One thought: a View and a seed in, the moves in order of their worth out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

from flagfall.mind.belief import Belief, Floats, prior_by_cell
from flagfall.mind.manner import Manner
from flagfall.mind.search import think
from flagfall.mind.slate import (
    ENTRY,
    IDS,
    MOVES_ROOM,
    RANK_SLOTS,
    RATE,
    ROOT,
    TABLE_BITS,
    TREE_CAP,
    new_slate,
    readable,
)
from flagfall.mind.value import HIDDEN, prepare
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.layout import MEN, MOVE, PLY, SENTINELS
from flagfall.rules.view import View

__all__ = ["Manner", "Thought", "appraise", "believe", "consider"]

URGE_PLIES = 60.0


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of it.

    ranked: moves and their worth in points as the mover sees it, the best first; only the first is exact. score: what
    the position is worth as it stands. depth, nodes: plies of the last whole round, positions looked at.
    """

    ranked: tuple[tuple[Move, float], ...]
    score: float
    depth: int
    nodes: int

    @property
    def move(self) -> Move:
        """The best move."""
        return self.ranked[0][0]


@dataclass(frozen=True, slots=True)
class _Desk:
    """The arrays that one process thinks on, made once."""

    slate: Any
    table: Any
    moves: Any
    order: Any


@cache
def _desk() -> _Desk:
    return _Desk(
        new_slate(),
        readable(np.zeros(1 << TABLE_BITS, ENTRY)),
        readable(np.zeros(MOVES_ROOM, MOVE)),
        readable(np.zeros(MOVES_ROOM, RATE)),
    )


def _room_to_think(view: View) -> tuple[Any, Any, Any]:
    """Copies of a View's records, with room in the log for the tree."""
    game, log, tables = view.records
    used = view.ply + SENTINELS
    longer = readable(np.zeros((1, used + TREE_CAP + 4), PLY))
    longer[0, :used] = log[0, :used]
    return game.copy(), longer, tables


def _prepared(view: View, manner: Manner) -> tuple[Any, Any, Any]:
    """Records to think on, and the desk's slate filled with beliefs, worths and fields."""
    if view.seat is None:
        raise ValueError("a watcher has no move to think about")
    game, log, tables = _room_to_think(view)
    slate = _desk().slate
    slate["me"] = int(view.seat)
    slate["urge"] = view.quiet / URGE_PLIES
    slate["trust"] = manner.trust
    slate["extra"] = slate["nodes"] = slate["stopped"] = 0
    slate["budget"] = manner.nodes
    prepare(game, tables, log, slate, prior_by_cell(view.variant), manner.prior)
    return game, log, tables


def believe(view: View, *, weight: float = 1.0) -> tuple[Belief, Belief]:
    """(of the enemy, of our own men as the enemy may think). weight: how far the prior counts, 0 only counts men.

    Raises ValueError for a watcher's view.
    """
    _prepared(view, Manner(1, 1, 0.0, prior=weight))
    rows = _desk().slate["row"].reshape(IDS, RANK_SLOTS)[:, :13].astype(np.float64)
    found: tuple[dict[Square, Floats], dict[Square, Floats]] = ({}, {})
    place = [0, 0]
    for man in view.men():
        hidden = man.rank == HIDDEN if man.seat != view.seat else not man.known
        if hidden:
            found[man.seat][man.id] = rows[MEN * man.seat + place[man.seat]]
        place[man.seat] += 1
    own = view.seat or Seat.RED
    return Belief(found[own.other]), Belief(found[own])


def appraise(view: View, manner: Manner) -> float:
    """What the position is worth to the seat of the view, in points, as it stands: nothing is searched."""
    _prepared(view, manner)
    return float(_desk().slate["score"][0])


def consider(view: View, manner: Manner, lots: Random) -> Thought:
    """Think about the position of a seat on turn; its answer is a function of view, manner and lots alone."""
    legal = view.legal()
    game, log, tables = _prepared(view, manner)
    desk = _desk()
    score = float(desk.slate["score"][0])
    roots = readable(np.zeros(len(legal), ROOT))
    roots["move"] = legal
    roots["bias"] = [lots.gauss(0.0, manner.noise) for _ in legal]
    depth = think(game, tables, log, desk.slate, desk.table, desk.moves, desk.order, roots, manner.deepest)
    ranked = tuple((Move(int(root["move"])), float(root["value"])) for root in roots)
    return Thought(ranked, score, int(depth), int(desk.slate["nodes"][0]))
