"""The tree: alpha-beta over what a seat knows, with battles averaged over beliefs; compiled.

Two facts of information shape it. The enemy knows his own ranks: his hidden man attacks when it wins, so such a move is
worth p·(after winning) + (1-p)·(his best other move), one hidden attacker after the other. And he does not know ours:
his attack on a hidden man of ours counts only with the chance that he dares it (`dare`). Our own gambles on hidden men
are chance nodes in the tree, and are left out where the tree ends, or every leaf of ours would be too rosy.

g is a game record (a copy of the View's), log its plies, v the variant's tables, q the slate, T remembered positions, M
and O buffers of moves and of their order, written from `at` on. Values are points as the side to move sees them. One
function calls itself; nothing else does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.plies import MIX, back, bold, end_chance, enemy_moves, pick, play, rate
from flagfall.mind.slate import MOVES_ROOM, TABLE_BITS, TREE_CAP
from flagfall.mind.value import FLAG_RANK, HIDDEN
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import (
    DEFENDER,
    FLAG,
    KNOWN,
    N0,
    N1,
    N2,
    N3,
    N8,
    N15,
    N16,
    N144,
    N255,
    QUIET,
    U,
    geometric,
    legal,
)
from flagfall.rules.layout import MOVES_CAP

WIN = 6000.0
ENDLESS = 1e9
DEEPEST = U(TREE_CAP - 4)
BLUE_WORD = U(0xA0761D6478BD642F)
TABLE_SHIFT, TABLE_SIZE = U(64 - TABLE_BITS), U(1 << TABLE_BITS)
QUIET_DEPTH = -3
LATE = U(5)
REPEAT_COST = 6.0
SURE = 0.9
FLAG_FOUND, FLAG_EDGE = 1000.0, 400.0
STRONG, CAUTION = U(7), 0.4
REPEAT_MEMORY = U(60)
MOVES_END = U(MOVES_ROOM - MOVES_CAP - 1)


@compiled
def flag_found(still: Any, chance: Any) -> Any:
    """What finding the flag by a gamble counts: a won game in points, or every long shot would seem worth a man."""
    return WIN if chance > SURE else max(FLAG_FOUND, still + FLAG_EDGE)


@compiled
def look(
    g: Any, v: Any, log: Any, q: Any, T: Any, M: Any, O: Any, at: Any, k: Any, depth: Any, alpha: Any, beta: Any
) -> Any:
    """The value of the position for the side to move, within alpha and beta; k counts plies from the root."""
    if q.nodes >= q.budget:
        q.stopped = 1
    if q.stopped:
        return 0.0
    q.nodes += N1
    p = U(g.turn)
    mine = p == q.me
    still = q.score if mine else -q.score
    beyond = U(v.beyond)
    if U(g.ply) - U(g.battle) >= U(v.quiet_limit) + beyond or U(g.ply) >= U(v.ply_limit) + beyond:
        return 0.0
    calm = depth <= 0
    if k >= DEEPEST or at >= MOVES_END or depth <= QUIET_DEPTH:
        return still
    key = (U(g.h) ^ U(q.extra)) + (BLUE_WORD if p == 1 else N0)
    slot = (key * MIX) >> TABLE_SHIFT
    first = N0
    if not calm:
        kept = entry(T, slot)
        if kept.key == key:
            first = U(kept.move)
            if kept.depth >= depth:
                held = np.float64(kept.value)
                if kept.kind == 1 or (kept.kind == 2 and held >= beta) or (kept.kind == 3 and held <= alpha):
                    return held
    if calm or not mine:
        # The enemy's moves at the end of the tree are all looked at, to find the attacks of hidden men.
        n = enemy_moves(g, v, log, q, M, at) if not mine else geometric(g, v, M, at, p)
    else:
        n = legal(g, v, log, M, at)
    if n == at and not calm:
        return -WIN + np.float64(k)
    best = -ENDLESS
    if calm:
        best = still
        if best >= beta:
            return best
    n = rate(g, v, q, k, M, O, at, n, first, calm)
    low = max(alpha, best)
    chosen = N0
    for j in range(at, n):
        move = pick(M, O, j, n)
        s = move >> N8
        t = move & N255
        tc = U(g.code[t])
        rank = U(g.code[s]) & N15
        target = tc & N15
        tid = U(g.bid[t])
        pid = U(g.bid[s])
        # His best without this move: what is left to him where the battle does not suit him.
        other = max(best, still)
        value: Any = 0.0
        gamble = target == HIDDEN
        lurks = rank == HIDDEN and tc != N0
        first_end, last_end, step = QUIET, QUIET, N1
        floor, ceiling = low, beta
        less = 1
        if tc == N0:
            if depth >= 2 and j - at >= LATE and entry(O, j).o < 30.0:
                less = 2
        elif lurks:
            value = other
            first_end, last_end, step = N1, N3, N2
            floor, ceiling = other, ENDLESS
        elif gamble:
            first_end, last_end = N1, FLAG
            floor, ceiling = -ENDLESS, ENDLESS
        else:
            first_end = U(v.battle[rank * N16 + target])
            last_end = first_end
        end = first_end
        while end <= last_end:
            chance = 1.0
            if target == FLAG_RANK and not mine:
                after = still + q.flag_loss
                if lurks:
                    chance = bold(v, q, pid, tid, target, FLAG, False)
                    last_end = N0
            elif end == FLAG and not gamble:
                after = WIN - np.float64(k)
            else:
                if gamble:
                    chance = end_chance(v, q, tid, rank, end)
                elif lurks:
                    chance = bold(v, q, pid, tid, target, end, (tc & KNOWN) != N0)
                if chance < 0.005:
                    end += step
                    continue
                if end == FLAG:
                    after = flag_found(still, chance) - np.float64(k)
                else:
                    play(g, v, log, q, k, s, t, end)
                    after = -look(g, v, log, q, T, M, O, n, k + N1, depth - less, -ceiling, -floor)
                    back(g, log, q, k)
                    if less == 2 and after > low and q.stopped == 0:
                        less = 1
                        continue
            if lurks:
                value += chance * max(0.0, after - other)
            elif gamble:
                if end == DEFENDER and rank >= STRONG:
                    after -= CAUTION * q.worth[p * N16 + rank]
                value += chance * after
            else:
                value = after
            end += step
        if not mine and tc != N0 and not lurks and (tc & KNOWN) == N0 and value > other:
            # He does not know whom he meets: a gain counts as far as he dares, a blunder is not counted on.
            dare = np.float64(q.dare[tid * N16 + rank])
            value = dare * value + (1.0 - dare) * other
        if q.stopped:
            return 0.0
        if value > best:
            best = value
            chosen = move
            if value > low:
                low = value
            if low >= beta:
                if tc == N0:
                    q.killer[k * N2 + N1] = q.killer[k * N2]
                    q.killer[k * N2] = move
                    q.history[pid * N144 + t] += np.float32(depth * depth)
                break
    if not calm:
        kind = 1
        if best >= beta:
            kind = 2
        elif best <= alpha:
            kind = 3
        kept = entry(T, slot)
        kept.key = key
        kept.value = best
        kept.move = chosen
        kept.depth = depth
        kept.kind = kind
    return best


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
def think(g: Any, v: Any, log: Any, q: Any, T: Any, M: Any, O: Any, R: Any, count: Any, deepest: Any) -> Any:
    """Search the root moves: R is the first of `count` ROOTs, each with a bias (noise, repetition) added to its value.

    Deepens to `deepest` plies or until the slate's budget of nodes is spent. R comes back ordered by the last whole
    round, the best first, values with biases. Returns the depth of that round.
    """
    for k in range(TABLE_SIZE):
        entry(T, k).key = 0
    for k in range(U(len(q.history))):
        q.history[k] = 0.0
    for k in range(U(len(q.killer))):
        q.killer[k] = 0
    done = 0
    for j in range(count):
        entry(R, j).bias -= REPEAT_COST * times_seen(g, v, log, q, U(entry(R, j).move))
    for depth in range(N1, U(deepest) + N1):
        top: Any = -ENDLESS
        leader: Any = N0
        for j in range(count):
            s = U(entry(R, j).move) >> N8
            t = U(entry(R, j).move) & N255
            rank = U(g.code[s]) & N15
            target = U(g.code[t]) & N15
            tid = U(g.bid[t])
            gamble = target == HIDDEN
            first_end, last_end, ceiling = QUIET, QUIET, entry(R, j).bias - top
            if gamble:
                first_end, last_end, ceiling = N1, FLAG, ENDLESS
            elif target != N0:
                first_end = U(v.battle[rank * N16 + target])
                last_end = first_end
            value = entry(R, j).bias
            for end in range(first_end, last_end + N1):
                chance = end_chance(v, q, tid, rank, end) if gamble else 1.0
                if chance < 1e-4:
                    continue
                if end == FLAG:
                    value += chance * flag_found(q.score, chance)
                    continue
                if gamble and end == DEFENDER and rank >= STRONG:
                    value -= chance * CAUTION * q.worth[U(q.me) * N16 + rank]
                play(g, v, log, q, N0, s, t, end)
                value -= chance * look(g, v, log, q, T, M, O, N0, N1, np.int64(depth) - 1, -ENDLESS, ceiling)
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
