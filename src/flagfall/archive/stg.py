"""`.stg` deployments: records of eighty bytes, the squares of forty men of the top side (R14.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flagfall.archive.armies import variant_of
from flagfall.archive.border import GAME_CAP
from flagfall.archive.found import Army, Format, Found, Kind, Place, Refused
from flagfall.archive.setups import repeated
from flagfall.errors import NotAllowed, Unreadable
from flagfall.rules.board import Seat, Square, square, turned
from flagfall.rules.pieces import Rank

RECORD = 80
_COUNTS = ((Rank.FLAG, 1), (Rank.SPY, 1), (Rank.MARSHAL, 1), (Rank.GENERAL, 1), (Rank.COLONEL, 2), (Rank.MAJOR, 3),
           (Rank.CAPTAIN, 4), (Rank.LIEUTENANT, 4), (Rank.SERGEANT, 4), (Rank.MINER, 5), (Rank.SCOUT, 8),
           (Rank.BOMB, 6))  # fmt: skip
ORDER: tuple[Rank, ...] = tuple(rank for rank, count in _COUNTS for _ in range(count))
"""Whose squares the forty pairs are."""

_WIDE, _DEEP, _LAST_ROW = 10, 4, 9


def read_record(record: bytes, place: Place) -> dict[Square, Rank]:
    """The men of a record on Blue's squares: x from the left as the bottom sees it, y 0 the back row to 3.

    Raises Unreadable `bad_byte`, `square_twice`, with the byte as column.
    """
    men: dict[Square, Rank] = {}
    for number, rank in enumerate(ORDER):
        x, y = record[2 * number], record[2 * number + 1]
        here = place.at(place.line, place.column + 2 * number)
        if x >= _WIDE or y >= _DEEP:
            raise here.error("a man of this format stands at x 0 to 9, y 0 to 3", "bad_byte")
        at = square(x, _LAST_ROW - y)
        if at in men:
            raise here.error("two men stand on one square", "square_twice")
        men[at] = rank
    return men


def record_bytes(men: Army, seat: Seat) -> bytes:
    """The record of Classic's forty men. Raises NotAllowed `not_in_this_format`."""
    left: dict[Rank, list[int]] = {}
    for at, rank in men.items():
        top = at if seat is Seat.BLUE else turned(at, _WIDE, _LAST_ROW + 1)
        left.setdefault(rank, []).append(top)
    if sorted(men.values()) != sorted(ORDER) or min(min(squares) for squares in left.values()) < 60:
        raise NotAllowed("a .stg record holds Classic's forty men in their four rows", code="not_in_this_format")
    squares = {rank: iter(sorted(found)) for rank, found in left.items()}
    pairs = [next(squares[rank]) for rank in ORDER]
    return bytes(number for at in pairs for number in (at % 10, _LAST_ROW - at // 10))


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every record of a file; its place is the number of the record as a line and the byte as a column.

    Raises Unreadable `too_large`, `empty`; a record that is none is stepped over, and so is a last one that breaks off.
    """
    if len(data) > GAME_CAP:
        raise place.error(f"a file of this format has at most {GAME_CAP} bytes", "too_large")
    if not data:
        raise place.at(1, 1).error("this file is empty", "empty")
    for number, start in enumerate(range(0, len(data), RECORD), 1):
        here = place.at(number, start + 1)
        record = data[start : start + RECORD]
        try:
            if len(record) < RECORD:
                raise here.error(f"a record has {RECORD} bytes, not {len(record)}", "unfinished")
            men = read_record(record, here)
        except Unreadable as error:
            yield Refused.of(error, here)
            continue
        yield Found(
            kind=Kind.DEPLOYMENT,
            format=STG.name,
            place=here,
            variant=variant_of((Seat.BLUE, men)),
            armies=(None, men),
        )


def write(deployments: Sequence[Found]) -> bytes:
    """A record an occurrence. Raises NotAllowed `not_in_this_format`."""
    return b"".join(record_bytes(men, seat) for seat, men in repeated(deployments))


STG = Format(
    name="stg",
    title="deployments as squares of forty men, in bytes",
    suffixes=(".stg",),
    sniff=lambda name, _: name.lower().endswith(".stg"),
    read=read,
    write=write,
    writes=frozenset({Kind.DEPLOYMENT}),
)
