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

from flagfall.mind.order import pick
from flagfall.mind.plies import (
    MIX,
    back,
    bold,
    end_chance,
    enemy_moves,
    play,
    rashness,
    rate,
    skip,
    sniper,
    snipers,
    strikes,
    unskip,
)
from flagfall.mind.pulse import now_ns
from flagfall.mind.slate import (
    CAUTION,
    FLAG_EDGE,
    FLAG_FOUND,
    MOVES_ROOM,
    NULL,
    REPEAT,
    TABLE_BITS,
    TREE_CAP,
)
from flagfall.mind.value import FLAG_RANK, HIDDEN
from flagfall.rules.compiled import compiled, entry, itself
from flagfall.rules.law import (
    DEFENDER,
    FLAG,
    KNOWN,
    N0,
    N1,
    N2,
    N3,
    N4,
    N8,
    N12,
    N15,
    N16,
    N144,
    N255,
    QUIET,
    U,
    legal,
)
from flagfall.rules.layout import MOVES_CAP

WIN = 6000.0
ENDLESS = 1e9
DEEPEST = U(TREE_CAP - 4)
BLUE_WORD = U(0xA0761D6478BD642F)
TABLE_SHIFT = U(64 - TABLE_BITS)
QUIET_DEPTH = -3
LATE, LATER = U(5), U(16)
SURE = 0.9
STRONG = U(7)
SLACK = 150.0
CLOCK_EVERY = U(63)
REPEAT_MEMORY = U(60)
MOVES_END = U(MOVES_ROOM - MOVES_CAP - 1)


@itself
def deeper(*position: Any) -> Any:
    """The value of the position after a ply, asked by `look` of itself."""
    return look(*position)


@compiled
def flag_found(q: Any, still: Any, chance: Any) -> Any:
    """What finding the flag by a gamble counts: a won game in points, or every long shot would seem worth a man."""
    return WIN if chance > SURE else max(q.knob[FLAG_FOUND], still + q.knob[FLAG_EDGE])


@compiled
def look(
    g: Any, v: Any, log: Any, q: Any, T: Any, M: Any, O: Any, at: Any, k: Any, depth: Any, alpha: Any, beta: Any,
    rest: Any,
) -> Any:  # fmt: skip
    """The value of the position for the side to move, within alpha and beta; k counts plies from the root.

    rest: 1 where it may be asked what a pass would bring, else 0.
    """
    if q.nodes >= q.budget or (q.nodes & CLOCK_EVERY == N0 and q.deadline != 0 and now_ns(q) >= q.deadline):
        q.stopped = 1
    if q.stopped:
        return 0.0
    q.nodes += N1
    p = U(g.turn)
    mine = p == q.me
    still = q.score if mine else -q.score
    beyond = U(v.beyond)
    quiet = U(g.ply) - U(g.battle)
    if quiet >= U(v.quiet_limit) + beyond or U(g.ply) >= U(v.ply_limit) + beyond:
        return 0.0
    # Near a limit the next ply may end the game, so nothing is left out there on the strength of its static value.
    edge = quiet + N2 >= U(v.quiet_limit) or U(g.ply) + N2 >= U(v.ply_limit)
    calm = depth <= 0
    if k >= DEEPEST or at >= MOVES_END or depth <= QUIET_DEPTH:
        return still
    key = (U(g.h) ^ U(q.extra)) + (BLUE_WORD if p == 1 else N0)
    slot = (key * MIX) >> TABLE_SHIFT
    key ^= U(q.salt)
    first = N0
    if calm:
        if still >= beta:
            return still
    else:
        kept = entry(T, slot)
        if kept.key == key:
            first = U(kept.move)
            if kept.depth >= depth:
                held = np.float64(kept.value)
                if kept.kind == 1 or (kept.kind == 2 and held >= beta) or (kept.kind == 3 and held <= alpha):
                    return held
        if rest != N0 and depth >= 3 and still >= beta and beta < WIN / 2.0 and not edge and q.knob[NULL] > 0.0:
            skip(g, log, q, k)
            held = -deeper(g, v, log, q, T, M, O, at, k + N1, depth - 3, -beta, -beta + 1.0, N0)
            unskip(g, log)
            if q.stopped:
                return 0.0
            if held >= beta:
                return held
    if calm:
        n = strikes(g, v, q, M, at)
    elif mine:
        n = legal(g, v, log, M, at)
    else:
        n = enemy_moves(g, v, log, q, M, at)
    if not mine:
        n = snipers(g, v, q, M, n)
    if n == at and not calm:
        return -WIN + np.float64(k)
    best = still if calm else -ENDLESS
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
        if tc == N0:
            if depth == 1 and not edge:
                # After a quiet move the other side can leave it at that, so it is worth no more than it looks.
                value = still + q.field[pid * N144 + t] - q.field[pid * N144 + s]
                if value <= low:
                    best = max(best, value)
                    continue
            less = 1
            if depth >= 2 and j - at >= LATE and entry(O, j).o < 30.0:
                less = 3 if depth >= 4 and j - at >= LATER else 2
            play(g, v, log, q, k, s, t, QUIET)
            if j > at or less > 1:
                value = -deeper(g, v, log, q, T, M, O, n, k + N1, depth - less, -low - 1.0, -low, N1)
                if value > low and q.stopped == 0 and (less > 1 or value < beta):
                    value = -deeper(g, v, log, q, T, M, O, n, k + N1, depth - 1, -beta, -low, N1)
            else:
                value = -deeper(g, v, log, q, T, M, O, n, k + N1, depth - 1, -beta, -low, N1)
            back(g, log, q, k)
        elif rank == HIDDEN:
            # His hidden man attacks if that wins, else he makes his other move.
            value = other
            shown = (tc & KNOWN) != N0
            if target == FLAG_RANK:
                gap = t - s if t > s else s - t
                if gap == N1 or gap == N12:
                    chance = bold(v, q, pid, tid, target, FLAG, False)
                else:
                    chance = sniper(v, q, pid, tid, gap // N12 if gap >= N12 else gap)
                value += chance * max(0.0, q.flag_loss + still - other)
            else:
                for end in range(N1, N3 + N1):
                    if end == DEFENDER:
                        continue
                    chance = bold(v, q, pid, tid, target, end, shown)
                    if chance < 0.005 or value >= beta:
                        continue
                    play(g, v, log, q, k, s, t, end)
                    after = q.score if mine else -q.score
                    if after > other or depth > 1 or edge:
                        ceiling = other + (beta - value) / chance + 0.5
                        after = -deeper(g, v, log, q, T, M, O, n, k + N1, depth - 1, -ceiling, -other, N1)
                    back(g, log, q, k)
                    value += chance * max(0.0, after - other)
        elif target == HIDDEN:
            # Our gamble: first how its ends look, then, if that may suffice, what they are worth.
            here = k * N8
            likely = -rashness(q, U(g.code[s]))
            for end in range(N1, N4 + N1):
                chance = end_chance(v, q, tid, rank, end)
                if chance < 0.005:
                    chance = 0.0
                q.odds[here + end] = chance
                if chance > 0.0:
                    if end == FLAG:
                        after = flag_found(q, still, chance) - np.float64(k)
                    else:
                        play(g, v, log, q, k, s, t, end)
                        after = q.score if mine else -q.score
                        back(g, log, q, k)
                        if end == DEFENDER and rank >= STRONG:
                            after -= q.knob[CAUTION] * q.worth[p * N16 + rank]
                    q.plain[here + end] = after
                    likely += chance * after
            slack = SLACK if depth > 1 or edge else 0.0
            if likely + slack <= low:
                best = max(best, min(likely, low))
                continue
            value = likely
            if slack > 0.0:
                for end in range(N1, N4):
                    chance = q.odds[here + end]
                    if chance > 0.0 and value + slack > low and value - slack < beta:
                        # Bounds that matter, if the ends not searched yet are worth about what they look like.
                        floor = q.plain[here + end] + (low - value - slack) / chance
                        ceiling = q.plain[here + end] + (beta - value + slack) / chance
                        play(g, v, log, q, k, s, t, end)
                        after = -deeper(g, v, log, q, T, M, O, n, k + N1, depth - 1, -ceiling, -floor, N1)
                        back(g, log, q, k)
                        if end == DEFENDER and rank >= STRONG:
                            after -= q.knob[CAUTION] * q.worth[p * N16 + rank]
                        value += chance * (after - q.plain[here + end])
        else:
            fate = U(v.battle[rank * N16 + target])
            dare = 1.0
            if not mine and (tc & KNOWN) == N0:
                # He does not know whom he meets: a gain counts as far as he dares, a blunder is not counted on.
                dare = np.float64(q.dare[tid * N16 + rank])
            if dare < 0.01:
                continue
            floor = low if dare == 1.0 else other
            ceiling = beta if dare == 1.0 else (beta - (1.0 - dare) * other) / dare + 0.5
            if target == FLAG_RANK and not mine:
                value = still + q.flag_loss
            elif fate == FLAG:
                value = WIN - np.float64(k)
            else:
                play(g, v, log, q, k, s, t, fate)
                value = q.score if mine else -q.score
                if value > floor or depth > 1 or edge:
                    value = -deeper(g, v, log, q, T, M, O, n, k + N1, depth - 1, -ceiling, -floor, N1)
                back(g, log, q, k)
            if dare < 1.0:
                value = other if value <= other else dare * value + (1.0 - dare) * other
        if q.stopped:
            return 0.0
        if value > best:
            best = value
            chosen = move
            if value > low:
                low = value
            if low >= beta:
                if tc == N0:
                    if move != U(q.killer[k * N2]):
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
            tid = U(g.bid[t])
            value = entry(R, j).bias
            if target == HIDDEN:
                value -= rashness(q, U(g.code[s]))
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
