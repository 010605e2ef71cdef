"""The display clauses of the five books, on the page: what each asks to be shown at the table or in its rules."""

import re

import pytest
from playwright.sync_api import expect

from casinowar.engine.commands import Limit
from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson, Person
from tests.support.live_server import Caller, LiveServer


def felt(person: Person) -> str:
    return " ".join(person.page.get_by_role("group", name="The table").all_text_contents())


def watching(new_person: NewPerson, table: str) -> Person:
    person = new_person(size=(1680, 1050))
    person.guest()
    person.go(f"/table/{table}")
    person.see(person.button(re.compile("^Box 1 is free")))
    return person


@pytest.mark.clause("NZ-3.2")
@pytest.mark.clause("NZ-3.3a")
@pytest.mark.clause("NZ-3.3b")
@pytest.mark.clause("NZ-5.14")
def test_nz_prints_the_name_of_every_wager_in_every_box_and_the_odds_that_apply(new_person: NewPerson) -> None:
    ann = watching(new_person, "stacked-shown-nz")
    for box in range(1, 8):
        for label in ("Casino War", "Tie"):
            expect(ann.page.get_by_label(re.compile(rf"^{label}\b[^,]*, box {box}\b"))).to_have_count(1)
    seen = felt(ann)
    for odds in ("Casino War pays 1 to 1", "Tie 10 to 1", "1 to 1, a tied war 2 to 1"):
        assert odds in seen


@pytest.mark.clause("WA-2.3c")
@pytest.mark.clause("WA-6.4")
def test_wa_shows_decks_minimum_maximum_and_unit_at_the_table(new_person: NewPerson) -> None:
    ann = watching(new_person, "stacked-wa")
    seen = felt(ann)
    assert "6 decks" in seen
    assert "5 to 500" in seen
    assert "unit 5" in seen


@pytest.mark.clause("WA-6.8")
@pytest.mark.clause("WA-6.5f-g")
def test_wa_advises_nobody_who_has_not_asked(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-ties-advice", 2)
    ann.bet("Casino War", 2)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    assert "costs less" not in (ann.page.text_content("body") or "")
    assert "edge" not in (ann.page.text_content("main") or "").lower()
    ann.button("Menu").click()
    ann.page.get_by_role("checkbox", name="Tell me which choice costs less").check()
    ann.page.keyboard.press("Escape")
    ann.see_text(re.compile("costs less"))


@pytest.mark.clause("WA-0-i")
@pytest.mark.clause("WA-AM")
def test_wa_tells_its_version_and_amendments_with_its_rules(new_person: NewPerson) -> None:
    ann = new_person().go("/rules/wa")
    ann.see_text(re.compile(r"RAG/554 of 12 April 2019"))
    ann.see_text(re.compile(r"RAG 499, 16 October 2015: rules 1\.1, 2\.3, 5\.6"))
    ann.see_text(re.compile(r"RAG 554, 12 April 2019: rules 3\.4, 3\.14, 4\.11"))


@pytest.mark.clause("WA-6.4c")
def test_wa_has_notices_of_new_limits_stand_at_the_table(house: LiveServer, new_person: NewPerson) -> None:
    floor = house.staff("notice-floor", "supervisor", "operator")
    command = {"do": "announce_limits", "minimum": 1000, "maximum": 20_000, "unit": 500}
    told = floor.command("stacked-wa", command, **{"as": "operator", "reason": "a busy evening"})
    assert told.status == 200, told.json
    ann = watching(new_person, "stacked-wa")
    ann.see_text("New limits in 10 minutes: 10 to 200, unit 5")


@pytest.mark.clause("CTG-B6")
@pytest.mark.clause("CTG-G1")
def test_ctg_has_its_war_sign_and_its_limits_on_display(new_person: NewPerson) -> None:
    ann = watching(new_person, "stacked-ctg")
    for box in range(1, 8):
        sign = ann.page.get_by_label(re.compile(rf"^War\b[^,]*, box {box}\b"))
        expect(ann.page.locator(".spot").filter(has=sign).locator(".ship path")).to_be_visible()
    assert "5 to 500" in felt(ann)


@pytest.mark.clause("CTG-O1")
@pytest.mark.clause("CTG-O2")
@pytest.mark.clause("CTG-O3")
@pytest.mark.clause("CTG-O4")
@pytest.mark.clause("CTG-O5")
def test_ctg_has_every_line_of_its_odds_among_the_rules_of_the_table(new_person: NewPerson) -> None:
    ann = watching(new_person, "stacked-ctg")
    ann.button("Rules").click()
    rules = ann.page.get_by_role("dialog")
    for wager, line, clause in (
        ("Tie", "wins10 to 1", "CTG-O1"),
        ("War", "wins1 to 1", "CTG-O2"),
        ("War", "surrenderedhalf comes back", "CTG-O3"),
        ("Second wager", "wins2 to 1", "CTG-O4"),
        ("Second wager", "ties3 to 1", "CTG-O5"),
    ):
        spot = rules.locator("section").filter(has=ann.page.get_by_role("heading", name=re.compile(f"^{wager}")))
        expect(spot.get_by_role("listitem").filter(has_text=line)).to_contain_text(clause)


@pytest.mark.clause("CA-TAB-3")
@pytest.mark.clause("CA-N1")
def test_ca_has_a_tie_circle_in_every_box_and_names_the_owner_of_the_game(new_person: NewPerson) -> None:
    ann = watching(new_person, "stacked-ca")
    for box in range(1, 9):
        expect(ann.page.get_by_label(re.compile(rf"^Tie\b[^,]*, box {box}\b"))).to_have_count(1)
    ann.go("/rules/ca")
    ann.see_text(re.compile(r"SHFL Entertainment, Inc\."))


@pytest.mark.clause("CA-RP-10c")
def test_ca_marks_the_player_who_banks_with_a_button(new_person: NewPerson) -> None:
    ann = new_person(size=(1680, 1050))
    ann.seated("stacked-ca", 2)
    expect(ann.page.get_by_text("BANK", exact=True)).to_have_count(1)
    bank = ann.view("stacked-ca")["view"]["bank"]
    place = ann.page.locator(f"[data-place='{bank['box']}']")
    expect(place.get_by_text("BANK", exact=True)).to_have_count(1)


@pytest.mark.clause("MA-8e-ii")
@pytest.mark.clause("CA-RP-5c")
@pytest.mark.parametrize(("book", "label"), [("ma", "Initial"), ("ca", "Primary")])
def test_first_cards_at_war_stay_open_to_view_through_the_war_deal(
    book: str, label: str, new_person: NewPerson
) -> None:
    ann = new_person()
    ann.seated(f"stacked-ties-open-{book}", 2)
    if book == "ca":
        ann.until(lambda: ann.view(f"stacked-ties-open-{book}")["view"]["bank"] is not None)
    ann.bet(label, 2)
    ann.ready()
    nines = ann.page.get_by_role("img", name=re.compile("^nine of"))
    ann.see(ann.button(re.compile("^Go to war.*place 5 more")))
    first = nines.count()
    assert first >= 2, "the dealer's and her own, and a bot's where one plays"
    ann.button(re.compile("^Go to war.*place 5 more")).click()
    ann.until(lambda: nines.count() >= first + 2)


@pytest.mark.clause("NZ-5.10-iii")
def test_nz_gives_the_most_of_a_box_on_its_sign(house: LiveServer, new_person: NewPerson) -> None:
    floor: Caller = house.staff("box-floor", "supervisor", "operator")
    command = {"do": "direct_box_max", "amount": 30_000}
    told = floor.command("stacked-shown-nz", command, **{"as": "operator", "reason": "by order"})
    assert told.status == 200, told.json
    ann = watching(new_person, "stacked-shown-nz")
    assert "A box in all" in felt(ann)
    assert "up to 300" in felt(ann)


@pytest.mark.clause("WA-5.7-adv", "WA-5.7c")
def test_wa_tells_who_has_bet_above_the_maximum_what_plays_and_the_limits(
    opened: Opened, new_person: NewPerson
) -> None:
    name = "stacked-ties-limits"
    live, _ = opened(table(name, "wa", limit=Limit(minimum=500, maximum=2000, unit=500)))
    ann = new_person(live, size=(1440, 900))
    ann.seated(name, 2)
    for lies in ("5", "10", "15", "20", "25"):
        ann.bet("Casino War", 2, lies)
    ann.ready()
    told = "Casino War plays for 20, 5 goes back. The limits of Casino War are 5 to 20."
    strip = ann.page.get_by_role("region", name="Rulings of this round")
    expect(strip).to_contain_text(told)
    expect(strip.get_by_role("button", name="Clause WA-5.7c: what it says", exact=True)).to_be_visible()
    expect(ann.page.locator("p[aria-live]").filter(has_text=told)).to_have_count(1)
    expect(ann.spot("Casino War", 2)).to_have_accessible_name(re.compile(", 20 down"))
