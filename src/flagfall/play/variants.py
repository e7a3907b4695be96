"""The catalogue told on a terminal: a line for each game, or one game drawn and described."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill

from flagfall.errors import BadMessage, BadVariant
from flagfall.play.clock import Control, Kind
from flagfall.rules.board import FILES
from flagfall.rules.catalog import entry_or_file
from flagfall.rules.entry import Entry
from flagfall.rules.events import Outcome
from flagfall.rules.form import USUAL_REACH
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import FAR, Law, Variant

WIDTH = 80
PLURALS = {Rank.SPY: "spies"}


def opened(word: str) -> Entry:
    """The named game, or that of a JSON file, its clock tried as well.

    Raises NotFound, Unreadable, BadVariant; each names the file.
    """
    entry = entry_or_file(word)
    try:
        usual_control(entry)
    except BadVariant as fault:
        told = f"{word}: {fault.sentence} (field {fault.params['field']})"
        raise BadVariant(told, code=fault.stable_code, **fault.params) from None
    return entry


def usual_control(entry: Entry) -> Control | None:
    """The clock that an entry is usually played with. Raises BadVariant `bad_clock` with the field that is wrong."""
    if entry.clock is None:
        return None
    try:
        return Control.from_json(entry.clock)
    except BadMessage as fault:
        raise BadVariant(str(fault), code=fault.stable_code, field=f"clock.{fault.params['field']}") from None


def listed(entries: Iterable[Entry]) -> str:
    """A line for each game: its name, board and men."""
    return "\n".join(
        f"{each.variant.name:<20} {_size(each.variant)}, {each.variant.men} men a side" for each in entries
    )


def drawn(entry: Entry) -> str:
    """One game: its board, men, law, clock, source, and what it is like."""
    game = entry.variant
    parts = [game.name, board(game), "b, r: home areas of Blue and Red   ~: water   .: open ground"]
    parts += ["\n".join(line for line in _facts(entry) if line)]
    parts += [fill(entry.about, WIDTH)] if entry.about else []
    return "\n\n".join(parts)


def board(game: Variant) -> str:
    """The board as Red sees it, with rows and files named as in R1."""
    rows = [f"{game.height - down:>2} {' '.join(row)}" for down, row in enumerate(game.drawing())]
    return "\n".join([*rows, "   " + " ".join(FILES[: game.width])])


def _facts(entry: Entry) -> list[str]:
    game = entry.variant
    return [_army(game), _reach(game), _battles(game), _law(game.law), _clock(entry), _source(entry)]


def _reach(game: Variant) -> str:
    """Ranks that move otherwise than in Classic (R5)."""
    odd = [rank for rank in RANKS if game.army.get(rank) and game.reach.get(rank, 0) != USUAL_REACH[rank]]
    told = ", ".join(f"{rank.word} {_far(game.reach.get(rank, 0))}" for rank in odd)
    return fill(f"Moves: {told}", WIDTH, subsequent_indent="  ") if told else ""


def _far(reach: int) -> str:
    return {0: "never", FAR: "any distance"}.get(reach, f"up to {reach} square{'' if reach == 1 else 's'}")


def _battles(game: Variant) -> str:
    """Battles that end otherwise than in Classic (R6)."""
    ends = {Outcome.ATTACKER: "attacker wins", Outcome.DEFENDER: "defender wins", Outcome.BOTH: "both fall"}
    told = ", ".join(f"{mine.word} attacks {theirs.word}: {ends[end]}" for mine, theirs, end in game.battles)
    return fill(f"Battles: {told}", WIDTH, subsequent_indent="  ") if told else ""


def _size(game: Variant) -> str:
    return f"{game.width} by {game.height} squares"


def _army(game: Variant) -> str:
    counts = [(rank, game.army[rank]) for rank in RANKS if game.army.get(rank)]
    men = ", ".join(f"{count} {_plural(rank) if count > 1 else rank.word}" for rank, count in counts)
    areas = sorted({len(area) for area in game.home})
    places = " and ".join(str(area) for area in areas)
    return fill(f"Army: {game.men} men on {places} squares: {men}", WIDTH, subsequent_indent="  ")


def _plural(rank: Rank) -> str:
    return PLURALS.get(rank, rank.word + "s")


def _law(law: Law) -> str:
    """The switches that differ from the tournament law (R11.4)."""
    apart = law.departures(Law())
    told = ", ".join(f"{switch} = {'off' if value is None else _word(value)}" for switch, value in apart.items())
    return fill(f"Law: the preset isf{', but ' + told if told else ''}", WIDTH, subsequent_indent="  ")


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _clock(entry: Entry) -> str:
    control = usual_control(entry)
    return f"Clock: {clock_text(control)}" if control else "Clock: none"


def clock_text(control: Control) -> str:
    """A clock in words."""
    spans = {name: _span(getattr(control, name)) for name in ("main_ms", "add_ms", "cap_ms", "setup_ms")}
    told = {
        Kind.SUDDEN_DEATH: f"{spans['main_ms']} for the game",
        Kind.FISCHER: f"{spans['main_ms']}, and {spans['add_ms']} more with every move",
        Kind.BRONSTEIN: f"{spans['main_ms']}, and up to {spans['add_ms']} of a move given back",
        Kind.PER_MOVE: f"{spans['cap_ms']} a move",
    }[control.kind]
    if control.cap_ms is not None and control.kind is not Kind.PER_MOVE:
        told += f", at most {spans['cap_ms']} a move"
    return told if control.setup_ms is None else f"{told}; {spans['setup_ms']} to set up"


def _span(length_ms: int | None) -> str:
    """A length of time in words."""
    seconds = (length_ms or 0) / 1000
    if seconds < 60 or seconds % 60:
        return f"{seconds:g} seconds"
    return f"{seconds / 60:g} minute{'' if seconds == 60 else 's'}"


def _source(entry: Entry) -> str:
    return fill(f"Source: {entry.source}", WIDTH, subsequent_indent="  ") if entry.source else ""
