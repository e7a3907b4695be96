"""A supposed ply: what the enemy may play, a move played with a supposed end, taken back, put in order; compiled.

g is a game record (a copy of the View's), log its plies, q the slate, M a buffer of moves and O one of their order; k
is the slot, the number of plies from the root, in which `play` keeps what `back` needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.slate import RASH_SHOWN
from flagfall.mind.value import BOMB_RANK, FLAG_RANK, HIDDEN, N11, N13
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import (
    ATTACKER,
    BOTH,
    DEFENDER,
    FLAG,
    KNOWN,
    N0,
    N1,
    N2,
    N8,
    N12,
    N15,
    N16,
    N144,
    N255,
    QUIET,
    RED_BIT,
    WALL,
    U,
    apply,
    beside,
    chase_bars,
    two_square_bars,
    two_square_span,
    undo,
)

N40 = U(40)
NO_ROW = 255
MIX = U(0x9E3779B97F4A7C15)
FIXED = 0.93
"""A hidden man as surely bomb or flag as this is not thought to move."""


@compiled
def enemy_moves(g: Any, v: Any, log: Any, q: Any, M: Any, at: Any) -> Any:
    """Write what the enemy, on turn, may play: his known men by their reach, hidden ones a step; repetitions barred.

    Returns the index after the last.
    """
    p = U(g.turn)
    own = RED_BIT << p
    span = two_square_span(g, v, log)
    mover = U(entry(log, U(g.ply)).to)
    chased = v.more_squares != 0 and g.chase[p] >= 2
    n = at
    for pid in range(p * N40, p * N40 + N40):
        s = U(g.sq[pid])
        if s == N0:
            continue
        rank = U(g.code[s]) & N15
        reach = U(v.reach[rank])
        strike = U(v.strike[rank])
        if rank == HIDDEN:
            if q.row[pid * N16 + BOMB_RANK] + q.row[pid * N16 + FLAG_RANK] > FIXED:
                continue
            reach = N1
            strike = N1
        if reach == N0:
            continue
        for way in range(4):
            step = N1 if way == 0 else N0 - N1 if way == 1 else N12 if way == 2 else N0 - N12
            t = s
            gone = N0
            while gone < reach:
                t += step
                gone += N1
                code = U(g.code[t])
                if (code & own) != N0 or (code != N0 and gone > strike):
                    break
                barred = span != N0 and s == mover and two_square_bars(v, span, s, t, code != N0)
                if not barred and chased:
                    barred = chase_bars(g, v, log, s, t)
                if not barred:
                    entry(M, n).m = s << N8 | t
                    n += N1
                if code != N0:
                    break
    return n


@compiled
def strikes(g: Any, v: Any, q: Any, M: Any, at: Any) -> Any:
    """Write the attacks that count where the tree ends: ours on known men, his on any man of ours; no repetition rule.

    Returns the index after the last.
    """
    p = U(g.turn)
    foe = RED_BIT << (N1 - p)
    mine = p == q.me
    n = at
    for pid in range(p * N40, p * N40 + N40):
        s = U(g.sq[pid])
        if s == N0:
            continue
        rank = U(g.code[s]) & N15
        reach = U(v.reach[rank])
        strike = U(v.strike[rank])
        if rank == HIDDEN:
            if not beside(g, s, foe) or q.row[pid * N16 + BOMB_RANK] + q.row[pid * N16 + FLAG_RANK] > FIXED:
                continue
            reach = N1
            strike = N1
        if reach == N0 or (reach == N1 and not beside(g, s, foe)):
            continue
        for way in range(4):
            step = N1 if way == 0 else N0 - N1 if way == 1 else N12 if way == 2 else N0 - N12
            t = s + step
            gone = N1
            while gone < reach and g.code[t] == 0:
                t += step
                gone += N1
            code = U(g.code[t])
            if (code & WALL) != foe or gone > strike:
                continue
            if mine and (code & N15) == HIDDEN:
                continue
            entry(M, n).m = s << N8 | t
            n += N1
    return n


@compiled
def snipers(g: Any, v: Any, q: Any, M: Any, at: Any) -> Any:
    """Write the attacks on our flag that a hidden man of his can make from afar, if he is one that runs.

    Returns the index after the last.
    """
    flag = U(q.flag_at)
    if flag == N0:
        return at
    foe = RED_BIT << (N1 - U(q.me))
    n = at
    for way in range(4):
        step = N1 if way == 0 else N0 - N1 if way == 1 else N12 if way == 2 else N0 - N12
        s = flag + step
        gone = N1
        while g.code[s] == 0:
            s += step
            gone += N1
        code = U(g.code[s])
        hidden = gone > N1 and (code & WALL) == foe and (code & N15) == HIDDEN
        if hidden and sniper(v, q, U(g.bid[s]), U(g.bid[flag]), gone) > 0.01:
            entry(M, n).m = s << N8 | flag
            n += N1
    return n


@compiled
def sniper(v: Any, q: Any, pid: Any, tid: Any, fields: Any) -> Any:
    """The chance that hidden enemy man pid can strike our man tid so many fields away, and dares to."""
    chance = 0.0
    for other in range(N1, N11):
        if U(v.strike[other]) >= fields:
            chance += np.float64(q.row[pid * N16 + other]) * np.float64(q.dare[tid * N16 + other])
    return chance


@compiled
def skip(g: Any, log: Any, q: Any, k: Any) -> None:
    """Let the side to move pass, which no law allows: a question of the search alone. `unskip` takes it back."""
    ply = U(g.ply)
    step = entry(log, ply + N2)
    step.h = g.h
    step.chase[0] = g.chase[0]
    step.chase[1] = g.chase[1]
    step.frm = 0
    step.to = 0
    step.pid = 255
    step.tid = 255
    step.outcome = 0
    step.put = 0
    step.run[0] = g.run[0]
    step.run[1] = g.run[1]
    g.ply = ply + N1
    g.turn = N1 - U(g.turn)
    g.chase[0] = 0
    g.chase[1] = 0
    g.run[0] = 0
    g.run[1] = 0


@compiled
def unskip(g: Any, log: Any) -> None:
    """Take `skip` back."""
    ply = U(g.ply) - N1
    step = entry(log, ply + N2)
    g.ply = ply
    g.turn = N1 - U(g.turn)
    g.chase[0] = step.chase[0]
    g.chase[1] = step.chase[1]
    g.run[0] = step.run[0]
    g.run[1] = step.run[1]


@compiled
def end_chance(v: Any, q: Any, tid: Any, rank: Any, end: Any) -> Any:
    """The chance that our man of this rank, attacking hidden man tid, meets this end."""
    chance = 0.0
    for other in range(N1, N13):
        if U(v.battle[rank * N16 + other]) == end:
            chance += np.float64(q.row[tid * N16 + other])
    return chance


@compiled
def rashness(q: Any, code: Any) -> Any:
    """What is taken off the worth of an attack on a hidden man by this man of ours."""
    loss = q.rash[code & N15]
    return loss if (code & KNOWN) == N0 else q.knob[RASH_SHOWN] * loss


@compiled
def bold(v: Any, q: Any, pid: Any, tid: Any, target: Any, end: Any, shown: Any) -> Any:
    """The chance that hidden enemy man pid can bring about this end on our man tid, and dares to."""
    chance = 0.0
    for other in range(N1, N11):
        if U(v.battle[other * N16 + target]) == end:
            dare = 1.0 if shown else np.float64(q.dare[tid * N16 + other])
            chance += np.float64(q.row[pid * N16 + other]) * dare
    return chance


@compiled
def _narrow(v: Any, q: Any, pid: Any, rank: Any, attacks: Any, end: Any, k: Any) -> Any:
    """Keep hidden man pid's row in slot k, then leave in it only what fits the end of his battle with a known rank.

    Returns his expected worth and secret given that end. attacks: whether the known man attacked.
    """
    base = pid * N16
    o = pid // N40
    total = 0.0
    worth = 0.0
    secret = 0.0
    for other in range(N1, N13):
        chance = q.row[base + other]
        q.kept_row[k * N16 + other] = chance
        fits = U(v.battle[(rank * N16 + other) if attacks != N0 else (other * N16 + rank)]) == end
        if chance > 0.0 and fits:
            total += chance
            worth += chance * q.worth[o * N16 + other]
            secret += chance * q.secret[o * N16 + other]
        else:
            q.row[base + other] = 0.0
    q.kept_id[k] = pid
    q.extra = (q.extra ^ (pid << N8 | rank << N2 | end)) * MIX
    if total <= 0.0:
        return 0.0, 0.0
    for other in range(N1, N13):
        q.row[base + other] = q.row[base + other] / total
    return worth / total, secret / total


@compiled
def play(g: Any, v: Any, log: Any, q: Any, k: Any, s: Any, t: Any, end: Any) -> None:
    """Play a move whose end is supposed, keep in slot k what `back` needs, and carry the score along."""
    p = U(g.turn)
    sign = 1.0 if p == q.me else -1.0
    code = U(g.code[s])
    tc = U(g.code[t])
    pid = U(g.bid[s])
    tid = U(g.bid[t])
    rank = code & N15
    q.kept_score[k] = q.score
    q.kept_extra[k] = q.extra
    q.kept_id[k] = 255
    score = 0.0
    verdict = end
    if end == QUIET:
        gap = t - s if t > s else s - t
        if gap != N1 and gap != N12:
            verdict |= U(v.tells[gap // N12 if gap >= N12 else gap]) << N8
        score = q.field[pid * N144 + t] - q.field[pid * N144 + s]
        q.score += sign * score
        apply(g, v, log, s, t, verdict)
        return
    o = N1 - p
    target = tc & N15
    attacker_worth = 0.0
    attacker_secret = 0.0
    defender_worth = 0.0
    defender_secret = 0.0
    if rank == HIDDEN:
        attacker_worth, attacker_secret = _narrow(v, q, pid, target, N0, end, k)
    else:
        attacker_worth = q.worth[p * N16 + rank]
        if (code & KNOWN) == N0:
            attacker_secret = q.secret[p * N16 + rank]
        verdict |= rank << N8
    if target == HIDDEN:
        defender_worth, defender_secret = _narrow(v, q, tid, rank, N1, end, k)
    else:
        defender_worth = q.worth[o * N16 + target]
        if (tc & KNOWN) == N0:
            defender_secret = q.secret[o * N16 + target]
        verdict |= target << N12
    # Both are told, so neither is a secret any longer.
    score = defender_secret - attacker_secret
    if end != DEFENDER:
        score += defender_worth + q.field[tid * N144 + t]
    if end == DEFENDER or end == BOTH:
        score -= attacker_worth + q.field[pid * N144 + s]
    else:
        score += q.field[pid * N144 + t] - q.field[pid * N144 + s]
    q.score += sign * score
    apply(g, v, log, s, t, verdict)


@compiled
def back(g: Any, log: Any, q: Any, k: Any) -> None:
    """Take back what `play` kept in slot k."""
    undo(g, log)
    q.score = q.kept_score[k]
    q.extra = q.kept_extra[k]
    if q.kept_id[k] != 255:
        base = U(q.kept_id[k]) * N16
        for other in range(N1, N13):
            q.row[base + other] = q.kept_row[k * N16 + other]


@compiled
def rate(g: Any, v: Any, q: Any, k: Any, M: Any, O: Any, at: Any, n: Any, first: Any, calm: Any) -> Any:
    """Order moves into O: the remembered one, sure gains, killers, then by field; a hidden enemy's attacks come last.

    calm: the end of the tree; there only captures that we know of, and his that may win, are kept. Returns the new end.
    """
    p = U(g.turn)
    o = N1 - p
    kept = at
    for j in range(at, n):
        move = U(entry(M, j).m)
        s = move >> N8
        t = move & N255
        code = U(g.code[s])
        tc = U(g.code[t])
        pid = U(g.bid[s])
        order = 0.0
        if tc == N0:
            if calm:
                continue
            order = q.field[pid * N144 + t] - q.field[pid * N144 + s]
            order += min(40.0, q.history[pid * N144 + t])
            if move == U(q.killer[k * N2]):
                order += 60.0
            elif move == U(q.killer[k * N2 + N1]):
                order += 50.0
        else:
            rank = code & N15
            target = tc & N15
            if rank == HIDDEN:
                # He attacks with the hidden man if that wins: searched after all else, the likeliest first.
                order = -1e6 + q.worth[o * N16 + target]
            elif target == HIDDEN:
                if calm:
                    continue
                order = 20.0
            else:
                end = U(v.battle[rank * N16 + target])
                if end == FLAG:
                    order = 1e5
                elif end == ATTACKER:
                    order = 1000.0 + q.worth[o * N16 + target] - 0.1 * q.worth[p * N16 + rank]
                elif end == BOTH:
                    order = 500.0 + q.worth[o * N16 + target] - q.worth[p * N16 + rank]
                elif calm:
                    continue
                else:
                    order = -5e5
        if move == first and order > -9e5:
            order += 1e7
        entry(M, kept).m = move
        entry(O, kept).o = order
        kept += N1
    return kept
