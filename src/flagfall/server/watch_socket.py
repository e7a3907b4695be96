"""The socket of somebody who looks on: he is told what is shown, and whatever he says but `ping` is refused."""

from __future__ import annotations

from litestar import websocket
from litestar.params import FromPath
from msgspec.structs import replace

from flagfall.errors import FlagfallError, NotAllowed
from flagfall.server.bans import banned
from flagfall.server.callers import caller_of
from flagfall.server.gallery import Onlooker
from flagfall.server.line import Line, Socket, since_of, turn_away
from flagfall.server.room import Room
from flagfall.server.routes import Asking, Desk, guest_of
from flagfall.server.store import hashed
from flagfall.server.watching import own_game
from flagfall.wire import messages
from flagfall.wire.watching import Watched


@websocket("/api/watch/{code:str}/socket")
async def gallery(socket: Socket, desk: Asking, code: FromPath[str]) -> None:
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
        await turn_away(socket, error)
        return
    await Looking(socket, room, onlooker, since, desk).run()


class Looking:
    """One socket of a watcher, from the first thing he is told to his going."""

    def __init__(self, socket: Socket, room: Room, onlooker: Onlooker, since: int, desk: Desk) -> None:
        self._line = Line(socket, room.law, desk)
        self._room, self._onlooker = room, onlooker
        self._ply = since
        self._told: Watched | None = None
        self._count = 0

    async def run(self) -> None:
        """Speak and listen until either side goes."""
        try:
            await self._line.run(self._onlooker.news, self._speak, self._answer)
        finally:
            self._room.gallery.leave(self._onlooker)

    async def _speak(self) -> FlagfallError | None:
        if self._onlooker.gone:
            return banned() if self._onlooker.banned else own_game(self._room.ledger.summary.id, None)
        count = self._room.gallery.count
        if count != self._count:
            self._count = count
            await self._line.send(messages.Crowd(count))
        await self._line.send_law()
        await self._send_board()
        return None

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
        await self._line.send(told)

    async def _answer(self, frame: messages.Said) -> None:
        raise NotAllowed("who looks on says nothing at the table", code="only_watching")
