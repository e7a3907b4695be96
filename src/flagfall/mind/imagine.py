"""Imagining Worlds: what the hidden men may be, drawn as often as it is likely, from a seat's View.

Deals come from the compiled `dealing` with weights; `imagine` gives them as they are, `worlds` chooses by weight, stirs
and makes Worlds. Every one is consistent with all that the seat was told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.mind.belief import Floats
from flagfall.mind.evidence import DEAL, EVIDENCE
from flagfall.mind.habits import habits
from flagfall.mind.slate import readable
from flagfall.rules.board import Seat
from flagfall.rules.calls import address_of
from flagfall.rules.kernels import Kernel
from flagfall.rules.layout import MEN
from flagfall.rules.pieces import Rank
from flagfall.rules.view import View
from flagfall.rules.world import World

SPARE = 4
"""Deals made for each World wanted."""
EXCHANGES = 2


@dataclass(frozen=True)
class Deals:
    """Deals of one army.

    ranks: uint8[count, 40], by man id within the army, 0 for no man; known men have their ranks. weights: float64
    [count], each deal's share of the whole, which sum to 1; 0 for a deal that led nowhere.
    """

    ranks: NDArray[np.uint8]
    weights: Floats

    @property
    def size(self) -> float:
        """How many equally likely deals are worth as much (Kish's effective size)."""
        total = float((self.weights**2).sum())
        return 1.0 / total if total else 0.0


_deal_out = Kernel("flagfall.mind.entries", "deal_out", 1, lets_go=True)
_stir = Kernel("flagfall.mind.entries", "stir", 1, lets_go=True)


@cache
def _evidence() -> Any:
    return readable(np.zeros(1, EVIDENCE))


def _deal(view: View, count: int, seed: int, army: Seat, trust: bool) -> tuple[Any, Any, Deals]:
    """(the desk that the kernel took, the DEALs, what they come to)."""
    if view.seat is None:
        raise ValueError("a watcher has no enemy to think about")
    game, log, tables = view.records
    evidence = _evidence()
    evidence["me"], evidence["random"] = int(view.seat), np.uint64(seed & 2**64 - 1)
    dealt = readable(np.zeros(count, DEAL))
    arrays = game, tables, log, evidence, habits(view.variant), dealt
    desk = np.array([*(address_of(array) for array in arrays), count, int(army), int(trust), 0], np.uint64)
    _deal_out(address_of(desk))
    alive = dealt["dead"] == 0
    weights = np.where(alive, np.exp(dealt["weight"] - dealt["weight"].max(initial=-1e300)), 0.0)
    total = weights.sum()
    return desk, dealt, Deals(dealt["rank"], weights / total if total else weights)


def imagine(view: View, count: int, seed: int, *, army: Seat | None = None, trust: bool = True) -> Deals:
    """`count` weighted deals of an army: the enemy's, or with the own seat as `army` what he may think of ours.

    trust: follow the model of `surmise`; without it every deal that may be is alike likely. Raises ValueError for a
    watcher's view.
    """
    seat = Seat.RED if view.seat is None else view.seat.other
    return _deal(view, count, seed, seat if army is None else army, trust)[2]


def likely_deals(view: View, count: int, seed: int, *, trust: bool = True) -> NDArray[np.uint8]:
    """Ranks uint8[n, 40] of the enemy's men, drawn as often as likely: n is count, or 0 where none was found."""
    seat = Seat.RED if view.seat is None else view.seat.other
    desk, dealt, deals = _deal(view, SPARE * count, seed, seat, trust)
    if not deals.weights.any():
        return np.zeros((0, MEN), np.uint8)
    # Systematic choice: one lot, then even steps, so that no deal comes more often than its share asks for.
    start = np.random.default_rng(seed & 2**63 - 1).random()
    places = np.searchsorted(np.cumsum(deals.weights), (np.arange(count) + start) / count)
    chosen = readable(dealt[np.minimum(places, len(dealt) - 1)].copy())
    desk = np.array([*desk[:5], address_of(chosen), count, int(seat), int(trust), EXCHANGES], np.uint64)
    _stir(address_of(desk))
    ranks: NDArray[np.uint8] = chosen["rank"]
    return ranks


def worlds(view: View, count: int, seed: int, *, trust: bool = True) -> list[World]:
    """Worlds of a seat's view, each as likely as the next; the same seed gives the same ones."""
    game = view.records[0]
    seat = Seat.RED if view.seat is None else view.seat.other
    hidden = []
    for pid in range(MEN * seat, MEN * seat + MEN):
        cell = int(game["sq"][0, pid])
        if cell and int(game["code"][0, cell]) & 15 == Rank.UNKNOWN:
            hidden.append(pid)
    ranks = likely_deals(view, count, seed, trust=trust)
    return [World.imagine(view, {pid: int(row[pid - MEN * seat]) for pid in hidden}) for row in ranks]
