"""What was learnt from deployments: tables by square and by pairs of squares, for the armies that have a fit.

Shapes: N home squares in the owner's own order (back row first, left to right), 13 symbols (0 empty, 1..12 ranks).
The tables are statistics that `tools/fit_deployments.py` wrote; armies without a fit get tables reasoned from rank and
row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.rules.board import Seat, Square, turned
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant

SYMBOLS = 13
MADE = "made"
"""The entry that tells by what command, from which seed and when the tables were made."""
EMPTY = 0
Floats = NDArray[np.floating[Any]]
_CLASSIC = {1: 1, 2: 8, 3: 5, 4: 4, 5: 4, 6: 4, 7: 3, 8: 2, 9: 1, 10: 1, 11: 6, 12: 1}
_BARRAGE = {1: 1, 2: 2, 3: 1, 9: 1, 10: 1, 11: 1, 12: 1}


@dataclass(frozen=True)
class ArmyTables:
    """The log-weights of a deployment.

    unary [N, 13]: a rank on a square. toward [N, 13, N, 13]: a rank on one square (first two) and one on another. twist
    [N, N, 13, 13]: what an exchange of ranks a, b on squares i, j changes between these two alone.
    """

    unary: Floats
    toward: Floats
    twist: Floats

    @staticmethod
    def of(unary: Floats, pairs: Floats) -> ArmyTables:
        """Tables from `pairs` [N, N, 13, 13], by two squares and their ranks."""
        same = np.diagonal(pairs, axis1=2, axis2=3)
        twist = pairs + np.swapaxes(pairs, 2, 3) - same[:, :, :, None] - same[:, :, None, :]
        return ArmyTables(unary, np.ascontiguousarray(np.transpose(pairs, (1, 3, 0, 2))), twist)


def own_order(variant: Variant, seat: Seat) -> list[Square]:
    """The home squares of a seat, back row first, each row from the owner's left (R1)."""
    return list(variant.home[seat])


def own_places(variant: Variant, seat: Seat) -> list[tuple[int, int]]:
    """(rows from the owner's edge, files from the owner's left) of each home square, in `own_order`."""
    places = []
    for at in own_order(variant, seat):
        seen = at if seat == Seat.RED else turned(at, variant.width, variant.height)
        places.append((seen // 10, seen % 10))
    return places


def fit_name(variant: Variant, style: str) -> str | None:
    """The fit that speaks of this variant's army and home area: `classic_learned`, …, or None."""
    army = {int(rank): count for rank, count in variant.army.items() if count}
    forty = variant.width == 10 and own_places(variant, Seat.RED) == [
        (row, file) for row in range(4) for file in range(10)
    ]
    if forty and army == _CLASSIC:
        return "classic_" + style
    return "barrage_human" if forty and army == _BARRAGE else None


@cache
def _stored() -> dict[str, Floats]:
    """Every table of the package, by name."""
    with resources.files("flagfall.mind").joinpath("deployments.npz").open("rb") as file, np.load(file) as data:
        return {name: np.asarray(data[name], dtype=np.float32) for name in data.files if name != MADE}


@cache
def _fitted_tables(name: str) -> ArmyTables:
    """The log-weights of one stored fit, spread over 40 squares."""
    unary, pairs = _stored()[name + "_unary"], _stored()[name + "_pairs"]
    at = np.arange(40)
    row, file = at // 10, at % 10
    down = row[None, :] - row[:, None]
    across = np.abs(file[None, :] - file[:, None])
    wide = pairs[np.abs(down), across]
    flipped = np.swapaxes(wide, 2, 3)
    # On one row only the half with the lower rank first is stored.
    level = np.where(np.arange(SYMBOLS)[:, None] <= np.arange(SYMBOLS)[None, :], wide, flipped)
    order = down[:, :, None, None]
    whole = np.where(order > 0, wide, np.where(order < 0, flipped, level))
    whole[at, at] = 0.0
    return ArmyTables.of(unary[row, np.minimum(file, 9 - file)], whole)


def army_tables(variant: Variant, seat: Seat, style: str) -> ArmyTables:
    """The log-weights for a deployment of `seat`; `style` is `human` or `learned` where both were fitted."""
    name = fit_name(variant, style)
    return _fitted_tables(name) if name else _reasoned_tables(tuple(own_places(variant, seat)))


def square_shares(variant: Variant, seat: Seat) -> Floats:
    """How often each rank stands on each home square at the start [N, 13], people and the learned mixed evenly.

    Rows are in `own_order`.
    """
    name = fit_name(variant, "human")
    if name == "classic_human":
        mixed: Floats = 0.5 * (_stored()["classic_human_shares"] + _stored()["classic_learned_shares"])
        return mixed
    if name:
        return _stored()[name + "_shares"]
    shares = np.exp(_reasoned_tables(tuple(own_places(variant, seat))).unary)
    result: Floats = shares / shares.sum(1, keepdims=True)
    return result


def believed_tables(variant: Variant) -> list[ArmyTables]:
    """What to believe of an unknown deployment, one for each style: people's and learned where both were fitted."""
    if fit_name(variant, "human") == "classic_human":
        return [army_tables(variant, Seat.RED, style) for style in ("human", "learned")]
    return [army_tables(variant, Seat.RED, "human")]


def believed_shares(variant: Variant) -> list[Floats]:
    """How often each rank stands on each home square [N, 13], in the same styles."""
    if fit_name(variant, "human") == "classic_human":
        return [_stored()["classic_human_shares"], _stored()["classic_learned_shares"]]
    return [square_shares(variant, Seat.RED)]


@cache
def _reasoned_tables(places: tuple[tuple[int, int], ...]) -> ArmyTables:
    """Tables for an army that nobody fitted: what stands well in front, behind, beside."""
    rows = np.array([row for row, _ in places], dtype=np.float64)
    files = np.array([file for _, file in places], dtype=np.float64)
    front = rows / max(1.0, rows.max())
    middle = (files.min() + files.max()) / 2.0
    side = np.abs(files - middle) / max(1.0, middle)
    unary = np.zeros((len(places), SYMBOLS))
    slope = {1: 0.0, 2: 0.6, 3: -1.2, 4: 0.0, 5: 0.5, 6: 0.7, 7: 0.8, 8: 0.6, 9: 0.3, 10: 0.3, 11: -1.5, 12: -5.0}
    for rank, by_row in slope.items():
        unary[:, rank] = by_row * front
    unary[:, Rank.FLAG] += 0.6 * side
    unary[:, Rank.SPY] -= 1.5 * (front >= 1.0)
    down = rows[None, :] - rows[:, None]
    across = np.abs(files[None, :] - files[:, None])
    beside = ((np.abs(down) + across) == 1).astype(np.float64)
    near = ((np.abs(down) <= 2) & (across <= 2)).astype(np.float64)
    pairs = np.zeros((len(places), len(places), SYMBOLS, SYMBOLS))
    for a, b, table in (
        (Rank.FLAG, Rank.BOMB, 2.5 * beside),
        (Rank.SPY, Rank.GENERAL, 1.0 * near),
        (Rank.SPY, Rank.MARSHAL, 0.4 * near),
        (Rank.GENERAL, Rank.MARSHAL, -1.0 * near),
        (Rank.FLAG, Rank.SCOUT, -0.5 * beside),
    ):
        pairs[:, :, a, b] += table
        pairs[:, :, b, a] += table.T
    return ArmyTables.of(unary, pairs)
