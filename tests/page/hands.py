"""What a person does on the page, as short verbs for the tests."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

ARMY = "FB3243B322B53B74S5324B62895B742567M26862"
State = dict[str, Any]


def cell(page: Page, square: str) -> Locator:
    """The button of a square."""
    return page.locator(f'[data-sq="{square}"]')


def game_of(page: Page) -> str:
    """The id of the game in the address."""
    page.wait_for_url(re.compile(r"#/game/"))
    return page.url.rsplit("/", 1)[-1]


def state_of(page: Page) -> State:
    """The game's state as the server tells this browser's seat."""
    found: State = page.request.get(
        f"{page.url.split('/#')[0].split('?')[0].rstrip('/')}/api/games/{game_of(page)}"
    ).json()
    return found


def new_game(page: Page, url: str, **order: Any) -> str:
    """Order a game over HTTP as this browser's guest, and open it."""
    page.request.get(f"{url}/api/hello")
    asked: dict[str, Any] = {
        "variant": "classic",
        "law": {},
        "level": "level-1",
        "seat": "red",
        "first": "red",
        "clock": None,
        "army": ARMY,
    }
    made = page.request.post(f"{url}/api/games", data={**asked, **order})
    assert made.ok, made.text()
    game = str(made.json()["game"])
    page.goto(f"{url}/#/game/{game}")
    if order.get("army", ARMY):
        expect(page.get_by_text("your move", exact=False).first).to_be_visible()
    return game


def settle(page: Page, done: Callable[[State], bool], seconds: float = 20) -> State:
    """Wait until the server's state is as wished."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        state = state_of(page)
        if done(state):
            return state
        page.wait_for_timeout(25)
    raise AssertionError("the state never came")


def my_turn(state: State) -> bool:
    return bool(state["phase"] == "over" or state["turn"] == state["seat"])


def choose(state: State) -> tuple[str, str]:
    """A move of a person in a hurry: towards men that have not moved, against weaker men, boldly at the rest."""
    men = {man["square"]: man for man in state["men"] if man["square"]}
    still = [
        square for square, man in men.items() if man["seat"] != state["seat"] and not man["moved"] and man["rank"] != 11
    ]
    foes = still or [square for square, man in men.items() if man["seat"] != state["seat"]]

    def away(square: str) -> int:
        return min((abs(ord(square[0]) - ord(foe[0])) + abs(int(square[1:]) - int(foe[1:])) for foe in foes), default=0)

    def worth(origin: str, target: str) -> float:
        mine, met = men[origin]["rank"], men.get(target)
        chance = (zlib.crc32(f"{origin}{target}{state['ply']}".encode()) % 97) / 97
        value = 0.6 * (away(origin) - away(target)) + 0.8 * chance
        if met is None:
            return value
        if met["rank"] is None:
            return value + (4 if not met["moved"] and mine != 10 else 3 if mine >= 6 else 1)
        if met["rank"] >= 11:
            return value + (99 if met["rank"] == 12 else 7 if mine == 3 else -12)
        return value + (6 if mine > met["rank"] else -8)

    moves = [
        (worth(origin, target), origin, target) for origin, targets in state["legal"].items() for target in targets
    ]
    _, origin, target = max(moves)
    return origin, target


def move(page: Page, origin: str, target: str) -> None:
    """Pick and place with the pointer."""
    cell(page, origin).click()
    cell(page, target).click()


def play(page: Page, plies: int) -> State:
    """Play on with the pointer until so many plies are played or the game is over."""
    page.bring_to_front()
    while True:
        state = settle(page, my_turn)
        if state["phase"] == "over" or state["ply"] >= plies:
            return state
        origin, target = choose(state)
        # The page may still be drawing the enemy's ply; it takes the man in hand only once it is our move there too.
        page.locator(f'.cell.mine[data-sq="{origin}"]').wait_for()
        for square in (origin, target):
            page.mouse.click(*middle(page, square))
        settle(page, lambda now, before=state["ply"]: now["ply"] > before)  # type: ignore[misc]


def middle(page: Page, square: str) -> tuple[float, float]:
    """The point of the window in the middle of a square."""
    box = cell(page, square).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
