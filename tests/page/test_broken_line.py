"""The server away and back again: a plain message, a retry, nothing lost and nothing doubled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.page.conftest import Opened, Serving
from tests.page.hands import choose, move, my_turn, new_game, play, settle, state_of

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Serving]:
    """A server that a test may end and start again."""
    serving = Serving(tmp_path / "home")
    serving.start()
    yield serving
    serving.stop()


def test_a_restarted_server_finds_the_game_where_it_was(lone: Serving, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    new_game(page, lone.url)
    before = play(page, 4)
    lone.stop()
    bar = page.get_by_text("No answer from the server. Your army is kept.")
    expect(bar).to_be_visible()
    expect(page.locator(".boardwrap.dim")).to_have_count(1)
    expect(page.get_by_text(re.compile(r"Next try in \d+ s\.|Trying"))).to_be_visible()
    page.get_by_role("button", name="Try now").click()
    expect(bar).to_be_visible()
    lone.start()
    expect(bar).to_have_count(0, timeout=15_000)
    after = settle(page, my_turn)
    assert after["plies"][: before["ply"]] == before["plies"]
    origin, target = choose(after)
    move(page, origin, target)
    settle(page, lambda now: now["ply"] > after["ply"])
    context.close()


def test_an_army_in_the_making_outlives_the_server(opened: Opened, url: str) -> None:
    page = opened(1440, 900, path="/#/deploy", allowed=("net::ERR_FAILED",))
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_role("button", name="Play with this army")).to_be_visible()
    army = page.evaluate("localStorage.getItem('flagfall.drafts')")
    page.route("**/api/**", lambda route: route.abort())
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    page.unroute("**/api/**")
    page.reload()
    expect(page.get_by_role("button", name="Play with this army")).to_be_visible()
    assert page.evaluate("localStorage.getItem('flagfall.drafts')") == army


def test_a_lost_order_is_sent_again_and_played_once(page: Page, url: str) -> None:
    frames: list[str] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def out(frame: str | bytes) -> None:
            frames.append(str(frame))
            moves = [one for one in frames if '"move"' in one]
            if '"move"' in str(frame) and len(moves) == 1:
                socket.close()  # the first try never arrives
                server.close()
            else:
                server.send(frame)

        socket.on_message(out)

    page.route_web_socket(re.compile(r"/socket"), between)
    new_game(page, url)
    state = settle(page, my_turn)
    origin, target = choose(state)
    move(page, origin, target)
    now = settle(page, lambda later: later["ply"] >= 2)
    moves = [re.search(r'"id":"(\w+)"', one) for one in frames if '"move"' in one]
    assert len(moves) == 2
    assert len({found[1] for found in moves if found}) == 1
    assert [ply["from"] for ply in now["plies"]].count(origin) == 1
    assert state_of(page)["ply"] == now["ply"] or state_of(page)["ply"] == now["ply"] + 1
