"""Bans: accounts and guests who may not play here any more; read from the store every other second."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from flagfall.errors import NotAllowed
from flagfall.server.roll import Session
from flagfall.server.store import Store, Taken, hashed, tables

bans = sa.Table(
    "bans",
    tables,
    sa.Column("subject", sa.LargeBinary(32), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("since_ms", sa.BigInteger, nullable=False),
)
"""subject: the hash under which seats are held. name: the account's, also of its browsers' guests; else empty."""


class Bans:
    """Those who are banned, in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._subjects: frozenset[bytes] = frozenset()

    async def read(self) -> frozenset[bytes]:
        """Read them anew; those that are new. Raises StoreFault."""
        before = self._subjects
        self._subjects = frozenset(row["subject"] for row in await self._store.ask(sa.select(bans.c.subject)))
        return self._subjects - before

    async def spread(self, session: Session, guest: str) -> None:
        """Ban a browser's guest too, in which a banned account is signed in. Raises StoreFault."""
        subject = hashed(guest)
        if not self.any_of([session.account.who]) or subject in self._subjects:
            return
        row = {"subject": subject, "name": session.account.name, "reason": "its account", "since_ms": session.used_ms}
        with contextlib.suppress(Taken):
            await self._store.change((sa.insert(bans), [row]))
        self._subjects |= {subject}

    def any_of(self, selves: Iterable[str]) -> bool:
        """Whether one of somebody's tokens is banned."""
        return bool(self._subjects) and not self._subjects.isdisjoint(hashed(one) for one in selves)


def unname(name: str) -> tuple[Any, None]:
    """The statement that forgets whose a ban was, once nobody has the name; the ban itself stands."""
    return sa.update(bans).where(bans.c.name == name).values(name=""), None


def banned() -> NotAllowed:
    """What is said to whoever is."""
    return NotAllowed("you may not play on this server any more", code="banned")
