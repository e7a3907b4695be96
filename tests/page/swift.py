"""The real server with the house's pauses taken out, so that a whole game fits into a test.

Run as a program: `python -m tests.page.swift HOME PORT` (PORT 0 takes any free one).
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from unittest.mock import patch

from flagfall.server import presence, run
from flagfall.server.host import House
from flagfall.server.pacing import Pacing

SWIFT = Pacing(floor_ms=0, spread_ms=0, step_ms=10)
LEFT_MS = 6_000

if __name__ == "__main__":
    house = patch.object(run, "House", functools.partial(House, pacing=SWIFT))
    with house, patch.object(presence, "LEFT_MS", LEFT_MS):
        sys.exit(run.play(port=int(sys.argv[2]), browser=False, level=1, home=Path(sys.argv[1])))
