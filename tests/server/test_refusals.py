"""Everything that may not be done gets its stable code, over HTTP and socket, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets

from flagfall.server.journal import write_entry
from flagfall.server.rates import Rate
from flagfall.server.routes import FRAMES
from tests.server.hall import GENEROUS, RED, Caller, Hall, Line, Scripted, hall

BLUE = RED
SHUTTLE = ["a7-a6", "a6-a7", "a7-a6", "b7-b6", "b6-b7"]


@asynccontextmanager
async def seated(tmp_path: Path, frames: Rate = GENEROUS) -> AsyncIterator[tuple[Hall, Caller, str, Line]]:
    """A game in which red, the guest, is on turn."""
    place, house = tmp_path / "home" / "games.sqlite3", Scripted(BLUE, SHUTTLE)
    async with hall(place, thinker=house, frames=frames, patience=20) as server:
        caller = await server.caller()
        made = await caller.new_game()
        async with caller.table(made["game"]) as line:
            await line.my_turn()
            yield server, caller, made["game"], line


async def log_of(server: Hall, game: str) -> list[str]:
    return [write_entry(entry) for entry, _ in await server.store.log(game)]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("e5-e6", "empty"),
        ("c5-c6", "empty"),
        ("a7-a6", "not_yours"),
        ("b1-b2", "immobile"),
        ("b4-b6", "geometry"),
        ("a4-b5", "geometry"),
        ("a4-a4", "geometry"),
        ("c4-c5", "geometry"),
    ],
)
async def test_a_move_that_the_law_refuses(move: str, code: str, tmp_path: Path) -> None:
    """R0: the reasons in their order."""
    async with seated(tmp_path) as (server, _, game, line):
        before = await log_of(server, game)
        answer = await line.move(move, 1)
        assert (answer["type"], answer["code"]) == ("refused", code)
        assert answer["params"] == {"from": move.split("-", maxsplit=1)[0], "to": move.split("-")[1]}
        assert await log_of(server, game) == before


async def test_the_fourth_crossing_names_its_two_squares(tmp_path: Path) -> None:
    """R8: the page marks the barred move beforehand, and the refusal says between which squares."""
    async with seated(tmp_path) as (server, _, game, line):
        for ply, move in ((1, "e4-e5"), (3, "e5-e4"), (5, "e4-e5")):
            assert (await line.move(move, ply))["type"] == "done"
            state = await line.state(lambda told, ply=ply: told["ply"] == ply + 1)  # type: ignore[misc]
        assert {"from": "e5", "to": "e4", "code": "two_square"} in state["barred"]
        assert "e4" not in state["legal"]["e5"]
        before = await log_of(server, game)
        answer = await line.move("e5-e4", 7)
        assert (answer["code"], answer["params"]) == ("two_square", {"from": "e5", "to": "e4"})
        assert await log_of(server, game) == before


async def test_out_of_turn_and_out_of_date(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3", thinker=Scripted(BLUE, [])) as server:
        caller = await server.caller()
        made = await caller.new_game(first="blue", level="level-1")
        async with caller.table(made["game"]) as line:
            await line.state(lambda told: told["phase"] != "deploying")
            answer = await line.move("e4-e5", 1)
            assert answer["code"] in ("out_of_turn", "game_over")
    async with seated(tmp_path / "more") as (server, _, game, line):
        before = await log_of(server, game)
        assert (await line.move("e4-e5", 2))["code"] == "stale"
        assert (await line.move("e4-e5", 0))["code"] == "stale"
        assert await log_of(server, game) == before


GARBAGE = [
    b"",
    b"\xff\xfe\x00",
    b"{",
    b"null",
    b"[]",
    b'"move"',
    b'{"type":"move"}',
    b'{"type":"fly","id":"a"}',
    b'{"type":"ping","extra":1}',
    b'{"type":"resign","id":""}',
    b'{"type":"resign","id":"' + b"a" * 41 + b'"}',
    b'{"type":"resign","id":"<b>"}',
    b'{"type":"move","id":"a","ply":1,"from":"e4","to":"z9"}',
    b'{"type":"move","id":"a","ply":1,"from":"e4\\n","to":"e5"}',
    b'{"type":"move","id":"a","ply":-1,"from":"e4","to":"e5"}',
    b'{"type":"move","id":"a","ply":1e400,"from":"e4","to":"e5"}',
    b'{"type":"move","id":"a","ply":true,"from":"e4","to":"e5"}',
    b'{"type":"answer_draw","id":"a","accept":"yes"}',
    b'{"z":' + b"[" * 900,
    b"x" * 2_000,
]


async def test_garbage_on_the_socket(tmp_path: Path) -> None:
    async with seated(tmp_path) as (server, _, game, line):
        before = await log_of(server, game)
        for garbage in GARBAGE[:18]:
            await line.socket.send(garbage, text=False)
            answer = await line.until(lambda heard: heard["type"] in ("refused", "done"))
            assert answer["code"] in ("bad_message", "bad_square", "too_long"), garbage
            assert len(json.dumps(answer)) < 300
        assert await log_of(server, game) == before
        assert (await line.move("e4-e5", 1))["type"] == "done"


async def test_a_huge_frame_cuts_the_line_and_nothing_else(tmp_path: Path) -> None:
    async with seated(tmp_path) as (server, caller, game, line):
        before = await log_of(server, game)
        await line.socket.send("x" * 1_000_000)
        await line.socket.wait_closed()
        assert line.socket.close_code == 1009
        assert await log_of(server, game) == before
        assert (await caller.http.get(f"/api/games/{game}")).status_code == 200


async def test_who_shouts_is_cut_off(tmp_path: Path) -> None:
    async with seated(tmp_path, frames=FRAMES) as (_, caller, game, line):
        for _number in range(200):
            await line.socket.send('{"type":"ping"}')
        with pytest.raises(websockets.ConnectionClosed):
            await line.until(lambda _: False)
        assert line.socket.close_code == 4429
        async with caller.table(game) as again:
            assert (await again.my_turn())["ply"] == 0


@pytest.mark.parametrize(
    ("order", "status", "code"),
    [
        ({"variant": "chess"}, 404, "unknown_variant"),
        ({"level": "level-77"}, 404, "unknown_player"),
        ({"level": "../../etc"}, 400, "bad_message"),
        ({"law": {"flying": True}}, 422, "unknown_switch"),
        ({"law": {"two_square_limit": 9}}, 422, "bad_switch"),
        ({"law": {"bomb_once": "perhaps"}}, 422, "bad_switch"),
        ({"law": {"more_squares": "type"}}, 422, "leaking_law"),
        ({"law": {"max_plies": [1]}}, 400, "bad_message"),
        ({"seat": "green"}, 400, "bad_message"),
        ({"army": RED[:39]}, 422, "deployment_length"),
        ({"army": RED.replace("M", "F")}, 422, "too_few"),
        ({"army": "x" * 40}, 400, "bad_message"),
        ({"army": "F" * 10_000}, 400, "bad_message"),
        ({"clock": {"kind": "hourglass"}}, 400, "bad_message"),
        ({"clock": {"kind": "fischer", "main_ms": 1000}}, 400, "bad_clock"),
        ({"clock": {"kind": "per-move"}}, 400, "bad_clock"),
        ({"surprise": 1}, 400, "bad_message"),
    ],
)
async def test_a_game_that_cannot_be_laid(order: dict[str, Any], status: int, code: str, tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        whole = {"variant": "classic", "level": "random", "seat": "red", "army": RED} | order
        answer = await caller.http.post("/api/games", json=whole)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.headers["content-type"] == "application/problem+json"
        assert (await caller.http.get("/api/games")).json() == []


async def test_bodies_that_are_none(tmp_path: Path) -> None:
    async with hall(tmp_path / "home" / "games.sqlite3") as server:
        caller = await server.caller()
        for body, kind, code in [
            (b"", "application/json", "bad_message"),
            (b"{", "application/json", "bad_message"),
            (b"\xff", "application/json", "bad_message"),
            (b"[]", "application/json", "bad_message"),
            (b"{}", "application/json", "bad_message"),
            (b'{"a":' * 5_000, "application/json", "too_long"),
            (b'{"a":' * 50, "application/json", "too_deep"),
            (b"x" * 20_000, "application/json", "too_long"),
            (b'{"variant":"classic"}', "text/plain", "not_json"),
            (b"variant=classic", "application/x-www-form-urlencoded", "not_json"),
        ]:
            answer = await caller.http.post("/api/games", content=body, headers={"content-type": kind})
            assert answer.json()["code"] == code, body[:40]
            assert answer.status_code < 500


async def test_somebody_elses_game_is_no_game(tmp_path: Path) -> None:
    """A stranger hears the same of a game that is not his as of one that is not there."""
    async with seated(tmp_path) as (server, _, game, line):
        stranger = await server.caller()
        before = await log_of(server, game)
        for path in (game, "nosuchgame", "x" * 65, "a%00b", "..%2f.."):
            for ask in (
                stranger.http.get(f"/api/games/{path}"),
                stranger.http.get(f"/api/games/{path}/record"),
                stranger.http.post(f"/api/games/{path}/army", json={"army": RED}),
                stranger.http.post(f"/api/games/{path}/rematch", json={}),
            ):
                answer = await ask
                assert (answer.status_code, answer.json()["code"]) in ((404, "no_game"), (404, "no_address")), path
        mine = (await stranger.http.get(f"/api/games/{game}")).content
        assert mine == (await stranger.http.get("/api/games/nosuchgame")).content
        async with stranger.table(game) as other:
            assert (await other.hear())["code"] == "no_game"
            await other.socket.wait_closed()
            assert other.socket.close_code == 4404
        assert (await stranger.http.get("/api/games")).json() == []
        assert await log_of(server, game) == before
        assert (await line.move("e4-e5", 1))["type"] == "done"


async def test_without_a_token_nothing_is_had(tmp_path: Path) -> None:
    async with seated(tmp_path) as (server, _, game, _line):
        nobody = Caller(server.address)
        server.callers.append(nobody)
        for token in (None, "", "short", "x" * 43 + "!", "é" * 10):
            headers = {} if token is None else {b"cookie": f"flagfall_guest={token}".encode("latin-1")}
            answer = await nobody.http.get(f"/api/games/{game}", headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (401, "no_guest")
            assert (await nobody.http.post("/api/games", json={}, headers=headers)).status_code in (400, 401)
        async with nobody.table(game) as line:
            assert (await line.hear())["code"] == "no_guest"


async def test_a_finished_game_stays_finished(tmp_path: Path) -> None:
    async with seated(tmp_path) as (server, caller, game, line):
        early = await caller.http.get(f"/api/games/{game}/record")
        assert (early.status_code, early.json()["code"]) == (409, "not_over")
        assert (await caller.http.post(f"/api/games/{game}/rematch", json={})).json()["code"] == "not_over"
        assert (await line.ask(type="resign", id="enough"))["type"] == "done"
        over = await line.state(lambda told: told["phase"] == "over")
        assert (over["result"], over["reason"], over["legal"], over["turn"]) == ("blue", "resigned", {}, None)
        assert over["truth"] == {"red": RED, "blue": BLUE}
        before = await log_of(server, game)
        assert (await line.ask(type="resign", id="enough"))["type"] == "done", "the same deed again"
        for frame in (
            {"type": "resign", "id": "more"},
            {"type": "offer_draw", "id": "more"},
            {"type": "answer_draw", "id": "more", "accept": True},
            {"type": "move", "id": "more", "ply": 1, "from": "e4", "to": "e5"},
        ):
            assert (await line.ask(**frame))["code"] == "game_over"
        assert (await caller.http.post(f"/api/games/{game}/army", json={"army": RED})).json()["code"] == "game_over"
        assert await log_of(server, game) == before


async def test_draws_out_of_place(tmp_path: Path) -> None:
    async with seated(tmp_path) as (server, _, game, line):
        before = await log_of(server, game)
        assert (await line.ask(type="answer_draw", id="a", accept=True))["code"] == "no_offer"
        assert (await line.ask(type="answer_draw", id="b", accept=False))["code"] == "no_offer"
        assert await log_of(server, game) == before


async def test_since_is_a_number(tmp_path: Path) -> None:
    async with seated(tmp_path) as (_, caller, game, _line):
        for since in ("-1", "x", "1e3", "9" * 30, "%00"):
            async with caller.table(game, since=since) as other:
                assert (await other.hear())["code"] == "bad_message"
        async with caller.table(game, since=999_999) as other:
            assert (await other.my_turn())["plies"] == []
