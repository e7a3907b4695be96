"""One socket from its opening to its end: frames in at their pace, news out, and a way out for who may not stay."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from flagfall.errors import BadMessage, FlagfallError, NotAllowed
from flagfall.server.law import LawKeeper
from flagfall.server.rates import Bucket
from flagfall.server.routes import Desk
from flagfall.wire import messages
from flagfall.wire.watching import WatcherFrame

NOT_YOURS, TOO_LOUD = 4404, 4429
Socket = WebSocket[Any, Any, Any]
Frame = messages.ServerFrame | WatcherFrame


class Line:
    """A socket that is open. What is told over it, and what a frame means, is its owner's."""

    def __init__(self, socket: Socket, law: LawKeeper, desk: Desk) -> None:
        self._socket, self._desk, self._keeper = socket, desk, law
        self._law: messages.LawFrame | None = None
        self._bucket = Bucket(desk.frames, desk.nature.ticks_ms())
        self._faults = 0
        self._sending = asyncio.Lock()

    async def run(
        self,
        news: asyncio.Event,
        speak: Callable[[], Awaitable[FlagfallError | None]],
        answer: Callable[[messages.Said], Awaitable[None]],
    ) -> None:
        """Speak at the start and at all news, until it says why that was the last time; answer whatever is heard.

        A FlagfallError of `answer` counts as a fault of whoever is on the line.
        """
        unwatch = self._keeper.watch(news.set)
        speaking = asyncio.create_task(self._speak(news, speak))
        try:
            await self._listen(answer)
        finally:
            unwatch()
            speaking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await speaking

    async def send(self, frame: Frame) -> None:
        """Send a frame, whole."""
        async with self._sending:
            await self._socket.send_data(messages.write(frame), mode="text")

    async def send_law(self) -> None:
        """Tell how far the law is, for as long as it is not there, and once when it is."""
        frame = self._keeper.frame
        if frame != self._law and (frame.state != "ready" or self._law is not None):
            await self.send(frame)
        self._law = frame

    async def _speak(self, news: asyncio.Event, speak: Callable[[], Awaitable[FlagfallError | None]]) -> None:
        news.set()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await news.wait()
                news.clear()
                last = await speak()
                if last is not None:
                    await turn_away(self._socket, last, self._sending)
                    return

    async def _listen(self, answer: Callable[[messages.Said], Awaitable[None]]) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            data = _data_of(message)
            try:
                if not self._bucket.take(1, self._desk.nature.ticks_ms()):
                    raise NotAllowed("too many messages; wait a moment", code="too_fast")
                frame = messages.read_frame(data)
                if not isinstance(frame, messages.Ping):
                    await answer(frame)
                    continue
            except FlagfallError as error:
                self._faults += 1
                self._desk.lobby.counts.refusals[error.stable_code] += 1
                await self.send(refused(messages.frame_id(data), error))
                if self._faults >= self._desk.patience:
                    await self._socket.close(code=TOO_LOUD)
                    return
                continue
            await self.send(messages.Pong())


async def turn_away(socket: Socket, error: FlagfallError, sending: asyncio.Lock | None = None) -> None:
    """Say why somebody may not be here, and close."""
    async with sending or contextlib.nullcontext():
        await socket.send_data(messages.write(refused(None, error)), mode="text")
    await socket.close(code=NOT_YOURS)


def _data_of(message: Any) -> bytes | str:
    text: str | None = message.get("text")
    return text if text is not None else message.get("bytes") or b""


def refused(name: str | None, error: FlagfallError) -> messages.Refused:
    """An error as a frame."""
    return messages.Refused(name, error.stable_code, error.sentence, messages.params_of(error))


def query_of(socket: Socket) -> dict[str, list[str]]:
    """What the address says behind its question mark. Raises BadMessage."""
    try:
        return parse_qs(socket.scope["query_string"].decode("latin-1"), max_num_fields=4)
    except ValueError:
        raise BadMessage("the address says more than it should", at="query") from None


def since_of(socket: Socket) -> int:
    """The last ply that the page has. Raises BadMessage."""
    said = query_of(socket).get("since", ["0"])[-1]
    if not (said.isascii() and said.isdigit() and len(said) <= 6):
        raise BadMessage("since is the number of a ply", at="since")
    return int(said)
