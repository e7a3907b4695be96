"""Importing files into the library: each read, played through and filed, or refused with its reason."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagfall.archive import formats
from flagfall.archive.border import BUNDLE_CAP, shown
from flagfall.archive.filing import Filing, Tally, filing, is_filed
from flagfall.archive.found import Deviation, Found, Kind, Refused
from flagfall.archive.library import Library
from flagfall.archive.records import RECORD
from flagfall.archive.replaying import deployment_of, record_of
from flagfall.archive.tables import alone
from flagfall.errors import FlagfallError, Unreadable
from flagfall.play.referee import Referee

OFTEN = 25
"""Things found in one file after which it is told how far it is."""


@dataclass(slots=True)
class Report:
    """What came of an import.

    files: read now. skipped: filed already, byte for byte. tally: everything that was found. by_format: games and
    deployments filed by format. seconds: the time it took.
    """

    files: int = 0
    skipped: int = 0
    tally: Tally = field(default_factory=Tally)
    by_format: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        tally = self.tally
        return {
            "files": self.files,
            "skipped": self.skipped,
            "games": tally.games,
            "again": tally.again,
            "deployments": tally.deployments,
            "passed": tally.passed,
            "refused": dict(sorted(tally.refused.items())),
            "deviations": dict(sorted(tally.deviations.items())),
            "formats": dict(sorted(self.by_format.items())),
            "seconds": round(self.seconds, 3),
        }


Told = Callable[[Report, Tally | None], None]
"""Hears of the report so far: with the tally of the file in hand, or with None when that file is done."""


def files_of(sources: Iterable[Path]) -> list[Path]:
    """The files that sources name: themselves, and for a folder all files in it, in order; links are not followed."""
    found: list[Path] = []
    for source in sources:
        if source.is_dir() and not source.is_symlink():
            inside = (Path(folder) / name for folder, _, names in os.walk(source) for name in names)
            found += sorted(path for path in inside if not path.is_symlink())
        else:
            found.append(source)
    return found


def bring_in(library: Library, paths: Iterable[Path], told: Told = lambda *_: None) -> Report:
    """Import files, in order; `told` hears of the report and of what the file in hand has brought so far.

    A file that was filed before is skipped, so an import that was broken off goes on where it broke, and imports at the
    same time share the files out. Nothing that stands in a file raises. Raises LibraryFault.
    """
    report = Report()
    begun = time.monotonic()
    for path in paths:
        digest = _digest(path)
        with alone(library.folder):
            if digest is not None and is_filed(library.engine, digest):
                report.skipped += 1
            else:
                _file(library, path, digest, report, told)
        report.seconds = time.monotonic() - begun
        told(report, None)
    return report


def _file(library: Library, path: Path, digest: bytes | None, report: Report, told: Told) -> None:
    """File one path. What cannot be opened is refused and not kept, so it is looked at again the next time."""
    report.files += 1
    if digest is None:
        report.tally.refused.update(one.code for one in formats.read(path) if isinstance(one, Refused))
        return
    by_format: Counter[str] = Counter()
    try:
        with filing(library.engine, shown(str(path)), digest) as work:
            for number, one in enumerate(formats.read(path)):
                if number % OFTEN == OFTEN - 1:
                    told(report, work.tally)
                if isinstance(one, Refused):
                    work.refuse(one)
                elif take(work, one):
                    by_format[one.format] += 1
    except FlagfallError:
        raise
    except Exception:
        # A fault of a reader must not stop the rest of a batch; nothing of its file was filed.
        report.tally.refused["reader_failed"] += 1
        return
    report.tally.add(work.tally)
    report.by_format.update(by_format)


def take(work: Filing, found: Found) -> bool:
    """File something found, or refuse it; whether it is in the library by this."""
    try:
        if found.kind is Kind.GAME:
            return _game(work, found)
        if found.kind is Kind.DEPLOYMENT:
            work.deployment(deployment_of(found), found.count)
            return True
        work.passing()
    except FlagfallError as error:
        placed = str(error).startswith(found.place.file)
        sentence = str(error) if placed else f"{found.place}: {error}"
        work.refuse(Refused(found.place, Unreadable(sentence, code=error.stable_code, **error.params)))
    return False


def _game(work: Filing, found: Found) -> bool:
    """File a game. Of Flagfall's own texts a record is played through here; a sheet was, as it was read."""
    record, notes = record_of(found)
    if found.record is not None and not record.over:
        if found.format == RECORD.name:
            raise found.place.error("this game is not over: its record may still hold secrets", "not_over")
        if None in record.deployments:
            raise found.place.error("this game lacks an army", "no_army")
        notes = (*notes, Deviation("no_result", "R11", "this game has no end", found.place))
    if found.format == RECORD.name:
        Referee.resume(record, now_ms=0)
    return work.game(record, found, notes)


def _digest(path: Path) -> bytes | None:
    """SHA-256 of a file's bytes; None for what cannot be read, or is no plain file, or is too large to be read."""
    try:
        if not path.is_file() or path.stat().st_size > BUNDLE_CAP:
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return None
