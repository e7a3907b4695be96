"""The root of the tree: every legal move searched deeper round by round, the best move first; compiled.

g is a game record (a copy of the View's), log its plies, v the variant's tables, q the slate, T remembered positions, M
and O buffers of moves and of their order, R the moves at the root.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.plies import back, end_chance, play, rashness
from flagfall.mind.race import ENDLESS, WIN, flag_found
from flagfall.mind.search import STRONG, look
from flagfall.mind.slate import CAUTION, REPEAT
from flagfall.mind.value import FLAG_RANK, HIDDEN
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import DEFENDER, FLAG, N0, N1, N2, N4, N8, N15, N16, N255, QUIET, U

REPEAT_MEMORY = U(60)


@compiled
def times_seen(g: Any, v: Any, log: Any, q: Any, move: Any) -> Any:
    """How often, within the last plies and since the last battle, the position after a quiet move has stood before."""
    s = move >> N8
    t = move & N255
    if g.code[t] != 0:
        return 0.0
    play(g, v, log, q, N0, s, t, QUIET)
    ply = U(g.ply)
    first = max(U(g.battle), ply - min(ply, REPEAT_MEMORY))
    count = 0.0
    for k in range(first, ply):
        if U(entry(log, k + N2).h) == U(g.h):
            count += 1.0
    back(g, log, q, N0)
    return count


@compiled
def _gamble(
    g: Any, v: Any, log: Any, q: Any, T: Any, M: Any, O: Any, s: Any, t: Any, plies: Any
) -> Any:  # fmt: skip
    """What an attack on a hidden man is worth: its ends by their chances, each searched."""
    rank = U(g.code[s]) & N15
    tid = U(g.bid[t])
    value = -rashness(q, U(g.code[s]))
    for end in range(N1, N4 + N1):
        chance = end_chance(v, q, tid, rank, end)
        if chance < 1e-4:
            continue
        if end == FLAG:
            value += chance * flag_found(q, q.score, chance)
            continue
        if end == DEFENDER and rank >= STRONG:
            value -= chance * q.knob[CAUTION] * q.worth[U(q.me) * N16 + rank]
        play(g, v, log, q, N0, s, t, end)
        value -= chance * look(g, v, log, q, T, M, O, N0, N1, plies, -ENDLESS, ENDLESS, N1)
        back(g, log, q, N0)
    return value


@compiled
def think(g: Any, v: Any, log: Any, q: Any, T: Any, M: Any, O: Any, R: Any, count: Any, deepest: Any) -> Any:
    """Search the root moves: R is the first of `count` ROOTs, each with a bias (noise, repetition) added to its value.

    Deepens to `deepest` plies or until the slate's budget of nodes is spent. R comes back ordered by the last whole
    round, the best first, values with biases. Returns the depth of that round.
    """
    for k in range(U(len(q.history))):
        q.history[k] = 0.0
    for k in range(U(len(q.killer))):
        q.killer[k] = 0
    done = 0
    for j in range(count):
        entry(R, j).bias -= q.knob[REPEAT] * times_seen(g, v, log, q, U(entry(R, j).move))
    for depth in range(N1, U(deepest) + N1):
        plies = np.int64(depth) - 1
        top: Any = -ENDLESS
        leader: Any = N0
        for j in range(count):
            s = U(entry(R, j).move) >> N8
            t = U(entry(R, j).move) & N255
            rank = U(g.code[s]) & N15
            target = U(g.code[t]) & N15
            value = entry(R, j).bias
            if target == HIDDEN:
                value += _gamble(g, v, log, q, T, M, O, s, t, plies)
            elif target == FLAG_RANK:
                value += WIN
            else:
                fate = QUIET if target == N0 else U(v.battle[rank * N16 + target])
                play(g, v, log, q, N0, s, t, fate)
                bound = value - top
                if j > N0:
                    after = -look(g, v, log, q, T, M, O, N0, N1, plies, bound - 1.0, bound, N1)
                    if value + after > top and q.stopped == 0:
                        after = -look(g, v, log, q, T, M, O, N0, N1, plies, -ENDLESS, bound, N1)
                else:
                    after = -look(g, v, log, q, T, M, O, N0, N1, plies, -ENDLESS, ENDLESS, N1)
                value += after
                back(g, log, q, N0)
            if q.stopped:
                break
            entry(R, j).fresh = value
            if value > top:
                top = value
                leader = j
        if q.stopped and top == -ENDLESS:
            break
        # In an unfinished round the first moves, the best of the round before, were searched again: its leader counts.
        if q.stopped == 0:
            done = depth
            for j in range(count):
                entry(R, j).value = entry(R, j).fresh
        move = entry(R, leader).move
        bias = entry(R, leader).bias
        for j in range(leader, N0, N0 - N1):
            entry(R, j).move = entry(R, j - N1).move
            entry(R, j).bias = entry(R, j - N1).bias
            entry(R, j).value = entry(R, j - N1).value
        entry(R, N0).move = move
        entry(R, N0).bias = bias
        entry(R, N0).value = top
        if q.stopped or (top > WIN / 2.0 and done >= 2):
            break
    return done
