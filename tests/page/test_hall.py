"""The hall in browsers: who seeks is paired with whoever waits, a list without dead entries, every size and light."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import game_of, state_of
from tests.page.test_access import clean
from tests.page.test_sizes import fits

pytestmark = pytest.mark.timeout(400)


def enter(page: Page, url: str) -> None:
    page.goto(f"{url}/#/hall")
    expect(page.get_by_role("heading", name="Hall", exact=True)).to_be_visible()


def lay(page: Page) -> str:
    """Lay a table of one's own for anybody, under a house rule; the game's id."""
    page.get_by_role("button", name="Lay a table of my own").click()
    expect(page.get_by_role("radio", name="Anybody, in the hall")).to_be_checked()
    page.get_by_role("button", name="Add a rule").click()
    page.get_by_role("switch", name=re.compile("^Bombs burst once")).click()
    page.get_by_role("button", name="Place my army").click()
    return game_of(page)


def test_who_seeks_is_paired_with_whoever_waits(opened: Opened, url: str) -> None:
    anna, ben = opened(path="/#/hall"), opened(390, 844, path="/#/hall")
    expect(ben.get_by_text("Nobody waits at a table just now")).to_be_visible()
    clean(ben, "an empty hall")
    fits(ben, "an empty hall")
    for page in (anna, ben):
        page.get_by_role("combobox", name="Game").select_option("barrage")
    anna.get_by_role("button", name="Find an opponent").click()
    game = game_of(anna)
    expect(anna.get_by_text("Nobody has sat down yet").first).to_be_visible()
    expect(ben.get_by_text("Barrage", exact=True).last).to_be_visible()
    expect(ben.get_by_role("button", name="Sit down")).to_be_visible()
    clean(ben, "a table in the hall")
    fits(ben, "a table in the hall")
    ben.get_by_role("button", name="Find an opponent").click()
    assert game_of(ben) == game
    expect(anna.get_by_text("The other player is here, placing the army").first).to_be_visible()
    assert {state_of(page)["seat"] for page in (anna, ben)} == {"red", "blue"}
    enter(anna, url)
    expect(anna.get_by_text("Nobody waits at a table just now")).to_be_visible()
    anna.goto(f"{url}/#/games")
    expect(anna.get_by_text("with somebody from the hall").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_table_with_house_rules_is_looked_at_first_and_goes_with_its_maker(
    opened: Opened, url: str, dark: bool
) -> None:
    anna, ben = opened(path="/#/hall"), opened(path="/#/hall", dark=dark)
    game = lay(anna)
    look = ben.get_by_role("link", name="Look and sit down")
    expect(look).to_be_visible()
    expect(ben.get_by_text("1 house rule")).to_be_visible()
    clean(ben, "a table with a house rule")
    look.click()
    expect(ben.get_by_role("heading", name="An open table")).to_be_visible()
    clean(ben, "looking at a table")
    code = ben.url
    # Its maker goes: the list forgets it at once, and who still looks at it hears why nobody sits down.
    anna.goto("about:blank")
    enter(ben, url)
    expect(ben.get_by_text("Nobody waits at a table just now")).to_be_visible()
    ben.goto(code)
    expect(ben.get_by_text("Whoever made this table has left it.")).to_be_visible()
    clean(ben, "a table that was left")
    anna.goto(f"{url}/#/game/{game}")
    expect(anna.get_by_text("Nobody has sat down yet").first).to_be_visible()
    enter(anna, url)
    expect(anna.get_by_text("Nobody waits at a table just now")).to_be_visible()


def test_ones_own_table_leads_back_to_it(opened: Opened, url: str) -> None:
    anna = opened(820, 1180, path="/#/hall")
    anna.get_by_role("button", name="Find an opponent").click()
    game = game_of(anna)
    second = anna.context.new_page()
    enter(second, url)
    expect(second.get_by_text("Your own table")).to_be_visible()
    fits(second, "one's own table")
    second.get_by_role("link", name="To the table").click()
    assert game_of(second) == game
    anna.get_by_role("button", name="Take it back").click()
    expect(anna.get_by_text("No games yet", exact=True)).to_be_visible()
