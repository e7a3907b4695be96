"""Ratings: a rated game between two accounts counts exactly once, and nothing else counts."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.play.record import Sitter, Sort, Terms
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.server import accounts, ratings
from flagfall.server.journal import Acted, Opened
from flagfall.server.rates import Rate
from flagfall.server.ratings import rating_steps, rebuild
from flagfall.server.roll import Account, Roll
from flagfall.server.scale import Standing, played
from flagfall.server.store import Store, Summary, Taken, hashed
from tests.server.hall import Caller, hall
from tests.server.test_deeds import CLOCK, pair
from tests.server.test_friend import BLUE, invite, join, place

STEPS = "select game, seat, number, rating, deviation from rating_steps order by game, seat"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "ENROLS", Rate(1_000, 1_000))


def steps_in(store: Path) -> list[Any]:
    with sqlite3.connect(store) as rows:
        return rows.execute(STEPS).fetchall()


async def person(caller: Caller, name: str) -> dict[str, Any]:
    answer = await caller.http.get(f"/api/people/{name}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_rated_game_counts_once_and_over_a_restart(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        async with pair(server, rated=True) as table:
            moves = f"/api/games/{table.game}/ratings"
            await table.play("a4-a5")
            assert (await table.ben.http.get(moves)).json() == []
            await table.red.ask(type="resign", id="end")
            await table.red.ask(type="resign", id="end")
            await table.blue.state(lambda state: state["phase"] == "over")
        cookies = table.anna.http.cookies
        before = steps_in(place(tmp_path))
        assert [(row[1], row[2], row[3] > 1500) for row in before] == [("blue", 1, True), ("red", 1, False)]
    async with hall(place(tmp_path)) as server:
        anna = await server.caller()
        anna.http.cookies = cookies
        assert (await anna.http.get(f"/api/games/{table.game}")).json()["phase"] == "over"
        page = await person(anna, "Anna")
        (line,) = page["ratings"]
        assert (line["variant"], line["pace"], line["games"]) == ("classic", "untimed", 1)
        assert line["rating"]["rating"] < 1500
        assert line["rating"]["provisional"]
        red, blue = (await anna.http.get(moves)).json()
        start = {"rating": 1500, "deviation": 350, "provisional": True}
        assert (red["seat"], red["before"], red["after"]) == ("red", start, line["rating"])
        assert (blue["seat"], blue["before"]) == ("blue", start)
        assert blue["after"]["rating"] - 1500 == 1500 - red["after"]["rating"]
        assert steps_in(place(tmp_path)) == before


async def test_both_seats_and_who_looks_on_are_told_how_the_others_are_rated_in_the_games_class(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        async with pair(server, rated=True) as table:
            assert (await table.red.state())["ratings"] == {"red": None, "blue": None}
            await table.play("a4-a5")
            await table.red.ask(type="resign", id="end")
            await table.blue.state(lambda state: state["phase"] == "over")
        anna, ben, stranger = table.anna, table.ben, await server.caller()
        lines = [(await person(stranger, name))["ratings"][0]["rating"] for name in ("Anna", "Ben")]
        game, code = await invite(anna, watch={"delay": None})
        await join(ben, code)
        link = (await anna.http.get(f"/api/games/{game}")).json()["watch"]["code"]
        async with anna.table(game) as red, stranger.look_on(link) as watcher:
            told = [await red.state(), await watcher.until(lambda heard: heard["type"] == "watched")]
        for frame in told:
            assert frame["ratings"] == {"red": lines[0], "blue": lines[1]}
            assert frame["names"] == {"red": "Anna", "blue": "Ben"}
        timed, code = await invite(anna, clock=CLOCK)
        async with anna.table(timed) as red:
            assert (await red.state())["ratings"] == {"red": None, "blue": None}, "another clock is another class"


async def test_casual_games_and_those_called_off_do_not_count(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        async with pair(server, rated=True) as table:
            await table.red.ask(type="abort", id="off")
            await table.red.state(lambda state: state["phase"] == "over")
        game, code = await invite(table.anna)
        assert (await join(table.ben, code)).status_code == 201
        async with table.anna.table(game) as red:
            await red.state()
            await red.ask(type="resign", id="end")
        assert steps_in(place(tmp_path)) == []


async def test_a_rated_game_is_for_two_who_are_signed_in_and_for_the_catalogues_own_rules(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben = await server.caller(), await server.caller()
        order = {"variant": "classic", "against": "friend", "rated": True}
        answer = await anna.http.post("/api/games", json=order)
        assert (answer.status_code, answer.json()["code"]) == (409, "sign_in_to_count")
        await anna.sign_up("Anna")
        answer = await anna.http.post("/api/games", json=order | {"law": {"bomb_once": True}})
        assert (answer.status_code, answer.json()["code"]) == (409, "casual_rules")
        _, code = await invite(anna, rated=True)
        answer = await join(ben, code)
        assert (answer.status_code, answer.json()["code"]) == (409, "sign_in_to_count")
        await ben.sign_up("Ben")
        assert (await join(ben, code)).status_code == 201


async def test_deleting_an_account_takes_its_name_away_and_nothing_from_others(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        async with pair(server, rated=True) as table:
            await table.play("a4-a5")
            await table.red.ask(type="resign", id="end")
            await table.red.state(lambda state: state["phase"] == "over")
        before = await person(table.ben, "Ben")
        assert [one["opponent"] for one in before["against"]] == ["Anna"]
        gone = await table.anna.http.post("/api/account/delete", json={"password": "correct horse battery"})
        assert gone.status_code == 204
        after = await person(table.ben, "Ben")
        assert after["ratings"] == before["ratings"]
        assert after["against"] == [{"opponent": None, "won": 1, "drawn": 0, "lost": 0}]
        assert "Anna" not in str(after)
        assert (await table.ben.http.get("/api/people/Anna")).status_code == 404
        # Whoever takes the name next begins anew.
        other = await server.caller()
        await other.sign_up("Anna")
        assert (await person(other, "Anna"))["ratings"] == []
        assert await rebuild(server.store) == 1
        assert (await person(table.ben, "Ben"))["ratings"] == before["ratings"]


# --- the store alone ------------------------------------------------------------------------------------------------

PEOPLE = [Account(f"id-{name}", name, "-", 1) for name in ("Anna", "Ben", "Cleo")]
SITTER = Sitter("guest", Sort.PERSON)
TERMS = Terms(variant=CLASSIC, first=Seat.RED, sitters=(SITTER, SITTER), control=None, game="g", begun_ms=1, rated=True)
Game = tuple[int, int, str]
ended = st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(["red", "blue", "draw", "void"]))


async def end(store: Store, number: int, game: Game) -> None:
    """Write a game and its end the way a ledger does; what is there already is refused."""
    red, blue, result = game
    going = Summary(f"g{number}", "classic", "", "playing", 1, None, None, None, 1, 1, "friend")
    owners = {"red": hashed(PEOPLE[red].who), "blue": hashed(PEOPLE[blue].who)}
    with contextlib.suppress(Taken):
        await store.create(going, owners, [Opened("{}")], 1)
    over = msgspec.structs.replace(going, phase="over", result=result, reason="resigned", updated_ms=number + 1)
    rows = await ratings.steps(store, over, TERMS)
    await store.append(over, 2, [Acted(1, "resign", "red")], 1, ratings.add(rows))


async def steps_of(store: Store) -> list[tuple[Any, ...]]:
    order = (rating_steps.c.at_ms, rating_steps.c.game, rating_steps.c.seat)
    return [tuple(row.values()) for row in await store.ask(sa.select(rating_steps).order_by(*order))]


@settings(max_examples=15, deadline=None)
@given(st.lists(ended, max_size=8))
def test_every_game_counts_once_in_its_order_and_the_games_tell_it_all_again(games: list[Game]) -> None:
    async def tried() -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = await Store.open(Path(folder) / "home" / "games.sqlite3")
            try:
                for one in PEOPLE:
                    await Roll(store).enrol(one)
                expected: dict[int, Standing] = {}
                for number, (red, blue, result) in enumerate(games):
                    await end(store, number, (red, blue, result))
                    with pytest.raises(Taken):
                        await end(store, number, (red, blue, result))
                    if result != "void" and red != blue:
                        old = expected.get(red, Standing()), expected.get(blue, Standing())
                        expected[red], expected[blue] = played(*old, ratings.RANKS[result], number + 1)
                holders = {hashed(PEOPLE[one].who): standing for one, standing in expected.items()}
                assert await ratings.standings(store, list(holders), "classic", "untimed") == holders
                before = await steps_of(store)
                counted = sum(result != "void" and red != blue for red, blue, result in games)
                assert await rebuild(store) == counted
                assert await steps_of(store) == before
            finally:
                await store.close()

    asyncio.run(tried())


async def test_two_games_of_one_person_that_end_at_once_count_one_after_the_other(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server, rated=True) as table:
        game, code = await invite(table.anna, rated=True)
        await join(table.ben, code)
        assert (await table.ben.http.post(f"/api/games/{game}/army", json={"army": BLUE})).status_code == 200
        await table.play("a4-a5")
        async with table.anna.table(game) as red, table.ben.table(game) as blue:
            await red.state(lambda state: state["phase"] == "playing")
            await asyncio.gather(table.blue.ask(type="resign", id="end"), blue.ask(type="resign", id="end"))
            await red.state(lambda state: state["phase"] == "over")
            await table.red.state(lambda state: state["phase"] == "over")
        assert sorted(row[1:3] for row in steps_in(place(tmp_path))) == [
            ("blue", 1),
            ("blue", 2),
            ("red", 1),
            ("red", 2),
        ]
