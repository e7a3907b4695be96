"""A player's page in the browser: ratings that a game has made, results, and no way to the armies."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.conftest import Opened
from tests.page.test_access import clean
from tests.page.test_account import enter, fill
from tests.page.test_sizes import fits

WORDS = "correct horse battery"
ARMY = "FB3243B322B53B74S5324B62895B742567M26862"
ORDER = {"variant": "classic", "level": None, "against": "friend", "rated": True, "army": ARMY}
POST = """async ([path, body]) => {
    const how = {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)};
    const told = await fetch(path, how);
    return told.status === 204 ? null : await told.json();
}"""


def test_a_rated_game_is_seen_on_both_pages(opened: Opened, url: str) -> None:
    anna, ben = opened(), opened(390, 844)
    for page, name in ((anna, "Rosa"), (ben, "Viktor")):
        enter(page, url)
        fill(page, name, WORDS, "New account")
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    game = anna.evaluate(POST, ["/api/games", ORDER])["game"]
    code = anna.evaluate(f"fetch('/api/games/{game}').then((told) => told.json())")["invite"]
    ben.evaluate(POST, [f"/api/invitations/{code}/join", {}])
    ben.evaluate(POST, [f"/api/games/{game}/army", {"army": ARMY}])
    ben.goto(f"{url}/#/game/{game}")
    expect(ben.get_by_text("Rosa").first).to_be_visible()
    ben.evaluate(POST, [f"/api/bot/games/{game}/deed", {"type": "resign", "id": "r"}])
    for page in (anna, ben):
        page.goto(f"{url}/#/game/{game}")
        if page is ben:
            page.get_by_role("tab", name="Result").click()
        expect(page.locator(".moved .rating")).to_have_text([re.compile(r"^1\d\d\d\?$")] * 4)
        clean(page, "a result with ratings")
        fits(page, "a result with ratings")
    anna.goto(f"{url}/#/player/Rosa")
    expect(anna.get_by_role("heading", name="Rosa")).to_be_visible()
    expect(anna.get_by_role("link", name="Viktor").first).to_be_visible()
    clean(anna, "one's own page")
    fits(anna, "one's own page")
    anna.get_by_role("link", name="Viktor").first.click()
    expect(anna.get_by_role("heading", name="Viktor")).to_be_visible()
    ben.goto(f"{url}/#/player/Rosa")
    expect(ben.get_by_role("heading", name="Rosa")).to_be_visible()
    expect(ben.get_by_text(re.compile(r"1[5-9]\d\d")).first).to_be_visible()
    assert game not in ben.get_by_role("main").inner_html(), "by its id the armies of a game open"
    clean(ben, "another's page on a phone")
    fits(ben, "another's page on a phone")
    # At the next table both strips tell how their seats are rated.
    again = anna.evaluate(POST, ["/api/games", ORDER])["game"]
    code = anna.evaluate(f"fetch('/api/games/{again}').then((told) => told.json())")["invite"]
    ben.evaluate(POST, [f"/api/invitations/{code}/join", {}])
    ben.evaluate(POST, [f"/api/games/{again}/army", {"army": ARMY}])
    for page in (anna, ben):
        page.goto(f"{url}/#/game/{again}")
        expect(page.locator(".strip .rating")).to_have_text([re.compile(r"^1\d\d\d\?$")] * 2)
        clean(page, "a table with ratings")
        fits(page, "a table with ratings")
