"""Surmising hidden ranks from where men began, from one another and from what they did; compiled.

The model of an army: log P = the fitted log-weights of its deployment (`fitted`: squares and pairs of squares, a style
of setting up found out on the way) + the signs of its men (`signs`), over the ways to share out the men left that
moves and battles allow. Its chances by man are found by mean fields: each man meets the others as they are thought to
be, rows and columns are balanced, and once more. g is a View's game, v the variant's tables, log its plies, c an
EVIDENCE, h the HABITS of the variant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind.evidence import OWN, SIGNS, SLOTS, SOURCES, STYLES, TARGETS
from flagfall.mind.rows import balance, count_men, read_limits
from flagfall.mind.signs import read_signs
from flagfall.rules.compiled import compiled
from flagfall.rules.law import N0, N1, N2, N12, N13, N16, N40, N144, N255, U

PASSES = 2
ROUNDS_BETWEEN, ROUNDS_LAST = 8, 20
SCALE = 0.9
SIGN_SCALE = 0.8
SIGN_CAP = 4.0
FLOOR = 2e-3
SLIGHT = 0.01
"""A chance that changes no other man's field."""
N_STYLES, N_TARGETS, N_BLOCK = U(STYLES), U(TARGETS), U(SOURCES * TARGETS)
N_SIGNS = U(SIGNS)


@compiled
def surmise(g: Any, v: Any, log: Any, c: Any, h: Any) -> None:
    """Fill c.out[2, 144, 13], by seat, start cell and rank, with the chances of every hidden man of both armies.

    The enemy's are what seat c.me may think; its own are what the enemy may think of them.
    """
    read_limits(g, v, log, c)
    read_signs(g, log, c)
    for k in range(U(len(c.out))):
        c.out[k] = 0.0
    for p in range(N2):
        surmise_army(g, v, c, h, p)
        for pid in range(p * N40, p * N40 + N40):
            if c.start[pid] != 0:
                to = (p * N144 + U(c.start[pid])) * N13
                for rank in range(N1, N13):
                    c.out[to + rank] = c.row[pid * N16 + rank]


@compiled
def surmise_army(g: Any, v: Any, c: Any, h: Any, p: Any) -> Any:
    """Fill the rows of army p, after limits and signs are read; returns how many of its men may have stayed at home."""
    first = p * N40
    spare = count_men(g, v, c, U(c.me), p)
    _weigh_styles(g, v, c, h, p)
    _weigh_signs(c, h, first)
    _field_of_known(g, c, h, p)
    _start_rows(g, v, c, h, p)
    balance(c, first, spare, ROUNDS_BETWEEN)
    for each in range(PASSES):
        _field_of_hidden(g, c, h, p)
        _rows_of_field(g, c, h, p)
        balance(c, first, spare, ROUNDS_LAST if each == PASSES - 1 else ROUNDS_BETWEEN)
    return spare


@compiled
def _place(g: Any, h: Any, p: Any, pid: Any) -> Any:
    """The home square that a man began on, 255 for none."""
    return U(h.place[p * N144 + U(g.start[pid])])


@compiled
def _seen(c: Any, pid: Any) -> Any:
    """The rank of a man whose row is sure, as `count_men` left it; 0 for a hidden one or none."""
    if c.start[pid] == 0:
        for rank in range(N1, N13):
            if c.row[pid * N16 + rank] > 0.5:
                return rank
    return N0


@compiled
def _weigh_styles(g: Any, v: Any, c: Any, h: Any, p: Any) -> None:
    """Fill c.style with the chance of each style, and last of no style at all, after the men that are seen."""
    total = 0.0
    for k in range(N13):
        c.column[k] = 0.0
    for k in range(U(100)):
        if v.army[k] != 0:
            c.column[U(v.army[k])] += 1.0
            total += 1.0
    for s in range(N_STYLES + N1):
        c.style[s] = np.log(h.odds[s]) if h.odds[s] > 0.0 else -1e9
    for pid in range(p * N40, p * N40 + N40):
        rank = _seen(c, pid) if g.start[pid] != 0 else N0
        place = _place(g, h, p, pid)
        if rank == N0 or place == N255 or c.column[rank] == 0.0:
            continue
        for s in range(N_STYLES):
            if h.odds[s] > 0.0:
                c.style[s] += np.log(h.share[s * N_TARGETS + place * N12 + rank - N1])
        c.style[N_STYLES] += np.log(c.column[rank] / total)
    best = max(max(c.style[0], c.style[1]), c.style[2])
    total = 0.0
    for s in range(N_STYLES + N1):
        c.style[s] = np.exp(c.style[s] - best)
        total += c.style[s]
    for s in range(N_STYLES + N1):
        c.style[s] /= total


@compiled
def _weigh_signs(c: Any, h: Any, first: Any) -> None:
    """Fill c.theta with what the signs of each hidden man add to the log-weight of each rank."""
    for pid in range(first, first + N40):
        base = pid * N16
        for rank in range(N16):
            c.theta[base + rank] = 0.0
        if c.start[pid] == 0:
            continue
        for k in range(N_SIGNS):
            count = U(c.count[pid * N_SIGNS + k])
            if count == N0:
                continue
            strength = 1.0 if k >= U(OWN * SLOTS) else min(3.0, np.log2(1.0 + count))
            for rank in range(N1, N13):
                c.theta[base + rank] += SIGN_SCALE * strength * h.sign[k * N12 + rank - N1]
        for rank in range(N1, N13):
            c.theta[base + rank] = min(SIGN_CAP, max(-SIGN_CAP, c.theta[base + rank]))


@compiled
def _pull(c: Any, h: Any, style: Any, source: Any, weight: Any) -> None:
    """Add to c.field what a symbol on a home square does to all others. source: square · 13 + symbol."""
    base = style * N_BLOCK + source * N_TARGETS
    factor = np.float32(weight)
    for k in range(N_TARGETS):
        c.field[k] += factor * h.toward[base + k]


@compiled
def _field_of_known(g: Any, c: Any, h: Any, p: Any) -> None:
    """Fill c.known with the log-weights that squares and seen men, empty squares among them, give."""
    for k in range(N_TARGETS):
        c.field[k] = 0.0
    for k in range(U(len(c.held))):
        c.held[k] = 255
    for pid in range(p * N40, p * N40 + N40):
        if g.start[pid] != 0:
            place = _place(g, h, p, pid)
            if place != N255:
                c.held[place] = pid
    styled = 1.0 - c.style[N_STYLES]
    for s in range(N_STYLES):
        weight = SCALE * c.style[s]
        c.pull[s] = weight
        if weight < 0.01 or styled < 0.01:
            c.pull[s] = 0.0
            continue
        factor = np.float32(weight)
        for k in range(N_TARGETS):
            c.field[k] += factor * h.unary[s * N_TARGETS + k]
        for place in range(U(h.places)):
            man = U(c.held[place])
            if man == N255:
                _pull(c, h, s, place * N13, weight)
            elif c.start[man] == 0:
                _pull(c, h, s, place * N13 + _seen(c, man), weight)
    for k in range(N_TARGETS):
        c.known[k] = c.field[k]


@compiled
def _field_of_hidden(g: Any, c: Any, h: Any, p: Any) -> None:
    """Fill c.field: what c.known says, and the hidden men as their rows have them."""
    for k in range(N_TARGETS):
        c.field[k] = c.known[k]
    for pid in range(p * N40, p * N40 + N40):
        if c.start[pid] == 0:
            continue
        place = _place(g, h, p, pid)
        if place == N255:
            continue
        for rank in range(N1, N13):
            chance = c.row[pid * N16 + rank]
            if chance > SLIGHT:
                for s in range(N_STYLES):
                    if c.pull[s] > 0.0:
                        _pull(c, h, s, place * N13 + rank, c.pull[s] * chance)


@compiled
def _may(c: Any, pid: Any, rank: Any) -> Any:
    return c.left[rank] > 0.5 and c.allowed[pid] >> rank & N1


@compiled
def _start_rows(g: Any, v: Any, c: Any, h: Any, p: Any) -> None:
    """Rows of the hidden men from the shares of their squares and their signs."""
    for pid in range(p * N40, p * N40 + N40):
        if c.start[pid] == 0:
            continue
        place = _place(g, h, p, pid)
        base = pid * N16
        for rank in range(N1, N13):
            chance = 0.0
            if _may(c, pid, rank):
                chance = c.style[N_STYLES] * c.left[rank] / N40
                for s in range(N_STYLES):
                    if place != N255:
                        chance += c.style[s] * h.share[s * N_TARGETS + place * N12 + rank - N1]
                chance = chance * np.exp(c.theta[base + rank]) + 1e-6
            c.row[base + rank] = chance


@compiled
def _rows_of_field(g: Any, c: Any, h: Any, p: Any) -> None:
    """Rows of the hidden men from c.field and their signs."""
    for pid in range(p * N40, p * N40 + N40):
        if c.start[pid] == 0:
            continue
        place = _place(g, h, p, pid)
        base = pid * N16
        top = -1e9
        for rank in range(N1, N13):
            if _may(c, pid, rank):
                weight = np.float64(c.theta[base + rank])
                if place != N255:
                    weight += c.field[place * N12 + rank - N1]
                c.row[base + rank] = weight
                top = max(top, weight)
        for rank in range(N1, N13):
            c.row[base + rank] = np.exp(c.row[base + rank] - top) + FLOOR if _may(c, pid, rank) else 0.0
