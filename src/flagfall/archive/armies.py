"""What foreign formats ask of ours: which game an army belongs to (R13.1), and moves without rescues."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from flagfall.archive.found import Army, Found
from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat, Square, rescued
from flagfall.rules.catalog import CLASSIC, VARIANTS
from flagfall.rules.pieces import Rank
from flagfall.rules.variant import Variant

CUSTOM = "custom"
"""The name for men that are no army of the catalogue: a position, not the start of a game of ours."""


def variant_of(*armies: tuple[Seat, Army]) -> str:
    """The first game on Classic's board whose legal armies these all are, or `custom`."""
    names = [_game(tuple(sorted(Counter(army.values()).items())), seat, frozenset(army)) for seat, army in armies]
    return names[0] if len(set(names)) == 1 else CUSTOM


@lru_cache(maxsize=1024)
def _game(counts: tuple[tuple[Rank, int], ...], seat: Seat, squares: frozenset[Square]) -> str:
    for name, game in VARIANTS.items():
        if _same_board(game) and game.army == dict(counts) and squares <= set(game.home[seat]):
            return name
    return CUSTOM


def _same_board(game: Variant) -> bool:
    return (game.width, game.height, game.lakes) == (CLASSIC.width, CLASSIC.height, CLASSIC.lakes)


def plain_moves(found: Found) -> None:
    """Whether no move of a game brings a man back, which no foreign format can say. Raises NotAllowed."""
    if any(rescued(move) is not None for move in found.moves):
        raise NotAllowed("this format knows no rescues", code="not_in_this_format")
