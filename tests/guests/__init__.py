"""Players that tests seat, on the roster through entry points of their own, in worker processes as well."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flagfall.play import roster

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = Path(__file__).resolve().parent / "installed"


def seat_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the players of `players.py` on the roster of this process and of those that it starts."""
    roster.forget()
    monkeypatch.syspath_prepend(str(INSTALLED))
    inherited = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(INSTALLED), *([inherited] if inherited else [])]))
