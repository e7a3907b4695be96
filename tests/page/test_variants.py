"""The family of games in the browser: chosen, placed, played to their ends, with house rules and games of one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from flagfall.check.twins import leaks, random_script, twins
from flagfall.rules.board import Seat
from flagfall.rules.catalog import VARIANTS
from tests.page.conftest import Opened
from tests.page.hands import cell, choose, game_of, my_turn, new_game, settle, state_of
from tests.page.test_access import clean
from tests.page.test_sizes import fits
from tests.page.test_twins import PLIES, Drawn

pytestmark = pytest.mark.timeout(300)
ON_THE_DESK = ("classic", "barrage", "duel", "micro", "ultimate-lightning")
"""One game of every size of board, and the one that asks for a rescue; a narrow window is tried with all of them."""
OWN: dict[str, Any] = {
    "format": "flagfall-variant-1",
    "name": "two-ponds",
    "about": "A small game with two ponds.",
    "board": ["bbbbbb", "bbbbbb", "..~...", "...~..", "rrrrrr", "rrrrrr"],
    "army": {"flag": 1, "bomb": 2, "spy": 1, "scout": 3, "miner": 2, "marshal": 1},
    "law": {"bomb_once": True},
}


def pick_game(page: Page, name: str) -> None:
    """Choose a game in the dialogue by its card."""
    page.locator("label.game", has_text=re.compile(rf"^\s*{name}\s*\d")).click()


def army_of(page: Page, url: str, variant: str, seat: str = "red") -> str:
    page.request.get(f"{url}/api/hello")
    asked = {"variant": variant, "seat": seat}
    return str(page.request.post(f"{url}/api/armies/random", data=asked).json()["army"])


def wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"))


def test_every_game_is_offered_by_its_board(page: Page, url: str) -> None:
    page.goto(url)
    cards = page.locator("label.game")
    expect(cards).to_have_count(len(VARIANTS))
    for name in VARIANTS:
        page.locator(f'input[name="game"][value="{name}"]').check(force=True)
        about = page.locator(".about p").first.inner_text()
        assert len(about) > 40, name
        assert page.locator(f'label.game:has(input[value="{name}"]) b').inner_text().strip() != name
    page.locator('input[value="classic"]').check(force=True)
    page.keyboard.press("ArrowRight")
    expect(page.locator('input[value="original"]')).to_be_checked()
    page.get_by_label("Clock").select_option("usual")
    page.get_by_role("button", name="Play with a ready army").click()
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing")
    assert (state["variant"]["name"], state["clock"]["kind"]) == ("original", "bronstein")


def tap_through(page: Page, plies: int) -> dict[str, Any]:
    """Play by tapping until so many plies are played or the game is over."""
    while True:
        state = settle(page, my_turn)
        if state["phase"] == "over" or state["ply"] >= plies:
            return state
        origin, target = choose(state)
        page.locator(f'.cell.mine[data-sq="{origin}"]').wait_for()
        cell(page, origin).tap()
        cell(page, target).tap()
        settle(page, lambda now, before=state["ply"]: now["ply"] > before)  # type: ignore[misc]


def test_barrage_on_a_phone_from_the_dialogue_to_the_replay(opened: Opened) -> None:
    page = opened(390, 844, touch=True)
    pick_game(page, "Barrage")
    page.get_by_role("radio", name=re.compile("gentle")).tap()
    page.get_by_role("button", name="Place my army").tap()
    expect(page.get_by_role("button", name="8 men to place")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Flag,")).tap()
    cell(page, "j1").tap()
    page.get_by_role("button", name=re.compile("^Marshal,")).tap()
    cell(page, "d3").tap()
    page.get_by_role("button", name="Fill in").tap()
    ready = page.get_by_role("button", name="Ready", exact=True)
    expect(ready).to_be_visible()
    expect(cell(page, "j1")).to_have_accessible_name("j1, your flag, F")
    assert page.locator(".sq .man").count() == 8
    # A man may still go to any of the 32 empty squares.
    free = next(square for square in ("a2", "b2", "e2") if not cell(page, square).locator(".man").count())
    cell(page, "d3").tap()
    cell(page, free).tap()
    expect(cell(page, free)).to_have_accessible_name(re.compile("your marshal"))
    assert not wide(page)
    ready.tap()
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing")
    assert sum(man["seat"] == "blue" for man in state["men"]) == 8
    clean(page, "barrage on a phone")
    assert not wide(page)
    state = tap_through(page, 400)
    if state["phase"] != "over":
        page.get_by_role("button", name="Resign").tap()
        page.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").tap()
    expect(page.get_by_role("slider")).to_be_visible()
    assert not wide(page)
    page.get_by_role("slider").press("Home")
    assert page.locator(".sq .man").count() == 16
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "Before the first move")
    page.get_by_role("tab", name="Men left").tap()
    expect(page.get_by_role("table", name="Men left").locator("tbody tr")).to_have_count(7)


def test_quick_battle_by_keyboard_to_its_end(page: Page, url: str) -> None:
    page.goto(url)
    page.locator('input[value="classic"]').focus()
    for _ in range(list(VARIANTS).index("quick-battle")):
        page.keyboard.press("ArrowRight")
    expect(page.locator('input[value="quick-battle"]')).to_be_checked()
    page.get_by_role("radio", name=re.compile("gentle")).press("Enter")
    page.get_by_role("button", name="Place my army").press("Enter")
    expect(page.get_by_role("button", name="10 men to place")).to_be_visible()
    cell(page, "a2").focus()
    for key in "0", "9", "2", "2", "3", "3", "s":
        page.keyboard.press(key)
    cell(page, "d1").focus()
    for key in "b", "f", "b":
        page.keyboard.press(key)
    ready = page.get_by_role("button", name="Ready", exact=True)
    ready.press("Enter")
    game_of(page)
    for _ in range(120):
        state = settle(page, my_turn)
        if state["phase"] == "over":
            break
        origin, target = choose(state)
        page.locator(f'.cell.mine[data-sq="{origin}"]').wait_for()
        page.locator('.board [tabindex="0"]').focus()
        for square in (origin, target):
            page.keyboard.type(square)
            page.keyboard.press("Enter")
        settle(page, lambda now, before=state["ply"]: now["ply"] > before)  # type: ignore[misc]
    # A scout may find a flag at once.
    assert state["phase"] == "over" or state["ply"] > 100
    if state["phase"] == "over":
        expect(page.get_by_role("slider")).to_be_visible()
        assert page.locator('.board [tabindex="0"]').count() == 1


def battle_words(page: Page) -> Locator:
    return page.get_by_role("region", name="Last battle")


def test_electronic_tells_who_won_and_no_rank(page: Page, url: str) -> None:
    new_game(page, url, variant="electronic", army=army_of(page, url, "electronic"))
    state: dict[str, Any] = {}
    seen = 0
    for _ in range(60):
        state = settle(page, my_turn)
        if state["phase"] == "over":
            break
        fought = [ply for ply in state["plies"] if ply["outcome"] not in ("quiet", "flag")]
        if len(fought) > seen:
            seen = len(fought)
            last = fought[-1]
            # A scout who ran to his battle has told his rank by running (R7).
            assert last["defender"] is None
            assert last["attacker"] in (None, 2)
            expect(battle_words(page)).to_contain_text(f"{last['seat'].capitalize()}’s attack on {last['to']}")
            # One's own man is named, the other one only where the board has told him already.
            faces = battle_words(page).locator(".man use[href^='#man-']")
            own = 1 if last["seat"] == "red" or last["outcome"] != "quiet" else 0
            assert own <= faces.count() <= 2
        known = {man["square"] for man in state["men"] if man["seat"] == "blue" and man["rank"] and man["square"]}
        drawn = page.locator(".board .man.blue:has(use[href^='#man-'])")
        expect(drawn).to_have_count(len(known))
        origin, target = choose(state)
        page.locator(f'.cell.mine[data-sq="{origin}"]').wait_for()
        cell(page, origin).click()
        cell(page, target).click()
        settle(page, lambda now, before=state["ply"]: now["ply"] > before)  # type: ignore[misc]
    assert seen > 3
    if state["phase"] != "over" and state["hidden_fallen"]["blue"]:
        expect(page.get_by_text(re.compile("Blue m[ae]n fell unseen")).first).to_be_visible()
        cell(page, "a1").focus()
        page.keyboard.press("w")
        expect(page.locator('[role="status"]').first).to_contain_text("Blue has at most these.")


@pytest.mark.parametrize(
    ("size", "name"),
    [pytest.param((390, 844), name, id=f"phone-{name}") for name in VARIANTS]
    + [
        pytest.param((1440, 900), name, id=f"desk-{name}", marks=[] if name in ON_THE_DESK else [pytest.mark.soak])
        for name in VARIANTS
    ],
)
def test_every_game_is_placed_and_played_without_a_spill(
    opened: Opened, url: str, name: str, size: tuple[int, int]
) -> None:
    page = opened(*size, touch=size[0] < 1000, path="/#/rules")
    page.evaluate("name => localStorage.setItem('flagfall.order', JSON.stringify({ variant: name }))", name)
    page.goto(f"{url}/#/deploy")
    page.reload()
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_role("button", name="Play with this army")).to_be_visible()
    assert page.locator(".sq .man").count() == VARIANTS[name].men
    expect(page.locator(".thumb").first).to_be_visible()
    fits(page, f"{name}: placing")
    clean(page, f"{name}: placing")
    new_game(page, url, variant=name, army=army_of(page, url, name), seat="blue", first="blue")
    assert page.locator(".board .sq").count() == VARIANTS[name].width * VARIANTS[name].height
    state = state_of(page)
    cell(page, next(iter(state["legal"]))).click()
    fits(page, f"{name}: a man in hand")
    clean(page, f"{name}: a man in hand")
    assert page.locator('.board [tabindex="0"]').count() == 1


def test_a_game_of_ones_own_comes_from_a_file_and_stays(opened: Opened, tmp_path: Path) -> None:
    page = opened(allowed=("422",))
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(OWN | {"board": ["bbbb", "....", "rrr"]}), encoding="utf-8")
    page.locator('input[type="file"]').set_input_files(bad)
    expect(page.get_by_role("alert").filter(has_text="bad.json")).to_contain_text("Look at the field “board[2]”.")
    bad.write_text('{\n "format": flagfall\n}', encoding="utf-8")
    page.locator('input[type="file"]').set_input_files(bad)
    expect(page.get_by_role("alert").filter(has_text="bad.json")).to_contain_text("Look at line 2")
    good = tmp_path / "good.json"
    good.write_text(json.dumps(OWN), encoding="utf-8")
    page.locator('input[type="file"]').set_input_files(good)
    expect(page.locator('input[value="two-ponds"]')).to_be_checked()
    expect(page.locator(".about")).to_contain_text("A small game with two ponds.")
    page.reload()
    page.get_by_role("button", name="New game").first.click()
    page.locator('input[value="two-ponds"]').check(force=True)
    page.get_by_role("radio", name="Blue").first.click()
    page.get_by_role("button", name="Place my army").click()
    page.get_by_role("button", name="Fill in").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing")
    assert (state["variant"]["name"], state["seat"]) == ("two-ponds", "blue")
    expect(page.get_by_role("button", name="House rule: Bombs burst once")).to_be_visible()
    page.locator(".top").get_by_role("button", name="two-ponds").click()
    expect(page.get_by_role("dialog", name="two-ponds")).to_contain_text("6 by 6 squares, 10 men a side")


def test_house_rules_and_other_counts_are_told_before_and_during(page: Page, url: str) -> None:
    page.goto(url)
    pick_game(page, "Ultimate Lightning")
    expect(page.locator(".about")).to_contain_text("Equal ranks: the attacker wins")
    page.get_by_role("button", name="Add a rule").click()
    page.get_by_role("switch", name=re.compile("^Silent defence")).click()
    expect(page.get_by_role("switch", name=re.compile("^Silent defence"))).to_be_checked()
    page.get_by_role("button", name="One miner more").click()
    page.get_by_role("button", name="Place my army").click()
    title = page.get_by_role("complementary", name="Place your army")
    for rule in (
        "Captains go two squares",
        "2 rescues a game",
        "House rule: Silent defence",
        "House rule: Miner: 3, not 2",
    ):
        expect(title.get_by_role("button", name=rule)).to_be_visible()
    page.get_by_role("button", name="Fill in").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing")
    assert (state["variant"]["law"]["reveal"], state["variant"]["army"]["3"]) == ("silent", 3)
    page.get_by_role("button", name=re.compile("Ultimate Lightning · 4 rules of its own")).click()
    sheet = page.get_by_role("dialog", name="Ultimate Lightning")
    expect(sheet).to_contain_text("Captains go two squares")
    expect(sheet).to_contain_text("Miner: 3, not 2")
    clean(page, "about a game")


def test_in_free_set_up_men_may_stay_in_the_box(page: Page, url: str) -> None:
    page.goto(url)
    pick_game(page, "Free Set-up")
    page.get_by_role("button", name="Place my army").click()
    expect(page.get_by_role("button", name="The flag is still to place")).to_be_visible()
    for name, square in ("Flag", "a1"), ("Scout", "e4"), ("Marshal", "f4"):
        page.get_by_role("button", name=re.compile(f"^{name}, ")).click()
        cell(page, square).click()
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Ready", exact=True).click()
    game_of(page)
    state = settle(page, lambda now: now["phase"] == "playing")
    assert state["left"]["red"] == {str(rank): int(rank in (2, 10, 12)) for rank in range(1, 13)}
    left = page.get_by_role("complementary", name="Men left")
    expect(left).to_contain_text("3 left")
    expect(left).to_contain_text("Blue has at most these.")


@pytest.mark.parametrize(
    ("seat", "policy"),
    [
        pytest.param(seat, policy, id=f"{seat.word}-{policy}", marks=[] if (place + seat) % 2 else [pytest.mark.soak])
        for seat in Seat
        for place, policy in enumerate(["electronic", "silent", "ultimate-lightning", "barrage", "free"])
    ],
)
def test_twins_draw_the_same_document(page: Page, url: str, policy: str, seat: Seat) -> None:
    game = VARIANTS["classic"].with_law(reveal="silent") if policy == "silent" else VARIANTS[policy]
    script = random_script(game, Random(21), max(PLIES))
    others = twins(script, seat, 2, Random(22))
    assert others
    assert leaks(script, Drawn(page, url, seat), others) == []
