"""The rota of a store's processes at PostgreSQL: who lives, who keeps what, and the words that wake the others.

A process says every second that it lives; one that has not for a while, or that does not hear at its socket, is counted
out, and what it kept is free for whoever is asked for it next. What wakes the others holds a topic and a game's id and
nothing else; after a broken line, and every now and then, they look without having been woken.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from flagfall.server.leases import ROAD, Ear, Peer, Road, away, claimed, elsewhere, leases, living, now, processes
from flagfall.server.store import StoreFault

log = structlog.get_logger()

CHANNEL = "flagfall"
BEAT_S = 1.0
LIFE_MS = 8_000
"""How long a process lives in the eyes of the others without a word from it."""
SURE_S = 5.0
"""How long it may itself be sure of that; what it would write later waits for the next word."""
FORGOTTEN_MS = 60_000
CLAIMS = 3
SPARE = 20
"""Leases above its even share with which a process does not yet count as crowded."""
LOOK_EVERY = 15
"""Beats after which everybody looks as if he had been woken."""
_FAULTS = (SQLAlchemyError, OSError)


class Rota:
    """This process's place in it; `roads` are the questions under way, `lose` is called with the leases it has lost.

    address: the socket at which the other processes find this one; they are all on one machine.
    """

    several = True

    def __init__(self, engine: AsyncEngine, address: str) -> None:
        self._engine, self._address, self._machine = engine, address, socket.gethostname()
        self._me = secrets.token_urlsafe(9)
        self._lock = asyncio.Lock()
        """Held by whoever speaks over the line, so that what is asked first is done first."""
        self._line: AsyncConnection | None = None
        self._held: set[str] = set()
        self._leaving: set[str] = set()
        self._peers: set[str] = set()
        self._sure_s, self._beats = 0.0, 0
        self._missed = False
        """Whether words may have been missed since the last beat, for the line is a new one."""
        self.crowded = False
        self._ears: defaultdict[str, list[Ear]] = defaultdict(list)
        self._tasks: set[asyncio.Task[None]] = set()
        self.roads: set[Road] = set()
        self.lose: Ear = lambda _: None

    async def start(self) -> None:
        """Be counted in. Raises StoreFault `store_held` where a server on another machine uses this store."""
        try:
            async with self._speaking() as line:
                if (await line.execute(living().where(processes.c.machine != self._machine))).first() is not None:
                    raise StoreFault("a server on another machine uses this database", code="store_held")
                await self._enrol(line)
            await self._beat()
        except _FAULTS:
            raise StoreFault("the store cannot be written") from None
        finally:
            if not self._beats:
                await self._drop()
        self._spawn(self._live())

    async def close(self) -> None:
        """Take leave: whatever was kept here is free at once."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        async with self._lock:
            await self._drop()  # a word may have been broken off in the middle
            with contextlib.suppress(*_FAULTS):
                await (await self._connected()).execute(sa.delete(processes).where(processes.c.id == self._me))
            await self._drop()

    # --- leases ------------------------------------------------------------------------------------------------------

    async def keeper(self, name: str) -> Peer | None:
        """Take a lease if it is free; who has it, None for this process. Raises NotAllowed `closed`."""
        self._leaving.discard(name)
        if name in self._held:
            return None
        try:
            async with self._speaking() as line:
                if name in self._held:
                    return None
                found = await self._claimed(line, name)
        except _FAULTS:
            raise away() from None
        if found is not None and found.id == self._me:
            raise away()  # but nobody believes any more that this process lives
        return found

    async def _claimed(self, line: AsyncConnection, name: str) -> Peer | None:
        keeper = sa.select(processes.c.id, processes.c.address).join(leases).where(leases.c.name == name)
        for _ in range(CLAIMS):
            if (await line.execute(claimed(name, self._me))).first() is not None:
                self._held.add(name)
                return None
            found = (await line.execute(keeper)).first()
            if found is not None:  # else it was given back between the two
                return Peer(found.id, found.address)
        raise away()

    async def hold(self, name: str) -> None:
        """Take a lease, or say to whoever handles the question where it is. Raises NotAllowed `elsewhere`, `closed`."""
        peer, road = await self.keeper(name), ROAD.get()
        if peer is None:
            if road is not None:
                road.names.add(name)
            return
        if road is not None and road.peer is None:
            road.peer = peer
        raise elsewhere()

    def let_go(self, name: str) -> None:
        """Give a lease back at the next beat; taken again before, it is kept."""
        if name in self._held:
            self._leaving.add(name)

    async def pass_on(self, name: str) -> None:
        """Give a lease back at once, and have whoever is at a socket for it come again. Raises NotAllowed `closed`."""
        try:
            async with self._speaking() as line:
                self._held.discard(name)
                mine = sa.and_(leases.c.process == self._me, leases.c.name == name)
                await line.execute(sa.delete(leases).where(mine))
        except _FAULTS:
            raise away() from None
        self._lost(name)

    async def firm(self, name: str) -> None:
        """Make sure of a lease before something is written. Raises StoreFault `closed`."""
        if time.monotonic() - self._sure_s > SURE_S:
            with contextlib.suppress(*_FAULTS):
                await self._beat()
        if name not in self._held or time.monotonic() - self._sure_s > SURE_S:
            raise StoreFault("another process keeps this game; ask again", code="closed")

    async def bury(self, peer: Peer) -> None:
        """Count out a process that hears nobody at its socket any more: it has ended without taking leave."""
        try:
            async with self._speaking() as line:
                await line.execute(sa.delete(processes).where(processes.c.id == peer.id))
        except _FAULTS:
            return
        log.info("process_buried", process=peer.id)
        self._part({peer.id})

    # --- words -------------------------------------------------------------------------------------------------------

    def tell(self, topic: str, name: str = "") -> None:
        """Wake the other processes: something of this kind has changed; what it is they read for themselves."""
        self._spawn(self._say(f"{topic} {name}".strip()))

    def hear(self, topic: str, ear: Ear) -> None:
        """Listen to such words, and be called with no name when some may have been missed."""
        self._ears[topic].append(ear)

    async def _say(self, words: str) -> None:
        with contextlib.suppress(*_FAULTS):  # they look by themselves before long
            async with self._speaking() as line:
                await line.execute(sa.select(sa.func.pg_notify(CHANNEL, words)))

    def _heard(self, line: Any, pid: int, _: str, words: str) -> None:
        if pid != line.get_server_pid():
            topic, _, name = words.partition(" ")
            for ear in self._ears.get(topic, ()):
                ear(name)

    # --- the beat ----------------------------------------------------------------------------------------------------

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                await self._beat()
            except _FAULTS as error:
                log.warning("line_broken", kind=type(error).__name__)

    async def _beat(self) -> None:
        async with self._speaking() as line:
            begun_s = time.monotonic()
            lost = await self._renewed(line)
            there = set(await line.scalars(living().where(processes.c.id != self._me)))
            kept = await line.scalar(sa.select(sa.func.count()).select_from(leases)) if there else 0
            self._sure_s = begun_s
            self._beats += 1
            missed, self._missed = self._missed, False
            self.crowded = bool(there) and len(self._held) > (kept or 0) / (len(there) + 1) + SPARE
        gone, self._peers = self._peers - there, there
        self._part(gone)
        for name in lost:
            self._lost(name)
        if missed or self._beats % LOOK_EVERY == 0:
            for ears in tuple(self._ears.values()):
                for ear in ears:
                    ear("")

    async def _renewed(self, line: AsyncConnection) -> set[str]:
        """Say that this process lives, give back what is no longer needed; the leases that it has lost."""
        leaving, self._leaving = self._leaving, set()
        self._held -= leaving
        mine = leases.c.process == self._me
        if leaving:
            await line.execute(sa.delete(leases).where(mine, leases.c.name.in_(leaving)))
        await line.execute(sa.delete(processes).where(processes.c.until_ms < now() - FORGOTTEN_MS))
        kept = sa.select(sa.func.count()).select_from(leases).where(mine).scalar_subquery()
        alive = sa.update(processes).where(processes.c.id == self._me).values(until_ms=now() + LIFE_MS)
        count = (await line.execute(alive.returning(kept.label("count")))).first()
        if count is None:
            log.warning("counted_out", leases=len(self._held))
            lost, self._held, self._me = self._held, set(), secrets.token_urlsafe(9)
            await self._enrol(line)
            return lost
        if count.count == len(self._held):
            return set()
        there = set(await line.scalars(sa.select(leases.c.name).where(mine)))
        if there - self._held:  # taken, but the answer was lost with the line
            await line.execute(sa.delete(leases).where(mine, leases.c.name.in_(there - self._held)))
        lost = self._held - there
        self._held -= lost
        return lost

    async def _enrol(self, line: AsyncConnection) -> None:
        row = {"id": self._me, "machine": self._machine, "address": self._address}
        await line.execute(sa.insert(processes).values(until_ms=now() + LIFE_MS, **row))

    def _lost(self, name: str) -> None:
        self.lose(name)
        for road in [road for road in self.roads if name in road.names]:
            if road.over is not None:
                road.over()

    def _part(self, gone: set[str]) -> None:
        """End what is under way with processes that are gone."""
        for road in [road for road in self.roads if road.peer is not None and road.peer.id in gone]:
            if road.over is not None:
                road.over()

    # --- the line ----------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _speaking(self) -> AsyncIterator[AsyncConnection]:
        """The line, alone; where a word failed or was broken off, the next one has another."""
        async with self._lock:
            try:
                yield await self._connected()
            except (*_FAULTS, asyncio.CancelledError):
                await self._drop()
                raise

    async def _connected(self) -> AsyncConnection:
        if self._line is None:
            line = await self._engine.connect()
            try:
                await line.execution_options(isolation_level="AUTOCOMMIT")
                raw = (await line.get_raw_connection()).driver_connection
                assert raw is not None  # noqa: S101 - it has just been made
                await raw.add_listener(CHANNEL, self._heard)
            except BaseException:
                await line.close()
                raise
            self._line, self._missed = line, True
        return self._line

    async def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(*_FAULTS):
                await line.invalidate()
                await line.close()

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
