"""Two people at one table: an invitation, two armies at once, a whole game, and both seats at one screen."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.hall import RED, Caller, Hall, Line, hall

BLUE = RED[::-1].replace("F", "x").replace("M", "F").replace("x", "M")


def place(tmp_path: Path) -> Path:
    return tmp_path / "home" / "games.sqlite3"


async def invite(caller: Caller, **order: Any) -> tuple[str, str]:
    """A game of one's own, and the code of its invitation."""
    game = (await caller.new_game(against="friend", level=None, **order))["game"]
    state = (await caller.http.get(f"/api/games/{game}")).json()
    return game, state["invite"]


async def join(caller: Caller, code: str) -> httpx.Response:
    return await caller.http.post(f"/api/invitations/{code}/join")


def stands_at(ply: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a state is of a game with so many plies."""
    return lambda state: state["ply"] == ply and state["phase"] != "deploying"


async def play_on(lines: dict[str, Line], chance: random.Random, plies: int) -> dict[str, Any]:
    """Both seats play at random until so many plies are on the board or the game is over; red's last state."""
    state = await lines["red"].state(lambda one: one["phase"] != "deploying")
    while state["phase"] == "playing" and state["ply"] < plies:
        mover = lines[state["turn"]]
        seen = await mover.state(stands_at(state["ply"]))
        origin = chance.choice(sorted(seen["legal"]))
        target = chance.choice(seen["legal"][origin])
        answer = await mover.move(f"{origin}-{target}", seen["ply"] + 1)
        assert answer["type"] == "done", answer
        for line in lines.values():
            state = await line.state(stands_at(seen["ply"] + 1))
    return await lines["red"].state()


def hidden_of(texts: list[str], seat: str) -> bool:
    """Whether no frame that a seat heard while the game was on says a rank of the other side that is not public."""
    for text in texts:
        frame = json.loads(text)
        if frame["type"] == "state" and frame["phase"] != "over":
            enemies = [man for man in frame["men"] if man["seat"] != seat]
            if any(man["rank"] is not None and not man["known"] for man in enemies) or frame["truth"]:
                return False
    return True


async def test_two_people_play_a_whole_game_over_a_link(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game, code = await invite(anna, army=None, law={"max_plies": 160})
        offer = (await ben.http.get(f"/api/invitations/{code}")).json()
        assert (offer["seat"], offer["free"], offer["game"]) == ("blue", True, None)
        made = (await join(ben, code)).json()
        assert made == {"game": game, "seat": "blue"}
        async with anna.table(game) as red, ben.table(game) as blue:
            state = await red.state(lambda one: one["taken"]["blue"] and one["here"]["blue"])
            assert (state["phase"], state["invite"], state["against"], state["level"]) == (
                "deploying",
                None,
                "friend",
                "",
            )
            assert (await anna.http.post(f"/api/games/{game}/army", json={"army": RED})).status_code == 200
            seen = await blue.state(lambda one: one["ready"]["red"])
            assert (seen["phase"], seen["men"], seen["ready"]["blue"]) == ("deploying", [], False)
            assert (await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})).status_code == 200
            end = await play_on({"red": red, "blue": blue}, random.Random(3), 160)
            other = await blue.state(lambda one: one["phase"] == "over")
            assert end["phase"] == "over"
            assert (end["result"], end["truth"]) == (other["result"], other["truth"])
            assert end["truth"] == {"red": RED, "blue": BLUE}
            assert hidden_of(red.heard, "red")
            assert hidden_of(blue.heard, "blue")
        records = [(await caller.http.get(f"/api/games/{game}/record")).json() for caller in (anna, ben)]
        assert records[0] == records[1]
        again = [(await caller.http.post(f"/api/games/{game}/rematch")).json() for caller in (anna, ben)]
        assert again[0]["game"] == again[1]["game"]
        assert [one["seat"] for one in again] == ["blue", "red"]
        state = (await ben.http.get(f"/api/games/{again[0]['game']}")).json()
        assert (state["taken"], state["invite"]) == ({"red": True, "blue": True}, None)


async def test_a_seat_is_taken_by_exactly_one_of_twenty(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game, code = await invite(anna)
        callers = [await server.caller() for _ in range(20)]
        answers = await asyncio.gather(*(join(caller, code) for caller in callers))
        winners = [caller for caller, answer in zip(callers, answers, strict=True) if answer.status_code == 201]
        assert len(winners) == 1
        assert {answer.json().get("code") for answer in answers if answer.status_code != 201} == {"seat_taken"}
        again = await join(winners[0], code)
        assert again.json() == {"game": game, "seat": "blue"}
        late = (await callers[0].http.get(f"/api/invitations/{code}")).json()
        assert late["free"] is False
        for caller in callers:
            seen = await caller.http.get(f"/api/games/{game}")
            assert seen.status_code == (200 if caller is winners[0] else 404)


async def test_nobody_plays_against_himself_by_his_own_link(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game, code = await invite(anna, seat="blue")
        assert (await join(anna, code)).json() == {"game": game, "seat": "blue"}
        assert (await anna.http.get(f"/api/invitations/{code}")).json()["game"] == game
        assert (await anna.http.get(f"/api/games/{game}")).json()["taken"] == {"red": False, "blue": True}
        assert (await anna.http.get(f"/api/games/{game}?seat=red")).status_code == 404


@pytest.mark.parametrize("code", ["", "x", "a" * 24, "..%2F..%2Fetc%2Fpasswd", "%00" * 8, "é" * 24])
async def test_a_wrong_code_leads_nowhere(tmp_path: Path, code: str) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        await invite(anna)
        for answer in (await join(anna, code), await anna.http.get(f"/api/invitations/{code}")):
            assert answer.status_code == 404


async def test_a_game_that_nobody_joined_can_be_withdrawn(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game, code = await invite(anna)
        assert (await ben.http.post(f"/api/games/{game}/withdraw")).status_code == 404
        assert (await anna.http.post(f"/api/games/{game}/withdraw")).status_code == 204
        assert (await anna.http.get("/api/games")).json() == []
        assert (await join(ben, code)).json()["code"] == "no_invitation"
        game, code = await invite(anna)
        await join(ben, code)
        refused = await anna.http.post(f"/api/games/{game}/withdraw")
        assert (refused.status_code, refused.json()["code"]) == (409, "joined_already")


async def test_the_code_is_told_to_the_inviter_alone_and_survives_a_restart(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game, code = await invite(anna)
        cookies = dict(anna.http.cookies)
        rows = (tmp_path / "home" / "games.sqlite3").read_bytes()
        assert code.encode() not in rows
    async with hall(place(tmp_path)) as server:
        anna, ben = await back(server, cookies), await server.caller()
        assert (await anna.http.get(f"/api/games/{game}")).json()["invite"] == code
        await join(ben, code)
        assert (await ben.http.get(f"/api/games/{game}")).json()["invite"] is None
        cookies_of_ben = dict(ben.http.cookies)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        async with anna.table(game) as red, ben.table(game) as blue:
            await play_on({"red": red, "blue": blue}, random.Random(5), 9)
    async with hall(place(tmp_path)) as server:
        anna, ben = await back(server, cookies), await back(server, cookies_of_ben)
        async with anna.table(game) as red, ben.table(game) as blue:
            state = await red.state(lambda one: one["phase"] == "playing")
            assert (state["ply"], len(state["plies"])) == (9, 9)
            assert (await play_on({"red": red, "blue": blue}, random.Random(6), 15))["ply"] == 15


async def back(server: Hall, cookies: dict[str, str]) -> Caller:
    """The same guest at a server that was started again."""
    caller = await server.caller()
    caller.http.cookies.clear()
    for name, value in cookies.items():
        caller.http.cookies.set(name, value)
    return caller


async def test_draws_and_resignation_between_people(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game, code = await invite(anna)
        await join(ben, code)
        await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})
        async with anna.table(game) as red, ben.table(game) as blue:
            await play_on({"red": red, "blue": blue}, random.Random(1), 4)
            assert (await red.ask(type="offer_draw", id="o1"))["type"] == "done"
            await blue.state(lambda one: one["offer"] == "red")
            assert (await blue.ask(type="answer_draw", id="n1", accept=False))["type"] == "done"
            await red.state(lambda one: one["offer"] is None)
            assert (await red.ask(type="answer_draw", id="x", accept=True))["type"] == "refused"
            assert (await blue.ask(type="resign", id="r1"))["type"] == "done"
            state = await red.state(lambda one: one["phase"] == "over")
            assert (state["result"], state["reason"]) == ("red", "resigned")


async def test_both_seats_at_one_screen(tmp_path: Path) -> None:
    """One guest holds both seats, and each is told what it alone may know."""
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game = (await anna.new_game(against="here", level=None))["game"]
        assert (await ben.http.get(f"/api/games/{game}?seat=blue")).status_code == 404
        answer = await anna.http.post(f"/api/games/{game}/army?seat=blue", json={"army": BLUE})
        assert answer.status_code == 200
        async with anna.table(game, seat="red") as red, anna.table(game, seat="blue") as blue:
            state = await play_on({"red": red, "blue": blue}, random.Random(2), 30)
            assert state["against"] == "here"
            assert (await red.state())["seat"] == "red"
            assert (await blue.state())["seat"] == "blue"
            assert hidden_of(red.heard, "red")
            assert hidden_of(blue.heard, "blue")
        (line,) = (await anna.http.get("/api/games")).json()
        assert (line["game"], line["against"], line["level"]) == (game, "here", "")
        async with anna.table(game, seat="green") as lost:
            assert (await lost.hear())["code"] == "no_game"
