"""A game from the first move to the last, and all that may come between."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import ARMY, cell, choose, game_of, move, my_turn, new_game, play, settle, state_of

pytestmark = pytest.mark.timeout(300)


def test_a_whole_game_to_the_end(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("radio", name=re.compile("^1 gentle")).click()
    page.get_by_role("button", name="Play with a ready army").click()
    over = play(page, 4000)
    assert over["phase"] == "over"
    title = {"red": "Red wins", "blue": "Blue wins", "draw": "A draw"}[over["result"]]
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    # Both armies are open, and the whole game can be walked through from either seat or both.
    expect(page.locator("use[href^='#back-']:visible").locator("xpath=ancestor::*[@role='grid']")).to_have_count(0)
    slider = page.get_by_role("slider", name="Timeline")
    expect(slider).to_have_attribute("aria-valuenow", str(over["ply"]))
    slider.press("Home")
    expect(page.locator(".board .man.blue")).to_have_count(40)
    page.get_by_role("button", name="Red", exact=True).click()
    expect(page.locator(".board use[href='#back-blue']")).to_have_count(40)
    page.get_by_role("button", name="Blue", exact=True).click()
    expect(page.locator(".board use[href='#back-red']")).to_have_count(40)
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "1")
    slider.press("Shift+ArrowRight")
    first = next(ply["ply"] for ply in over["plies"] if ply["outcome"] != "quiet" and ply["ply"] > 1)
    expect(slider).to_have_attribute("aria-valuenow", str(first))
    page.get_by_role("region", name="Moves").get_by_role("button").nth(2).click()
    expect(slider).to_have_attribute("aria-valuenow", "3")
    with page.expect_download() as caught:
        page.get_by_role("button", name="Record").click()
    assert json.loads(caught.value.path().read_text(encoding="utf-8"))
    page.get_by_role("button", name="Rematch, sides swapped").click()
    page.wait_for_function("(old) => !location.hash.includes(old)", arg=over["game"])
    assert state_of(page)["seat"] == "blue"


def test_a_refused_move_says_why(page: Page, url: str) -> None:
    new_game(page, url)
    cell(page, "a1").click()
    expect(page.locator(".toast")).to_have_text(re.compile("Bombs and flags never move"))
    cell(page, "c4").click()
    expect(page.locator(".toast")).to_have_text(re.compile("shut in"))
    cell(page, "e4").click()
    cell(page, "h5").click()
    expect(page.locator(".toast")).to_have_text(re.compile("h5 is a lake"))
    cell(page, "f5").click()
    expect(page.locator(".toast")).to_have_text(re.compile("cannot go from e4 to f5"))
    assert state_of(page)["ply"] == 0
    expect(page.locator('[role="alert"]').first).to_contain_text("cannot go from e4 to f5")
    # The notice goes when its cause is over: the man let go, an enemy man looked at.
    cell(page, "e4").click()
    expect(page.locator(".toast")).to_have_count(0)
    cell(page, "a1").click()
    expect(page.locator(".toast")).to_have_count(1)
    cell(page, "d7").click()
    expect(page.locator(".toast")).to_have_count(0)
    expect(cell(page, "d7")).to_have_class(re.compile("noting"))


def shuttle(page: Page, home: str) -> dict[str, str] | None:
    """Walk one man to and fro three times; the move that is barred then, None where the enemy came between."""
    for turn in range(3):
        state = settle(page, my_turn)
        origin, target = (home, home[0] + "5") if turn % 2 == 0 else (home[0] + "5", home)
        if target not in state["legal"].get(origin, []):
            return None
        move(page, origin, target)
        settle(page, lambda now, before=state["ply"]: now["ply"] > before)  # type: ignore[misc]
    barred: list[dict[str, str]] = settle(page, my_turn)["barred"]
    return next((one for one in barred if one["code"] == "two_square"), None)


def test_the_fourth_time_over_a_line_is_refused_in_words(page: Page, url: str) -> None:
    for home in "a4", "j4", "b4", "i4":
        new_game(page, url)
        barred = shuttle(page, home)
        if barred:
            break
    assert barred, "the enemy came between each time"
    cell(page, barred["from"]).click()
    cell(page, barred["to"]).click()
    expect(page.locator(".toast")).to_have_text(
        f"Not there: that would be time number 4 in a row over the line between {barred['from']} and {barred['to']}."
    )
    assert state_of(page)["ply"] == 6


def test_an_impatient_double_click_sends_one_move(page: Page, url: str) -> None:
    new_game(page, url)
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    page.reload()
    state = settle(page, my_turn)
    origin, target = choose(state)
    cell(page, origin).click()
    cell(page, target).dblclick()
    settle(page, lambda now: now["ply"] >= 2)
    assert len([frame for frame in sent if '"move"' in frame]) == 1
    assert state_of(page)["plies"][0]["from"] == origin


def test_reload_in_mid_game_keeps_everything(page: Page, url: str) -> None:
    new_game(page, url)
    play(page, 8)
    foe = page.locator(".sq:has(use[href='#back-blue']) .cell").first
    square = foe.get_attribute("data-sq") or ""
    foe.click(button="right")
    page.get_by_role("button", name="Note: bomb, B").click()
    expect(cell(page, square)).to_have_accessible_name(re.compile("your note: bomb"))
    drawn = page.locator(".board").inner_html()
    page.reload()
    expect(cell(page, square)).to_have_accessible_name(re.compile("your note: bomb"))
    expect(page.get_by_role("region", name="Moves").locator("tbody tr")).to_have_count(4)
    assert strip(page.locator(".board").inner_html()) == strip(drawn)


def strip(html: str) -> str:
    """A board without what the reader moves: the tab stop, and the ring round the square whose note is open."""
    return re.sub(r'tabindex="-?\d"', "", html).replace(" noting", "")


def test_two_tabs_show_one_game(page: Page, url: str) -> None:
    new_game(page, url)
    second = page.context.new_page()
    second.goto(page.url)
    expect(page.get_by_text("Open in another tab too; both are live.")).to_be_visible()
    state = settle(page, my_turn)
    origin, target = choose(state)
    move(page, origin, target)
    expect(second.get_by_role("region", name="Moves").locator("tbody tr").first).to_contain_text(origin)
    second.close()
    expect(page.get_by_text("Open in another tab too; both are live.")).to_have_count(0)


def test_resigning_is_asked_once_and_in_place(page: Page, url: str) -> None:
    new_game(page, url)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Play on").click()
    assert state_of(page)["phase"] == "playing"
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="Blue wins")).to_be_visible()
    expect(page.get_by_text("You gave up, at ply 0.", exact=True)).to_be_visible()


def test_a_draw_is_offered_and_lapses_or_ends_the_game(page: Page, url: str) -> None:
    new_game(page, url)
    page.get_by_role("button", name="Offer draw").click()
    settle(page, lambda now: now["phase"] == "over" or not now["may_offer"] or now["offer"] is None)
    state = state_of(page)
    if state["phase"] == "over":
        expect(page.get_by_role("heading", name="A draw")).to_be_visible()
    else:
        expect(page.locator(".toast")).to_have_text(re.compile("declined the draw|has not answered|has lapsed"))
        state = settle(page, lambda now: now["offer"] is None)
        expect(page.locator(".toast")).to_have_text(re.compile("Blue declined the draw"))
        expect(page.locator('[role="status"]').first).to_contain_text("declined")
        play(page, state["ply"] + 2)
        assert state_of(page)["offer"] is None
        expect(page.locator(".toast")).to_have_count(0)


def test_a_clock_runs_for_the_side_on_turn(page: Page, url: str) -> None:
    new_game(
        page, url, clock={"kind": "fischer", "main_ms": 600_000, "add_ms": 5_000, "cap_ms": None, "setup_ms": None}
    )
    clock = page.get_by_role("timer", name="Clock: You")
    expect(clock).to_have_text(re.compile(r"^(10:00|9:5\d)$"))
    expect(clock).to_have_class(re.compile("run"))
    expect(clock).to_have_text(re.compile(r"^9:5\d$"))


def test_the_time_of_a_move_runs_and_is_whole_for_the_side_that_waits(page: Page, url: str) -> None:
    new_game(page, url, clock={"kind": "per-move", "main_ms": 0, "add_ms": 0, "cap_ms": 60_000, "setup_ms": None})
    clock = page.get_by_role("timer", name="Clock: You")
    expect(page.get_by_role("timer", name="Clock: House player")).to_have_text("1:00")
    expect(clock).to_have_text("0:57")
    # A fresh page reads the rest of the move, not the whole of it.
    page.reload()
    expect(clock).to_have_text(re.compile(r"^0:5[0-7]$"))


def test_a_choice_made_in_another_tab_counts_at_once(page: Page, url: str) -> None:
    new_game(page, url)
    second = page.context.new_page()
    second.goto(f"{url}/#/deploy")
    second.get_by_role("button", name="Settings").click()
    for words, figure in ("10 is the marshal", "10"), ("1 is the marshal", "1"):
        second.get_by_role("button", name=re.compile(f"^{words}")).click()
        marshal = next(man["square"] for man in state_of(page)["men"] if man["rank"] == 10)
        expect(cell(page, marshal)).to_have_accessible_name(re.compile(f"your marshal, {figure}$"))


@pytest.mark.parametrize("size", [(1440, 900), (1180, 820), (820, 1180), (390, 844)], ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("variant", ["classic", "micro"])
def test_the_end_fits_every_board(opened: Opened, url: str, size: tuple[int, int], variant: str) -> None:
    page = opened(*size)
    new_game(page, url, variant=variant, army=ARMY if variant == "classic" else "FSM2")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="Blue wins")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name=re.compile("^Rematch"))).to_be_in_viewport(ratio=1)
    boxes = [page.locator(what).bounding_box() for what in (".time", ".board")]
    time, board = (box for box in boxes if box is not None)
    assert time["x"] >= 0
    assert time["x"] + time["width"] <= size[0]
    for rail in page.locator("aside.rail").all():
        box = rail.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= time["x"] or box["x"] >= time["x"] + time["width"]
    if size[0] > 390:
        assert abs(time["x"] + time["width"] / 2 - board["x"] - board["width"] / 2) < 14


def test_my_games_lead_back(page: Page, url: str) -> None:
    game = new_game(page, url)
    page.goto(f"{url}/#/games")
    page.get_by_role("link", name=re.compile("Classic, Level 1")).first.click()
    assert game_of(page) == game


def test_an_unknown_game_is_said_plainly(opened: Opened) -> None:
    page = opened(path="/#/game/AAAAAAAAAAAA", allowed=("404",))
    expect(page.get_by_role("heading", name="No such game")).to_be_visible()
    page.get_by_role("link", name="To the first page").click()
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()
