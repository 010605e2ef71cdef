"""A player's table by keyboard alone."""

import re

from playwright.sync_api import expect

from casinowar.engine.commands import Limit
from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson
from tests.browser.sizes import SIZES, each_size

HASTY = """() => setInterval(() => {
  const isOffered = [...document.querySelectorAll('button')].some((one) => one.textContent.includes('Go to war'))
  if (!isOffered) document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 's', bubbles: true}))
}, 20)"""
"""Somebody who strikes the key again and again until there is a choice to see, and then waits."""


def test_from_the_lobby_to_the_end_of_a_round_by_keyboard_alone(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    ann.go()
    ann.see_text("stacked-ties-keys")
    ann.enter(ann.button(re.compile("^Sit at stacked-ties-keys")))
    ann.see_text("Balance")
    press = ann.page.keyboard.press
    ann.see(ann.button(re.compile("^Shoe sealed")))
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    press("2")
    expect(ann.page.get_by_role("radio", name="Chip 25")).to_be_checked()
    press("1")
    press("b")
    own = ann.button(re.compile(r"^Casino War\b[^,]*, box \d, [\d.]+ down"))
    expect(own).to_have_accessible_name(re.compile(", 5 down"))
    press("d")
    expect(own).to_have_accessible_name(re.compile(", 10 down"))
    press("c")
    expect(own).to_have_count(0)
    press("b")
    expect(own).to_have_accessible_name(re.compile(", 5 down"))
    press("Enter")
    ann.see_caller(re.compile("^Nine against nine$"))
    expect(ann.button(re.compile("^Surrender"))).to_be_enabled()
    press("w")
    ann.see_text(re.compile("this round, 2 wagers"), 40_000)
    press("l")
    ann.see(ann.page.get_by_role("dialog"))
    press("Escape")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    press("r")
    expect(own).to_have_accessible_name(re.compile(", 5 down(?!, back)"))
    press("Enter")
    expect(ann.button(re.compile("^Surrender"))).to_be_enabled()
    press("s")
    ann.see_text(re.compile("surrendered, 2.50 back"))


def test_spots_are_reached_with_arrows_and_a_seat_is_left_from_the_menu(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-keys", 3)
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    ann.tab_to(ann.spot("Tie", 3).or_(ann.spot("Casino War", 3)))
    for key in ("ArrowUp", "ArrowDown", "ArrowUp"):
        ann.page.keyboard.press(key)
    tie = ann.spot("Tie", 3)
    main = ann.spot("Casino War", 3)
    expect(tie.or_(main).and_(ann.page.locator(":focus"))).to_have_count(1)
    ann.spot("Casino War", 3).focus()
    ann.page.keyboard.press("Enter")
    expect(main).to_have_accessible_name(re.compile(", 5 down"))
    ann.page.keyboard.press("c")
    expect(main).not_to_have_accessible_name(re.compile("down"))
    ann.button("Menu").focus()
    ann.page.keyboard.press("Enter")
    menu = ann.see(ann.page.get_by_role("dialog"))
    menu.get_by_role("button", name="Leave seat").focus()
    ann.page.keyboard.press("Enter")
    ann.see(ann.button(re.compile("^Take a seat|is free: sit here")))


def test_no_key_chooses_before_the_tie_is_shown(new_person: NewPerson) -> None:
    hasty = "stacked-ties-hasty"
    ann = new_person()
    name = ann.seated(hasty, 1)
    ann.bet("Casino War", 1)
    ann.ready()
    ann.page.evaluate(HASTY)
    ann.see(ann.button(re.compile("^Go to war")))
    assert [1, name] in ann.view(hasty)["view"]["asked"], "nothing was chosen"
    ann.page.keyboard.press("s")
    ann.see_text(re.compile("surrendered"))


def test_arrows_in_the_tray_pass_over_a_chip_that_a_narrow_window_hides(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-high", limit=Limit(minimum=500, maximum=100_000, unit=500)))
    ann = new_person(live)
    ann.seated("stacked-high", 3)
    chips = ann.page.get_by_role("radiogroup", name="Chips").locator("[role=radio]")
    expect(chips).to_have_count(5)
    narrow = ((320, 480), (840, 600))
    for size in each_size(ann, "tray", (*SIZES, narrow[1])):
        last = 3 if size in narrow else 4
        expect(chips.locator("visible=true")).to_have_count(last + 1)
        ann.page.keyboard.press("1")
        chips.first.focus()
        for key, at in (("ArrowLeft", last), ("ArrowRight", 0), ("ArrowRight", 1)):
            chip = chips.nth(at)
            ann.page.keyboard.press(key)
            expect(chip).to_be_focused()
            expect(chip).to_be_checked()
