"""Paired worlds on the page: games that a seat cannot tell apart draw the very same document, byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from flagfall.check.twins import Script, random_script, twins
from flagfall.rules.board import Seat, origin, square_name, target
from flagfall.rules.catalog import CLASSIC
from flagfall.rules.notation import move_text
from tests.page.hands import middle, new_game, settle

ROOT = Path(__file__).resolve().parents[2]
PLIES = 16
NUMBERS = count()


@contextmanager
def server_of(script: Script, seat: Seat, folder: Path, *, leak: bool) -> Iterator[str]:
    """A server on which the other side plays its part of the script."""
    place = folder / str(next(NUMBERS))
    place.mkdir(mode=0o700)
    command = [sys.executable, "-m", "tests.page.paired", str(place), "leak" if leak else "tight"]
    moves = [move_text(move) for move in script.moves][1 - seat :: 2]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"army": script.army(seat.other).text(), "moves": moves}) + "\n")
        process.stdin.flush()
        yield process.stdout.readline().strip()
        process.stdin.close()


def documents(browser: Browser, script: Script, seat: Seat, folder: Path, *, leak: bool = False) -> list[str]:
    """Everything the page holds whenever it is this seat's turn: the document, what is stored, what is read aloud."""
    with server_of(script, seat, folder, leak=leak) as url:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce", locale="en-GB")
        page = context.new_page()
        new_game(page, url, army=script.army(seat).text(), seat=seat.word, level="random")
        found = []
        for number in range(seat, len(script.moves), 2):
            settle(page, lambda state, ply=number: state["ply"] >= ply)  # type: ignore[misc]
            found.append(still(page).replace(url, "here"))
            move = script.moves[number]
            for square in (square_name(origin(move)), square_name(target(move))):
                page.mouse.click(*middle(page, square))
        context.close()
    return found


def still(page: Page) -> str:
    """The page once nothing in it changes any more."""
    held = ""
    for _ in range(100):
        page.wait_for_timeout(80)
        kept: str = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, history.state])")
        now = page.content() + kept
        if now == held:
            return now
        held = now
    raise AssertionError("the page never comes to rest")


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("seat", "seed"), [(Seat.RED, 1), (Seat.BLUE, 2)])
def test_twins_draw_the_same_document(browser: Browser, seat: Seat, seed: int, tmp_path: Path) -> None:
    script = random_script(CLASSIC, Random(seed), PLIES)
    others = twins(script, seat, 3, Random(seed))
    assert (len(script.moves), len(others)) == (PLIES, 3)
    drawn = documents(browser, script, seat, tmp_path)
    assert len(drawn) == PLIES // 2
    assert len(set(drawn)) == len(drawn)
    for other in others:
        assert documents(browser, other, seat, tmp_path) == drawn


def test_a_planted_leak_is_drawn(browser: Browser, tmp_path: Path) -> None:
    """Without this nobody would know that the test above can fail."""
    script = random_script(CLASSIC, Random(1), 4)
    first = next(iter(script.blue.ranks))
    others = [
        twin for twin in twins(script, Seat.RED, 40, Random(1)) if twin.blue.ranks[first] != script.blue.ranks[first]
    ]
    here, there = (documents(browser, world, Seat.RED, tmp_path, leak=True) for world in (script, others[0]))
    assert here != there
