"""One entry of the catalogue, as its file has it: a game with its source, its usual clock and a word to players."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from flagfall.errors import BadVariant, NotFound, Unreadable
from flagfall.rules.variant import Variant

FILE_CAP = 65_536
"""The longest file that is read, in bytes."""
TEXT_CAP = 1000
"""The longest source or paragraph, in characters."""


@dataclass(frozen=True)
class Entry:
    """A game and what is told of it: where it comes from, and in a paragraph what it is like.

    clock: the usual clock as `play.clock.Control.from_json` reads it, None for a game that has none.
    """

    variant: Variant
    source: str = ""
    about: str = ""
    clock: Mapping[str, Any] | None = None

    @staticmethod
    def from_json(form: object) -> Entry:
        """The entry that plain JSON data means.

        A file may leave out `reach`, `battles` and `law` where they are the usual ones (R5, R6, R0). Raises BadVariant,
        or Unreadable for an unknown word.
        """
        if not isinstance(form, dict):
            raise BadVariant("a variant is a JSON object", code="bad_format")
        rest = dict(form)
        told = {name: rest.pop(name, "") for name in ("source", "about")}
        for name, text in (*told.items(), ("$schema", rest.pop("$schema", ""))):
            if not isinstance(text, str) or len(text) > TEXT_CAP or not text.isprintable():
                raise BadVariant(f"the field {name} is a line of text", code="bad_field", field=name)
        clock = rest.pop("clock", None)
        if clock is not None and not isinstance(clock, dict):
            raise BadVariant("the field clock is an object", code="bad_field", field="clock")
        return Entry(Variant.from_json(rest), **told, clock=None if clock is None else MappingProxyType(clock))

    def to_json(self) -> dict[str, Any]:
        """The entry as plain JSON data, every switch of the law written out."""
        told = {"source": self.source, "about": self.about, "clock": None if self.clock is None else dict(self.clock)}
        return self.variant.to_json() | told

    @staticmethod
    def parse(text: str) -> Entry:
        """The entry that the text of a file means. Raises Unreadable where it is no JSON, BadVariant."""
        try:
            form = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        except json.JSONDecodeError as fault:
            raise Unreadable(
                f"line {fault.lineno}, column {fault.colno}: {fault.msg}",
                code="bad_json",
                line=fault.lineno,
                column=fault.colno,
            ) from None
        except (RecursionError, ValueError):
            raise Unreadable("this JSON is nested too deeply or has too long a number", code="bad_json") from None
        return Entry.from_json(form)

    @staticmethod
    def read(path: Path) -> Entry:
        """The entry that a file holds. Raises NotFound, Unreadable, BadVariant; each names the file."""
        try:
            with path.open("rb") as file:
                data = file.read(FILE_CAP + 1)
        except OSError as fault:
            raise NotFound(f"{path}: {fault.strerror}", code="no_such_file") from None
        try:
            if len(data) > FILE_CAP:
                raise Unreadable(f"a variant is a file of at most {FILE_CAP} bytes", code="too_long")
            return Entry.parse(_text(data))
        except (Unreadable, BadVariant) as fault:
            kind = type(fault)
            at = f" (field {fault.params['field']})" if "field" in fault.params else ""
            raise kind(f"{path}: {fault.sentence}{at}", code=fault.stable_code, **fault.params) from None


def _text(data: bytes) -> str:
    """The text of a file, with or without a mark in front. Raises Unreadable `bad_encoding` with line and column."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        before = data[: fault.start].decode(errors="replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        told = f"line {line}, column {column}: this is no text in UTF-8"
        raise Unreadable(told, code="bad_encoding", line=line, column=column) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different. Raises BadVariant: of two values nobody knows which is meant."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            told = name[:40] if name[:40].isprintable() else ascii(name[:40])[1:-1]
            raise BadVariant("a field is given twice", code="field_twice", field=told)
        found[name] = value
    return found


def _no_number(word: str) -> Any:
    raise BadVariant(f"{word} is no number that a variant can have", code="bad_field")
