"""Every format the archive knows, which one a file has, and everything that a file holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from flagfall.archive.ataraxos import BOARDS, GAMES
from flagfall.archive.border import members
from flagfall.archive.conformance import CONFORMANCE
from flagfall.archive.evaluator import EVALUATOR
from flagfall.archive.found import Format, Found, Place, Refused
from flagfall.archive.gamesaver import SAVER
from flagfall.archive.gsn import GSN
from flagfall.archive.records import RECORD
from flagfall.archive.setups import GRAVON_SIGNS, LETTERS, LIST, SIGNS
from flagfall.archive.sheets import POSITION, SHEET
from flagfall.archive.stg import STG
from flagfall.archive.strados import STRADOS
from flagfall.archive.yorktown import YORKTOWN
from flagfall.archive.yorktown_game import GAME as YORKTOWN_GAME
from flagfall.errors import NotAllowed, NotFound, Unreadable

HEAD = 4096
"""Bytes of a file's beginning by which its format is told."""

FORMATS: tuple[Format, ...] = (
    RECORD, SHEET, POSITION, CONFORMANCE, STRADOS, GSN, EVALUATOR, YORKTOWN_GAME, YORKTOWN, BOARDS, GAMES, LIST,
    LETTERS, SIGNS, GRAVON_SIGNS, STG, SAVER,
)  # fmt: skip
"""In the order in which they are asked whether a file is theirs."""


def named(name: str) -> Format:
    """The format of a name. Raises NotFound `unknown_format`."""
    for form in FORMATS:
        if form.name == name:
            return form
    raise NotFound("no format has this name", code="unknown_format", name=name[:60])


def detect(name: str, head: bytes) -> Format:
    """The format of a file by its name and beginning. Raises Unreadable `unknown_format`.

    >>> detect("setups.txt", b"B" * 6 + b"AAAAM" + b"A" * 29).name
    'gravon-letters'
    """
    for form in FORMATS:
        if form.sniff(name, head):
            return form
    raise Place(name, 1, 1).error("this file has no format that is known", "unknown_format")


def read(source: Path | bytes, name: str | None = None, form: Format | None = None) -> Iterator[Found | Refused]:
    """Everything that a path or some bytes hold, in order; bundles are opened (`border.members`).

    name: of the bytes. form: the format, where it is known beforehand. What cannot be read comes as Refused and the
    rest goes on; nothing is raised for what a file holds.
    """
    for member in members(source, name):
        if isinstance(member, Refused):
            yield member
            continue
        place, data = member
        try:
            found = form or detect(place.file, data[:HEAD])
            yield from found.read(data, place)
        except Unreadable as error:
            yield Refused.of(error, place)


def write(found: Sequence[Found], form: Format) -> bytes:
    """The bytes of a file of this format. Raises NotAllowed `not_in_this_format`, `read_only`."""
    if form.write is None:
        raise NotAllowed(f"the format {form.name} is only read", code="read_only")
    if any(one.kind not in form.writes for one in found):
        kinds = " and ".join(sorted(f"{kind}s" for kind in form.writes))
        raise NotAllowed(f"the format {form.name} holds {kinds}", code="not_in_this_format")
    return form.write(found)
