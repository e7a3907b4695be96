"""The hidden man who came nearer to a known one of ours: likelier than men at large to be who takes him; compiled.

Signs (`signs`) tell who came beside whom and who stayed there. Who lies in wait two steps off has told as much, and
men walk into him. Of hidden men whose last step brought them nearer to a known mover of ours, one to five steps off, in
132 games of level-10 with first-opponent and a program of others (44,810 of such situations, 12,928 when those of one
man and one prey are weighted down) the log-odds that he takes the highest one were the surmised ones and more by what
stands in SHIFT; loss from 0.438 to 0.369 nats for the marshal, from 0.579 to 0.462 for generals, colonels and majors,
from 0.663 to 0.570 for the men below them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.slate import LURK
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import ATTACKER, HIDDEN, KNOWN, N0, N1, N2, N11, N12, N13, N15, N16, N40, U

NEAR, LOOK_BACK = U(5), U(60)
STRETCH = 0.9
SHIFT = (0.0, 0.0, 1.6, 1.15, 0.8, 0.55, 0.0, 0.75, 0.9, 0.85, 0.65, 0.5, 0.0, 1.4, 0.85, 0.8, 0.7, 0.6)
"""By prey (the marshal; a general, colonel or major; a captain, lieutenant or sergeant) and steps between, 0 to 5."""
JUST_NOW = (0.25, 0.8, 0.6)
"""More where it was his army's last ply."""
LATE, LATER = U(13), U(31)
FADED = (0.25, 0.65, 0.45)
"""Less after so many plies, and as much again later."""
SLIGHT, SURE = 0.002, 0.95
LEAST_PREY, STRONG, MARSHAL = U(4), U(7), U(10)


@compiled
def _steps(one: Any, other: Any) -> Any:
    """Steps between two cells, as if nothing stood between."""
    rows = one // N12 - other // N12 if one // N12 > other // N12 else other // N12 - one // N12
    files = one % N12 - other % N12 if one % N12 > other % N12 else other % N12 - one % N12
    return rows + files


@compiled
def heed_lurkers(g: Any, v: Any, log: Any, q: Any) -> int:
    """Raise the ranks that take our known movers in the rows of hidden enemy men who last came nearer to them.

    Returns how many rows it raised.
    """
    raised = 0
    if q.knob[LURK] <= 0.0:
        return raised
    first = (N1 - U(q.me)) * N40
    done = N0
    back = N0
    while back < LOOK_BACK and back < U(g.ply):
        step = entry(log, U(g.ply) + N1 - back)
        back += N1
        pid = U(step.pid)
        if pid < first or pid >= first + N40 or (done >> (pid - first)) & N1:
            continue
        done |= N1 << (pid - first)
        cell = U(g.sq[pid])
        if cell == N0 or cell != U(step.to) or (U(g.code[cell]) & N15) != HIDDEN:
            continue
        if _heed(g, v, q, pid, cell, U(step.frm), back):
            raised += 1
    return raised


@compiled
def _heed(g: Any, v: Any, q: Any, pid: Any, cell: Any, frm: Any, age: Any) -> bool:
    """Raise one man's row, who went from one cell to the other so many plies ago; whether that was called for."""
    me = U(q.me)
    prey: Any = N0
    near: Any = N0
    for own in range(me * N40, me * N40 + N40):
        at = U(g.sq[own])
        if at == N0 or (U(g.code[at]) & KNOWN) == N0:
            continue
        rank = U(g.code[at]) & N15
        steps = _steps(cell, at)
        if rank < LEAST_PREY or rank >= N11 or rank < prey or steps > NEAR or _steps(frm, at) <= steps:
            continue
        if rank > prey or steps < near:
            prey = rank
            near = steps
    if prey == N0:
        return False
    kind = N0 if prey == MARSHAL else N1 if prey >= STRONG else N2
    shift = SHIFT[kind * U(6) + near]
    if age == N1:
        shift += JUST_NOW[kind]
    if age > LATE:
        shift -= FADED[kind]
    if age > LATER:
        shift -= FADED[kind]
    return _raise_takers(v, q, pid, prey, shift)


@compiled
def _raise_takers(v: Any, q: Any, pid: Any, prey: Any, shift: Any) -> bool:
    base = pid * N16
    chance = 0.0
    for rank in range(N1, N11):
        if U(v.battle[rank * N16 + prey]) == ATTACKER:
            chance += q.row[base + rank]
    if chance < SLIGHT or chance > SURE:
        return False
    odds = STRETCH * np.log(chance / (1.0 - chance)) + shift
    raised = min(1.0 / (1.0 + np.exp(-odds)), SURE)
    raised = min(chance + q.knob[LURK] * (raised - chance), SURE)
    if raised <= chance:
        return False
    for rank in range(N1, N13):
        takes = rank < N11 and U(v.battle[rank * N16 + prey]) == ATTACKER
        q.row[base + rank] = q.row[base + rank] * (raised / chance if takes else (1.0 - raised) / (1.0 - chance))
    return True
