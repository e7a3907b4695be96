"""How Python calls the law: arrays for its records, and its kernels by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.rules.kernels import COMPILER_OFF, Kernel
from flagfall.rules.layout import GAME, MOVE, MOVES_CAP, PLY, SENTINELS

COUNTED = 0xFFFF
"""The part of a packed answer that is the number of moves; more than this says that the game is over."""

FIRST_LOG = 64

ENTRIES = "flagfall.rules.entries"
start = Kernel(ENTRIES, "start", 3)
push = Kernel(ENTRIES, "push", 3)
listed = Kernel(ENTRIES, "listed", 2, gives_object=True)
fold = Kernel(ENTRIES, "fold", 7)
list_legal = Kernel(ENTRIES, "list_legal", 1)
list_geometric = Kernel(ENTRIES, "list_geometric", 3)
refuse = Kernel(ENTRIES, "refuse", 3)

RESCUE = "flagfall.rules.rescue"
may_rescue = Kernel(RESCUE, "may_rescue", 3)
refuse_rescue = Kernel(RESCUE, "refuse_rescue", 2)
carry_out = Kernel(RESCUE, "carry_out", 2)

KERNELS = (list_geometric, refuse, list_legal, fold, push, start, listed, may_rescue, refuse_rescue, carry_out)
"""All of them, so that a process can get them ready beforehand: each adds a little to what the ones before needed."""


def readable(array: Any) -> Any:
    """The array as the compiler, or the bare interpreter, can read its records."""
    return array.view(np.recarray) if COMPILER_OFF else array


def new_games(count: int = 1) -> Any:
    """Empty game records, shape (count,), dtype GAME."""
    return readable(np.zeros(count, GAME))


def new_log(plies: int = FIRST_LOG, count: int = 1) -> Any:
    """Ply logs with room for `plies` plies, shape (count, plies + 2), dtype PLY."""
    return readable(np.zeros((count, plies + SENTINELS), PLY))


def new_moves(lists: int = 1) -> Any:
    """A buffer for so many lists of moves, shape (lists · MOVES_CAP,), dtype MOVE."""
    return readable(np.zeros(lists * MOVES_CAP, MOVE))


def address_of(array: Any) -> int:
    """Where an array's first entry lies in memory; whoever holds the address keeps the array alive and in place."""
    return int(array.ctypes.data)


def desk_of(game: Any, tables: Any, log: Any, moves: Any) -> Any:
    """Where the arrays of one game lie in memory, uint64[4]: the kernels take the address of this alone."""
    return np.array([address_of(array) for array in (game, tables, log, moves)], np.uint64)
