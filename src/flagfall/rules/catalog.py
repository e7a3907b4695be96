"""The named games and the named laws, with their sources (R11.4, R13.1)."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from flagfall.errors import NotAllowed, NotFound
from flagfall.rules.entry import Entry
from flagfall.rules.variant import Law, Variant, law_from

ORDER = (
    "classic",
    "original",
    "fortress",
    "barrage",
    "duel",
    "duel-us",
    "quick-battle",
    "octa-barrage",
    "ultimate-lightning",
    "electronic",
    "free",
    "micro",
)
"""The entries as people see them listed; each is a file of the folder `games` (R13.1)."""


def _stored(name: str) -> Entry:
    return Entry.parse(resources.files("flagfall.rules").joinpath("games", f"{name}.json").read_text(encoding="utf-8"))


_entries = {name: _stored(name) for name in ORDER}
_variants = {name: entry.variant for name, entry in _entries.items()}
ENTRIES: MappingProxyType[str, Entry] = MappingProxyType(_entries)
VARIANTS: MappingProxyType[str, Variant] = MappingProxyType(_variants)

CLASSIC = VARIANTS["classic"]
"""The game of 40 men a side (R1, R2, R13.1)."""

MICRO = VARIANTS["micro"]
"""Ours: four men on a board of sixteen squares, five plies long, so that every game of it can be walked through."""

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


def entry(name: str) -> Entry:
    """The named entry of the catalogue. Raises NotFound."""
    found = ENTRIES.get(name)
    if found is None:
        raise NotFound("no variant has this name", code="unknown_variant", name=name[:60])
    return found


def entry_or_file(word: str) -> Entry:
    """The named entry, or that of a JSON file: whatever ends in `.json` or has a slash in it is a file.

    Raises NotFound, Unreadable, BadVariant.
    """
    path = Path(word)
    return Entry.read(path) if path.suffix.lower() == ".json" or len(path.parts) > 1 else entry(word)


def adopt(entry: Entry) -> None:
    """Make a user's own game known by its name in this process. Raises NotAllowed where another game has the name."""
    game = entry.variant
    if game.name in _variants and _variants[game.name] != game:
        raise NotAllowed(f"the catalogue has another game called {game.name}", code="name_taken", name=game.name)
    _entries.setdefault(game.name, entry)
    _variants.setdefault(game.name, game)


def variant(name: str, **switches: Any) -> Variant:
    """The named game, with switches of its law set. Raises NotFound, BadVariant.

    >>> variant("classic", bomb_once=True).law.bomb_once
    True
    """
    found = entry(name).variant
    return found.with_law(**switches) if switches else found


def preset(name: str, **switches: Any) -> Law:
    """The named law, with switches set. Raises NotFound, BadVariant."""
    found = PRESETS.get(name)
    if found is None:
        raise NotFound("no preset of the law has this name", code="unknown_preset", name=name[:60])
    return law_from(switches, found)
