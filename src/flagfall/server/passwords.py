"""Passwords: argon2id in a thread, few at a time, and as slow for a name that nobody has as for any other."""

from __future__ import annotations

import asyncio
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""Each takes a core for a while and 64 MiB: more at once would delay people's games."""


class Passwords:
    """Hashes and verifies, off the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """What is kept of a password."""
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, _read(password))

    async def verify(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one that is kept; None, for a name that nobody has, takes as long and is false."""
        if kept is None and self._nobodys is None:
            self._nobodys = await self.hash("nobody has this name, so nobody has this password")
        async with self._slots:
            found = await asyncio.to_thread(self._matches, kept or self._nobodys or "", _read(password))
        return found and kept is not None

    def _matches(self, kept: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False


def _read(password: str) -> bytes:
    """A password as bytes: the same however a keyboard composes its letters."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
