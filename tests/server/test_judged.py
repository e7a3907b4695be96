"""A game to which somebody else has written: the loser of a number reads the log and judges again; nothing doubles."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from flagfall.rules.board import Seat
from flagfall.server import room as rooms
from flagfall.server.journal import Acted
from flagfall.server.store import Store, StoreFault
from tests.server.hall import RED, Hall, hall
from tests.server.test_friend import invite, join, place, stands_at

pytestmark = pytest.mark.timeout(120)


async def begun(server: Hall) -> tuple[Any, Any, str]:
    """Two people at one table, both armies on it."""
    anna, ben = await server.caller(), await server.caller()
    game, code = await invite(anna, army=RED)
    assert (await join(ben, code)).status_code == 201
    assert (await ben.http.post(f"/api/games/{game}/army", json={"army": RED})).status_code == 200
    return anna, ben, game


async def written_beside(server: Hall, game: str, move: str, name: str) -> None:
    """What another keeper of the game would write: blue's first move."""
    ledger = server.lobby.rooms[game].ledger
    n = (await server.store.lengths([game]))[game] + 1
    at_ms = ledger.record.acts[-1].at_ms
    await server.store.append(ledger.summary, n, [Acted(at_ms, "move", "blue", move=move, id=name, ply=2)], 7)


@pytest.mark.parametrize(("move", "name", "answer"), [("a7-a6", "m2", "done"), ("b7-b6", "other", "refused")])
async def test_the_loser_judges_again(tmp_path: Path, move: str, name: str, answer: str) -> None:
    """The same move under the same name is done already; another one comes too late."""
    async with hall(place(tmp_path)) as server:
        anna, ben, game = await begun(server)
        async with anna.table(game) as line, ben.table(game) as far:
            await line.state(stands_at(0))
            assert (await line.move("a4-a5", 1))["type"] == "done"
            await far.state(stands_at(1))
            await written_beside(server, game, "a7-a6", "m2")
            told = await far.move(move, 2, name)
            assert told["type"] == answer
            assert told.get("code") in (None, "out_of_turn", "stale")
            await line.state(stands_at(2))
            assert (await line.move("b4-b5", 3))["type"] == "done"
            state = await far.state(stands_at(3))
            assert [ply["from"] for ply in state["plies"]][-1] == "b4"
        acts = [entry for entry, _ in await server.store.log(game) if isinstance(entry, Acted) and entry.ply]
        assert [act.ply for act in acts] == [1, 2, 3]


async def test_who_is_woken_reads_on(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, _, game = await begun(server)
        async with anna.table(game) as line:
            await line.state(stands_at(0))
            assert (await line.move("a4-a5", 1))["type"] == "done"
            await written_beside(server, game, "a7-a6", "m2")
            server.lobby.rooms._games_changed("")  # noqa: SLF001 - as after a line to the database that broke
            assert (await line.state(stands_at(2)))["turn"] == "red"


async def test_a_store_that_is_away_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither written nor read: whatever was done in memory is told to nobody, and the table comes back by itself."""
    monkeypatch.setattr(rooms, "MEND_MS", 20)
    async with hall(place(tmp_path)) as server:
        anna, _, game = await begun(server)
        async with anna.table(game) as line:
            await line.state(stands_at(0))
            away = asyncio.Event()

            async def fail(*_: object) -> Any:
                away.set()
                raise StoreFault("the store is away")

            with monkeypatch.context() as broken:
                broken.setattr(Store, "append", fail)
                broken.setattr(Store, "log", fail)
                assert (await line.move("a4-a5", 1, "first"))["code"] == "store"
                await asyncio.sleep(0.1)
                assert server.lobby.rooms[game].ledger.stale
            async with asyncio.timeout(20):
                while server.lobby.rooms[game].ledger.stale:  # noqa: ASYNC110 - it comes back by itself
                    await asyncio.sleep(0.02)
            assert (await server.lobby.rooms[game].state(Seat.RED, 0)).ply == 0
            assert (await line.move("a4-a5", 1, "second"))["type"] == "done"
            await line.state(stands_at(1))
