"""Flagfall's own records in files: one, a line each, or all of a match; written as lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from flagfall.archive.border import lines, text
from flagfall.archive.found import Format, Found, Kind, Place, Refused
from flagfall.archive.replaying import found_of, record_of
from flagfall.errors import Unreadable
from flagfall.play.reading import read_record
from flagfall.play.record import FORMAT


def read(data: bytes, place: Place) -> Iterator[Found | Refused]:
    """Every record of a file; one that cannot be read is stepped over.

    Raises Unreadable `wrong_encoding`, `not_text`, `not_json` for the file as a whole.
    """
    said = text(data, place)
    rows = [(number, line) for number, line in enumerate(lines(said), 1) if line.strip()]
    if len(rows) > 1 and all(line[0] == "{" and line.rstrip()[-1] == "}" for _, line in rows[:2]):
        for number, line in rows:
            yield _record(line, place.at(number, 1))
        return
    try:
        form = json.loads(said)
    except json.JSONDecodeError as error:
        raise place.at(error.lineno, error.colno).error("this is not JSON", "not_json") from None
    except (ValueError, RecursionError):
        raise place.at(1, 1).error("this is not JSON of a record", "not_json") from None
    match = form.get("records") if isinstance(form, dict) else None
    if not isinstance(match, list):
        yield _record(said, place.at(1, 1))
        return
    for entry in match:
        yield _record(json.dumps(_of_match(entry)), place.at(1, 1))


def _of_match(entry: Any) -> Any:
    """The record in an entry of a match's file, which may be wrapped with what the match says of it."""
    return entry.get("record", entry) if isinstance(entry, dict) else entry


def _record(line: str, place: Place) -> Found | Refused:
    try:
        return found_of(read_record(line), place, RECORD.name)
    except Unreadable as error:
        params = {name: value for name, value in error.params.items() if name not in ("file", "line", "column")}
        return Refused(place, place.error(str(error), error.stable_code, **params))


def write(games: Sequence[Found]) -> bytes:
    """A line a record; a game found elsewhere is played through the referee first. Raises Unreadable."""
    return "".join(record_of(found)[0].text() + "\n" for found in games).encode()


def _sniff(_: str, head: bytes) -> bool:
    """A record's first key is `acts`; a match's file names its format."""
    return head.lstrip()[:1] == b"{" and any(word in head for word in (b'"acts"', FORMAT.encode(), b'"flagfall-match-'))


RECORD = Format(
    name="record",
    title="Flagfall's own records, one a line",
    suffixes=(".jsonl", ".json"),
    sniff=_sniff,
    read=read,
    write=write,
    writes=frozenset({Kind.GAME}),
)
