"""Ataraxos: recorded games as a board and numbers, and board strings of two hundred signs (R14.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from flagfall.archive import actions, letters
from flagfall.archive.armies import plain_moves, variant_of
from flagfall.archive.border import GAME_CAP, PLIES_CAP, lines, text
from flagfall.archive.found import Deviation, Format, Found, Kind, Place, Refused
from flagfall.errors import JsonValue, NotAllowed, Unreadable
from flagfall.rules.board import Move, Seat, Square

LAW: Mapping[str, JsonValue] = {
    "max_quiet_plies": 200,
    "max_plies": 4000,
    "limit_test": "more-than",
    "flag_beats_limit": False,
}
"""The law of its records, over the variant's own; positions are compared by identity, which bars no more than type."""

CELLS = 200
MOVED, UNMOVED = ".", "@"
_CELLS = re.compile(rb"(?:[A-Za-z_][.@]){100}\r?(?:\n|$)", re.ASCII)
_BOARD = re.compile(rb"[A-Za-z_]{100}\s*(\n\s*\d|$)", re.ASCII)


def read_board(line: str, place: Place, name: str) -> Found:
    """The position of a board string. Raises Unreadable `board_length`, `bad_mark`, and what `letters.field` raises.

    >>> line = "".join(sign + "@" for sign in "a" * 35 + "l" + "a" * 6 + "__aa__aaaa__aa__" + "a" * 42)
    >>> found = read_board(line[:71] + "." + line[72:], Place("x"), "x")
    >>> found.armies[0][Square(35)].name, sorted(found.known), sorted(found.moved)
    ('MARSHAL', [35], [35])
    """
    if len(line) != CELLS:
        raise place.error(f"a board string has {CELLS} signs, not {len(line)}", "board_length", have=len(line))
    odd = next((number for number, mark in enumerate(line[1::2]) if mark not in (MOVED, UNMOVED)), None)
    if odd is not None:
        raise place.at(place.line, 2 * odd + 2).error("after each sign stands . or @", "bad_mark")
    board = letters.field(line[::2], place, small=True)
    men = board.red.keys() | board.blue.keys()
    moved = frozenset(Square(at) for at, mark in enumerate(line[1::2]) if mark == MOVED)
    stray = moved - men
    notes = [Deviation("moved_nobody", "R14.4", "an empty square is marked as moved", place)] if stray else []
    return Found(
        kind=Kind.POSITION,
        format=name,
        place=place,
        variant=variant_of((Seat.RED, board.red), (Seat.BLUE, board.blue)),
        law=LAW,
        armies=board.armies,
        known=board.small,
        moved=moved & men,
        deviations=tuple(notes),
    )


def board_text(found: Found) -> str:
    """The board string of a position. Raises NotAllowed `not_in_this_format`."""
    red, blue = found.armies
    if red is None or blue is None:
        raise NotAllowed("a board string has two armies", code="not_in_this_format")
    signs = letters.field_text(red, blue, empty="a", small=found.known)
    return "".join(sign + (MOVED if at in found.moved else UNMOVED) for at, sign in enumerate(signs))


def game_of(board: str, numbers: Sequence[int], place: Place, name: str) -> Found:
    """The game of a board, of a hundred or two hundred signs, and action numbers. Raises Unreadable."""
    if len(numbers) > PLIES_CAP:
        raise place.error(f"a game has at most {PLIES_CAP} plies", "too_many_plies")
    start = read_board(board, place, name) if len(board) == CELLS else None
    armies = letters.field(board, place, small=True).armies if start is None else start.armies
    red, blue = armies
    return Found(
        kind=Kind.GAME,
        format=name,
        place=place,
        variant=variant_of((Seat.RED, red or {}), (Seat.BLUE, blue or {})),
        law=LAW,
        armies=armies,
        moves=tuple(_move(number, ply, place) for ply, number in enumerate(numbers)),
        known=frozenset() if start is None else start.known,
        moved=frozenset() if start is None else start.moved,
        deviations=() if start is None else start.deviations,
    )


def _move(number: int, ply: int, place: Place) -> Move:
    """Raises Unreadable `bad_action` at the line that the number has in a text."""
    try:
        return actions.move_of(number, Seat(ply % 2))
    except Unreadable as error:
        raise place.at(place.line + ply + 1, 1).error(str(error), error.stable_code) from None


def read_game(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The one game of a file: a board, then a number a line. Raises Unreadable.

    `too_large`, `wrong_encoding`, `not_text`, `bad_action`, `too_many_plies`, and what `letters.field` raises.
    """
    if len(data) > GAME_CAP:
        raise place.error(f"a file of one game has at most {GAME_CAP} bytes", "too_large")
    said = text(data, place)
    found = [line.strip() for line in lines(said)]
    while found and not found[-1]:
        found.pop()
    if not found:
        raise place.at(1, 1).error("this file is empty", "empty")
    numbers = []
    for number, line in enumerate(found[1:], 2):
        if not (line.isascii() and line.isdigit() and len(line) <= 4):
            raise place.at(number, 1).error("an action is a number 0 to 1799, one a line", "bad_action")
        numbers.append(int(line))
    game = game_of(found[0], numbers, place.at(1), GAMES.name)
    if not said.endswith("\n"):
        # A number cut short is a number: this is all that such a file shows of having been cut off.
        cut = Deviation("no_last_line_end", "R14.4", "the last line has no end: perhaps it is cut off", place)
        game = replace(game, deviations=(*game.deviations, cut))
    yield game


def write_game(games: Sequence[Found]) -> bytes:
    """The file of one game. Raises NotAllowed `not_in_this_format`."""
    if len(games) != 1 or games[0].kind is not Kind.GAME:
        raise NotAllowed("an Ataraxos file holds one game", code="not_in_this_format")
    board, numbers = plain(games[0])
    return "\n".join([board, *map(str, numbers), ""]).encode()


def plain(found: Found) -> tuple[str, list[int]]:
    """A game's board of a hundred signs and its action numbers. Raises NotAllowed `not_in_this_format`."""
    red, blue = found.armies
    if red is None or blue is None or found.first is not Seat.RED:
        raise NotAllowed("Ataraxos records games of two armies that Red began", code="not_in_this_format")
    plain_moves(found)
    numbers = [actions.action_of(move, Seat(ply % 2)) for ply, move in enumerate(found.moves)]
    return letters.field_text(red, blue, empty="a"), numbers


def read_boards(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The positions of a file, one a line. Raises Unreadable `wrong_encoding`, `not_text`."""
    for number, line in enumerate(lines(text(data, place)), 1):
        if line.strip():
            try:
                yield read_board(line.strip(), place.at(number, 1), BOARDS.name)
            except Unreadable as error:
                yield Refused.of(error, place.at(number, 1))


def write_boards(positions: Sequence[Found]) -> bytes:
    """A line a position. Raises NotAllowed `not_in_this_format`."""
    return "".join(board_text(found) + "\n" for found in positions).encode()


def _sniff(_: str, head: bytes) -> bool:
    """A board with numbers below it, or a lone one whose empty squares are small letters."""
    found = _BOARD.match(head)
    return found is not None and (bool(found[1]) or b"a" in head[:100])


GAMES = Format(
    name="ataraxos-game",
    title="Ataraxos's recorded games",
    suffixes=(".txt",),
    sniff=_sniff,
    read=read_game,
    write=write_game,
    writes=frozenset({Kind.GAME}),
    single=True,
)
BOARDS = Format(
    name="ataraxos-boards",
    title="Ataraxos's board strings, one a line",
    suffixes=(".txt",),
    sniff=lambda _, head: bool(_CELLS.match(head)),
    read=read_boards,
    write=write_boards,
    writes=frozenset({Kind.POSITION}),
)
