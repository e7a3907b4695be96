"""Dealing hidden ranks out: armies drawn from what a seat may think, each with its weight; compiled.

A deal gives every hidden man of one army a rank, by lot after the rows of `surmise`, so that the men left come out
right; it is consistent with all that was seen or it is thrown away. Its `weight` is the logarithm of how much too
seldom such a deal comes: what the model says of it less what the lot does. Deals chosen by weight are then stirred by
exchanges of two men, which the model allows or not (Metropolis), so that copies part.

g, v, log, c, h as in `surmise` and D the first DEAL. `first` is the id of the army's first man.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.evidence import MASKS_CAP
from flagfall.mind.rows import read_limits
from flagfall.mind.signs import carry_out, read_signs, set_up
from flagfall.mind.surmise import N_BLOCK, N_STYLES, N_TARGETS, surmise_army
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import (
    BOTH,
    DEFENDER,
    N0,
    N1,
    N2,
    N11,
    N12,
    N13,
    N16,
    N40,
    N255,
    RED_BIT,
    WALL,
    U,
)

TRIES = 200
FLAG_SLOT = U(12)
NONE = U(0)
N30, N27, N31 = U(30), U(27), U(31)
GOLDEN, MIX_A, MIX_B = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
TO_UNIT = 1.0 / 2.0**53


@compiled
def _lot(c: Any) -> Any:
    """A number from 0 up to 1 (splitmix64)."""
    c.random = U(c.random) + GOLDEN
    word = U(c.random)
    word = (word ^ word >> N30) * MIX_A
    word = (word ^ word >> N27) * MIX_B
    return np.float64((word ^ word >> N31) >> N11) * TO_UNIT


@compiled
def _movable(v: Any, ranks: Any) -> Any:
    """Whether every rank of a set moves."""
    for rank in range(N1, N13):
        if ranks >> rank & N1 and v.reach[rank] == 0:
            return False
    return True


@compiled
def _ask_for_a_mover(g: Any, v: Any, c: Any, first: Any, free_only: Any) -> None:
    """Note that one of the men who stand, and if free_only have a free side, must move, as the game went on (R11.1)."""
    own = RED_BIT << (first // N40)
    mask = NONE
    for pid in range(first, first + N40):
        cell = U(c.cell[pid])
        if cell == N0:
            continue
        free = not free_only
        for k in range(4):
            beside = cell + (N1 if k == 0 else N0 - N1 if k == 1 else N12 if k == 2 else N0 - N12)
            man = U(c.on[beside])
            ground = U(v.board[beside]) != WALL
            free = free or (ground and (man == N255 or (RED_BIT << (man // N40)) != own))
        if free:
            if _movable(v, U(c.allowed[pid])):
                return
            mask |= N1 << (pid - first)
    if mask != NONE and c.masks < U(MASKS_CAP):
        c.mask[U(c.masks)] = mask
        c.masks += 1


@compiled
def find_movers(g: Any, v: Any, log: Any, c: Any, p: Any) -> None:
    """Fill c.mask: sets of men of army p of whom one must move, or the game would have ended sooner (R11.1)."""
    first = p * N40
    c.masks = 0
    set_up(g, c)
    if v.stuck != 2:
        _ask_for_a_mover(g, v, c, first, True)
    for ply in range(U(g.ply)):
        step = entry(log, ply + N2)
        pid = U(step.pid)
        carry_out(c, step, pid, U(step.tid))
        open_question = step.outcome == DEFENDER or step.outcome == BOTH or step.put != 0
        if v.stuck == 0 and open_question and pid // N40 == p:
            _ask_for_a_mover(g, v, c, first, True)
    if v.stuck == 2:
        _ask_for_a_mover(g, v, c, first, False)
    elif U(g.turn) == p:
        _ask_for_a_mover(g, v, c, first, True)


@compiled
def _goes_on(v: Any, c: Any, deal: Any) -> Any:
    """Whether every set of c.mask has a man that moves."""
    for k in range(U(c.masks)):
        moves = False
        for i in range(N40):
            if U(c.mask[k]) >> i & N1 and v.reach[U(deal.rank[i])] != 0:
                moves = True
                break
        if not moves:
            return False
    return True


@compiled
def _open_table(c: Any, first: Any) -> Any:
    """Put the hidden men in the order of how little they may be (c.queue); returns their number."""
    n = N0
    for size in range(N13):
        for pid in range(first, first + N40):
            if c.start[pid] == 0:
                continue
            count = N0
            for rank in range(N1, N13):
                if c.left[rank] > 0.5 and c.allowed[pid] >> rank & N1:
                    count += N1
            if count == size:
                c.queue[n] = pid
                n += N1
    return n


@compiled
def _deal_once(v: Any, c: Any, deal: Any, first: Any, n: Any, spare: Any) -> Any:
    """Deal the hidden men's ranks out; returns the logarithm of the lot's chance, 1 where it led nowhere."""
    chance = 0.0
    for rank in range(N1, N13):
        c.pile[rank] = U(c.left[rank] + 0.5)
        c.able[rank] = 0
        c.weigh[rank] = 0.0
    for k in range(n):
        pid = U(c.queue[k])
        for rank in range(N1, N13):
            if c.allowed[pid] >> rank & N1:
                c.able[rank] += 1
                c.weigh[rank] += c.row[pid * N16 + rank]
    for k in range(n):
        pid = U(c.queue[k])
        must: Any = N0
        group = U(c.pile[11]) + U(c.pile[12])
        held = spare == 0.0 and group != N0 and (group == U(c.able[11]) or group == U(c.able[12]))
        for rank in range(N1, N13):
            pile = U(c.pile[rank])
            if pile != N0 and (spare == 0.0 or rank == FLAG_SLOT):
                if U(c.able[rank]) < pile:
                    return 1.0
                if U(c.able[rank]) == pile and c.allowed[pid] >> rank & N1:
                    if must != N0:
                        return 1.0
                    must = rank
        total = 0.0
        grouped = 0.0
        for rank in range(N1, N13):
            c.bet[rank] = 0.0
            if c.pile[rank] != 0 and c.allowed[pid] >> rank & N1 and (must == N0 or must == rank):
                bet = np.float64(c.row[pid * N16 + rank]) + 1e-6
                bet *= np.float64(c.pile[rank]) / max(np.float64(c.weigh[rank]), 1e-3)
                c.bet[rank] = bet
                total += bet
                if rank >= N11:
                    grouped += bet
        # As many who may be bombs or flags as there are: this one is, if he may be both.
        if held and must == N0 and grouped > 0.0:
            for rank in range(N1, N11):
                c.bet[rank] = 0.0
            total = grouped
        if total <= 0.0:
            return 1.0
        point = _lot(c) * total
        chosen: Any = N0
        for rank in range(N1, N13):
            if c.bet[rank] > 0.0:
                chosen = rank
                point -= c.bet[rank]
                if point < 0.0:
                    break
        chance += np.log(c.bet[chosen] / total)
        deal.rank[pid - first] = chosen
        c.pile[chosen] -= 1
        for rank in range(N1, N13):
            if c.allowed[pid] >> rank & N1:
                c.able[rank] -= 1
                c.weigh[rank] -= c.row[pid * N16 + rank]
    for rank in range(N1, N13):
        if c.pile[rank] != 0 and (spare == 0.0 or rank == FLAG_SLOT):
            return 1.0
    return chance if _goes_on(v, c, deal) else 1.0


@compiled
def _alone(c: Any, pid: Any, rank: Any, place: Any) -> Any:
    """What signs, square and known men say of a rank."""
    weight = np.float64(c.theta[pid * N16 + rank])
    if place != N255:
        weight += c.known[place * N12 + rank - N1]
    return weight


@compiled
def _together(c: Any, h: Any, i: Any, a: Any, j: Any, b: Any) -> Any:
    """What the model says of ranks a, b on home squares i, j."""
    weight = 0.0
    if i != N255 and j != N255:
        for s in range(N_STYLES):
            if c.pull[s] > 0.0:
                weight += c.pull[s] * h.toward[s * N_BLOCK + (i * N13 + a) * N_TARGETS + j * N12 + b - N1]
    return weight


@compiled
def _plausibility(c: Any, h: Any, deal: Any, first: Any, n: Any) -> Any:
    """The model's log-weight of a deal."""
    weight = 0.0
    for k in range(n):
        pid = U(c.queue[k])
        rank = U(deal.rank[pid - first])
        place = U(c.spot[k])
        weight += _alone(c, pid, rank, place)
        for other in range(k):
            met = U(c.queue[other])
            weight += _together(c, h, U(c.spot[other]), U(deal.rank[met - first]), place, rank)
    return weight


@compiled
def _exchange(v: Any, c: Any, h: Any, deal: Any, first: Any, n: Any, trust: Any) -> None:
    """Exchange the ranks of two hidden men, if that may be and the lot says so."""
    x = U(_lot(c) * np.float64(n))
    y = U(_lot(c) * np.float64(n))
    one = U(c.queue[x])
    two = U(c.queue[y])
    a = U(deal.rank[one - first])
    b = U(deal.rank[two - first])
    if a == b or (c.allowed[one] >> b & N1) == 0 or (c.allowed[two] >> a & N1) == 0:
        return
    gain = 0.0
    if trust:
        i = U(c.spot[x])
        j = U(c.spot[y])
        gain = _alone(c, one, b, i) + _alone(c, two, a, j) - _alone(c, one, a, i) - _alone(c, two, b, j)
        gain += _together(c, h, i, b, j, a) - _together(c, h, i, a, j, b)
        for k in range(n):
            if k != x and k != y:
                rank = U(deal.rank[U(c.queue[k]) - first])
                place = U(c.spot[k])
                gain += _together(c, h, place, rank, i, b) - _together(c, h, place, rank, i, a)
                gain += _together(c, h, place, rank, j, a) - _together(c, h, place, rank, j, b)
    if gain < 0.0 and _lot(c) >= np.exp(gain):
        return
    deal.rank[one - first] = b
    deal.rank[two - first] = a
    if not _goes_on(v, c, deal):
        deal.rank[one - first] = a
        deal.rank[two - first] = b


@compiled
def _ready_to_deal(g: Any, v: Any, log: Any, c: Any, h: Any, p: Any, trust: Any) -> Any:
    """Fill c with all that is known and thought of army p; returns how many of its men may have stayed at home."""
    read_limits(g, v, log, c)
    read_signs(g, log, c)
    find_movers(g, v, log, c, p)
    spare = surmise_army(g, v, c, h, p)
    if not trust:
        for pid in range(p * N40, p * N40 + N40):
            if c.start[pid] != 0:
                for rank in range(N1, N13):
                    c.row[pid * N16 + rank] = c.left[rank] if c.allowed[pid] >> rank & N1 else 0.0
    n = _open_table(c, p * N40)
    for k in range(n):
        c.spot[k] = h.place[p * U(144) + U(g.start[U(c.queue[k])])]
    c.hidden = n
    return spare


@compiled
def deal_out(g: Any, v: Any, log: Any, c: Any, h: Any, D: Any, count: Any, p: Any, trust: Any) -> Any:
    """Fill the first `count` DEALs with army p and their weights; returns how many led nowhere.

    trust: 1 to follow the model, 0 to hold every deal for alike likely. c.random seeds the lot.
    """
    spare = _ready_to_deal(g, v, log, c, h, p, trust)
    first = p * N40
    n = U(c.hidden)
    lost = N0
    for k in range(U(count)):
        deal = entry(D, k)
        for i in range(N40):
            deal.rank[i] = 0
            if g.start[first + i] != 0 and c.start[first + i] == 0:
                for rank in range(N1, N13):
                    if c.row[(first + i) * N16 + rank] > 0.5:
                        deal.rank[i] = rank
        deal.dead = 1
        deal.weight = -1e300
        for _ in range(TRIES):
            chance = _deal_once(v, c, deal, first, n, spare)
            if chance <= 0.0:
                deal.dead = 0
                deal.weight = (_plausibility(c, h, deal, first, n) if trust else 0.0) - chance
                break
            lost += N1
    return lost


@compiled
def stir(v: Any, c: Any, h: Any, D: Any, count: Any, p: Any, trust: Any, exchanges: Any) -> None:
    """Try so many exchanges a man in each of `count` deals; c as `deal_out` left it."""
    n = U(c.hidden)
    for k in range(U(count)):
        deal = entry(D, k)
        if deal.dead == 0:
            for _ in range(n * U(exchanges)):
                _exchange(v, c, h, deal, p * N40, n, trust)
