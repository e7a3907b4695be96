"""Files of cases and recorded games, run line by line and counted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from flagfall.check.cases import run_case
from flagfall.check.recorded import run_game


def run_line(form: dict[str, Any]) -> str | None:
    """What is wrong with the law by one line, told apart by its fields; None for nothing."""
    try:
        return run_game(form) if "moves" in form else run_case(form)
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        return f"{form.get('id', '?')}: not a case or a game: {type(fault).__name__} {fault}"


def run_files(paths: Iterable[Path], out: TextIO | None = None) -> int:
    """Run files of JSON lines; one line a failure, then `N passed, M failed`. Returns 1 if any failed, else 0."""
    out = out or sys.stdout
    passed = failed = 0
    for path in paths:
        with Path(path).open("rb") as lines:
            for number, line in enumerate(lines, 1):
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
