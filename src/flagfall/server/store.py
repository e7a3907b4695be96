"""The store: one numbered, append-only log a game is the truth; a summary a game and its seats stand beside it.

Whoever owns the account can read the file; nobody else can. SQLite by default, in WAL mode, one server a file;
its rows are written by one hand (`writer`), several games' together.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from flagfall.errors import FlagfallError
from flagfall.server.counts import Counts
from flagfall.server.hands import FileHand, Hand, Held, LineHand
from flagfall.server.home import private_file
from flagfall.server.journal import Acted, Entry, read_entry, write_entry
from flagfall.server.writer import Writer
from flagfall.wire.messages import Against

HOLD_TRIES, HOLD_WAIT_S = 20, 0.25
PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000", "foreign_keys=ON")

tables = sa.MetaData()
games = sa.Table(
    "games",
    tables,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("level", sa.Text, nullable=False),
    sa.Column("phase", sa.Text, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("turn", sa.Text),
    sa.Column("result", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("started_ms", sa.BigInteger, nullable=False),
    sa.Column("updated_ms", sa.BigInteger, nullable=False),
    sa.Column("against", sa.Text, nullable=False, server_default="house"),
    sa.Column("open", sa.Boolean, nullable=False, server_default=sa.false()),
)
seats = sa.Table(
    "seats",
    tables,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Text, primary_key=True),
    sa.Column("guest", sa.LargeBinary(32), nullable=False, index=True),
)
invitations = sa.Table(
    "invitations",
    tables,
    sa.Column("code", sa.LargeBinary(32), primary_key=True),
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
    sa.Column("seat", sa.Text, nullable=False),
)
watch_links = sa.Table(
    "watch_links",
    tables,
    sa.Column("code", sa.LargeBinary(32), primary_key=True),
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
)
events = sa.Table(
    "events",
    tables,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("ply", sa.Integer),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
    sa.UniqueConstraint("game", "ply", name="one_event_a_ply"),
)

ADD_GAME, ADD_SEAT, ADD_INVITATION, ADD_LINK, ADD_EVENT = (
    sa.insert(table) for table in (games, seats, invitations, watch_links, events)
)
RENEW_GAME = (
    sa.update(games)
    .where(games.c.id == sa.bindparam("renewed"))
    .values({column.name: sa.bindparam(column.name) for column in games.c if column.name != "id"})
)
TOGETHER = (ADD_GAME, ADD_SEAT, ADD_INVITATION, ADD_LINK, ADD_EVENT, RENEW_GAME)


class StoreFault(FlagfallError):
    """The store could not be read or written; nothing changed."""

    code = "store"


class Taken(StoreFault):
    """Another event stands under this number: somebody else writes to the same game."""

    code = "taken"


class Summary(Struct, frozen=True):
    """A game in one line; everything in it follows from its log. open: whether anybody in the hall may sit down."""

    id: str
    variant: str
    level: str
    phase: str
    ply: int
    turn: str | None
    result: str | None
    reason: str | None
    started_ms: int
    updated_ms: int
    against: Against = "house"
    open: bool = False


def hashed(token: str) -> bytes:
    """What the store keeps of a token or a code: its SHA-256; so many random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode()).digest()


def _pragmas(connection: sqlite3.Connection, _: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Store:
    """Logs, summaries and seats of all games.

    Every call raises StoreFault when the database fails; an append is whole or not at all.
    """

    def __init__(self, engine: AsyncEngine, counts: Counts | None = None) -> None:
        self._engine = engine
        self._hand = _hand(engine)
        self._writer = Writer(self._hand, counts or Counts(), TOGETHER)
        self.guard: Callable[[str], Awaitable[None]] | None = None
        """Where several processes write: makes sure that this one keeps a game. Raises StoreFault `closed`."""

    @property
    def engine(self) -> AsyncEngine:
        """The way to the database."""
        return self._engine

    @property
    def several(self) -> bool:
        """Whether several processes may write here: at PostgreSQL."""
        return self._engine.dialect.name == "postgresql"

    @classmethod
    async def open(cls, place: Path | str, counts: Counts | None = None) -> Store:
        """Open the store at a path, or at a database address, and bring its tables up to date.

        Raises StoreFault `store_address` where the address means no database, `store_unusable` where what is there
        cannot be used.
        """
        if isinstance(place, Path):
            await asyncio.to_thread(private_file, place)
            place = f"sqlite+aiosqlite:///{place}"
        try:
            # Hidden parameters keep deployments out of the text of database errors.
            url = _address(place)
            engine = create_async_engine(url, hide_parameters=True, **_ways(url))
        except (SQLAlchemyError, ImportError, ValueError):
            raise StoreFault("the store's address means no database of ours", code="store_address") from None
        if engine.dialect.name == "sqlite":
            sa.event.listen(engine.sync_engine, "connect", _pragmas)
        from alembic.util.exc import CommandError

        from flagfall.server.migrations import upgrade

        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
        except (SQLAlchemyError, sqlite3.Error, CommandError, OSError):
            await engine.dispose()
            raise StoreFault("the store is no database of ours, or cannot be opened", code="store_unusable") from None
        store = cls(engine, counts)
        try:
            await store._hold()
        except StoreFault:
            await store.close()
            raise
        return store

    async def _hold(self) -> None:
        """Take hold of a database that a server of an older kind would want for itself; if it has just died, wait."""
        if not isinstance(self._hand, LineHand):
            return
        for last in [False] * HOLD_TRIES + [True]:
            try:
                await self._hand.hold()
            except (SQLAlchemyError, OSError) as error:
                if last or not isinstance(error, Held):
                    raise StoreFault("another server writes to this database", code="store_held") from None
            else:
                return
            await asyncio.sleep(HOLD_WAIT_S)

    async def answers(self) -> None:
        """Ask the database for nothing at all."""
        await self._read(sa.select(sa.literal(1)))

    async def close(self) -> None:
        """Write what was asked, then let go of the database."""
        await self._writer.close()
        await self._engine.dispose()

    async def create(
        self,
        summary: Summary,
        owners: dict[str, bytes],
        entries: Sequence[Entry],
        at_ms: int,
        invitation: tuple[bytes, str] | None = None,
        watch: bytes | None = None,
    ) -> None:
        """Write a new game: its summary, the hashed guests by seat, its first events from number 1.

        invitation: the hashed code that gives a seat, and that seat. watch: the hashed code of the link for watchers.
        """
        rows = [_row(summary.id, n, entry, at_ms) for n, entry in enumerate(entries, start=1)]
        held = [{"game": summary.id, "seat": seat, "guest": guest} for seat, guest in owners.items()]
        asked = [] if invitation is None else [{"game": summary.id, "code": invitation[0], "seat": invitation[1]}]
        await self._write(
            (ADD_GAME, [_columns(summary)]),
            (ADD_SEAT, held),
            (ADD_INVITATION, asked),
            (ADD_LINK, [] if watch is None else [{"game": summary.id, "code": watch}]),
            (ADD_EVENT, rows),
        )

    async def invited(self, code: bytes) -> tuple[str, str] | None:
        """Return the game and the seat that a hashed code offers, None for none."""
        query = sa.select(invitations.c.game, invitations.c.seat).where(invitations.c.code == code)
        found = await self._read(query)
        return (found[0]["game"], found[0]["seat"]) if found else None

    async def watched(self, code: bytes) -> str | None:
        """Return the game at which a hashed code lets one look on, None for none."""
        found = await self._read(sa.select(watch_links.c.game).where(watch_links.c.code == code))
        return str(found[0]["game"]) if found else None

    async def take(self, game: str, seat: str, guest: bytes, n: int, entry: Entry, at_ms: int) -> None:
        """Give a seat to a guest and write event `n` that says so. Raises Taken when somebody sits there."""
        await self._guarded(game)
        await self._write(
            (ADD_SEAT, [{"game": game, "seat": seat, "guest": guest}]),
            (ADD_EVENT, [_row(game, n, entry, at_ms)]),
        )

    async def drop(self, game: str) -> None:
        """Forget a game altogether."""
        await self._guarded(game)
        await self._write(
            *(
                (sa.delete(table).where(table.c.game == game), None)
                for table in (events, seats, invitations, watch_links)
            ),
            (sa.delete(games).where(games.c.id == game), None),
        )

    async def append(
        self,
        summary: Summary,
        n: int,
        entries: Sequence[Entry],
        at_ms: int,
        beside: Sequence[tuple[Any, list[dict[str, Any]] | None]] = (),
    ) -> None:
        """Append events from number `n`, renew the summary, and change what else changes with them.

        Raises Taken when that number, or a key of what stands beside, is there already.
        """
        await self._guarded(summary.id)
        rows = [_row(summary.id, n + step, entry, at_ms) for step, entry in enumerate(entries)]
        changed = _columns(summary)
        await self._write((ADD_EVENT, rows), (RENEW_GAME, [{"renewed": changed.pop("id"), **changed}]), *beside)

    async def log(self, game: str) -> list[tuple[Entry, int]]:
        """Return every event of a game with its moment in Unix milliseconds, in order; empty when there is no game."""
        query = sa.select(events.c.entry, events.c.at_ms).where(events.c.game == game).order_by(events.c.n)
        return [(read_entry(row["entry"]), row["at_ms"]) for row in await self._read(query)]

    async def lengths(self, games: Sequence[str]) -> dict[str, int]:
        """Return the number of the last event of each of some games."""
        last = sa.func.max(events.c.n).label("last")
        query = sa.select(events.c.game, last).where(events.c.game.in_(games)).group_by(events.c.game)
        return {row["game"]: row["last"] for row in await self._read(query)}

    async def summary(self, game: str) -> Summary | None:
        """Return the summary of one game."""
        found = await self._read(sa.select(games).where(games.c.id == game))
        return Summary(**found[0]) if found else None

    async def seats(self, game: str, guest: bytes) -> list[str]:
        """Return the seats that a guest holds in a game, red first."""
        query = sa.select(seats.c.seat).where(seats.c.game == game, seats.c.guest == guest)
        return sorted((row["seat"] for row in await self._read(query)), reverse=True)

    async def owners(self, game: str) -> dict[str, bytes]:
        """Return the hashed guests of a game by seat."""
        query = sa.select(seats.c.seat, seats.c.guest).where(seats.c.game == game)
        return {row["seat"]: row["guest"] for row in await self._read(query)}

    async def makers(self, games: Sequence[str]) -> dict[str, tuple[str, bytes]]:
        """Return, of games at which one person sits, that seat and its hashed guest."""
        query = sa.select(seats).where(seats.c.game.in_(games))
        return {row["game"]: (row["seat"], row["guest"]) for row in await self._read(query)}

    async def of_guest(self, guest: bytes, limit: int) -> list[tuple[str, Summary]]:
        """Return a guest's seats and games, the latest first."""
        query = (
            sa.select(seats.c.seat, games)
            .join(games, games.c.id == seats.c.game)
            .where(seats.c.guest == guest)
            .order_by(games.c.updated_ms.desc(), games.c.id)
            .limit(limit)
        )
        found = [dict(row) for row in await self._read(query)]
        return [(row.pop("seat"), Summary(**row)) for row in found]

    async def unfinished(self, guest: bytes) -> int:
        """Count the games of a guest that are not over."""
        mine = sa.select(seats.c.game).where(seats.c.guest == guest)
        query = sa.select(sa.func.count().label("count")).where(games.c.id.in_(mine), games.c.phase != "over")
        return int((await self._read(query))[0]["count"])

    async def ask(self, query: Any) -> Sequence[sa.RowMapping]:
        """Return the rows of a query on tables that others keep here."""
        return await self._read(query)

    async def change(self, *statements: tuple[Any, list[dict[str, Any]] | None]) -> None:
        """Change tables that others keep here, all or nothing. Raises Taken where a key is there already."""
        await self._write(*statements)

    async def _guarded(self, game: str) -> None:
        if self.guard is not None:
            await self.guard(game)

    async def _read(self, query: Any) -> Sequence[sa.RowMapping]:
        try:
            return await self._hand.read(query)
        except (SQLAlchemyError, OSError):
            raise StoreFault("the store cannot be read") from None

    async def _write(self, *statements: tuple[Any, list[dict[str, Any]] | None]) -> None:
        try:
            await self._writer.write(statements)
        except IntegrityError:
            raise Taken("another event stands under this number") from None
        except SQLAlchemyError:
            raise StoreFault("the store cannot be written") from None


def _address(place: str) -> sa.URL:
    """The address with the driver that this server has, where it names none."""
    url = sa.make_url(place)
    driver = {"postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    return url.set(drivername=driver.get(url.drivername, url.drivername))


def _ways(url: sa.URL) -> dict[str, Any]:
    """How a database server is spoken to: lines that broke while nobody spoke are found out before they are used."""
    return {"pool_pre_ping": True, "pool_size": 8} if url.get_backend_name() == "postgresql" else {}


def _hand(engine: AsyncEngine) -> Hand:
    if engine.dialect.name != "sqlite" or engine.url.database in (None, "", ":memory:"):
        return LineHand(engine)
    own = sa.create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
    sa.event.listen(own, "connect", _pragmas)
    return FileHand(own)


def _row(game: str, n: int, entry: Entry, at_ms: int) -> dict[str, Any]:
    # No ply of a game is written twice; one that takes the place of a ply taken back is another one.
    ply = (entry.nth or entry.ply) if isinstance(entry, Acted) else None
    return {"game": game, "n": n, "ply": ply, "at_ms": at_ms, "entry": write_entry(entry)}


def _columns(summary: Summary) -> dict[str, Any]:
    return {name: getattr(summary, name) for name in summary.__struct_fields__}
