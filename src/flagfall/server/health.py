"""How a server is: whether its law is there, its store answers, and it was not asked to stop."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from flagfall.errors import FlagfallError
from flagfall.server.law import LawKeeper
from flagfall.server.store import Store

PATIENCE_S = 2.0


class Readiness(Struct, frozen=True):
    """Whether people may be sent here; `leaving` once the server was asked to stop."""

    ready: bool
    law: bool
    store: bool
    leaving: bool


class Health:
    """How the server is. `leaving` is set when it was asked to stop."""

    def __init__(self, store: Store, law: LawKeeper) -> None:
        self._store, self._law = store, law
        self._asking: asyncio.Task[bool] | None = None
        self.leaving = False

    async def look(self) -> Readiness:
        """Whether people may be sent here; however many ask at once, the store is asked once."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._answers())
        store, law = await asyncio.shield(self._asking), self._law.usable
        return Readiness(ready=law and store and not self.leaving, law=law, store=store, leaving=self.leaving)

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._store.answers()
        except (FlagfallError, TimeoutError):
            return False
        return True
