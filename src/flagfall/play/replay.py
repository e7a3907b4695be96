"""A record shown as boards, both armies open, after it was played again through the referee."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from flagfall.errors import NotFound
from flagfall.play.events import Moved
from flagfall.play.reading import LONGEST_TEXT, read_record
from flagfall.play.record import Record
from flagfall.play.referee import Referee
from flagfall.rules.board import FILES, square
from flagfall.rules.events import Outcome, Played, Result
from flagfall.rules.notation import ply_text
from flagfall.rules.pieces import Numbering, rank_text
from flagfall.rules.view import View


def load(path: Path, game: int = 1) -> Record:
    """The record in a file, or the one of that number, from 1, in a file of a match.

    Raises NotFound `no_file` or `no_such_game`, Unreadable.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST_TEXT + 1)
    except OSError:
        raise NotFound("this file cannot be opened", code="no_file") from None
    return read_record(text if (records := _of_match(text)) is None else _numbered(records, game))


def _of_match(text: bytes) -> list[object] | None:
    """The records in the file of a match; None where it is none."""
    try:
        form = json.loads(text)
    except (ValueError, RecursionError):
        return None
    records = form.get("records") if isinstance(form, dict) else None
    return records if isinstance(records, list) else None


def _numbered(records: list[object], game: int) -> str:
    """The text of one record of a match. Raises NotFound `no_such_game`."""
    if not 1 <= game <= len(records):
        raise NotFound(f"this match has the games 1 to {len(records)}", code="no_such_game")
    entry = records[game - 1]
    return json.dumps(entry.get("record") if isinstance(entry, dict) else entry)


def walk(record: Record) -> Iterator[tuple[Played | None, View, View]]:
    """Red's and blue's views at the start and after each ply, the ply with them; nothing if no board was ever set up.

    The two views are the same objects throughout. Raises Unreadable for a game that cannot have been, NotAllowed
    `not_over` for one that is not over.
    """
    referee = Referee.resume(record, now_ms=0)
    red_army, blue_army = referee.armies()
    if red_army is None or blue_army is None:
        return
    variant, first = record.terms.variant, record.terms.first
    red = View.start(variant, red_army, blue_army.squares, first=first)
    blue = View.start(variant, blue_army, red_army.squares, first=first)
    yield None, red, blue
    for event in referee.events(None):
        if isinstance(event.fact, Moved):
            red.fold(event.fact.played)
            blue.fold(event.fact.played)
            yield event.fact.played, red, blue


def board(red: View, blue: View, numbering: Numbering = Numbering.MODERN) -> str:
    """The board with both armies open, Blue's back row on top: Red's men as `r6`, Blue's as `b6`."""
    own = [man for view in (red, blue) for man in view.men() if man.seat is view.seat]
    standing = {
        man.square: f"{man.seat.word[0]}{rank_text(man.rank, numbering)}" for man in own if man.square is not None
    }
    standing |= dict.fromkeys(red.variant.lakes, "~~")
    lines = []
    for row in range(red.variant.height - 1, -1, -1):
        signs = [standing.get(square(file, row), ".") for file in range(red.variant.width)]
        lines.append(f"{row + 1:>2} " + " ".join(f"{sign:<3}" for sign in signs).rstrip())
    return "\n".join([*lines, "   " + "   ".join(FILES[: red.variant.width])])


def show(path: Path, game: int = 1, numbering: Numbering = Numbering.MODERN) -> int:
    """Print a recorded game: every ply, and the board at the start, after every battle and at the end."""
    record = load(path, game)
    sys.stdout.writelines(f"{line}\n" for line in lines(record, numbering))
    return 0


def lines(record: Record, numbering: Numbering = Numbering.MODERN) -> Iterator[str]:
    """What `show` prints. Raises Unreadable, NotAllowed `not_over`."""
    yield f"{record.terms.variant.name}: " + " against ".join(sitter.name for sitter in record.terms.sitters)
    ranks = "10 is the marshal, 1 the spy" if numbering is Numbering.MODERN else "1 is the marshal, S the spy"
    yield f"{ranks}; x attacks, + attacker stays, - attacker falls, = both fall, # flag taken"
    since: list[str] = []
    for played, red, blue in walk(record):
        if played is not None:
            since.append(f"{played.ply}. {ply_text(played, numbering)}")
        if played is None or played.outcome is not Outcome.QUIET or played.result is not Result.GOING:
            yield from ["", *textwrap.wrap("  ".join(since), 100), board(red, blue, numbering)]
            since.clear()
    yield from ["", *textwrap.wrap("  ".join(since), 100)]
    ending = "a draw" if record.result is Result.DRAW else f"{record.result.word} wins"
    yield f"{ending} ({record.reason.word}) after {record.plies} plies"
