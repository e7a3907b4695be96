"""Lists of deployments, one a line: initial set-up lists, Gravon letters, and signs in two spellings (R14.1, R14.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from flagfall.archive import letters
from flagfall.archive.armies import variant_of
from flagfall.archive.border import lines, text
from flagfall.archive.found import Army, Format, Found, Kind, Place, Refused
from flagfall.errors import NotAllowed, Unreadable
from flagfall.rules.board import Seat, Square
from flagfall.rules.pieces import Rank

Reading = Callable[[str, Place], Found]

_OWN = {"F": Rank.FLAG, "B": Rank.BOMB, "S": Rank.SPY, "M": Rank.MARSHAL}
_DIGITS = {str(number): Rank(number) for number in range(2, 10)}
OWN: Mapping[str, Rank] = _OWN | _DIGITS
"""Flagfall's signs, `.` for empty."""

GRAVON: Mapping[str, Rank] = {"F": Rank.FLAG, "B": Rank.BOMB, "1": Rank.SPY, "X": Rank.MARSHAL} | _DIGITS
"""The signs of the Gravon statistics, `-` for empty."""

_LINE = re.compile(r"(\S+)(?:\s+(\d{1,9}))?", re.ASCII)
_ARMY_HEAD = re.compile(rb"(?:[A-M]{40}|[A-Z_]{100})(?:\s|$)", re.ASCII)
_OWN_HEAD = re.compile(rb"(?:#[^\n]*\n)*[FBS2-9M.]{40}(?:\s|$)", re.ASCII)
_GRAVON_HEAD = re.compile(rb"(?:#[^\n]*\n)*[FB1-9X-]{40}(?:\s|$)", re.ASCII)
_LIST_HEAD = re.compile(rb"(?:#[^\n]*\n)+[A-M]{40}(?:\s|$)", re.ASCII)


def _deployment(men: Army, place: Place, name: str, count: int = 1, seat: Seat = Seat.RED) -> Found:
    armies = (men, None) if seat is Seat.RED else (None, men)
    return Found(
        kind=Kind.DEPLOYMENT,
        format=name,
        place=place,
        variant=variant_of((seat, men)),
        armies=armies,
        count=count,
    )


def _each(data: bytes, place: Place, reading: Reading) -> Iterator[Found | Refused]:
    """Every line but empty ones and comments; a line that is none is stepped over."""
    for number, line in enumerate(lines(text(data, place)), 1):
        here = place.at(number, 1)
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield reading(line.strip(), here)
        except Unreadable as error:
            yield Refused.of(error, here)


def read_list(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """An initial set-up list: forty letters a line, the front row first. Raises Unreadable for the whole text alone."""
    return _each(data, place, lambda line, here: _deployment(_from_front(line, here), here, LIST.name))


def _from_front(line: str, place: Place) -> Army:
    """The men of a line with the front row first. Errors name the column in the line as it stands."""
    for number, sign in enumerate(line):
        if len(line) == letters.ARMY and not "A" <= sign <= "M":
            raise place.at(place.line, number + 1).error("this sign is no rank of an army's letters", "bad_letter")
    return letters.army(line[::-1], place)


def read_letters(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Gravon letters: a line of a hundred is both armies, one of forty an army, the back row first."""
    return _each(data, place, _from_letters)


def _from_letters(line: str, place: Place) -> Found:
    if len(line) != letters.FIELD:
        return _deployment(letters.army(line, place), place, LETTERS.name)
    board = letters.field(line, place)
    return Found(
        kind=Kind.POSITION,
        format=LETTERS.name,
        place=place,
        variant=variant_of((Seat.RED, board.red), (Seat.BLUE, board.blue)),
        armies=board.armies,
    )


def read_own(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Flagfall's signs, the back row first, with a number of occurrences after a blank where there is one."""
    return _each(data, place, lambda line, here: _from_signs(line, here, OWN, ".", SIGNS.name))


def read_gravon(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """The signs of the Gravon statistics, the back row first."""
    return _each(data, place, lambda line, here: _from_signs(line, here, GRAVON, "-", GRAVON_SIGNS.name))


def _from_signs(line: str, place: Place, signs: Mapping[str, Rank], empty: str, name: str) -> Found:
    """Raises Unreadable `bad_line`, `army_length`, `bad_letter`."""
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise place.error("a line is a deployment, and perhaps a number", "bad_line")
    word = parts[1]
    if len(word) != letters.ARMY:
        raise place.error(f"an army has {letters.ARMY} signs, not {len(word)}", "army_length", have=len(word))
    men = {}
    for at, sign in enumerate(word):
        if sign != empty:
            if sign not in signs:
                raise place.at(place.line, at + 1).error("this sign is no rank", "bad_letter")
            men[Square(at)] = signs[sign]
    return _deployment(men, place, name, int(parts[2] or 1))


OCCURRENCES_CAP = 1_000_000
"""Lines that a written list may have where a deployment stands as often as it occurs."""


def repeated(deployments: Sequence[Found]) -> Iterator[tuple[Seat, Army]]:
    """Each deployment as often as it occurs. Raises NotAllowed `not_in_this_format`, `too_large`."""
    if sum(found.count for found in deployments) > OCCURRENCES_CAP:
        raise NotAllowed(f"a list is written with at most {OCCURRENCES_CAP} lines", code="too_large")
    for found in deployments:
        for _ in range(found.count):
            yield owner(found)


def owner(found: Found) -> tuple[Seat, Army]:
    """Whose one army a deployment is. Raises NotAllowed `not_in_this_format` for anything else."""
    sides = [(seat, army) for seat, army in zip(Seat, found.armies, strict=True) if army is not None]
    if found.kind is not Kind.DEPLOYMENT or len(sides) != 1:
        raise NotAllowed("this format holds single deployments", code="not_in_this_format")
    return sides[0]


def write_list(deployments: Sequence[Found]) -> bytes:
    """A comment, then a line an occurrence, the front row first. Raises NotAllowed `not_in_this_format`."""
    rows = [letters.army_text(men, seat)[::-1] for seat, men in repeated(deployments)]
    return "\n".join(["# forty letters a line, the front row first", *rows, ""]).encode()


def write_letters(found: Sequence[Found]) -> bytes:
    """A line a deployment, or a line a board. Raises NotAllowed `not_in_this_format`."""
    rows = []
    for one in found:
        red, blue = one.armies
        if one.kind is Kind.DEPLOYMENT:
            rows += [letters.army_text(men, seat) for seat, men in repeated([one])]
        elif red is not None and blue is not None and not one.moves:
            rows.append(letters.field_text(red, blue))
        else:
            raise NotAllowed("Gravon letters hold armies and boards", code="not_in_this_format")
    return "\n".join([*rows, ""]).encode()


def write_own(deployments: Sequence[Found]) -> bytes:
    """Flagfall's signs and how often each occurs. Raises NotAllowed `not_in_this_format`."""
    return _signs(deployments, OWN, ".", numbered=True)


def write_gravon(deployments: Sequence[Found]) -> bytes:
    """The signs of the Gravon statistics. Raises NotAllowed `not_in_this_format`."""
    return _signs(deployments, GRAVON, "-", numbered=False)


def _signs(deployments: Sequence[Found], signs: Mapping[str, Rank], empty: str, *, numbered: bool) -> bytes:
    sign_of = {letters.LETTERS[Seat.RED][rank]: sign for sign, rank in signs.items()} | {letters.EMPTY: empty}

    def word(seat: Seat, men: Army) -> str:
        return "".join(sign_of[letter] for letter in letters.army_text(men, seat))

    if numbered:
        rows = [f"{word(*owner(found))} {found.count}" for found in deployments]
    else:
        rows = [word(seat, men) for seat, men in repeated(deployments)]
    return "\n".join([*rows, ""]).encode()


_ONE = frozenset({Kind.DEPLOYMENT})
LIST = Format(
    name="init-list",
    title="initial set-up lists, the front row first",
    suffixes=(".dat",),
    sniff=lambda name, head: name.lower().endswith(".dat") or bool(_LIST_HEAD.match(head)),
    read=read_list,
    write=write_list,
    writes=_ONE,
)
LETTERS = Format(
    name="gravon-letters",
    title="Gravon letters: armies of forty, boards of a hundred",
    suffixes=(".txt",),
    sniff=lambda _, head: bool(_ARMY_HEAD.match(head)),
    read=read_letters,
    write=write_letters,
    writes=frozenset({Kind.DEPLOYMENT, Kind.POSITION}),
)
SIGNS = Format(
    name="setups",
    title="deployments in Flagfall's signs, with their number",
    suffixes=(".txt",),
    sniff=lambda _, head: bool(_OWN_HEAD.match(head)),
    read=read_own,
    write=write_own,
    writes=_ONE,
)
GRAVON_SIGNS = Format(
    name="gravon-setups",
    title="deployments in the signs of the Gravon statistics",
    suffixes=(".txt",),
    sniff=lambda _, head: bool(_GRAVON_HEAD.match(head)),
    read=read_gravon,
    write=write_gravon,
    writes=_ONE,
)
