"""What two people can do at a table besides moving: call the game off, take plies back, claim a seat that was left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import websockets

from flagfall.play.reading import read_record
from flagfall.play.referee import Referee
from flagfall.server.nature import Nature
from flagfall.server.presence import LEFT_MS
from tests.server.hall import RED, Caller, Hall, Line, hall
from tests.server.test_friend import BLUE, invite, join, place

CLOCK = {"kind": "sudden-death", "main_ms": 600_000}
State = dict[str, Any]


@dataclass
class Hand:
    """Time held in the test's hand."""

    ticks: int = 0
    wall: int = 1_800_000_000_000
    nature: Nature = field(init=False)

    def __post_init__(self) -> None:
        self.nature = replace(Nature(), ticks_ms=lambda: self.ticks, now_ms=lambda: self.wall)

    def on(self, ms: int) -> None:
        self.ticks += ms
        self.wall += ms


@dataclass
class Pair:
    """Two people at one table."""

    game: str
    anna: Caller
    ben: Caller
    red: Line
    blue: Line

    @property
    def lines(self) -> tuple[Line, Line]:
        return self.red, self.blue

    async def both(self, found: Callable[[State], bool]) -> tuple[State, State]:
        return await self.red.state(found), await self.blue.state(found)

    async def play(self, *moves: str) -> None:
        for move in moves:
            ply = (self.red.latest or {})["ply"] + 1
            line = self.red if ply % 2 else self.blue
            answer = await line.move(move, ply, f"p{ply}-{len(self.red.heard)}")
            assert answer["type"] == "done", answer
            await self.both(lambda state, ply=ply: state["ply"] == ply)  # type: ignore[misc]


@asynccontextmanager
async def pair(server: Hall, **order: Any) -> AsyncIterator[Pair]:
    """Anna has Red, Ben Blue, both armies stand; both are signed in where it is rated."""
    anna, ben = await server.caller(), await server.caller()
    for caller, name in ((anna, "Anna"), (ben, "Ben")) if order.get("rated") else ():
        await caller.sign_up(name)
    game, code = await invite(anna, **order)
    assert (await join(ben, code)).status_code == 201
    assert (await ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})).status_code == 200
    async with anna.table(game) as red, ben.table(game) as blue:
        found = Pair(game, anna, ben, red, blue)
        await found.both(lambda state: state["phase"] == "playing" and all(state["here"].values()))
        yield found


async def refused(line: Line, **frame: Any) -> str:
    answer = await line.ask(**frame)
    assert answer["type"] == "refused", answer
    return str(answer["code"])


@pytest.mark.parametrize("plies", [0, 1])
@pytest.mark.parametrize("caller", [0, 1])
async def test_a_game_is_called_off_by_either_and_both_are_told(plies: int, caller: int, tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        await table.play(*["a4-a5"][:plies])
        assert (table.red.latest or {})["may_abort"]
        assert (await table.lines[caller].ask(type="abort", id="off"))["type"] == "done"
        for state in await table.both(lambda state: state["phase"] == "over"):
            assert (state["result"], state["reason"], state["truth"]) == ("void", "aborted", None)
            enemies = [man for man in state["men"] if man["seat"] != state["seat"]]
            assert {man["rank"] for man in enemies} == {None}
        stranger = await server.caller()
        seen = await stranger.http.get(f"/api/games/{table.game}")
        assert BLUE not in seen.text
        for who in (table.anna, table.ben, stranger):
            answer = await who.http.get(f"/api/games/{table.game}/record")
            assert (answer.status_code, answer.json()["code"]) == (409, "aborted")
            assert BLUE not in answer.text
        for who in (table.anna, table.ben):
            line = (await who.http.get("/api/games")).json()[0]
            assert (line["result"], line["reason"]) == ("void", "aborted")
        assert (await table.lines[1 - caller].ask(type="abort", id="too"))["code"] == "game_over"
        again = await table.anna.http.post(f"/api/games/{table.game}/rematch")
        assert again.status_code == 201


async def test_it_is_too_late_to_call_off_after_two_moves(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        await table.play("a4-a5", "a7-a6")
        assert not (table.blue.latest or {})["may_abort"]
        assert await refused(table.blue, type="abort", id="late") == "too_late_to_abort"
        assert (await table.blue.state())["phase"] == "playing"


async def test_a_game_is_called_off_while_the_armies_are_placed(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game, code = await invite(anna, army=None)
        assert not (await anna.http.get(f"/api/games/{game}")).json()["may_abort"], "nobody is there: it is withdrawn"
        await join(ben, code)
        assert (await anna.http.post(f"/api/games/{game}/army", json={"army": RED})).status_code == 200
        async with ben.table(game) as blue, anna.table(game) as red:
            assert (await blue.state())["may_abort"]
            assert (await blue.ask(type="abort", id="off"))["type"] == "done"
            for line in (red, blue):
                state = await line.state(lambda state: state["phase"] == "over")
                assert (state["reason"], state["truth"]) == ("aborted", None)


async def test_a_ply_is_asked_back_given_and_played_again(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        before = (await table.anna.http.get(f"/api/games/{table.game}")).json()
        assert not before["may_ask"]
        await table.play("a4-a5")
        assert (table.red.latest or {})["may_ask"]
        assert not (table.blue.latest or {})["may_ask"]
        assert (await table.red.ask(type="ask_back", id="ask", ply=1))["type"] == "done"
        assert (await table.red.ask(type="ask_back", id="ask", ply=1))["type"] == "done", "the same frame again"
        for state in await table.both(lambda state: state["ask"] == "red"):
            assert not state["may_ask"]
        assert await refused(table.red, type="answer_back", id="mine", ply=1, accept=True) == "no_ask"
        assert (await table.blue.ask(type="answer_back", id="give", ply=1, accept=True))["type"] == "done"
        await table.both(lambda state: state["backs"] == 1)
        after = (await table.anna.http.get(f"/api/games/{table.game}")).json()
        moving = {"n", "backs", "here"}
        assert {key: value for key, value in after.items() if key not in moving} == {
            key: value for key, value in before.items() if key not in moving
        }, "an undone game equals one that was never played"
        # A doubled packet of the ply that is gone does nothing; the same move anew is a ply.
        await table.play("a4-a5", "a7-a6", "a5-a4")
        assert [ply["to"] for ply in (await table.blue.state())["plies"]][-1] == "a4"
        await table.blue.move("j7-j6", 4)
        await table.both(lambda state: state["ply"] == 4)
        assert (table.red.latest or {})["may_ask"] is False, "Blue's first step has shown something"
        assert await refused(table.red, type="ask_back", id="no", ply=4) == "revealed"
        assert (await table.red.ask(type="resign", id="end"))["type"] == "done"
        record = read_record((await table.ben.http.get(f"/api/games/{table.game}/record")).text)
        assert Referee.resume(record, 0).ply == record.plies == 4
        assert [act.deed.value for act in record.acts].count("allow") == 1


async def test_a_ply_back_is_denied_lapses_and_is_not_asked_on_an_old_board(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        await table.play("a4-a5")
        await table.red.ask(type="ask_back", id="one", ply=1)
        assert await refused(table.blue, type="answer_back", id="old", ply=0, accept=True) == "stale"
        assert (await table.blue.ask(type="answer_back", id="no", ply=1, accept=False))["type"] == "done"
        state = await table.red.state(lambda state: state["ask"] is None and state["n"] > 4)
        assert (state["ply"], state["may_ask"]) == (1, False)
        assert await refused(table.red, type="ask_back", id="two", ply=1) == "asked_already"
        await table.play("a7-a6", "b4-b5")
        assert await refused(table.red, type="ask_back", id="old", ply=2) == "stale"
        await table.red.ask(type="ask_back", id="three", ply=3)
        await table.both(lambda state: state["ask"] == "red")
        await table.play("e7-e6")
        assert (table.blue.latest or {})["ask"] is None
        assert await refused(table.blue, type="answer_back", id="late", ply=4, accept=True) == "no_ask"


async def test_a_page_that_slept_through_a_takeback_is_told_the_right_plies(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        await table.play("a4-a5", "a7-a6", "b4-b5")
        await table.red.ask(type="ask_back", id="ask", ply=3)
        await table.blue.ask(type="answer_back", id="give", ply=3, accept=True)
        await table.both(lambda state: state["ply"] == 2)
        await table.play("e4-e5", "e7-e6")
        async with table.anna.table(table.game, since=3) as late:
            state = await late.state()
            told = [(ply["ply"], ply["from"]) for ply in state["plies"]]
            assert (state["plies_from"], told) == (3, [(3, "e4"), (4, "e7")])


async def test_a_takeback_outlives_the_server(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server) as table:
        await table.play("a4-a5", "a7-a6", "b4-b5")
        await table.red.ask(type="ask_back", id="ask", ply=3)
        await table.blue.ask(type="answer_back", id="give", ply=3, accept=True)
        await table.both(lambda state: state["ply"] == 2)
        await table.play("b4-b5")
        before = (await table.ben.http.get(f"/api/games/{table.game}")).json()
        cookies = table.ben.http.cookies
    async with hall(place(tmp_path)) as server:
        ben = await server.caller()
        ben.http.cookies = cookies
        after = (await ben.http.get(f"/api/games/{table.game}")).json()
        assert {**after, "here": None, "absence": None} == {**before, "here": None, "absence": None}
        async with ben.table(table.game) as blue:
            await blue.state()
            assert (await blue.move("e7-e6", 4))["type"] == "done"


async def test_nothing_is_taken_back_in_a_rated_game_nor_against_the_house(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server, rated=True) as table:
        await table.play("a4-a5")
        state = await table.red.state()
        assert (state["rated"], state["may_ask"]) == (True, False)
        assert await refused(table.red, type="ask_back", id="ask", ply=1) == "no_takeback"
        await table.red.ask(type="resign", id="end")
        record = (await table.anna.http.get(f"/api/games/{table.game}/record")).json()
        assert record["rated"] is True
        made = (await table.anna.http.post(f"/api/games/{table.game}/rematch")).json()
        assert (await table.anna.http.get(f"/api/games/{made['game']}")).json()["rated"]
        alone = await server.caller()
        for against in ("house", "here"):
            level = "random" if against == "house" else None
            order = {"variant": "classic", "level": level, "against": against, "rated": True}
            answer = await alone.http.post("/api/games", json=order)
            assert (answer.status_code, answer.json()["code"]) == (409, "casual_only")
        game = (await alone.new_game())["game"]
        async with alone.table(game) as line:
            await line.my_turn()
            await line.move("a4-a5", 1)
            await line.state(lambda state: state["ply"] == 2)
            assert await refused(line, type="ask_back", id="ask", ply=2) == "no_takeback"


async def test_an_invitation_says_whether_the_game_counts(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        await anna.sign_up("Anna")
        for rated in (False, True):
            _, code = await invite(anna, rated=rated)
            assert (await ben.http.get(f"/api/invitations/{code}")).json()["rated"] is rated


async def test_a_seat_that_was_left_is_claimed_after_the_announced_time(tmp_path: Path) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server, clock=CLOCK) as table:
        await table.play("a4-a5")
        assert await refused(table.red, type="claim", id="here", win=True) == "not_left"
        await table.blue.socket.close()
        state = await table.red.state(lambda state: state["absence"] is not None)
        assert state["absence"] == {"seat": "blue", "claim_ms": LEFT_MS}
        time.on(LEFT_MS - 1)
        assert await refused(table.red, type="claim", id="early", win=True) == "not_left"
        async with table.ben.table(table.game) as back:
            assert (await back.state())["absence"] is None
            await table.red.state(lambda state: state["absence"] is None)
            assert await refused(back, type="claim", id="other", win=True) == "not_left"
        await table.red.state(lambda state: state["absence"] is not None)
        time.on(LEFT_MS)
        assert (await table.red.ask(type="claim", id="mine", win=True))["type"] == "done"
        end = await table.red.state(lambda state: state["phase"] == "over")
        assert (end["result"], end["reason"]) == ("red", "abandoned")
        assert end["truth"] == {"red": RED, "blue": BLUE}


async def test_whoever_was_away_himself_waits_anew(tmp_path: Path) -> None:
    """Both left: the time begins when one of them is there to see it, and again after the server was started again."""
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server, clock=CLOCK) as table:
        for line in table.lines:
            await line.socket.close()
        await asyncio.sleep(0.05)
        time.on(LEFT_MS)
        async with table.anna.table(table.game) as red:
            assert (await red.state())["absence"]["claim_ms"] == LEFT_MS
            time.on(LEFT_MS - 1)
            assert await refused(red, type="claim", id="early", win=False) == "not_left"
        cookies = table.anna.http.cookies
    async with hall(place(tmp_path), nature=time.nature) as server:
        anna = await server.caller()
        anna.http.cookies = cookies
        async with anna.table(table.game) as red:
            assert (await red.state())["absence"]["claim_ms"] == LEFT_MS
            time.on(LEFT_MS)
            assert (await red.ask(type="claim", id="draw", win=False))["type"] == "done"
            end = await red.state(lambda state: state["phase"] == "over")
            assert (end["result"], end["reason"]) == ("draw", "abandoned")


@pytest.mark.parametrize("clock", [None, {"kind": "per-move", "cap_ms": 86_400_000}])
async def test_absence_decides_nothing_without_a_clock_or_with_one_of_days(clock: Any, tmp_path: Path) -> None:
    time = Hand()
    async with hall(place(tmp_path), nature=time.nature) as server, pair(server, clock=clock) as table:
        await table.blue.socket.close()
        state = await table.red.state(lambda state: not state["here"]["blue"])
        assert state["absence"] is None
        time.on(LEFT_MS)
        assert await refused(table.red, type="claim", id="no", win=True) == "not_left"


async def test_whoever_looks_on_sees_a_game_called_off_and_no_army(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server, watch={"delay": 1}) as table:
        code = (await table.red.state())["watch"]["code"]
        stranger = await server.caller()
        cookie = f"flagfall_guest={stranger.http.cookies['flagfall_guest']}"
        path = f"ws://{server.address}/api/watch/{code}/socket?since=0"
        headers = {"cookie": cookie, "origin": f"http://{server.address}"}
        async with websockets.connect(path, additional_headers=headers) as socket:
            watcher = Line(socket)
            await watcher.until(lambda frame: frame["type"] == "watched" and frame["phase"] == "playing")
            await table.play("a4-a5")
            await table.red.ask(type="ask_back", id="ask", ply=1)
            await table.blue.ask(type="answer_back", id="give", ply=1, accept=True)
            await watcher.until(lambda frame: frame["type"] == "watched" and frame["ply"] == 0)
            await table.red.state(lambda state: state["ply"] == 0)
            await table.play("b4-b5")
            seen = await watcher.until(lambda frame: frame["type"] == "watched" and frame["ply"] == 1)
            assert [ply["from"] for ply in seen["plies"]] == ["b4"]
            await table.blue.ask(type="abort", id="off")
            end = await watcher.until(lambda frame: frame["type"] == "watched" and frame["phase"] == "over")
            assert (end["result"], end["reason"], end["truth"]) == ("void", "aborted", None)
            assert {man["rank"] for man in end["men"]} == {None}
