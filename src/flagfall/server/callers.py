"""Who asks: an account where a session's cookie says so, else a guest by his token; decided once, before handlers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection

from flagfall.errors import NotAllowed
from flagfall.server.lobby import is_token
from flagfall.server.roll import Session
from flagfall.server.security import App, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from flagfall.server.accounts import Accounts

GUEST_COOKIE = "flagfall_guest"
SESSION_COOKIE = "flagfall_session"
ENDED = 4401
_KEY = "flagfall.caller"


@dataclass(frozen=True, slots=True)
class Caller:
    """guest: the token of this browser, where it has one. session: in which somebody is signed in.

    banned: whether either may not play here any more. bot: whether a token says so, not a browser's cookie. refused:
    why that token opens nothing.
    """

    guest: str | None = None
    session: Session | None = None
    banned: bool = False
    bot: bool = False
    refused: NotAllowed | None = None

    @property
    def who(self) -> str | None:
        """Under what name seats are held."""
        return self.guest if self.session is None else self.session.account.who

    @property
    def selves(self) -> frozenset[str]:
        """Everything under which this browser can hold a seat: with none of them does anybody play himself."""
        return frozenset(one for one in (self.guest, self.who) if one is not None)


def caller_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Caller:
    """Whoever asks."""
    found = connection.scope.get(_KEY)
    return found if isinstance(found, Caller) else Caller()


def signed_in(connection: ASGIConnection[Any, Any, Any, Any]) -> Session:
    """The session of whoever asks. Raises NotAllowed `not_signed_in`, `not_with_token`."""
    caller = caller_of(connection)
    if caller.bot:
        raise NotAllowed("a token plays, and does nothing else to its account", code="not_with_token")
    if caller.session is None:
        raise NotAllowed("sign in first", code="not_signed_in")
    return caller.session


class Callers:
    """The ASGI layer that says of every question to the interface who asks; sockets of an ended session are closed."""

    def __init__(self, app: App, accounts: Accounts) -> None:
        self._app, self._accounts = app, accounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Name the caller and go on."""
        if scope["type"] not in ("http", "websocket") or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        caller = await self._caller(ASGIConnection[Any, Any, Any, Any](scope))  # type: ignore[arg-type]
        scope[_KEY] = caller
        if caller.session is None or scope["type"] == "http":
            await self._app(scope, receive, send)
            return
        with self._accounts.ending(caller.session.key) as ended:
            leaving = asyncio.create_task(ended.wait())
            try:
                await self._app(scope, _until(leaving, receive, send), send)
            finally:
                leaving.cancel()

    async def _caller(self, asking: ASGIConnection[Any, Any, Any, Any]) -> Caller:
        kind, _, token = asking.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":  # any other kind is between a browser and its proxy
            return await self._bot(token)
        guest, token = asking.cookies.get(GUEST_COOKIE, ""), asking.cookies.get(SESSION_COOKIE, "")
        session = await self._accounts.session(token) if is_token(token) else None
        caller = Caller(guest if is_token(guest) else None, session)
        if session is not None and caller.guest is not None:
            await self._accounts.bans.spread(session, caller.guest)
        return replace(caller, banned=self._accounts.bans.any_of(caller.selves))

    async def _bot(self, token: str) -> Caller:
        """Whoever shows a token; cookies beside it count for nothing."""
        try:
            session = await self._accounts.tokens.session(token)
        except NotAllowed as refusal:
            return Caller(refused=refusal)
        caller = Caller(session=session, bot=True)
        return replace(caller, banned=self._accounts.bans.any_of(caller.selves))


def _until(leaving: asyncio.Task[bool], receive: Receive, send: Send) -> Receive:
    """What comes over a socket, until its session is ended."""

    async def receive_or_leave() -> Message:
        hearing = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                return hearing.result()
        finally:
            hearing.cancel()
        await send({"type": "websocket.close", "code": ENDED})
        return {"type": "websocket.disconnect", "code": ENDED}

    return receive_or_leave
