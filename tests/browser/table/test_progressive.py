"""The progressive on the page: a meter that every wager feeds and a hit empties, and envy for the others."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from casinowar.house.settings import HouseSettings, Timers
from tests.browser.conftest import table
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import LAID, stack_shoes
from tests.support.live_server import LiveServer, running

CARDS = "x 9h4c9h xxx9h9h 5h4cKd"
"""Four nines of hearts for the first box and the dealer, a four for the other; then both lose."""

TABLE = f"{LAID}{CARDS.replace(' ', '')}"
WAGER = "Casino War Progressive"
PATIENT = Timers(betting=120, decision=120, war_betting=120, cut=0, entropy=0, pause=0, card=0.01)
METER = 20_000
WATCHED = """() => {
  const all = (name) => [...document.querySelectorAll(`[role=img][aria-label^="${name}"]`)]
  const look = () => window.__seen.push([all('Progressive:')[0]?.ariaLabel, all('nine of hearts').length])
  window.__seen = []
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true})
}"""
"""Whatever changes on the page, what the meter shows and how many nines lie is noted."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    options = {"wager.progressive": True}
    tables = (table(TABLE, "ma", timers=PATIENT, options=options, meter=100 * METER, title="Progressive"),)
    with running(tmp_path_factory.mktemp("progressive"), HouseSettings(tables=tables)) as live:
        yield live


def bet(*boxes: tuple[Person, int]) -> None:
    for person, box in boxes:
        for label in ("Initial", WAGER):
            person.bet(label, box)
    for person, _ in boxes:
        person.ready()


def see_meter(shows: str, *people: Person) -> None:
    for person in people:
        expect(person.page.get_by_role("img", name=re.compile("^Progressive:"))).to_have_accessible_name(
            f"Progressive: {shows}"
        )


def see_clauses(person: Person, where: str, *clauses: str) -> None:
    """One click on the result tells all the clauses that it rests on."""
    person.button(where, exact=True).click()
    told = person.see(person.page.get_by_role("dialog", name=clauses[0], exact=True))
    for clause in clauses:
        expect(told.get_by_role("heading", name=clause, exact=True)).to_be_visible()
    person.page.keyboard.press("Escape")
    expect(told).to_have_count(0)


@pytest.mark.clause("MA-11b", "MA-11c", "MA-11-T1", "MA-11-F1", "MA-11-F2")
@pytest.mark.clause("MA-11-E1", "MA-11-E2", "MA-11-E3", "MA-11-E4")
def test_a_hit_takes_the_meter_and_the_other_player_is_paid_envy(new_person: NewPerson) -> None:
    ann, ben = new_person(size=(1440, 900)), new_person(size=(1440, 900))
    anns = ann.seated(TABLE, 2)
    ben.seated(TABLE, 4)
    see_meter("20,000", ann, ben)
    bet((ann, 2), (ben, 4))
    ann.see(ann.button(re.compile("^Go to war")))
    see_meter("20,001", ann, ben)  # a tenth of each wager of 5
    ann.button(re.compile("^Go to war.*place 5 more")).click()
    ann.page.evaluate(WATCHED)
    ann.button(re.compile("^Deal")).click()
    for one, wagers in ((ann, 3), (ben, 2)):
        one.see_text(f"this round, {wagers} wagers")
    see_meter("10,000", ann, ben)
    seen = {(meter, nines) for meter, nines in ann.page.evaluate("window.__seen")}
    assert {nines for meter, nines in seen if meter == "Progressive: 10,000"} == {4}, (
        "what cards bring is told after them"
    )
    assert ("Progressive: 20,001", 3) in seen

    # 1000 times 5 and all of the meter, and the wager itself does not come back.
    jackpot = 1000 * 5 + METER + 1 - 5
    see_clauses(ann, f"{WAGER} +{jackpot:,}: which clause", "MA-11-T1", "MA-11c")
    ann.see_text(re.compile("Progressive paid 1000 to 1, 20,001 from the meter"))
    # The initial wager comes back after the war, and the war wager has 2 to 1 for the second tie.
    expect(dock(ann)).to_contain_text(re.compile(rf"Balance\s*{1000 + jackpot + 2 * 5:,}\s*0 on"))
    assert "envy" not in (ann.page.text_content("main") or "")

    # A thousand for each 5 on the progressive; what Ben had down is lost.
    see_clauses(ben, f"{WAGER} +995: which clause", "MA-11a", "MA-11-T1", "MA-11-E2")
    ben.see_text(re.compile(f"envy 1,000 for {anns}’s hand"))
    strip = ben.page.get_by_role("region", name="Rulings of this round")
    expect(strip.get_by_role("button", name="Clause MA-11-E2: what it says", exact=True)).to_be_visible()
    expect(dock(ben)).to_contain_text(re.compile(r"Balance\s*1,990\s*0 on"))

    for one in (ann, ben):
        one.page.keyboard.press("l")
        rulings = one.see(one.page.get_by_role("dialog"))
        expect(rulings.get_by_role("button", name="Clause MA-11b: what it says").first).to_be_visible()
        one.page.keyboard.press("Escape")

    bet((ann, 2), (ben, 4))
    for one in (ann, ben):
        one.see_text("this round, 2 wagers")
    see_meter("10,001", ann, ben)


@pytest.mark.clause("MA-11-T1", "MA-11-F1", "MA-11-F2", "MA-11-E2")
def test_the_rules_tell_what_wins_the_meter_what_envy_pays_and_that_the_stake_is_kept(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    ann.go(f"/table/{TABLE}")
    ann.see(ann.button(re.compile("^Box 1 is free")))
    ann.page.keyboard.press("?")
    rules = ann.see(ann.page.get_by_role("dialog"))
    for names, says, clause in (
        ("suited four of a kind", "1000 to 1", "MA-11-T1"),
        ("suited four of a kind", "the whole meter, too", "MA-11-T1"),
        ("another player’s suited four of a kind", "1,000 for each 5 that you bet", "MA-11-E2"),
        ("stake of a line that pays", "kept by the house", "MA-11-F1"),
    ):
        row = rules.get_by_role("listitem").filter(has_text=re.compile(rf"^{names}\s*{says}"))
        expect(row.get_by_role("button", name=f"Clause {clause}: what it says")).to_be_visible()


def dock(person: Person) -> Locator:
    return person.page.get_by_role("region", name="What you can do")
