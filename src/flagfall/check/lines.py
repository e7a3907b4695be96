"""Files of cases and recorded games, run line by line and counted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from flagfall.check.cases import run_case
from flagfall.check.recorded import run_game
from flagfall.errors import FlagfallError
from flagfall.play.reading import read_record
from flagfall.play.record import FORMAT
from flagfall.play.referee import Referee

LINE_CAP = 4 * 2**20
"""The longest line that is looked at, in bytes; a device without an end has no line feed either."""


def run_line(form: dict[str, Any]) -> str | None:
    """What is wrong with the law by one line, told apart by its fields; None for nothing."""
    try:
        return run_game(form) if "moves" in form else run_case(form)
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        return f"{form.get('id', '?')}: not a case or a game: {type(fault).__name__} {fault}"


def run_record(text: bytes) -> str | None:
    """What is wrong with a record of Flagfall's own, played again through the referee; None for nothing."""
    try:
        Referee.resume(read_record(text), now_ms=0)
    except FlagfallError as fault:
        return f"{fault.stable_code}: {fault}"
    return None


def _record_of(path: Path) -> bytes | None:
    """The text of a file that is one record of Flagfall's own; None for any other."""
    with path.open("rb") as file:
        if FORMAT.encode() not in file.read(100_000):
            return None
        file.seek(0)
        text = file.read()
    try:
        form = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return text if isinstance(form, dict) and form.get("format") == FORMAT else None


def run_files(paths: Iterable[Path], out: TextIO | None = None) -> int:
    """Run files of JSON lines; one line a failure, then `N passed, M failed`. Returns 1 if any failed, else 0."""
    out = out or sys.stdout
    passed = failed = 0
    for path in paths:
        if (record := _record_of(Path(path))) is not None:
            wrong = run_record(record)
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            if wrong is not None:
                print(f"{path}: {wrong}", file=out)
            continue
        with Path(path).open("rb") as lines:
            for number, line in enumerate(iter(partial(lines.readline, LINE_CAP), b""), 1):
                if len(line) == LINE_CAP:
                    failed += 1
                    print(f"{path}:{number}: this line is too long", file=out)
                    break
                if not line.strip():
                    continue
                try:
                    form = json.loads(line)
                except (ValueError, RecursionError):
                    form = None
                wrong = run_line(form) if isinstance(form, dict) else "not a JSON object"
                passed, failed = passed + (wrong is None), failed + (wrong is not None)
                if wrong is not None:
                    print(f"{path}:{number}: {wrong}", file=out)
    print(f"{passed} passed, {failed} failed", file=out)
    return 1 if failed else 0
