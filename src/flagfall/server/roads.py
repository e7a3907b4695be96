"""The ASGI layer that takes a question to whichever process keeps what it is about; the handlers know nothing of it.

A handler that needs a lease of another process is refused it (`Rota.hold`). What it would have answered then is thrown
away, and the question is asked there, as it came. Where that process has gone meanwhile, it is asked here once more and
what it is about is taken over. A socket is cut with 1012, come again, when its lease or the process behind it is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.server.leases import ROAD, Road, elsewhere
from flagfall.server.problems import MEDIA_TYPE, problem_of
from flagfall.server.relay import COME_AGAIN, ELSEWHERE, MARK, Asked, Relay
from flagfall.server.rota import Rota
from flagfall.server.security import App, Message, Receive, Scope, Send
from flagfall.wire.messages import write

TRIES, WAIT_S = 40, 0.25
"""As long as a process that hangs is believed to live, and a little more."""


class Roads:
    """relay: the way to other processes; None at the socket for them, where nothing is handed on a second time."""

    def __init__(self, app: App, rota: Rota, relay: Relay | None) -> None:
        self._app, self._rota, self._relay = app, rota, relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer here or there."""
        if scope["type"] not in ("http", "websocket") or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._socket(scope, receive, send)

    @contextmanager
    def _road(self) -> Iterator[Road]:
        road = Road()
        token = ROAD.set(road)
        self._rota.roads.add(road)
        try:
            yield road
        finally:
            ROAD.reset(token)
            self._rota.roads.discard(road)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Asked(scope, receive)
        for _ in range(TRIES):
            with self._road() as road:
                begun = False

                async def answer(message: Message, road: Road = road) -> None:
                    nonlocal begun
                    if road.peer is None or begun:
                        begun = True
                        if message.get("more_body"):
                            road.over = road.cut  # a stream ends with the lease that it stands on
                        await send(message)

                await self._cut(road, self._app(dict(scope), asked.again(), answer), at_once=False)
                if road.peer is None or begun:
                    return
                if self._relay is None:
                    await _refuse(send, elsewhere(), (MARK, b"1"))
                    return
                try:
                    if await self._relay.http(road.peer, asked, send, road):
                        return
                except NotAllowed as refusal:
                    await _refuse(send, refusal)
                    return
            await asyncio.sleep(WAIT_S)
        await _refuse(send, elsewhere())

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Asked(scope, receive)
        accepted = False
        for _ in range(TRIES):
            with self._road() as road:

                async def answer(message: Message, road: Road = road) -> None:
                    nonlocal accepted
                    if message["type"] == "websocket.accept":
                        if not accepted:
                            accepted = True
                            await send(message)
                    elif road.peer is None:
                        await send(message)

                if await self._cut(road, self._app(dict(scope), asked.again(), answer), at_once=True):
                    await send({"type": "websocket.close", "code": COME_AGAIN})
                    return
                if road.peer is None:
                    return
                if not accepted:
                    accepted = True
                    await asked.first()
                    await send({"type": "websocket.accept"})
                if self._relay is None:
                    await send({"type": "websocket.close", "code": ELSEWHERE})
                    return
                code = await self._relay.socket(road.peer, asked, send, road)
                if code is not None:
                    if code:
                        await send({"type": "websocket.close", "code": code})
                    return
            await asyncio.sleep(WAIT_S)
        await send({"type": "websocket.close", "code": COME_AGAIN})

    @staticmethod
    async def _cut(road: Road, work: Awaitable[None], *, at_once: bool) -> bool:
        """Do something until its road is over, from the beginning or from when it says so; whether it was."""
        task = asyncio.ensure_future(work)
        over = False

        def cut() -> None:
            nonlocal over
            over = True
            task.cancel()

        road.cut = cut
        if at_once:
            road.over = cut
        try:
            await task
        except asyncio.CancelledError:
            if not over:
                task.cancel()
                raise
        finally:
            road.over = road.cut = None
        return over


async def _refuse(send: Send, error: FlagfallError, *headers: tuple[bytes, bytes]) -> None:
    problem = problem_of(error)
    body = write(problem)
    kept = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", b"2"),
    ]
    await send({"type": "http.response.start", "status": problem.status, "headers": [*kept, *headers]})
    await send({"type": "http.response.body", "body": body})
