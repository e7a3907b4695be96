"""Rows of chances: what counting, battles and a prior leave of every hidden rank; compiled.

g is a game record of a View, v the variant's tables, log its plies; q is a slate, or any record with its fields
`start`, `allowed`, `row`, `left`, `column`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.lurk import heed_lurkers
from flagfall.mind.slate import FIRM
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import HIDDEN, KNOWN, MOVED, N0, N1, N2, N4, N11, N12, N13, N15, N16, N40, N144, U

ROUNDS, AGAIN = 60, 8
ENOUGH = 1e-4
"""Most relative error of a column that is let stand."""
N80 = U(80)
ALL_RANKS = 0x1FFE
"""The set of ranks 1..12, one bit each."""


@compiled
def _fits(v: Any, allowed: Any, known: Any, end: Any, attacks: Any) -> Any:
    """Of a set of ranks, those whose battle with a known rank ends so; attacks: the man of the set attacked."""
    kept = N0
    for rank in range(N1, N13):
        if allowed >> rank & N1:
            pair = (rank << N4 | known) if attacks else (known << N4 | rank)
            if U(v.battle[pair]) == end:
                kept |= N1 << rank
    return kept


@compiled
def _code_of(g: Any, pid: Any) -> Any:
    """The man as he stands, or as he left the board; 0 for none."""
    cell = U(g.sq[pid])
    return U(g.code[cell]) if cell != N0 else U(g.fallen[pid])


@compiled
def _seen_rank(g: Any, me: Any, pid: Any, of: Any) -> Any:
    """A man's rank as far as the one who thinks about army `of` may use it: 13 where it is hidden from him."""
    code = _code_of(g, pid)
    if of == me and (code & KNOWN) == N0:
        return HIDDEN
    return code & N15


@compiled
def read_limits(g: Any, v: Any, log: Any, q: Any) -> None:
    """Fill, by man id, q.start with start cells and q.allowed with the ranks that moves and battles leave."""
    movers = N0
    for rank in range(N1, N13):
        if v.reach[rank] != 0:
            movers |= N1 << rank
    for each in range(N80):
        q.start[each] = g.start[each]
        q.allowed[each] = movers if _code_of(g, each) & MOVED else U(ALL_RANKS)
    for ply in range(U(g.ply)):
        step = entry(log, ply + N2)
        pid = U(step.pid)
        if step.outcome != 0:
            tid = U(step.tid)
            end = U(step.outcome)
            # An enemy man met ours, whose rank we know; ours met his, of whom we can but use what is public.
            mine = _code_of(g, pid) & N15
            theirs = _code_of(g, tid) & N15
            if theirs != HIDDEN:
                q.allowed[pid] = _fits(v, q.allowed[pid], theirs, end, True)
            if mine != HIDDEN:
                q.allowed[tid] = _fits(v, q.allowed[tid], mine, end, False)
        gap = U(step.to) - U(step.frm) if step.to > step.frm else U(step.frm) - U(step.to)
        if gap == N1 or gap == N12:
            continue
        round_corner = gap == N11 or gap == N13
        fields = gap // N12 if gap >= N12 else gap
        for rank in range(N1, N13):
            if (round_corner and v.bends[rank] == 0) or (not round_corner and U(v.reach[rank]) < fields):
                q.allowed[pid] = q.allowed[pid] & ~(N1 << rank)


@compiled
def count_men(g: Any, v: Any, q: Any, me: Any, p: Any) -> Any:
    """Fill q.left with the men of army p not accounted for; men whose rank is seen get a sure row and q.start 0.

    Returns how many men more than are hidden: those a smaller army (R13.2) has left at home.
    """
    for k in range(N16):
        q.left[k] = 0.0
    total = 0.0
    for k in range(U(100)):
        if v.army[k] != 0:
            q.left[U(v.army[k])] += 1.0
            total += 1.0
    for pid in range(p * N40, p * N40 + N40):
        for rank in range(N16):
            q.row[pid * N16 + rank] = 0.0
        if q.start[pid] == 0:
            continue
        total -= 1.0
        rank = _seen_rank(g, me, pid, p)
        if rank != HIDDEN:
            q.row[pid * N16 + rank] = 1.0
            q.left[rank] -= 1.0
            q.start[pid] = 0
    return max(0.0, total)


@compiled
def fill_rows(g: Any, v: Any, log: Any, q: Any, prior: Any, weight: Any) -> None:
    """Fill the slate's rows from a View's records.

    prior: the first of SHARE[2, 144, 13], by seat, start cell and rank; it counts with `weight`, 0..1. Where it is a
    surmise of the enemy it is too timid: his men's chances are made firmer (power FIRM), and those who moved, or did
    not, likelier of some ranks, as fitted to games.
    """
    me = U(q.me)
    read_limits(g, v, log, q)
    for p in range(N2):
        spare = count_men(g, v, q, me, p)
        first = p * N40
        for pid in range(first, first + N40):
            if q.start[pid] == 0:
                continue
            base = pid * N16
            any_rank = False
            total = 0.0
            moved = (_code_of(g, pid) & MOVED) != N0
            for rank in range(N1, N13):
                if q.left[rank] > 0.5 and q.allowed[pid] >> rank & N1:
                    chance = entry(prior, (p * N144 + U(q.start[pid])) * N13 + rank).f
                    if q.surmised != 0 and p != me and chance > 0.0:
                        chance = chance ** q.knob[FIRM] * np.exp(q.stirred[rank] if moved else q.resting[rank])
                    q.row[base + rank] = chance
                    total += chance
                    any_rank = True
            if any_rank:
                share = weight / total if total > 0.0 else 0.0
                for rank in range(N1, N13):
                    if q.left[rank] > 0.5 and q.allowed[pid] >> rank & N1:
                        q.row[base + rank] = share * q.row[base + rank] + (1.0 - weight)
            if not any_rank:
                for rank in range(N1, N13):
                    q.row[base + rank] = max(0.0, q.left[rank])
        balance(q, first, spare, ROUNDS)
        # Men who stand nowhere have taken up their share once: they would take another.
        if p != me and heed_lurkers(g, v, log, q) > 0 and spare == 0.0:
            balance(q, first, spare, AGAIN)


@compiled
def balance(q: Any, first: Any, spare: Any, rounds: Any) -> None:
    """Scale the rows of the men with q.start to 1 and their columns to q.left, until they hardly change.

    The last step is on the rows. spare men stand nowhere: they take up what is left in a row of their own, which never
    holds the flag.
    """
    home = (first + N40 - N1) * N16
    if spare > 0.0:
        for rank in range(N1, N12):
            q.row[home + rank] = 1.0
    for _ in range(rounds):
        for k in range(N16):
            q.column[k] = 0.0
        for pid in range(first, first + N40):
            if q.start[pid] != 0:
                for rank in range(N1, N13):
                    q.column[rank] += q.row[pid * N16 + rank]
        worst = 0.0
        for rank in range(N1, N13):
            if spare > 0.0:
                q.column[rank] += q.row[home + rank]
            factor = q.left[rank] / q.column[rank] if q.column[rank] > 0.0 else 0.0
            if q.left[rank] > 0.0:
                worst = max(worst, abs(factor - 1.0))
            q.column[rank] = factor
        for pid in range(first, first + N40):
            if q.start[pid] != 0:
                _scale(q, pid * N16, 1.0)
        if spare > 0.0:
            _scale(q, home, spare)
        if worst < ENOUGH:
            break
    if spare > 0.0:
        for rank in range(N1, N13):
            q.row[home + rank] = 0.0


@compiled
def _scale(q: Any, base: Any, whole: Any) -> None:
    """Multiply a row by the columns' factors and bring it to a sum."""
    total = 0.0
    for rank in range(N1, N13):
        q.row[base + rank] = q.row[base + rank] * q.column[rank]
        total += q.row[base + rank]
    if total > 0.0:
        for rank in range(N1, N13):
            q.row[base + rank] = q.row[base + rank] * (whole / total)
