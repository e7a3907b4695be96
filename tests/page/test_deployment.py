"""Placing an army: by click, by drag, by key, with the tools, from text, from the shelf."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from tests.page.hands import ARMY, cell, game_of, settle

pytestmark = pytest.mark.timeout(200)


@pytest.fixture
def desk(page: Page, url: str) -> Page:
    page.goto(f"{url}/#/deploy")
    expect(page.get_by_role("heading", name="Place your army")).to_be_visible()
    return page


def tile(page: Page, name: str) -> re.Pattern[str]:
    return re.compile(rf"^{name}, ")


def paste(page: Page, text: str) -> None:
    page.get_by_role("button", name="As text").click()
    page.get_by_role("textbox", name="As text").fill(text)
    page.get_by_role("button", name="Use this text").click()


def written(page: Page) -> str:
    page.get_by_role("button", name="As text").click()
    text = page.get_by_role("textbox", name="As text").input_value()
    page.keyboard.press("Escape")
    head, *rows = text.splitlines()
    assert head == "modern:"
    return "".join(rows)


def test_a_man_is_placed_swapped_and_taken_back(desk: Page) -> None:
    desk.get_by_role("button", name=tile(desk, "Flag")).click()
    cell(desk, "b1").click()
    expect(cell(desk, "b1")).to_have_accessible_name("b1, your flag, F")
    desk.get_by_role("button", name=tile(desk, "Bomb")).click()
    cell(desk, "a1").click()
    desk.keyboard.press("Escape")
    cell(desk, "a1").click()
    cell(desk, "b1").click()
    expect(cell(desk, "a1")).to_have_accessible_name("a1, your flag, F")
    expect(cell(desk, "b1")).to_have_accessible_name("b1, your bomb, B")
    cell(desk, "a1").drag_to(desk.locator("[data-tray]"))
    expect(cell(desk, "a1")).to_have_accessible_name("a1, empty, yours to fill")
    expect(desk.get_by_text("39 men to place")).to_be_visible()


def test_drag_from_the_tray_and_across_the_board(desk: Page) -> None:
    desk.get_by_role("button", name=tile(desk, "Marshal")).drag_to(cell(desk, "d4"))
    expect(cell(desk, "d4")).to_have_accessible_name("d4, your marshal, 10")
    cell(desk, "d4").drag_to(cell(desk, "e3"))
    expect(cell(desk, "e3")).to_have_accessible_name("e3, your marshal, 10")
    cell(desk, "e3").drag_to(cell(desk, "e8"))
    expect(cell(desk, "e3")).to_have_accessible_name("e3, your marshal, 10")


def test_fill_in_keeps_what_stands_and_can_be_undone(desk: Page) -> None:
    desk.get_by_role("button", name=tile(desk, "Flag")).click()
    cell(desk, "e1").click()
    desk.get_by_role("button", name="Fill in").click()
    expect(desk.get_by_role("button", name="Play with this army")).to_be_visible()
    army = written(desk)
    assert army[4] == "F"
    assert Counter(army) == Counter(ARMY)
    desk.get_by_role("button", name="Mirror").click()
    assert written(desk)[5] == "F"
    desk.get_by_role("button", name="Clear").click()
    expect(desk.get_by_text("40 men to place")).to_be_visible()
    desk.get_by_role("button", name="Undo").click()
    assert written(desk)[5] == "F"


def test_text_goes_in_and_out_and_says_what_is_wrong(desk: Page) -> None:
    paste(desk, ARMY)
    assert written(desk) == ARMY
    original = re.sub(r"[2-9M]", lambda sign: "1" if sign[0] == "M" else str(11 - int(sign[0])), ARMY)
    desk.get_by_role("button", name="Clear").click()
    paste(desk, f"original: {original}")
    assert written(desk) == ARMY
    paste(desk, "FBS")
    expect(desk.get_by_role("alert").filter(has_text="40 signs")).to_be_visible()


def test_armies_are_saved_and_come_back(desk: Page) -> None:
    paste(desk, ARMY)
    desk.get_by_role("button", name="Save").click()
    desk.get_by_label("Name").fill("Ärger & <b>")
    desk.get_by_role("dialog").get_by_role("button", name="Save").click()
    desk.get_by_role("button", name="Clear").click()
    desk.reload()
    desk.get_by_role("button", name="Mine (1)").click()
    desk.get_by_role("button", name="Ärger & <b>", exact=True).click()
    assert written(desk) == ARMY


def test_the_army_in_the_making_survives_a_reload(desk: Page) -> None:
    desk.get_by_role("button", name=tile(desk, "Spy")).click()
    cell(desk, "c2").click()
    desk.reload()
    expect(cell(desk, "c2")).to_have_accessible_name("c2, your spy, 1")


def test_keys_place_and_step_on(desk: Page) -> None:
    cell(desk, "a4").focus()
    for key in "0", "b", "f", "2":
        desk.keyboard.press(key)
    assert written(desk)[30:34] == "MBF2"
    desk.keyboard.press("Escape")
    cell(desk, "b4").focus()
    desk.keyboard.press("Delete")
    desk.keyboard.press("Control+z")
    expect(cell(desk, "b4")).to_have_accessible_name("b4, your bomb, B")


def test_a_walled_in_army_is_warned_of(desk: Page) -> None:
    paste(desk, "F332222222" + "2334444555" + "5666677788" + "BBS9BB" + "M3" + "BB")
    expect(desk.get_by_text("No man of this army can move")).to_be_visible()
    expect(desk.get_by_role("button", name="Play with this army")).to_be_enabled()


def test_my_army_plays_the_ordered_game(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Place my army").click()
    page.get_by_role("button", name=re.compile("Corner keep")).click()
    page.get_by_role("button", name="Ready", exact=True).click()
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing")
    assert {man["square"]: man["rank"] for man in state["men"] if man["seat"] == "red"}["a1"] == 12


def test_by_lot_the_side_is_known_before_placing(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("radio", name="By lot").first.click()
    page.get_by_role("button", name="Place my army").click()
    game_of(page)
    expect(page.get_by_role("heading", name="Place your army")).to_be_visible()
    page.get_by_role("button", name="Fill in").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    settle(page, lambda now: now["phase"] == "playing")
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
