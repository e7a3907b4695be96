"""Talk between two browsers: phrases, words of one's own by consent, a sign where something was said, turning away."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Opened
from tests.page.test_access import clean
from tests.page.test_deeds import friends, unscrolled

pytestmark = pytest.mark.timeout(300)


def test_two_people_talk_and_one_turns_away(opened: Opened, url: str) -> None:
    anna, ben, _ = friends(opened, url)
    anna.get_by_role("tab", name="Table").focus()
    anna.keyboard.press("Enter")
    clean(anna, "talk on a desk")
    anna.get_by_role("button", name="Good luck").click()
    # The phone shows that something was said before anybody looks.
    ben.get_by_role("button", name="Table, new").click()
    expect(ben.get_by_role("region", name="Talk").get_by_role("listitem")).to_have_text("Red says:Good luck")
    expect(ben.get_by_role("button", name="Table", exact=True)).to_be_visible()
    # The bar at the foot lies over whatever is half scrolled beneath it.
    ben.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    clean(ben, "talk on a phone")
    unscrolled(ben)
    assert ben.get_by_label("Your message").count() == 0
    for page in (anna, ben):
        page.get_by_role("button", name="Write freely").click()
        expect(page.get_by_role("button", name="Phrases only again")).to_be_visible()
    words = "<b>Well</b> met & so on"
    anna.get_by_label("Your message").fill(words)
    anna.keyboard.press("Enter")
    expect(anna.get_by_label("Your message")).to_have_value("")
    expect(ben.get_by_role("listitem").last).to_have_text(f"Red says:{words}")
    assert ben.locator(".talk b").count() == 0, "what somebody writes is text and nothing else"
    ben.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    clean(ben, "written")
    ben.get_by_role("button", name="Mute", exact=True).click()
    expect(ben.get_by_text("Muted at this table.")).to_be_visible()
    anna.get_by_role("button", name="Hello").click()
    expect(anna.get_by_role("listitem").last).to_have_text("Red says:Hello")
    anna.wait_for_timeout(300)
    expect(ben.get_by_role("listitem").last).to_have_text(f"Red says:{words}")
    # And who has heard enough tells whoever runs the server.
    ben.get_by_role("button", name="Report").click()
    sheet = ben.get_by_role("dialog", name="Report the other player")
    sheet.get_by_label("Something else").check()
    clean(ben, "report on a phone")
    sheet.get_by_label("In your own words").fill("He <i>stares</i>.")
    sheet.get_by_role("button", name="Send the report").click()
    expect(sheet).to_have_count(0)
    expect(ben.get_by_role("region", name="Talk").get_by_text("Reported")).to_be_visible()
