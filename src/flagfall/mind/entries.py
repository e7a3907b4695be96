"""The mind's kernels: a desk of addresses and numbers in, one number out. Called through `thought`.

The desk of a thought is uint64[DESK_WORDS]: the addresses of one GAME, TABLES, the first PLY, SLATE, the first SHARE of
the prior, the first ENTRY, MOVE, RATE and ROOT, then the number of roots and the deepest ply. That of a belief is
uint64[10]: the addresses of one GAME, TABLES, the first PLY, EVIDENCE, HABITS and the first DEAL, then the number of
deals, the army's seat, whether the model is followed, and the exchanges a man.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flagfall.mind import dealing, roots, value
from flagfall.mind import surmise as guess
from flagfall.mind.evidence import DEAL, EVIDENCE, HABITS
from flagfall.mind.slate import ENTRY, RATE, ROOT, SHARE, SLATE
from flagfall.rules.compiled import record_at, word_at
from flagfall.rules.law import U
from flagfall.rules.layout import GAME, MOVE, PLY, TABLES

_game_at, _tables_at, _ply_at, _slate_at = (record_at(dtype) for dtype in (GAME, TABLES, PLY, SLATE))
_share_at, _entry_at, _move_at, _rate_at, _root_at = (record_at(dtype) for dtype in (SHARE, ENTRY, MOVE, RATE, ROOT))


def prepare(desk: Any) -> Any:
    """Fill the slate from the View's records (`value.prepare`); returns 0."""
    g, v = _game_at(word_at(desk, U(0))), _tables_at(word_at(desk, U(1)))
    log, q = _ply_at(word_at(desk, U(2))), _slate_at(word_at(desk, U(3)))
    value.prepare(g, v, log, q, _share_at(word_at(desk, U(4))))
    return np.int64(0)


def think(desk: Any) -> Any:
    """Put the root moves in order of their worth (`roots.think`); returns the plies of the last whole round."""
    g, v = _game_at(word_at(desk, U(0))), _tables_at(word_at(desk, U(1)))
    log, q = _ply_at(word_at(desk, U(2))), _slate_at(word_at(desk, U(3)))
    table, moves = _entry_at(word_at(desk, U(5))), _move_at(word_at(desk, U(6)))
    order, root = _rate_at(word_at(desk, U(7))), _root_at(word_at(desk, U(8)))
    return np.int64(roots.think(g, v, log, q, table, moves, order, root, word_at(desk, U(9)), word_at(desk, U(10))))


_evidence_at, _habits_at, _deal_at = (record_at(dtype) for dtype in (EVIDENCE, HABITS, DEAL))


def surmise(desk: Any) -> Any:
    """Fill the chances of an EVIDENCE (`surmise.surmise`); returns 0."""
    g, v, log = _game_at(word_at(desk, U(0))), _tables_at(word_at(desk, U(1))), _ply_at(word_at(desk, U(2)))
    guess.surmise(g, v, log, _evidence_at(word_at(desk, U(3))), _habits_at(word_at(desk, U(4))))
    return np.int64(0)


def deal_out(desk: Any) -> Any:
    """Fill DEALs (`dealing.deal_out`); returns how many led nowhere."""
    g, v, log = _game_at(word_at(desk, U(0))), _tables_at(word_at(desk, U(1))), _ply_at(word_at(desk, U(2)))
    c, h, deals = (
        _evidence_at(word_at(desk, U(3))),
        _habits_at(word_at(desk, U(4))),
        _deal_at(word_at(desk, U(5))),
    )
    count, army, trust = word_at(desk, U(6)), word_at(desk, U(7)), word_at(desk, U(8)) != U(0)
    return np.int64(dealing.deal_out(g, v, log, c, h, deals, count, army, trust))


def stir(desk: Any) -> Any:
    """Stir DEALs (`dealing.stir`); returns 0."""
    v, c = _tables_at(word_at(desk, U(1))), _evidence_at(word_at(desk, U(3)))
    h, deals = _habits_at(word_at(desk, U(4))), _deal_at(word_at(desk, U(5)))
    count, army, trust = word_at(desk, U(6)), word_at(desk, U(7)), word_at(desk, U(8)) != U(0)
    dealing.stir(v, c, h, deals, count, army, trust, word_at(desk, U(9)))
    return np.int64(0)
