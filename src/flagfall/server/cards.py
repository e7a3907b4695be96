"""What the page is told of variants, levels and clocks: public data of the catalogue, the same for everybody."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache

import msgspec

from flagfall.errors import BadMessage, BadVariant, FlagfallError
from flagfall.play import roster
from flagfall.play.clock import DAY_MS, Control
from flagfall.rules.board import Seat, square_name
from flagfall.rules.catalog import ENTRIES, VARIANTS
from flagfall.rules.entry import Entry
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import RANKS
from flagfall.rules.variant import Law, Variant
from flagfall.wire.bodies import Clock, Level
from flagfall.wire.messages import Counts, Homes, Meeting, OutcomeWord, SwitchValue, VariantCard

OUTCOMES: dict[Outcome, OutcomeWord] = {
    Outcome.QUIET: "quiet",
    Outcome.ATTACKER: "attacker",
    Outcome.DEFENDER: "defender",
    Outcome.BOTH: "both",
    Outcome.FLAG: "flag",
}
CARDS_KEPT = 256
CLOCKS = (
    Clock("sudden-death", main_ms=20 * 60_000, setup_ms=5 * 60_000),
    Clock("fischer", main_ms=10 * 60_000, add_ms=5_000, setup_ms=5 * 60_000),
    Clock("bronstein", main_ms=12 * 60_000, add_ms=4_000, setup_ms=5 * 60_000),
    Clock("per-move", cap_ms=15_000, setup_ms=5 * 60_000),
    *(Clock("per-move", cap_ms=days * DAY_MS) for days in (1, 3, 7)),
)
"""Clocks that the page offers: two of our own, the Bronstein clock of tournaments and the contest's seconds (R12), and
days a move for correspondence."""


def card(game: Variant) -> VariantCard:
    """A variant as the page draws it: home areas in their owners' order, back row first."""
    return _drawn(game, VARIANTS.get(game.name))


@lru_cache(maxsize=CARDS_KEPT)
def _drawn(game: Variant, usual: Variant | None) -> VariantCard:
    homes = [[square_name(at) for at in game.home[seat]] for seat in Seat]
    return VariantCard(
        name=game.name,
        own=usual is None,
        digest=game.digest,
        width=game.width,
        height=game.height,
        lakes=[square_name(at) for at in sorted(game.lakes)],
        home=Homes(red=homes[Seat.RED], blue=homes[Seat.BLUE]),
        army=counts(game),
        reach={str(int(rank)): game.reach.get(rank, 0) for rank in RANKS if game.army.get(rank)},
        battles=[Meeting(int(mine), int(theirs), OUTCOMES[end]) for mine, theirs, end in game.battles],
        law=switches(game.law),
        default_law=switches(Law() if usual is None else usual.law),
        default_army=counts(usual or game),
    )


def counts(game: Variant) -> Counts:
    """The men of an army by rank, the canonical numbers as text."""
    return {str(int(rank)): game.army[rank] for rank in RANKS if game.army.get(rank)}


def switches(law: Law) -> dict[str, SwitchValue]:
    """Every switch of a law by its name."""
    return dict(asdict(law))


def usual_clocks() -> dict[str, Clock]:
    """The usual clocks of the catalogue's entries by name, but for those that no table can have."""
    found = {}
    for name, entry in ENTRIES.items():
        with suppress(BadVariant):
            told = usual_clock(entry)
            if told is not None:
                found[name] = told
    return found


def usual_clock(entry: Entry) -> Clock | None:
    """The clock that an entry is usually played with. Raises BadVariant for one that no table can have."""
    if entry.clock is None:
        return None
    try:
        Control.from_json(entry.clock)
        found = msgspec.convert(dict(entry.clock), Clock)
        control_of(found)
    except (msgspec.ValidationError, BadMessage) as fault:
        field = fault.params.get("field") if isinstance(fault, FlagfallError) else None
        at = f"clock.{field}" if isinstance(field, str) else "clock"
        raise BadVariant("no table can have this clock", code="bad_field", field=at) from None
    return found


def cards() -> list[VariantCard]:
    """Every variant of the catalogue."""
    return [card(game) for game in VARIANTS.values()]


def levels() -> list[Level]:
    """The house's levels, the gentlest first."""
    found = [name for name in roster.names() if name.startswith("level-") and name[6:].isdigit()]
    return [Level(name) for name in sorted(found, key=lambda name: int(name[6:]))]


def control_of(spec: Clock | None) -> Control | None:
    """The clock that was ordered. Raises BadMessage `bad_clock` for one that cannot be."""
    if spec is None:
        return None
    return Control.from_json({name: getattr(spec, name) for name in spec.__struct_fields__})


def clock_of(control: Control | None) -> Clock | None:
    """The clock as it was ordered."""
    return None if control is None else msgspec.convert(control.to_json(), Clock)
