"""Walking through every game of a tiny variant: histories, endings, and what each seat can tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from flagfall.errors import NotAllowed
from flagfall.rules import calls
from flagfall.rules.board import Seat
from flagfall.rules.compiled import compiled, entry
from flagfall.rules.law import N0, N1, N2, N8, U, apply, judge, legal, origin_cell, settle, target_cell, undo
from flagfall.rules.layout import tables
from flagfall.rules.position import men_table
from flagfall.rules.variant import Variant

REASONS = 4
CAP = 1 << 20
"""Positions of one pair of deployments that are kept apart; more are an error."""

MULTIPLIER = U(0x9E3779B97F4A7C15)
N29, N32 = U(29), U(32)


@compiled
def _heard(past: Any, word: Any) -> Any:
    """The fingerprint of a past with one more event heard."""
    past = (past ^ word) * MULTIPLIER
    return past ^ past >> N29


@compiled
def _walk(  # noqa: PLR0913, PLR0917 a kernel takes its records one by one
    g: Any, v: Any, log: Any, moves: Any, at: Any, depth: Any, past: Any, told: Any, seen: Any
) -> None:
    """Count the node, its end if it is one, and go on. told: int64[1 + REASONS], nodes first; seen: uint64[CAP]."""
    n = legal(g, v, log, moves, at)
    settle(g, v, log, n - at)
    ended = U(g.reason)
    past = _heard(past, U(g.result) << N8 | ended)
    seen[told[0]] = past
    told[0] += 1
    if ended != N0:
        told[ended] += 1
        g.result = 0
        g.reason = 0
        return
    if depth == N0:
        return
    for k in range(at, n):
        move = U(entry(moves, k).m)
        s = origin_cell(move)
        t = target_cell(move)
        verdict = judge(g, v, s, t)
        apply(g, v, log, s, t, verdict)
        _walk(g, v, log, moves, n, depth - N1, _heard(past, move | verdict << N32), told, seen)
        undo(g, log)


@compiled
def _walk_all(G: Any, V: Any, L: Any, M: Any, depth: Any, told: Any, seen: Any) -> None:
    """Walk from a start position."""
    told[0] = 0
    _walk(G[0], V[0], L[0, 0], M[0], N0, U(depth), N2, told, seen)


@dataclass(frozen=True)
class Census:
    """What a whole tiny game holds.

    deployments: of one side. histories: sequences of 0 … depth plies over all pairs of deployments. endings: by Reason
    number from 1. information_states: by seat, how many pasts (own deployment and all that it
    was told) it can tell apart.
    """

    deployments: int
    histories: int
    endings: tuple[int, ...]
    information_states: tuple[int, int]


def census(variant: Variant, depth: int) -> Census:
    """Walk through every pair of deployments. For variants whose army fills its home area. Raises OverflowError."""
    armies = list(dict.fromkeys(permutations(rank for rank, count in variant.army.items() for _ in range(count))))
    if variant.law.rescues:
        raise NotAllowed("games with rescues have too many branches to be walked through", code="too_many")
    game, log, moves = calls.new_games(), calls.new_log(depth + 2), calls.new_moves(depth + 2)
    told, seen = np.zeros(1 + REASONS, np.int64), np.zeros(CAP, np.uint64)
    pasts: list[list[list[Any]]] = [[[] for _ in armies] for _ in Seat]
    desk = calls.desk_of(game, tables(variant), log, moves)
    histories = 0
    for one, red in enumerate(armies):
        for two, blue in enumerate(armies):
            places = (dict(zip(area, army, strict=True)) for area, army in zip(variant.home, (red, blue), strict=True))
            men = men_table(variant, *places)
            calls.start(calls.address_of(desk), calls.address_of(men), 0)
            _walk_all(game, tables(variant), log, moves, depth, told, seen)
            count = int(told[0])
            histories += count
            fresh = np.unique(seen[:count])
            pasts[Seat.RED][one].append(fresh)
            pasts[Seat.BLUE][two].append(fresh)
    states = [sum(len(np.unique(np.concatenate(heard))) for heard in seat) for seat in pasts]
    return Census(len(armies), histories, tuple(told[1:].tolist()), (states[0], states[1]))
