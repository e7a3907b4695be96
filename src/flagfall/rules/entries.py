"""The law's kernels: plain numbers in, one packed number out, records only inside. Called through `calls`.

A desk is uint64[4]: the addresses of one game's GAME, TABLES, first PLY and first MOVE (`calls.desk_of`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.rules.compiled import entry, inlined, python_function, record_at, word_at
from flagfall.rules.kernels import COMPILER_OFF
from flagfall.rules.law import (
    N0,
    N1,
    N16,
    N40,
    PLAIN,
    RED_BIT,
    WALL,
    U,
    advance,
    apply,
    bring_back,
    clear,
    geometric,
    judge,
    legal,
    origin_cell,
    place,
    refusal,
    rescue_refusal,
    target_cell,
)
from flagfall.rules.layout import GAME, MOVE, PLY, TABLES

NOT_LEGAL = -1
"""What `push` returns for a move that is not in the list."""

_game_at, _tables_at, _ply_at, _move_at = (record_at(dtype) for dtype in (GAME, TABLES, PLY, MOVE))
_byte_at = record_at(np.dtype([("b", "u1")]))
_new_list, _new_number = python_function("PyList_New", 1), python_function("PyLong_FromUnsignedLongLong", 1)
_set_item = python_function("PyList_SetItem", 3)


@inlined
def _told(g: Any, n: Any) -> Any:
    """A packed answer: n | result << 32 | reason << 36."""
    return np.int64(U(n) | U(g.result) << U(32) | U(g.reason) << U(36))


def start(desk: Any, men: Any, first: Any) -> Any:
    """Set the game up and settle it; returns as `push`. men: address of uint8[80, 2], cell and rank by id, 0: none."""
    g = _game_at(word_at(desk, N0))
    v = _tables_at(word_at(desk, N1))
    log = _ply_at(word_at(desk, U(2)))
    bytes_of = _byte_at(men)
    clear(g, v, log)
    g.turn = first
    g.seen_by = 3
    for pid in range(N40 + N40):
        cell = U(entry(bytes_of, pid + pid).b)
        rank = U(entry(bytes_of, pid + pid + N1).b)
        if rank != 0:
            place(g, v, N1 if pid >= N40 else N0, pid, cell, rank)
    return _told(g, advance(g, v, log, _move_at(word_at(desk, U(3))), N0))


def push(desk: Any, n: Any, move: Any) -> Any:
    """Play a move that is among the first n of the desk's moves, with its rescue, then list the next legal moves there.

    Returns n | result << 32 | reason << 36, or NOT_LEGAL with nothing changed.
    """
    moves = _move_at(word_at(desk, U(3)))
    rescues = move >> N16 != N0
    plain = move & PLAIN
    for k in range(n):
        if U(entry(moves, k).m) == plain:
            break
    else:
        return np.int64(NOT_LEGAL)
    g = _game_at(word_at(desk, N0))
    v = _tables_at(word_at(desk, N1))
    log = _ply_at(word_at(desk, U(2)))
    if rescues and rescue_refusal(g, v, move) != N0:
        return np.int64(NOT_LEGAL)
    s = origin_cell(move)
    t = target_cell(move)
    apply(g, v, log, s, t, judge(g, v, s, t))
    if rescues:
        bring_back(g, v, log, move)
    return _told(g, advance(g, v, log, moves, N0))


def listed(desk: Any, n: Any) -> Any:
    """The first n of the desk's moves as a new list of Python's."""
    if COMPILER_OFF:
        return [int(entry(_move_at(word_at(desk, 3)), k).m) for k in range(n)]
    moves = _move_at(word_at(desk, U(3)))
    made = _new_list(n)
    for k in range(n):
        _set_item(made, k, _new_number(U(entry(moves, k).m)))
    return made


def fold(desk: Any, ply: Any, seat: Any, s: Any, t: Any, verdict: Any, ending: Any) -> Any:
    """Apply a ply that was told to a View, if it can be the next one; else change nothing and return 0.

    verdict as of `judge`; ending: result | reason << 4.
    """
    g = _game_at(word_at(desk, N0))
    own = RED_BIT << seat
    mover = U(g.code[s]) & WALL
    met = U(g.code[t])
    quiet = verdict & U(15) == N0
    fits = met == N0 if quiet else met & WALL == own ^ WALL
    if g.result != 0 or U(g.ply) + N1 != ply or U(g.turn) != seat or mover != own or not fits:
        return np.int64(0)
    apply(g, _tables_at(word_at(desk, N1)), _ply_at(word_at(desk, U(2))), s, t, verdict)
    g.result = ending & U(15)
    g.reason = ending >> U(4)
    return np.int64(1)


def list_legal(desk: Any) -> Any:
    """Write the legal moves of the side to move to the desk; return their number."""
    g = _game_at(word_at(desk, N0))
    v = _tables_at(word_at(desk, N1))
    return np.int64(legal(g, v, _ply_at(word_at(desk, U(2))), _move_at(word_at(desk, U(3))), N0))


def list_geometric(desk: Any, moves: Any, seat: Any) -> Any:
    """Write the moves of a seat by R5 alone to a list of moves at another address; return their number."""
    g = _game_at(word_at(desk, N0))
    return np.int64(geometric(g, _tables_at(word_at(desk, N1)), _move_at(moves), N0, seat))


def refuse(desk: Any, s: Any, t: Any) -> Any:
    """The Refusal of a move of the side to move, 0 for none."""
    g = _game_at(word_at(desk, N0))
    return np.int64(refusal(g, _tables_at(word_at(desk, N1)), _ply_at(word_at(desk, U(2))), s, t))
