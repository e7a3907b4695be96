"""Asking another process of the same store: a question or a socket, as it came, over a socket in the file system.

Who asks is told with it; the other process believes that, for nobody else can open its socket.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import httpx
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from flagfall.server.leases import Peer, Road, away
from flagfall.server.rota import Rota
from flagfall.server.security import Message, Receive, Scope, Send
from flagfall.wire.messages import write

MARK = b"x-flagfall-elsewhere"
"""Stands with an answer that is none: the process that was asked does not keep it either."""
ELSEWHERE = 4421
"""The same for a socket."""
COME_AGAIN = 1012
SAYABLE, OWN_CODES = frozenset({1000, 1001, 1008, 1009, 1011, COME_AGAIN}), 4000
BETWEEN = "http://flagfall"
CONNECT_S, FIRST_S = 3.0, 1.0
_OURS = frozenset({b"host", b"connection", b"upgrade", b"content-length", b"transfer-encoding", b"x-forwarded-for"})
_HOP = frozenset({b"connection", b"keep-alive", b"transfer-encoding"})


class Errand(Struct):
    """A seat to be given up: under what name it is held, the game, the seat."""

    who: str
    game: str
    seat: str


class Asked:
    """A question as it came, which can be put again: its first message is kept."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.scope, self.receive = scope, receive
        self._first: Message | None = None

    async def first(self) -> Message:
        """The body as one piece, or the wish for a socket."""
        if self._first is None:
            self._first = await self.receive()
        return self._first

    def again(self) -> Receive:
        """What a handler hears of it, from the beginning."""
        told = False

        async def receive() -> Message:
            nonlocal told
            if told:
                return await self.receive()
            told = True
            return await self.first()

        return receive

    @property
    def target(self) -> str:
        """Path and query, as they were sent."""
        path: bytes = self.scope.get("raw_path") or self.scope["path"].encode()
        query: bytes = self.scope["query_string"]
        return (path + (b"?" + query if query else b"")).decode("latin-1")

    def headers(self) -> list[tuple[str, str]]:
        """What is handed on, and who asked."""
        kept = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in self.scope["headers"]
            if name.lower() not in _OURS and not name.lower().startswith(b"sec-websocket-")
        ]
        client = self.scope.get("client")
        return [*kept, ("x-forwarded-for", str(client[0]))] if client else kept


class Relay:
    """The way to every other process. Each question has a line of its own: one that lay idle may be dead."""

    def __init__(self, rota: Rota) -> None:
        self._rota = rota
        self._ways: dict[str, httpx.AsyncClient] = {}

    async def close(self) -> None:
        """Hang up."""
        ways, self._ways = list(self._ways.values()), {}
        await asyncio.gather(*(way.aclose() for way in ways))

    async def http(self, peer: Peer, asked: Asked, send: Send, road: Road) -> bool:
        """Have a question answered by another process; False where it is to be asked here again.

        Raises NotAllowed `closed` where it broke off and may have been heard.
        """
        method = asked.scope["method"]
        body = (await asked.first()).get("body", b"") if method in ("POST", "PUT", "PATCH", "DELETE") else b""
        request = self._way(peer).build_request(method, BETWEEN + asked.target, headers=asked.headers(), content=body)
        begun = False

        async def lead() -> bool:
            nonlocal begun
            response = await self._way(peer).send(request, stream=True)
            try:
                if MARK in (name.lower() for name, _ in response.headers.raw):
                    return False
                headers = [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in _HOP]
                begun = True
                await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
                async for piece in response.aiter_raw():
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
            finally:
                await response.aclose()
            return True

        leading, leaving = asyncio.create_task(lead()), asyncio.create_task(_left(asked, bool(body)))
        road.over = leading.cancel  # type: ignore[assignment]
        try:
            await asyncio.wait({leading, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not leading.done():
                return True
            return leading.result()
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            if _unheard(error):
                await self._rota.bury(peer)
            return False
        except (httpx.HTTPError, asyncio.CancelledError):
            if not leading.done():
                raise
            if begun:
                return True  # cut short, as whoever asked can see
            if method in ("GET", "HEAD"):
                return False
            raise away() from None
        finally:
            road.over = None
            leading.cancel()
            leaving.cancel()
            await asyncio.gather(leading, leaving, return_exceptions=True)

    async def socket(self, peer: Peer, asked: Asked, send: Send, road: Road) -> int | None:
        """Lead a socket to its end at another process: with what code it is to be closed, 0 where it is closed.

        None where it is to be asked here again.
        """
        line = unix_connect(
            peer.address,
            f"ws://flagfall{asked.target}",
            additional_headers=asked.headers(),
            user_agent_header=None,
            compression=None,
            proxy=None,
            max_size=None,
            ping_interval=None,
            open_timeout=CONNECT_S,
            close_timeout=1,
        )
        try:
            far = await line.__aenter__()
        except (ConnectionRefusedError, FileNotFoundError):
            await self._rota.bury(peer)
            return None
        except (OSError, TimeoutError, InvalidHandshake, InvalidMessage):
            return None
        try:
            return await self._led(far, asked, send, road)
        finally:
            road.over = None
            await line.__aexit__(None, None, None)

    async def _led(self, far: ClientConnection, asked: Asked, send: Send, road: Road) -> int | None:
        begun, over = asyncio.Event(), asyncio.Event()
        road.over = over.set
        parted = asyncio.create_task(over.wait())
        hearing = asyncio.create_task(_heard(far, send, begun))
        speaking = asyncio.create_task(_spoken(asked, far, begun))
        try:
            await asyncio.wait({hearing, speaking, parted}, return_when=asyncio.FIRST_COMPLETED)
            if over.is_set():
                return COME_AGAIN
            if not hearing.done():
                return 0
            return None if hearing.result() == ELSEWHERE else hearing.result()
        finally:
            for task in (hearing, speaking, parted):
                task.cancel()
            await asyncio.gather(hearing, speaking, parted, return_exceptions=True)

    async def resign(self, peer: Peer, errand: Errand) -> None:
        """Have a seat given up by the process that keeps the game. Raises NotAllowed `closed`."""
        try:
            answer = await self._way(peer).post(f"{BETWEEN}/between/resign", content=write(errand))
        except httpx.HTTPError:
            raise away() from None
        if answer.status_code != httpx.codes.NO_CONTENT:
            raise away()

    def _way(self, peer: Peer) -> httpx.AsyncClient:
        if peer.id not in self._ways:
            road = httpx.AsyncHTTPTransport(
                uds=peer.address,
                verify=False,
                limits=httpx.Limits(max_keepalive_connections=0, max_connections=None),
            )
            self._ways[peer.id] = httpx.AsyncClient(
                transport=road, timeout=httpx.Timeout(None, connect=CONNECT_S), trust_env=False
            )
        return self._ways[peer.id]


def _unheard(error: BaseException | None) -> bool:
    """Whether nobody listens at a socket, which is more than that there was no way to it just now."""
    while error is not None and not isinstance(error, ConnectionRefusedError | FileNotFoundError):
        error = error.__cause__ or error.__context__
    return error is not None


async def _left(asked: Asked, had_body: bool) -> None:
    """Return when whoever asked has gone."""
    if not had_body:
        await asked.first()
    while (await asked.receive())["type"] != "http.disconnect":
        pass


async def _heard(far: ClientConnection, send: Send, begun: asyncio.Event) -> int:
    """Hand on what comes from there, until it hangs up; with what code."""
    try:
        while True:
            said = await far.recv()
            begun.set()
            await send({"type": "websocket.send", "text" if isinstance(said, str) else "bytes": said})
    except ConnectionClosed as closed:
        code = COME_AGAIN if closed.rcvd is None else int(closed.rcvd.code)
        return code if code in SAYABLE or code >= OWN_CODES else COME_AGAIN


async def _spoken(asked: Asked, far: ClientConnection, begun: asyncio.Event) -> None:
    """Hand on what comes from here, until it hangs up.

    What the page says waits until it is sure that it is heard: a process that does not keep the game hangs up first.
    """
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(begun.wait(), FIRST_S)
    try:
        while True:
            message: Any = await asked.receive()
            if message["type"] == "websocket.disconnect":
                return
            text: str | None = message.get("text")
            await far.send(text if text is not None else message.get("bytes") or b"")
    except ConnectionClosed:
        await asyncio.get_running_loop().create_future()  # it hung up; with what code, the other one hears
