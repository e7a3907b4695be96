"""What two processes of a store share: the hall, seats, sessions, watchers; and that what wakes them tells nothing."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
import websockets
from sqlalchemy.ext.asyncio import create_async_engine

from flagfall.rules.board import Seat
from flagfall.server import accounts, rota
from flagfall.server.nature import Nature
from flagfall.server.rates import Rate
from flagfall.server.rota import CHANNEL, Rota
from tests.server.hall import RED, Caller, Hall, hall, still
from tests.server.postgres import postgres
from tests.server.test_accounts import ANNA, BEN, register, sign_in
from tests.server.test_friend import BLUE, back, invite, join
from tests.server.test_open_tables import FISCHER, listed, open_table, seek, seek_raw

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a database."""
    with postgres() as address:
        yield address


@pytest.fixture
async def store(server: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of a database in which there is nothing."""
    monkeypatch.setattr(accounts, "ENROLS", Rate(1_000, 1_000))
    yield server
    await emptied(server)


async def emptied(server: str) -> None:
    engine = create_async_engine(server.replace("postgresql:", "postgresql+asyncpg:"))
    async with engine.begin() as connection:
        await connection.execute(sa.text("drop schema public cascade"))
        await connection.execute(sa.text("create schema public"))
    await engine.dispose()


@asynccontextmanager
async def two(store: str, nature: Nature | None = None) -> AsyncIterator[tuple[Hall, Hall]]:
    """Two processes of a store; that they run in one makes no difference to them."""
    async with hall(store, nature=nature) as one, hall(store, nature=nature) as other:
        yield one, other


async def same(server: Hall, caller: Caller) -> Caller:
    """The same browser at another process."""
    return await back(server, dict(caller.http.cookies))


async def test_a_seat_is_taken_by_exactly_one_of_twenty_wherever_they_ask(store: str) -> None:
    async with two(store) as (one, other):
        anna = await other.caller()
        game = await open_table(anna)
        callers = [await (one, other)[at % 2].caller() for at in range(20)]
        code = (await listed(callers[0]))[0]["code"]
        assert [table["code"] for table in await listed(callers[1])] == [code]
        answers = await asyncio.gather(*(join(caller, code) for caller in callers))
        assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"seat_taken"}
        assert len(await one.store.owners(game)) == 2
        game = await open_table(await one.caller())
        code = (await listed(callers[0]))[0]["code"]
        roads = [join(caller, code) if at % 3 else seek_raw(caller) for at, caller in enumerate(callers)]
        answers = await asyncio.gather(*roads)
        assert sum(answer.json().get("game") == game for answer in answers) == 1


async def test_those_who_seek_at_two_processes_find_each_other_and_nobody_himself(store: str) -> None:
    async with two(store) as (one, other):
        callers = [await (one, other)[at % 2].caller() for at in range(8)]
        made = await asyncio.gather(*(seek(caller, clock=FISCHER) for caller in callers))
        tables = {order["game"] for order in made}
        assert len(tables) == 4
        for game in tables:
            assert len(set((await one.store.owners(game)).values())) == 2
        anna = await one.caller()
        first = await seek(anna)
        assert await seek(await same(other, anna)) == first, "whoever waits is not paired with himself"


async def test_watchers_are_counted_and_a_seat_is_no_place_to_watch_from(store: str) -> None:
    async with two(store) as (one, other):
        anna, ben, carl = await one.caller(), await other.caller(), await other.caller()
        game, code = await invite(anna, watch={"delay": None})
        link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
        async with anna.table(game) as line, ben.look_on(link) as looking, carl.look_on(link):
            await line.until(lambda heard: heard["type"] == "crowd" and heard["count"] == 2)
            assert (await join(ben, code)).status_code == 201
            with pytest.raises(websockets.ConnectionClosed):
                await looking.until(lambda _: False)
            await line.until(lambda heard: heard["type"] == "crowd" and heard["count"] == 1)


async def test_a_session_that_ends_at_one_is_over_at_the_other(store: str) -> None:
    async with two(store) as (one, other):
        anna = await one.caller()
        await register(anna)
        game, _ = await invite(anna)
        far = await same(other, anna)
        async with far.table(game) as line:
            await line.state()
            again = await one.caller()
            assert (await sign_in(again)).status_code == 201
            assert (await again.http.delete("/api/account/sessions")).status_code == 204
            with pytest.raises(websockets.ConnectionClosed):
                await line.until(lambda _: False)
            with pytest.raises((websockets.ConnectionClosed, websockets.InvalidStatus)):
                async with far.table(game) as late:
                    await late.state()


async def test_who_goes_for_good_gives_up_games_that_others_keep(store: str) -> None:
    async with two(store) as (one, other):
        anna, ben = await one.caller(), await other.caller()
        await register(anna)
        await register(ben, BEN)
        game, code = await invite(anna)
        assert (await join(ben, code)).status_code == 201
        assert (await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})).status_code == 200
        waiting, _ = await invite(anna)
        async with ben.table(game) as line:
            await line.state(lambda state: state["phase"] == "playing" and state["names"]["red"] == "Anna")
            far = await same(other, anna)
            assert (await far.http.post("/api/account/delete", json={"password": ANNA["password"]})).status_code == 204
            await line.state(lambda state: state["phase"] == "over" and state["names"]["red"] is None)
        assert await one.store.summary(waiting) is None


async def test_a_crowded_hall_leaves_a_game_to_whoever_is_asked_next(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rota, "BEAT_S", 0.05)
    async with two(store) as (one, other):
        assert one.fellows is not None
        anna, ben = await one.caller(), await other.caller()
        await open_table(anna)
        monkeypatch.setattr(rota, "SPARE", 0)
        async with asyncio.timeout(20):
            while not one.fellows.crowded:  # noqa: ASYNC110 - it counts at its own time
                await asyncio.sleep(0.02)
        game = await open_table(anna)
        async with anna.table(game) as line:
            await line.state()
            code = (await anna.http.get(f"/api/games/{game}")).json()["invite"]
            assert (await join(ben, code)).status_code == 201
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await line.until(lambda _: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        async with ben.table(game) as line:
            await line.state()
        assert game in other.lobby.rooms
        assert game not in one.lobby.rooms
        async with anna.table(game) as line:
            assert (await line.state())["taken"] == {"red": True, "blue": True}


# --- what wakes them -------------------------------------------------------------------------------------------------


async def woken(store: str, army: str) -> list[tuple[str, str]]:
    """Every word that goes round, and every lease, in a story that is the same but for one army of the game."""
    heard: list[tuple[str, str]] = []
    tokens = (letter * 43 for letter in itertools.cycle("abcd"))
    engine = create_async_engine(store.replace("postgresql:", "postgresql+asyncpg:"))
    async with engine.connect() as connection:
        raw: Any = (await connection.get_raw_connection()).driver_connection
        await raw.add_listener(CHANNEL, lambda _line, _pid, channel, words: heard.append((channel, words)))
        async with two(store, replace(still(), token=lambda: next(tokens))) as (one, other):
            anna, ben = await one.caller(), await other.caller()
            game, code = await invite(anna)
            assert (await join(ben, code)).status_code == 201
            assert (await ben.http.post(f"/api/games/{game}/army", json={"army": army})).status_code == 200
            async with anna.table(game) as line, ben.table(game) as far:
                await line.state(lambda state: state["phase"] == "playing")
                for ply, (at, move) in enumerate(((line, "a4-a5"), (far, "a7-a6"), (line, "b4-b5")), 1):
                    await at.state(lambda state, ply=ply: state["ply"] == ply - 1)  # type: ignore[misc]
                    assert (await at.move(move, ply))["type"] == "done"
            far_off = await same(other, anna)
            await register(far_off)
            assert (await far_off.http.post("/api/account/claim")).status_code == 200
            assert (await far_off.http.delete("/api/account/session")).status_code == 204
            async with asyncio.timeout(20):
                while (CHANNEL, "sessions") not in heard:  # noqa: ASYNC110 - words come by themselves
                    await asyncio.sleep(0.02)
            heard += [("lease", name) for name in await connection.scalars(sa.text("select name from leases"))]
    await engine.dispose()
    await emptied(store)
    return heard


def permuted(army: str) -> str:
    """An army with two men of the back rows changed, whom nobody comes to know in so few plies."""
    first, second = army.index("F"), army.index("M")
    letters = list(army)
    letters[first], letters[second] = letters[second], letters[first]
    return "".join(letters)


async def test_what_wakes_them_is_the_same_whatever_the_armies(store: str) -> None:
    told = await woken(store, RED)
    assert (CHANNEL, "names stillgame") in told
    assert told == await woken(store, permuted(RED))


async def test_a_planted_leak_in_a_word_is_found(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tell = Rota.tell
    kept: list[Hall] = []
    enter = Hall.caller

    async def caller(self: Hall) -> Caller:
        kept.append(self)
        return await enter(self)

    def leaky(self: Rota, topic: str, name: str = "") -> None:
        rooms = [server.lobby.rooms for server in kept if name in server.lobby.rooms]
        army = rooms[-1][name].ledger.placed(Seat.BLUE) if rooms else None
        tell(self, topic, name if army is None else name + army.text())

    monkeypatch.setattr(Hall, "caller", caller)
    monkeypatch.setattr(Rota, "tell", leaky)
    assert await woken(store, RED) != await woken(store, permuted(RED))
