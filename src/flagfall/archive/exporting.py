"""What files hold, written in another format: into one file, or a file a game where the format holds only one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flagfall.archive import formats
from flagfall.archive.border import shown
from flagfall.archive.found import Format, Found, Kind, Place, Refused
from flagfall.archive.library import Army, Library, Question
from flagfall.archive.replaying import found_of, settled
from flagfall.archive.tables import is_library
from flagfall.errors import FlagfallError, NotAllowed
from flagfall.rules.board import Seat
from flagfall.rules.catalog import variant
from flagfall.rules.deployment import Deployment
from flagfall.rules.events import Result
from flagfall.rules.pieces import Numbering

TOLD_CAP = 20
"""Sentences that are kept of what was left out; all of it is counted."""


@dataclass(slots=True)
class Exported:
    """What came of an export: games and deployments written, into how many files, and by its code what was left out."""

    written: int = 0
    files: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)

    def leave_out(self, error: FlagfallError) -> None:
        """Count something that was not written."""
        self.left_out[error.stable_code] += 1
        if len(self.told) < TOLD_CAP:
            self.told.append(str(error))


def export(sources: Iterable[Path], form: Format, out: Path, *, overwrite: bool = False) -> Exported:
    """Write what files and libraries hold as `form` into the file `out`, or its folder for a format of single games.

    What cannot be read, or said in this format, is left out and told. Every file is written whole or not at all.
    Raises NotAllowed `read_only`, `exists` where something would be overwritten, `not_writable`.
    """
    if form.write is None:
        raise NotAllowed(f"the format {form.name} is only read", code="read_only")
    if not form.single and out.exists() and not overwrite:
        raise NotAllowed(f"{out} exists already", code="exists")
    told = Exported()
    whole: list[Found] = []
    for source in sources:
        stem = source.name.split(".")[0]
        for one in _held(source, form):
            try:
                data = formats.write([found := _readable(one)], form)
            except FlagfallError as error:
                told.leave_out(_at(one, error))
                continue
            told.written += 1
            if form.single:
                _put(data, out / f"{stem}-{told.written:06}{form.suffixes[0]}", overwrite)
            else:
                whole.append(found)
    if whole:
        _put(formats.write(whole, form), out, overwrite)
    told.files = told.written if form.single else int(bool(whole))
    return told


def _held(source: Path, form: Format) -> Iterator[Found | Refused]:
    """What a file holds; of a library the games, or the deployments for a format that holds no games."""
    if not is_library(source):
        yield from formats.read(source)
        return
    place = Place(shown(str(source)))
    with Library.open(source) as library:
        if Kind.GAME in form.writes:
            for number, record in enumerate(library.records(Question()), 1):
                yield found_of(record, place.at(number))
            return
        for number, army in enumerate(library.deployments(), 1):
            yield _deployment(army, place.at(number))


def _deployment(army: Army, place: Place) -> Found:
    """A deployment of a library. Its signs are those of its game's home area."""
    men = Deployment.parse(army.signs, variant(army.variant), Seat.RED, Numbering.MODERN).ranks
    count = max(1, army.listed + army.played)
    return Found(
        kind=Kind.DEPLOYMENT, format="library", place=place, variant=army.variant, armies=(men, None), count=count
    )


def _readable(one: Found | Refused) -> Found:
    """What was found; a game without a result gets the board's, if the board ended it. Raises Unreadable."""
    if isinstance(one, Refused):
        raise one.error
    return settled(one) if one.kind is Kind.GAME and one.claim.result is Result.GOING else one


def _at(found: Found | Refused, error: FlagfallError) -> FlagfallError:
    """The error with the place of what it is about."""
    if str(error).startswith(found.place.file):
        return error
    return found.place.error(str(error), error.stable_code)


def _put(data: bytes, path: Path, overwrite: bool) -> None:
    """Write a file in one step. Raises NotAllowed `exists`, `not_writable`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("xb") as file:
                file.write(data)
            if overwrite:
                beside.replace(path)
            else:
                # A link is made only where nothing stands, whoever else writes there at the same time.
                os.link(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except FileExistsError:
        raise NotAllowed(f"{path} exists already", code="exists") from None
    except OSError:
        raise NotAllowed(f"{path} cannot be written", code="not_writable") from None


def listed() -> str:
    """Every format that can be written, a line each: its name, what it holds, what it is."""
    written = [form for form in formats.FORMATS if form.write is not None]
    kinds = [" and ".join(f"{kind}s" for kind in Kind if kind in form.writes) for form in written]
    return "\n".join(f"{form.name:<16} {kind:<26} {form.title}" for form, kind in zip(written, kinds, strict=True))
