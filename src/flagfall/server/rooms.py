"""The rooms of running games: opened from the store when somebody comes, forgotten when nobody has for a while."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from flagfall.errors import NotFound
from flagfall.rules.board import Seat
from flagfall.server import ratings
from flagfall.server.host import House
from flagfall.server.journal import Entry
from flagfall.server.leases import HALL, Leases
from flagfall.server.ledger import Ledger
from flagfall.server.roll import Roll
from flagfall.server.room import Room
from flagfall.server.scale import pace_of, told
from flagfall.server.store import Store, StoreFault, Summary
from flagfall.wire.people import PaceWord
from flagfall.wire.sitters import Names, Ratings

MOST_ROOMS = 2_000
FORGET_MS = 600_000


def class_of(room: Room) -> tuple[str, PaceWord]:
    """The class in which a game counts, or would."""
    terms = room.ledger.record.terms
    return terms.variant.name, pace_of(terms.control)


def no_game() -> NotFound:
    """What is said of a game that is not there, and of one that is somebody else's."""
    return NotFound("there is no such game of yours", code="no_game")


class Rooms:
    """Every game that this process has in memory; it keeps the lease of each."""

    def __init__(self, store: Store, house: House, leases: Leases) -> None:
        self._store, self._house, self._leases, self._roll = store, house, leases, Roll(store)
        self._up_ms = house.nature.now_ms()
        self._there: dict[str, Room] = {}
        self._doors: dict[str, asyncio.Lock] = {}
        self._open: dict[str, Room] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        leases.hear("names", self._names_changed)
        leases.hear("games", self._games_changed)

    def __len__(self) -> int:
        return len(self._there)

    def __contains__(self, game: str) -> bool:
        return game in self._there

    def __getitem__(self, game: str) -> Room:
        return self._there[game]

    async def close(self) -> None:
        """Leave all games as they stand in the store."""
        rooms, self._there = list(self._there.values()), {}
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*(room.stop() for room in rooms), *self._tasks, return_exceptions=True)

    async def enter(self, summary: Summary, entries: Sequence[Entry]) -> Room:
        """Open the room of a game."""
        self._forget()
        ledger = Ledger(summary, entries, self._store, self._house.nature, self._up_ms)
        room = self._there[summary.id] = Room(ledger, self._house)
        room.start()
        if summary.open and not ledger.complete:
            self._open[summary.id] = room
        await self.name([room])
        return room

    async def find(self, game: str) -> Room:
        """The room of a game. Raises NotFound `no_game`, NotAllowed `elsewhere` where another process keeps it."""
        # One door a game: two pages that come at once find the same room.
        async with self._doors.setdefault(game, asyncio.Lock()):
            room = self._there.get(game)
            if room is None and self._leases.several and await self._waits(game):
                await self._leases.hold(HALL)
            await self._leases.hold(game)
            if room is None:
                summary, kept = await self._store.summary(game), await self._store.log(game)
                if summary is None or not kept:
                    raise no_game()
                room = await self.enter(summary, [entry for entry, _ in kept])
        room.used_ms = self._house.nature.ticks_ms()
        return room

    async def _waits(self, game: str) -> bool:
        """Whether anybody may sit down at a game that is not in memory here: then it is the hall's."""
        found = await self._store.summary(game)
        if found is None or not found.open or found.phase != "deploying":
            return False
        return len(await self._store.owners(game)) < len(Seat)

    def waiting(self) -> list[Room]:
        """Every open table at which its maker waits, in the order in which they came."""
        self._open = {
            game: room
            for game, room in self._open.items()
            if self._there.get(game) is room and not room.ledger.complete
        }
        return [room for room in self._open.values() if room.waiting]

    @contextlib.asynccontextmanager
    async def emptied(self, game: str) -> AsyncIterator[None]:
        """Put a room away, and let nobody find its door before the block ends."""
        async with self._doors.setdefault(game, asyncio.Lock()):
            room = self._there.pop(game, None)
            if room is not None:
                await room.stop()
            yield
            self._leases.let_go(game)

    async def pass_on(self, game: str) -> None:
        """Leave a game that has just begun to whichever process is asked for it next: the hall's is not to keep all."""
        async with self._doors.setdefault(game, asyncio.Lock()):
            room = self._there.pop(game, None)
            if room is not None:
                await room.stop()
            await self._leases.pass_on(game)

    def lose(self, name: str) -> None:
        """Another process keeps this now: a game, or the hall with every table that waits in it."""
        for game in [game for game in self._open if name == HALL] + [name]:
            room = self._there.pop(game, None)
            self._doors.pop(game, None)
            if room is not None:
                room.close_soon()

    def turn_out(self, subject: bytes, seats: Sequence[tuple[str, str]]) -> None:
        """Close the sockets of somebody who is banned: at his seats, by word and game, and wherever he looks on."""
        for word, game in seats:
            if game in self._there:
                self._there[game].turn_out(Seat.of(word))
        for room in self._there.values():
            room.gallery.turn_out(subject)

    def _forget(self) -> None:
        """Close rooms that nobody has used for a while; all of a game is in the store."""
        now_ms = self._house.nature.ticks_ms()
        crowded = len(self._there) >= MOST_ROOMS
        for game, room in list(self._there.items()):
            if room.idle and (crowded or now_ms - room.used_ms > FORGET_MS):
                del self._there[game]
                self._doors.pop(game, None)
                room.close_soon()
                self._leases.let_go(game)

    # --- names -------------------------------------------------------------------------------------------------------

    async def name(self, rooms: Sequence[Room]) -> None:
        """Say in some rooms under which names, and with which ratings, people sit there. Raises StoreFault."""
        classes = {one.ledger.summary.id: class_of(one) for one in rooms if one.ledger.against == "friend"}
        if not classes:
            return
        names, stand = await self._roll.names(list(classes)), await ratings.seated(self._store, classes)
        now_ms = self._house.nature.now_ms()
        for room in rooms:
            game = room.ledger.summary.id
            if game in classes:
                called, rated = names.get(game, {}), stand.get(game, {})
                rating = {seat: told(one.at(now_ms)) for seat, one in rated.items() if seat in called}
                room.call(
                    (Names(called.get("red"), called.get("blue")), Ratings(rating.get("red"), rating.get("blue")))
                )

    async def renamed(self, games: Sequence[str]) -> None:
        """Tell tables that are in memory, of whichever process, of names that have changed or gone."""
        await self.name([self._there[game] for game in games if game in self._there])
        for game in games:
            if game not in self._there:
                self._leases.tell("names", game)

    def _names_changed(self, game: str) -> None:
        """Another process says so of a game; of none: there may have been something that nobody heard."""
        self._look_at(game, self.name)

    # --- what others wrote -------------------------------------------------------------------------------------------

    def _games_changed(self, game: str) -> None:
        """Somebody says that he wrote to a game which he does not keep; of none: somebody may have."""
        self._look_at(game, self._compare)

    async def _compare(self, rooms: Sequence[Room]) -> None:
        """Have rooms read on whose log is longer than they know."""
        found = await self._store.lengths([room.ledger.summary.id for room in rooms])
        for room in rooms:
            if found.get(room.ledger.summary.id, 0) > len(room.ledger.entries):
                room.catch_up()

    def _look_at(self, game: str, look: Callable[[Sequence[Room]], Awaitable[None]]) -> None:
        rooms = [room for name, room in self._there.items() if game in ("", name)]

        async def quietly() -> None:
            with contextlib.suppress(StoreFault):
                await look(rooms)

        if rooms:
            task = asyncio.create_task(quietly())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
