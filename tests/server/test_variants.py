"""A user's own game over HTTP: read from its file with errors that say where, drawn, ordered and played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flagfall.rules.catalog import CLASSIC, ENTRIES, VARIANTS
from tests.server.hall import hall

OWN: dict[str, Any] = {
    "format": "flagfall-variant-1",
    "name": "two-ponds",
    "about": "A small game with two ponds.",
    "board": ["bbbbbb", "bbbbbb", "..~...", "...~..", "rrrrrr", "rrrrrr"],
    "army": {"flag": 1, "bomb": 2, "spy": 1, "scout": 3, "miner": 2, "marshal": 1},
    "law": {"bomb_once": True},
    "clock": {"kind": "fischer", "main_ms": 60_000, "add_ms": 2_000},
}


async def test_a_file_is_read_drawn_and_played(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        post = caller.http.post
        told = (await post("/api/variants/read", json={"text": json.dumps(OWN)})).json()
        card, form = told["card"], told["form"]
        assert (card["own"], card["name"], card["width"], card["height"]) == (True, "two-ponds", 6, 6)
        assert sorted(card["lakes"]) == ["c4", "d3"]
        assert (card["law"]["bomb_once"], card["default_law"]["bomb_once"]) == (True, False)
        assert told["clock"]["main_ms"] == 60_000
        drawn = (await post("/api/variants/card", json={"variant": form, "law": {"tie": "attacker"}})).json()
        assert drawn["law"]["tie"] == "attacker"
        asked = {"variant": form, "seat": "blue"}
        ready = (await post("/api/armies/ready", json=asked)).json()
        army = (await post("/api/armies/random", json=asked)).json()["army"]
        assert {len(one["army"]) for one in ready} | {len(army)} == {12}
        assert (await post("/api/armies/check", json={**asked, "army": army})).json()["faults"] == []
        order = {"variant": form, "level": "level-1", "seat": "blue", "army": army}
        made = await post("/api/games", json=order)
        assert made.status_code == 201, made.text
        state = (await caller.http.get(f"/api/games/{made.json()['game']}")).json()
        assert (state["variant"]["name"], state["variant"]["own"]) == ("two-ponds", True)


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"board": ["bbb", "...", "rr"]}, "bad_board", {"field": "board[2]"}),
        ({"name": "classic"}, "name_taken", {"field": "name"}),
        ({"reach": {"scout": "far"}}, "bad_field", {"field": "reach"}),
        ({"clock": {"kind": "fischer", "main_ms": 60_000}}, "bad_field", {"field": "clock.add_ms"}),
        ({"clock": {"kind": "hourglass"}}, "bad_field", {"field": "clock.kind"}),
        ({"clock": {"kind": "fischer", "main_ms": 60_000, "add_ms": -1}}, "bad_field", {"field": "clock.add_ms"}),
        ({"colour": "green"}, "unknown_field", {"field": "colour"}),
        ({"law": {"more_squares": "type"}}, "leaking_law", {"field": "law"}),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else str(value),
)
async def test_an_error_says_where(tmp_path: Path, change: dict[str, Any], code: str, place: dict[str, Any]) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        post = (await server.caller()).http.post
        told = await post("/api/variants/read", json={"text": json.dumps(OWN | change)})
        assert (told.status_code, told.json()["code"]) == (422, code)
        found = told.json()["params"]
        assert all(str(found.get(name, "")).startswith(str(value)) for name, value in place.items()), found


async def test_text_that_is_no_json_says_the_line(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        post = (await server.caller()).http.post
        told = (await post("/api/variants/read", json={"text": '{\n  "format": oops\n}'})).json()
        assert (told["code"], told["params"]["line"]) == ("bad_json", 2)
        for text in ("[" * 11_000, '{"a":' * 2_000, "1e999", "NaN", '"x"', "[]"):
            answer = await post("/api/variants/read", json={"text": text})
            assert answer.status_code in (400, 422), (text[:20], answer.text)
        assert (await post("/api/variants/read", json={"text": "x" * 12_001})).status_code == 400
        deep: Any = []
        for _ in range(400):
            deep = [deep]
        order = {"variant": OWN | {"law": {"tie": deep}}, "level": "level-1"}
        assert (await post("/api/games", json=order)).status_code == 400
        order = {"variant": OWN | {"law": {"tie": [1]}}, "level": "level-1"}
        assert (await post("/api/games", json=order)).json()["code"] == "bad_switch"


async def test_a_clock_that_no_table_can_have_is_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the server was started with may name any clock."""
    odd = replace(ENTRIES["barrage"], clock={"kind": "fischer", "main_ms": 1, "add_ms": 1, "setup_ms": 1})
    monkeypatch.setattr("flagfall.server.cards.ENTRIES", {"barrage": odd, "duel": ENTRIES["duel"]})
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        hello = (await (await server.caller()).http.get("/api/hello")).json()
        assert list(hello["usual_clocks"]) == ["duel"]


async def test_hello_names_every_entry_with_its_usual_clock(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        hello = (await (await server.caller()).http.get("/api/hello")).json()
        assert [card["name"] for card in hello["variants"]] == list(VARIANTS)
        assert not any(card["own"] for card in hello["variants"])
        assert set(hello["usual_clocks"]) == {name for name, entry in ENTRIES.items() if entry.clock}
        assert hello["plain_law"] == hello["variants"][list(VARIANTS).index(CLASSIC.name)]["default_law"]
