"""The pit: limits with their notice, grants, voids that two people sign, incidents, exclusions."""

import re

import pytest
from playwright.sync_api import Locator, expect

from casinowar.house.signatures.countersignatures import signatures_due
from casinowar.web.app import Clock
from tests.browser.conftest import Opened, table
from tests.browser.floor import WHY, apply, beside, card, done, managed
from tests.browser.people import NewPerson
from tests.browser.players import Player


@pytest.mark.clause("WA-6.4c")
def test_limits_change_after_their_notice_has_stood(opened: Opened, new_person: NewPerson) -> None:
    live, clocks = opened(table("stacked-wa", "wa"))
    ann = new_person(live, size=(1680, 1050))
    ann.seated("stacked-wa", 2)
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    expect(beside(floor, "Notices on display")).to_contain_text("No notice stands.")

    def fill(act: str) -> Locator:
        form = managed(floor, "stacked-wa", act)
        expect(form.get_by_label("Minimum")).to_have_value("5")
        form.get_by_label("Minimum").fill("20")
        form.get_by_label("Maximum").fill("400")
        return form

    apply(fill("Announce new limits"))
    done(floor)
    form = fill("Change the limits")
    form.get_by_label("Notice was given").check()
    expect(form).to_contain_text("Not possible")
    expect(form.get_by_role("button", name=re.compile("^Clause WA-6.4c")).first).to_be_visible()
    form.get_by_label("Reason").fill(WHY)
    expect(form.get_by_role("button", name=re.compile("^Apply"))).to_be_disabled()
    clocks.forward(live, 10)
    expect(form).not_to_contain_text("Not possible")
    form.get_by_role("button", name=re.compile("^Apply")).click()
    done(floor)
    expect(floor.page.get_by_role("dialog")).to_contain_text("20 to 400, unit 5")
    expect(ann.page.get_by_role("group", name="The table")).to_contain_text("20 to 400")


def test_a_notice_stands_in_the_pit_with_its_minutes(opened: Opened, new_person: NewPerson) -> None:
    live, clocks = opened(table("stacked-wa", "wa"))
    Player(live, "stacked-wa")
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    apply(managed(floor, "stacked-wa", "Announce the closing"))
    done(floor)
    floor.page.keyboard.press("Escape")
    expect(beside(floor, "Notices on display")).to_contain_text(re.compile(r"the table closes at \d\d:\d\d, in 10 min"))
    clocks.forward(live, 4)
    expect(beside(floor, "Notices on display")).to_contain_text("in 6 min")
    beside(floor, "Notices on display").get_by_role("button", name=re.compile("^Clause WA-6.7")).click()
    expect(floor.page.get_by_role("dialog")).to_contain_text("WA-6.7")


def test_a_void_takes_a_second_signature_and_gives_the_money_back(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-ties-void"))
    ann = Player(live, "stacked-ties-void")
    before = ann.money()
    ann.bet()
    ann.deal()
    sue = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    sam = new_person(live).known(live.staff("sam", "operator")).go("/pit")
    form = managed(sue, "stacked-ties-void", "Void the round")
    expect(form).to_contain_text("It takes a second person’s signature")
    apply(form, "Ask for the second signature", "a card was seen")
    expect(form.get_by_role("alert")).to_contain_text("waits in the pit for a second signature")
    assert ann.money() == before - 500, "nothing has happened yet"
    sue.page.keyboard.press("Escape")

    waiting = beside(sue, "Waiting for you")
    expect(waiting).to_contain_text("Void the round, stacked-ties-void")
    expect(waiting).to_contain_text("Another person must sign.")
    expect(waiting.get_by_role("button", name="Sign as second")).to_have_count(0)
    expect(card(sue, "stacked-ties-void")).to_contain_text("Waiting for signature")
    request = live.call(lambda: signatures_due(live.server.house.tables["stacked-ties-void"])[0].request)
    alone = sue.context.request.post(
        f"{live.address}/api/tables/stacked-ties-void/commands",
        data={
            "id": "twice",
            "expected": 0,
            "command": {"do": "countersign", "request": request},
            "as": "supervisor",
            "reason": WHY,
        },
    )
    assert (alone.status, alone.json()["code"]) == (409, "same_person")

    due = beside(sam, "Waiting for you").get_by_role("article")
    expect(due).to_contain_text("First signature, Game Supervisor sue: a card was seen")
    expect(due.get_by_role("button", name="Sign as second")).to_be_disabled()
    expect(due).to_contain_text("Still to fill in: reason.")
    due.get_by_label("Reason").fill("I saw it too")
    due.get_by_role("button", name="Sign as second").click()
    expect(beside(sam, "Waiting for you")).to_contain_text("Nothing waits.")
    assert ann.money() == before
    for one in (sue, sam):
        told = beside(one, "Last incidents").get_by_role("listitem")
        expect(told).to_have_count(1)
        expect(told).to_contain_text(re.compile("^.*stacked-ties-void: .*void", re.IGNORECASE))
    expect(card(sam, "stacked-ties-void")).to_contain_text("No round finished yet")


def test_who_may_sign_is_granted_and_taken_back_while_the_house_is_open(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-ties-void"))
    ann = Player(live, "stacked-ties-void")
    ann.bet()
    ann.deal()
    una = live.staff("una")
    floor = new_person(live).known(una).go("/pit")
    floor.see_text("The pit is for supervisors, managers, operators and auditors.")

    def grant(role: str, is_granted: bool) -> None:
        live.server.accounts.request_staff_role("una", role, is_granted, "admin:test", "for the night")
        live.call(Clock(live.server).look)
        floor.page.reload()

    grant("auditor", True)
    floor.button("stacked-ties-void", exact=True).click()
    expect(floor.page.get_by_role("dialog")).to_contain_text("An auditor looks on and changes nothing.")
    expect(floor.page.get_by_role("button", name="Void the round")).to_have_count(0)
    sue = live.staff("sue", "supervisor")
    void = {"do": "void_round", "reason": "seen"}
    asked = sue.command("stacked-ties-void", void, **{"as": "supervisor", "reason": "a card was seen"}).json
    assert asked["code"] == "second_signature_due"
    floor.page.keyboard.press("Escape")
    expect(beside(floor, "Waiting for you")).to_contain_text("Waits for a second person in the pit.")
    expect(floor.button("Open a table")).to_have_count(0)

    grant("operator", True)
    due = beside(floor, "Waiting for you").get_by_role("article")
    due.get_by_label("Reason").fill("I saw it too")
    expect(due.get_by_role("button", name="Sign as second")).to_be_enabled()
    grant("operator", False)
    expect(beside(floor, "Waiting for you")).to_contain_text("Waits for a second person in the pit.")
    expect(floor.button("Sign as second")).to_have_count(0)


@pytest.mark.clause("NZ-5.7")
@pytest.mark.clause("NZ-5.7a")
def test_a_player_plays_several_boxes_as_long_as_the_floor_grants_it(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    ann = Player(live, "stacked-nz")
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    other = {"do": "place_wager", "player": ann.name, "box": 5, "wager": "initial", "amount": 500}
    ann.bet()
    alone = ann.command("stacked-nz", other)
    assert alone.status == 409, "one box without a grant"
    form = managed(floor, "stacked-nz", "Grant several boxes")
    form.get_by_label("Player").select_option(ann.name)
    form.get_by_label("Boxes").fill("2")
    apply(form)
    done(floor)
    assert ann.command("stacked-nz", other).status == 200
    ann.deal()
    form = managed(floor, "stacked-nz", "Take the grant back")
    form.get_by_label("Player").select_option(ann.name)
    apply(form)
    done(floor)
    ann.bet()
    assert ann.command("stacked-nz", other).json["code"] == alone.json["code"]


@pytest.mark.clause("CTG-G6")
def test_an_incident_waits_in_the_pit_until_it_is_ruled(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("by-hand", "ctg", dealer="real"))
    dora, reported = live.staff("dora", "dealer"), {"do": "report_exposed_before_shoe"}
    floor = new_person(live).known(live.staff("pam", "supervisor")).go("/pit")
    expect(card(floor, "by-hand")).to_contain_text("Bets open")
    assert dora.command("by-hand", reported, **{"as": "dealer", "reason": WHY}).status == 200
    expect(card(floor, "by-hand")).to_contain_text("Waiting for a ruling")
    expect(floor.page.get_by_role("definition").last).to_have_text("1")
    waiting = beside(floor, "Waiting for you")
    expect(waiting).to_contain_text("A card was seen before the shoe, by-hand")
    waiting.get_by_role("button", name="Look into it").click()
    form = managed(floor, "by-hand", "Give a ruling")
    form.get_by_label("It stands").check()
    expect(form.get_by_role("button", name=re.compile("^Clause CTG-G6"))).to_be_visible()
    apply(form, "Apply ruling", "nobody could have read it")
    done(floor)
    floor.page.keyboard.press("Escape")
    expect(waiting).to_contain_text("Nothing waits.")
    expect(floor.page.get_by_role("definition").last).to_have_text("0")
    told = beside(floor, "Last incidents").get_by_role("listitem")
    expect(told).to_have_count(2)
    expect(told.last).to_contain_text(re.compile("seen|exposed", re.IGNORECASE))
    expect(told.first.get_by_role("button", name=re.compile("^Clause CTG-G6"))).to_be_visible()


@pytest.mark.clause("WA-6.6b")
def test_who_is_excluded_in_the_pit_is_kept_out_of_the_table(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-wa", "wa"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    ann = new_person(live)
    name = ann.seated("stacked-wa", 2)
    ann.bet("Casino War", 2)
    form = managed(floor, "stacked-wa", "Exclude a player")
    form.get_by_label("Player").select_option(name)
    apply(form, reason="was warned twice")
    done(floor)
    ann.see_text(re.compile("^You are excluded from this game"))
    rulings = ann.page.get_by_role("region", name="Rulings of this round")
    ann.see(rulings.get_by_role("button", name=re.compile("^Clause WA-")))
    expect(ann.page.get_by_role("region", name="What you can do")).to_contain_text("You are excluded")
    assert ann.context.request.get(f"{live.address}/api/me").json()["lost_today"] == 0, "what lay there is back"
    for box in (2, 3):
        ann.button(re.compile(f"^Box {box} is free")).click()
        expect(ann.page.get_by_role("alert").filter(has_text="Not taken")).to_contain_text("excluded")
    assert ann.view("stacked-wa")["seats"] == []
    floor.page.keyboard.press("Escape")
    told = beside(floor, "Last incidents").get_by_role("listitem")
    expect(told).to_contain_text(name)
    expect(told.get_by_role("button", name=re.compile("^Clause WA-"))).to_be_visible()
