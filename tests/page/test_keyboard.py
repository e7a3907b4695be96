"""The whole page by keyboard alone, and what a screen reader hears."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.hands import cell, choose, game_of, my_turn, new_game, settle

pytestmark = pytest.mark.timeout(200)


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.dataset.sq ?? document.activeElement.textContent.trim()"))


def press_until(page: Page, wanted: str, key: str = "Tab", most: int = 60) -> None:
    for _ in range(most):
        if focused(page) == wanted:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} was not reached; the focus is on {focused(page)}")


def test_a_game_is_ordered_and_played_without_a_pointer(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("dialog")).to_be_visible()
    press_until(page, "Play with a ready army")
    page.keyboard.press("Enter")
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing" and my_turn(now))
    origin, target = choose(state)
    for _ in range(40):
        if re.fullmatch(r"[a-j]\d+", focused(page)):
            break
        page.keyboard.press("Tab")
    page.keyboard.type(origin)
    assert focused(page) == origin
    page.keyboard.press("Enter")
    expect(page.locator('[role="status"]').first).to_contain_text("in hand")
    expect(cell(page, origin).locator("xpath=..")).to_have_attribute("aria-selected", "true")
    page.keyboard.type(target)
    expect(cell(page, target)).to_have_accessible_name(re.compile("you may"))
    page.keyboard.press("Space")
    settle(page, lambda now: now["ply"] >= 1)
    expect(page.locator('[role="status"]').first).to_contain_text(re.compile(r"Blue: .* to .*Your move|Red: "))


def test_arrows_ends_and_shift(page: Page, url: str) -> None:
    new_game(page, url)
    cell(page, "e4").focus()
    for key, lands in (
        ("ArrowUp", "e5"),
        ("ArrowLeft", "d5"),
        ("Home", "a5"),
        ("End", "j5"),
        ("PageUp", "j10"),
        ("PageDown", "j1"),
    ):
        page.keyboard.press(key)
        assert focused(page) == lands
    page.keyboard.type("e4")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowUp")
    assert focused(page) == "e5"
    page.keyboard.press("Escape")
    expect(page.locator(".dot")).to_have_count(0)


def test_one_tab_stop_for_the_board(page: Page, url: str) -> None:
    new_game(page, url)
    assert page.locator('.board [tabindex="0"]').count() == 1


def test_notes_by_key(page: Page, url: str) -> None:
    new_game(page, url)
    cell(page, "e9").focus()
    page.keyboard.press("n")
    page.keyboard.press("s")
    expect(cell(page, "e9")).to_have_accessible_name("e9, Blue, hidden, your note: spy")
    page.keyboard.press("n")
    page.keyboard.press("Delete")
    expect(cell(page, "e9")).to_have_accessible_name("e9, Blue, hidden")


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("p", r"e4: e5"),
        ("l", "No moves yet"),
        ("w", r"Blue 40 left, Red 40 left.*Scout: Blue 8 of 8"),
        ("t", "There is no clock"),
        ("k", "They know none of your men"),
        ("m", "Sound off"),
    ],
)
def test_letters_speak(page: Page, url: str, key: str, says: str) -> None:
    new_game(page, url)
    cell(page, "e4").focus()
    page.keyboard.press(key)
    expect(page.locator('[role="status"]').first).to_have_text(re.compile(says))


def test_letters_can_be_turned_off(page: Page, url: str) -> None:
    new_game(page, url)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label(re.compile("Letters on the board")).uncheck()
    page.keyboard.press("Escape")
    cell(page, "e4").focus()
    page.keyboard.press("p")
    page.keyboard.type("a1")
    assert focused(page) == "e4"


def test_names_tell_what_a_seat_knows_and_no_more(page: Page, url: str) -> None:
    new_game(page, url)
    expect(page.get_by_role("grid", name="Board")).to_be_visible()
    expect(cell(page, "e4")).to_have_accessible_name("e4, your marshal, 10")
    expect(cell(page, "g8")).to_have_accessible_name("g8, Blue, hidden")
    expect(cell(page, "c5")).to_have_accessible_name("c5, lake")
    expect(cell(page, "e5")).to_have_accessible_name("e5, empty")
    cell(page, "e4").press("Enter")
    expect(cell(page, "e5")).to_have_accessible_name("e5, empty, you may go here")
    expect(page.get_by_role("table", name="Men left")).to_contain_text("8 of 8")


def test_question_mark_lists_the_keys(page: Page, url: str) -> None:
    new_game(page, url)
    cell(page, "e4").press("?")
    expect(page.get_by_role("dialog", name="All keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
