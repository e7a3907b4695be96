"""Help with an army, over HTTP and without any game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC, VARIANTS
from flagfall.rules.deployment import Deployment
from flagfall.rules.pieces import Numbering
from flagfall.server.armies import warnings
from tests.server.hall import RED, hall

WALLED = "F" + "3" * 5 + "2222" + "2222444455" + "5566667778" + "BB89BB10BB".replace("10", "MS")


async def test_an_army_is_filled_in_round_what_stands(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        post = (await server.caller()).http.post
        for seat in ("red", "blue"):
            order: dict[str, Any] = {"variant": "classic", "seat": seat, "army": "FB" + "." * 37 + "M"}
            army = (await post("/api/armies/random", json=order)).json()["army"]
            assert (army[:2], army[-1]) == ("FB", "M")
            assert sorted(army) == sorted(RED)
            other = (await post("/api/armies/random", json=order)).json()["army"]
            assert other != army, "different every time"
        for variant in VARIANTS.values():
            order = {"variant": variant.name, "seat": "red"}
            army = (await post("/api/armies/random", json=order)).json()["army"]
            assert Deployment.parse(army, variant, Seat.RED).faults() == []
        wrong = await post("/api/armies/random", json={"variant": "classic", "seat": "red", "army": "MM" + "." * 38})
        assert (wrong.status_code, wrong.json()["code"]) == (422, "too_many")


async def test_the_house_has_ready_armies(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        post = (await server.caller()).http.post
        ready = (await post("/api/armies/ready", json={"variant": "classic", "seat": "red"})).json()
        assert len({army["name"] for army in ready}) == len(ready) >= 6
        for army in ready:
            assert Deployment.parse(army["army"], CLASSIC, Seat.RED).faults() == []
        wrong = await post("/api/armies/ready", json={"variant": "chess", "seat": "red"})
        assert wrong.json()["code"] == "unknown_variant"
        assert (await post("/api/armies/ready", json={"seat": "red"})).json()["code"] == "bad_message"


async def test_every_game_has_ready_armies_for_both_sides(tmp_path: Path) -> None:
    """Where nobody has made any, a few are drawn: different ones, and the same whenever one asks."""
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        post = (await server.caller()).http.post
        for variant in VARIANTS.values():
            for seat in Seat:
                order = {"variant": variant.name, "seat": seat.word}
                ready = (await post("/api/armies/ready", json=order)).json()
                assert len(ready) >= 4
                for army in ready:
                    assert Deployment.parse(army["army"], variant, seat, Numbering.MODERN).faults() == []
                assert (await post("/api/armies/ready", json=order)).json() == ready


def test_only_an_army_that_fills_its_ground_is_told_to_close_its_ring() -> None:
    barrage = VARIANTS["barrage"]
    army = Deployment.parse("F..B......2........2M9S3" + "." * 16, barrage, Seat.RED)
    assert army.faults() == []
    assert warnings(army) == []


async def test_faults_and_warnings_over_http(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        post = (await server.caller()).http.post
        order = {"variant": "classic", "seat": "red", "army": "..F" + "." * 37}
        told = (await post("/api/armies/check", json=order)).json()
        assert {"code": "too_few", "params": {"rank": 1, "have": 0, "need": 1}} in told["faults"]
        assert told["warnings"] == [
            {"code": "flag_open", "params": {"square": "c1", "beside": ["b1", "d1", "c2"]}},
        ]
        assert (await post("/api/armies/check", json=order | {"army": RED})).json()["faults"] == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (RED, set()),
        (WALLED, {"walled_in", "miners_back"}),
        (RED[1:] + "F", {"flag_front", "flag_open"}),
        ("33333FBB22" + "2" * 6 + "4444" + "55556666" + "77788" + "BBBB9MS", {"miners_back"}),
    ],
)
def test_what_is_unwise(text: str, codes: set[str]) -> None:
    """R3.5 and the words of the page: none of it is forbidden."""
    for seat in Seat:
        army = Deployment.parse(text, CLASSIC, seat)
        assert army.faults() == []
        assert {warning.stable_code for warning in warnings(army)} == codes
