"""What a seat may think of hidden ranks, by counting and a prior by square; and what the enemy can know of its own.

A hidden man has a row with a chance for each rank. What cannot be is 0: a man that moved is one that moves, a run of n
fields needs a reach of n, a battle whose ranks were not told leaves only ranks that fit its end, and a rank of which
every man is accounted for is nobody else's. The rest is the prior by start square, scaled until rows sum to 1 and
columns to the men left (Sinkhorn's iteration). Rows stand in the slate by man id: the enemy's as we may think of him,
ours as he may think of us.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.mind.fitted import square_shares
from flagfall.mind.slate import IDS, RANK_SLOTS, new_slate
from flagfall.rules.board import Seat, Square, cell_of
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import DEFENDER, KNOWN, MOVED, N0, N1, N2, N4, N12, N15, N16, N40, U
from flagfall.rules.layout import CELLS, MEN
from flagfall.rules.variant import Variant
from flagfall.rules.view import View

ROUNDS = 60
FLOOR = 2e-3
N13, N80 = U(13), U(80)
HIDDEN = U(13)
ALL_RANKS = 0x1FFE
"""The set of ranks 1..12, one bit each."""
Floats = NDArray[np.floating[Any]]


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
def _read_log(g: Any, v: Any, log: Any, start: Any, allowed: Any) -> None:
    """Fill, by man id, start[80] with start cells and allowed[80] with the ranks that moves and battles leave."""
    for each in range(N80):
        start[each] = g.sq[each]
        allowed[each] = U(ALL_RANKS)
    for back in range(U(g.ply)):
        step = entry(log, U(g.ply) + N1 - back)
        pid = U(step.pid)
        start[pid] = step.frm
        if step.outcome != 0:
            tid = U(step.tid)
            if step.outcome != DEFENDER:
                start[tid] = step.to
            end = U(step.outcome)
            # An enemy man met ours, whose rank we know; ours met his, of whom we can but use what is public.
            mine = _code_of(g, pid) & N15
            theirs = _code_of(g, tid) & N15
            if theirs != HIDDEN:
                allowed[pid] = _fits(v, allowed[pid], theirs, end, True)
            if mine != HIDDEN:
                allowed[tid] = _fits(v, allowed[tid], mine, end, False)
        gap = U(step.to) - U(step.frm) if step.to > step.frm else U(step.frm) - U(step.to)
        fields = gap // N12 if gap >= N12 else gap
        if fields > N1:
            for rank in range(N1, N13):
                if U(v.reach[rank]) < fields:
                    allowed[pid] = allowed[pid] & ~(N1 << rank)
    for each in range(N80):
        if _code_of(g, each) & MOVED:
            for rank in range(N1, N13):
                if v.reach[rank] == 0:
                    allowed[each] = allowed[each] & ~(N1 << rank)


@compiled
def fill_rows(G: Any, V: Any, L: Any, Q: Any, prior: Any, weight: Any) -> None:
    """Fill the slate's rows from a View's records.

    prior[2, 144, 13]: by seat, start cell and rank; it counts with `weight`, 0..1.
    """
    g = G[0]
    v = V[0]
    q = Q[0]
    me = U(q.me)
    start = np.zeros(80, np.uint8)
    allowed = np.zeros(80, np.uint64)
    _read_log(g, v, L[0, 0], start, allowed)
    for k in range(U(len(q.row))):
        q.row[k] = 0.0
    left = np.zeros(16)
    for p in range(N2):
        left[:] = 0.0
        for k in range(U(100)):
            if v.army[k] != 0:
                left[U(v.army[k])] += 1.0
        first = p * N40
        for pid in range(first, first + N40):
            if start[pid] == 0:
                continue
            base = pid * N16
            rank = _seen_rank(g, me, pid, p)
            if rank != HIDDEN:
                q.row[base + rank] = 1.0
                left[rank] -= 1.0
        for pid in range(first, first + N40):
            if start[pid] == 0 or _seen_rank(g, me, pid, p) != HIDDEN:
                continue
            base = pid * N16
            any_rank = False
            for rank in range(N1, N13):
                if left[rank] > 0.5 and allowed[pid] >> rank & N1:
                    q.row[base + rank] = weight * prior[p, U(start[pid]), rank] + (1.0 - weight)
                    any_rank = True
            if not any_rank:
                for rank in range(N1, N13):
                    q.row[base + rank] = max(0.0, left[rank])
        _balance(g, q, me, first, left, start)


@compiled
def _balance(g: Any, q: Any, me: Any, first: Any, left: Any, start: Any) -> None:
    """Scale the rows of the hidden men to 1 and their columns to `left`; the last step is on the rows."""
    p = first // N40
    column = np.zeros(16)
    hidden = np.zeros(40, np.uint8)
    count = N0
    for pid in range(first, first + N40):
        if start[pid] != 0 and _seen_rank(g, me, pid, p) == HIDDEN:
            hidden[count] = pid
            count += N1
    for _ in range(ROUNDS):
        column[:] = 0.0
        for k in range(count):
            base = U(hidden[k]) * N16
            for rank in range(N1, N13):
                column[rank] += q.row[base + rank]
        for rank in range(N1, N13):
            column[rank] = left[rank] / column[rank] if column[rank] > 0.0 else 0.0
        for k in range(count):
            base = U(hidden[k]) * N16
            total = 0.0
            for rank in range(N1, N13):
                q.row[base + rank] = q.row[base + rank] * column[rank]
                total += q.row[base + rank]
            if total > 0.0:
                for rank in range(N1, N13):
                    q.row[base + rank] = q.row[base + rank] / total


@lru_cache(maxsize=16)
def prior_by_cell(variant: Variant) -> Any:
    """The prior, shape [2, 144, 13]: share of each rank by seat and start cell."""
    table = np.zeros((2, CELLS, 13))
    for seat in Seat:
        shares = square_shares(variant, seat)
        for row, at in enumerate(variant.home[seat]):
            table[seat, cell_of(at)] = shares[row] + FLOOR
    return table


@dataclass(frozen=True)
class Belief:
    """Chances by rank of one army's men.

    table: start square -> chances [13] that sum to 1, for every man that is hidden from the one who thinks; fallen men
    whose rank was never told are among them.
    """

    table: dict[Square, Floats]


def believe(view: View, *, weight: float = 1.0) -> tuple[Belief, Belief]:
    """(of the enemy, of our own men as the enemy may think). weight: how far the prior counts, 0 only counts men.

    Raises ValueError for a watcher's view.
    """
    if view.seat is None:
        raise ValueError("a watcher has no men and no enemy")
    slate = new_slate()
    slate["me"] = int(view.seat)
    game, log, tables = view.records
    fill_rows(game, tables, log, slate, prior_by_cell(view.variant), weight)
    rows = slate["row"].reshape(IDS, RANK_SLOTS)[:, :13]
    found: dict[Seat, dict[Square, Floats]] = {Seat.RED: {}, Seat.BLUE: {}}
    place = [0, 0]
    for man in view.men():
        hidden = man.rank == HIDDEN if man.seat != view.seat else not man.known
        if hidden:
            found[man.seat][man.id] = rows[MEN * man.seat + place[man.seat]].astype(np.float64)
        place[man.seat] += 1
    return Belief(found[view.seat.other]), Belief(found[view.seat])
