"""What the server counts of itself: plain numbers, cheap to raise, that tell of no game and of no person."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

EDGES_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Times:
    """Spans in seconds, counted by how long they were; `held` has one number an edge and one for what is longer."""

    __slots__ = ("held", "sum_s")

    def __init__(self) -> None:
        self.held = [0] * (len(EDGES_S) + 1)
        self.sum_s = 0.0

    def add(self, span_s: float) -> None:
        """Count one span."""
        self.held[bisect_left(EDGES_S, span_s)] += 1
        self.sum_s += span_s


@dataclass(slots=True)
class Counts:
    """Sums over the whole server since its start; nothing in them is kept by game, guest or seat.

    How long the house thinks is not among them: on a server with one game that would tell about its thought.

    sockets: open now. opened: sockets since the start. deeds: by what was asked. refusals: by stable code. laid: games
    by who sits opposite. written: events of the store. deed: from a frame to its answer. commit: one transaction. lag:
    how late the event loop woke a task that slept.
    """

    sockets: int = 0
    opened: int = 0
    deeds: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    laid: Counter[str] = field(default_factory=Counter)
    written: int = 0
    deed: Times = field(default_factory=Times)
    commit: Times = field(default_factory=Times)
    lag: Times = field(default_factory=Times)
