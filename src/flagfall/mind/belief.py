"""What a seat may think of hidden ranks, by counting and a prior by square; and what the enemy can know of its own.

A hidden man has a row with a chance for each rank (`rows`). What cannot be is 0: a man that moved is one that moves, a
run of n fields needs a reach of n, a battle whose ranks were not told leaves only ranks that fit its end, and a rank of
which every man is accounted for is nobody else's. The rest is the prior by start square, scaled until rows sum to 1 and
columns to the men left (Sinkhorn's iteration). Rows stand in the slate by man id: the enemy's as we may think of him,
ours as he may think of us.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.mind.evidence import EVIDENCE
from flagfall.mind.fitted import square_shares
from flagfall.mind.habits import habits
from flagfall.mind.slate import readable
from flagfall.rules.board import Seat, Square, cell_of
from flagfall.rules.calls import address_of
from flagfall.rules.kernels import Kernel
from flagfall.rules.layout import CELLS
from flagfall.rules.variant import Variant

FLOOR = 2e-3
Floats = NDArray[np.floating[Any]]

surmise = Kernel("flagfall.mind.entries", "surmise", 1)


@lru_cache(maxsize=16)
def prior_by_cell(variant: Variant) -> Any:
    """The prior, float64[2, 144, 13]: share of each rank by seat and start cell; the same array for equal variants."""
    table = np.zeros((2, CELLS, 13))
    for seat in Seat:
        shares = square_shares(variant, seat)
        for row, at in enumerate(variant.home[seat]):
            table[seat, cell_of(at)] = shares[row] + FLOOR
    return table


@cache
def _evidence() -> Any:
    return readable(np.zeros(1, EVIDENCE))


def surmised(game: Any, tables: Any, log: Any, variant: Variant, seat: Seat) -> Any:
    """The chances that this game's plies leave seat's enemy, and it its own army: float64[2, 144, 13] as the prior has.

    game, tables, log: a View's records. The array is one and the same at every call. Model: `surmise`.
    """
    evidence = _evidence()
    evidence["me"] = int(seat)
    arrays = game, tables, log, evidence, habits(variant)
    desk = np.array([*(address_of(array) for array in arrays), 0, 0, 0, 0, 0], np.uint64)
    surmise(address_of(desk))
    return evidence["out"][0].reshape(2, CELLS, 13)


@dataclass(frozen=True)
class Belief:
    """Chances by rank of one army's men.

    table: start square -> chances [13] that sum to 1, for every man that is hidden from the one who thinks; fallen men
    whose rank was never told are among them.
    """

    table: dict[Square, Floats]
