"""What two people can do besides moving, in two browsers: a game called off, a ply asked back, a seat that was left."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import ARMY, Opened
from tests.page.hands import game_of, move, settle
from tests.page.test_access import clean
from tests.page.test_account import WORDS, enter, fill

pytestmark = pytest.mark.timeout(300)
BLUE = ARMY[::-1].replace("F", "x").replace("M", "F").replace("x", "M")
PHONE = (390, 844)


def friends(opened: Opened, url: str, *, blue: tuple[int, int] = PHONE, **order: object) -> tuple[Page, Page, str]:
    """Anna at Red's side on a desk, Ben at Blue's on a phone, both armies standing."""
    anna, ben = opened(), opened(*blue, touch=blue == PHONE)
    for page in (anna, ben):
        page.request.get(f"{url}/api/hello")
    asked = {"variant": "classic", "against": "friend", "seat": "red", "first": "red", "army": ARMY, **order}
    game = str(anna.request.post(f"{url}/api/games", data=asked).json()["game"])
    code = anna.request.get(f"{url}/api/games/{game}").json()["invite"]
    assert ben.request.post(f"{url}/api/invitations/{code}/join").ok
    assert ben.request.post(f"{url}/api/games/{game}/army", data={"army": BLUE}).ok
    for page in (anna, ben):
        page.goto(f"{url}/#/game/{game}")
    expect(anna.get_by_text("at the table · waiting for you")).to_be_visible()
    return anna, ben, game


def play(players: tuple[Page, Page], *moves: str) -> None:
    for text in moves:
        start, end = text.split("-")
        state = settle(players[0], lambda now: now["phase"] == "playing")
        mover = players[state["turn"] == "blue"]
        mover.locator(f'.cell.mine[data-sq="{start}"]').wait_for()
        move(mover, start, end)
        for page in players:
            settle(page, lambda now, before=state["ply"]: now["ply"] > before)  # type: ignore[misc]


def unscrolled(page: Page) -> None:
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")


def test_a_ply_is_asked_back_answered_and_played_anew(opened: Opened, url: str) -> None:
    anna, ben, _ = players = friends(opened, url)
    play(players[:2], "a4-a5")
    anna.get_by_role("button", name="Take back").click()
    expect(anna.get_by_text("Asked for your move back. Blue has not answered yet.")).to_be_visible()
    asked = ben.get_by_role("region", name="Red asks for a move back")
    expect(asked).to_contain_text("Its last move would be undone.")
    expect(ben.locator("[aria-live=assertive]")).to_contain_text("Red asks for a move back")
    clean(ben, "asked back")
    unscrolled(ben)
    asked.get_by_role("button", name="Play on").click()
    expect(anna.get_by_text("Blue keeps to the moves as they stand.").last).to_be_visible()
    play(players[:2], "a7-a6", "a5-a4")
    anna.get_by_role("button", name="Take back").click()
    ben.get_by_role("button", name="Give it back").click()
    for page in players[:2]:
        expect(page.get_by_text("The move was taken back.").last).to_be_visible()
        expect(page.locator('.man.red[data-man="a4"], [data-sq="a5"]').first).to_be_visible()
        assert settle(page, lambda now: now["backs"] == 1)["ply"] == 2
    expect(anna.locator('.cell.mine[data-sq="a5"]')).to_be_visible()
    play(players[:2], "b4-b5")
    expect(ben.get_by_text("The move was taken back.")).to_have_count(0)
    # What has shown something stands, and the page says why.
    play(players[:2], "e7-e6")
    anna.get_by_role("button", name="Take back").click()
    expect(anna.get_by_text("These moves have shown something, so they stand.").last).to_be_visible()


def test_a_game_is_called_off_from_a_phone_and_both_stay_closed(opened: Opened, url: str) -> None:
    anna, ben, game = friends(opened, url)
    ben.get_by_role("button", name="Table").click()
    # The bar at the foot lies over whatever is half scrolled beneath it.
    ben.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    clean(ben, "table")
    ben.get_by_role("button", name="Call it off").click()
    sure = ben.get_by_role("region", name="Call this game off?")
    expect(sure.get_by_role("button", name="Play on")).to_be_focused()
    sure.get_by_role("button", name="Call it off").click()
    for page in (anna, ben):
        expect(page.get_by_role("heading", name="The game was called off")).to_be_visible()
        assert settle(page, lambda now: now["phase"] == "over")["truth"] is None
        clean(page, "called off")
        unscrolled(page)
    ben.get_by_role("button", name="Rematch, sides swapped").click()
    ben.wait_for_url(lambda at: "#/game/" in at and not at.endswith(game))
    anna.goto(f"{url}/#/games")
    expect(anna.get_by_role("link", name=re.compile("The game was called off · not counted"))).to_be_visible()


def test_after_two_moves_it_is_too_late(opened: Opened, url: str) -> None:
    anna, ben, _ = friends(opened, url)
    play((anna, ben), "a4-a5")
    expect(anna.get_by_role("button", name="Call it off")).to_be_visible()
    play((anna, ben), "a7-a6")
    expect(anna.get_by_role("button", name="Call it off")).to_have_count(0)


def test_a_seat_that_was_left_is_announced(opened: Opened, url: str) -> None:
    anna, ben, game = friends(opened, url, clock={"kind": "sudden-death", "main_ms": 600_000})
    play((anna, ben), "a4-a5")
    ben.goto("about:blank")
    expect(anna.get_by_text(re.compile(r"away · yours to claim in 0:0\d"))).to_be_visible()
    expect(anna.get_by_role("button", name="Claim the win")).to_have_count(0)
    left = anna.get_by_role("region", name="Blue has left the table")
    expect(left).to_be_visible()
    clean(anna, "left")
    left.get_by_role("button", name="Wait").click()
    expect(left).to_have_count(0)
    ben.goto(f"{url}/#/game/{game}")
    expect(anna.get_by_text(re.compile("at the table · "))).to_be_visible()
    ben.goto("about:blank")
    left.get_by_role("button", name="Claim the win").click()
    expect(anna.get_by_role("heading", name="Red wins")).to_be_visible()
    expect(anna.get_by_text("Blue had left the table, at ply 1.").first).to_be_visible()


def test_a_rated_game_is_ordered_in_the_dialogue_and_said_to_the_friend(opened: Opened, url: str) -> None:
    anna = opened()
    anna.get_by_role("radio", name="A friend, by link").click()
    expect(anna.get_by_role("radio", name="Rated")).to_be_disabled()
    enter(anna, url)
    fill(anna, "Rated-Anna", WORDS, "New account")
    expect(anna.get_by_role("heading", name="Rated-Anna")).to_be_visible()
    anna.goto(f"{url}/#/games")
    anna.get_by_role("button", name="New game").first.click()
    anna.get_by_role("radio", name="A friend, by link").click()
    anna.get_by_role("radio", name="Rated").click()
    expect(anna.get_by_text("The result counts, and every move stands.")).to_be_visible()
    clean(anna, "rated")
    anna.get_by_role("button", name="Play with a ready army").click()
    link = anna.get_by_label("Link for your friend").first.input_value()
    ben = opened(*PHONE, path=link.removeprefix(url))
    expect(ben.get_by_text("Rated", exact=True)).to_be_visible()
    clean(ben, "rated invitation")
    assert game_of(anna)
