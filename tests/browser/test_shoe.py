"""The sealed shoe in the page: its browser adds entropy, its player cuts, its arithmetic checks every card."""

import re

from playwright.sync_api import expect

from tests.browser.people import NewPerson


def test_a_player_adds_entropy_cuts_and_has_every_card_checked(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    ann.go("/table/sealed")
    ann.button(re.compile("^Box 2 is free")).click()
    cut = ann.see(ann.page.get_by_role("group", name="Cut the cards"))
    cut.get_by_role("spinbutton").fill("100")
    cut.get_by_role("button", name="Cut", exact=True).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.bet("Casino War", 2)
    seal = ann.view("sealed")["seal"]
    assert seal["cut"] == 100
    ann.ready()
    over = ann.button(re.compile("^Same again")).or_(ann.button(re.compile("^Surrender")))
    ann.see(over)
    ann.button(re.compile("^Shoe sealed, every card verified")).click()
    told = ann.see(ann.page.get_by_role("dialog"))
    for text in (
        "2 cards checked in this page",
        "saw the root before the first card",
        seal["root"],
        seal["commitment"],
    ):
        expect(told).to_contain_text(text)
    added = told.get_by_text(re.compile("^[0-9a-f]{64}$")).all_inner_texts()
    assert len(added) >= 3
    expect(told).to_contain_text("Added by this browser")
    told.get_by_role("button", name="Check in this page").first.click()
    expect(told).to_contain_text(re.compile("Every card so far agrees with the root"))
