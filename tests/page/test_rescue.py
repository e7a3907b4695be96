"""A rescue on the page (R13.2): the question after the move, by pointer and by key, and the replay of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.hands import cell, new_game, settle
from tests.page.test_access import clean

pytestmark = pytest.mark.timeout(200)
ROOT = Path(__file__).resolve().parents[2]
LANE: dict[str, Any] = {
    "format": "flagfall-variant-1",
    "name": "rescue-lane",
    "board": ["bbb.", "....", "....", "rrr."],
    "army": {"flag": 1, "miner": 1, "marshal": 1},
    "law": {"rescues": 2},
}
RED = ("b1-b2", "b2-a2", "c1-d1", "d1-d2", "d2-d3")
BLUE = ("a4-a3", "a3-a2", "a2-a3", "a3-a4", "a4-a3", "a3-a4", "a4-a3")


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[str]:
    """A server on which Blue takes Red's miner and then goes to and fro."""
    place = tmp_path / "home"
    place.mkdir(mode=0o700)
    command = [sys.executable, "-m", "tests.page.paired", str(place), "tight"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"army": "F3M", "moves": BLUE}) + "\n")
        process.stdin.flush()
        yield process.stdout.readline().strip()
        process.stdin.close()


def to_the_far_row(page: Page, url: str) -> None:
    """Red's miner has fallen, and his marshal stands before Blue's back row."""
    new_game(page, url, variant=LANE, army="F3M")
    for number, move in enumerate(RED):
        origin, target = move.split("-")
        page.locator(f'.cell.mine[data-sq="{origin}"]').wait_for()
        cell(page, origin).click()
        cell(page, target).click()
        settle(page, lambda state, ply=2 * number + 2: state["ply"] == ply)  # type: ignore[misc]
    page.locator('.cell.mine[data-sq="d3"]').wait_for()


def test_a_man_comes_back_where_he_is_put(page: Page, lane: str) -> None:
    to_the_far_row(page, lane)
    cell(page, "d3").click()
    cell(page, "d4").click()
    ask = page.get_by_role("region", name="Bring a fallen man back?")
    expect(ask.get_by_role("button", name="Bring back: Miner, 3")).to_be_focused()
    clean(page, "rescue")
    ask.get_by_role("button", name="Take back").click()
    expect(ask).to_have_count(0)
    cell(page, "d3").click()
    cell(page, "d4").click()
    ask.get_by_role("button", name="Bring back: Miner, 3").click()
    expect(page.locator(".dot")).to_have_count(7)
    cell(page, "c3").click()
    expect(page.get_by_text("He cannot be brought back there.").first).to_be_visible()
    cell(page, "c2").click()
    state = settle(page, lambda state: state["ply"] == 12)
    assert state["plies"][10]["rescue"] == {"man": "b1", "put": "c2"}
    expect(cell(page, "c2")).to_have_accessible_name(re.compile("^c2, your miner, 3"))
    expect(page.get_by_role("region", name="Moves")).to_contain_text("Miner comes back on c2.")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    slider = page.get_by_role("slider")
    slider.press("ArrowLeft")
    expect(cell(page, "c2")).to_have_accessible_name(re.compile("^c2, Red miner, 3"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Miner comes back on c2"))
    slider.press("ArrowLeft")
    expect(cell(page, "c2")).to_have_accessible_name("c2, empty")


def test_by_key_and_without_a_rescue(browser: Browser, lane: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    to_the_far_row(page, lane)
    cell(page, "d3").focus()
    for key in "Enter", "ArrowUp", "Enter":
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="Bring back: Miner, 3")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "b1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".dot, .aim")).to_have_count(0)
    page.keyboard.type("d3")
    for key in "Enter", "ArrowUp", "Enter":
        page.keyboard.press(key)
    page.get_by_role("button", name="Only move").press("Enter")
    state = settle(page, lambda state: state["ply"] == 12)
    assert state["plies"][10]["rescue"] is None
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
    context.close()
