"""A dispute: a round replayed step by step, forwards and back, and the same cards under another book."""

import re

from playwright.sync_api import expect

from tests.browser.people import NewPerson


def test_a_tied_war_is_replayed_and_pays_otherwise_under_another_book(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-ties-replay", 2)
    ann.bet("Casino War", 2)
    ann.ready()
    ann.button(re.compile("^Go to war.*place 5 more")).click()
    ann.see_text("this round, 2 wagers", 40_000)

    ann.page.keyboard.press("l")
    ann.page.get_by_role("dialog").get_by_role("link", name=re.compile("Replay")).click()
    ann.see(ann.page.get_by_role("heading", name=re.compile("^Round 1, stacked-ties-replay")))
    steps = ann.page.get_by_role("group", name="Step through the round")
    here = (
        ann.page.locator("[aria-current=step]").get_by_role("button").or_(ann.page.locator("button[aria-current=step]"))
    )
    told = []
    for _ in range(3):
        told.append(here.first.text_content() or "")
        steps.get_by_role("button", name="Next").click()
        expect(here.first).not_to_have_text(told[-1])
    steps.get_by_role("button", name="Back", exact=False).last.click()
    expect(here.first).to_contain_text(told[2].strip())

    ann.page.get_by_label("The other book").select_option("ctg")
    other = ann.page.get_by_role("table").filter(has_text="Wager").first
    # A tied war: 2 to 1 on the second wager in New Zealand, 3 to 1 at the fun casino.
    expect(other.get_by_role("row", name=re.compile("^Round"))).to_contain_text("+10")
    expect(other.get_by_role("row", name=re.compile("^Round"))).to_contain_text("+15")
    expect(other).to_contain_text("differs")


def test_a_record_that_was_exported_is_replayed_to_the_same_money(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-record", 2)
    ann.bet("Casino War", 2)
    ann.ready()
    ann.see_text("this round, 1 wager")
    net = ann.page.get_by_text(re.compile(r"^[+−]5$")).first.text_content() or ""
    record = ann.context.request.get(f"{ann.address}/api/tables/stacked-record/rounds/1/record").text()
    ann.go("/replay")
    ann.page.get_by_label("Text of a record").fill(record)
    ann.button("Replay", exact=True).click()
    ann.see(ann.page.get_by_role("heading", name="Your record"))
    ann.see_text(net)
