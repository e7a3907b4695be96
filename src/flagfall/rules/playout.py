"""Whole random games and whole trees under the law, compiled: for benchmarks, perft and tiny games."""

from __future__ import annotations

from typing import Any

from flagfall.rules.compiled import compiled, entry, inlined
from flagfall.rules.law import (
    N0,
    N1,
    N16,
    N24,
    N144,
    U,
    advance,
    apply,
    bring_back,
    clear,
    judge,
    legal,
    origin_cell,
    place,
    rescue_open,
    rescue_refusal,
    settle,
    target_cell,
    undo,
)

SHIFT_33, SHIFT_31 = U(33), U(31)
N7, N13, N17, N31, N40, N80, N100 = U(7), U(13), U(17), U(31), U(40), U(80), U(100)


@compiled
def next_word(state: Any) -> Any:
    """The next word of a xorshift64 generator (Marsaglia 2003); the word is also its new state, never 0."""
    state ^= state << N13
    state ^= state >> N7
    return state ^ state << N17


@compiled
def below(word: Any, n: Any) -> Any:
    """A number 0..n-1 drawn by a random word."""
    return ((word >> SHIFT_33) * n) >> SHIFT_31


@compiled
def deal(g: Any, v: Any, log: Any, word: Any) -> Any:
    """Start a game with two random deployments, men of a partly filled area on random squares; return the new word."""
    clear(g, v, log)
    squares = U(v.home_n)
    ranks = v.army.copy()
    for p in range(U(2)):
        for k in range(squares - N1, N0, N0 - N1):
            word = next_word(word)
            j = below(word, k + N1)
            rank = ranks[k]
            ranks[k] = ranks[j]
            ranks[j] = rank
        pid = p * N40
        for k in range(squares):
            if ranks[k] != 0:
                place(g, v, p, pid, U(v.home[p * N100 + k]), U(ranks[k]))
                pid += N1
    return word


@inlined
def play_one(g: Any, v: Any, log: Any, move: Any) -> None:
    """Judge a move and apply it."""
    s = origin_cell(move)
    t = target_cell(move)
    apply(g, v, log, s, t, judge(g, v, s, t))


@compiled
def play_order(g: Any, v: Any, log: Any, order: Any) -> None:
    """The same with the rescue that goes with the move (R13.2)."""
    play_one(g, v, log, order)
    bring_back(g, v, log, order)


@compiled
def play_random(G: Any, i: Any, V: Any, L: Any, M: Any, seed: Any, games: Any, cap: Any) -> Any:
    """Play random games one after the other in game i; return (plies, digest) of all, as wrapping 64-bit words.

    cap: plies after which a game is left unfinished. The digest folds ply count, result and the last position's hash
    of every game, so that any other way of playing the same moves can be held against it.
    """
    word = U(seed)
    plies = N0
    digest = N0
    g = G[i]
    v = V[0]
    log = L[i, 0]
    moves = M[0]
    for _ in range(U(games)):
        word = deal(g, v, log, word)
        n = advance(g, v, log, moves, N0)
        while n != N0 and g.ply < cap:
            word = next_word(word)
            play_one(g, v, log, U(entry(moves, below(word, n)).m))
            n = advance(g, v, log, moves, N0)
        plies += U(g.ply)
        digest = digest * N31 ^ (U(g.h) + U(g.ply) * U(4) + U(g.result))
    return plies, digest


@compiled
def tree(g: Any, v: Any, log: Any, moves: Any, at: Any, depth: Any) -> Any:
    """How many sequences of exactly `depth` legal plies follow (R16), those with a rescue included.

    Ended games are not extended.
    """
    n = legal(g, v, log, moves, at)
    settle(g, v, log, n - at)
    if g.result != 0:
        g.result = 0
        g.reason = 0
        return N0
    total = N0
    rescues = v.rescues != 0
    if depth == N1:
        total = n - at
    for k in range(at, n):
        move = U(entry(moves, k).m)
        play_one(g, v, log, move)
        if depth > N1:
            total += tree(g, v, log, moves, n, depth - N1)
        undo(g, log)
        if rescues and rescue_open(g, v, origin_cell(move), target_cell(move)):
            for pid in range(N80):
                for cell in range(N144):
                    order = move | cell << N16 | U(g.start[pid]) << N24
                    # A man of the other seat, or one that stands, is refused as any other that cannot come back.
                    if g.fallen[pid] == 0 or rescue_refusal(g, v, order) != N0:
                        continue
                    play_order(g, v, log, order)
                    total += tree(g, v, log, moves, n, depth - N1) if depth > N1 else N1
                    undo(g, log)
    return total


@compiled
def count_tree(G: Any, i: Any, V: Any, L: Any, M: Any, depth: Any) -> Any:
    """`tree` of game i, from the array surface."""
    return tree(G[i], V[0], L[i, 0], M[0], N0, U(depth))


@compiled
def tree_of_random(G: Any, i: Any, V: Any, L: Any, M: Any, seed: Any, plies: Any, depth: Any) -> Any:
    """`tree` of a position so many plies into a random game, or of its end if that comes sooner."""
    g = G[i]
    v = V[0]
    log = L[i, 0]
    moves = M[0]
    word = deal(g, v, log, U(seed))
    n = advance(g, v, log, moves, N0)
    while n != N0 and g.ply < plies:
        word = next_word(word)
        play_one(g, v, log, U(entry(moves, below(word, n)).m))
        n = advance(g, v, log, moves, N0)
    return tree(g, v, log, moves, N0, U(depth)) if n != N0 else N0
