"""What a weaker player lacks: it forgets ranks that it has seen, and does not look at every move.

Both are functions of what its seat may know and of its own lots, so it errs alike in all worlds that it cannot tell
apart.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from flagfall.rules.board import Move, Seat
from flagfall.rules.layout import KNOWN, MEN, SENTINELS
from flagfall.rules.pieces import Rank

FEWEST = 3
"""So many moves are looked at in any case, where there are so many."""


def forget(game: Any, log: Any, seat: Seat, ply: int, memory: int) -> None:
    """Hide again, in copies GAME[1] and PLY[1, C] of a View, the enemy's ranks not seen for `memory` plies."""
    shown = last_seen(log, ply)
    first = MEN * seat.other
    for pid in range(first, first + MEN):
        cell = int(game["sq"][0, pid])
        if cell and ply - shown[pid] > memory:
            code = int(game["code"][0, cell])
            if code & 15 != Rank.UNKNOWN:
                game["code"][0, cell] = code & 0xF0 & ~KNOWN | Rank.UNKNOWN


def last_seen(log: Any, ply: int) -> list[int]:
    """By man id, the last ply (from 1) at which a man fought or told its rank by moving; 0 for never."""
    steps = log[0, SENTINELS : SENTINELS + ply]
    told = np.flatnonzero((steps["outcome"] != 0) | (steps["told"] != 0))
    shown = [0] * (2 * MEN)
    for at, mover, met in zip(told.tolist(), steps["pid"][told].tolist(), steps["tid"][told].tolist(), strict=True):
        shown[mover] = at + 1
        if met < 2 * MEN:
            shown[met] = at + 1
    return shown


def noticed(legal: list[Move], care: float, lots: Random) -> list[Move]:
    """The moves that a player looks at: each with the chance `care`, and at least FEWEST or all there are."""
    marks = [lots.random() for _ in legal]
    limit = max(care, sorted(marks)[min(FEWEST, len(marks)) - 1])
    return [move for move, mark in zip(legal, marks, strict=True) if mark <= limit]
