"""axe on every page, in dark and in light, and on the dialogs of the table."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.people import NewPerson, Person
from tests.live_server import Caller, LiveServer

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
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


def violations(person: Person) -> list[str]:
    """What axe finds in both colours; a page that is still fading in would be found too pale."""
    if not person.page.evaluate("'axe' in window"):
        person.page.add_script_tag(path=AXE)
    found: list[str] = []
    for scheme in ("dark", "light"):
        person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        person.page.evaluate(STILL)
        found += [f"{scheme} {one}" for one in person.page.evaluate(FOUND)]
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
    for key in ("?", "l"):
        person.page.keyboard.press(key)
        person.see(person.page.get_by_role("dialog"))
        assert violations(person) == []
        person.page.keyboard.press("Escape")
    for button in ("Menu", re.compile("Shoe sealed")):
        person.button(button).click()
        person.see(person.page.get_by_role("dialog"))
        assert violations(person) == []
        person.page.keyboard.press("Escape")


def test_axe_finds_nothing_on_a_phone(played: Caller, new_person: NewPerson) -> None:
    person = new_person(bypass_csp=True, size=(390, 844)).known(played).go("/table/stacked-nz")
    person.see(person.button("Menu"))
    assert violations(person) == []
