"""Gravon's letters: ranks by colour, fields of a hundred signs, and armies of forty (R14.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flagfall.archive.found import Army, Place
from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat, Square
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.pieces import Rank

FIELD = 100
ARMY = 40
EMPTY, LAKE = "A", "_"

_ORDER = (Rank.BOMB, *(Rank(number) for number in range(1, 11)), Rank.FLAG)
LETTERS: Mapping[Seat, Mapping[Rank, str]] = {
    seat: {rank: chr(ord("BN"[seat]) + number) for number, rank in enumerate(_ORDER)} for seat in Seat
}
"""`B` bomb, `C` spy … `L` marshal, `M` flag for Red; twelve letters on for Blue."""

MEN: Mapping[str, tuple[Seat, Rank]] = {
    letter: (seat, rank) for seat, letters in LETTERS.items() for rank, letter in letters.items()
}


@dataclass(frozen=True, slots=True)
class Board:
    """The men of a board of a hundred signs; small: squares whose letter was a small one."""

    red: dict[Square, Rank]
    blue: dict[Square, Rank]
    small: frozenset[Square]

    @property
    def armies(self) -> tuple[Army, Army]:
        """Red's and Blue's men."""
        return self.red, self.blue


def field(text: str, place: Place, *, small: bool = False, unknown: Seat | None = None) -> Board:
    """The men of a field, index 10·(row-1)+file.

    small: small letters are taken as well; unknown: whose man of unknown rank a `?` is, None to refuse it. Raises
    Unreadable `field_length`, `bad_letter` (with the column), `bad_lake` where a lake is not where Classic has it.

    >>> place = Place("example")
    >>> board = field("A" * 35 + "L" + "A" * 6 + "__AA__AAAA__AA__" + "A" * 42, place)
    >>> {at: rank.name for at, rank in board.red.items()}
    {35: 'MARSHAL'}
    """
    if len(text) != FIELD:
        raise place.error(f"a field has {FIELD} signs, not {len(text)}", "field_length", have=len(text))
    armies: tuple[dict[Square, Rank], dict[Square, Rank]] = {}, {}
    tiny = set()
    for at, sign in enumerate(text):
        letter = sign.upper() if small and sign.isascii() else sign
        if (letter == LAKE) != (at in CLASSIC.lakes):
            raise _at(place, at).error("lakes lie at c5 d5 c6 d6 g5 h5 g6 h6 and nowhere else", "bad_lake")
        if letter in (EMPTY, LAKE):
            continue
        seat, rank = (unknown, Rank.UNKNOWN) if sign == "?" else MEN.get(letter, (None, None))
        if seat is None or rank is None:
            raise _at(place, at).error("this sign is no rank of Gravon's letters", "bad_letter")
        armies[seat][Square(at)] = rank
        if sign != letter:
            tiny.add(Square(at))
    return Board(*armies, frozenset(tiny))


def field_text(
    red: Army, blue: Army, *, empty: str = EMPTY, small: frozenset[Square] = frozenset(), unknown: bool = False
) -> str:
    """The field of two armies: `small` squares in small letters, men of unknown rank as `?` where that is allowed.

    Raises NotAllowed `not_in_this_format` for men it has no letter for.
    """
    signs = [LAKE if at in CLASSIC.lakes else empty for at in range(FIELD)]
    for seat, army in zip(Seat, (red, blue), strict=True):
        for at, rank in army.items():
            letter = "?" if unknown and rank is Rank.UNKNOWN else LETTERS[seat].get(rank)
            if letter is None or not 0 <= at < FIELD or signs[at] != empty:
                raise NotAllowed("Gravon's letters cannot write this board", code="not_in_this_format")
            signs[at] = letter.lower() if at in small else letter
    return "".join(signs)


def army(text: str, place: Place) -> dict[Square, Rank]:
    """The men of an own-perspective army, back row first, letters `A`-`M` for either colour, on Red's squares.

    Raises Unreadable `army_length`, `bad_letter`.
    """
    if len(text) != ARMY:
        raise place.error(f"an army has {ARMY} signs, not {len(text)}", "army_length", have=len(text))
    men = {}
    for at, sign in enumerate(text):
        if sign == EMPTY:
            continue
        seat, rank = MEN.get(sign, (None, Rank.UNKNOWN))
        if seat is not Seat.RED:
            raise _at(place, at).error("this sign is no rank of an army's letters", "bad_letter")
        men[Square(at)] = rank
    return men


def army_text(men: Army, seat: Seat = Seat.RED) -> str:
    """The letters of an army, back row first from its own seat. Raises NotAllowed for men outside the four rows."""
    signs = [EMPTY] * ARMY
    for at, rank in men.items():
        own = at if seat is Seat.RED else FIELD - 1 - at
        if not 0 <= own < ARMY or rank not in LETTERS[Seat.RED]:
            raise NotAllowed("an army of this format stands in the four back rows", code="not_in_this_format")
        signs[own] = LETTERS[Seat.RED][rank]
    return "".join(signs)


def _at(place: Place, number: int) -> Place:
    """The place of a sign of a text that begins at `place`."""
    return place.at(place.line, max(place.column, 1) + number)
