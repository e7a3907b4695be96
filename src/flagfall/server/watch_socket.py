"""The socket of somebody who looks on: he is told what is shown, and whatever he says but `ping` is refused."""

from __future__ import annotations

import asyncio
import contextlib

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from msgspec.structs import replace

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.server.bans import banned
from flagfall.server.callers import caller_of
from flagfall.server.gallery import Onlooker
from flagfall.server.rates import Bucket
from flagfall.server.room import Room
from flagfall.server.routes import Asking, Desk, guest_of
from flagfall.server.socket import NOT_YOURS, TOO_LOUD, Line, data_of, refused, since_of
from flagfall.server.store import hashed
from flagfall.server.watching import own_game
from flagfall.wire import messages
from flagfall.wire.watching import Watched, WatcherFrame


@websocket("/api/watch/{code:str}/socket")
async def gallery(socket: Line, desk: Asking, code: FromPath[str]) -> None:
    """Look on at a game by its link."""
    await socket.accept()
    try:
        who = guest_of(socket)
        room, seat = await desk.lobby.watch(who, code, caller_of(socket).selves)
        if seat is not None:
            raise own_game(room.ledger.summary.id, seat)
        since = since_of(socket)
        onlooker = room.gallery.enter(hashed(who))
    except FlagfallError as error:
        await socket.send_data(messages.write(refused(None, error)), mode="text")
        await socket.close(code=NOT_YOURS)
        return
    await Looking(socket, room, onlooker, since, desk).run()


class Looking:
    """One socket of a watcher, from the first thing he is told to his going."""

    def __init__(self, socket: Line, room: Room, onlooker: Onlooker, since: int, desk: Desk) -> None:
        self._socket, self._room, self._onlooker, self._desk = socket, room, onlooker, desk
        self._ply = since
        self._told: Watched | None = None
        self._count = 0
        self._law: messages.LawFrame | None = None
        self._bucket = Bucket(desk.frames, desk.nature.ticks_ms())
        self._faults = 0
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Speak and listen until either side goes."""
        unwatch = self._room.law.watch(self._onlooker.news.set)
        speaking = asyncio.create_task(self._speak())
        try:
            await self._listen()
        finally:
            unwatch()
            self._room.gallery.leave(self._onlooker)
            speaking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await speaking

    async def _speak(self) -> None:
        news = self._onlooker.news
        news.set()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await news.wait()
                news.clear()
                if self._onlooker.gone:
                    why = banned() if self._onlooker.banned else own_game(self._room.ledger.summary.id, None)
                    await self._send(refused(None, why))
                    await self._socket.close(code=NOT_YOURS)
                    return
                await self._send_count()
                await self._send_law()
                await self._send_board()

    async def _send_count(self) -> None:
        count = self._room.gallery.count
        if count != self._count:
            self._count = count
            await self._send(messages.Crowd(count))

    async def _send_law(self) -> None:
        """Tell how far the law is, for as long as it is not there, and once when it is."""
        frame = self._room.law.frame
        if frame != self._law and (frame.state != "ready" or self._law is not None):
            await self._send(frame)
        self._law = frame

    async def _send_board(self) -> None:
        """Tell what is shown where that has changed: what happens behind a board that is late is no news."""
        try:
            told = await self._room.watched(self._ply)
        except FlagfallError:
            return  # the law is not there yet; its coming is news
        if self._onlooker.gone:
            return
        bare = replace(told, plies=[], plies_from=0, clock=None)
        if bare == self._told:
            return
        self._told, self._ply = bare, told.ply
        await self._send(told)

    async def _send(self, message: WatcherFrame) -> None:
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
                if not isinstance(messages.read_frame(data), messages.Ping):
                    raise NotAllowed("who looks on says nothing at the table", code="only_watching")
            except FlagfallError as error:
                self._faults += 1
                await self._send(refused(messages.frame_id(data), error))
                if self._faults >= self._desk.patience:
                    await self._socket.close(code=TOO_LOUD)
                    return
                continue
            await self._send(messages.Pong())
