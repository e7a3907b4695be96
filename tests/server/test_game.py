"""A person against the house, over HTTP and the socket."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path

from flagfall.server.nature import Nature
from flagfall.server.rooms import FORGET_MS
from tests.server.hall import RED, Scripted, hall


async def test_a_game_is_laid_played_and_finished(tmp_path: Path) -> None:
    """Whatever a seat is told lets it play a whole game, and the record opens at the end."""
    chance = random.Random(7)
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        made = await caller.new_game(law={"max_plies": 120})
        assert made["seat"] == "red"
        async with caller.table(made["game"]) as line:
            state = await line.my_turn()
            while state["phase"] != "over":
                origin = chance.choice(sorted(state["legal"]))
                target = chance.choice(state["legal"][origin])
                answer = await line.move(f"{origin}-{target}", state["ply"] + 1)
                assert answer["type"] == "done", answer
                state = await line.my_turn()
        assert state["result"] in ("red", "blue", "draw")
        assert state["truth"]["red"] == RED
        record = (await caller.http.get(f"/api/games/{made['game']}/record")).json()
        assert record["result"] == state["result"]
        assert sum("move" in act for act in record["acts"]) == state["ply"]
        (line_of_list,) = (await caller.http.get("/api/games")).json()
        assert line_of_list["phase"] == "over"
        assert line_of_list["ply"] == state["ply"]


async def test_an_army_may_come_later_and_twice(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED)) as server:
        caller = await server.caller()
        made = await caller.new_game(army=None)
        state = (await caller.http.get(f"/api/games/{made['game']}")).json()
        assert (state["phase"], state["men"], state["legal"]) == ("deploying", [], {})
        for _ in range(2):
            answer = await caller.http.post(f"/api/games/{made['game']}/army", json={"army": RED})
            assert answer.status_code == 200
            assert {man["rank"] for man in answer.json()["men"] if man["seat"] == "red"} == set(range(1, 13))
        other = await caller.http.post(f"/api/games/{made['game']}/army", json={"army": RED[::-1]})
        assert (other.status_code, other.json()["code"]) == (409, "already_deployed")


async def test_a_rematch_has_the_sides_swapped_and_is_one_game(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED)) as server:
        caller = await server.caller()
        clock = {"kind": "fischer", "main_ms": 600_000, "add_ms": 5_000, "setup_ms": 300_000}
        game = (await caller.new_game(clock=clock, law={"bomb_once": True}))["game"]
        async with caller.table(game) as line:
            state = await line.my_turn()
            assert state["clock"]["kind"] == "fischer"
            assert state["clock"]["running"] == "red"
            assert 500_000 < state["clock"]["red_ms"] <= 600_000 == state["clock"]["blue_ms"]
            assert state["rematch"] is None
            await line.ask(type="resign", id="enough")
            made = [(await caller.http.post(f"/api/games/{game}/rematch", json={})).json() for _ in range(2)]
            assert made[0] == made[1]
            assert made[0]["seat"] == "blue"
            assert (await line.state(lambda told: told["rematch"] is not None))["rematch"] == made[0]["game"]
        new = (await caller.http.get(f"/api/games/{made[0]['game']}")).json()
        assert (new["phase"], new["seat"], new["first"], new["level"]) == ("deploying", "blue", "red", "random")
        assert new["variant"]["law"]["bomb_once"]
        assert not new["variant"]["default_law"]["bomb_once"]
        assert 200_000 < new["setup_ms"] <= 300_000
        games = (await caller.http.get("/api/games")).json()
        assert {line["game"] for line in games} == {made[0]["game"], game}


async def test_lots_are_drawn_by_the_server(tmp_path: Path) -> None:
    seats = []
    for drawn in (0, 1):
        place, nature = tmp_path / str(drawn) / "games.sqlite3", replace(Nature(), lot=[drawn, drawn].pop)
        async with hall(place, thinker=Scripted(RED, ["e4-e5"]), nature=nature) as server:
            caller = await server.caller()
            made = await caller.new_game(seat="lot", first="lot")
            state = (await caller.http.get(f"/api/games/{made['game']}")).json()
            seats.append((made["seat"], state["first"]))
    assert seats == [("red", "red"), ("blue", "blue")]


async def test_a_forgotten_room_is_found_again(tmp_path: Path) -> None:
    """All of a game is in the store; a room that nobody used for a while is closed and made anew."""
    now = [0]
    nature = replace(Nature(), ticks_ms=lambda: now[0])
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(RED, ["a7-a6"]), nature=nature) as server:
        caller = await server.caller()
        game = (await caller.new_game())["game"]
        async with caller.table(game) as line:
            await line.my_turn()
            await line.move("e4-e5", 1)
            before = await line.state(lambda told: told["ply"] == 2)
        rooms = server.lobby.rooms
        async with asyncio.timeout(60):
            while not rooms[game].idle:  # noqa: ASYNC110 - nobody is told when the last socket has gone
                await asyncio.sleep(0.01)
        now[0] += FORGET_MS + 1
        await caller.new_game()
        assert game not in rooms
        after = (await caller.http.get(f"/api/games/{game}")).json()
        for name in ("n", "ply", "men", "legal", "turn"):
            assert after[name] == before[name]
