"""HTTP lines that hang up on a silent caller: a question's head comes in time, or the line is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""From the opening of a line, or the first byte of a later question, to the end of that question's head."""


class Prompt(H11Protocol):
    """Uvicorn's HTTP protocol with the one deadline that it lacks; idle lines after an answer are its own business."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first question."""
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in some bytes, and wait on only where they leave a head unfinished."""
        super().data_received(data)
        self._watch()

    @property
    def _unasked(self) -> bool:
        """Whether this line is still ours, no question on it is being answered and none has come whole."""
        cycle: Any = self.cycle
        return self.transport.get_protocol() is self and (cycle is None or cycle.response_complete)

    def _watch(self) -> None:
        if not self._unasked:
            self._rest()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._hang_up)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        self._deadline = None
        if self._unasked:
            self.transport.close()
