"""Players' pages: what anybody may see, what the player alone is told, and openings that are shown only on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall.server import accounts
from flagfall.server.rates import Rate
from tests.server.hall import RED, hall
from tests.server.test_deeds import pair
from tests.server.test_friend import BLUE, place
from tests.server.test_ratings import person


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "ENROLS", Rate(1_000, 1_000))


async def test_a_page_shows_no_way_to_armies_that_nobody_chose_to_show(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server, rated=True) as table:
        await table.play("a4-a5")
        anna, ben, game = table.anna, table.ben, table.game
        shown = {"public": True}
        early = await anna.http.post(f"/api/games/{game}/opening", json=shown)
        assert (early.status_code, early.json()["code"]) == (409, "not_over")
        assert (await person(ben, "anna"))["games"] == []
        await table.red.ask(type="resign", id="end")
        await table.red.state(lambda state: state["phase"] == "over")
        own, seen = await person(anna, "Anna"), await person(ben, "Anna")
        assert (own["mine"], seen["mine"]) == (True, False)
        (line,) = own["games"]
        assert (line["game"], line["score"], line["opponent"], line["rated"]) == (game, "lost", "Ben", True)
        assert seen["games"] == [line | {"game": None}]
        assert own["openings"] == seen["openings"] == []
        for text in (game, RED, BLUE):
            assert text not in str(seen)
        for _ in range(2):
            assert (await anna.http.post(f"/api/games/{game}/opening", json=shown)).status_code == 204
        opening = {"game": None, "variant": "classic", "seat": "red", "army": RED}
        assert (await person(ben, "Anna"))["openings"] == [opening]
        assert (await person(anna, "Anna"))["openings"] == [opening | {"game": game}]
        assert BLUE not in str(await person(ben, "Anna"))
        stranger = await server.caller()
        await stranger.sign_up("Cleo")
        answer = await stranger.http.post(f"/api/games/{game}/opening", json=shown)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_game")
        guest = await server.caller()
        answer = await guest.http.post(f"/api/games/{game}/opening", json=shown)
        assert answer.json()["code"] == "not_signed_in"
        assert (await anna.http.post(f"/api/games/{game}/opening", json={"public": False})).status_code == 204
        assert (await person(ben, "Anna"))["openings"] == []


async def test_a_game_that_was_called_off_is_on_no_page_and_stays_closed(tmp_path: Path) -> None:
    async with hall(place(tmp_path)) as server, pair(server, rated=True) as table:
        await table.red.ask(type="abort", id="off")
        await table.red.state(lambda state: state["phase"] == "over")
        answer = await table.anna.http.post(f"/api/games/{table.game}/opening", json={"public": True})
        assert answer.json()["code"] == "aborted"
        page = await person(table.anna, "Anna")
        assert (page["games"], page["against"], page["openings"]) == ([], [], [])
        assert (await table.anna.http.get("/api/people/nobody")).status_code == 404
