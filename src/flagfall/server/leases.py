"""Who keeps what, where several server processes share a store: a lease for each game and for the hall.

The log stays the truth: no two processes write the same number of a game, whatever their leases say. A lease only makes
one of them the keeper, in whose memory clocks run, people are counted and words are heard; the others hand on what they
are asked (`roads`). Time is the database's. `Rota` keeps them there; a server that is alone needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from flagfall.errors import NotAllowed
from flagfall.server.store import tables

HALL = "hall"
"""The lease of whoever keeps all tables that wait for anybody; no game has so short an id."""

processes = sa.Table(
    "processes",
    tables,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("machine", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("until_ms", sa.BigInteger, nullable=False),
)
leases = sa.Table(
    "leases",
    tables,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("process", sa.Text, sa.ForeignKey("processes.id", ondelete="CASCADE"), nullable=False, index=True),
)

Ear = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Peer:
    """Another process of the same store, and the socket in the file system at which it hears its fellows."""

    id: str
    address: str


@dataclass(eq=False)
class Road:
    """The way of one question through this process.

    peer: who has to be asked instead, once that is found out. over: called when a lease that the question stands on is
    lost. cut: ends what is being done for it.
    """

    peer: Peer | None = None
    over: Callable[[], None] | None = None
    cut: Callable[[], None] | None = None
    names: set[str] = field(default_factory=set)


ROAD: ContextVar[Road | None] = ContextVar("road", default=None)


class Leases(Protocol):
    """What a lobby asks of them.

    several: whether there may be other processes. crowded: whether this one keeps many more games than its share.
    """

    several: bool
    crowded: bool

    async def keeper(self, name: str) -> Peer | None:
        """Take a lease if it is free; who has it, None for this process. Raises NotAllowed `closed`."""
        ...

    async def hold(self, name: str) -> None:
        """Take a lease, or say to whoever handles the question where it is. Raises NotAllowed `elsewhere`, `closed`."""
        ...

    def let_go(self, name: str) -> None:
        """Give a lease back soon; taken again before, it is kept."""
        ...

    async def pass_on(self, name: str) -> None:
        """Give a lease back at once, and have whoever is at a socket for it come again. Raises NotAllowed `closed`."""
        ...

    def tell(self, topic: str, name: str = "") -> None:
        """Wake the other processes: something of this kind has changed; what it is they read for themselves."""
        ...

    def hear(self, topic: str, ear: Ear) -> None:
        """Listen to such words, and be called with no name when some may have been missed."""
        ...

    async def resign(self, peer: Peer, who: str, game: str, seat: str) -> None:
        """Let the keeper of a game have a seat of it given up. Raises NotAllowed `closed`."""
        ...


class Alone:
    """A server that shares its store with nobody."""

    several = crowded = False

    async def keeper(self, name: str) -> Peer | None:
        """Nobody else."""
        return None

    async def hold(self, name: str) -> None:
        """It is held."""

    def let_go(self, name: str) -> None:
        """Nobody waits for it."""

    async def pass_on(self, name: str) -> None:
        """Nobody takes it."""

    def tell(self, topic: str, name: str = "") -> None:
        """Nobody listens."""

    def hear(self, topic: str, ear: Ear) -> None:
        """Nobody speaks."""

    async def resign(self, peer: Peer, who: str, game: str, seat: str) -> None:
        """There are no peers."""


@contextmanager
def off_road() -> Iterator[None]:
    """Ask for leases without having the whole question taken to their keeper."""
    token = ROAD.set(None)
    try:
        yield
    finally:
        ROAD.reset(token)


def elsewhere() -> NotAllowed:
    """What is said of what another process keeps, where nobody can hand the question on."""
    return NotAllowed("another process keeps this; ask again", code="elsewhere")


def away() -> NotAllowed:
    """What is said while this process cannot be sure of its leases."""
    return NotAllowed("this server is not sure of its tables; ask again", code="closed")


def now() -> sa.ColumnElement[int]:
    """The database's time in Unix milliseconds."""
    return sa.cast(sa.func.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger)


def living() -> sa.Select[str]:
    """The ids of processes that have been heard of lately."""
    return sa.select(processes.c.id).where(processes.c.until_ms > now())


def claimed(name: str, me: str) -> sa.Executable:
    """The statement that takes a lease if it is free or this process's own already, and then returns its name."""
    mine = sa.select(sa.literal(name), sa.literal(me)).where(sa.literal(me).in_(living()))
    new = insert(leases).from_select(["name", "process"], mine)
    free = sa.or_(leases.c.process == me, leases.c.process.not_in(living()))
    return new.on_conflict_do_update(
        index_elements=[leases.c.name], set_={"process": new.excluded.process}, where=free
    ).returning(leases.c.name)
