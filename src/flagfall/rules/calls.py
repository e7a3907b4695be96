"""The law's entry points for Python: (array, index) in, one packed number out, records only inside."""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.rules.compiled import COMPILER_OFF, compiled, entry, record_at
from flagfall.rules.law import (
    N0,
    N1,
    N40,
    RED_BIT,
    WALL,
    U,
    advance,
    apply,
    clear,
    geometric,
    judge,
    legal,
    origin_cell,
    place,
    refusal,
    target_cell,
)
from flagfall.rules.layout import GAME, MOVE, MOVES_CAP, PLY, SENTINELS, TABLES

NOT_LEGAL = -1
"""What `push` returns for a move that is not in the list."""

COUNTED = 0xFFFF
"""The part of a packed answer that is the number of moves; more than this says that the game is over."""

FIRST_LOG = 256


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


@compiled
def start(G: Any, i: Any, V: Any, L: Any, M: Any, men: Any, first: Any) -> Any:
    """Set game i up and settle it. men: uint8[80, 2], cell and rank by id, rank 0 for no man. Returns as `push`."""
    g = G[i]
    v = V[0]
    log = L[i, 0]
    clear(g, v, log)
    g.turn = first
    g.seen_by = 3
    for pid in range(N40 + N40):
        if men[pid, 1] != 0:
            place(g, v, N1 if pid >= N40 else N0, pid, U(men[pid, 0]), U(men[pid, 1]))
    n = advance(g, v, log, M[0], N0)
    return np.int64(n | U(g.result) << U(32) | U(g.reason) << U(36))


def desk_of(game: Any, tables: Any, log: Any, moves: Any) -> Any:
    """Where the arrays of one game lie in memory, uint64[4]: one plain argument for the call of every ply.

    Whoever holds a desk keeps the four arrays alive and in place.
    """
    return np.array([array.ctypes.data for array in (game, tables, log, moves)], np.uint64)


_game_at, _tables_at, _ply_at, _move_at = (record_at(dtype) for dtype in (GAME, TABLES, PLY, MOVE))


@compiled
def push(D: Any, n: Any, move: Any) -> Any:
    """Play a move that is among the first n of the desk's moves, then list the next legal moves there.

    Returns n | result << 32 | reason << 36, or NOT_LEGAL with nothing changed.
    """
    moves = _move_at(D[3])
    wanted = U(move)
    found = False
    for k in range(U(n)):
        if U(entry(moves, k).m) == wanted:
            found = True
            break
    if not found:
        return np.int64(NOT_LEGAL)
    g = _game_at(D[0])
    v = _tables_at(D[1])
    log = _ply_at(D[2])
    s = origin_cell(wanted)
    t = target_cell(wanted)
    apply(g, v, log, s, t, judge(g, v, s, t))
    count = advance(g, v, log, moves, N0)
    return np.int64(count | U(g.result) << U(32) | U(g.reason) << U(36))


@compiled
def fold(G: Any, i: Any, V: Any, L: Any, ply: Any, seat: Any, s: Any, t: Any, verdict: Any, ending: Any) -> Any:
    """Apply a ply that was told to a View, if it can be the next one; else change nothing and return False.

    verdict as of `judge`; ending: result | reason << 4.
    """
    g = G[i]
    own = RED_BIT << U(seat)
    mover = U(g.code[U(s)]) & WALL
    met = U(g.code[U(t)])
    quiet = U(verdict) & U(15) == N0
    fits = met == N0 if quiet else met & WALL == own ^ WALL
    if g.result != 0 or U(g.ply) + N1 != U(ply) or g.turn != seat or mover != own or not fits:
        return False
    apply(g, V[0], L[i, 0], U(s), U(t), U(verdict))
    g.result = U(ending) & U(15)
    g.reason = U(ending) >> U(4)
    return True


@compiled
def list_legal(G: Any, i: Any, V: Any, L: Any, M: Any) -> Any:
    """Write the legal moves of the side to move to M; return their number."""
    return np.int64(legal(G[i], V[0], L[i, 0], M[0], N0))


@compiled
def list_geometric(G: Any, i: Any, V: Any, M: Any, seat: Any) -> Any:
    """Write the moves of a seat by R5 alone to M; return their number."""
    return np.int64(geometric(G[i], V[0], M[0], N0, U(seat)))


@compiled
def refuse(G: Any, i: Any, V: Any, L: Any, s: Any, t: Any) -> Any:
    """The Refusal of a move of the side to move, 0 for none."""
    return np.int64(refusal(G[i], V[0], L[i, 0], U(s), U(t)))
