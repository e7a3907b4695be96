"""Flagfall's texts for people as files: sheets of games, one or many a file, and positions from a seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flagfall.archive.border import lines, text
from flagfall.archive.found import Format, Found, Kind, Place, Refused
from flagfall.archive.replaying import found_of, record_of
from flagfall.errors import Unreadable
from flagfall.play import sheet
from flagfall.play.sheet_reading import read_sheet
from flagfall.rules import diagram_text
from flagfall.rules.board import Seat


def read_sheets(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every sheet of a file; one that cannot be read is stepped over. Raises Unreadable for what is no text."""
    for here, piece in _pieces(text(data, place), place, sheet.FORMAT):
        try:
            yield found_of(read_sheet(piece), here, SHEET.name)
        except Unreadable as error:
            yield _refused(error, here)


def read_positions(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every position of a file. Raises Unreadable for what is no text."""
    for here, piece in _pieces(text(data, place), place, diagram_text.FORMAT):
        try:
            yield _position(piece, here)
        except Unreadable as error:
            yield _refused(error, here)


def write_sheets(games: Sequence[Found]) -> bytes:
    """A sheet a game; one found elsewhere is played through the referee first. Raises Unreadable."""
    return "\n".join(sheet.sheet_text(record_of(found)[0]) for found in games).encode()


def _pieces(said: str, place: Place, form: str) -> Iterator[tuple[Place, str]]:
    """The parts of a text that begin with the format's line, each with its place."""
    rows = lines(said)
    starts = [number for number, row in enumerate(rows) if row.rstrip() == form]
    if not starts:
        raise place.at(1, 1).error(f"no line is {form}", "wrong_format")
    starts[0] = 0
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        yield place.at(start + 1, 1), "\n".join(rows[start:end])


def _refused(error: Unreadable, here: Place) -> Refused:
    """The error of a part as one of the file: its line counted from the file's beginning."""
    line, column = error.params.get("line"), error.params.get("column")
    at = here.at(here.line - 1 + line, column) if isinstance(line, int) and isinstance(column, int) else here
    rest = {name: value for name, value in error.params.items() if name not in ("file", "line", "column")}
    sentence = str(error).partition(": ")[2] or str(error)
    return Refused(at, at.error(sentence, error.stable_code, **rest))


def _position(piece: str, here: Place) -> Found:
    view = diagram_text.parse_diagram(piece).view()
    men = {man.square: man for man in view.men() if man.square is not None}
    red, blue = ({at: man.rank for at, man in men.items() if man.seat is seat} for seat in Seat)
    return Found(
        kind=Kind.POSITION,
        format=POSITION.name,
        place=here,
        variant=view.variant.name,
        armies=(red, blue),
        first=view.turn,
        known=frozenset(at for at, man in men.items() if man.known),
        moved=frozenset(at for at, man in men.items() if man.moved),
        ply=view.ply,
    )


def _begins(head: bytes, form: str) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").startswith(form.encode())


SHEET = Format(
    name="sheet",
    title="Flagfall's sheets of games, for people",
    suffixes=(".flagfall", ".txt"),
    sniff=lambda _, head: _begins(head, sheet.FORMAT),
    read=read_sheets,
    write=write_sheets,
    writes=frozenset({Kind.GAME}),
)
POSITION = Format(
    name="position",
    title="positions as a seat sees them, for people",
    suffixes=(".position", ".txt"),
    sniff=lambda _, head: _begins(head, diagram_text.FORMAT),
    read=read_positions,
)
