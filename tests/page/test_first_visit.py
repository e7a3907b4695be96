"""A first visit: a move within three clicks, numbers by language, rules one click away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import cell, state_of

pytestmark = pytest.mark.timeout(200)


def test_three_clicks_to_the_first_move(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()
    page.get_by_role("button", name="Play with a ready army").click()
    expect(page.locator(".cell.mine").first).to_be_visible()
    legal = state_of(page)["legal"]
    origin = sorted(legal)[0]
    cell(page, origin).click()
    expect(page.locator(".dot, .aim")).to_have_count(len(legal[origin]))
    cell(page, legal[origin][0]).click()
    expect(page.get_by_role("region", name="Moves").locator("tbody tr").first).to_contain_text(origin)


@pytest.mark.parametrize(
    ("locale", "marshal"),
    [("en-GB", "10"), ("de-DE", "10"), ("en-US", "1"), ("lt-LT", "1"), ("pt-BR", "1"), ("sq-AL", "1"), ("hy-AM", "1")],
)
def test_numbers_follow_the_language(opened: Opened, locale: str, marshal: str) -> None:
    page = opened(path="/#/deploy", locale=locale)
    expect(page.locator(".tk").first).to_have_accessible_name(re.compile(rf"Marshal, {marshal},"))


def test_numbers_change_at_once_and_stay(page: Page, url: str) -> None:
    page.goto(f"{url}/#/deploy")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name=re.compile("1 is the marshal")).click()
    page.keyboard.press("Escape")
    expect(page.locator(".tk").first).to_have_accessible_name(re.compile("Marshal, 1,"))
    page.reload()
    expect(page.locator(".tk").first).to_have_accessible_name(re.compile("Marshal, 1,"))


def test_rules_are_one_click_away(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Rules and tips").click()
    expect(page.get_by_role("heading", name="Where they stand well")).to_be_visible()


def test_house_rules_are_named_everywhere(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Add a rule").click()
    page.get_by_role("switch", name=re.compile("^Bombs burst once")).click()
    page.get_by_role("button", name="Play with a ready army").click()
    chip = page.get_by_role("button", name="House rule: Bombs burst once")
    chip.click()
    expect(page.get_by_role("dialog", name="Bombs burst once")).to_contain_text("leaves the board together")
    assert state_of(page)["variant"]["law"]["bomb_once"] is True


def test_blue_sits_below_when_blue_is_mine(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("radio", name="Blue").first.click()
    page.get_by_role("button", name="Play with a ready army").click()
    expect(page.locator(".files span").first).to_have_text("j")
    expect(page.locator(".ranks span").last).to_have_text("10")
    expect(page.get_by_text("Blue · your move")).to_be_visible()
