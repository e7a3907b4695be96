"""Texts for people that begin with `name: value` lines: every complaint names its line and column.

The first line is the format's name. Lines of `name: value` follow, up to an empty line; what stands behind it is words.
A line that begins with `;` is a remark, and so is the rest of a line of words from a `;` on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flagfall.errors import FlagfallError, JsonValue, NotFound, Unreadable
from flagfall.rules.catalog import VARIANTS, variant
from flagfall.rules.pieces import Numbering
from flagfall.rules.variant import Variant

LONGEST_TEXT = 16_000_000
"""The longest text that is looked at, in characters."""

_LINE = re.compile(r"([a-z]+(?: [a-z]+)?):(?: +|$)", re.ASCII)
_WORD = re.compile(r"\S+")
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_JSON_SCALARS: dict[str, Any] = {"null": None, "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text, both numbers from 1."""

    line: int
    column: int

    def error(self, sentence: str, code: str, **params: JsonValue) -> Unreadable:
        """The error that names this place in its sentence and in its params `line` and `column`."""
        told = {"line": self.line, "column": self.column, **params}
        return Unreadable(f"line {self.line}, column {self.column}: {sentence}", code=code, **told)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Whatever is raised inside comes out as Unreadable with the same code and this place, unless it has one."""
        try:
            yield
        except FlagfallError as error:
            if "line" in error.params:
                raise
            raise self.error(str(error), error.stable_code, **error.params) from None


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a value, and where it begins."""

    text: str
    spot: Spot

    def error(self, sentence: str, code: str, **params: JsonValue) -> Unreadable:
        """The error at this word."""
        return self.spot.error(sentence, code, **params)


@dataclass(frozen=True, slots=True)
class Heading:
    """The lines of `name: value` by name, in their order, and where they end."""

    fields: dict[str, Word]
    end: Spot

    def need(self, name: str) -> Word:
        """The value of a line that must be there. Raises Unreadable `missing_field`."""
        if name not in self.fields:
            raise self.end.error(f"the line {name} is missing", "missing_field", field=name)
        return self.fields[name]

    def get(self, name: str, usual: str = "") -> Word:
        """The value of a line, or the usual one at the end of the heading."""
        return self.fields.get(name) or Word(usual, self.end)

    def count(self, name: str, usual: int, most: int) -> int:
        """A whole number of 0 to `most`. Raises Unreadable `bad_count`."""
        word = self.get(name, str(usual))
        good = word.text.isascii() and word.text.isdigit() and len(word.text) <= 16
        if not good or int(word.text) > most:
            raise word.error(f"{name} is a whole number of 0 to {most}", "bad_count", field=name)
        return int(word.text)

    def choice(self, name: str, allowed: tuple[str, ...], usual: str) -> str:
        """One of some words. Raises Unreadable `bad_choice`."""
        word = self.get(name, usual)
        if word.text not in allowed:
            raise word.error(f"{name} is {' or '.join(allowed)}", "bad_choice", field=name)
        return word.text


def read_heading(text: str, form: str, known: frozenset[str]) -> tuple[Heading, list[Word]]:
    """The heading of a text of format `form` with lines of known names, and the words behind it.

    Raises Unreadable: `too_long`, `wrong_format`, `bad_line`, `unknown_field`, `field_twice`.
    """
    if len(text) > LONGEST_TEXT:
        raise Spot(1, 1).error("this text is too long", "too_long")
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if lines[0].rstrip() != form:
        raise Spot(1, 1).error(f"the first line is {form}", "wrong_format", format=form)
    fields: dict[str, Word] = {}
    at = 1
    for at, line in enumerate(lines[1:], 2):
        if not line.strip():
            break
        if line.startswith(";"):
            continue
        found = _LINE.match(line)
        if found is None:
            raise Spot(at, 1).error("a line of the heading is name: value", "bad_line")
        name = found[1]
        if name not in known:
            raise Spot(at, 1).error(f"no line of this format is called {name[:40]}", "unknown_field", field=name[:40])
        if name in fields:
            raise Spot(at, 1).error(f"the line {name} stands twice", "field_twice", field=name)
        fields[name] = Word(line[found.end() :].rstrip(), Spot(at, found.end() + 1))
    return Heading(fields, Spot(at, 1)), list(_words(lines, at))


def _words(lines: list[str], first: int) -> Iterator[Word]:
    """The words of the lines after number `first`, remarks left out."""
    for at, line in enumerate(lines[first:], first + 1):
        for found in _WORD.finditer(line.partition(";")[0]):
            yield Word(found[0], Spot(at, found.start() + 1))


def words_of(value: Word) -> list[Word]:
    """The words of a value, each with its place."""
    at = value.spot
    return [Word(found[0], Spot(at.line, at.column + found.start())) for found in _WORD.finditer(value.text)]


def variant_lines(game: Variant) -> list[tuple[str, str]]:
    """A variant as lines: a name of the catalogue with what departs from its law, else all of it; and the digest."""
    usual = VARIANTS.get(game.name)
    departures = {} if usual is None else game.law.departures(usual.law)
    if usual is None or usual.with_law(**departures) != game:
        told = json.dumps(game.to_json(), separators=(",", ":"))
        return [("variant", told), ("digest", game.digest)]
    law = " ".join(f"{name}={_switch_text(value)}" for name, value in departures.items())
    return [("variant", game.name), *([("law", law)] if law else []), ("digest", game.digest)]


def read_variant(heading: Heading) -> Variant:
    """The variant of a heading; the digest is optional. Raises Unreadable, with the code of what is wrong."""
    word = heading.need("variant")
    with word.spot.blamed():
        game = _variant_of(word)
    if "law" in heading.fields:
        switches: dict[str, Any] = {}
        for item in words_of(heading.fields["law"]):
            name, sign, value = item.text.partition("=")
            if not sign or name in switches:
                raise item.error("a switch is name=value, each once", "bad_switch", switch=name[:40])
            switches[name] = _switch_of(value)
            with item.spot.blamed():
                game = game.with_law(**{name: switches[name]})
    said = heading.fields.get("digest")
    if said is not None and not _DIGEST.fullmatch(said.text):
        raise said.error("a digest is 64 hexadecimal digits", "bad_digest")
    if said is not None and said.text != game.digest:
        raise said.error("the digest is not that of this variant", "wrong_digest")
    return game


def read_numbering(heading: Heading) -> Numbering:
    """Which numbers the men of a text bear, modern ones unless it says otherwise (R2). Raises Unreadable."""
    return Numbering(heading.choice("numbering", tuple(Numbering), Numbering.MODERN))


def _variant_of(word: Word) -> Variant:
    if not word.text.startswith("{"):
        try:
            return variant(word.text)
        except NotFound as error:
            raise Unreadable(str(error), code=error.stable_code, name=word.text[:60]) from None
    try:
        form = json.loads(word.text)
    except (ValueError, RecursionError):
        raise Unreadable("this is not the JSON of a variant", code="not_json") from None
    return Variant.from_json(form)


def _switch_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _switch_of(text: str) -> Any:
    if text in _JSON_SCALARS:
        return _JSON_SCALARS[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else text
