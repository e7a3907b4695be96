"""The clock that a search looks at while it runs, compiled: the C library's monotonic one."""

from __future__ import annotations

import sys
import time
from typing import Any

from flagfall.rules.compiled import compiled, python_function
from flagfall.rules.kernels import COMPILER_OFF
from flagfall.rules.law import U

MONOTONIC = U(getattr(time, "CLOCK_MONOTONIC", 1))
SECOND = 10**9
HAS_CLOCK = sys.platform != "win32"
"""Whether compiled code can read the clock; where it cannot, a search sees no time pass and counts positions alone."""

_ask: Any = python_function("clock_gettime", 2) if HAS_CLOCK else None


@compiled
def _told(q: Any) -> Any:
    """Nanoseconds of the monotonic clock, written by the C library to the place in the slate that it is given."""
    _ask(MONOTONIC, q.clock_at)
    return q.clock[0] * SECOND + q.clock[1]


@compiled
def _never(q: Any) -> Any:
    """Where there is no such clock, no deadline ever comes."""
    return q.clock[0]


def _plain(q: Any) -> Any:
    """The same with the compiler off."""
    del q
    return time.monotonic_ns()


if COMPILER_OFF:
    now_ns: Any = _plain
else:
    now_ns = _told if HAS_CLOCK else _never
