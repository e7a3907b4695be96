"""Rescue over the socket (R13.2): which moves may bring whom back, the order, what is refused, and what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.hall import Scripted, hall

TINY: dict[str, Any] = {
    "format": "flagfall-variant-1",
    "name": "rescue-lane",
    "board": ["bbb.", "....", "....", "rrr."],
    "army": {"flag": 1, "miner": 1, "marshal": 1},
    "law": {"rescues": 2},
}
ORDER: dict[str, Any] = {"variant": TINY, "army": "F3M", "level": "level-1"}
RED = ("b1-b2", "b2-a2", "c1-d1", "d1-d2", "d2-d3")
BLUE = ("a4-a3", "a3xa2", "a2-a3", "a3-a4", "a4-a3", "a3-a4")


async def to_the_far_row(line: Any) -> dict[str, Any]:
    """Red's miner falls on a2, and his marshal stands one step from Blue's back row."""
    await line.state(lambda told: told["phase"] == "playing")
    for number, move in enumerate(RED):
        assert (await line.move(move, 2 * number + 1))["type"] == "done", move
        state: dict[str, Any] = await line.state(lambda told, ply=2 * number + 2: told["ply"] == ply)
    return state


async def test_a_move_to_the_far_row_brings_a_man_back(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted("F3M", BLUE)) as server:
        caller = await server.caller()
        made = await caller.new_game(**ORDER)
        async with caller.table(made["game"]) as line:
            state = await to_the_far_row(line)
            squares = ["b1", "c1", "d1", "a2", "b2", "c2", "d2"]
            assert state["rescues"] == [{"from": "d3", "to": "d4", "men": ["b1"], "squares": squares}]
            assert {man["id"]: man["fell"] for man in state["men"]}["b1"] == 4
            order = {"type": "move", "id": "back", "ply": 11, "from": "d3", "to": "d4"}
            answer = await line.ask(**order, rescue={"man": "b1", "put": "c2"})
            assert answer == {"type": "done", "id": "back"}
            state = await line.state(lambda told: told["ply"] == 12)
            back = next(man for man in state["men"] if man["id"] == "b1")
            assert (back["square"], back["rank"], back["fell"]) == ("c2", 3, None)
            assert state["left"]["red"] == {"3": 1, "10": 1, "12": 1}
        plies = (await caller.http.get(f"/api/games/{made['game']}")).json()["plies"]
        assert [ply["rescue"] for ply in plies[9:]] == [None, {"man": "b1", "put": "c2"}, None]


@pytest.mark.parametrize(
    "rescue",
    [
        {"man": "b1", "put": "c3"},
        {"man": "b1", "put": "a1"},
        {"man": "c1", "put": "c2"},
        {"man": "b4", "put": "c2"},
        {"man": "j10", "put": "c2"},
        {"man": "b1", "put": "j10"},
    ],
    ids=lambda rescue: f"{rescue['man']}@{rescue['put']}",
)
async def test_a_rescue_that_may_not_be_leaves_everything(tmp_path: Path, rescue: dict[str, str]) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted("F3M", BLUE)) as server:
        caller = await server.caller()
        made = await caller.new_game(**ORDER)
        async with caller.table(made["game"]) as line:
            await to_the_far_row(line)
            order = {"type": "move", "id": "back", "ply": 11, "from": "d3", "to": "d4"}
            answer = await line.ask(**order, rescue=rescue)
            assert (answer["type"], answer["code"]) == ("refused", "rescue")
            assert (await line.ask(**order, rescue=None) | {"id": ""})["type"] in ("done", "refused")


async def test_other_games_offer_none(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted("F3M", BLUE)) as server:
        caller = await server.caller()
        made = await caller.new_game(**ORDER | {"variant": TINY | {"law": {}}})
        async with caller.table(made["game"]) as line:
            assert (await to_the_far_row(line))["rescues"] == []
