"""yorktown, the OpenSpiel fork: positions of a hundred letters, whose turn, and the ply; its moves (R14.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flagfall.archive import letters
from flagfall.archive.armies import variant_of
from flagfall.archive.border import lines, text
from flagfall.archive.found import Format, Found, Kind, Place, Refused
from flagfall.errors import NotAllowed, Unreadable
from flagfall.rules.board import Move, Seat, Square, make_move, origin, square, target
from flagfall.rules.pieces import Rank

_LINE = re.compile(r"([A-Za-z_?]{100}) ([rb]) (\d{1,6})", re.ASCII)
_HEAD = re.compile(rb"[A-Za-z_?]{100} [rb] \d", re.ASCII)
_MOVE = re.compile(r"([a-ik])([1-9:])(?:\[\w{1,2}\])?[-x]?([a-ik])([1-9:])(?:\[\w{1,2}\])?", re.ASCII)
_FILES = "abcdefghik"


def read_position(line: str, place: Place) -> Found:
    """The position of a line: capitals hidden, small letters public, `?` a hidden enemy of whose view it is.

    Raises Unreadable `bad_line`, `two_views` where hidden men of both sides and `?` stand together, and what
    `letters.field` raises.
    """
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise place.error("a line is a hundred letters, r or b, and a ply", "bad_line")
    turn = Seat.RED if parts[2] == "r" else Seat.BLUE
    board = letters.field(parts[1], place, small=True, unknown=_hidden_side(parts[1], turn, place))
    men = board.red.keys() | board.blue.keys()
    hidden = Rank.UNKNOWN in board.red.values() or Rank.UNKNOWN in board.blue.values()
    return Found(
        kind=Kind.POSITION,
        format=YORKTOWN.name,
        place=place,
        variant="custom" if hidden else variant_of((Seat.RED, board.red), (Seat.BLUE, board.blue)),
        armies=board.armies,
        first=turn,
        known=board.small & men,
        ply=int(parts[3]),
    )


def _hidden_side(signs: str, turn: Seat, place: Place) -> Seat | None:
    """Whose men the `?` are: not those of the side with capitals, else those of the side not to move."""
    if "?" not in signs:
        return None
    capitals = {letters.MEN[sign][0] for sign in signs if sign in letters.MEN}
    if len(capitals) == 2:
        raise place.error("a view hides the men of one side only", "two_views")
    return next(iter(capitals), turn).other


def position_text(found: Found) -> str:
    """The line of a position. Raises NotAllowed `not_in_this_format`."""
    red, blue = found.armies
    if red is None or blue is None or found.moves:
        raise NotAllowed("yorktown's strings are positions", code="not_in_this_format")
    signs = letters.field_text(red, blue, small=found.known, unknown=True)
    if "?" in signs and _hidden_side(signs, found.first, found.place) is not _unknown_side(found):
        raise NotAllowed("yorktown's strings hide the men of one side", code="not_in_this_format")
    return f"{signs} {'rb'[found.first]} {found.ply}"


def _unknown_side(found: Found) -> Seat | None:
    sides = [seat for seat in Seat if Rank.UNKNOWN in (found.armies[seat] or {}).values()]
    return sides[0] if len(sides) == 1 else None


def read_move(word: str, place: Place) -> Move:
    """The move that `a4a5`, `a4[3]-a5` or `a4[3]xa5` names; `:` is the tenth row. Raises Unreadable `bad_move`.

    >>> from flagfall.rules.notation import move_text
    >>> move_text(read_move("k9k:", Place("x"))), move_text(read_move("a4[3]-a5", Place("x")))
    ('j9-j10', 'a4-a5')
    """
    found = _MOVE.fullmatch(word)
    if found is None:
        raise place.error("a move is written a4a5 or a4[3]-a5", "bad_move")
    return make_move(_square(found[1], found[2]), _square(found[3], found[4]))


def move_text(move: int) -> str:
    """A move as yorktown writes it.

    >>> move_text(read_move("k9k:", Place("x")))
    'k9k:'
    """
    return "".join(_FILES[at % 10] + chr(ord("1") + at // 10) for at in (origin(move), target(move)))


def _square(file: str, row: str) -> Square:
    return square(_FILES.index(file), ord(row) - ord("1"))


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The positions of a file, one a line. Raises Unreadable `wrong_encoding`, `not_text`."""
    for number, line in enumerate(lines(text(data, place)), 1):
        here = place.at(number, 1)
        if line.strip():
            try:
                yield read_position(line.strip(), here)
            except Unreadable as error:
                yield Refused.of(error, here)


def write(positions: Sequence[Found]) -> bytes:
    """A line a position. Raises NotAllowed `not_in_this_format`."""
    return "".join(position_text(found) + "\n" for found in positions).encode()


YORKTOWN = Format(
    name="yorktown",
    title="yorktown's position strings",
    suffixes=(".txt",),
    sniff=lambda _, head: bool(_HEAD.match(head)),
    read=read,
    write=write,
    writes=frozenset({Kind.POSITION}),
)
