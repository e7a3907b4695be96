"""Looking on in the browser: two who play, one who watches, one who comes when it is over."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.conftest import Serving
from tests.page.hands import game_of, state_of
from tests.page.test_access import clean
from tests.page.test_friend import guest, ply

pytestmark = pytest.mark.timeout(400)
DELAY = 10


@pytest.fixture
def four(browser: Browser) -> Iterator[tuple[Page, Page, Page, Page]]:
    """Anna and Ben, who play, Carl, who watches on a telephone, and Dora, who comes late."""
    opened = [guest(browser), guest(browser), guest(browser, 390, 844), guest(browser)]
    anna, ben, carl, dora = (page for _, page in opened)
    yield anna, ben, carl, dora
    for context, _ in opened:
        context.close()


def order(page: Page, url: str, watchers: str) -> str:
    """Order a game with a friend in the dialogue; the invitation."""
    page.goto(url)
    page.get_by_role("radio", name="A friend, by link").click()
    page.get_by_role("radiogroup", name="Watchers").get_by_role("radio", name=watchers).click()
    if watchers == "Armies late":
        page.get_by_label("How late both armies are shown").select_option(str(DELAY))
    clean(page, "ordering")
    page.get_by_role("button", name="Play with a ready army").click()
    return page.get_by_label("Link for your friend").first.input_value()


def agree(page: Page) -> None:
    page.get_by_role("button", name="look on").or_(page.get_by_role("button", name="looks on")).click()
    page.get_by_role("button", name="Agree").click()
    expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    clean(page, "agreeing")
    page.keyboard.press("Escape")


def test_one_looks_on_while_two_play(served: Serving, four: tuple[Page, Page, Page, Page]) -> None:
    anna, ben, carl, dora = four
    link = order(anna, served.url, "Armies late")
    game = game_of(anna)
    anna.get_by_role("button", name="Nobody looks on").click()
    expect(anna.get_by_role("heading", name=f"Show both armies {DELAY} plies late?")).to_be_visible()
    box = anna.get_by_label("Link for watchers")
    expect(box).to_have_value(re.compile(re.escape(served.url) + r"/#/watch/[\w-]{24}$"))
    watch = box.input_value()
    anna.keyboard.press("Escape")
    carl.goto(watch)
    expect(carl.get_by_text("The game begins when both armies stand.")).to_be_visible()
    ben.goto(link)
    ben.get_by_role("button", name="Sit down").click()
    ben.get_by_role("button", name="Fill in").click()
    ben.get_by_role("button", name="Ready", exact=True).click()
    expect(carl.get_by_text("Live", exact=True)).to_be_visible()
    expect(carl.get_by_role("region", name="What you see")).to_contain_text("1 looks on")
    clean(carl, "looking on")
    players = {"red": anna, "blue": ben} if state_of(anna)["seat"] == "red" else {"red": ben, "blue": anna}
    ply(players)
    for page in (anna, ben):
        agree(page)
    seen = carl.get_by_role("region", name="What you see")
    expect(seen).to_contain_text("Waiting to see the armies")
    for _ in range(DELAY + 1):
        ply(players)
    expect(seen).to_contain_text(f"Both armies, {DELAY} plies late")
    clean(carl, "the truth, late")
    # The last ply that is shown is the second of the game, and every man has his rank.
    hidden = re.compile("hidden|unknown", re.IGNORECASE)
    expect(carl.get_by_role("grid").get_by_role("gridcell", name=hidden)).to_have_count(0)
    # A player who opens the watchers' link goes to his own seat.
    ben.goto(watch)
    ben.wait_for_url(re.compile(f"#/game/{game}$"))
    ben.get_by_role("button", name="Resign").click()
    ben.get_by_role("region", name="Give up this game?").get_by_role("button", name="Resign").click()
    title = re.compile("wins$")
    expect(carl.get_by_role("heading", name=title)).to_be_visible()
    expect(carl.get_by_role("button", name="Rematch")).to_have_count(0)
    # Who heard the digests before the first ply can say that nobody swapped men; who comes late cannot.
    carl.get_by_role("button", name="Verify").click()
    expect(carl.get_by_text("Nobody swapped men")).to_be_visible()
    clean(carl, "verified")
    dora.goto(f"{served.url}/#/game/{game}")
    expect(dora.get_by_role("heading", name=title)).to_be_visible()
    dora.get_by_role("button", name="Verify").click()
    expect(dora.get_by_text("The armies fit their digests")).to_be_visible()
    expect(dora.get_by_text("This browser was not there")).to_be_visible()
    clean(dora, "a stranger's record")


def test_a_wrong_link_says_so(served: Serving, four: tuple[Page, Page, Page, Page]) -> None:
    page = four[3]
    page.goto(f"{served.url}/#/watch/{'a' * 24}")
    expect(page.get_by_role("heading", name="Nothing to see here")).to_be_visible()
    expect(page.get_by_text("This link leads to no game.")).to_be_visible()
