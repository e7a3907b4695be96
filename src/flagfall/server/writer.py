"""The one hand that writes to the store: whatever is asked while it writes goes into its next transaction together.

Nobody is answered before the transaction with his rows is committed. Where one of several asks for what cannot be, each
is tried by itself, so that only that one fails.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from flagfall.server.counts import Counts
from flagfall.server.hands import Deed, Hand, Rows

MOST_TOGETHER = 500
Wish = tuple[Deed, ...]
"""Statements with their rows, in order."""


class Writer:
    """Writes wishes in the order in which they were asked, as many at once as have come.

    together: statements whose rows may be put together over wishes, in an order in which they may always be run. Other
    statements are run one by one, after those.
    """

    def __init__(self, hand: Hand, counts: Counts, together: Sequence[Any]) -> None:
        self._hand, self._counts = hand, counts
        self._together = tuple(together)
        self._asked: list[tuple[Wish, asyncio.Future[None]]] = []
        self._news, self._closing = asyncio.Event(), False
        self._task = asyncio.create_task(self._run())

    async def write(self, wish: Wish) -> None:
        """Write all of a wish or nothing, and return when it is committed. Raises SQLAlchemyError."""
        if self._closing:
            raise SQLAlchemyError("the store is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked.append((wish, done))
        self._news.set()
        await done

    async def close(self) -> None:
        """Write what was asked, then end."""
        self._closing = True
        self._news.set()
        await self._task
        await self._hand.let_go()

    async def _run(self) -> None:
        while True:
            if not self._asked:
                if self._closing:
                    return
                self._news.clear()
                await self._news.wait()
                continue
            batch, self._asked = self._asked[:MOST_TOGETHER], self._asked[MOST_TOGETHER:]
            await self._write([(wish, done) for wish, done in batch if not done.cancelled()])

    async def _write(self, batch: list[tuple[Wish, asyncio.Future[None]]]) -> None:
        if not batch:
            return
        try:
            await self._commit([wish for wish, _ in batch])
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, IntegrityError) and len(batch) > 1:
                for one in batch:
                    await self._write([one])
                return
            for _, done in batch:
                _fail(done, error if isinstance(error, SQLAlchemyError) else SQLAlchemyError("the line is broken"))
        except Exception as error:
            # A wish that the database library cannot even read must not stop the hand for everybody.
            for _, done in batch:
                _fail(done, SQLAlchemyError(type(error).__name__))
        else:
            for _, done in batch:
                if not done.done():
                    done.set_result(None)

    async def _commit(self, wishes: list[Wish]) -> None:
        begun_s = time.perf_counter()
        await self._hand.commit(self._ordered(wishes))
        self._counts.commit.add(time.perf_counter() - begun_s)
        self._counts.written += sum(len(rows or ()) for wish in wishes for _, rows in wish)

    def _ordered(self, wishes: list[Wish]) -> list[Deed]:
        """The statements of all wishes: those that may be put together, then the others in their order."""
        if len(wishes) == 1:
            return [(statement, rows) for statement, rows in wishes[0] if rows is None or rows]
        held: dict[int, Rows] = {id(statement): [] for statement in self._together}
        alone: list[Deed] = []
        for wish in wishes:
            if all(id(statement) in held for statement, _ in wish):
                for statement, rows in wish:
                    held[id(statement)] += rows or []
            else:
                alone += [(statement, rows) for statement, rows in wish if rows is None or rows]
        return [(statement, held[id(statement)]) for statement in self._together if held[id(statement)]] + alone


def _fail(done: asyncio.Future[None], error: SQLAlchemyError) -> None:
    if not done.done():
        done.set_exception(error)
        done.exception()  # whoever asked may have gone
