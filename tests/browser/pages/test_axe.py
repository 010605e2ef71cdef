"""axe on every page, in dark and in light, on what the dock offers while a round goes on, and on the dialogs."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as NotThere

from casinowar.house.settings import Timers
from tests.browser.conftest import METER, Opened, table
from tests.browser.people import NewPerson, Person
from tests.support.live_server import Caller, LiveServer

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async (part) => (await axe.run(part, {resultTypes: ['violations']})).violations
  .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`)"""

STILL = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  await Promise.allSettled(document.getAnimations().map((one) => one.finished))
}"""


@pytest.fixture(scope="module")
def staff(house: LiveServer) -> Caller:
    return house.staff("axe-floor", "dealer", "supervisor", "operator", "auditor")


@pytest.fixture(scope="module")
def played(house: LiveServer) -> Caller:
    """Somebody who has played a round, so that there is one to look at."""
    ben = Caller(house).guest()
    assert ben.command("stacked-nz", {"do": "sit", "box": 1}).status == 200
    until_bets_are_open(ben, "stacked-nz")
    wager = {"do": "place_wager", "player": ben.name, "box": 1, "wager": "initial", "amount": 500}
    assert ben.command("stacked-nz", wager).status == 200
    with_socket = ben.socket()
    with_socket.watch("stacked-nz")
    assert ben.command("stacked-nz", {"do": "ready"}).status == 200
    while not with_socket.next(20)["view"].get("rounds"):
        pass
    with_socket.close()
    return ben


def until_bets_are_open(caller: Caller, table: str) -> None:
    socket = caller.socket()
    seen = socket.watch(table)["view"]
    while seen.get("seal", {}).get("stage") != "dealing":
        seen = socket.next(20)["view"]
    socket.close()


def violations(person: Person, part: str = "html") -> list[str]:
    """What axe finds in both colours; a page that is still fading in would be found too pale."""
    if not person.page.evaluate("'axe' in window"):
        person.page.add_script_tag(path=AXE)
    found: list[str] = []
    for scheme in ("dark", "light"):
        person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        person.page.evaluate(STILL)
        found += [f"{scheme} {one}" for one in person.page.evaluate(FOUND, part)]
    return found


PAGES: dict[str, tuple[str, Any]] = {
    "lobby": ("/", re.compile("^What is different here")),
    "rules": ("/rules", re.compile("NZ-")),
    "rules of a book": ("/rules/wa", re.compile("WA-")),
    "odds": ("/odds", re.compile("House edge|edge", re.IGNORECASE)),
    "me": ("/me", re.compile("limit", re.IGNORECASE)),
    "replays": ("/replay", re.compile("Replay|round", re.IGNORECASE)),
    "replay of a round": ("/replay/stacked-nz/1", re.compile("NZ-")),
    "table": ("/table/stacked-nz", re.compile("Balance")),
    "table that ties": ("/table/stacked-ties-wa", re.compile("Balance")),
    "dealer": ("/dealer/real", re.compile("Procedure|next", re.IGNORECASE)),
    "pit": ("/pit", re.compile("stacked-nz|Float", re.IGNORECASE)),
}


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on(name: str, staff: Caller, played: Caller, new_person: NewPerson) -> None:
    path, seen = PAGES[name]
    person = new_person(bypass_csp=True).known(staff if name in ("dealer", "pit") else played).go(path)
    person.see_text(seen)
    assert violations(person) == []


def test_axe_finds_nothing_in_the_dialogs_of_the_table(played: Caller, new_person: NewPerson) -> None:
    person = new_person(bypass_csp=True).known(played).go("/table/stacked-nz")
    person.see_text("Balance")
    dialog = person.page.get_by_role("dialog")
    for key in ("?", "l"):
        press_for(person, key, dialog)
        seen(person, dialog)
        person.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    for button in ("Menu", re.compile("Shoe sealed")):
        person.button(button).click()
        seen(person, dialog)
        person.page.keyboard.press("Escape")


def test_axe_finds_nothing_on_a_phone(played: Caller, new_person: NewPerson) -> None:
    person = new_person(bypass_csp=True, size=(390, 844)).known(played).go("/table/stacked-nz")
    person.see(person.button("Menu"))
    assert violations(person) == []
    person.go("/odds")
    person.button("Compare books").click()
    seen(person, person.page.get_by_role("dialog").get_by_role("table"), "dialog")


def press_for(person: Person, key: str, what: Locator) -> None:
    """Press a key until what it opens is there: a key that comes while the page is still at work is lost."""
    for _ in range(5):
        person.page.keyboard.press(key)
        with suppress(NotThere):
            what.first.wait_for(timeout=4_000)
            return


def seen(person: Person, what: Locator, part: str = "html") -> None:
    """Once this is there, nothing is wrong with what is on screen, or with a part of it."""
    person.see(what)
    assert violations(person, part) == []


def test_axe_finds_nothing_from_the_first_chip_to_the_rulings(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-ties-axe", "ma", **METER["ma"]))
    person = new_person(live, bypass_csp=True)
    person.seated("stacked-ties-axe", 4)
    for label in ("Initial", "Tie", "Casino War Progressive"):
        person.press(label, 4)
    place = person.button(re.compile("^Place the bets"))
    seen(person, place)
    place.click()
    person.ready()
    war = person.button(re.compile("^Go to war.*place 5 more"))
    seen(person, war)
    war.click()
    seen(person, person.page.get_by_text("this round, 4 wagers"))
    person.button("Menu").click()
    person.button("Last rounds").click()
    seen(person, person.page.get_by_role("dialog", name="Last rounds"), "dialog")
    person.page.keyboard.press("Escape")
    person.button(re.compile("^Clause MA-")).first.click()
    seen(person, person.page.get_by_role("dialog", name=re.compile("^MA-")), "dialog")


def test_axe_finds_nothing_where_a_player_cuts_banks_or_takes_a_break(opened: Opened, new_person: NewPerson) -> None:
    cutting = Timers(betting=120, entropy=1, cut=120, pause=0.3, card=0.02)
    live, _ = opened(table("cut", timers=cutting), table("bank", "ca", bots=()))
    person = new_person(live, bypass_csp=True)
    person.go()
    person.button("Learn it in four cards").click()
    for _ in range(4):
        guide = person.page.get_by_role("dialog")
        seen(person, guide, "dialog")
        guide.get_by_role("button", name=re.compile("^(Next|Deal me)")).click()
    person.see(person.button("Leave seat"))
    person.wants(person.guest(), "cut", "bank")
    person.go("/table/cut")
    person.button(re.compile("^Box 2 is free")).click()
    seen(person, person.page.get_by_role("group", name="Cut the cards"))
    person.seated("bank", 2, "bank")
    seen(person, person.page.get_by_role("group", name="Take the bank"))
    person.button("Take the bank").click()
    seen(person, person.button("Give up the bank"))
    person.go("/me")
    person.button("Take the break").click()
    seen(person, person.page.get_by_role("dialog"), "dialog")


def test_axe_finds_nothing_in_the_dialogs_of_the_staff(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("real", dealer="real"))
    staff = live.staff("axe-floor", "dealer", "supervisor", "operator")
    person = new_person(live, bypass_csp=True).known(staff).go("/pit")
    for button in ("Open a table", "Fund a purse", "real"):
        person.button(button, exact=True).click()
        seen(person, person.page.get_by_role("dialog"), "dialog")
        person.page.keyboard.press("Escape")
    person.button("real", exact=True).click()
    person.button("Announce new limits", exact=True).click()
    seen(person, person.page.get_by_role("form", name="Announce new limits"), "dialog")
    person.go("/dealer/real")
    for button, act in (("Incident", "A card went to the wrong box"), ("Other acts", "Change the dealer")):
        person.button(re.compile(f"^{button}")).click()
        beside = person.page.get_by_role("complementary", name=button)
        seen(person, beside, "aside")
        beside.get_by_role("button", name=act).first.click()
        seen(person, beside.get_by_label("Reason"), "aside")
        person.page.keyboard.press("Escape")
