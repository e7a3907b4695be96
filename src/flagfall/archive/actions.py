"""Ataraxos's action numbers: 0 to 1799, counted from the side of whoever moves (R14.4)."""

from __future__ import annotations

from flagfall.errors import NotAllowed, Unreadable
from flagfall.rules.board import Move, Seat, Square, make_move, origin, target

ACTIONS = 1800
_LAST = 99


def move_of(action: int, seat: Seat) -> Move:
    """The move that a number means. Raises Unreadable `bad_action`.

    >>> from flagfall.rules.notation import move_text
    >>> move_text(move_of(334, Seat.RED)), move_text(move_of(334, Seat.BLUE)), move_text(move_of(1799, Seat.RED))
    ('e4-e5', 'f7-f6', 'j10-i10')
    """
    if not 0 <= action < ACTIONS:
        raise Unreadable(f"an action is a number 0 to {ACTIONS - 1}", code="bad_action")
    way, source = divmod(action, 100)
    row, file = divmod(source, 10)
    if way < 9:
        goal = 10 * (way if way < row else way + 1) + file
    else:
        goal = 10 * row + (way - 9 if way - 9 < file else way - 8)
    return make_move(Square(_seen(source, seat)), Square(_seen(goal, seat)))


def action_of(move: int, seat: Seat) -> int:
    """The number of a move along a row or a file. Raises NotAllowed `not_in_this_format` for any other.

    >>> from flagfall.rules.notation import parse_move
    >>> action_of(parse_move("e4-f4"), Seat.RED), action_of(parse_move("a1-a10"), Seat.RED)
    (1334, 800)
    """
    source, goal = _seen(origin(move), seat), _seen(target(move), seat)
    (row, file), (to_row, to_file) = divmod(source, 10), divmod(goal, 10)
    if source == goal or (row != to_row and file != to_file):
        raise NotAllowed("an action goes along a row or a file", code="not_in_this_format")
    if file == to_file:
        return 100 * (to_row - (to_row > row)) + source
    return 100 * (9 + to_file - (to_file > file)) + source


def _seen(at: int, seat: Seat) -> int:
    """A square as its seat counts: for Blue the board is turned."""
    return at if seat is Seat.RED else _LAST - at
