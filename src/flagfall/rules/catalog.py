"""The named games and the named laws, with their sources (R11.4, R13.1)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from flagfall.errors import NotFound
from flagfall.rules.board import Seat, square
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import FAR, Law, Variant, home_order, law_from, squares_from

REACH = MappingProxyType({rank: {Rank.BOMB: 0, Rank.FLAG: 0, Rank.SCOUT: FAR}.get(rank, 1) for rank in RANKS})
"""How far each rank moves in every game of the family but where it says otherwise (R5)."""

_CLASSIC_COUNTS = (1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1)


def _rows(first: int, last: int, seat: Seat, width: int, height: int) -> tuple[Any, ...]:
    """Whole rows, 1-based and inclusive, in the owner's order."""
    area = {square(file, row) for row in range(first - 1, last) for file in range(width)}
    return home_order(area, seat, width, height)


CLASSIC = Variant(
    name="classic",
    width=10,
    height=10,
    lakes=squares_from(["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]),
    home=(_rows(1, 4, Seat.RED, 10, 10), _rows(7, 10, Seat.BLUE, 10, 10)),
    army=MappingProxyType(dict(zip(RANKS, _CLASSIC_COUNTS, strict=True))),
    reach=REACH,
)
"""The game of 40 men a side (R1, R2, R13.1)."""

MICRO = Variant(
    name="micro",
    width=4,
    height=4,
    lakes=frozenset(),
    home=(_rows(1, 1, Seat.RED, 4, 4), _rows(4, 4, Seat.BLUE, 4, 4)),
    army=MappingProxyType({Rank.FLAG: 1, Rank.SPY: 1, Rank.SCOUT: 1, Rank.MARSHAL: 1}),
    reach=REACH,
    law=Law(max_plies=5),
)
"""Ours: four men on a board of sixteen squares, five plies long, so that every game of it can be walked through."""

VARIANTS: MappingProxyType[str, Variant] = MappingProxyType({game.name: game for game in (CLASSIC, MICRO)})

PRESETS: MappingProxyType[str, Law] = MappingProxyType(
    {
        "isf": Law(),
        "isf2006": Law(two_square_limit=5),
        "online": Law(max_quiet_plies=200, max_plies=2000, limit_test="more-than", flag_beats_limit=False),
        "online-replay": Law(
            more_squares="type", max_quiet_plies=200, max_plies=2000, limit_test="more-than", flag_beats_limit=False
        ),
        "gravon-web": Law(two_square_limit=5, stuck_check="on_turn"),
        "box-modern": Law(stuck_check="on_turn"),
        "box-us-old": Law(two_square_limit=2, more_squares="off", scout_move_and_strike=False, stuck_check="on_turn"),
        "box-us": Law(more_squares="off", stuck_check="on_turn"),
        "family": Law(two_square_limit=None, more_squares="off", stuck_check="on_turn"),
        "ucc2012": Law(two_square_limit=None, more_squares="off", stuck_check="piece-count", max_plies=10000),
        "jb-env": Law(
            two_square_scope="exact-squares",
            two_square_counts_attacks=False,
            more_squares="off",
            stuck_check="on_turn",
            max_plies=2000,
        ),
    }
)
"""The laws of R11.4 by name."""


def variant(name: str, **switches: Any) -> Variant:
    """The named game, with switches of its law set. Raises NotFound, BadVariant.

    >>> variant("classic", bomb_once=True).law.bomb_once
    True
    """
    found = VARIANTS.get(name)
    if found is None:
        raise NotFound("no variant has this name", code="unknown_variant", name=name[:60])
    return found.with_law(**switches) if switches else found


def preset(name: str, **switches: Any) -> Law:
    """The named law, with switches set. Raises NotFound, BadVariant."""
    found = PRESETS.get(name)
    if found is None:
        raise NotFound("no preset of the law has this name", code="unknown_preset", name=name[:60])
    return law_from(switches, found)
