"""Paired worlds in the document: games that a seat cannot tell apart draw the very same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from flagfall.check.twins import Script, leaks, random_script, twins
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat
from flagfall.rules.catalog import CLASSIC
from flagfall.server.state import Told, seen

pytestmark = pytest.mark.timeout(200)
Plant = Callable[[dict[str, Any], Script], None]
PLIES = (0, 12, 40)


def told(script: Script, seat: Seat) -> dict[str, Any]:
    """What the server tells a seat of a game."""
    referee = Referee(Terms(variant=script.variant, game="twin"), secret=bytes(32), now_ms=0)
    for one in Seat:
        referee.deploy(one, script.army(one), 0)
    for move in script.moves:
        assert referee.turn is not None
        referee.move(referee.turn, move, 0)
    found: dict[str, Any] = json.loads(msgspec.json.encode(seen(referee, seat, 0, 0, Told(level="level-1"))))
    return found


class Drawn:
    """An outlet: the whole document of a seat, at some plies of a game, notes and a man in hand included."""

    def __init__(self, page: Page, url: str, seat: Seat, plant: Plant | None = None) -> None:
        self.page, self.url, self.seat, self.plant = page, url, seat, plant
        self.state = ""
        page.route("**/api/games/twin", self.answer)
        page.route_web_socket(re.compile("/api/games/twin/socket"), self.speak)

    def answer(self, route: Route) -> None:
        route.fulfill(body=self.state, content_type="application/json")

    def speak(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: None)
        socket.send(self.state)

    def __call__(self, script: Script) -> bytes:
        pages = []
        for plies in PLIES:
            cut = script.until(plies)
            state = told(cut, self.seat)
            if self.plant:
                self.plant(state, cut)
            self.state = json.dumps(state)
            self.page.goto("about:blank")
            self.page.goto(f"{self.url}/#/game/twin")
            expect(self.page.locator(".board .man").first).to_be_visible()
            pages.append(self.page.content())
            foes = self.page.locator(f".board .man.{self.seat.other.word}")
            foes.first.click(button="right", force=True)
            for origin in sorted(state["legal"])[:1]:
                self.page.locator(f'[data-sq="{origin}"]').click()
            pages.append(self.page.content())
        return "\n".join(pages).encode()


def test_twins_draw_the_same_document_with_notes_and_a_man_in_hand(page: Page, url: str) -> None:
    script = random_script(CLASSIC, Random(11), max(PLIES))
    others = twins(script, Seat.RED, 2, Random(12))
    assert len(others) == 2
    assert leaks(script, Drawn(page, url, Seat.RED), others) == []


def _rank_of_a_hidden_man(state: dict[str, Any], script: Script) -> None:
    """The planted leak: one hidden man's rank, told."""
    seat = Seat.of(state["seat"])
    ranks = script.army(seat.other).ranks
    for man in state["men"]:
        if man["rank"] is None:
            man["rank"] = next(
                int(rank) for at, rank in ranks.items() if f"{'abcdefghij'[at % 10]}{at // 10 + 1}" == man["id"]
            )
            # It is enough that it lies there: drawn as a face, named, or hidden in an attribute.


def test_a_planted_leak_is_found(page: Page, url: str) -> None:
    script = random_script(CLASSIC, Random(11), max(PLIES))
    others = twins(script, Seat.RED, 1, Random(12))
    assert leaks(script, Drawn(page, url, Seat.RED, _rank_of_a_hidden_man), others) != []


def test_hidden_men_have_one_markup_and_name_no_rank(page: Page, url: str) -> None:
    draw = Drawn(page, url, Seat.RED)
    draw(random_script(CLASSIC, Random(5), max(PLIES)))
    backs = page.locator(".board .man.blue:has(use[href='#back-blue']):not(:has(.note, .disc))")
    markups = set(backs.evaluate_all("(all) => all.map((one) => one.outerHTML)"))
    assert len(markups) == 1
    assert not re.search(r"man-|rank", next(iter(markups)))
