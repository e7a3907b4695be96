"""The hall: a list without dead entries, one seat for one of many, and pairing that finds everybody but oneself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import structlog

from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.server import hall as halls
from flagfall.server import room
from flagfall.server.nature import Nature
from tests.server.hall import RED, Caller, hall
from tests.server.test_friend import back, place

SHUFFLED = RED[1:] + RED[0]
FISCHER = {"kind": "fischer", "main_ms": 600_000, "add_ms": 5_000, "setup_ms": 300_000}


async def open_table(caller: Caller, **order: Any) -> str:
    """Lay a table for anybody; its id."""
    made = await caller.new_game(**{"against": "friend", "level": None, "open": True, "army": None} | order)
    return str(made["game"])


async def listed(caller: Caller) -> list[dict[str, Any]]:
    answer = await caller.http.get("/api/hall")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


async def join(caller: Caller, code: str) -> httpx.Response:
    return await caller.http.post(f"/api/invitations/{code}/join")


async def seek(caller: Caller, variant: str = "classic", clock: Any = None) -> dict[str, Any]:
    answer = await caller.http.post("/api/hall/seek", json={"variant": variant, "clock": clock})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


@pytest.fixture
def punctual(monkeypatch: pytest.MonkeyPatch) -> None:
    """No table waits for its maker's page: it is listed only while that is open."""
    monkeypatch.setattr(room, "COMING_MS", 0)


@pytest.mark.usefixtures("punctual")
async def test_a_table_is_listed_while_its_maker_is_there_and_no_longer(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        game = await open_table(anna, seat="blue", law={"bomb_once": True, "counts.scout": 7}, clock=FISCHER)
        closed = (await anna.new_game(against="friend", level=None, army=None))["game"]
        assert await listed(ben) == []
        async with anna.table(game) as line, anna.table(closed) as other:
            await line.state()
            await other.state()
            (entry,) = await listed(ben)
            (own,) = await listed(anna)
            assert own == entry | {"mine": True, "waited_ms": own["waited_ms"]}
            code = entry.pop("code")
            assert entry.pop("waited_ms") >= 0
            clock = {"cap_ms": None, "setup_timeout": "forfeit"} | FISCHER
            assert entry == {
                "variant": "classic",
                "law": {"bomb_once": True, "counts.scout": 7},
                "seat": "red",
                "first": "red",
                "clock": clock,
                "mine": False,
                "host": None,
                "rated": False,
                "rating": None,
            }
            offer = (await ben.http.get(f"/api/invitations/{code}")).json()
            assert (offer["open"], offer["free"], offer["away"]) == (True, True, False)
        async with asyncio.timeout(20):
            while await listed(ben):  # noqa: ASYNC110 - the server tells nobody that a table has gone
                await asyncio.sleep(0.01)
        offer = (await ben.http.get(f"/api/invitations/{code}")).json()
        assert (offer["free"], offer["away"]) == (True, True)
        refused = await join(ben, code)
        assert (refused.status_code, refused.json()["code"]) == (409, "host_away")
        async with anna.table(game) as line:
            await line.state()
            assert len(await listed(ben)) == 1
            assert (await join(ben, code)).json() == {"game": game, "seat": "red"}
            assert (await line.state(lambda one: one["taken"]["red"]))["open"] is True
            assert await listed(ben) == []


@pytest.mark.usefixtures("punctual")
async def test_a_table_comes_back_with_its_maker_after_a_restart_and_goes_when_it_is_withdrawn(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game = await open_table(anna)
        cookies = dict(anna.http.cookies)
    async with hall(place(tmp_path)) as server:
        anna, ben = await back(server, cookies), await server.caller()
        assert await listed(ben) == []
        async with anna.table(game) as line:
            await line.state()
            (entry,) = await listed(ben)
            assert (await anna.http.post(f"/api/games/{game}/withdraw")).status_code == 204
            assert await listed(ben) == []
            assert (await join(ben, entry["code"])).json()["code"] == "no_invitation"


async def test_an_open_seat_is_taken_by_exactly_one_of_twenty(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        game = await open_table(anna)
        callers = [await server.caller() for _ in range(20)]
        codes = [(await listed(caller))[0]["code"] for caller in callers]
        answers = await asyncio.gather(*(join(*pair) for pair in zip(callers, codes, strict=True)))
        assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"seat_taken"}
        assert await listed(anna) == []
        # The same by two roads at once: some seek, some take it from the list.
        game = await open_table(anna)
        code = (await listed(callers[0]))[0]["code"]
        roads = [join(one, code) if at % 2 else seek_raw(one) for at, one in enumerate(callers)]
        answers = await asyncio.gather(*roads)
        assert sum(answer.json().get("game") == game for answer in answers) == 1


async def seek_raw(caller: Caller) -> httpx.Response:
    return await caller.http.post("/api/hall/seek", json={"variant": "classic"})


async def test_those_who_seek_at_once_are_paired_and_nobody_with_himself(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        callers = [await server.caller() for _ in range(9)]
        made = await asyncio.gather(*(seek(caller, clock=FISCHER) for caller in callers for _ in range(2)))
        tables: dict[str, set[str]] = {}
        for caller, pair in zip(callers, zip(made[::2], made[1::2], strict=True), strict=True):
            # Whoever was paired at once waits anew when he asks again; whoever waits is shown his own table.
            for one in pair:
                tables.setdefault(one["game"], set()).add(str(dict(caller.http.cookies)))
        for game in tables:
            owners = await server.store.owners(game)
            assert len(set(owners.values())) == len(owners)
        complete = [game for game in tables if len(await server.store.owners(game)) == 2]
        assert len(complete) >= 4


async def test_seeking_twice_is_one_table_and_terms_must_be_the_same(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben, carl = [await server.caller() for _ in range(3)]
        first = await seek(anna)
        assert await seek(anna) == first
        others = [await seek(ben, "barrage"), await seek(ben, "classic", FISCHER)]
        assert len({first["game"], *(one["game"] for one in others)}) == 3
        met = await seek(carl)
        assert met["game"] == first["game"]
        assert {met["seat"], first["seat"]} == {"red", "blue"}
        # A table with house rules is for who chooses it.
        await open_table(carl, law={"bomb_once": True})
        strict = {one["game"] for one in (await carl.http.get("/api/games")).json()}
        assert (await seek(ben))["game"] not in strict
        refused = await ben.http.post("/api/hall/seek", json={"variant": "no-such-game"})
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown_variant")


async def test_what_strangers_may_not_be_shown_is_refused(tmp_path: Path) -> None:
    form = CLASSIC.to_json() | {"format": "flagfall-variant-1", "name": "rude-words"}
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        order = {"variant": form, "against": "friend", "open": True}
        refused = await anna.http.post("/api/games", json=order)
        assert (refused.status_code, refused.json()["code"]) == (422, "not_in_hall")
        for against in ("house", "here"):
            order = {"variant": "classic", "level": "random", "against": against, "open": True}
            assert (await anna.http.post("/api/games", json=order)).status_code == 400
        anna.http.cookies.clear()
        assert (await anna.http.get("/api/hall")).status_code == 401


async def test_one_person_does_not_fill_the_list(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        for _ in range(halls.MOST_OF_ONE + 4):
            await open_table(anna)
        assert len(await listed(ben)) == halls.MOST_OF_ONE


async def told_to_strangers(folder: Path, armies: Sequence[str | None]) -> list[str]:
    """What a stranger is told of an open table, by the army that its maker has placed."""
    seen = []
    for number, army in enumerate(armies):
        nature = Nature(now_ms=lambda: 1_800_000_000_000, secret=lambda: bytes(range(32)), game_id=lambda: "still")
        with structlog.testing.capture_logs() as logs:
            async with hall(folder / str(number) / "games.sqlite3", nature=nature) as server:
                anna, ben = await server.caller(), await server.caller()
                game = await open_table(anna, army=army)
                async with anna.table(game) as line:
                    await line.state()
                    answers = [await ben.http.get("/api/hall")]
                    code = answers[0].json()[0]["code"]
                    answers.append(await ben.http.get(f"/api/invitations/{code}"))
                    answers.append(await seek_raw(ben))
                    answers.append(await ben.http.get("/api/hall"))
        heads = [list(one.headers.multi_items()) for one in answers]
        seen.append(json.dumps([[one.text for one in answers], heads, logs], default=str))
    return seen


async def test_the_list_tells_nothing_of_an_army(tmp_path: Path) -> None:
    """Paired worlds: whatever army the maker has placed, or none, a stranger's answers are the same bytes."""
    seen = await told_to_strangers(tmp_path, [RED, SHUFFLED, None])
    assert len(set(seen)) == 1


async def test_a_planted_leak_in_the_list_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest: Any = vars(halls.Hall)["_told"]

    def leaky(self: Any, at: room.Room, free: Seat, *rest: Any) -> Any:
        army = at.ledger.placed(free.other)
        told = honest(self, at, free, *rest)
        return msgspec.structs.replace(told, waited_ms=0 if army is None else sum(army.text().encode()[:5]))

    monkeypatch.setattr(halls.Hall, "_told", leaky)
    assert len(set(await told_to_strangers(tmp_path, [RED, SHUFFLED, None]))) == 3
