"""How the store is asked: a file of SQLite's at once, a database server over its line."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

CARRY_EVERY = 500
"""Transactions after which SQLite's log is carried over into its file."""
HOLDING = sa.text("select pg_try_advisory_lock_shared(hashtext('flagfall'), hashtext(current_schema()))")
"""Asks for a lock that goes with the session that took it; servers of the time when one wrote alone took it alone."""
Rows = list[dict[str, Any]]
Deed = tuple[Any, Rows | None]
"""A statement with its rows; None for one that has its values in itself."""


class Hand(Protocol):
    """Carries out one transaction after the other, and answers questions."""

    async def commit(self, deeds: Sequence[Deed]) -> None:
        """Carry out all or nothing. Raises SQLAlchemyError, OSError."""
        ...

    async def read(self, query: Any) -> Sequence[sa.RowMapping]:
        """The rows that a question finds. Raises SQLAlchemyError, OSError."""
        ...

    async def let_go(self) -> None:
        """Let go of the database; a later transaction takes hold of it again."""
        ...


class FileHand:
    """SQLite in the event loop's own thread: a transaction without an fsync takes less time than waking a thread.

    In a thread every row would wait for the interpreter's lock, which a busy loop gives up only now and then. What may
    take long, carrying the log over into the file and syncing it, is done beside in a thread, as one call without that
    lock.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection: sa.Connection | None = None
        self._carrying: asyncio.Task[None] | None = None
        self._since = 0

    async def commit(self, deeds: Sequence[Deed]) -> None:
        """Carry out all or nothing."""
        connection = self._held()
        try:
            with connection.begin():
                for statement, rows in deeds:
                    connection.execute(statement, rows)
        except IntegrityError:
            raise
        except Exception:
            self._drop()
            raise
        self._since += 1
        if self._since >= CARRY_EVERY and (self._carrying is None or self._carrying.done()):
            self._since = 0
            self._carrying = asyncio.create_task(asyncio.to_thread(self._carry))

    async def read(self, query: Any) -> Sequence[sa.RowMapping]:
        """The rows that a question finds."""
        connection = self._held()
        try:
            with connection.begin():
                return connection.execute(query).mappings().all()
        except Exception:
            self._drop()
            raise

    async def let_go(self) -> None:
        """Close the connection, and end what is done beside."""
        if self._carrying is not None:
            await self._carrying
        self._drop()
        self._engine.dispose()

    def _held(self) -> sa.Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
            self._connection.exec_driver_sql("PRAGMA wal_autocheckpoint=0")
            self._connection.commit()
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                connection.invalidate()
                connection.close()

    def _carry(self) -> None:
        with contextlib.suppress(SQLAlchemyError, OSError), self._engine.connect() as beside:
            beside.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").all()


class Held(SQLAlchemyError):
    """Another server writes to this database."""


class LineHand:
    """A transaction goes over a connection that is kept."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def hold(self) -> AsyncConnection:
        """Take hold of the database, if that is not done. Raises Held, SQLAlchemyError, OSError."""
        if self._connection is None:
            connection = await self._engine.connect()
            if self._engine.dialect.name == "postgresql" and not await connection.scalar(HOLDING):
                await connection.close()
                raise Held("another server writes to this database")
            await connection.commit()
            self._connection = connection
        return self._connection

    async def commit(self, deeds: Sequence[Deed]) -> None:
        """Carry out all or nothing."""
        connection = await self.hold()
        try:
            async with connection.begin():
                for statement, rows in deeds:
                    await connection.execute(statement, rows)
        except IntegrityError:
            raise
        except Exception:
            await self.let_go()
            raise

    async def read(self, query: Any) -> Sequence[sa.RowMapping]:
        """The rows that a question finds, over a line of its own."""
        async with self._engine.connect() as connection:
            return (await connection.execute(query)).mappings().all()

    async def let_go(self) -> None:
        """Give the connection back; one that is broken is thrown away."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                await connection.invalidate()
                await connection.close()
