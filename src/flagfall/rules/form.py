"""A variant as JSON data: read with errors that name the field, by its path in the file, and never with a guess."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from flagfall.errors import BadVariant
from flagfall.rules.board import MAX_FILES, MAX_ROWS, Seat, Square, square
from flagfall.rules.events import Outcome
from flagfall.rules.pieces import RANKS, Rank
from flagfall.rules.variant import FAR, FORMAT, MEN_CAP, Law, Variant, home_order, law_from

FIELDS = ("format", "name", "board", "army", "reach", "battles", "law")
NEEDED = ("format", "name", "board", "army")
SIGNS = MappingProxyType({"r": "red's home", "b": "blue's home", "~": "a lake", ".": "open ground"})
BATTLES_CAP = len(RANKS) ** 2
_ENDS = {end.word: end for end in (Outcome.ATTACKER, Outcome.DEFENDER, Outcome.BOTH)}
_RANKS = {rank.word: rank for rank in RANKS}

USUAL_REACH = MappingProxyType({rank: {Rank.BOMB: 0, Rank.FLAG: 0, Rank.SCOUT: FAR}.get(rank, 1) for rank in RANKS})
"""How far each rank moves in a game that does not say otherwise (R5)."""


def variant_from(form: object) -> Variant:
    """The variant that plain JSON data means; `reach`, `battles` and `law` may be left out, in part or whole.

    Raises BadVariant; its param `field` is the path of the field that is wrong, such as `board[3]` or `army.miner`.
    """
    if not isinstance(form, dict) or form.get("format") != FORMAT:
        raise _bad("bad_format", "format", f"a variant is an object of format {FORMAT}")
    for name in form:
        if name not in FIELDS:
            raise _bad("unknown_field", _word(name), "a variant has no such field")
    for name in NEEDED:
        if name not in form:
            raise _bad("missing_field", name, f"a variant needs the field {name}")
    if not isinstance(form["name"], str):
        raise _bad("bad_field", "name", "a name is text")
    return Variant(
        name=form["name"],
        **_board(form["board"]),
        army=_numbers(form["army"], "army", MEN_CAP, "bad_counts"),
        reach=USUAL_REACH | _numbers(form.get("reach", {}), "reach", FAR, "bad_reach"),
        battles=_battles(form.get("battles", [])),
        law=_law(form.get("law", {})),
    )


def _bad(code: str, field: str, sentence: str) -> BadVariant:
    return BadVariant(sentence, code=code, field=field)


def _word(name: object) -> str:
    """A name out of a file, short enough and clean enough to be shown."""
    text = str(name)[:40]
    return text if text.isprintable() else ascii(text)[1:-1]


def _object(value: object, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad("bad_field", field, f"the field {field} is an object")
    return value


def _board(rows: object) -> dict[str, Any]:
    """Width, height, lakes and home areas of a drawn board."""
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_ROWS:
        raise _bad("bad_board", "board", "a board is a list of 1 to 10 rows, Blue's back row first")
    marked: dict[str, set[Square]] = {sign: set() for sign in SIGNS}
    width, height = len(rows[0]) if isinstance(rows[0], str) else 0, len(rows)
    for down, row in enumerate(rows):
        field = f"board[{down}]"
        if not isinstance(row, str) or not 1 <= len(row) <= MAX_FILES:
            raise _bad("bad_board", field, "a row of the board is text of 1 to 10 signs")
        if len(row) != width:
            raise _bad("bad_board", field, "the rows of a board are equally long")
        for file, sign in enumerate(row):
            if sign not in marked:
                raise _bad("bad_board", f"{field}[{file}]", "a board is drawn with . ~ r b")
            marked[sign].add(square(file, height - 1 - down))
    home = tuple(home_order(marked[sign], seat, width, height) for sign, seat in (("r", Seat.RED), ("b", Seat.BLUE)))
    return {"width": width, "height": height, "lakes": frozenset(marked["~"]), "home": home}


def _numbers(value: object, field: str, most: int, code: str) -> dict[Rank, int]:
    """A table of numbers 0..most by the words of ranks."""
    found: dict[Rank, int] = {}
    for word, number in _object(value, field).items():
        path = f"{field}.{_word(word)}"
        if word not in _RANKS:
            raise _bad("bad_rank", path, "no such rank")
        if not isinstance(number, int) or isinstance(number, bool):
            raise _bad("bad_field", path, "this is a whole number")
        if not 0 <= number <= most:
            raise _bad(code, path, f"this is a number from 0 to {most}")
        found[_RANKS[word]] = number
    return found


def _law(value: object) -> Law:
    """The law, which in a file may not end every game before its first ply (R11.3)."""
    law = law_from(_object(value, "law"))
    for name in ("max_plies", "max_quiet_plies"):
        if getattr(law, name) == 0:
            raise BadVariant(
                "a game that is drawn before its first ply is none", code="bad_switch", switch=name, field=f"law.{name}"
            )
    return law


def _battles(rows: object) -> tuple[tuple[Rank, Rank, Outcome], ...]:
    """Exceptions to R6."""
    if not isinstance(rows, list) or len(rows) > BATTLES_CAP:
        raise _bad("bad_battle", "battles", f"battles are a list of at most {BATTLES_CAP}")
    found = []
    for place, row in enumerate(rows):
        field = f"battles[{place}]"
        if not isinstance(row, list) or len(row) != 3:
            raise _bad("bad_battle", field, "a battle is [attacker, defender, outcome]")
        for part, known, what in ((0, _RANKS, "rank"), (1, _RANKS, "rank"), (2, _ENDS, "outcome")):
            if not isinstance(row[part], str) or row[part] not in known:
                code = "bad_battle" if part == 2 or not isinstance(row[part], str) else "bad_rank"
                raise _bad(code, f"{field}[{part}]", f"no such {what}")
        found.append((_RANKS[row[0]], _RANKS[row[1]], _ENDS[row[2]]))
    return tuple(found)
