"""What is known beforehand of how armies are set up and how men behave, as one record (`evidence.HABITS`)."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import Any

import numpy as np

from flagfall.mind.evidence import HABITS, NO_PLACE, PLACES, RANKS_HERE, STYLES, SYMBOLS_HERE
from flagfall.mind.fitted import EMPTY, Floats, believed_shares, believed_tables
from flagfall.mind.slate import readable
from flagfall.rules.board import Seat, cell_of
from flagfall.rules.layout import CELLS
from flagfall.rules.variant import Variant

ODDS = (0.45, 0.45, 0.1)
"""Before anything is seen: the chance of each style, and last that of an army set up by lot."""
SHARE_FLOOR = 2e-3


@cache
def sign_weights() -> Floats:
    """The log-weights of signs [SIGNS, 13], fitted by `tools/fit_signs.py`."""
    with resources.files("flagfall.mind").joinpath("signs.npz").open("rb") as file, np.load(file) as data:
        weights: Floats = np.asarray(data["weights"], dtype=np.float32)
    return weights


@lru_cache(maxsize=8)
def habits(variant: Variant) -> Any:
    """The record for a variant, shape (1,), dtype HABITS; not to be written to."""
    made = readable(np.zeros(1, HABITS))
    record = made[0]
    record["sign"][:] = sign_weights()[:, 1:].ravel()
    record["place"][:] = NO_PLACE
    places = len(variant.home[Seat.RED])
    if places > PLACES:
        # A home area of more squares than any in the catalogue: nothing is believed of it beforehand.
        record["odds"][STYLES] = 1.0
        return made
    record["places"] = places
    for seat in Seat:
        for place, at in enumerate(variant.home[seat]):
            record["place"][CELLS * seat + cell_of(at)] = place
    share = record["share"].reshape(STYLES, PLACES, RANKS_HERE)
    unary = record["unary"].reshape(STYLES, PLACES, RANKS_HERE)
    toward = record["toward"].reshape(STYLES, PLACES, SYMBOLS_HERE, PLACES, RANKS_HERE)
    styles = believed_tables(variant)
    for style, tables in enumerate(styles):
        chances = believed_shares(variant)[style][:, EMPTY + 1 :] + SHARE_FLOOR
        share[style, :places] = chances / chances.sum(1, keepdims=True)
        unary[style, :places] = tables.unary[:, EMPTY + 1 :]
        toward[style, :places, :, :places] = tables.toward[:, :, :, EMPTY + 1 :]
    odds = np.array(ODDS) if len(styles) == STYLES else np.array([1.0 - ODDS[-1], 0.0, ODDS[-1]])
    record["odds"][:] = odds
    return made
