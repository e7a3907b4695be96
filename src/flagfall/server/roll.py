"""The roll: accounts and sessions as the store keeps them; of a token only its hash, of a password only argon2's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import Struct

from flagfall.server.store import Store, games, hashed, seats, tables

BOT = " (bot)"
"""Behind the name of an account that has a token: no name has such signs in it."""

accounts = sa.Table(
    "accounts",
    tables,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("folded", sa.Text, nullable=False, unique=True),
    sa.Column("password", sa.Text, nullable=False),
    sa.Column("holder", sa.LargeBinary(32), nullable=False, unique=True),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
)
sessions = sa.Table(
    "sessions",
    tables,
    sa.Column("key", sa.LargeBinary(32), primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
    sa.Column("used_ms", sa.BigInteger, nullable=False),
)

tokens = sa.Table(
    "tokens",
    tables,
    sa.Column("key", sa.LargeBinary(32), primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("created_ms", sa.BigInteger, nullable=False),
    sa.Column("used_ms", sa.BigInteger),
)


_SIGNED_IN = "account:"


def is_account(who: str) -> bool:
    """Whether a seat's holder is somebody who is signed in."""
    return who.startswith(_SIGNED_IN)


class Account(Struct, frozen=True):
    """Somebody with a name; `password` is argon2's text."""

    id: str
    name: str
    password: str
    created_ms: int

    def __repr__(self) -> str:
        return f"Account({self.id}, …)"

    @property
    def who(self) -> str:
        """What a seat's holder is called when he is signed in; no guest's token has this form."""
        return f"{_SIGNED_IN}{self.id}"


class Session(Struct, frozen=True):
    """One place in which somebody is signed in; `key` is the hash of its token."""

    key: bytes
    id: str
    account: Account
    created_ms: int
    used_ms: int


_KEPT = (accounts.c.id, accounts.c.name, accounts.c.password, accounts.c.created_ms)


class Roll:
    """Every question and change raises StoreFault when the database fails."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def enrol(self, account: Account) -> None:
        """Write an account. Raises Taken where its name is."""
        row = {
            "id": account.id,
            "name": account.name,
            "folded": account.name.casefold(),
            "password": account.password,
            "holder": hashed(account.who),
            "created_ms": account.created_ms,
        }
        await self._store.change((sa.insert(accounts), [row]))

    async def named(self, name: str) -> Account | None:
        """The account of a name, however its letters are cased."""
        found = await self._store.ask(sa.select(*_KEPT).where(accounts.c.folded == name.casefold()))
        return Account(**found[0]) if found else None

    async def renew(self, account: str, password: str, keep: bytes) -> None:
        """Change a password, and end every session but one."""
        await self._store.change(
            (sa.update(accounts).where(accounts.c.id == account).values(password=password), None),
            (sa.delete(sessions).where(sessions.c.account == account, sessions.c.key != keep), None),
        )

    async def sign_in(self, session: Session, most: int, dead_ms: int) -> None:
        """Write a session; those not used since `dead_ms`, and the least used of too many, end."""
        mine = sa.select(sessions.c.key).where(sessions.c.account == session.account.id)
        spare = mine.order_by(sessions.c.used_ms.desc(), sessions.c.key).offset(most - 1).limit(1_000)
        row = {name: getattr(session, name) for name in ("key", "id", "created_ms", "used_ms")}
        await self._store.change(
            (sa.delete(sessions).where(sessions.c.used_ms < dead_ms), None),
            (sa.delete(sessions).where(sessions.c.key.in_(spare)), None),
            (sa.insert(sessions), [row | {"account": session.account.id}]),
        )

    async def session(self, key: bytes) -> Session | None:
        """The session of a hashed token."""
        query = (
            sa.select(sessions.c.key, sessions.c.id, sessions.c.created_ms, sessions.c.used_ms, accounts.c.name)
            .add_columns(accounts.c.id.label("account"), accounts.c.password, accounts.c.created_ms.label("since_ms"))
            .join(accounts, accounts.c.id == sessions.c.account)
            .where(sessions.c.key == key)
        )
        found = await self._store.ask(query)
        if not found:
            return None
        row = found[0]
        account = Account(row["account"], row["name"], row["password"], row["since_ms"])
        return Session(row["key"], row["id"], account, row["created_ms"], row["used_ms"])

    async def sessions(self, account: str) -> Sequence[tuple[bytes, str, int, int]]:
        """Key, id, beginning and last use of an account's sessions, the last used first."""
        query = (
            sa.select(sessions.c.key, sessions.c.id, sessions.c.created_ms, sessions.c.used_ms)
            .where(sessions.c.account == account)
            .order_by(sessions.c.used_ms.desc(), sessions.c.id)
        )
        return [(row["key"], row["id"], row["created_ms"], row["used_ms"]) for row in await self._store.ask(query)]

    async def living(self, keys: Sequence[bytes]) -> set[bytes]:
        """Those of some sessions and tokens that have not ended."""
        both = (sa.select(table.c.key).where(table.c.key.in_(keys)) for table in (sessions, tokens))
        return {row["key"] for row in await self._store.ask(sa.union_all(*both))}

    async def touch(self, key: bytes, used_ms: int) -> None:
        """Note that a session was used."""
        await self._store.change((sa.update(sessions).where(sessions.c.key == key).values(used_ms=used_ms), None))

    async def end(self, keys: Sequence[bytes]) -> None:
        """End sessions."""
        await self._store.change((sa.delete(sessions).where(sessions.c.key.in_(keys)), None))

    async def names(self, games: Sequence[str]) -> dict[str, dict[str, str]]:
        """The names of those who sit at games under an account, by game and seat; with a token one is called a bot."""
        query = (
            sa.select(seats.c.game, seats.c.seat, accounts.c.name)
            .add_columns(sa.exists().where(tokens.c.account == accounts.c.id).label("bot"))
            .join(accounts, accounts.c.holder == seats.c.guest)
            .where(seats.c.game.in_(games))
        )
        found: dict[str, dict[str, str]] = {}
        for row in await self._store.ask(query):
            found.setdefault(row["game"], {})[row["seat"]] = row["name"] + (BOT if row["bot"] else "")
        return found

    async def claimable(self, guest: bytes, holder: bytes) -> int:
        """Count the seats that `claim` would move."""
        query = sa.select(sa.func.count().label("count")).select_from(seats).where(*_claimed(guest, holder))
        return int((await self._store.ask(query))[0]["count"])

    async def claim(self, guest: bytes, holder: bytes) -> None:
        """Give a guest's seats to an account, but for games at which that has the other seat."""
        await self._store.change((sa.update(seats).where(*_claimed(guest, holder)).values(guest=holder), None))

    async def games(self, holder: bytes) -> list[tuple[str, str, str]]:
        """Every seat of an account: game, seat and phase, the oldest game first."""
        query = (
            sa.select(seats.c.game, seats.c.seat, games.c.phase)
            .join(games, games.c.id == seats.c.game)
            .where(seats.c.guest == holder)
            .order_by(games.c.started_ms, games.c.id, seats.c.seat)
        )
        return [(row["game"], row["seat"], row["phase"]) for row in await self._store.ask(query)]

    async def strike(self, account: Account, nobody: bytes, *beside: tuple[Any, None]) -> None:
        """Forget an account, its sessions and what else is its own; its seats are nobody's from then on."""
        await self._store.change(
            *beside,
            (sa.update(seats).where(seats.c.guest == hashed(account.who)).values(guest=nobody), None),
            (sa.delete(sessions).where(sessions.c.account == account.id), None),
            (sa.delete(accounts).where(accounts.c.id == account.id), None),
        )


def _claimed(guest: bytes, holder: bytes) -> tuple[sa.ColumnElement[bool], ...]:
    mine = sa.select(seats.c.game).where(seats.c.guest == holder).scalar_subquery()
    return seats.c.guest == guest, seats.c.game.not_in(mine)
