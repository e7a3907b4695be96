"""Time and chance as the server uses them, handed in so that a test can hold them still."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

GAME_ID_BYTES = 9
TOKEN_BYTES = 32
"""256 random bits: nobody guesses a seat."""


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _ticks_ms() -> int:
    return time.monotonic_ns() // 1_000_000


async def _sleep_ms(span_ms: int) -> None:
    await asyncio.sleep(span_ms / 1000)


def _game_id() -> str:
    return secrets.token_urlsafe(GAME_ID_BYTES)


def _token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def _secret() -> bytes:
    return secrets.token_bytes(TOKEN_BYTES)


def _lot() -> int:
    return secrets.randbelow(2)


@dataclass(frozen=True, slots=True)
class Nature:
    """Time in milliseconds, a sleep, and the random words of the server.

    now_ms: the present in Unix time, for dates. ticks_ms: a clock that never runs backwards, for spans: game clocks
    stand still while the machine sleeps. sleep_ms: wait so long. game_id: a new public id, 72 random bits. token: a
    guest's new token. secret: 32 bytes from which the seeds of a game follow. lot: 0 or 1.
    """

    now_ms: Callable[[], int] = _now_ms
    ticks_ms: Callable[[], int] = _ticks_ms
    sleep_ms: Callable[[int], Awaitable[None]] = _sleep_ms
    game_id: Callable[[], str] = _game_id
    token: Callable[[], str] = _token
    secret: Callable[[], bytes] = _secret
    lot: Callable[[], int] = _lot
