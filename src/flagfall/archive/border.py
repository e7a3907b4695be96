"""The border of the archive: files, bundles and texts that nobody vouches for, opened within limits."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from flagfall.archive.found import Place, Refused
from flagfall.errors import Unreadable

FILE_CAP = 64 * 2**20
"""Bytes of one file, and of one member of a bundle once unpacked."""

BUNDLE_CAP = 256 * 2**20
"""Bytes of a packed bundle."""

UNPACKED_CAP = 4 * 2**30
"""Bytes that one bundle may unpack to, all members together."""

MEMBERS_CAP = 100_000
RATIO_CAP = 250
"""How many times its packed size a member may grow; deflated zeros grow a thousand times, files of games thirty."""

GAME_CAP = 4 * 2**20
"""Bytes of a file that holds one game."""

PLIES_CAP = 20_000
"""Plies of one game: the longest law of any source ends it after 10,000."""

_SMALL = 2**16  # below this size a ratio says nothing
_ZIP, _GZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"), b"\x1f\x8b"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ENTRY = b"PK\x01\x02"
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (
    zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError, ValueError, OverflowError, NotImplementedError,
    RuntimeError, OSError, LookupError,
)  # fmt: skip


def shown(text: str, longest: int = 120) -> str:
    """A name or an excerpt as it may stand in a message: printable, short, whatever was in it."""
    safe = "".join(sign if sign.isprintable() else "?" for sign in text[: longest + 1])
    return safe if len(safe) <= longest else safe[: longest - 1] + "…"


def members(source: Path | bytes, name: str | None = None) -> Iterator[tuple[Place, bytes] | Refused]:
    """The files that a path or some bytes hold: one, or each member of a zip; a gzip is unpacked.

    Nothing is written to a disk. Never raises for what it finds: what cannot be opened, is too large or is no plain
    file comes as Refused. `no_file`, `not_plain`, `too_large`, `broken_bundle`, `too_many_members`, `bad_member_name`,
    `bundle_in_bundle`, `encrypted`, `bomb`.
    """
    place = Place(
        shown(os.fsencode(source).decode("utf-8", "replace") if isinstance(source, Path) else name or "bytes")
    )
    try:
        data = source if isinstance(source, bytes) else _content(source, place)
        if data.startswith(_ZIP):
            yield from _zipped(data, place)
        elif data.startswith(_GZIP):
            yield Place(place.file), _gunzipped(data, place)
        elif len(data) > FILE_CAP:
            raise place.error(f"a file has at most {FILE_CAP} bytes", "too_large")
        else:
            yield place, data
    except Unreadable as error:
        yield Refused.of(error, place)


def _content(path: Path, place: Place) -> bytes:
    """The bytes of a plain file. A pipe or a device would never end, so it is not even opened."""
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise place.error("this is no plain file", "not_plain")
        with path.open("rb") as file:
            head = file.read(len(_ENTRY))
            most = BUNDLE_CAP if head.startswith(_ZIP) else FILE_CAP
            data = head + file.read(most + 1 - len(head))
    except (OSError, ValueError):
        raise place.error("this file cannot be opened", "no_file") from None
    if len(data) > most:
        raise place.error(f"a file has at most {most} bytes", "too_large")
    return data


def _gunzipped(data: bytes, place: Place) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            content = packed.read(_most(len(data)) + 1)
    except _BROKEN:
        raise place.error("this gzip file is broken", "broken_bundle") from None
    return _within(content, len(data), place)


def _most(packed: int) -> int:
    """The bytes that so many packed ones may grow to."""
    return min(FILE_CAP, max(_SMALL, RATIO_CAP * packed))


def _within(content: bytes, packed: int, place: Place) -> bytes:
    """Unpacked content, if it keeps to its limits."""
    if len(content) > _most(packed):
        if len(content) > FILE_CAP:
            raise place.error(f"a file has at most {FILE_CAP} bytes", "too_large")
        raise place.error(f"this unpacks to more than {RATIO_CAP} times its size", "bomb")
    if content.startswith((*_ZIP, _GZIP)):
        raise place.error("a bundle in a bundle is not opened", "bundle_in_bundle")
    return content


def _zipped(data: bytes, place: Place) -> Iterator[tuple[Place, bytes] | Refused]:
    # The library would build its whole directory before anything can be counted.
    if data.count(_ENTRY) > MEMBERS_CAP:
        raise place.error(f"a bundle has at most {MEMBERS_CAP} members", "too_many_members")
    try:
        bundle = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        raise place.error("this zip file is broken", "broken_bundle") from None
    unpacked = 0
    seen: set[str] = set()
    for entry in bundle.infolist():
        inside = Place(f"{place.file}!{shown(entry.filename)}")
        if entry.filename.endswith("/"):
            continue
        try:
            _check(entry, seen, inside)
            content = _member(bundle, entry, inside)
            unpacked += len(content)
            if unpacked > UNPACKED_CAP:
                raise place.error(f"a bundle unpacks to at most {UNPACKED_CAP} bytes", "bomb")
        except Unreadable as error:
            yield Refused.of(error, inside)
            if unpacked > UNPACKED_CAP:
                return
            continue
        yield inside, content


def _check(entry: zipfile.ZipInfo, seen: set[str], place: Place) -> None:
    """A member's name and kind, before a byte of it is unpacked."""
    name = entry.filename
    parts = name.replace("\\", "/").split("/")
    if name in seen or ".." in parts or not name or name[0] in "/\\" or ":" in parts[0] or not name.isprintable():
        raise place.error("this member's name leads out of its bundle, or stands twice", "bad_member_name")
    seen.add(name)
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise place.error("this member is no plain file", "not_plain")
    if entry.flag_bits & 1:
        raise place.error("this member is encrypted", "encrypted")
    if entry.compress_type not in _PACKINGS:
        raise place.error("this member is packed in a way that is not known", "broken_bundle")


def _member(bundle: zipfile.ZipFile, entry: zipfile.ZipInfo, place: Place) -> bytes:
    """A member unpacked: what its header claims of its size is not believed."""
    try:
        with bundle.open(entry) as packed:
            content = packed.read(_most(entry.compress_size) + 1)
    except _BROKEN:
        raise place.error("this member of the bundle is broken", "broken_bundle") from None
    return _within(content, entry.compress_size, place)


def text(data: bytes, place: Place) -> str:
    """The text that bytes hold in UTF-8, with or without a mark in front.

    Raises Unreadable at the first byte that does not belong: `wrong_encoding`, `not_text` for control characters.
    """
    # The codec that knows the mark counts its errors from behind it.
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        found = data.decode()
    except UnicodeDecodeError as error:
        line, column = position(data[: error.start].decode("utf-8", "replace"))
        raise place.at(line, column).error("this is not text in UTF-8", "wrong_encoding") from None
    if odd := _CONTROL.search(found):
        raise place.at(*position(found[: odd.start()])).error("a control character stands in this text", "not_text")
    return found


def position(before: str) -> tuple[int, int]:
    """Line and column, both from 1, of what comes after a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def lines(found: str) -> list[str]:
    """The lines of a text, without their ends; only line feeds end one, a carriage return before them is dropped."""
    cut = [line.removesuffix("\r") for line in found.split("\n")]
    return cut[:-1] if cut[-1] == "" else cut
