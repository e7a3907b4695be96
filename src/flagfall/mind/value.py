"""What men, secrets and squares are worth, reckoned once a move from the slate's beliefs; compiled.

q is a slate, g a game, v a variant's tables. All worths are points: a marshal of Classic is about 430.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.race import fill_race
from flagfall.mind.rows import fill_rows
from flagfall.mind.slate import (
    AHEAD,
    BOMB_FEAR,
    DARE_FLOOR,
    DARE_SHARE,
    EXPLORE,
    FEAR,
    FEAR_DECAY,
    FEAR_HIDDEN,
    FEAR_UNMOVED,
    FLAG_LOSS,
    FLAG_LOSS_SHARED,
    FLAG_PRIZE,
    GUARD,
    GUARD_DECAY,
    PULL,
    PULL_DECAY,
    PULL_THROUGH,
    RASH_PULL,
    SAFE,
    STALKER,
)
from flagfall.rules.compiled import compiled
from flagfall.rules.law import (
    ATTACKER,
    BOTH,
    DEFENDER,
    FLAG,
    KNOWN,
    MOVED,
    N0,
    N1,
    N2,
    N4,
    N12,
    N15,
    N16,
    N40,
    N144,
    RED_BIT,
    WALL,
    U,
)

N9, N10, N11, N13, N132 = U(9), U(10), U(11), U(13), U(132)
BOMB_RANK, FLAG_RANK, HIDDEN = U(11), U(12), U(13)


@compiled
def count_left(g: Any, q: Any, p: Any, rank: Any) -> Any:
    """How many men of a rank seat p still has on the board, by the beliefs of the slate."""
    total = 0.0
    for pid in range(p * N40, p * N40 + N40):
        if g.sq[pid] != 0:
            total += q.row[pid * N16 + rank]
    return total


@compiled
def fill_worths(g: Any, v: Any, q: Any) -> None:
    """Worth, secret and zeal of every rank of both seats, by what is left of both armies."""
    for p in range(U(2)):
        for rank in range(N1, N13):
            q.alive[p * N16 + rank] = count_left(g, q, p, rank)
    men = 0.0
    army = 0.0
    for k in range(U(32)):
        men += q.alive[k]
    for k in range(U(100)):
        if v.army[k] != 0:
            army += 2.0
    phase = min(1.0, max(0.0, 2.0 * (1.0 - men / army) + 0.25 * q.urge))
    for p in range(U(2)):
        o = N1 - p
        top: Any = N4
        for rank in range(N4, N11):
            if q.alive[N16 + rank] + q.alive[rank] > 0.4:
                top = rank
        theirs: Any = N0
        for rank in range(N1, N11):
            if q.alive[o * N16 + rank] > 0.4:
                theirs = rank
        lift = N10 - top
        for rank in range(N1, N13):
            worth = q.base[rank]
            if rank >= N4 and rank <= N10:
                worth = q.base[min(N10, rank + lift)]
                if rank > theirs:
                    worth += q.knob[AHEAD]
            if rank == N10 and q.alive[o * N16 + N1] < 0.4:
                worth += q.knob[SAFE]
            secret = q.veil[rank]
            if rank == 1:
                if q.alive[o * N16 + N10] < 0.4:
                    worth = 12.0
                    secret = 1.0
            elif rank == 3:
                bombs = q.alive[o * N16 + BOMB_RANK]
                mine = q.alive[p * N16 + U(3)]
                if bombs < 0.4:
                    worth = 24.0
                elif mine <= 2.4:
                    worth = 85.0
            q.worth[p * N16 + rank] = worth
            q.secret[p * N16 + rank] = secret
            q.zeal[p * N16 + rank] = q.drive[rank] + (1.0 - q.drive[rank]) * phase * (0.4 if rank == 1 else 1.0)


@compiled
def gain_of(v: Any, q: Any, p: Any, rank: Any, pid: Any, hidden: Any) -> Any:
    """What seat p expects from letting a man of this rank attack enemy man pid, by what p can know of him."""
    o = N1 - p
    mine = q.worth[p * N16 + rank]
    total = 0.0
    for other in range(N1, N13):
        chance = q.row[pid * N16 + other]
        if chance > 0.0:
            end = U(v.battle[rank * N16 + other])
            if end == ATTACKER:
                total += chance * q.worth[o * N16 + other]
            elif end == BOTH:
                total += chance * (q.worth[o * N16 + other] - mine)
            elif end == DEFENDER:
                fear = q.knob[BOMB_FEAR] if other == BOMB_RANK and rank >= U(7) else 1.0
                total -= chance * mine * fear
            elif end == FLAG:
                total += chance * q.knob[FLAG_PRIZE]
            if hidden != N0:
                total += chance * q.secret[o * N16 + other] * q.knob[EXPLORE]
    if hidden != N0:
        total += 3.0 * q.urge - q.knob[RASH_PULL] * q.rash[rank]
    return total


@compiled
def fill_dares(g: Any, v: Any, q: Any) -> None:
    """For each own hidden man and each enemy rank: the chance that such an enemy attacks him, knowing what he can."""
    me = U(q.me)
    for pid in range(me * N40, me * N40 + N40):
        cell = U(g.sq[pid])
        if cell == N0:
            continue
        code = U(g.code[cell])
        for rank in range(N1, N11):
            dare = 1.0
            if (code & KNOWN) == N0:
                gain = gain_of(v, q, N1 - me, rank, pid, N1) - 0.5 * q.secret[(N1 - me) * N16 + rank]
                scale = q.knob[DARE_FLOOR] + q.knob[DARE_SHARE] * q.worth[(N1 - me) * N16 + rank]
                dare = 1.0 / (1.0 + np.exp(-gain / scale))
                dare = q.trust * dare + (1.0 - q.trust)
            q.dare[pid * N16 + rank] = dare


@compiled
def _spread(g: Any, plane: Any, own: Any, decay: Any, through: Any) -> None:
    """Let the seeds of a plane of 144 cells fade outwards, over free cells and, weaker, over own men; foes stop it."""
    for _ in range(6):
        changed = False
        for turn in range(2):
            for k in range(N12, N132):
                cell = k if turn == 0 else U(143) - k
                code = U(g.code[cell])
                if code == WALL:
                    continue
                if code != N0 and (code & own) == N0:
                    continue
                best = max(max(plane[cell - N1], plane[cell + N1]), max(plane[cell - N12], plane[cell + N12]))
                best *= decay if code == N0 else through
                if best > plane[cell]:
                    plane[cell] = best
                    changed = True
        if not changed:
            break


@compiled
def _beats(v: Any, q: Any, pid: Any, rank: Any) -> Any:
    """The chance that enemy man pid, if he attacks, takes a man of this rank."""
    total = 0.0
    for other in range(N1, N11):
        chance = q.row[pid * N16 + other]
        if chance > 0.0 and U(v.battle[other * N16 + rank]) == ATTACKER:
            total += chance
    return total


@compiled
def _wins(v: Any, q: Any, pid: Any, rank: Any) -> Any:
    """The chance that enemy man pid falls to a man of this rank that attacks him, equals included."""
    total = 0.0
    for other in range(N1, N11):
        end = U(v.battle[rank * N16 + other])
        if end == ATTACKER or end == BOTH:
            total += q.row[pid * N16 + other]
    return total


@compiled
def fill_alarm(g: Any, q: Any) -> None:
    """How near a cell is to the own flag, 1 beside it and less each step, for enemy men: own bombs stop them."""
    me = U(q.me)
    own = RED_BIT << me
    decay = q.knob[GUARD_DECAY]
    q.flag_at = 0
    for k in range(N144):
        q.alarm[k] = 0.0
    for pid in range(me * N40, me * N40 + N40):
        cell = U(g.sq[pid])
        if cell != N0 and (U(g.code[cell]) & N15) == FLAG_RANK:
            q.alarm[cell] = 1.0 / decay
            q.flag_at = cell
    for _ in range(8):
        changed = False
        for k in range(N12, N132):
            code = U(g.code[k])
            if code == WALL or ((code & own) != N0 and (code & N15) >= BOMB_RANK):
                continue
            best = 0.0
            for way in range(4):
                step = N1 if way == 0 else N0 - N1 if way == 1 else N12 if way == 2 else N0 - N12
                beside = U(g.code[k + step])
                # Over an own man he has to fight first; over another enemy he has to wait.
                share = 1.0 if beside == N0 or (beside & N15) == FLAG_RANK else 0.6
                best = max(best, share * decay * q.alarm[k + step])
            if best > q.alarm[k] + 0.001:
                q.alarm[k] = best
                changed = True
        if not changed:
            break


@compiled
def fill_fields(g: Any, v: Any, q: Any) -> None:
    """What every man is worth on every cell, to his owner: drawn to what he can take, away from what takes him."""
    for p in range(U(2)):
        own = RED_BIT << p
        first = (N1 - p) * N40
        for rank in range(N1, N11):
            if v.reach[rank] == 0 or count_left(g, q, p, rank) < 0.01:
                continue
            for k in range(N144):
                q.pull[k] = 0.0
                q.fear[k] = 0.0
            for pid in range(first, first + N40):
                cell = U(g.sq[pid])
                if cell == N0:
                    continue
                code = U(g.code[cell])
                secret = (code & N15) == HIDDEN if p == q.me else (code & KNOWN) == N0
                hidden = N1 if secret else N0
                gain = gain_of(v, q, p, rank, pid, hidden)
                if p == q.me:
                    gain += q.knob[STALKER] * q.alarm[cell] * _wins(v, q, pid, rank)
                elif (code & N15) == FLAG_RANK:
                    # He does not know that it is the flag; we do.
                    gain += q.knob[GUARD]
                elif (code & N15) == BOMB_RANK and U(v.battle[rank * N16 + BOMB_RANK]) == ATTACKER:
                    # Who clears bombs, and takes one beside the flag, stands before it.
                    flag = U(q.flag_at)
                    if cell == flag + N1 or cell == flag - N1 or cell == flag + N12 or cell == flag - N12:
                        gain += 0.8 * q.knob[GUARD]
                if gain > 0.0:
                    q.pull[cell] = gain * q.knob[PULL] * q.zeal[p * N16 + rank] * (1.0 + 0.5 * q.urge)
                risk = _beats(v, q, pid, rank)
                if risk > 0.02:
                    moved = 1.0 if (code & MOVED) != N0 or not secret else q.knob[FEAR_UNMOVED]
                    q.fear[cell] = risk * moved * q.worth[p * N16 + rank] * q.knob[FEAR]
            _spread(g, q.pull, own, q.knob[PULL_DECAY], q.knob[PULL_THROUGH])
            _spread(g, q.fear, own, q.knob[FEAR_DECAY], q.knob[FEAR_DECAY])
            plane = (p * N16 + rank) * N2 * N144
            for k in range(N144):
                q.plane[plane + k] = q.pull[k] - q.knob[FEAR_HIDDEN] * q.fear[k]
                q.plane[plane + N144 + k] = q.pull[k] - q.fear[k]
    _share_out(g, q)


@compiled
def _share_out(g: Any, q: Any) -> None:
    """Give every man the field of his rank, and a hidden enemy the mean of those that he may have."""
    for pid in range(U(80)):
        base = pid * N144
        for cell in range(N144):
            q.field[base + cell] = 0.0
        at = U(g.sq[pid])
        if at == N0:
            continue
        p: Any = pid // N40
        code = U(g.code[at])
        if p == q.me:
            own = code & N15
            plane = ((p * N16 + own) * N2 + (N1 if (code & KNOWN) != N0 else N0)) * N144
            if own <= N10:
                for cell in range(N144):
                    q.field[base + cell] = q.plane[plane + cell]
        else:
            shown: Any = N0 if (code & N15) == HIDDEN else N1
            for rank in range(N1, N11):
                chance = q.row[pid * N16 + rank]
                if chance > 0.004:
                    plane = ((p * N16 + rank) * N2 + shown) * N144
                    for cell in range(N144):
                        q.field[base + cell] += chance * q.plane[plane + cell]


@compiled
def prepare(g: Any, v: Any, log: Any, q: Any, prior: Any) -> None:
    """Fill a slate from a View's records: beliefs (`rows.fill_rows`), worths, dares, fields, score."""
    fill_rows(g, v, log, q, prior, q.prior)
    fill_worths(g, v, q)
    fill_dares(g, v, q)
    fill_alarm(g, q)
    fill_fields(g, v, q)
    fill_race(g, v, q)
    me = U(q.me)
    score = 0.0
    unmoved = 0.0
    for pid in range(U(80)):
        cell = U(g.sq[pid])
        if cell == N0:
            continue
        p = pid // N40
        code = U(g.code[cell])
        worth = 0.0
        if p == me:
            worth = q.worth[p * N16 + (code & N15)]
            if (code & (KNOWN | MOVED)) == N0:
                unmoved += 1.0
            if (code & KNOWN) == N0:
                worth += q.secret[p * N16 + (code & N15)]
        else:
            for rank in range(N1, N13):
                chance = q.row[pid * N16 + rank]
                worth += chance * q.worth[p * N16 + rank]
                if (code & N15) == HIDDEN:
                    worth += chance * q.secret[p * N16 + rank]
        worth += q.field[pid * N144 + cell]
        score += worth if p == me else -worth
    q.score = score
    q.flag_loss = q.knob[FLAG_LOSS] + q.knob[FLAG_LOSS_SHARED] / max(1.0, unmoved)
