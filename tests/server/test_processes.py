"""Two real server processes at one PostgreSQL: a game across both, one of them killed or stopped, nothing lost."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import websockets

from tests.server.hall import RED, Caller
from tests.server.postgres import postgres
from tests.server.test_serve import Served, served

CLOCK = {"kind": "sudden-death", "main_ms": 600_000}


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The address of a database."""
    with postgres() as address:
        yield address


@dataclass
class Two:
    """Two servers of one store, and whoever asks them."""

    one: Served
    other: Served
    there: AsyncExitStack

    async def caller(self, server: Served, same: Caller | None = None) -> Caller:
        """Somebody at one of them; the same guest as at the other one."""
        caller = await self.there.enter_async_context(Caller(f"127.0.0.1:{server.port}"))
        if same is None:
            await caller.hello()
        else:
            caller.http.cookies.update(same.http.cookies)
        return caller


@asynccontextmanager
async def two(folder: Path, store: str) -> AsyncIterator[Two]:
    """Two servers of one store, both ready."""
    for name in ("one", "two"):
        (folder / name).mkdir()
    async with (
        served(folder / "one", "--store", store) as one,
        served(folder / "two", "--store", store) as other,
        AsyncExitStack() as there,
    ):
        await asyncio.gather(one.up(), other.up())
        yield Two(one, other, there)


async def pair(both: Two, **order: Any) -> tuple[Caller, Caller, str]:
    """Red at one process, blue at the other, at one table which the first one keeps."""
    red, blue = await both.caller(both.one), await both.caller(both.other)
    game = (await red.new_game(against="friend", level=None, **order))["game"]
    code = (await red.http.get(f"/api/games/{game}")).json()["invite"]
    assert (await blue.http.post(f"/api/invitations/{code}/join")).status_code == 201
    assert (await blue.http.post(f"/api/games/{game}/army", json={"army": RED})).status_code == 200
    return red, blue, game


async def moved(caller: Caller, game: str, name: str, move: str, ply: int) -> None:
    """Make a move at a table that is opened for it, as a page does that comes back."""
    async with caller.table(game) as line:
        await line.state(lambda told: told["ply"] >= ply - 1)
        assert (await line.move(move, ply, name))["type"] == "done"


@pytest.mark.timeout(300)
async def test_a_game_outlives_the_process_that_kept_it(tmp_path: Path, store: str) -> None:
    async with two(tmp_path, store) as both:
        red, blue, game = await pair(both, clock=CLOCK)
        async with red.table(game) as line, blue.table(game) as far:
            await line.state(lambda told: told["phase"] == "playing" and told["here"]["blue"])
            await far.state(lambda told: told["here"]["red"])
            assert (await line.move("a4-a5", 1))["type"] == "done"
            await far.state(lambda told: told["ply"] == 1)
            assert (await far.move("a7-a6", 2))["type"] == "done"
            assert (await far.ask(type="say", id="hello", phrase="good_luck"))["type"] == "done"
            await line.until(lambda heard: heard["type"] == "talk" and heard["lines"] != [])
            before = (await blue.http.get(f"/api/games/{game}")).json()
            os.killpg(both.one.process.pid, signal.SIGKILL)
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await far.until(lambda _: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        red = await both.caller(both.other, red)
        async with red.table(game) as line, blue.table(game) as far:
            again = await line.state(lambda told: told["turn"] == "red")
            assert again["plies"] == before["plies"]
            assert again["clock"]["blue_ms"] <= before["clock"]["blue_ms"]
            assert again["clock"]["red_ms"] > before["clock"]["red_ms"] - 60_000, "nobody's time while nobody kept it"
            assert (await line.move("a4-a5", 1, "m1"))["type"] == "done", "sent again, it is the same move"
            assert (await line.move("b4-b5", 3))["type"] == "done"
            await far.state(lambda told: told["ply"] == 3)
        told = (await blue.http.get(f"/api/games/{game}")).json()
        assert [ply["ply"] for ply in told["plies"]] == [1, 2, 3]


@pytest.mark.timeout(300)
async def test_a_game_does_not_feel_the_death_of_another_process(tmp_path: Path, store: str) -> None:
    """The process at which blue sat dies: red's socket stays, blue comes back at the other process."""
    async with two(tmp_path, store) as both:
        red, blue, game = await pair(both, clock=CLOCK)
        async with red.table(game) as line:
            async with blue.table(game) as far:
                await line.state(lambda told: told["phase"] == "playing" and told["here"]["blue"])
                assert (await line.move("a4-a5", 1))["type"] == "done"
                await far.state(lambda told: told["ply"] == 1)
                os.killpg(both.other.process.pid, signal.SIGKILL)
                await line.state(lambda told: not told["here"]["blue"])
            await moved(await both.caller(both.one, blue), game, "m2", "a7-a6", 2)
            await line.state(lambda told: told["ply"] == 2)


@pytest.mark.soak
@pytest.mark.timeout(300)
async def test_a_process_that_hangs_is_taken_over_and_finds_that_out(tmp_path: Path, store: str) -> None:
    """Stopped, not killed: its socket still lets people in, but it answers nobody; then it goes on where it was."""
    async with two(tmp_path, store) as both:
        red, blue, game = await pair(both, clock=CLOCK)
        async with red.table(game) as stale:
            await stale.state(lambda told: told["phase"] == "playing")
            assert (await stale.move("a4-a5", 1))["type"] == "done"
            async with blue.table(game) as far:
                await far.state(lambda told: told["ply"] == 1)
                both.one.process.send_signal(signal.SIGSTOP)
                with pytest.raises(websockets.ConnectionClosed):
                    await far.until(lambda _: False)
            await moved(blue, game, "m2", "a7-a6", 2)
            await moved(await both.caller(both.other, red), game, "m3", "b4-b5", 3)
            both.one.process.send_signal(signal.SIGCONT)
            await stale.say(type="move", id="late", ply=3, **{"from": "c4", "to": "c5"})
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await stale.until(lambda heard: heard["type"] == "done")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        async with red.table(game) as line:
            state = await line.state(lambda told: told["ply"] == 3)
            assert [(ply["ply"], ply["from"]) for ply in state["plies"]] == [(1, "a4"), (2, "a7"), (3, "b4")]
            assert state["here"] == {"red": True, "blue": False}
