"""The kernels of a rescue (R13.2), which only games that allow one ever call; a desk as in `entries`."""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.rules.compiled import record_at, word_at
from flagfall.rules.law import N0, N1, U, bring_back, rescue_open, rescue_refusal
from flagfall.rules.layout import GAME, PLY, TABLES

_game_at, _tables_at, _ply_at = (record_at(dtype) for dtype in (GAME, TABLES, PLY))


def may_rescue(desk: Any, s: Any, t: Any) -> Any:
    """1 where a rescue may go with a legal move from cell s to cell t of the side to move, else 0."""
    g = _game_at(word_at(desk, N0))
    return np.int64(1) if rescue_open(g, _tables_at(word_at(desk, N1)), s, t) else np.int64(0)


def refuse_rescue(desk: Any, move: Any) -> Any:
    """The Refusal of the rescue of a move that is legal without it, 0 for none."""
    g = _game_at(word_at(desk, N0))
    return np.int64(rescue_refusal(g, _tables_at(word_at(desk, N1)), move))


def carry_out(desk: Any, move: Any) -> Any:
    """Carry out the rescue of a move that was folded into a View just now, and was found good before; returns 0."""
    g = _game_at(word_at(desk, N0))
    bring_back(g, _tables_at(word_at(desk, N1)), _ply_at(word_at(desk, U(2))), move)
    return np.int64(0)
