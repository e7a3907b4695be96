"""Leases and wake-ups at a real PostgreSQL: one keeper a game, taken over when it goes, hangs or is cut off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from flagfall.errors import NotAllowed
from flagfall.server import rota as rotas
from flagfall.server.journal import Acted, Opened
from flagfall.server.leases import ROAD, Peer, Road, leases
from flagfall.server.rota import Rota
from flagfall.server.store import Store, StoreFault, hashed
from tests.server.postgres import postgres
from tests.server.test_store import SUMMARY

SOON_S = 20


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a database."""
    with postgres() as address:
        yield address


class Desk:
    """Places in the rota of one store, each with a store of its own."""

    def __init__(self, address: str, there: AsyncExitStack) -> None:
        self.address, self._there = address, there
        self.stores: list[Store] = []

    async def place(self, name: str) -> Rota:
        store = await Store.open(self.address)
        self._there.push_async_callback(store.close)
        rota = Rota(store.engine, name)
        await rota.start()
        self._there.push_async_callback(rota.close)
        store.guard = rota.firm
        self.stores.append(store)
        return rota


@asynccontextmanager
async def asked(address: str) -> AsyncIterator[AsyncConnection]:
    """A line of somebody else's to the database."""
    engine = create_async_engine(address.replace("postgresql:", "postgresql+asyncpg:"))
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


@pytest.fixture
async def desk(server: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    monkeypatch.setattr(rotas, "BEAT_S", 0.05)
    async with AsyncExitStack() as there:
        yield Desk(server, there)
    async with asked(server) as connection:
        await connection.execute(sa.text("drop schema public cascade"))
        await connection.execute(sa.text("create schema public"))


async def taken(rota: Rota, name: str) -> None:
    """Take a lease as soon as it is free."""
    async with asyncio.timeout(SOON_S):
        while await rota.keeper(name) is not None:  # noqa: ASYNC110 - the database wakes nobody for this
            await asyncio.sleep(0.02)


async def test_twenty_who_want_it_find_one_keeper(desk: Desk) -> None:
    one, other = await desk.place("one"), await desk.place("other")
    found = await asyncio.gather(*(rota.keeper("game") for rota in (one, other) * 10))
    kept = {peer and peer.address for peer in found}
    assert kept in ({None, "one"}, {None, "other"})
    assert found.count(None) == 10


async def test_who_asks_the_wrong_one_learns_of_the_right_one(desk: Desk) -> None:
    one, other = await desk.place("one"), await desk.place("other")
    await one.hold("game")
    road = Road()
    token = ROAD.set(road)
    with pytest.raises(NotAllowed) as refused:
        await other.hold("game")
    ROAD.reset(token)
    assert refused.value.stable_code == "elsewhere"
    assert road.peer is not None
    assert road.peer.address == "one"


async def test_what_is_let_go_is_free_and_what_is_wanted_again_is_kept(desk: Desk) -> None:
    one, other = await desk.place("one"), await desk.place("other")
    for name in ("left", "kept"):
        await one.hold(name)
        one.let_go(name)
    await one.hold("kept")
    await taken(other, "left")
    assert await other.keeper("kept") is not None


async def test_who_takes_leave_or_is_buried_leaves_everything(desk: Desk) -> None:
    one, other, third = [await desk.place(name) for name in ("one", "other", "third")]
    await one.hold("first")
    await other.hold("second")
    await one.close()
    assert await third.keeper("first") is None
    peer = await third.keeper("second")
    assert isinstance(peer, Peer)
    await third.bury(peer)
    assert await third.keeper("second") is None


async def test_one_that_hangs_is_taken_over_and_writes_no_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its life runs out unrenewed; what it would write then is refused, its roads are cut, it goes on as a new one."""
    monkeypatch.setattr(rotas, "LIFE_MS", 200)
    monkeypatch.setattr(rotas, "SURE_S", 0.1)
    one, other = await desk.place("one"), await desk.place("other")
    await one.hold("game")
    await desk.stores[0].create(SUMMARY, {"red": hashed("token")}, [Opened("{}")], 5)
    await one.hold(SUMMARY.id)
    await desk.stores[0].append(SUMMARY, 2, [Acted(1, "offer", "red", id="a")], 6)
    lost: list[str] = []
    cut = asyncio.Event()
    road = Road(over=cut.set, names={"game"})
    one.roads.add(road)
    one.lose = lost.append
    async with one._lock:  # noqa: SLF001 - as if its loop stood still
        for name in ("game", SUMMARY.id):
            await taken(other, name)
    with pytest.raises(StoreFault) as refused:
        await desk.stores[0].append(SUMMARY, 3, [Acted(1, "offer", "red", id="b")], 6)
    assert refused.value.stable_code == "closed"
    await desk.stores[1].append(SUMMARY, 3, [Acted(1, "offer", "red", id="c")], 6)
    await asyncio.wait_for(cut.wait(), SOON_S)
    assert set(lost) == {"game", SUMMARY.id}
    assert await one.keeper("another") is None, "it is counted in again"


async def test_words_are_heard_and_missed_ones_are_looked_for(desk: Desk, server: str) -> None:
    one, other = await desk.place("one"), await desk.place("other")
    heard: asyncio.Queue[str] = asyncio.Queue()
    other.hear("names", heard.put_nowait)
    one.hear("names", lambda name: pytest.fail("nobody is woken by his own word") if name else None)
    one.tell("names", "game")
    async with asyncio.timeout(SOON_S):
        while await heard.get() != "game":
            pass
    while not heard.empty():
        heard.get_nowait()
    await one.hold("kept")
    async with asked(server) as connection:
        ending = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
        await connection.execute(sa.text(f"{ending} and datname = current_database()"))
    async with asyncio.timeout(SOON_S):
        while await heard.get() != "":
            pass
        one.tell("names", "again")
        while await heard.get() != "again":
            one.tell("names", "again")
            await asyncio.sleep(0.05)
    assert await other.keeper("kept") is not None, "a broken line loses no lease"


async def test_a_server_on_another_machine_is_not_joined(desk: Desk, server: str) -> None:
    await desk.place("one")
    async with asked(server) as connection:
        await connection.execute(sa.text("update processes set machine = 'elsewhere'"))
    with pytest.raises(StoreFault) as refused:
        await desk.place("other")
    assert refused.value.stable_code == "store_held"


async def test_a_lease_says_nothing_of_a_game(desk: Desk, server: str) -> None:
    one = await desk.place("one")
    await one.hold("game")
    async with asked(server) as connection:
        assert (await connection.scalars(sa.select(leases.c.name))).all() == ["game"]
    assert set(leases.c.keys()) == {"name", "process"}
