"""Correspondence: days for each move, counted by the calendar, whoever looks and however often the server starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall.server.ledger import GRACE_MS
from tests.server.hall import Caller, hall
from tests.server.test_deeds import Hand, pair
from tests.server.test_friend import place

DAY_MS = 86_400_000
CLOCK = {"kind": "per-move", "cap_ms": 3 * DAY_MS}


def moved(caller: Caller, old: Caller) -> Caller:
    caller.http.cookies = old.http.cookies
    return caller


async def test_days_go_on_while_the_server_is_down(tmp_path: Path) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server, clock=CLOCK) as table:
        time.on(DAY_MS)
        await table.play("a4-a5")
        assert (await table.blue.state())["clock"]["blue_ms"] == 3 * DAY_MS
        old, game = table.ben, table.game
    # The machine was off: its ticks begin anew, the calendar does not.
    time.wall += 2 * DAY_MS
    time.ticks = 77
    async with hall(place(tmp_path), nature=time.nature) as server:
        ben = moved(await server.caller(), old)
        state = (await ben.http.get(f"/api/games/{game}")).json()
        assert (state["turn"], state["clock"]["blue_ms"]) == ("blue", DAY_MS)
        time.on(DAY_MS // 2)
        state = (await ben.http.get(f"/api/games/{game}")).json()
        assert state["clock"]["blue_ms"] == DAY_MS // 2
        async with ben.table(game) as blue:
            await blue.state()
            assert (await blue.move("a7-a6", 2))["type"] == "done"
            state = await blue.state(lambda state: state["ply"] == 2)
            assert (state["clock"]["red_ms"], state["plies"][-1]["ms"]) == (3 * DAY_MS, 2 * DAY_MS + DAY_MS // 2)


@pytest.mark.parametrize("late", [False, True])
async def test_days_that_ended_while_the_server_was_down_end_an_hour_after_it_came_up(
    late: bool, tmp_path: Path
) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server, clock=CLOCK) as table:
        await table.play("a4-a5")
        old, game = table.anna, table.game
    time.wall += 5 * DAY_MS
    async with hall(place(tmp_path), nature=time.nature) as server:
        time.on(GRACE_MS + 1 if late else GRACE_MS - 60_000)
        anna = moved(await server.caller(), old)
        async with anna.table(game) as red:
            state = await red.state(lambda state: state["phase"] == "over" or not late)
            if late:
                assert (state["result"], state["reason"]) == ("red", "time")
            else:
                assert (state["phase"], state["clock"]["blue_ms"]) == ("playing", 60_000)


async def test_a_room_of_days_is_forgotten_and_reckoned_anew(tmp_path: Path) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server, clock=CLOCK) as table:
        await table.play("a4-a5")
        room, _ = await server.lobby.room(next(iter(table.anna.http.cookies.values())), table.game)
        for line in table.lines:
            await line.socket.close()
        while room.tabs(0) or room.tabs(1):  # type: ignore[arg-type]
            await table.anna.http.get("/api/games")
        assert room.idle, "days are no reason to hold a game in memory"
        time.on(DAY_MS)
        await (await server.caller()).new_game()
        again, _ = await server.lobby.room(next(iter(table.anna.http.cookies.values())), table.game)
        assert again is not room
        state = (await table.ben.http.get(f"/api/games/{table.game}")).json()
        assert state["clock"]["blue_ms"] == 2 * DAY_MS
