"""The pit: every table at a glance, limits with their notice, tables opened and closed, grants, voids that two people
sign, exclusions, purses, the audit, hold against theory, a stopped table cleared.
"""

import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from casinowar.store.connection import ask
from casinowar.web.clock import Clock
from casinowar.web.serving import STORE_FILE
from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.edited_rows import Editor
from tests.live_server import Caller

TIE = Fraction(23, 311)
AGAIN = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
WAR = {-2: TIE * (1 - AGAIN) / 2, -1: (1 - TIE) / 2, 1: (1 - TIE) / 2 + TIE * (1 - AGAIN) / 2, 2: TIE * AGAIN}
"""A unit on the first wager with six decks, every tie gone to war: 23 of 311 cards tie, and again 2:1 is paid."""

WHY = "as the night asks"


def card(person: Person, title: str) -> Locator:
    return person.page.get_by_role("article").filter(has=person.page.get_by_role("button", name=title, exact=True))


def beside(person: Person, heading: str) -> Locator:
    return person.page.get_by_role("region", name=heading)


def managed(person: Person, title: str, act: str) -> Locator:
    """The form of an act of the floor at a table."""
    dialog = person.page.get_by_role("dialog", name=title)
    if not dialog.is_visible():
        person.button(title, exact=True).click()
    dialog.get_by_role("button", name=act, exact=True).click()
    return dialog.get_by_role("form", name=act)


def apply(form: Locator, button: str = "Apply", reason: str = WHY) -> None:
    form.get_by_label("Reason").fill(reason)
    form.get_by_role("button", name=re.compile(rf"^{button}\b")).click()


def done(person: Person) -> None:
    expect(person.page.get_by_role("dialog").get_by_role("status")).to_have_text("Done.")


def percent(share: float) -> str:
    return f"{'−' if share < 0 else ''}{abs(share) * 100:.2f} %"


def test_each_table_shows_its_float_and_meter_right_after_a_round(opened: Opened, new_person: NewPerson) -> None:
    """Box 2 has a two against a king: all its wagers go to the house, and a tenth of the progressive to the meter."""
    live, _ = opened(
        table("laid-x2cKd.nz"),
        table("laid-x2cKd.ma", "ma", options={"wager.progressive": True}, meter=100_000),
        table("stacked-ca", "ca"),
    )
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("Float 0")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("No round finished yet")
    expect(card(floor, "laid-x2cKd.ma")).to_contain_text("meter 1,000")
    expect(card(floor, "stacked-ca")).to_contain_text("No float: players bank")

    first = Player(live, "laid-x2cKd.nz")
    first.bet()
    first.bet("tie")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("No round finished yet")
    first.deal()
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("Float 10")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("1 of 7 boxes taken")
    second = Player(live, "laid-x2cKd.ma")
    second.bet()
    second.bet("progressive")
    second.deal()
    expect(card(floor, "laid-x2cKd.ma")).to_contain_text("Float 10")
    expect(card(floor, "laid-x2cKd.ma")).to_contain_text("meter 1,000.50")
    told = floor.page.get_by_role("definition")
    expect(told).to_have_text(["3 of 3", "4", "20", "+20", "0"])

    # Players bank there: what they stake is none of the house's.
    third = Player(live, "stacked-ca")
    third.act(do="decline_bank", player=third.name)
    floor.until(lambda: live.call(lambda: live.server.house.tables["stacked-ca"].table.bank is not None))
    third.bet()
    third.deal()
    tables = live.staff("sam", "supervisor").ask("GET", "/api/pit").json["tables"]
    assert {one["name"]: one["hold"]["staked"] > 0 for one in tables}["stacked-ca"]
    floor.page.reload()
    expect(told).to_have_text(["3 of 3", "5", "20", "+20", "0"])


def test_hold_stands_on_its_line_with_theory_and_band(opened: Opened, new_person: NewPerson) -> None:
    """Two rounds at 5: a two against a king is lost, an ace against a king is won."""
    live, _ = opened(table("laid-x2cKdAsKh.nz"))
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    theory = -sum(net * chance for net, chance in WAR.items())
    variance = sum(net**2 * chance for net, chance in WAR.items()) - theory**2
    ann = Player(live, "laid-x2cKdAsKh.nz")
    for rounds, held in ((1, 1.0), (2, 0.0)):
        ann.bet()
        ann.deal()
        reach = 1.96 * sqrt(variance / rounds)
        band = f"band {percent(float(theory) - reach)} to {percent(float(theory) + reach)}"
        told = f"Hold {percent(held)}, theory {percent(float(theory))}, {band}"
        floor.see(card(floor, "laid-x2cKdAsKh.nz").get_by_role("img", name=told))
        expect(card(floor, "laid-x2cKdAsKh.nz")).to_contain_text(f"theory {percent(float(theory))}")
    # Both together: nothing won, and two rounds at 5 should have brought 5 · 2 · 2.33 %.
    floor.see(floor.page.get_by_role("img", name=f"Floor result 0, theory {10 * float(theory):.2f}"))


@pytest.mark.clause("WA-6.4c")
def test_limits_change_after_their_notice_has_stood(opened: Opened, new_person: NewPerson) -> None:
    live, clocks = opened(table("stacked-wa", "wa"))
    ann = new_person(live, size=(1680, 1050))
    ann.seated("stacked-wa", 2)
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
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
    expect(beside(floor, "Notices on display")).to_contain_text("the table closes, in 10 min")
    clocks.forward(live, 4)
    expect(beside(floor, "Notices on display")).to_contain_text("in 6 min")
    beside(floor, "Notices on display").get_by_role("button", name=re.compile("^Clause WA-6.7")).click()
    expect(floor.page.get_by_role("dialog")).to_contain_text("WA-6.7")


def test_a_table_is_opened_and_closed(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Open a table").click()
    form = floor.page.get_by_role("dialog", name="Open a table")
    form.get_by_label("Name", exact=True).fill("late")
    form.get_by_label("Title").fill("Late night")
    form.get_by_label("Rulebook").select_option("ctg")
    form.get_by_label("Minimum").fill("10")
    form.get_by_label("Maximum").fill("")
    form.get_by_label("House players").select_option("2")
    opens = form.get_by_role("button", name="Open the table")
    expect(opens).to_be_disabled()
    form.get_by_label("Reason").fill(WHY)
    opens.click()
    expect(card(floor, "Late night")).to_contain_text("2 of 7 boxes taken")
    expect(floor.page.get_by_role("definition").first).to_have_text("2 of 2")
    ann = new_person(live).go()
    ann.see_text("From 10")
    ann.see(ann.button("Sit at Late night"))

    form = managed(floor, "Late night", "Dismiss house players")
    apply(form)
    done(floor)
    apply(managed(floor, "Late night", "Close the table"))
    expect(card(floor, "Late night")).to_have_count(0)
    expect(floor.page.get_by_role("definition").first).to_have_text("1 of 2")
    expect(ann.button("Sit at Late night")).to_have_count(0)

    floor.page.keyboard.press("Escape")
    closed = beside(floor, "Closed tables").get_by_role("listitem")
    expect(closed).to_contain_text("Late night Casino-To-Go")
    closed.get_by_role("button", name="Open Late night again").click()
    form = floor.page.get_by_role("dialog", name="Open Late night again")
    expect(form.get_by_label("Name", exact=True)).to_have_value("late")
    expect(form.get_by_label("Minimum")).to_have_value("10")
    form.get_by_label("Minimum").fill("20")
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name="Open the table").click()
    expect(card(floor, "Late night")).to_contain_text("2 of 7 boxes taken")
    expect(floor.page.get_by_role("definition").first).to_have_text("2 of 2")
    expect(beside(floor, "Closed tables")).to_have_count(0)
    ann.see_text("From 20")


def test_a_table_is_opened_with_its_decks_its_progressive_and_a_meter(opened: Opened, new_person: NewPerson) -> None:
    """MA-2a-i: six to eight decks; the progressive is the operator's to offer."""
    live, _ = opened(table("stacked-nz"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Open a table").click()
    form = floor.page.get_by_role("dialog", name="Open a table")
    form.get_by_label("Name", exact=True).fill("big")
    form.get_by_label("Rulebook").select_option("nz")
    expect(form.get_by_label("Progressive")).to_have_count(0)
    form.get_by_label("Rulebook").select_option("ma")
    expect(form.get_by_label("Decks").get_by_role("option")).to_have_text(["6", "7", "8"])
    form.get_by_label("Decks").select_option("8")
    form.get_by_label("Progressive").check()
    form.get_by_label("Meter").fill("2,500")
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name="Open the table").click()
    expect(card(floor, "big")).to_contain_text("meter 2,500")
    signs = new_person(live)
    signs.guest()
    assert signs.view("big")["view"]["signs"]["decks"] == 8


def test_what_a_new_table_cannot_be_is_told_at_its_field_in_plain_words(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Open a table").click()
    form = floor.page.get_by_role("dialog", name="Open a table")
    opens, alert = form.get_by_role("button", name="Open the table"), form.get_by_role("alert")
    form.get_by_label("Name", exact=True).fill("new")
    form.get_by_label("Reason").fill(WHY)
    for label, typed, told in (
        ("Name", "stacked-nz", "An open table has this name: take another."),
        ("Name", "bad name!", "Begin with a letter or digit"),
        ("Minimum", "1000", "Write 1,000 or more: this is below the minimum."),
        ("Unit", "0", "Write an amount above 0"),
    ):
        field = form.get_by_label(label, exact=True)
        before = field.input_value()
        field.fill(typed)
        expect(alert).to_contain_text(told)
        expect(opens).to_be_disabled()
        at = form.get_by_label("Maximum" if label == "Minimum" else label, exact=True)
        expect(at).to_have_accessible_description(re.compile(f"^{told}"))
        field.fill(before)
        expect(alert).to_have_count(0)
    # 7 is no multiple of 5: the rules know that, and the server says it.
    form.get_by_label("Minimum").fill("7")
    opens.click()
    expect(form.get_by_label("Minimum")).to_have_accessible_description(
        re.compile("^Minimum: a wager of the minimum would be refused: the wager is not a multiple of the unit")
    )
    assert "new" not in live.call(lambda: list(live.server.house.tables))


def test_a_void_takes_a_second_signature_and_gives_the_money_back(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-ties-void"))
    ann = Player(live, "stacked-ties-void")
    before = ann.money()
    ann.bet()
    ann.deal()
    sue = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    sam = new_person(live).known(live.staff("sam", "supervisor")).go("/pit")
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
    request = live.call(lambda: live.server.house.tables["stacked-ties-void"].signatures()[0].request)
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
    expect(due).to_contain_text("First signature, supervisor sue: a card was seen")
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
    floor.see_text("The pit is for supervisors, operators and auditors.")

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

    grant("supervisor", True)
    due = beside(floor, "Waiting for you").get_by_role("article")
    due.get_by_label("Reason").fill("I saw it too")
    expect(due.get_by_role("button", name="Sign as second")).to_be_enabled()
    grant("supervisor", False)
    expect(beside(floor, "Waiting for you")).to_contain_text("Waits for a second person in the pit.")
    expect(floor.button("Sign as second")).to_have_count(0)


@pytest.mark.clause("NZ-5.7")
@pytest.mark.clause("NZ-5.7a")
def test_a_player_plays_several_boxes_as_long_as_the_floor_grants_it(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    ann = Player(live, "stacked-nz")
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
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
    ann.see(ann.page.get_by_role("region", name="Rulings of this round").get_by_role("button", name=re.compile("^Clause WA-")))
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


def test_an_operator_funds_a_purse_and_sees_what_it_will_hold(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    ann = Caller(live).guest()
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Fund a purse").click()
    form = floor.page.get_by_role("dialog", name="Fund a purse")
    form.get_by_label("Player").fill("nobody")
    form.get_by_role("button", name="Look up").click()
    expect(form.get_by_role("alert")).to_contain_text("nobody has this name")
    form.get_by_label("Player").fill(ann.name)
    form.get_by_role("button", name="Look up").click()
    for typed, after, holds in (("250.50", "1,250.50", 125_050), ("-50.50", "1,200", 120_000)):
        form.get_by_label("Amount").fill(typed)
        expect(form.get_by_role("definition").last).to_have_text(after)
        form.get_by_label("Reason").fill("lost on the way to the table")
        form.get_by_role("button", name="Fund", exact=True).click()
        expect(form.get_by_role("status")).to_have_text("Done.")
        expect(form.get_by_role("definition").first).to_have_text(after)
        assert ann.ask("GET", "/api/me").json["purse"] == holds


def audited(person: Person) -> Locator:
    audit = beside(person, "Audit")
    audit.get_by_label("Reason").fill("before the night ends")
    audit.get_by_role("button", name="Audit now").click()
    return audit.get_by_role("status")


def test_the_audit_says_that_a_log_is_sound_and_what_was_tampered_with(
    opened: Opened, new_person: NewPerson, tmp_path: Path
) -> None:
    live, _ = opened(table("shuffled"))
    ann = Player(live, "shuffled")
    ann.bet("tie")
    ann.deal()
    floor = new_person(live).known(live.staff("otto", "auditor")).go("/pit")
    expect(beside(floor, "Audit")).to_contain_text("Not audited since the start")
    state = audited(floor)
    expect(state).to_contain_text("Log unbroken, every round replays", timeout=60_000)
    expect(state).to_contain_text("Ledger balances to zero")
    expect(state).to_contain_text("1 sealed shoe not opened yet")

    editor = Editor(tmp_path / STORE_FILE, Random(1))
    ask(editor.db, "UPDATE events SET entry = CAST(replace(entry, '500', '600') AS BLOB) WHERE name = 'wager_placed'")
    editor.close(is_rechained=False)
    expect(audited(floor)).to_contain_text("The audit found something", timeout=60_000)
    expect(state.get_by_role("paragraph").nth(2)).to_contain_text(re.compile("event|hash|chain", re.IGNORECASE))
    expect(state).not_to_contain_text("Log unbroken")


def test_a_stopped_table_is_cleared_once_the_books_are_right_again(opened: Opened, new_person: NewPerson) -> None:
    """A chip appears behind the ledger's back; the next commit at the table finds it."""
    live, _ = opened(table("stacked-nz"))
    ann = Player(live, "stacked-nz")
    store = live.server.house.store
    moved = "UPDATE balances SET balance = balance + {} WHERE account = 'issuance'"
    wager = {"do": "place_wager", "player": ann.name, "box": 2, "wager": "initial", "amount": 500}
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    expect(card(floor, "stacked-nz")).to_contain_text("Bets open")
    live.call(lambda: ask(store._db, moved.format(1)))  # type: ignore[attr-defined]
    assert ann.command("stacked-nz", wager).json["code"] == "table_stopped"
    expect(card(floor, "stacked-nz")).to_contain_text("Stopped")
    expect(beside(floor, "Audit")).to_contain_text("Ledger is off by 0.01")
    waiting = beside(floor, "Waiting for you")
    expect(waiting).to_contain_text(re.compile("Stopped: .*together hold 1"))
    waiting.get_by_role("button", name="Look into it").click()
    form = managed(floor, "stacked-nz", "Clear the stopped table")
    apply(form, reason="looks good to me")
    expect(form.get_by_role("alert")).not_to_be_empty()
    live.call(lambda: ask(store._db, moved.format(-1)))  # type: ignore[attr-defined]
    apply(form, reason="a chip was counted twice")
    done(floor)
    floor.page.keyboard.press("Escape")
    expect(card(floor, "stacked-nz")).to_contain_text("Bets open")
    expect(beside(floor, "Waiting for you")).to_contain_text("Nothing waits.")
    expect(beside(floor, "Audit")).to_contain_text("Ledger balances to zero")
    assert ann.command("stacked-nz", wager).status == 200
