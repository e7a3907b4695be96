"""The socket of one seat: frames in, states out; every change is told, and a slow page gets the latest state."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any
from urllib.parse import parse_qs

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from flagfall.errors import BadMessage, FlagfallError, NotAllowed
from flagfall.rules.board import Seat
from flagfall.server.bans import banned
from flagfall.server.presence import Watch
from flagfall.server.rates import Bucket
from flagfall.server.room import Room
from flagfall.server.routes import Asking, Desk, guest_of
from flagfall.wire import messages

NOT_YOURS, TOO_LOUD = 4404, 4429
MOST_TABS = 32
Line = WebSocket[Any, Any, Any]


@websocket("/api/games/{game:str}/socket")
async def table(socket: Line, desk: Asking, game: FromPath[str]) -> None:
    """Join a game at one's seat."""
    await socket.accept()
    try:
        room, seat = await desk.lobby.room(guest_of(socket), game, _seat(socket))
        if room.tabs(seat) >= MOST_TABS:
            raise NotAllowed("this seat is open in too many places", code="too_many_tabs", limit=MOST_TABS)
        since = since_of(socket)
    except FlagfallError as error:
        await socket.send_data(messages.write(refused(None, error)), mode="text")
        await socket.close(code=NOT_YOURS)
        return
    await Seated(socket, room, seat, since, desk).run()


class Seated:
    """One socket at one seat, from its first state to its end."""

    def __init__(self, socket: Line, room: Room, seat: Seat, since: int, desk: Desk) -> None:
        self._socket, self._room, self._seat, self._desk = socket, room, seat, desk
        self._ply, self._backs = since, 0
        self._version = -1
        self._talk = 0
        self._law: messages.LawFrame | None = None
        self._bucket = Bucket(desk.frames, desk.nature.ticks_ms())
        self._faults = 0
        self._sending = asyncio.Lock()
        self._counts = desk.lobby.counts

    async def run(self) -> None:
        """Speak and listen until either side goes."""
        self._counts.sockets += 1
        self._counts.opened += 1
        watch = self._room.watch(self._seat)
        unwatch = self._room.law.watch(watch.news.set)
        speaking = asyncio.create_task(self._speak(watch))
        try:
            await self._listen()
        finally:
            self._counts.sockets -= 1
            unwatch()
            self._room.leave(watch)
            speaking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await speaking

    async def _speak(self, watch: Watch) -> None:
        watch.news.set()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await watch.news.wait()
                watch.news.clear()
                if watch.out:
                    await self._send(refused(None, banned()))
                    await self._socket.close(code=NOT_YOURS)
                    return
                if watch.tabs:
                    watch.tabs = False
                    await self._send(messages.Tabs(self._room.tabs(self._seat)))
                if watch.crowd:
                    watch.crowd = False
                    await self._send(messages.Crowd(self._room.gallery.count))
                await self._send_law()
                if self._room.version != self._version:
                    await self._send_state()
                if self._room.talk.version != self._talk:
                    self._talk = self._room.talk.version
                    await self._send(self._room.talk.told(self._seat))

    async def _send_law(self) -> None:
        """Tell how far the law is, for as long as it is not there, and once when it is."""
        frame = self._room.law.frame
        if frame != self._law and (frame.state != "ready" or self._law is not None):
            await self._send(frame)
        self._law = frame

    async def _send_state(self) -> None:
        version = self._room.version
        try:
            state = await self._room.state(self._seat, self._ply, self._backs)
        except FlagfallError:
            return  # the law is not there yet; its coming is news
        await self._send(state)
        self._version, self._ply, self._backs = version, state.ply, state.backs

    async def _send(self, message: messages.ServerFrame) -> None:
        async with self._sending:
            await self._socket.send_data(messages.write(message), mode="text")

    async def _listen(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            data = data_of(message)
            try:
                if not self._bucket.take(1, self._desk.nature.ticks_ms()):
                    raise NotAllowed("too many messages; wait a moment", code="too_fast")
                frame = messages.read_frame(data)
            except FlagfallError as error:
                self._faults += 1
                self._counts.refusals[error.stable_code] += 1
                await self._send(refused(messages.frame_id(data), error))
                if self._faults >= self._desk.patience:
                    await self._socket.close(code=TOO_LOUD)
                    return
                continue
            await self._answer(frame)

    async def _answer(self, frame: messages.ClientFrame) -> None:
        if isinstance(frame, messages.Ping):
            await self._send(messages.Pong())
            return
        begun_s = time.perf_counter()
        self._counts.deeds[type(frame).__name__] += 1
        try:
            await self._room.answer(self._seat, frame)
        except FlagfallError as error:
            self._counts.refusals[error.stable_code] += 1
            await self._send(refused(frame.id, error))
        else:
            await self._send(messages.Done(frame.id))
        self._counts.deed.add(time.perf_counter() - begun_s)


def refused(name: str | None, error: FlagfallError) -> messages.Refused:
    """An error as a frame."""
    return messages.Refused(name, error.stable_code, error.sentence, messages.params_of(error))


def data_of(message: Any) -> bytes | str:
    """What a frame holds, as text or bytes."""
    text: str | None = message.get("text")
    return text if text is not None else message.get("bytes") or b""


def _query(socket: Line) -> dict[str, list[str]]:
    try:
        return parse_qs(socket.scope["query_string"].decode("latin-1"), max_num_fields=4)
    except ValueError:
        raise BadMessage("the address says more than it should", at="query") from None


def _seat(socket: Line) -> str | None:
    """The seat that is meant by somebody who plays both."""
    return _query(socket).get("seat", [None])[-1]


def since_of(socket: Line) -> int:
    """The last ply that the page has. Raises BadMessage."""
    said = _query(socket).get("since", ["0"])[-1]
    if not (said.isascii() and said.isdigit() and len(said) <= 6):
        raise BadMessage("since is the number of a ply", at="since")
    return int(said)
