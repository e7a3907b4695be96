"""The store: whose it is, what it keeps, and that a log cannot fork."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from flagfall.errors import NotAllowed
from flagfall.server.accounts import Accounts  # noqa: F401 - tables that are kept beside
from flagfall.server.counts import Counts
from flagfall.server.home import Lock, private_file, private_folder
from flagfall.server.journal import Acted, Opened, Placed
from flagfall.server.migrations import HEAD, upgrade
from flagfall.server.store import Store, StoreFault, Summary, Taken, hashed, tables

SUMMARY = Summary("g", "classic", "level-1", "deploying", 0, None, None, None, 1, 1)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def filled(place: Path) -> Store:
    store = await Store.open(place)
    await store.create(SUMMARY, {"red": hashed("sesame")}, [Opened("{}"), Placed("red", "F")], 5)
    return store


async def test_only_the_owner_may_look(tmp_path: Path) -> None:
    place = tmp_path / "home" / "games.sqlite3"
    store = await filled(place)
    try:
        assert mode(place.parent) == 0o700
        for path in place.parent.iterdir():
            assert mode(path) == 0o600, path
    finally:
        await store.close()


async def test_what_stood_open_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o755)
    place = folder / "games.sqlite3"
    place.touch(mode=0o644)
    folder.chmod(0o755)
    place.chmod(0o644)
    await (await Store.open(place)).close()
    assert (mode(folder), mode(place)) == (0o700, 0o600)


def test_what_is_somebody_elses_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = private_file(tmp_path / "home" / "games.sqlite3")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(NotAllowed) as refused:
        private_folder(place.parent)
    assert refused.value.stable_code == "foreign_owner"
    with pytest.raises(NotAllowed) as refused:
        private_file(place)
    assert refused.value.stable_code == "foreign_owner"


def test_a_link_is_no_store(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.touch()
    folder = private_folder(tmp_path / "home")
    (folder / "games.sqlite3").symlink_to(target)
    with pytest.raises(NotAllowed) as refused:
        private_file(folder / "games.sqlite3")
    assert refused.value.stable_code == "not_a_file"


def test_one_server_a_folder(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "home")
    with Lock(folder) as first:
        first.tell("http://127.0.0.1:1/")
        with Lock(folder) as second:
            assert (first.taken, second.taken, second.told) == (True, False, "http://127.0.0.1:1/")
    with Lock(folder) as third:
        assert (third.taken, third.told) == (True, "")


async def test_a_log_grows_and_does_not_fork(tmp_path: Path) -> None:
    store = await filled(tmp_path / "home" / "games.sqlite3")
    try:
        move = Acted(1, "move", "red", move="e4-e5", ply=1)
        await store.append(SUMMARY, 3, [move], 6)
        for n, entry in ((3, Acted(2, "resign", "red")), (4, Acted(2, "move", "red", move="e5-e4", ply=1))):
            with pytest.raises(Taken):
                await store.append(SUMMARY, n, [entry], 7)
        assert [entry for entry, _ in await store.log("g")] == [Opened("{}"), Placed("red", "F"), move]
        assert await store.seats("g", hashed("sesame")) == ["red"]
        assert await store.seats("g", hashed("other")) == []
        assert await store.unfinished(hashed("sesame")) == 1
        assert [game.id for _, game in await store.of_guest(hashed("sesame"), 9)] == ["g"]
    finally:
        await store.close()


async def test_no_token_and_no_words_of_a_row_come_out(tmp_path: Path) -> None:
    place = tmp_path / "home" / "games.sqlite3"
    store = await filled(place)
    try:
        with pytest.raises(Taken) as refused:
            await store.create(SUMMARY, {"red": hashed("sesame")}, [Placed("red", "FMS")], 5)
        assert "FMS" not in str(refused.value)
        assert refused.value.__cause__ is None
        assert refused.value.__suppress_context__
        assert "F" not in repr(Placed("red", "F")).removeprefix("Placed")
        assert "secret" not in repr(Opened("secret"))
    finally:
        await store.close()
    assert b"sesame" not in b"".join(path.read_bytes() for path in place.parent.iterdir())


async def test_a_lost_store_is_a_stable_error(tmp_path: Path) -> None:
    store = await filled(tmp_path / "home" / "games.sqlite3")
    async with store._engine.begin() as connection:  # noqa: SLF001
        await connection.execute(sa.text("drop table events"))
    try:
        with pytest.raises(StoreFault):
            await store.log("g")
        with pytest.raises(StoreFault):
            await store.append(SUMMARY, 3, [Acted(1, "resign", "red")], 6)
    finally:
        await store.close()


def test_migrations_lead_to_the_tables() -> None:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        upgrade(connection)
        upgrade(connection)
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == HEAD
        assert compare_metadata(context, tables) == []
    engine.dispose()


async def test_one_bad_wish_spoils_no_other(tmp_path: Path) -> None:
    """Twenty write at once, one of them what cannot be: he alone is refused, and all were one transaction but his."""
    counts = Counts()
    store = await Store.open(tmp_path / "home" / "games.sqlite3", counts)
    try:
        await store.create(SUMMARY, {"red": hashed("sesame")}, [Opened("{}")], 5)
        before = sum(counts.commit.held)
        wishes = [store.append(SUMMARY, 2 + n, [Acted(n, "offer", "red", id=f"o{n}")], 6) for n in range(20)]
        assert await asyncio.gather(*wishes) == [None] * 20
        assert sum(counts.commit.held) == before + 1, "what is asked at once is written at once"
        wishes = [store.append(SUMMARY, 22 + n, [Acted(n, "offer", "red", id=f"p{n}")], 6) for n in range(20)]
        bad = store.append(SUMMARY, 1, [Acted(1, "resign", "red")], 6)
        done = await asyncio.gather(*wishes, bad, return_exceptions=True)
        assert done[:20] == [None] * 20
        assert isinstance(done[20], Taken)
        assert len(await store.log("g")) == 41
    finally:
        await store.close()
