"""A phone on the local network, at plain HTTP and an address of this machine that is not loopback; one that lies."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from casinowar.engine.commands import Limit
from casinowar.house.settings import HouseSettings, Timers
from casinowar.web.http.address import network_address
from tests.browser.conftest import METER, Opened, table
from tests.browser.people import PHONE, NewPerson, Person
from tests.browser.sizes import each_size
from tests.browser.stacked import stack_shoes
from tests.support.live_server import running

SEALING = Timers(betting=120, decision=120, entropy=3, cut=60, pause=0.3, card=0.02)
SETTINGS = HouseSettings(tables=(table("stacked-phone", timers=SEALING),))


def test_a_phone_plays_and_checks_cards_at_a_non_loopback_address(
    browser: Browser, page_is_built: None, tmp_path: Path
) -> None:
    address = network_address()
    if address is None:
        pytest.skip("this machine is on no network")
    stack_shoes()
    with running(tmp_path, SETTINGS, host="0.0.0.0") as live:
        ann = Person(browser, live, f"http://{address}:{live.port}", size=PHONE, has_touch=True, is_mobile=True)
        ann.go()
        assert ann.page.evaluate("isSecureContext") is False
        assert ann.page.evaluate("crypto.subtle") is None
        ann.button(re.compile("^Sit at stacked-phone")).tap()
        spot = ann.button(re.compile(r"^Casino War\b[^,]*, box \d"))
        ann.see(ann.button(re.compile("^Shoe sealed")))
        spot.tap()
        expect(spot).to_have_accessible_name(re.compile("5 down"))
        ann.button(re.compile("^Ready")).tap()
        ann.see_text(re.compile("this round, 1 wager"), 40_000)
        ann.button(re.compile("^Shoe sealed")).tap()
        seal = ann.see(ann.page.get_by_role("dialog"))
        expect(seal).to_contain_text("2 cards checked in this page")
        expect(seal).to_contain_text("This browser saw the root before the first card")
        wide = ann.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        ann.close()


def test_on_a_phone_that_lies_cards_and_choice_are_seen_together(new_person: NewPerson) -> None:
    size = (844, 390)
    ann = new_person(size=size)
    ann.seated("stacked-ties-lying", 4)
    ann.bet("Casino War", 4)
    ann.ready()
    choice = ann.see(ann.button(re.compile("^Go to war")))
    seen = [choice, ann.button(re.compile("^Surrender")), *ann.page.get_by_role("img", name="nine of").all()]
    assert len(seen) >= 4
    for one in seen:
        place = one.bounding_box()
        assert place is not None
        assert 0 <= place["x"] <= size[0] - place["width"]
        assert 0 <= place["y"] <= size[1] - place["height"]


NOTE = """(act) => {
  const note = act.querySelector('.note')
  const words = document.createRange()
  words.selectNodeContents(note)
  const [all, seen, edge] = [words, note, act].map((one) => one.getBoundingClientRect())
  const isCut = all.bottom > seen.bottom + 1 || all.right > seen.right + 1 || note.scrollHeight > note.clientHeight + 1
  return { isCut, size: parseFloat(getComputedStyle(note).fontSize), below: edge.bottom - all.bottom }
}"""


def test_all_that_is_repeated_can_be_read(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-ties-three-ma", "ma", **METER["ma"]))
    ann = new_person(live)
    ann.seated("stacked-ties-three-ma", 3)
    for label in ("Initial", "Tie", "Casino War Progressive"):
        ann.bet(label, 3)
    ann.ready()
    ann.button(re.compile("^Surrender")).click()
    again = ann.see(ann.button(re.compile("^Same again")))
    for size in each_size(ann, "again-three"):
        expect(again).to_have_accessible_name(re.compile(r"Initial\s5, Tie\s5, (Casino\sWar\s)?Progressive\s\d"))
        note = again.evaluate(NOTE)
        assert not note["isCut"], size
        assert note["size"] >= 11, size
        assert note["below"] >= 3, size


def test_a_key_chooses_no_chip_that_the_window_hides(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-five", limit=Limit(minimum=500, maximum=100_000, unit=500)))
    ann = new_person(live, size=(320, 568))
    ann.seated("stacked-five", 5)
    fifth = ann.page.get_by_role("radio", include_hidden=True).nth(4)
    expect(fifth).to_be_hidden()
    ann.page.keyboard.press("5")
    expect(fifth).to_have_attribute("aria-checked", "false")
    ann.page.set_viewport_size({"width": 1280, "height": 860})
    ann.page.keyboard.press("5")
    expect(fifth).to_be_checked()
