"""Two at one screen: behind the curtain the page holds no rank of either side, in no drawer of the browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.page.conftest import Opened
from tests.page.hands import choose
from tests.page.test_access import clean
from tests.page.test_words import worded

pytestmark = pytest.mark.timeout(300)
# Men with ranks and armies in the making, wherever the script still reaches them.
RANKS = """function () {
  const found = [];
  for (const one of this) {
    const own = Object.getOwnPropertyDescriptors(one);
    if (own.id && own.seat && typeof own.rank?.value === 'number') found.push(`${own.id.value} ${own.rank.value}`);
    for (const [key, { value }] of Object.entries(own)) {
      if (/^[a-j](10|[1-9])$/.test(key) && typeof value === 'number') found.push(`${key} ${value}`);
    }
  }
  return found;
}"""


def here(page: Page, url: str) -> str:
    """Order a game for two at this screen; its id."""
    if page.url == "about:blank":
        page.goto(url)
    page.get_by_role("radio", name="Two at one screen").click()
    expect(page.get_by_role("button", name="Place my army")).to_have_count(0)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile("#/here/"))
    return page.url.rsplit("/", 1)[-1]


def state(page: Page, seat: str) -> dict[str, Any]:
    """What the server tells one of the two seats."""
    origin, game = re.findall(r"^(http://[^/]+)/.*#/here/(.+)$", page.url)[0]
    found: dict[str, Any] = page.request.get(f"{origin}/api/games/{game}?seat={seat}").json()
    return found


def ready(page: Page, side: str) -> None:
    page.get_by_role("button", name=f"I am {side}, and I am ready").click()


def deploy(page: Page, side: str) -> None:
    ready(page, side)
    expect(page.get_by_role("heading", name="Place your army")).to_be_visible()
    page.get_by_role("button", name="Fill in").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("Hand the screen to"))).to_be_visible()


def ply(page: Page, side: str) -> dict[str, Any]:
    """One ply of the seat in hand, and the curtain after it; the state that the mover had before."""
    seen = state(page, side.lower())
    origin, target = choose(seen)
    page.locator(f'.cell.mine[data-sq="{origin}"]').click()
    page.locator(f'[data-sq="{target}"]').click()
    expect(page.get_by_role("heading", name=re.compile("Hand the screen to"))).to_be_visible()
    return seen


def reach(cdp: CDPSession) -> list[str]:
    """Every rank that the page's script still reaches, after the garbage is gone."""
    cdp.send("HeapProfiler.collectGarbage")
    root = cdp.send("Runtime.evaluate", {"expression": "Object.prototype", "objectGroup": "look"})
    found = cdp.send("Runtime.queryObjects", {"prototypeObjectId": root["result"]["objectId"], "objectGroup": "look"})
    said = cdp.send(
        "Runtime.callFunctionOn",
        {"objectId": found["objects"]["objectId"], "functionDeclaration": RANKS, "returnByValue": True},
    )
    cdp.send("Runtime.releaseObjectGroup", {"objectGroup": "look"})
    ranks: list[str] = said["result"]["value"]
    return ranks


def nothing_left(page: Page, cdp: CDPSession, ranks: dict[str, int]) -> None:
    """No man in the document shows or names a rank, no drawer holds one, and the script reaches none."""
    assert page.locator(".pic .man use[href^='#man-'], .pic .man text").count() == 0
    named = page.evaluate("[...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel).join(' ')")
    assert not re.search(r"your |marshal|general|miner|spy|bomb|flag", named, re.IGNORECASE)
    kept = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])")
    assert "rank" not in kept
    assert "drafts" not in kept
    assert "flagfall.last" not in kept
    assert ranks
    secret = {f"{square} {rank}" for square, rank in ranks.items()}
    # What the script was in the middle of (a timer, a frame on its way) ends in its own time; what stays is a fault.
    for _ in range(100):
        if secret.isdisjoint(reach(cdp)):
            return
        page.wait_for_timeout(50)
    assert sorted(secret.intersection(reach(cdp))) == []


def ranks_of(seen: dict[str, Any]) -> dict[str, int]:
    return {man["id"]: man["rank"] for man in seen["men"] if man["seat"] == seen["seat"]}


def test_behind_the_curtain_there_is_no_rank(page: Page, url: str) -> None:
    here(page, url)
    cdp = page.context.new_cdp_session(page)
    expect(page.get_by_text("Red places an army first, unseen by Blue.")).to_be_visible()
    clean(page, "first curtain")
    deploy(page, "Red")
    red = ranks_of(state(page, "red"))
    nothing_left(page, cdp, red)
    assert state(page, "blue")["men"] == []
    deploy(page, "Blue")
    blue = ranks_of(state(page, "blue"))
    nothing_left(page, cdp, {**red, **blue})
    turn = "Red"
    for number in range(6):
        ready(page, turn)
        page.locator(".cell.mine").first.wait_for()
        mine, theirs = (red, blue) if turn == "Red" else (blue, red)
        known = {f"{square} {rank}" for square, rank in mine.items()}
        # The look itself is good: of the seat in hand it finds everything, of the other one nothing.
        found = set(reach(cdp))
        assert known <= found
        shown = {man["id"] for man in state(page, turn.lower())["men"] if man["rank"] is not None}
        assert not {f"{square} {rank}" for square, rank in theirs.items() if square not in shown} & found
        ply(page, turn)
        nothing_left(page, cdp, {**red, **blue})
        turn = "Blue" if turn == "Red" else "Red"
        if number == 0:
            clean(page, "curtain")
    page.reload()
    expect(page.get_by_role("heading", name="Hand the screen to Red")).to_be_visible()
    expect(page.locator(".pic .man").first).to_be_visible()
    nothing_left(page, cdp, {**red, **blue})


def test_the_curtain_falls_by_key_and_by_turning_away(page: Page, url: str) -> None:
    game = here(page, url)
    deploy(page, "Red")
    deploy(page, "Blue")
    curtain = page.get_by_role("heading", name="Hand the screen to Red")
    # A key that is still down from the last move opens nothing: the title has the focus.
    expect(curtain).to_be_focused()
    page.keyboard.press("Enter")
    expect(curtain).to_be_visible()
    button = page.get_by_role("button", name="I am Red, and I am ready")
    expect(button).to_be_enabled()
    button.press("Enter")
    mine = page.locator(".cell.mine").first
    mine.click()
    page.keyboard.press("Escape")
    expect(page.locator(".sq.picked")).to_have_count(0)
    expect(mine).to_be_visible()
    page.keyboard.press("Escape")
    expect(curtain).to_be_visible()
    ready(page, "Red")
    page.get_by_role("button", name="Draw the curtain").click()
    expect(curtain).to_be_visible()
    ready(page, "Red")
    mine.wait_for()
    page.evaluate(
        """() => { Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange')); delete document.visibilityState; }"""
    )
    expect(curtain).to_be_visible()
    # The other address of the game leads to the curtain too, and so do the list and the way home.
    page.goto(f"{url}/#/game/{game}")
    page.wait_for_url(re.compile("#/here/"))
    expect(curtain).to_be_visible()
    page.goto(f"{url}/#/")
    page.wait_for_url(re.compile("#/here/"))
    # A draw is offered over the curtain, answered by the other side, and the turn goes on.
    ready(page, "Red")
    page.get_by_role("button", name="Offer draw").click()
    expect(page.get_by_text("Red offers a draw. Blue answers.")).to_be_visible()
    ready(page, "Blue")
    page.get_by_role("region", name="Red offers a draw").get_by_role("button", name="Play on").click()
    expect(curtain).to_be_visible()
    ready(page, "Red")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="Blue wins")).to_be_visible()
    expect(page.get_by_text("Red gave up, at ply 0.").first).to_be_visible()
    page.get_by_role("button", name="Rematch, sides swapped").click()
    expect(page.get_by_text("Red places an army first, unseen by Blue.")).to_be_visible()
    page.goto(f"{url}/#/games")
    expect(page.get_by_role("link", name=re.compile("Classic, two at one screen")).first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_on_a_phone_the_button_is_seen_without_a_scroll(opened: Opened, url: str, dark: bool) -> None:
    page = opened(390, 844, dark=dark, touch=True)
    here(page, url)
    deploy(page, "Red")
    deploy(page, "Blue")
    for turn in "Red", "Blue", "Red":
        ready(page, turn)
        page.locator(".cell.mine").first.wait_for()
        ply(page, turn)
        settle_curtain(page)
        clean(page, "curtain on a phone")


def settle_curtain(page: Page) -> None:
    button = page.get_by_role("button", name=re.compile("and I am ready"))
    expect(button).to_be_enabled()
    box = button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")


def test_no_curtain_has_plain_words(opened: Opened, url: str) -> None:
    page = opened(path="/?lang=en-XA")
    page.locator("[role=radio]").filter(has=page.locator("svg")).nth(3).click()
    page.locator("dialog footer .pri").click()
    expect(page.locator(".curtain")).to_be_visible()
    worded(page, "curtain")
