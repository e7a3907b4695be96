"""One thought: a View and a seed in, the moves in order of their worth out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from random import Random
from typing import Any

import numpy as np

from flagfall.mind.belief import Belief, Floats, prior_by_cell, surmise, surmised
from flagfall.mind.frailty import forget, noticed
from flagfall.mind.manner import Manner
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
from flagfall.mind.weights import fill, spread
from flagfall.rules.board import Move, Seat, Square
from flagfall.rules.calls import address_of
from flagfall.rules.kernels import Kernel
from flagfall.rules.layout import MEN, MOVE, PLY, SENTINELS
from flagfall.rules.pieces import Rank
from flagfall.rules.view import View

__all__ = ["KERNELS", "Manner", "Thought", "appraise", "believe", "consider"]

URGE_PLIES = 60.0
LEFT_OVER, LEFT_OVER_MS = 0.01, 0.25
"""What of a time is kept for the way back: a share, and milliseconds."""
SALT = 0x9E3779B97F4A7C15

_prepare = Kernel("flagfall.mind.entries", "prepare", 1)
_think = Kernel("flagfall.mind.entries", "think", 1, lets_go=True)
KERNELS = (_prepare, _think, surmise)
"""What a thought runs, in the order to compile it: the search shares much with the law, which may be on its way."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of it.

    ranked: the moves looked at and their worth in points as the mover sees it, the best first; only the first is exact.
    score: what the position is worth as it stands. depth, nodes: plies of the last whole round, positions looked at.
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


_thoughts = count(1)
_weights = lru_cache(maxsize=64)(spread)


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


def _addresses(game: Any, tables: Any, log: Any, prior: Any) -> Any:
    """What the kernels take (`entries`), still without roots."""
    desk = _desk()
    arrays = game, tables, log, desk.slate, prior, desk.table, desk.moves, desk.order
    return np.array([*(address_of(array) for array in arrays), 0, 0, 0], np.uint64)


def _prepared(view: View, manner: Manner, squares_alone: bool = False) -> tuple[Any, Any, Any]:
    """(addresses for the kernels, the copies they think on, to be kept meanwhile); the desk's slate is filled."""
    if view.seat is None:
        raise ValueError("a watcher has no move to think about")
    game, log, tables = _room_to_think(view)
    if manner.memory is not None:
        forget(game, log, view.seat, view.ply, manner.memory)
    slate = _desk().slate
    slate["me"] = int(view.seat)
    slate["urge"] = view.quiet / URGE_PLIES
    slate["trust"] = manner.trust
    slate["prior"] = manner.prior
    slate["extra"] = slate["nodes"] = slate["stopped"] = 0
    slate["budget"] = manner.nodes
    slate["deadline"] = 0
    # What is left in the table of thoughts before is told apart by this mark, so that no thought depends on another.
    slate["salt"] = next(_thoughts) * SALT & 2**64 - 1
    fill(slate, _weights(manner.weights))
    plain = squares_alone or not manner.prior
    slate["surmised"] = 0 if plain else 1
    chances = prior_by_cell(view.variant) if plain else surmised(game, tables, log, view.variant, view.seat)
    desk = _addresses(game, tables, log, chances)
    _prepare(address_of(desk))
    return desk, game, log


def believe(view: View, *, weight: float = 1.0, squares_alone: bool = False) -> tuple[Belief, Belief]:
    """(of the enemy, of our own men as the enemy may think). weight: how far the prior counts, 0 only counts men.

    squares_alone: the prior by start square instead of the surmise, to compare.

    Raises ValueError for a watcher's view.
    """
    _prepared(view, Manner(1, 1, 0.0, prior=weight, weights=(("lurk", 0.0),)), squares_alone)
    rows = _desk().slate["row"].reshape(IDS, RANK_SLOTS)[:, :13].astype(np.float64)
    found: tuple[dict[Square, Floats], dict[Square, Floats]] = ({}, {})
    place = [0, 0]
    for man in view.men():
        hidden = man.rank is Rank.UNKNOWN if man.seat != view.seat else not man.known
        if hidden:
            found[man.seat][man.id] = rows[MEN * man.seat + place[man.seat]]
        place[man.seat] += 1
    own = view.seat or Seat.RED
    return Belief(found[own.other]), Belief(found[own])


def appraise(view: View, manner: Manner) -> float:
    """What the position is worth to the seat of the view, in points, as it stands: nothing is searched."""
    _prepared(view, manner)
    return float(_desk().slate["score"][0])


def consider(view: View, manner: Manner, lots: Random, *, time_ms: float | None = None) -> Thought:
    """Think about the position of a seat on turn; without a time its answer is a function of view, manner and lots.

    time_ms: how long all of it may take, by the monotonic clock; the manner's nodes bound it too.
    """
    began_ns = time.monotonic_ns()
    legal = view.legal()
    addresses, *kept = _prepared(view, manner)
    desk = _desk()
    score = float(desk.slate["score"][0])
    if time_ms is not None:
        desk.slate["deadline"] = began_ns + int(1e6 * max(0.2, time_ms * (1.0 - LEFT_OVER) - LEFT_OVER_MS))
    seen = legal if manner.care >= 1.0 else noticed(legal, manner.care, lots)
    roots = readable(np.zeros(len(seen), ROOT))
    roots["move"] = seen
    roots["bias"] = [lots.gauss(0.0, manner.noise) for _ in seen]
    addresses[8:] = address_of(roots), len(seen), manner.deepest
    depth = _think(address_of(addresses))
    del kept  # the kernel held their addresses
    ranked = tuple((Move(int(root["move"])), float(root["value"])) for root in roots)
    return Thought(ranked, score, depth, int(desk.slate["nodes"][0]))
