"""The time to place an army: what becomes of a late one is chosen with the clock, and happens (R12)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.hands import my_turn, new_game, settle

pytestmark = pytest.mark.timeout(300)


def test_what_becomes_of_a_late_army_is_asked_with_the_clock(page: Page, url: str) -> None:
    """The choice is there only with a clock, goes out with the order and is kept for the next one."""
    page.goto(url)
    choice = page.get_by_role("radiogroup", name="Not placed in time")
    clocks = page.get_by_label("Clock")
    clocks.select_option(label="No clock")
    expect(choice).to_have_count(0)
    clocks.select_option(index=2)
    expect(choice.get_by_role("radio", name="Game lost")).to_have_attribute("aria-checked", "true")
    choice.get_by_role("radio", name="Army by lot").click()
    with page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/api/games")) as asked:
        page.get_by_role("button", name="Place my army").click()
    order: Any = asked.value.post_data_json
    assert order["clock"]["setup_timeout"] == "random-fill"


def test_a_late_army_is_placed_by_lot(page: Page, url: str) -> None:
    clock = {"kind": "fischer", "main_ms": 600_000, "add_ms": 5_000, "setup_ms": 10_000, "setup_timeout": "random-fill"}
    new_game(page, url, army=None, clock=clock)
    expect(page.get_by_role("timer", name="Clock: You")).to_have_text(re.compile(r"^(10:00|9:5\d)$"), timeout=60_000)
    state = settle(page, my_turn)
    assert state["phase"] == "playing"
    assert len([man for man in state["men"] if man["seat"] == "red"]) == 40
