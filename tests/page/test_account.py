"""An account on the page: made, taken elsewhere, games taken over, sessions ended, data taken along, and deleted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import game_of, new_game
from tests.page.test_access import clean
from tests.page.test_sizes import fits
from tests.page.test_words import worded

pytestmark = pytest.mark.timeout(400)
WORDS = "correct horse battery"


def enter(page: Page, url: str) -> None:
    page.goto(f"{url}/#/account")
    expect(page.get_by_role("heading").first).to_be_visible()


def fill(page: Page, name: str, password: str, form: str) -> None:
    page.get_by_role("radio", name=form).click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name=form).click()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_account_from_its_first_day_to_its_last(opened: Opened, url: str, dark: bool) -> None:
    name = f"Anna{'Dark' if dark else 'Light'}"
    anna = opened(dark=dark)
    game = new_game(anna, url)
    enter(anna, url)
    clean(anna, "a guest's account")
    fits(anna, "a guest's account")
    fill(anna, name, WORDS, "New account")
    expect(anna.get_by_role("heading", name=name)).to_be_visible()
    assert anna.evaluate("JSON.stringify(localStorage)").count(WORDS) == 0
    anna.get_by_role("button", name="Take it over").click()
    expect(anna.get_by_text("The games are yours.").first).to_be_visible()
    clean(anna, "signed in")
    fits(anna, "signed in")
    # Another device: no seat before signing in, the game afterwards.
    phone = opened(390, 844, dark=dark, path="/#/account", allowed=("403",))
    fits(phone, "a guest's account on a phone")
    fill(phone, name, "not my password", "Sign in")
    expect(phone.locator(".page").get_by_role("alert")).to_have_text("Name and password do not belong together.")
    clean(phone, "a refusal")
    fill(phone, name.upper(), WORDS, "Sign in")
    expect(phone.get_by_role("heading", name=name)).to_be_visible()
    fits(phone, "signed in on a phone")
    phone.goto(f"{url}/#/games")
    phone.get_by_role("link", name=re.compile("Classic")).click()
    assert game_of(phone) == game
    enter(phone, url)
    # What is ended there can do nothing here any more.
    enter(anna, url)
    anna.reload()
    anna.get_by_role("button", name="End", exact=True).click()
    expect(anna.get_by_text("Another place")).to_have_count(0)
    phone.reload()
    expect(phone.get_by_role("radio", name="Sign in")).to_be_visible()
    with anna.expect_download() as told:
        anna.get_by_role("link", name="Download").click()
    kept = json.loads(Path(told.value.path()).read_text())
    assert (kept["name"], [one["game"] for one in kept["games"]]) == (name, [game])
    anna.get_by_text("Delete the account").first.click()
    clean(anna, "before the farewell")
    fits(anna, "before the farewell")
    anna.locator("details").get_by_label("Your password").fill(WORDS)
    anna.locator("details").get_by_role("button", name="Delete the account").click()
    expect(anna.get_by_text("The account is deleted.").first).to_be_visible()
    expect(anna.get_by_role("radio", name="New account")).to_be_visible()


def test_an_account_has_no_plain_words(opened: Opened, url: str) -> None:
    page = opened(path="/?lang=en-XA#/account")
    expect(page.locator("form")).to_be_visible()
    worded(page, "a guest's account")
    page.request.post(f"{url}/api/account", data={"name": "Plain", "password": WORDS})
    page.reload()
    expect(page.get_by_role("heading", name="Plain")).to_be_visible()
    worded(page, "signed in")


def test_a_token_for_a_bot_is_shown_once(opened: Opened, url: str) -> None:
    anna = opened()
    enter(anna, url)
    fill(anna, "Mechanic", WORDS, "New account")
    anna.get_by_label("What it is for").fill("<i>my</i> bot")
    anna.get_by_role("button", name="Make a token").click()
    token = anna.locator("code").inner_text()
    assert re.fullmatch(r"flagfall_[A-Za-z0-9_-]{43}", token)
    clean(anna, "a token, shown once")
    fits(anna, "a token, shown once")
    anna.reload()
    expect(anna.get_by_text("<i>my</i> bot").first).to_be_visible()
    assert token not in anna.content()
    anna.get_by_role("button", name="Revoke").click()
    expect(anna.get_by_role("button", name="Revoke")).to_have_count(0)
