"""Paired worlds in the document of those who look on: games that they cannot tell apart draw the very same bytes."""

from __future__ import annotations

import json
import re
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from flagfall.check.twins import Script, leaks, random_script, twins
from flagfall.play.record import Terms
from flagfall.play.referee import Referee
from flagfall.rules.board import Seat, parse_square
from flagfall.rules.catalog import CLASSIC
from flagfall.server import watched
from flagfall.server.journal import WatchTerms
from flagfall.server.ledger import Ledger
from flagfall.server.watching import Showing
from flagfall.wire.sitters import NOBODY
from tests.page.test_twins import Plant

pytestmark = pytest.mark.timeout(200)
CODE = "w" * 24
PLIES = (0, 12, 40)


def told(script: Script) -> dict[str, Any]:
    """What the server tells a watcher of a game as it goes on."""
    referee = Referee(Terms(variant=script.variant, game="twin"), secret=bytes(32), now_ms=0)
    for one in Seat:
        referee.deploy(one, script.army(one), 0)
    for move in script.moves:
        assert referee.turn is not None
        referee.move(referee.turn, move, 0)
    ledger = SimpleNamespace(
        record=SimpleNamespace(terms=referee.terms),
        watch=WatchTerms(10),
        summary=SimpleNamespace(level=""),
        against="friend",
        complete=True,
        placed=script.army,
        need=lambda: referee,
    )
    frame = watched.told(cast(Ledger, ledger), Showing("public", referee.ply, (False, False)), NOBODY, None, 0, 0)
    found: dict[str, Any] = json.loads(msgspec.json.encode(frame))
    # A digest is a random word to everybody, but to a comparison of bytes it is another one.
    found["sealed"] = {"red": "0" * 64, "blue": "0" * 64}
    return found


class Looked:
    """An outlet: the whole document of a watcher at some plies of a game."""

    def __init__(self, page: Page, url: str, plant: Plant | None = None) -> None:
        self.page, self.url, self.plant = page, url, plant
        self.state = ""
        page.route(f"**/api/watch/{CODE}", self.answer)
        page.route_web_socket(re.compile(f"/api/watch/{CODE}/socket"), self.speak)

    def answer(self, route: Route) -> None:
        route.fulfill(body=json.dumps({"game": "twin", "seat": None}), content_type="application/json")

    def speak(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: None)
        socket.send(self.state)

    def __call__(self, script: Script) -> bytes:
        pages = []
        for plies in PLIES:
            cut = script.until(plies)
            state = told(cut)
            if self.plant:
                self.plant(state, cut)
            self.state = json.dumps(state)
            self.page.goto("about:blank")
            self.page.goto(f"{self.url}/#/watch/{CODE}")
            expect(self.page.locator(".board .man").first).to_be_visible()
            pages.append(self.page.content())
        # The digests that are kept to hold the record against them are all that stays.
        pages.append(self.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])"))
        return re.sub(r'\\"at\\":\d+', "", "\n".join(pages)).encode()


@pytest.mark.parametrize("seat", list(Seat), ids=["blue differs", "red differs"])
def test_watchers_of_twins_see_the_same_document(page: Page, url: str, seat: Seat) -> None:
    script = random_script(CLASSIC, Random(11), max(PLIES))
    others = twins(script, seat, 2, Random(12))
    assert len(others) == 2
    assert leaks(script, Looked(page, url), others) == []


def _ranks(state: dict[str, Any], script: Script) -> None:
    """The planted leak: the ranks of hidden men, told."""
    for man in state["men"]:
        if man["rank"] is None:
            man["rank"] = int(script.army(Seat.of(man["seat"])).ranks[parse_square(man["id"])])


def test_a_planted_leak_is_found(page: Page, url: str) -> None:
    script = random_script(CLASSIC, Random(11), max(PLIES))
    others = twins(script, Seat.RED, 2, Random(12))
    assert leaks(script, Looked(page, url, _ranks), others) != []
