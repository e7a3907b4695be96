"""The hidden man beside a known one of ours: likelier than men at large to be who takes him; compiled.

Signs (`signs`) tell who came and who stayed, but each for itself and with damped weights. Of 4,300 hidden men beside
a known mover of ours in games of level-10 with itself and others those surmised to beat him with 0.14, 0.24, 0.34 and
0.44 did so with 0.22, 0.39, 0.68 and 0.75, and spies beside the marshal surmised with 0.07, 0.12 and 0.17 were so
with 0.13, 0.31 and 0.65. The firmer rows (`rows.fill_rows`) take up some of it; for men who moved the log-odds are
stretched by the rest, and only ever raised.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.slate import LURK
from flagfall.rules.compiled import compiled
from flagfall.rules.law import ATTACKER, HIDDEN, KNOWN, MOVED, N0, N1, N11, N12, N13, N15, N16, N40, RED_BIT, U

STRETCH, SHIFT = 1.25, 1.1
STRETCH_SPY, SHIFT_SPY = 1.4, 1.9
SLIGHT, SURE = 0.02, 0.95
MARSHAL = U(10)


@compiled
def heed_lurkers(g: Any, v: Any, q: Any) -> None:
    """Raise, in the rows of hidden enemy men beside known movers of ours, the ranks that take the highest of them."""
    if q.knob[LURK] <= 0.0:
        return
    me = U(q.me)
    own = RED_BIT << me
    for pid in range((N1 - me) * N40, (N1 - me) * N40 + N40):
        cell = U(g.sq[pid])
        if cell == N0 or (U(g.code[cell]) & N15) != HIDDEN or (U(g.code[cell]) & MOVED) == N0:
            continue
        prey: Any = N0
        for way in range(4):
            step = N1 if way == 0 else N0 - N1 if way == 1 else N12 if way == 2 else N0 - N12
            code = U(g.code[cell + step])
            if (code & own) != N0 and (code & KNOWN) != N0 and (code & N15) < N11 and (code & N15) > prey:
                prey = code & N15
        if prey != N0:
            _raise_takers(v, q, pid, prey)


@compiled
def _raise_takers(v: Any, q: Any, pid: Any, prey: Any) -> None:
    base = pid * N16
    chance = 0.0
    for rank in range(N1, N11):
        if U(v.battle[rank * N16 + prey]) == ATTACKER:
            chance += q.row[base + rank]
    if chance < SLIGHT or chance > SURE:
        return
    odds = np.log(chance / (1.0 - chance))
    odds = STRETCH_SPY * odds + SHIFT_SPY if prey == MARSHAL else STRETCH * odds + SHIFT
    raised = 1.0 / (1.0 + np.exp(-odds))
    raised = chance + q.knob[LURK] * (min(raised, SURE) - chance)
    if raised <= chance:
        return
    for rank in range(N1, N13):
        takes = rank < N11 and U(v.battle[rank * N16 + prey]) == ATTACKER
        q.row[base + rank] = q.row[base + rank] * (raised / chance if takes else (1.0 - raised) / (1.0 - chance))
