"""The socket of one seat: deeds in, states out; every change is told, and a slow page gets the latest state."""

from __future__ import annotations

import time

from litestar import websocket
from litestar.params import FromPath

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.rules.board import Seat
from flagfall.server.bans import banned
from flagfall.server.line import Line, Socket, query_of, refused, since_of, turn_away
from flagfall.server.room import Room
from flagfall.server.routes import Asking, Desk, guest_of
from flagfall.wire import messages

MOST_TABS = 32


@websocket("/api/games/{game:str}/socket")
async def table(socket: Socket, desk: Asking, game: FromPath[str]) -> None:
    """Join a game at one's seat."""
    await socket.accept()
    try:
        room, seat = await desk.lobby.room(guest_of(socket), game, query_of(socket).get("seat", [None])[-1])
        if room.tabs(seat) >= MOST_TABS:
            raise NotAllowed("this seat is open in too many places", code="too_many_tabs", limit=MOST_TABS)
        since = since_of(socket)
    except FlagfallError as error:
        await turn_away(socket, error)
        return
    await Seated(socket, room, seat, since, desk).run()


class Seated:
    """One socket at one seat, from its first state to its end."""

    def __init__(self, socket: Socket, room: Room, seat: Seat, since: int, desk: Desk) -> None:
        self._line = Line(socket, room.law, desk)
        self._room, self._seat, self._watch = room, seat, room.watch(seat)
        self._ply, self._backs = since, 0
        self._version = -1
        self._talk = 0
        self._counts = desk.lobby.counts

    async def run(self) -> None:
        """Speak and listen until either side goes."""
        self._counts.sockets += 1
        self._counts.opened += 1
        try:
            await self._line.run(self._watch.news, self._speak, self._answer)
        finally:
            self._counts.sockets -= 1
            self._room.leave(self._watch)

    async def _speak(self) -> FlagfallError | None:
        watch = self._watch
        if watch.out:
            return banned()
        if watch.tabs:
            watch.tabs = False
            await self._line.send(messages.Tabs(self._room.tabs(self._seat)))
        if watch.crowd:
            watch.crowd = False
            await self._line.send(messages.Crowd(self._room.gallery.count))
        await self._line.send_law()
        if self._room.version != self._version:
            await self._send_state()
        if self._room.talk.version != self._talk:
            self._talk = self._room.talk.version
            await self._line.send(self._room.talk.told(self._seat))
        return None

    async def _send_state(self) -> None:
        version = self._room.version
        try:
            state = await self._room.state(self._seat, self._ply, self._backs)
        except FlagfallError:
            return  # the law is not there yet; its coming is news
        await self._line.send(state)
        self._version, self._ply, self._backs = version, state.ply, state.backs

    async def _answer(self, frame: messages.Said) -> None:
        """Do what is asked; what the game refuses is no fault of the line."""
        begun_s = time.perf_counter()
        self._counts.deeds[type(frame).__name__] += 1
        try:
            await self._room.answer(self._seat, frame)
        except FlagfallError as error:
            self._counts.refusals[error.stable_code] += 1
            await self._line.send(refused(frame.id, error))
        else:
            await self._line.send(messages.Done(frame.id))
        self._counts.deed.add(time.perf_counter() - begun_s)
