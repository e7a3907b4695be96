"""What a hidden man's behaviour shows: signs counted from the public plies of a game; compiled.

Only what both seats know is used (squares, captures, ranks told), so the signs of the enemy's men and of ours as he
sees them come from one pass. A sign is one of KINDS kinds, against one of SLOTS partners: 1..12 a man whose rank was
public at that time, MOVING and RESTING a hidden man that had moved or not. Kind OWN has slots of its own, which tell
how often and how far a man has moved, or how long he has stood. Counting ends where a man's rank is told. g is a game,
log its plies, c an EVIDENCE.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.evidence import CAME, LEFT, OWN, SIGNS, SLOTS, STAYED
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import BOTH, DEFENDER, N0, N1, N2, N4, N12, N15, N40, NOBODY, QUIET, RED_BIT, WALL, U

MOVING, RESTING = U(13), U(14)
MOVES_AT = (1, 2, 4, 8, 16)
ROWS_AT = (1, 2, 4)
AGES_AT = (30, 80, 160, 320)
EARLY = 20
"""Slots of OWN: moved at least so often (0..4), gained at least so many rows (5..7), has not moved in so many plies of
his side though he could have (8..11), has not moved and could not (12), moved among his side's first plies (13)."""

N64, N255 = U(SIGNS), U(255)


@compiled
def _partner(c: Any, pid: Any) -> Any:
    """The slot of a man as a partner of a sign."""
    shown = U(c.shown[pid])
    if shown != N0:
        return shown
    return MOVING if c.moves[pid] != 0 else RESTING


@compiled
def set_up(g: Any, c: Any) -> None:
    """The men as they stood before the first ply."""
    for k in range(U(len(c.on))):
        c.on[k] = 255
    for k in range(U(len(c.count))):
        c.count[k] = 0
    for pid in range(N40 + N40):
        c.cell[pid] = g.start[pid]
        c.shown[pid] = 0
        c.moves[pid] = 0
        c.rows[pid] = 0
        c.first[pid] = 0
        if c.cell[pid] != 0:
            c.on[U(c.cell[pid])] = pid


@compiled
def _around(k: Any) -> Any:
    return N1 if k == 0 else N0 - N1 if k == 1 else N12 if k == 2 else N0 - N12


@compiled
def _mark(c: Any, pid: Any, kind: Any, slot: Any) -> None:
    at = pid * N64 + kind * U(SLOTS) + slot
    c.count[at] += 1


@compiled
def _watch_others(c: Any, mover: Any, met: Any) -> None:
    """Men of the mover's side that stand beside a known enemy and let it be."""
    first = N40 if mover < N40 else N0
    for foe in range(first, first + N40):
        rank = U(c.shown[foe])
        cell = U(c.cell[foe])
        if rank == N0 or cell == N0 or foe == met:
            continue
        for k in range(4):
            man = U(c.on[cell + _around(k)])
            if man != NOBODY and (man < N40) == (mover < N40) and man != mover and c.shown[man] == 0:
                _mark(c, man, U(STAYED), rank)


@compiled
def read_signs(g: Any, log: Any, c: Any) -> None:
    """Fill c.count from a game's plies."""
    set_up(g, c)
    for ply in range(U(g.ply)):
        step = entry(log, ply + N2)
        pid = U(step.pid)
        met = U(step.tid) if step.outcome != QUIET else N255
        _watch_others(c, pid, met)
        if c.shown[pid] == 0 and step.outcome == QUIET:
            _mark_beside(c, pid, U(step.frm), U(LEFT))
        if c.moves[pid] == 0:
            c.first[pid] = ply + N1
        c.moves[pid] += 1
        carry_out(c, step, pid, met)
        if c.cell[pid] != 0:
            row = np.int64(U(c.cell[pid]) // N12) - np.int64(U(g.start[pid]) // N12)
            c.rows[pid] = max(np.int64(c.rows[pid]), row if pid < N40 else -row)
            if c.shown[pid] == 0:
                _mark_beside(c, pid, U(step.to), U(CAME))
    _own_signs(g, c)


@compiled
def _mark_beside(c: Any, pid: Any, cell: Any, kind: Any) -> None:
    """A sign for every enemy beside a cell."""
    for k in range(4):
        foe = U(c.on[cell + _around(k)])
        if foe != NOBODY and (foe < N40) != (pid < N40):
            _mark(c, pid, kind, _partner(c, foe))


@compiled
def carry_out(c: Any, step: Any, pid: Any, met: Any) -> None:
    """Move, take, tell and bring back (R13.2) as the ply did."""
    outcome = U(step.outcome)
    attacker = U(step.told) & N15
    defender = U(step.told) >> N4
    if attacker != N0:
        c.shown[pid] = attacker
    if defender != N0:
        c.shown[met] = defender
    c.on[U(step.frm)] = 255
    c.cell[pid] = 0
    if outcome != QUIET and outcome != DEFENDER:
        c.cell[met] = 0
        c.on[U(step.to)] = 255
    if outcome != DEFENDER and outcome != BOTH:
        c.cell[pid] = step.to
        c.on[U(step.to)] = pid
    if step.put != 0:
        c.cell[U(step.back)] = step.put
        c.on[U(step.put)] = step.back


@compiled
def _own_signs(g: Any, c: Any) -> None:
    """The slots of kind OWN, each 0 or 1."""
    age = (U(g.ply) + N1) // N2
    for pid in range(N40 + N40):
        if g.start[pid] == 0:
            continue
        base = pid * N64 + U(OWN * SLOTS)
        moves = U(c.moves[pid])
        for k in range(len(MOVES_AT)):
            c.count[base + U(k)] = moves >= U(MOVES_AT[k])
        for k in range(len(ROWS_AT)):
            c.count[base + U(5 + k)] = c.rows[pid] >= ROWS_AT[k]
        if moves != N0:
            c.count[base + U(13)] = U(c.first[pid]) <= U(2 * EARLY)
            continue
        cell = U(c.cell[pid])
        own = RED_BIT << (pid // N40)
        free = False
        if cell != N0:
            for k in range(4):
                code = U(g.code[cell + _around(k)])
                free = free or (code != WALL and (code & own) == N0)
        if free:
            for k in range(len(AGES_AT)):
                c.count[base + U(8 + k)] = age >= U(AGES_AT[k])
        elif cell != N0:
            c.count[base + U(12)] = 1
