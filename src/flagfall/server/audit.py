"""The audit log: who did what to accounts and games, when; never a rank, an army, a token, a password or an address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from flagfall.server.nature import Nature
from flagfall.server.store import Store, tables

KEPT_MS = 400 * 24 * 3600 * 1000
"""How long a line is kept."""
SAME_MS = 60_000
"""Of the same refusal again and again one line a minute is written."""
MOST_REMEMBERED = 1_000

audit = sa.Table(
    "audit",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("deed", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
)


def tag(subject: bytes) -> str:
    """How a guest is called here: a part of what the store keeps of his token, from which nothing can be opened."""
    return f"guest-{subject.hex()[:12]}"


class Audit:
    """Every call raises StoreFault when the database fails."""

    def __init__(self, store: Store, nature: Nature) -> None:
        self._store, self._nature = store, nature
        self._lately: dict[tuple[str, str], int] = {}

    async def note(self, deed: str, who: str, about: str = "") -> None:
        """Write a line. who: an account's name, a guest's `tag`, or the operator."""
        await self._store.change(line(deed, who, about, self._nature.now_ms()))

    async def note_refusal(self, deed: str, who: str) -> None:
        """Write a line, unless the same was written within a minute."""
        now_ms = self._nature.now_ms()
        if now_ms - self._lately.get((deed, who), -SAME_MS) < SAME_MS:
            return
        if len(self._lately) >= MOST_REMEMBERED:
            self._lately.clear()
        self._lately[deed, who] = now_ms
        await self.note(deed, who)

    async def forget(self) -> None:
        """Drop the lines that are older than they may be."""
        await self._store.change((sa.delete(audit).where(audit.c.at_ms < self._nature.now_ms() - KEPT_MS), None))


def line(deed: str, who: str, about: str, at_ms: int) -> tuple[Any, list[dict[str, Any]]]:
    """The statement that writes a line, so that it goes into one transaction with the deed."""
    return sa.insert(audit), [{"at_ms": at_ms, "deed": deed, "who": who, "about": about}]


async def lines(store: Store, since_ms: int, most: int) -> Sequence[sa.RowMapping]:
    """The newest lines from a moment on, oldest first. Raises StoreFault."""
    newest = sa.select(audit).where(audit.c.at_ms >= since_ms).order_by(audit.c.id.desc()).limit(most).subquery()
    return await store.ask(sa.select(newest).order_by(newest.c.id))
