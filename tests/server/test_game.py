"""A person against the house, over HTTP and the socket."""

from __future__ import annotations

import random
from pathlib import Path

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
