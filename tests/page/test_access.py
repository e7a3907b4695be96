"""Every screen, light and dark, without a finding of axe; and the contrasts of the tokens computed anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.page.conftest import Opened
from tests.page.hands import cell, new_game, play

pytestmark = pytest.mark.timeout(200)
TOKENS = Path(__file__).resolve().parents[2] / "frontend" / "src" / "look" / "tokens.css"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def clean(page: Page, where: str) -> None:
    page.wait_for_timeout(60)
    found = Axe().run(page, options=RULES).response["violations"]
    assert [(where, one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found] == []


@pytest.mark.parametrize(
    ("size", "dark"),
    [
        pytest.param((1440, 900), False, id="desk-light"),
        pytest.param((390, 844), True, id="phone-dark"),
        pytest.param((1440, 900), True, id="desk-dark", marks=pytest.mark.soak),
        pytest.param((390, 844), False, id="phone-light", marks=pytest.mark.soak),
    ],
)
def test_no_screen_has_a_finding(opened: Opened, url: str, size: tuple[int, int], dark: bool) -> None:
    page = opened(*size, dark=dark)
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()
    clean(page, "new game")
    page.get_by_role("button", name="Add a rule").click()
    clean(page, "house rules")
    page.keyboard.press("Escape")
    clean(page, "home")
    for path in "/#/rules", "/#/games", "/#/hall", "/#/deploy":
        page.goto(url + path)
        expect(page.get_by_role("heading").first).to_be_visible()
        clean(page, path)
    page.get_by_role("button", name="Fill in").click()
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="As text").click()
    clean(page, "as text")
    new_game(page, url)
    cell(page, "e4").click()
    cell(page, "e9").click(button="right")
    clean(page, "play")
    page.get_by_role("button", name="Resign").last.click()
    clean(page, "resign?")
    page.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="Blue wins")).to_be_visible()
    clean(page, "replay")
    page.goto(f"{url}/#/games")
    expect(page.get_by_role("link", name=re.compile("Classic")).first).to_be_visible()
    clean(page, "games")


def test_settings_and_keys_have_no_finding(page: Page, url: str) -> None:
    new_game(page, url)
    play(page, 2)
    page.get_by_role("button", name="Settings").click()
    clean(page, "settings")
    page.keyboard.press("Escape")
    cell(page, "e1").press("?")
    clean(page, "keys")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# fmt: off
PAIRS = [
    ("ink", "paper", 4.5), ("ink2", "paper", 4.5), ("ink2", "sheet", 4.5), ("ink2", "raised", 4.5),
    ("on-accent", "accent", 4.5), ("accent", "field-a", 3), ("accent", "field-b", 3), ("accent", "paper", 4.5),
    ("gold", "field-a", 3), ("gold", "field-b", 3), ("ink", "gold-soft", 4.5), ("danger", "sheet", 4.5),
    ("danger", "danger-soft", 4.5), ("red-ink", "red", 4.5), ("blue-ink", "blue", 4.5), ("red-edge", "field-a", 3),
    ("blue-edge", "field-b", 3), ("red-text", "sheet", 4.5), ("blue-text", "sheet", 4.5), ("note-ink", "note", 4.5),
    ("lake-edge", "field-b", 3), ("edge", "raised", 3), ("edge", "paper", 3), ("ink", "accent-soft", 4.5),
    ("ink", "danger-soft", 4.5),
]
# fmt: on


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrasts_hold(theme: str) -> None:
    text = TOKENS.read_text(encoding="utf-8")
    blocks = {"light": text.split("@media")[0], "dark": text[text.index(':root[data-theme="dark"]') :]}
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[theme]))
    found = {(one, two): contrast(colours[one], colours[two]) - need for one, two, need in PAIRS}
    assert {pair: slack for pair, slack in found.items() if slack < 0} == {}


def test_both_dark_blocks_are_one() -> None:
    text = TOKENS.read_text(encoding="utf-8")
    blocks = re.findall(r"\{([^{}]*color-scheme: dark[^{}]*)\}", text)
    assert len(blocks) == 2
    assert " ".join(blocks[0].split()) == " ".join(blocks[1].split())
