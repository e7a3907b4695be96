"""Windows from a phone's to a desk's, upright and lying, and text at twice its size: nothing is cut or spills."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import cell, choose, my_turn, new_game, settle

pytestmark = pytest.mark.timeout(200)

SIZES = [(390, 844), (360, 640), (820, 1180), (1024, 768), (1180, 820), (1280, 720), (1440, 900), (844, 390)]
SPILLS = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth + 1;
  const cut = [...document.querySelectorAll('button, h1, h2, .strong, strong, label, .btn, .lab, p')].filter((one) => {
    if (one.closest('.unseen, [inert], .board') || !one.getClientRects().length) return false;
    const box = one.getBoundingClientRect();
    const scrolls = one.closest('.moves, .list, .pane, .body, .scroll');
    return (!scrolls && (box.right > innerWidth + 1 || box.left < -1))
      || (one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).overflow !== 'visible');
  }).map((one) => one.outerHTML.slice(0, 120));
  return { wide, cut };
}"""


def fits(page: Page, what: str) -> None:
    page.wait_for_timeout(80)
    found = page.evaluate(SPILLS)
    assert not found["wide"], f"{what}: wider than the window"
    assert found["cut"] == [], what


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_screen_fits(opened: Opened, url: str, size: tuple[int, int]) -> None:
    page = opened(*size, touch=size[0] < 1100)
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()
    fits(page, "new game")
    page.keyboard.press("Escape")
    screens = {"rules": "Rules", "games": "My games", "hall": "Hall", "deploy": "Place your army"}
    for path, seen in ((f"/#/{at}", title) for at, title in screens.items()):
        page.goto(url + path)
        expect(page.get_by_role("heading", name=seen).first).to_be_visible()
        fits(page, path)
    new_game(page, url)
    fits(page, "play")
    cell(page, "e4").click()
    fits(page, "a man in hand")
    board = page.locator(".board").bounding_box()
    assert board is not None
    assert board["width"] <= size[0]
    assert board["width"] >= min(size) * 0.55


def test_a_phone_plays_by_tapping(opened: Opened, url: str) -> None:
    page = opened(390, 844, touch=True)
    new_game(page, url)
    side = page.locator(".sq").first.bounding_box()
    assert side is not None
    assert side["width"] == 37
    state = settle(page, my_turn)
    origin, target = choose(state)
    cell(page, origin).tap()
    cell(page, target).tap()
    settle(page, lambda now: now["ply"] >= 1)
    page.get_by_role("button", name="Moves").tap()
    expect(page.get_by_role("region", name="Moves").locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Notes").tap()
    cell(page, "e9").tap()
    page.get_by_role("button", name="Note: flag, F").tap()
    expect(cell(page, "e9").locator(".note")).to_have_count(1)


def test_a_tap_that_misses_takes_the_nearest_legal_square(opened: Opened, url: str) -> None:
    page = opened(390, 844, touch=True)
    new_game(page, url)
    cell(page, "e4").tap()
    box = cell(page, "e5").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] + 4, box["y"] + 10)
    settle(page, lambda now: now["ply"] >= 1 and now["plies"][0]["to"] == "e5")


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_text_at_twice_its_size(opened: Opened, url: str, size: tuple[int, int]) -> None:
    page = opened(*size)
    for path in "/#/rules", "/#/deploy", "/#/games", "/#/hall", None:
        if path:
            page.goto(url + path)
        else:
            new_game(page, url)
        page.evaluate("document.documentElement.style.fontSize = '32px'; window.dispatchEvent(new Event('resize'))")
        fits(page, str(path))


def test_forced_colours_keep_shapes(opened: Opened, url: str) -> None:
    page = opened(forced_colors="active")
    new_game(page, url)
    stroke = page.evaluate("getComputedStyle(document.querySelector('.board .man .face')).stroke")
    assert stroke != "none"
    cell(page, "e4").click()
    expect(page.locator(".dot").first).to_be_visible()
