"""The store at a real PostgreSQL: the same promises as in a file, one server at a time, and a game over a kill."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from flagfall.server import store as stores
from flagfall.server.accounts import Accounts  # noqa: F401 - tables that are kept beside
from flagfall.server.journal import Acted, Opened, Placed
from flagfall.server.migrations import HEAD
from flagfall.server.store import Store, StoreFault, Taken, hashed, tables
from tests.server.postgres import postgres
from tests.server.test_serve import friends, served
from tests.server.test_store import SUMMARY


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a database."""
    with postgres() as address:
        yield address


@pytest.fixture
async def address(server: str) -> AsyncIterator[str]:
    """The address of a database in which there is nothing."""
    yield server
    engine = create_async_engine(server.replace("postgresql:", "postgresql+asyncpg:"))
    async with engine.begin() as connection:
        await connection.execute(sa.text("drop schema public cascade"))
        await connection.execute(sa.text("create schema public"))
    await engine.dispose()


async def test_a_log_grows_and_does_not_fork(address: str) -> None:
    store = await Store.open(address)
    try:
        await store.create(SUMMARY, {"red": hashed("token")}, [Opened("{}"), Placed("red", "F")], 5)
        move = Acted(1, "move", "red", move="e4-e5", ply=1)
        await store.append(SUMMARY, 3, [move], 6)
        for n, entry in ((3, Acted(2, "resign", "red")), (4, Acted(2, "move", "red", move="e5-e4", ply=1))):
            with pytest.raises(Taken):
                await store.append(SUMMARY, n, [entry], 7)
        assert [entry for entry, _ in await store.log("g")] == [Opened("{}"), Placed("red", "F"), move]
        assert await store.seats("g", hashed("token")) == ["red"]
        assert await store.unfinished(hashed("token")) == 1
        assert [game.id for _, game in await store.of_guest(hashed("token"), 9)] == ["g"]
        await store.drop("g")
        assert await store.log("g") == []
    finally:
        await store.close()


async def test_one_bad_wish_spoils_no_other(address: str) -> None:
    """Twenty write at once, one of them what cannot be: he alone is refused."""
    store = await Store.open(address)
    try:
        await store.create(SUMMARY, {"red": hashed("token")}, [Opened("{}")], 5)
        wishes = [
            store.append(SUMMARY, 2 + number, [Acted(number, "offer", "red", id=f"o{number}")], 6)
            for number in range(20)
        ]
        wishes.append(store.append(SUMMARY, 1, [Acted(1, "resign", "red")], 6))
        done = await asyncio.gather(*wishes, return_exceptions=True)
        assert done[:20] == [None] * 20
        assert isinstance(done[20], Taken)
        assert len(await store.log("g")) == 21
    finally:
        await store.close()


async def test_migrations_lead_to_the_tables(address: str) -> None:
    await (await Store.open(address)).close()
    await (await Store.open(address)).close()
    engine = create_async_engine(address.replace("postgresql:", "postgresql+asyncpg:"))

    def compare(connection: sa.Connection) -> tuple[str | None, list[Any]]:
        context = MigrationContext.configure(connection)
        return context.get_current_revision(), compare_metadata(context, tables)

    async with engine.begin() as connection:
        assert await connection.run_sync(compare) == (HEAD, [])
    await engine.dispose()


async def test_a_server_that_wants_it_alone_is_not_joined(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the time when servers wrote alone holds the database: until it has gone, nobody is let in beside it."""
    monkeypatch.setattr(stores, "HOLD_WAIT_S", 0.01)
    engine = create_async_engine(address.replace("postgresql:", "postgresql+asyncpg:"))
    async with engine.connect() as alone:
        await alone.execute(sa.text("select pg_advisory_lock(hashtext('flagfall'), hashtext(current_schema()))"))
        with pytest.raises(StoreFault) as refused:
            await Store.open(address)
        assert refused.value.stable_code == "store_held"
    await engine.dispose()
    first = await Store.open(address)
    await (await Store.open(address)).close()
    await first.close()


async def test_a_broken_line_is_mended(address: str) -> None:
    """The database ends every session: what was being asked fails, what is asked next does not."""
    store = await Store.open(address)
    try:
        await store.create(SUMMARY, {"red": hashed("token")}, [Opened("{}")], 5)
        engine = create_async_engine(address.replace("postgresql:", "postgresql+asyncpg:"))
        ending = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
        async with engine.begin() as connection:
            await connection.execute(sa.text(f"{ending} and datname = current_database()"))
        await engine.dispose()
        with pytest.raises(StoreFault):
            await store.append(SUMMARY, 2, [Acted(1, "offer", "red")], 6)
        await store.append(SUMMARY, 2, [Acted(1, "offer", "red")], 6)
        assert len(await store.log("g")) == 2
    finally:
        await store.close()


async def test_no_words_of_a_row_come_out(address: str) -> None:
    store = await Store.open(address)
    try:
        await store.create(SUMMARY, {"red": hashed("token")}, [Placed("red", "FMS")], 5)
        with pytest.raises(Taken) as refused:
            await store.create(SUMMARY, {"red": hashed("token")}, [Placed("red", "FMS")], 5)
        assert "FMS" not in str(refused.value)
        assert refused.value.__cause__ is None
        assert refused.value.__suppress_context__
    finally:
        await store.close()


def kept_beside(folder: Path) -> list[Path]:
    """Databases in files, of which there should be none."""
    return list(folder.rglob("*.sqlite3*"))


@pytest.mark.timeout(300)
async def test_a_game_goes_on_after_a_kill(address: str, tmp_path: Path) -> None:
    """Killed in mid-game, started anew on another port: every answered move is there, and the clock as it was."""
    async with served(tmp_path, "--store", address) as first:
        at = await first.up()
        red, blue, game = await friends(at, clock={"kind": "sudden-death", "main_ms": 600_000})
        async with red.table(game) as one, blue.table(game) as other:
            await one.state(lambda told: told["phase"] == "playing")
            assert (await one.move("a4-a5", 1))["type"] == "done"
            await other.state(lambda told: told["ply"] == 1)
            assert (await other.move("a7-a6", 2))["type"] == "done"
            told = (await blue.http.get(f"/api/games/{game}")).json()
            os.killpg(first.process.pid, signal.SIGKILL)
            await first.ended()
    async with served(tmp_path, "--store", address, port=first.port) as second:
        await second.up()
        again = (await blue.http.get(f"/api/games/{game}")).json()
        assert again["plies"] == told["plies"]
        assert len(again["plies"]) == 2
        async with red.table(game) as one:
            await one.my_turn()
            assert (await one.move("b4-b5", 3))["type"] == "done"
    assert not kept_beside(tmp_path)
    for caller in (red, blue):
        await caller.http.aclose()
