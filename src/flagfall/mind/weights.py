"""What evaluation and search are tuned by: numbers by name, kept in a small file that `flagfall train` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagfall.mind.slate import KNOB_SLOTS, KNOBS, RANK_SLOTS, TABLES

RANKS = tuple(range(1, 13))
SIZE = RANK_SLOTS * len(TABLES) + KNOB_SLOTS
Floats = NDArray[np.float64]


@cache
def fitted() -> dict[str, float]:
    """The weights of the package by name: `base_10`, `veil_1`, `pull` and so on."""
    text = resources.files("flagfall.mind").joinpath("weights.json").read_text(encoding="utf-8")
    found: dict[str, float] = json.loads(text)["weights"]
    return found


def place_of(name: str) -> int:
    """Where a weight stands in the array. Raises ValueError for a name that is none."""
    if name in KNOBS:
        return RANK_SLOTS * len(TABLES) + KNOBS.index(name)
    table, _, rank = name.rpartition("_")
    if table not in TABLES or not rank.isdigit() or int(rank) not in RANKS:
        raise ValueError(f"no weight is called {name}")
    return RANK_SLOTS * TABLES.index(table) + int(rank)


def spread(changes: Mapping[str, float] | tuple[tuple[str, float], ...] = ()) -> Floats:
    """The array [SIZE] that a slate takes: the package's weights with some changed."""
    array = np.zeros(SIZE)
    for name, value in {**fitted(), **dict(changes)}.items():
        array[place_of(name)] = value
    return array


def fill(slate: Any, array: Floats) -> None:
    """Lay weights on a slate, shape (1,)."""
    for k, table in enumerate(TABLES):
        slate[table][0] = array[RANK_SLOTS * k : RANK_SLOTS * (k + 1)]
    slate["knob"][0] = array[RANK_SLOTS * len(TABLES) :]
