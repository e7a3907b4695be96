"""Seats, squares and moves: the coordinates of R1 and their names.

A `Square` is 10·(row-1)+file for every board, whatever its size, so that one number names one place everywhere (R1).
A `Move` packs the cells of its two squares in the padded 12x12 mailbox of `layout`: opaque outside this room. It may
order a rescue as well (R13.2): the man, named by the square where he began, and the square where he is put.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NewType

from flagfall.errors import Unreadable

Square = NewType("Square", int)
Move = NewType("Move", int)

FILES = "abcdefghij"
MAX_FILES = 10
MAX_ROWS = 10
STRIDE = 12


class Seat(IntEnum):
    """The two sides of a table; Red sits behind row 1 (R1)."""

    RED = 0
    BLUE = 1

    @property
    def other(self) -> Seat:
        """The seat across the board."""
        return Seat(1 - self)

    @property
    def word(self) -> str:
        """`red` or `blue`, as messages and records write it."""
        return self.name.lower()

    @staticmethod
    def of(word: str) -> Seat:
        """The seat named `word`. Raises Unreadable."""
        if word not in ("red", "blue"):
            raise Unreadable("a seat is red or blue", code="bad_seat")
        return Seat.RED if word == "red" else Seat.BLUE


def square(file: int, row: int) -> Square:
    """The square on `file` 0..9 and `row` 0..9, both counted from Red's left corner."""
    return Square(10 * row + file)


def square_name(at: int) -> str:
    """`e4` for 34.

    >>> square_name(34)
    'e4'
    """
    return f"{FILES[at % 10]}{at // 10 + 1}"


SQUARE_NAMES: tuple[str, ...] = tuple(square_name(at) for at in range(100))
_SQUARES: dict[str, Square] = {name: Square(at) for at, name in enumerate(SQUARE_NAMES)}


def parse_square(text: str) -> Square:
    """The square named `text`, `a1` to `j10`. Raises Unreadable.

    >>> parse_square("j10")
    99
    """
    found = _SQUARES.get(text)
    if found is None:
        raise Unreadable("a square is a letter a to j and a row 1 to 10", code="bad_square")
    return found


def cell_of(at: int) -> int:
    """The mailbox cell of a square: a border of wall all round saves every edge test."""
    return (at // 10 + 1) * STRIDE + at % 10 + 1


def square_of(cell: int) -> Square:
    """The square of a mailbox cell that lies on the board."""
    return Square((cell // STRIDE - 1) * 10 + cell % STRIDE - 1)


def make_move(from_square: int, to_square: int) -> Move:
    """The move between two squares; says nothing of its legality."""
    return Move(cell_of(from_square) << 8 | cell_of(to_square))


def origin(move: int) -> Square:
    """The square that a move leaves."""
    return square_of(move >> 8 & 255)


def target(move: int) -> Square:
    """The square that a move goes to."""
    return square_of(move & 255)


_CELL_NAMES = tuple(square_name(square_of(cell)) for cell in range(STRIDE * STRIDE))


def named(move: int) -> tuple[str, str]:
    """The names of the two squares of a move; moves in the order of their numbers are in that of their squares.

    >>> named(make_move(34, 44))
    ('e4', 'e5')
    """
    return _CELL_NAMES[move >> 8 & 255], _CELL_NAMES[move & 255]


def with_rescue(move: int, man: int, put: int) -> Move:
    """The move with a rescue: the man who began on square `man` is put on square `put`.

    >>> order = with_rescue(make_move(81, 91), 12, 5)
    >>> rescued(order), put_square(order), target(order), plain(order) == make_move(81, 91)
    (12, 5, 91, True)
    """
    return Move(plain(move) | cell_of(put) << 16 | cell_of(man) << 24)


def plain(move: int) -> Move:
    """The move without its rescue: as lists of legal moves have it."""
    return Move(move & 0xFFFF)


def rescued(move: int) -> Square | None:
    """The square where the man began that a move brings back, None for no rescue."""
    return square_of(move >> 24 & 255) if move >> 16 else None


def put_square(move: int) -> Square | None:
    """The square where a move puts the man that it brings back, None for no rescue."""
    return square_of(move >> 16 & 255) if move >> 16 else None


def turned(at: int, width: int, height: int) -> Square:
    """The same place as the other player sees it: the board turned by 180 degrees (R1)."""
    return Square(10 * (height - 1 - at // 10) + width - 1 - at % 10)
