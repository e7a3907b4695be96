"""Who does not want to hear or meet whom, by the hashes of guests and accounts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from flagfall.server.store import Store, Taken, tables

blocks = sa.Table(
    "blocks",
    tables,
    sa.Column("guest", sa.LargeBinary(32), primary_key=True),
    sa.Column("blocked", sa.LargeBinary(32), primary_key=True),
)


async def block(store: Store, guest: bytes, blocked: bytes, on: bool) -> None:
    """Write down that a guest does not want another one, or does again; twice is once. Raises StoreFault."""
    pair = sa.and_(blocks.c.guest == guest, blocks.c.blocked == blocked)
    rows = [{"guest": guest, "blocked": blocked}]
    await store.change((sa.delete(blocks).where(pair), None), *([(sa.insert(blocks), rows)] if on else []))


async def hears_not(store: Store, guest: bytes, blocked: bytes) -> bool:
    """Whether a guest does not want another one. Raises StoreFault."""
    query = sa.select(blocks.c.guest).where(blocks.c.guest == guest, blocks.c.blocked == blocked)
    return bool(await store.ask(query))


async def apart(store: Store, selves: Iterable[bytes]) -> set[bytes]:
    """Everybody whom one of these does not want, or who does not want one of these. Raises StoreFault."""
    mine = list(selves)
    rows = await store.ask(sa.select(blocks).where(sa.or_(blocks.c.guest.in_(mine), blocks.c.blocked.in_(mine))))
    return {one for row in rows for one in (row["guest"], row["blocked"])} - set(mine)


async def carry(store: Store, guest: bytes, holder: bytes) -> None:
    """Let what stands between a guest and others stand between his account and them too. Raises StoreFault."""
    ends = [one == end for one in (blocks.c.guest, blocks.c.blocked) for end in (guest, holder)]
    pairs = {(row["guest"], row["blocked"]) for row in await store.ask(sa.select(blocks).where(sa.or_(*ends)))}
    for pair in sorted(pairs):
        by, of = (holder if end == guest else end for end in pair)
        if by != of and (by, of) not in pairs:
            with contextlib.suppress(Taken):
                await store.change((sa.insert(blocks), [{"guest": by, "blocked": of}]))


def forget(holder: bytes) -> tuple[Any, None]:
    """The statement that forgets everything about a holder."""
    return sa.delete(blocks).where(sa.or_(blocks.c.guest == holder, blocks.c.blocked == holder)), None
