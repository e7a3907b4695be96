"""Two browsers over a link: the invitation, both armies at once, plies to and fro, a restart, the end, the rematch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.page.conftest import Opened, Serving
from tests.page.hands import cell, choose, game_of, move, settle, state_of
from tests.page.test_access import clean

pytestmark = pytest.mark.timeout(400)


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Serving]:
    """A server that a test may end and start again."""
    serving = Serving(tmp_path / "home")
    serving.start()
    yield serving
    serving.stop()


def guest(browser: Browser, width: int = 1440, height: int = 900) -> tuple[BrowserContext, Page]:
    """A browser of somebody's own."""
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce")
    return context, context.new_page()


def invite(page: Page, url: str) -> str:
    """Order a game against a friend in the dialogue, with an army of the house; the link to send."""
    if page.url == "about:blank":
        page.goto(url)
    page.get_by_role("radio", name="A friend, by link").click()
    expect(page.get_by_role("radiogroup", name="Level")).to_have_count(0)
    page.get_by_role("button", name="Play with a ready army").click()
    return page.get_by_label("Link for your friend").first.input_value()


def ply(players: dict[str, Page]) -> None:
    """Whoever's turn it is plays one ply with the pointer, and both pages show it."""
    state = state_of(players["red"])
    mover = players[state["turn"]]
    seen = state_of(mover)
    origin, target = choose(seen)
    mover.locator(f'.cell.mine[data-sq="{origin}"]').wait_for()
    move(mover, origin, target)
    for page in players.values():
        settle(page, lambda now: now["phase"] == "over" or now["ply"] > seen["ply"])


def test_a_game_over_a_link_outlives_the_server_and_goes_on_in_a_rematch(lone: Serving, browser: Browser) -> None:
    (annas, anna), (bens, ben) = guest(browser), guest(browser, 390, 844)
    link = invite(anna, lone.url)
    game = game_of(anna)
    expect(anna.get_by_text("Your friend has not come yet")).to_be_visible()
    clean(anna, "waiting")
    ben.goto(link)
    expect(ben.get_by_role("heading", name="You are invited to a game")).to_be_visible()
    clean(ben, "invitation")
    ben.get_by_role("button", name="Sit down").click()
    ben.wait_for_url(re.compile(f"#/game/{game}$"))
    expect(anna.get_by_role("region", name="Invitation")).to_contain_text("Your friend is here, placing the army")
    expect(anna.get_by_label("Link for your friend")).to_have_count(0)
    expect(ben.get_by_role("region", name="Invitation")).to_contain_text("Your friend is ready")
    clean(ben, "placing")
    ben.get_by_role("button", name="Fill in").click()
    ben.get_by_role("button", name="Ready", exact=True).click()
    expect(anna.get_by_text("at the table · waiting for you")).to_be_visible()
    players = {"red": anna, "blue": ben}
    for _ in range(4):
        ply(players)
    lone.stop()
    expect(ben.get_by_text("No answer from the server. Your army is kept.")).to_be_visible()
    lone.start()
    for page in players.values():
        page.bring_to_front()
        expect(page.get_by_text("No answer from the server. Your army is kept.")).to_have_count(0, timeout=15_000)
    for _ in range(3):
        ply(players)
    assert state_of(anna)["plies"] == state_of(ben)["plies"]
    assert state_of(anna)["ply"] == 7
    # An offer is asked of the friend as of the house, and a refusal comes back.
    ben.get_by_role("button", name="Draw").click()
    anna.get_by_role("region", name="Blue offers a draw").get_by_role("button", name="Play on").click()
    expect(ben.get_by_text("Red declined the draw.").last).to_be_visible()
    anna.get_by_role("button", name="Resign").click()
    anna.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    for page in players.values():
        expect(page.get_by_role("heading", name="Blue wins")).to_be_visible()
    ben.get_by_role("button", name="Rematch").click()
    ben.wait_for_url(lambda url: "#/game/" in url and not url.endswith(game))
    anna.get_by_role("button", name="To the rematch").click()
    anna.wait_for_url(lambda url: not url.endswith(game))
    assert game_of(anna) == game_of(ben)
    assert (state_of(anna)["seat"], state_of(ben)["seat"]) == ("blue", "red")
    anna.goto(f"{lone.url}/#/games")
    expect(anna.get_by_role("link", name=re.compile("Classic, with a friend")).first).to_be_visible()
    for context in (annas, bens):
        context.close()


def test_a_link_gives_one_seat_and_can_be_taken_back(opened: Opened, url: str) -> None:
    anna = opened()
    link = invite(anna, url)
    path = link.removeprefix(url)
    ben = opened(path=path)
    ben.get_by_role("button", name="Sit down").click()
    expect(ben.get_by_role("heading", name="Place your army")).to_be_visible()
    carl = opened(390, 844, path=path)
    expect(carl.get_by_text("Somebody else has taken this seat.")).to_be_visible()
    clean(carl, "taken")
    # Who sits there already goes straight to the game, by whichever link.
    anna.goto(link)
    anna.wait_for_url(re.compile("#/game/"))
    expect(anna.get_by_role("button", name="Take it back")).to_have_count(0)
    dora = opened(390, 844, dark=True)
    gone = invite(dora, url)
    dora.get_by_role("button", name="Take it back").click()
    expect(dora.get_by_text("No games yet", exact=True)).to_be_visible()
    emil = opened(path=gone.removeprefix(url), allowed=("404",))
    expect(emil.get_by_text("This invitation leads nowhere.")).to_be_visible()


def test_the_army_is_placed_while_the_link_is_on_its_way(opened: Opened) -> None:
    anna = opened(390, 844)
    anna.get_by_role("radio", name="A friend, by link").click()
    anna.get_by_role("button", name="Place my army").click()
    expect(anna.get_by_label("Link for your friend")).to_have_value(re.compile("/#/join/[A-Za-z0-9_-]{24}$"))
    anna.get_by_role("button", name="Fill in").click()
    anna.get_by_role("button", name="Ready", exact=True).click()
    expect(cell(anna, "a1")).to_have_accessible_name(re.compile("your"))
    expect(anna.get_by_role("button", name="Copy the link")).to_be_visible()
    assert not anna.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
