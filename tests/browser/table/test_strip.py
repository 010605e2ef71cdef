"""Strip, dock and live texts: what is told, when, and to whom; and what a press on the table may not do unasked."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from casinowar.house.settings import BotSettings, HouseSettings, Timers
from tests.browser.conftest import table
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import LAID, stack_shoes
from tests.support.live_server import LiveServer, running

pytestmark = pytest.mark.long

BOX = 2
COMPACT = (1024, 768)
NZ_WAR, NZ_SAME = f"{LAID}x9h9dxxxKh5d.nz", f"{LAID}x9h9dxxxAsAc.nz"
PAIRS = f"{LAID}AcxAhAhxxx9h9s.wa"
PATIENT = Timers(betting=120, decision=120, war_betting=120, cut=0, entropy=0, bank=120, pause=0.3, card=0.02)
SEEN = """(face) => {
  const money = document.querySelector('.dock .money')
  const lies = () => document.querySelectorAll(`[role=img][aria-label^="${face}"]`).length
  const look = () => window.__told.push([money.innerText, lies()])
  const all = {subtree: true, childList: true, characterData: true, attributes: true}
  window.__told = []
  new MutationObserver(look).observe(document.body, all)
}"""
"""Whatever changes on the page, what the dock says of money and whether a card lies is noted."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (
        *(table(name, title=name[-12:]) for name in (NZ_WAR, NZ_SAME)),
        *(table(f"stacked-ties-{name}") for name in ("refused", "gone")),
        table(PAIRS, "wa", timers=PATIENT, title="Pairs"),
        table("stacked-still"),
        table("stacked-locked", "ma"),
        table("stacked-several", options={"table.multi_box": True}),
        table("stacked-offered", "ca", bots=(BotSettings(strategy="war", box=5),)),
        table("cutting", timers=Timers(betting=120, entropy=2, cut=60, pause=0.3, card=0.02)),
    )
    with running(tmp_path_factory.mktemp("strip"), HouseSettings(tables=tables)) as live:
        yield live


def strip(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Rulings of this round")


def dock(person: Person) -> Locator:
    return person.page.get_by_role("region", name="What you can do")


def test_a_refusal_names_its_limit_and_gives_way_to_the_ruling_that_is_always_heard(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-ties-refused", BOX)
    ann.bet("Casino War", BOX)
    ann.spot("Casino War", 4).click()
    expect(strip(ann).get_by_role("alert")).to_have_text("Not taken: Too many boxes: one each.")
    expect(strip(ann).get_by_role("button", name="Clause NZ-5.7: what it says")).to_be_visible()
    # Another who is ready closes the bets, so that nothing is done here that would clear the refusal itself.
    told = ann.context.request.get(f"{ann.address}/api/tables/stacked-ties-refused").json()
    ready = {"id": "ready", "expected": told["version"], "command": {"do": "ready"}}
    assert ann.context.request.post(f"{ann.address}/api/tables/stacked-ties-refused/commands", data=ready).ok
    ann.see(ann.button(re.compile("^Surrender")))
    expect(strip(ann)).to_contain_text("ties the dealer’s")
    ann.see_caller(re.compile("Now choose"))
    expect(strip(ann).get_by_role("alert")).to_have_count(0)
    read_rulings(ann)
    # Whoever comes back in the middle of the decision knows as much.
    ann.page.reload()
    expect(strip(ann)).to_contain_text("Now choose")
    expect(strip(ann).get_by_role("button", name="Clause NZ-8.5.2c: what it says")).to_be_visible()
    read_rulings(ann)


def read_rulings(person: Person) -> None:
    person.page.keyboard.press("l")
    rulings = person.see(person.page.get_by_role("dialog"))
    expect(rulings).to_contain_text("war or surrender?")
    expect(rulings).not_to_contain_text(re.compile(r"\?\.|Deal started"))
    person.page.keyboard.press("Escape")


def test_the_dock_tells_no_result_before_its_cards_lie(new_person: NewPerson) -> None:
    """25 are bet of 1,000 and 25 more at war: 950 until a king beats a five and brings 25 (NZ-5.13b)."""
    ann = new_person()
    ann.seated(NZ_WAR, BOX)
    ann.page.get_by_role("radio", name="Chip 25", exact=True).click()
    ann.bet("Casino War", BOX)
    ann.ready()
    war = ann.see(ann.button(re.compile("^Go to war.*place 25 more")))
    ann.page.evaluate(SEEN, "five of diamonds")
    war.click()
    expect(dock(ann)).to_contain_text(re.compile(r"Balance\s*1,025\s*0 on the layout"))
    seen = [(" ".join(money.split()), lies) for money, lies in ann.page.evaluate("window.__told")]
    assert ("Balance 950 50 on the layout", 0) in seen
    assert {money for money, lies in seen if not lies} <= {
        "Balance 975 25 on the layout",
        "Balance 950 50 on the layout",
    }


def test_second_cards_and_the_wager_on_them_are_heard(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(PAIRS, BOX)
    ann.bet("Casino War", BOX)
    ann.bet("Perfect Pairs", BOX)
    ann.ready()
    ann.see_caller(re.compile("^Ace against ace$"))
    ann.button(re.compile("^Go to war.*place 5 more")).click()
    ann.see_caller(re.compile("Perfect Pairs can be bet on the second card"))
    ann.press("Perfect Pairs", BOX)
    ann.button(re.compile("^Deal")).click()
    ann.see_caller(re.compile("^Second cards: nine against nine$"))
    # 25:1 of 5 for two aces of hearts, 5:1 for a heart and a spade: each result with the clauses that it rests on.
    ann.button(re.compile(r"^Perfect Pairs \+150: which clause")).click()
    told = ann.see(ann.page.get_by_role("dialog"))
    expect(told).to_contain_text(re.compile(r"On the first card \+125: .*WA-1\.1-PERF"))
    expect(told).to_contain_text(re.compile(r"On the second card \+25: .*WA-1\.1-MIX"))


def test_the_same_ranks_again_are_heard_again(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(NZ_SAME, BOX)
    ann.bet("Casino War", BOX)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    # One is burned and two lie on the table: each name tells its own count of the 312.
    expect(ann.page.get_by_role("img", name="Discard rack: 1 card", exact=True)).to_be_attached()
    expect(ann.page.get_by_role("img", name=re.compile("^Shoe, 6 decks: 309 cards"))).to_be_attached()
    ann.button(re.compile("^Go to war.*place 5 more")).click()
    ann.see_caller(re.compile("^Second cards: ace against ace$"))


def test_chips_and_acts_stand_still_whatever_the_numbers(new_person: NewPerson) -> None:
    ann = new_person(size=COMPACT)
    ann.seated("stacked-still", BOX)
    places = [ann.page.get_by_role("radiogroup", name="Chips"), ann.button(re.compile("^Clear"))]
    before = [place.bounding_box() for place in places]
    ann.page.get_by_role("radio", name="Chip 100", exact=True).click()
    ann.bet("Casino War", BOX)
    expect(dock(ann)).to_contain_text("100 on the layout")
    assert [place.bounding_box() for place in places] == before
    expect(ann.button(re.compile("^Clear"))).to_be_enabled()


def test_what_can_no_longer_be_touched_is_not_offered(new_person: NewPerson) -> None:
    """MA-6b-ii: a wager lies as it was put down."""
    ann = new_person()
    ann.seated("stacked-locked", BOX)
    ann.bet("Initial", BOX)
    for name in ("Double", "Clear"):
        expect(ann.button(re.compile(f"^{name}"))).to_be_disabled()


def test_a_press_on_another_box_leaves_enter_to_ready_and_comes_again_where_it_was(new_person: NewPerson) -> None:
    ann = new_person(size=COMPACT)
    ann.seated("stacked-several", BOX)
    ann.bet("Casino War", BOX)
    ann.press("Casino War", 4)
    expect(dock(ann)).to_contain_text("Casino War 5 on box 4")
    ann.page.keyboard.press("Enter")
    ann.see_text(re.compile("this round, 2 wagers"))
    expect(strip(ann)).to_contain_text(re.compile("Casino War on box 4 .*, Casino War on box 2 "))
    again = ann.see(ann.button(re.compile("^Same again")))
    expect(again).to_have_accessible_name(re.compile(r"Casino\sWar\s5\son\sbox\s2, Casino\sWar\s5\son\sbox\s4"))
    ann.button(re.compile("^Repeat")).click()
    ann.see(ann.button(re.compile("^Ready")))
    boxes = ann.view("stacked-several")["view"]["boxes"]
    assert {box["box"]: box["wagers"][0][2] for box in boxes if box["wagers"]} == {2: 500, 4: 500}


def test_a_session_that_has_ended_is_told_with_a_way_to_begin_anew(new_person: NewPerson, house: LiveServer) -> None:
    ann = new_person()
    ann.seated("stacked-ties-gone", BOX)
    ann.context.clear_cookies()
    house.call(lambda: house.server.hub.end_all("slow_reader"))
    expect(strip(ann).get_by_role("alert")).to_have_text(re.compile("Your session has ended"))
    ann.button("Begin anew").click()
    ann.see_text("What is different here")
    ann.go("/table/stacked-ties-gone").see(ann.button(re.compile("^Box 3 is free")))


def test_a_newcomers_first_page_logs_no_error(new_person: NewPerson) -> None:
    ann = new_person()
    logged: list[str] = []
    ann.page.on("console", lambda one: logged.append(one.text) if one.type == "error" else None)
    ann.go("/").see_text("What is different here")
    ann.page.wait_for_load_state("networkidle")
    assert logged == []


def test_nobody_plans_to_bank_where_the_house_does(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    for book, plans in (("nz", 3), ("ca", 4)):
        opened = ann.context.request.post(
            f"{ann.address}/api/tables/private", data={"id": book, "rulebook": book, "bots": 0}
        )
        ann.go(f"/table/{opened.json()['table']}")
        ann.button("Menu").click()
        expect(ann.page.get_by_label("Plan").get_by_role("option")).to_have_count(plans)


def test_the_offer_of_the_bank_is_seen_heard_and_readable_under_the_hand(new_person: NewPerson) -> None:
    ann = new_person(color_scheme="dark")
    ann.guest()
    ann.go("/table/stacked-offered")
    ann.button(re.compile("^Box 2 is free")).click()
    take = ann.see(ann.button("Take the bank", exact=True))
    fill = "one => getComputedStyle(one).backgroundColor"
    before = take.evaluate(fill)
    take.hover()
    assert take.evaluate(fill) == before


def test_while_another_cuts_no_bets_are_open(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    for person, box in ((ann, 1), (ben, 2)):
        person.wants(person.guest(), "cut")
        person.go("/table/cutting")
        person.button(re.compile(f"^Box {box} is free")).click()
    ann.until(lambda: ann.view("cutting")["view"]["cut_offered_to"] is not None)
    offered = ann.view("cutting")["view"]["cut_offered_to"]
    other = ben if ann.view("cutting")["seats"][0]["player"] == offered else ann
    expect(dock(other)).to_contain_text("bets open when it is in place")
    expect(dock(other)).not_to_contain_text("Put a chip on your box")


def test_a_replay_opened_at_the_table_has_an_address_of_its_own(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-still", 3)
    ann.bet("Casino War", 3)
    ann.ready()
    ann.see_text(re.compile("this round, 1 wager"))
    number = ann.view("stacked-still")["rounds"][-1]["number"]
    ann.button("Menu").click()
    ann.button("Last rounds").click()
    ann.page.get_by_role("dialog").get_by_role("link", name="Replay").first.click()
    expect(ann.page).to_have_url(re.compile(rf"/replay/stacked-still/{number}$"))
    expect(ann.page).to_have_title(f"Round {number}, stacked-still · casinowar")
    ann.page.go_back()
    ann.see(ann.button(re.compile("^Leave seat")))
