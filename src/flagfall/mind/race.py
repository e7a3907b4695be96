"""Who is first at the own flag: an enemy that walks to it against the men who could still take him there; compiled.

Like the square of a passed pawn: the tree is too shallow to see a miner come from afar, but the fields to go can be
counted. A gate is a cell beside the flag. He is late if one of ours, who takes him, comes to the gate by the time he
stands there. The distances are reckoned once a move, on the board of the root; q is a slate, g a game, v the tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.slate import FLAG_EDGE, FLAG_FALL, FLAG_FOUND, RACE, RACE_FADE, RACE_LEAST, RACE_WALK
from flagfall.rules.compiled import compiled
from flagfall.rules.law import (
    ATTACKER,
    BOTH,
    HIDDEN,
    N0,
    N1,
    N2,
    N4,
    N11,
    N12,
    N15,
    N16,
    N40,
    N144,
    RED_BIT,
    WALL,
    U,
)

WIN = 6000.0
ENDLESS = 1e9
SURE = 0.9
N13, N132 = U(13), U(132)
BOMB, FLAG = U(11), U(12)
FAR = 200
"""More fields than any way has."""
HORIZON = U(14)
"""From so many fields on nobody is thought to be on his way to the flag."""
GATES, MAPS = U(4), U(3)
SAPPER, WALKER, KEEPER = N0, N1, N2
"""Whose way a map of distances tells: his who takes bombs, his who takes none, ours."""
KEEPERS = U(8)
"""So many of ours, the nearest, are counted on to keep the flag."""


@compiled
def flag_found(q: Any, still: Any, chance: Any) -> Any:
    """What finding the flag by a gamble counts: a won game in points, or every long shot would seem worth a man."""
    return WIN if chance > SURE else max(q.knob[FLAG_FOUND], still + q.knob[FLAG_EDGE])


@compiled
def flag_lost(q: Any, still: Any) -> Any:
    """What our flag counts to the enemy: more than all that he lacks, however far behind he is."""
    return max(still + q.flag_loss, q.knob[FLAG_FALL])


@compiled
def gate(q: Any, number: Any) -> Any:
    """The cell of a gate, 0..3."""
    step = N1 if number == 0 else N0 - N1 if number == 1 else N12 if number == 2 else N0 - N12
    return U(q.flag_at) + step


@compiled
def _spread_ways(g: Any, q: Any, number: Any, kind: Any) -> None:
    """Fill one map with the moves that it takes to come to a gate, FAR where no way leads."""
    base = (number * MAPS + kind) * N144
    own = RED_BIT << U(q.me)
    for k in range(N144):
        q.way[base + k] = FAR
    at = gate(q, number)
    code = U(g.code[at])
    if code == WALL or (kind == WALKER and (code & own) != N0 and (code & N15) >= BOMB):
        return
    q.way[base + at] = 0
    for _ in range(40):
        changed = False
        for k in range(N12, N132):
            code = U(g.code[k])
            if code == WALL:
                continue
            mine = (code & own) != N0
            if mine and ((code & N15) == FLAG or ((code & N15) == BOMB and kind != SAPPER)):
                continue
            best = np.int64(FAR)
            for turn in range(4):
                step = N1 if turn == 0 else N0 - N1 if turn == 1 else N12 if turn == 2 else N0 - N12
                beside = np.int64(q.way[base + k + step])
                if beside < FAR:
                    # Over a man of either side the keeper loses a move.
                    held = U(g.code[k + step])
                    best = min(best, beside + (2 if kind == KEEPER and beside > 0 and held != N0 else 1))
            if best < q.way[base + k]:
                q.way[base + k] = best
                changed = True
        if not changed:
            break


@compiled
def fill_race(g: Any, v: Any, q: Any) -> None:
    """Fill q.way, and q.runner and q.keeper with the men who may come to the flag and those who may keep it."""
    q.runners = 0
    q.keepers = 0
    if q.flag_at == 0 or q.knob[RACE] <= 0.0:
        return
    me = U(q.me)
    least = q.knob[RACE_LEAST]
    q.sapper = 0
    for rank in range(N1, N11):
        if v.reach[rank] != 0 and U(v.battle[rank * N16 + BOMB]) == ATTACKER and q.sapper == 0:
            q.sapper = rank
    toll = q.knob[RACE] * np.sqrt(q.row[U(g.bid[U(q.flag_at)]) * N16 + FLAG])
    for moves in range(HORIZON + N1):
        q.toll[moves] = toll
        toll *= q.knob[RACE_FADE]
    for number in range(GATES):
        for kind in range(MAPS):
            _spread_ways(g, q, number, kind)
    for kind in range(N2):
        for k in range(N144):
            q.near[kind * N144 + k] = FAR
            for number in range(GATES):
                q.near[kind * N144 + k] = min(q.near[kind * N144 + k], q.way[(number * MAPS + kind) * N144 + k])
    for pid in range((N1 - me) * N40, (N1 - me) * N40 + N40):
        cell = U(g.sq[pid])
        if cell == N0:
            continue
        digs = q.row[pid * N16 + U(q.sapper)]
        walks = q.knob[RACE_WALK] * (1.0 - digs - q.row[pid * N16 + BOMB] - q.row[pid * N16 + FLAG])
        sapper, walker = U(q.near[cell]), U(q.near[N144 + cell])
        # Some fields more than the horizon, for he may come nearer in the tree.
        listed = sapper <= HORIZON + N4 and digs * q.toll[max(sapper, N4) - N4] > least
        if listed or (walker <= HORIZON + N4 and walks * q.toll[max(walker, N4) - N4] > least):
            q.runner[q.runners] = pid
            q.runners += N1
    if q.runners != 0:
        _list_keepers(g, v, q)


@compiled
def _list_keepers(g: Any, v: Any, q: Any) -> None:
    """Fill q.keeper with our men who can come to a gate, the nearest first."""
    me = U(q.me)
    for distance in range(30):
        for pid in range(me * N40, me * N40 + N40):
            cell = U(g.sq[pid])
            if cell == N0 or v.reach[U(g.code[cell]) & N15] == 0:
                continue
            own = U(g.code[cell]) & N15
            nearest = np.int64(FAR)
            for number in range(GATES):
                nearest = min(nearest, np.int64(q.way[(number * MAPS + KEEPER) * N144 + cell]))
            if q.sapper != 0 and not _takes(v, own, U(q.sapper)):
                continue
            if nearest == distance and q.keepers < KEEPERS:
                q.keeper[q.keepers] = pid
                q.keepers += N1


@compiled
def _takes(v: Any, own: Any, rank: Any) -> Any:
    end = U(v.battle[own * N16 + rank])
    return end == ATTACKER or end == BOTH


@compiled
def _kept(g: Any, v: Any, q: Any, number: Any, moves: Any, pid: Any, rank: Any) -> Any:
    """Whether one of ours can be at a gate in so many moves who takes a man of this rank, or falls with him.

    rank: HIDDEN for one of a rank unknown; then who more likely takes him than not.
    """
    base = (number * MAPS + KEEPER) * N144
    for j in range(U(q.keepers)):
        keeper = U(q.keeper[j])
        cell = U(g.sq[keeper])
        if cell == N0 or q.way[base + cell] > moves:
            continue
        own = U(g.code[cell]) & N15
        if rank == HIDDEN:
            chance = 0.0
            for other in range(N1, N11):
                if _takes(v, own, other):
                    chance += q.row[pid * N16 + other]
            if chance >= 0.5:
                return True
        elif _takes(v, own, rank):
            return True
    return False


@compiled
def danger(g: Any, v: Any, q: Any) -> Any:
    """What the likeliest enemy man takes off the worth of the position who is first at the own flag; points, from 0."""
    least = q.knob[RACE_LEAST]
    worst = least
    ours = 1 if U(g.turn) == q.me else 0
    for j in range(U(q.runners)):
        pid = U(q.runner[j])
        cell = U(g.sq[pid])
        if cell == N0:
            continue
        for kind in range(N2):
            nearest = U(q.near[kind * N144 + cell])
            if nearest > HORIZON:
                continue
            chance = np.float64(q.row[pid * N16 + U(q.sapper)])
            if kind != SAPPER:
                chance = q.knob[RACE_WALK] * (1.0 - chance - q.row[pid * N16 + BOMB] - q.row[pid * N16 + FLAG])
            if chance * q.toll[nearest] <= worst:
                continue
            rank = U(q.sapper) if kind == SAPPER else U(g.code[cell]) & N15
            for number in range(GATES):
                moves = U(q.way[(number * MAPS + kind) * N144 + cell])
                if moves > HORIZON or chance * q.toll[moves] <= worst:
                    continue
                if not _kept(g, v, q, number, moves + ours, pid, rank):
                    worst = chance * q.toll[moves]
    return worst if worst > least else 0.0
