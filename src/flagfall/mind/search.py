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
from flagfall.mind.race import ENDLESS, WIN, danger, flag_found, flag_lost
from flagfall.mind.slate import (
    CAUTION,
    MOVES_ROOM,
    NULL,
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

DEEPEST = U(TREE_CAP - 4)
BLUE_WORD = U(0xA0761D6478BD642F)
TABLE_SHIFT = U(64 - TABLE_BITS)
QUIET_DEPTH = -3
LATE, LATER = U(5), U(16)
STRONG = U(7)
SLACK = 150.0
HUNTED = 0.3
"""A man as likely as this to be the one who takes bombs is no longer a danger once he is taken."""
CLOCK_EVERY = U(63)
MOVES_END = U(MOVES_ROOM - MOVES_CAP - 1)


@itself
def deeper(*position: Any) -> Any:
    """The value of the position after a ply, asked by `look` of itself."""
    return look(*position)


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
    # At the end of the tree it matters only where it can move the value over a bound.
    peril = 0.0
    if q.runners != 0 and not (calm and (still <= alpha if mine else still >= beta)):
        peril = danger(g, v, q)
    still -= peril if mine else -peril
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
                if value + (peril if mine else 0.0) <= low:
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
                value += chance * max(0.0, flag_lost(q, still) - other)
            else:
                for end in range(N1, N3 + N1):
                    if end == DEFENDER:
                        continue
                    chance = bold(v, q, pid, tid, target, end, shown)
                    if chance < 0.005 or value >= beta:
                        continue
                    play(g, v, log, q, k, s, t, end)
                    after = peril - q.score
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
                        after = q.score if q.row[tid * N16 + U(q.sapper)] > HUNTED else q.score - peril
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
                value = flag_lost(q, still)
            elif fate == FLAG:
                value = WIN - np.float64(k)
            else:
                play(g, v, log, q, k, s, t, fate)
                value = q.score if mine else peril - q.score
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
