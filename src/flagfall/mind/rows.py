"""Rows of chances: what counting, battles and the prior leave of every hidden rank; compiled.

A hidden man has a row with a chance for each rank. What cannot be is 0: a man that moved is one that moves, a run of n
fields needs a reach of n, a battle whose ranks were not told leaves only ranks that fit its end, and a rank of which
every man is accounted for is nobody else's. The rest is the prior by start square, scaled until rows sum to 1 and
columns to the men left (Sinkhorn's iteration). Rows stand in the slate by man id: the enemy's as we may think of him,
ours as he may think of us.
"""

from __future__ import annotations

from typing import Any

from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import DEFENDER, KNOWN, MOVED, N0, N1, N2, N4, N12, N15, N16, N40, N144, U

ROUNDS = 60
N13, N80 = U(13), U(80)
HIDDEN = U(13)
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
def _read_log(g: Any, v: Any, log: Any, q: Any) -> None:
    """Fill, by man id, q.start with start cells and q.allowed with the ranks that moves and battles leave."""
    for each in range(N80):
        q.start[each] = g.sq[each]
        q.allowed[each] = U(ALL_RANKS)
    for back in range(U(g.ply)):
        step = entry(log, U(g.ply) + N1 - back)
        pid = U(step.pid)
        q.start[pid] = step.frm
        if step.outcome != 0:
            tid = U(step.tid)
            if step.outcome != DEFENDER:
                q.start[tid] = step.to
            end = U(step.outcome)
            # An enemy man met ours, whose rank we know; ours met his, of whom we can but use what is public.
            mine = _code_of(g, pid) & N15
            theirs = _code_of(g, tid) & N15
            if theirs != HIDDEN:
                q.allowed[pid] = _fits(v, q.allowed[pid], theirs, end, True)
            if mine != HIDDEN:
                q.allowed[tid] = _fits(v, q.allowed[tid], mine, end, False)
        gap = U(step.to) - U(step.frm) if step.to > step.frm else U(step.frm) - U(step.to)
        fields = gap // N12 if gap >= N12 else gap
        if fields > N1:
            for rank in range(N1, N13):
                if U(v.reach[rank]) < fields:
                    q.allowed[pid] = q.allowed[pid] & ~(N1 << rank)
    for each in range(N80):
        if _code_of(g, each) & MOVED:
            for rank in range(N1, N13):
                if v.reach[rank] == 0:
                    q.allowed[each] = q.allowed[each] & ~(N1 << rank)


@compiled
def fill_rows(g: Any, v: Any, log: Any, q: Any, prior: Any, weight: Any) -> None:
    """Fill the slate's rows from a View's records.

    prior: the first SHARE of [2, 144, 13] by seat, start cell and rank; it counts with `weight`, 0..1.
    """
    me = U(q.me)
    _read_log(g, v, log, q)
    for k in range(U(len(q.row))):
        q.row[k] = 0.0
    for p in range(N2):
        for k in range(N16):
            q.left[k] = 0.0
        for k in range(U(100)):
            if v.army[k] != 0:
                q.left[U(v.army[k])] += 1.0
        first = p * N40
        for pid in range(first, first + N40):
            if q.start[pid] == 0:
                continue
            base = pid * N16
            rank = _seen_rank(g, me, pid, p)
            if rank != HIDDEN:
                q.row[base + rank] = 1.0
                q.left[rank] -= 1.0
        for pid in range(first, first + N40):
            if q.start[pid] == 0 or _seen_rank(g, me, pid, p) != HIDDEN:
                continue
            base = pid * N16
            any_rank = False
            for rank in range(N1, N13):
                if q.left[rank] > 0.5 and q.allowed[pid] >> rank & N1:
                    q.row[base + rank] = weight * entry(prior, (p * N144 + U(q.start[pid])) * N13 + rank).f + (
                        1.0 - weight
                    )
                    any_rank = True
            if not any_rank:
                for rank in range(N1, N13):
                    q.row[base + rank] = max(0.0, q.left[rank])
        _balance(g, q, me, first)


@compiled
def _balance(g: Any, q: Any, me: Any, first: Any) -> None:
    """Scale the rows of the hidden men to 1 and their columns to q.left; the last step is on the rows."""
    p = first // N40
    for pid in range(first, first + N40):
        # From here on only hidden men count: the mark of the others is taken away.
        if q.start[pid] != 0 and _seen_rank(g, me, pid, p) != HIDDEN:
            q.start[pid] = 0
    for _ in range(ROUNDS):
        for k in range(N16):
            q.column[k] = 0.0
        for pid in range(first, first + N40):
            if q.start[pid] != 0:
                for rank in range(N1, N13):
                    q.column[rank] += q.row[pid * N16 + rank]
        for rank in range(N1, N13):
            q.column[rank] = q.left[rank] / q.column[rank] if q.column[rank] > 0.0 else 0.0
        for pid in range(first, first + N40):
            if q.start[pid] == 0:
                continue
            base = pid * N16
            total = 0.0
            for rank in range(N1, N13):
                q.row[base + rank] = q.row[base + rank] * q.column[rank]
                total += q.row[base + rank]
            if total > 0.0:
                for rank in range(N1, N13):
                    q.row[base + rank] = q.row[base + rank] / total
