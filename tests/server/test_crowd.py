"""Many rooms and little place: a room is only put away when nobody waits for it, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from flagfall.errors import NotAllowed
from flagfall.rules.board import Seat
from flagfall.server import rooms
from flagfall.server.journal import Placed
from flagfall.server.store import Store
from tests.server.hall import RED, Caller, Scripted, hall


class Slow:
    """A store whose next append of an army waits until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go = asyncio.Event(), asyncio.Event()
        append = Store.append

        async def slow(store: Store, summary: Any, n: int, entries: Any, at_ms: int, *beside: Any) -> None:
            if isinstance(entries[0], Placed) and not self.reached.is_set():
                self.reached.set()
                await self.go.wait()
            await append(store, summary, n, entries, at_ms, *beside)

        monkeypatch.setattr(Store, "append", slow)


async def placing(caller: Caller, game: str) -> Any:
    return await caller.http.post(f"/api/games/{game}/army", json={"army": RED})


async def test_a_room_at_work_is_not_put_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_ROOMS", 1)
    slow = Slow(monkeypatch)

    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED)) as server:
        caller = await server.caller()
        game = (await caller.new_game(army=None))["game"]
        there = server.lobby.rooms
        room = there[game]
        async with asyncio.timeout(20):
            while not room.idle:  # noqa: ASYNC110 - nobody is told when the house has set up
                await asyncio.sleep(0.01)
        asking = asyncio.create_task(placing(caller, game))
        await asyncio.wait_for(slow.reached.wait(), 20)
        await caller.new_game(army=None)
        assert there[game] is room
        slow.go.set()
        answer = await asyncio.wait_for(asking, 20)
        assert answer.status_code == 200
        assert Placed("red", RED) in [entry for entry, _ in await server.store.log(game)]


async def test_who_waits_for_a_room_that_stops_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deed under way, the one behind it in the mailbox, and one that comes too late: none hangs."""
    slow = Slow(monkeypatch)
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED)) as server:
        caller = await server.caller()
        game = (await caller.new_game(army=None))["game"]
        room = server.lobby.rooms[game]
        asking = asyncio.create_task(placing(caller, game))
        await asyncio.wait_for(slow.reached.wait(), 20)
        behind = asyncio.create_task(room.state(Seat.RED, 0))
        await asyncio.sleep(0)
        await room.stop()
        answer = await asyncio.wait_for(asking, 20)
        assert (answer.status_code, answer.json()["code"]) == (503, "closed")
        for late in (behind, room.state(Seat.RED, 0)):
            with pytest.raises(NotAllowed) as refused:
                await asyncio.wait_for(late, 20)
            assert refused.value.stable_code == "closed"


async def test_a_rematch_leaves_no_door_behind(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED)) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            await line.my_turn()
            await line.ask(type="resign", id="r")
        answers = await asyncio.gather(*(caller.http.post(f"/api/games/{game}/rematch") for _ in range(3)))
        assert [answer.status_code for answer in answers] == [201] * 3
        assert len({answer.json()["game"] for answer in answers}) == 1
        doors = server.lobby.rooms._doors  # noqa: SLF001
        assert set(doors) <= set(server.lobby.rooms._there)  # noqa: SLF001
