"""Seats the tests' own players."""

from __future__ import annotations

import pytest

from tests.guests import seat_guests


@pytest.fixture(autouse=True)
def _guests(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_guests(monkeypatch)
