"""No text on any screen is written into the code: in the pretended language every word of ours wears accents."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import ARMY, cell

pytestmark = pytest.mark.timeout(200)

# Letters of texts, squares and figures are the same in every language; a reader's own words are his.
PLAIN = """() => {
  const found = new Set();
  const look = (text, where) => {
    for (const word of String(text).match(/[A-Za-z]{2,}/g) ?? []) found.add(`${word} in ${where}`);
  };
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest('[data-own-words], script, style, svg')) continue;
    for (const child of one.childNodes) {
      if (child.nodeType === 3) look(child.data, `${one.tagName}.${one.className}`);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
      if (one.hasAttribute(name)) look(one.getAttribute(name), name);
    }
  }
  look(document.title, 'title');
  return [...found];
}"""


def worded(page: Page, where: str) -> None:
    assert page.evaluate(PLAIN) == [], where


def test_no_screen_has_plain_words(opened: Opened, url: str) -> None:
    odd = "?lang=en-XA"
    page = opened(path=f"/{odd}")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator(".rules .add").click()
    worded(page, "new game")
    page.keyboard.press("Escape")
    worded(page, "home")
    for path in "rules", "games", "hall", "deploy":
        page.goto(f"{url}/{odd}#/{path}")
        page.reload()
        expect(page.get_by_role("heading").first).to_be_visible()
        worded(page, path)
    page.locator(".tools button").first.click()
    expect(page.locator(".said")).to_be_visible()
    page.locator(".tools button").last.click()
    worded(page, "as text")
    game = start(page, url)
    page.goto(f"{url}/{odd}#/game/{game}")
    page.reload()
    expect(cell(page, "e4")).to_be_visible()
    cell(page, "e4").click()
    cell(page, "h5").click()
    cell(page, "e9").click(button="right")
    worded(page, "play")
    page.locator(".acts button").last.click()
    worded(page, "resign?")
    page.locator(".ask button").last.click()
    expect(page.get_by_role("slider")).to_be_visible()
    worded(page, "replay")
    page.keyboard.press("Escape")
    page.locator(".top .icon").last.click()
    worded(page, "settings")


def start(page: Page, url: str) -> str:
    made = page.request.post(
        f"{url}/api/games",
        data={"variant": "classic", "law": {"bomb_once": True}, "level": "level-1", "army": ARMY},
    )
    return str(made.json()["game"])
