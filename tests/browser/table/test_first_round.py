"""A newcomer's first round, from the lobby to the result."""

import re
import time

from playwright.sync_api import expect

from tests.browser.people import NewPerson


def test_a_newcomer_has_a_wager_down_within_15_seconds(new_person: NewPerson) -> None:
    newcomer = new_person().go()
    began = time.monotonic()
    newcomer.button(re.compile("^Deal me a private table")).click()
    sealed = newcomer.button(re.compile("^Shoe sealed"))
    newcomer.see(sealed)
    own = newcomer.page.get_by_text("You", exact=True)
    newcomer.see(own)
    newcomer.button(re.compile(r"^Bet\b")).click()
    newcomer.see(newcomer.button(re.compile(r"^Casino War, box \d, 5 down")))
    assert time.monotonic() - began < 15
    newcomer.ready()
    war = newcomer.button(re.compile("^Surrender"))
    again = newcomer.button(re.compile("^Same again"))
    expect(war.or_(again).first).to_be_visible(timeout=40_000)
    if war.is_visible():
        war.click()
        newcomer.see(again)
    newcomer.see_text(re.compile("this round, 1 wager"))


def test_the_guide_tells_the_game_in_four_cards_and_can_be_skipped_at_any(new_person: NewPerson) -> None:
    newcomer = new_person().go()
    newcomer.button("Learn it in four cards").click()
    guide = newcomer.page.get_by_role("dialog")
    for heading in ("One card each", "The same rank is a tie", "War", "Nothing up the sleeve"):
        newcomer.see(guide.get_by_role("heading", name=heading, exact=True))
        if heading != "Nothing up the sleeve":
            newcomer.see(guide.get_by_role("button", name="Skip and play"))
            guide.get_by_role("button", name="Next").click()
    newcomer.page.keyboard.press("Escape")
    expect(guide).to_have_count(0)
