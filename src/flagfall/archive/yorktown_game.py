"""yorktown's saved games: the position it began from, then an action number a line (R14.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from flagfall.archive.armies import plain_moves
from flagfall.archive.border import GAME_CAP, PLIES_CAP, lines, text
from flagfall.archive.found import Deviation, Format, Found, Kind, Place, Refused
from flagfall.archive.yorktown import position_text, read_position
from flagfall.errors import JsonValue, NotAllowed, Unreadable
from flagfall.rules.board import Move, Seat, make_move, origin, square, target

LAW: Mapping[str, JsonValue] = {
    "two_square_limit": None,
    "more_squares": "off",
    "stuck_check": "on_turn",
    "max_plies": 1000,
    "limit_test": "more-than",
}
"""The law of its code: no move is barred for a repetition, and a thousand plies are enough."""

ACTIONS = 3600
_GOALS, _ALONG, _MOST = 36, 18, 9
_GAME = re.compile(rb"[A-Za-z_?]{100} [rb] \d{1,6}\s*\n\s*\d{1,4}\s*(\n|$)", re.ASCII)


def move_of(action: int, seat: Seat) -> Move:
    """The move that a number means: 36 goals a square, along its file from nine rows back, then along its row.

    Squares count file by file. Blue's rows count from his side, but not his files: for him the board is mirrored, not
    turned. Raises Unreadable `bad_action`, for a goal beside the board too.

    >>> from flagfall.rules.notation import move_text
    >>> move_text(move_of(117, Seat.RED)), move_text(move_of(117, Seat.BLUE)), move_text(move_of(35, Seat.RED))
    ('a4-a5', 'a7-a6', 'a1-j1')
    """
    if not 0 <= action < ACTIONS:
        raise Unreadable(f"an action is a number 0 to {ACTIONS - 1}", code="bad_action")
    at, goal = divmod(action, _GOALS)
    (file, row), (along_row, step) = divmod(at, 10), divmod(goal, _ALONG)
    gone = step - _MOST + (step >= _MOST)
    to_file, to_row = (file + gone, row) if along_row else (file, row + gone)
    if not (0 <= to_file <= _MOST and 0 <= to_row <= _MOST):
        raise Unreadable("this action leads off the board", code="bad_action")
    return make_move(square(file, _seen(row, seat)), square(to_file, _seen(to_row, seat)))


def action_of(move: int, seat: Seat) -> int:
    """The number of a move along a row or a file. Raises NotAllowed `not_in_this_format` for any other.

    >>> from flagfall.rules.notation import parse_move
    >>> action_of(parse_move("a4-a5"), Seat.RED), action_of(parse_move("j9-j8"), Seat.BLUE)
    (117, 3285)
    """
    (row, file), (to_row, to_file) = (divmod(at, 10) for at in (origin(move), target(move)))
    row, to_row = _seen(row, seat), _seen(to_row, seat)
    along_row, gone = (1, to_file - file) if row == to_row else (0, to_row - row)
    if not gone or (not along_row and file != to_file):
        raise NotAllowed("an action goes along a row or a file", code="not_in_this_format")
    return (10 * file + row) * _GOALS + _ALONG * along_row + gone + _MOST - (gone > 0)


def _seen(row: int, seat: Seat) -> int:
    """A row as its seat counts."""
    return row if seat is Seat.RED else _MOST - row


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The one game of a file: a position with every rank told, then a number a line.

    Raises Unreadable: `too_large`, `wrong_encoding`, `not_text`, `empty`, `bad_action`, `too_many_plies`, and what
    `yorktown.read_position` raises.
    """
    if len(data) > GAME_CAP:
        raise place.error(f"a file of one game has at most {GAME_CAP} bytes", "too_large")
    said = text(data, place)
    found = [line.strip() for line in lines(said)]
    if not any(found):
        raise place.at(1, 1).error("this file is empty", "empty")
    start = read_position(found[0], place.at(1, 1))
    moves: list[Move] = []
    for number, line in enumerate(found[1:], 2):
        if not line:
            continue
        if not (line.isascii() and line.isdigit() and len(line) <= 4):
            raise place.at(number, 1).error(f"an action is a number 0 to {ACTIONS - 1}, one a line", "bad_action")
        if len(moves) == PLIES_CAP:
            raise place.at(number, 1).error(f"a game has at most {PLIES_CAP} plies", "too_many_plies")
        try:
            moves.append(move_of(int(line), Seat((start.first + len(moves)) % 2)))
        except Unreadable as error:
            raise place.at(number, 1).error(str(error), error.stable_code) from None
    notes = start.deviations
    if not said.endswith("\n"):
        # Two numbers cut short are numbers still: this is all that such a file shows of having been cut off.
        notes += (Deviation("no_last_line_end", "R14.6", "the last line has no end: perhaps it is cut off", place),)
    yield replace(start, kind=Kind.GAME, format=GAME.name, law=LAW, moves=tuple(moves), deviations=notes)


def write(games: Sequence[Found]) -> bytes:
    """The file of one game. Raises NotAllowed `not_in_this_format`."""
    if len(games) != 1 or games[0].kind is not Kind.GAME:
        raise NotAllowed("a file of yorktown's holds one game", code="not_in_this_format")
    plain_moves(games[0])
    game = games[0]
    start = position_text(replace(game, moves=(), known=frozenset(), ply=0))
    numbers = [action_of(move, Seat((game.first + ply) % 2)) for ply, move in enumerate(game.moves)]
    return "\n".join([start, *map(str, numbers), ""]).encode()


GAME = Format(
    name="yorktown-game",
    title="yorktown's saved games",
    suffixes=(".txt",),
    sniff=lambda _, head: bool(_GAME.match(head)),
    read=read,
    write=write,
    writes=frozenset({Kind.GAME}),
    single=True,
)
