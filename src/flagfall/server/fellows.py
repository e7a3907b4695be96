"""This process among others of its store: its socket for them, what they may ask there, and its place in the rota."""

from __future__ import annotations

import asyncio
import shutil
import socket
import tempfile
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from msgspec import DecodeError
from msgspec.json import decode
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from flagfall.errors import FlagfallError
from flagfall.server.leases import Peer
from flagfall.server.listener import Listener
from flagfall.server.lobby import Lobby
from flagfall.server.relay import Errand, Relay
from flagfall.server.roads import Roads
from flagfall.server.rota import Rota
from flagfall.server.security import App, Receive, Scope, Send
from flagfall.server.store import Store

BACKLOG = 1_024
CONFLICT, DONE = HTTPStatus.CONFLICT, HTTPStatus.NO_CONTENT


class Fellows(Rota):
    """A place in the rota, with a socket in a folder that this account alone can open."""

    def __init__(self, store: Store) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="flagfall-"))
        self._listening = socket.socket(socket.AF_UNIX)
        address = self._folder / "fellows"
        self._listening.bind(str(address))
        self._listening.listen(BACKLOG)
        super().__init__(store.engine, str(address))
        self._relay = Relay(self)
        self._listener: Listener | None = None
        self._serving: asyncio.Task[None] | None = None

    @classmethod
    async def join(cls, store: Store) -> Fellows:
        """Be counted in, with nothing kept yet. Raises StoreFault."""
        fellows = cls(store)
        try:
            await fellows.start()
        except BaseException:
            fellows._hang_up()
            raise
        store.guard = fellows.firm
        return fellows

    def behind(self, inner: App, lobby: Lobby) -> App:
        """The application as people ask it; from now on the other processes can ask it too."""
        self.lose = lobby.rooms.lose
        fellow = ProxyHeadersMiddleware(cast(Any, _Between(Roads(inner, self, None), lobby)), "*")
        self._listener = Listener(cast(App, fellow), lambda: None, signals=False)
        self._serving = asyncio.create_task(self._listener.serve(sockets=[self._listening]))
        return Roads(inner, self, self._relay)

    async def turn_away(self) -> None:
        """Hear the other processes no longer; their sockets are told to come again."""
        if self._listener is not None and self._serving is not None:
            self._listener.should_exit = True
            await self._serving

    async def close(self) -> None:
        """Take leave: whatever was kept here is free at once."""
        await self._relay.close()
        await super().close()
        self._hang_up()

    async def resign(self, peer: Peer, who: str, game: str, seat: str) -> None:
        """Let the keeper of a game have a seat of it given up. Raises NotAllowed `closed`."""
        await self._relay.resign(peer, Errand(who, game, seat))

    def _hang_up(self) -> None:
        self._listening.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class _Between:
    """What processes ask of each other besides what people asked them."""

    def __init__(self, app: App, lobby: Lobby) -> None:
        self._app, self._lobby = app, lobby

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/between/resign":
            await self._app(scope, receive, send)
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        try:
            errand = decode(body, type=Errand)
            await self._lobby.give_up(errand.who, errand.game, errand.seat)
        except (FlagfallError, DecodeError):
            status = CONFLICT
        else:
            status = DONE
        await send({"type": "http.response.start", "status": int(status), "headers": []})
        await send({"type": "http.response.body", "body": b""})
