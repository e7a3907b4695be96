"""Pairing by rating, and who is never paired: blocked pairs, signed in or not, and nobody hears of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagfall.server import accounts, ratings
from flagfall.server.hall import near
from flagfall.server.rates import Rate
from flagfall.server.roll import Roll
from flagfall.server.scale import Standing
from flagfall.server.store import hashed
from tests.server.hall import Caller, Hall, hall
from tests.server.test_deeds import pair
from tests.server.test_friend import join, place
from tests.server.test_open_tables import listed, seek

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "ENROLS", Rate(1_000, 1_000))


async def rate(server: Hall, caller: Caller, name: str, rating: float, deviation: float = 50) -> None:
    """Give somebody a rating in Classic without a clock, as if from a game played before."""
    await caller.sign_up(name)
    account = await Roll(server.store).named(name)
    assert account is not None
    game = (await caller.new_game(against="friend", level=None))["game"]
    one = Standing(rating, deviation, 40, 1_900_000_000_000)
    await server.store.change(
        *ratings.add([ratings.row_of(game, "red", hashed(account.who), "classic", "untimed", one)])
    )


async def rated_seek(caller: Caller) -> dict[str, Any]:
    answer = await caller.http.post("/api/hall/seek", json={"variant": "classic", "rated": True})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


ratable = st.none() | st.builds(Standing, st.floats(400, 2800), st.floats(45, 350), st.just(9))


@given(ratable, ratable, st.integers(0, 600_000), st.integers(0, 600_000))
def test_who_waits_is_content_with_more_and_the_order_of_two_does_not_matter(
    one: Standing | None, other: Standing | None, some_ms: int, more_ms: int
) -> None:
    assert near(one, other, some_ms) == near(other, one, some_ms)
    assert near(one, other, some_ms + more_ms) >= near(one, other, some_ms)
    assert near(one, other, 10_000_000)


async def test_the_near_are_paired_at_once_and_the_far_when_they_have_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall(place(tmp_path)) as server:
        anna, ben, cleo = [await server.caller() for _ in range(3)]
        await rate(server, anna, "Anna", 1400)
        await rate(server, ben, "Ben", 2000)
        await rate(server, cleo, "Cleo", 1450)
        first, second = await rated_seek(anna), await rated_seek(ben)
        assert first["game"] != second["game"]
        # Sought again it is the same table, and nobody is paired with himself.
        assert (await rated_seek(anna), await rated_seek(ben)) == (first, second)
        (table,) = [one for one in await listed(cleo) if one["host"] == "Anna"]
        assert (table["rated"], table["rating"]["rating"], table["rating"]["provisional"]) == (True, 1400, False)
        assert (await rated_seek(cleo))["game"] == first["game"]
        dora = await server.caller()
        await rate(server, dora, "Dora", 1100)
        third = await rated_seek(dora)
        assert third["game"] != second["game"]
        monkeypatch.setattr("flagfall.server.hall.WIDENS_A_SECOND", 1e9)
        assert (await rated_seek(dora))["game"] == second["game"]
        # The table at which she waited is gone.
        assert (await dora.http.get(f"/api/games/{third['game']}")).status_code == 404
        guest = await server.caller()
        refused = await guest.http.post("/api/hall/seek", json={"variant": "classic", "rated": True})
        assert (refused.status_code, refused.json()["code"]) == (409, "sign_in_to_count")
        casual = await seek(guest)
        assert casual["game"] not in {first["game"], second["game"]}


@pytest.mark.parametrize("signed_in", ["neither", "blocker", "blocked", "both"])
async def test_a_blocked_pair_is_never_paired_signed_in_or_not(tmp_path: Path, signed_in: str) -> None:
    async with hall(place(tmp_path)) as server:
        async with pair(server) as table:
            assert (await table.red.ask(type="hear", id="off", how="block"))["type"] == "done"
        for caller, name, of in ((table.anna, "Anna", "blocker"), (table.ben, "Ben", "blocked")):
            if signed_in in (of, "both"):
                await caller.sign_up(name)
        stranger = await server.caller()
        for waits, looks in ((table.anna, table.ben), (table.ben, table.anna)):
            waiting = await seek(waits)
            (entry,) = await listed(stranger)
            assert await listed(looks) == []
            # By its code too the table looks like one that was left.
            offer = (await looks.http.get(f"/api/invitations/{entry['code']}")).json()
            assert (offer["free"], offer["away"]) == (True, True)
            answer = await join(looks, entry["code"])
            assert (answer.status_code, answer.json()["code"]) == (409, "host_away")
            other = await seek(looks)
            assert other["game"] != waiting["game"]
            for caller, made in ((waits, waiting), (looks, other)):
                assert (await caller.http.post(f"/api/games/{made['game']}/withdraw")).status_code == 204


async def test_a_block_is_kept_over_signing_in_and_out_and_deleting_forgets_it(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server:
        async with pair(server) as table:
            await table.red.ask(type="hear", id="off", how="block")
        await table.ben.sign_up("Ben")
        # Elsewhere, where nothing of the old guest is left, it is still he.
        elsewhere = await server.caller()
        asked = {"name": "Ben", "password": PASSWORD}
        assert (await elsewhere.http.post("/api/account/session", json=asked)).status_code == 201
        waiting = await seek(table.anna)
        assert (await seek(elsewhere))["game"] != waiting["game"]
        gone = await elsewhere.http.post("/api/account/delete", json={"password": PASSWORD})
        assert gone.status_code == 204
        assert (await table.anna.http.get(f"/api/games/{waiting['game']}")).status_code == 200
