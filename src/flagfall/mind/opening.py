"""Choosing a deployment: armies drawn from the fitted model, sensible and different every time.

A drawn army starts at random and is improved by exchanging men under the model of `fitted` (Gibbs sampling), then
looked over by `faults`: the first sound one of a few draws is taken. The model knows no left and right, so no side is
the usual one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib import resources
from random import Random

import numpy as np

from flagfall.errors import BadArmy
from flagfall.mind.fitted import EMPTY, ArmyTables, army_tables, own_order, own_places
from flagfall.play.player import chance
from flagfall.rules.board import Seat, Square, turned
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant

DRAWS = 8
SWEEPS = 6


def choose(variant: Variant, seat: Seat, seed: bytes, style: str = "learned") -> Deployment:
    """A whole sensible army for `seat`; the same seed gives the same one."""
    return fill(variant, seat, seed, {}, style)


def fill(variant: Variant, seat: Seat, seed: bytes, keep: Mapping[Square, Rank], style: str = "human") -> Deployment:
    """The army completed round the men that already stand (`keep`).

    Raises BadArmy when those are no part of an army (R3).
    """
    order = own_order(variant, seat)
    fixed = {order.index(at): rank for at, rank in keep.items()} if set(keep) <= set(order) else None
    if fixed is None:
        raise BadArmy("a man stands outside the home area", code="outside_home")
    left = {int(rank): count for rank, count in variant.army.items()}
    for rank in keep.values():
        left[int(rank)] = left.get(int(rank), 0) - 1
    if any(count < 0 for count in left.values()):
        raise BadArmy("more men of a rank than the army has", code="too_many")
    random = chance(seed, 0, f"deployment {style}")
    men = [rank for rank, count in sorted(left.items()) for _ in range(count)]
    men += [EMPTY] * (len(order) - len(keep) - len(men))
    tables = army_tables(variant, seat, style)
    least, best = math.inf, list[int]()
    for _ in range(DRAWS):
        ranks = _draw(tables, fixed, men, random)
        cost = faults(variant, seat, ranks)
        if cost < least:
            least, best = cost, ranks
        if cost == 0.0:
            break
    return Deployment(variant, seat, {at: Rank(rank) for at, rank in zip(order, best, strict=True) if rank})


def _draw(tables: ArmyTables, fixed: Mapping[int, Rank], men: list[int], random: Random) -> list[int]:
    """One army from the model: ranks by home square; the men of `fixed` stay."""
    size = len(tables.unary)
    free = np.array([at for at in range(size) if at not in fixed], dtype=np.int64)
    ranks = np.zeros(size, dtype=np.int64)
    for at, rank in fixed.items():
        ranks[at] = rank
    if not len(free):
        return [int(rank) for rank in ranks]
    shuffled = list(men)
    random.shuffle(shuffled)
    ranks[free] = shuffled
    field = tables.unary + tables.toward[np.arange(size), ranks].sum(0)
    steps = SWEEPS * len(free)
    for step in range(steps):
        heat = 1.0 + 1.5 * max(0.0, 1.0 - 2.0 * step / steps) ** 2
        i = int(free[random.randrange(len(free))])
        a, b = int(ranks[i]), ranks[free]
        gain = field[i, b] - field[i, a] + field[free, a] - field[free, b] + tables.twist[i, free, a, b]
        # An exchange of equals changes nothing: left to the stay-where-you-are of square i itself.
        gain[b == a] = -math.inf
        gain[free == i] = 0.0
        weight = np.exp((gain - gain.max()) / heat).cumsum()
        pick = int(weight.searchsorted(random.random() * weight[-1], side="right"))
        j = int(free[min(pick, len(free) - 1)])
        if j != i:
            c = int(ranks[j])
            field += tables.toward[i, c] - tables.toward[i, a] + tables.toward[j, a] - tables.toward[j, c]
            ranks[i], ranks[j] = c, a
    return [int(rank) for rank in ranks]


def faults(variant: Variant, seat: Seat, ranks: list[int]) -> float:
    """What is unwise in an army, as a weighted count: 0 is sound. Ranks by home square, 0 for empty."""
    places = own_places(variant, seat)
    at = dict(zip(places, ranks, strict=True))
    lakes = {_seen(variant, seat, lake) for lake in variant.lakes}
    front = max(row for row, _ in places)
    size = len([rank for rank in ranks if rank])
    cost = 4.0 * _flag_faults(at, lakes, variant.width, front)
    leaders = [place for place, rank in at.items() if rank in (Rank.GENERAL, Rank.MARSHAL)]
    for place, rank in at.items():
        if rank == Rank.SPY:
            apart = min((max(abs(place[0] - row), abs(place[1] - file)) for row, file in leaders), default=0)
            cost += (apart > 3) + (place[0] == front and size > 12)
    first = [rank for (row, _), rank in at.items() if row == front]
    army = variant.army
    if size > 12:
        cost += max(0, first.count(Rank.MINER) - 2) + max(0, first.count(Rank.BOMB) - 2)
        if army.get(Rank.SCOUT, 0) >= 4:
            near = [rank for (row, _), rank in at.items() if row >= front - 1]
            cost += near.count(Rank.SCOUT) < 2
    ready = sum(
        1 <= rank <= Rank.MARSHAL and (front + 1, file) not in lakes for (row, file), rank in at.items() if row == front
    )
    return cost + (5.0 if size > 12 and ready < 3 else 0.0)


def _flag_faults(at: Mapping[tuple[int, int], int], lakes: set[tuple[int, int]], width: int, front: int) -> float:
    """How badly the flag stands: in front, or with more than one way in that no bomb or own man bars."""
    cost = 0.0
    bombs = sum(rank == Rank.BOMB for rank in at.values())
    for (row, file), rank in at.items():
        if rank != Rank.FLAG:
            continue
        cost += 2.0 * (row == front and front > 0) + 1.0 * (row == front - 1 and front > 2)
        beside = [(row + 1, file), (row - 1, file), (row, file + 1), (row, file - 1)]
        ways = [spot for spot in beside if spot not in lakes and 0 <= spot[1] < width and spot[0] >= 0]
        open_ways = [spot for spot in ways if at.get(spot, EMPTY) != Rank.BOMB]
        if bombs >= 3:
            cost += max(0, len(open_ways) - 1) + 0.25 * (len(open_ways) == 1)
        elif bombs:
            cost += 0.5 * (len(open_ways) == len(ways))
    return cost


def _seen(variant: Variant, seat: Seat, at: Square) -> tuple[int, int]:
    """(row, file) of a square as the seat's owner sees it."""
    seen = at if seat == Seat.RED else turned(at, variant.width, variant.height)
    return seen // 10, seen % 10


@cache
def _ready() -> dict[str, list[dict[str, str]]]:
    """The named armies of this house, by variant."""
    text = resources.files("flagfall.mind").joinpath("ready.json").read_text(encoding="utf-8")
    loaded: dict[str, list[dict[str, str]]] = json.loads(text)
    return loaded


def ready(variant: Variant) -> list[tuple[str, str]]:
    """The named armies for a variant: (name, army text), the text as `Deployment.text` has it."""
    return [(army["name"], army["army"]) for army in _ready().get(variant.name, [])]


def random_army(variant: Variant, seat: Seat, seed: bytes) -> Deployment:
    """Any legal army (R3.3), all alike likely; of a walled-in one (R3.5) another is drawn."""
    random = chance(seed, 0, "random army")
    area = list(variant.home[seat])
    men = [rank for rank, count in sorted(variant.army.items()) for _ in range(count)]
    for _ in range(20):
        random.shuffle(area)
        army = Deployment(variant, seat, dict(zip(area, men, strict=False)))
        if not army.walled_in():
            break
    return army
