"""What both of Gravon's game files share: types, endings, squares and the dates in their names (R14.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flagfall.archive.armies import plain_moves
from flagfall.archive.found import Claim, Deviation, Found, Place
from flagfall.errors import JsonValue, NotAllowed
from flagfall.rules.board import Move, Seat, Square, make_move, square
from flagfall.rules.events import Result

LAW: Mapping[str, JsonValue] = {"two_square_limit": 5, "stuck_check": "on_turn"}
"""The law of its day, over the variant's own: the preset `gravon-web` (R11.4)."""

TYPES: Mapping[str, str] = {
    "classic": "classic",
    "barrage": "barrage",
    "classicfree": "free",
    "ultimate lightning": "ultimate-lightning",
    "duell": "duel",
}
"""Names of the catalogue by the words of the XML; the older files number them in this order."""

ENDINGS: Mapping[int, str] = {
    0: "stuck",
    1: "flag",
    2: "both_stuck",
    3: "resigned",
    4: "agreed",
    10: "both_missing",
    11: "time",
    12: "period",
    13: "time_missing",
    14: "missing",
}
_DRAWN = frozenset({"both_stuck", "agreed", "both_missing", "period"})
_RESULTS = (Result.RED, Result.BLUE, Result.DRAW)

_FILES = {letter: file for file, letter in enumerate("ABCDEFGHIK")}
_TENTH = (":", "0", "X", "10")
_OLD_NAME = re.compile(r"\.(\d{4})\.(\d{2})\.(\d{2})\.\d+\.\w+$", re.ASCII)
_NEW_NAME = re.compile(r"-(\d{4})\.(\d{1,2})-\d+\.\w+$", re.ASCII)


def read_square(text: str, place: Place, notes: list[Deviation]) -> Square:
    """The square that `A4` or `K:` names; the tenth row is `:`, `0`, `X` or `10`, and J is a defect for K.

    Raises Unreadable `bad_square`.

    >>> notes: list[Deviation] = []
    >>> read_square("K:", Place("x"), notes), read_square("J4", Place("x"), notes), notes[0].code
    (99, 39, 'file_j')
    """
    letter, row = text[:1].upper(), text[1:].upper()
    if letter == "J":
        if not any(note.code == "file_j" for note in notes):
            notes.append(Deviation("file_j", "R14.2", "the last file is called J where these files say K", place))
        letter = "K"
    number = 10 if row in _TENTH else int(row) if row in tuple("123456789") else 0
    if letter not in _FILES or not number:
        raise place.error("a square is a letter A to I or K, and a row", "bad_square")
    return square(_FILES[letter], number - 1)


def read_move(source: str, target: str, place: Place, notes: list[Deviation]) -> Move:
    """The move between two such squares. Raises Unreadable `bad_square`."""
    return make_move(read_square(source, place, notes), read_square(target, place, notes))


def square_text(at: int, tenth: str) -> str:
    """A square in Gravon's letters; `tenth` is the sign of the tenth row."""
    row = at // 10 + 1
    return "ABCDEFGHIK"[at % 10] + (tenth if row == 10 else str(row))


def read_claim(code: int, winner: int, place: Place, notes: list[Deviation]) -> Claim:
    """What an ending and a winner (0 Red, 1 Blue, 2 draw) say. Raises Unreadable `bad_result` for another winner.

    An ending that is not known, or that does not go with the winner, is a deviation.
    """
    if not 0 <= winner < len(_RESULTS):
        raise place.error("a result names red, blue or a draw", "bad_result")
    result, ending = _RESULTS[winner], ENDINGS.get(code, "none")
    if ending == "none":
        notes.append(Deviation("unknown_ending", "R14.2", "this code of an ending is not known", place))
    elif (ending in _DRAWN) != (result is Result.DRAW):
        notes.append(Deviation("ending_and_winner", "R14.2", f"a game that ended {ending} has no such winner", place))
    return Claim(result, ending)


def ending_code(claim: Claim) -> tuple[int, int]:
    """Gravon's code and winner (0 Red, 1 Blue, 2 draw) of an ending. Raises NotAllowed for a game that goes on."""
    if claim.result not in _RESULTS:
        raise NotAllowed("this format holds finished games only", code="not_in_this_format")
    ending = {"forfeit": "resigned", "limit": "period"}.get(claim.ending, claim.ending)
    codes = {word: code for code, word in ENDINGS.items()}
    return codes.get(ending, 3 if claim.result is not Result.DRAW else 4), _RESULTS.index(claim.result)


def date_of(name: str, notes: list[Deviation]) -> str | None:
    """The date in a file's name: `classic.2003.06.07.505.gsn` the day, `classic-2005.5-2105.xml` the month.

    Month 0 means December of the year before: taken so, and told.
    """
    if old := _OLD_NAME.search(name):
        year, month, day = old.groups()
        return f"{year}-{month}-{day}" if 1 <= int(month) <= 12 and 1 <= int(day) <= 31 else year
    if new := _NEW_NAME.search(name):
        numbers = int(new[1]), int(new[2])
        if numbers[1] == 0:
            notes.append(Deviation("month_zero", "R14.2", "month 0 is taken for December of the year before"))
            numbers = numbers[0] - 1, 12
        return f"{numbers[0]:04}-{numbers[1]:02}" if numbers[1] <= 12 else new[1]
    return None


def playable(found: Found) -> None:
    """Whether Gravon's files can say this game: both armies, Red first. Raises NotAllowed."""
    if None in found.armies or found.first is not Seat.RED or found.variant not in TYPES.values():
        raise NotAllowed("Gravon's files hold games of its five types that Red began", code="not_in_this_format")
    plain_moves(found)
