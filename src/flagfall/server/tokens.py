"""Tokens of bots: a key that plays for an account over HTTP, and can do nothing else to it; made, listed, revoked."""

from __future__ import annotations

import re

import sqlalchemy as sa

from flagfall.errors import NotAllowed, NotFound
from flagfall.server import audit
from flagfall.server.nature import Nature
from flagfall.server.roll import Account, Session, accounts, tokens
from flagfall.server.store import Store, hashed
from flagfall.server.talk import cleaned
from flagfall.wire.bots import MadeToken, TokenLine

PREFIX = "flagfall_"
"""By which a token that was published by mistake can be found."""
MOST = 10
TOUCH_MS = 3600 * 1000
_TOKEN = re.compile(re.escape(PREFIX) + r"[A-Za-z0-9_-]{43}")


class Tokens:
    """Every call raises StoreFault when the database fails."""

    def __init__(self, store: Store, nature: Nature) -> None:
        self._store, self._nature = store, nature

    async def make(self, account: Account, title: str) -> MadeToken:
        """Make a token; it is told this once. Raises NotAllowed `too_many_tokens`, BadMessage `no_words`."""
        if len(await self.of(account)) >= MOST:
            raise NotAllowed("revoke one of your tokens first", code="too_many_tokens", limit=MOST)
        token, name, called = PREFIX + self._nature.token(), self._nature.game_id(), cleaned(title)
        at_ms = self._nature.now_ms()
        row = {"key": hashed(token), "id": name, "account": account.id, "title": called, "created_ms": at_ms}
        made = audit.line("token_made", account.name, name, at_ms)
        await self._store.change((sa.insert(tokens), [row]), made)
        return MadeToken(name, called, token)

    async def of(self, account: Account) -> list[TokenLine]:
        """The tokens of an account, the oldest first."""
        query = sa.select(tokens).where(tokens.c.account == account.id).order_by(tokens.c.created_ms, tokens.c.id)
        rows = await self._store.ask(query)
        return [TokenLine(row["id"], row["title"], row["created_ms"], row["used_ms"]) for row in rows]

    async def revoke(self, account: Account, name: str) -> bytes:
        """Revoke a token; its key. Raises NotFound `no_token`."""
        mine = sa.and_(tokens.c.account == account.id, tokens.c.id == name)
        found = await self._store.ask(sa.select(tokens.c.key).where(mine))
        if not found:
            raise NotFound("you have no such token", code="no_token")
        gone = audit.line("token_revoked", account.name, name, self._nature.now_ms())
        await self._store.change((sa.delete(tokens).where(mine), None), gone)
        return bytes(found[0]["key"])

    async def keys(self, account: str) -> list[bytes]:
        """The keys of an account's tokens."""
        rows = await self._store.ask(sa.select(tokens.c.key).where(tokens.c.account == account))
        return [row["key"] for row in rows]

    async def session(self, token: str) -> Session:
        """What a token opens. Raises NotAllowed `bad_token`."""
        query = (
            sa.select(tokens.c.key, tokens.c.id.label("name"), tokens.c.created_ms.label("since_ms"), tokens.c.used_ms)
            .add_columns(accounts.c.id, accounts.c.name.label("called"), accounts.c.password, accounts.c.created_ms)
            .join(accounts, accounts.c.id == tokens.c.account)
            .where(tokens.c.key == hashed(token))
        )
        found = await self._store.ask(query) if _TOKEN.fullmatch(token) else ()
        if not found:
            raise NotAllowed("this token opens nothing; it may have been revoked", code="bad_token")
        row, now_ms = found[0], self._nature.now_ms()
        if row["used_ms"] is None or now_ms - row["used_ms"] > TOUCH_MS:
            mine = sa.update(tokens).where(tokens.c.key == row["key"])
            await self._store.change((mine.values(used_ms=now_ms), None))
        account = Account(row["id"], row["called"], row["password"], row["created_ms"])
        return Session(row["key"], row["name"], account, row["since_ms"], row["used_ms"] or now_ms)
