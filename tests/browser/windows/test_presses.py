"""How many presses it takes: three from the lobby to a first card, and one for a round that is played again."""

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from casinowar.house.settings import HouseSettings, Timers
from tests.browser.conftest import BOOKS, table
from tests.browser.people import MAIN, NewPerson, Person
from tests.browser.sizes import SIZES
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

PATIENT = Timers(betting=600, decision=600, war_betting=600, cut=600, entropy=3, bank=600, pause=0.3, card=0.02)
"""Nothing comes because a time is over: neither cards, nor the end of a cut, nor that of an offer of the bank."""

TOGETHER = "stacked-together"
COUNTED = """
window.__presses = 0;
for (const kind of ['pointerdown', 'keydown'])
  addEventListener(kind, (one) => one.isTrusted && window.__presses++, true);
"""
CARD = re.compile(r" of (spades|hearts|diamonds|clubs)$")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (*(table(f"stacked-{book}", book, timers=PATIENT) for book in BOOKS), table(TOGETHER, timers=PATIENT))
    with running(tmp_path_factory.mktemp("presses"), HouseSettings(tables=tables)) as live:
        yield live


class Newcomer:
    """Somebody who has never been here, and whose presses are counted.

    A page that is loaded anew counts from nothing: so the count is told exactly, and not as a limit.
    """

    def __init__(self, person: Person, book: str) -> None:
        self.person, self.book = person, book
        person.context.add_init_script(COUNTED)
        person.go()

    def press(self, what: Locator) -> None:
        expect(what).to_be_enabled()
        what.click()

    @property
    def presses(self) -> int:
        return int(self.person.page.evaluate("window.__presses"))

    @property
    def table(self) -> str:
        return self.person.page.url.split("/table/")[1].partition("/")[0]

    def first_card(self) -> None:
        """From the seat on: a chip on one's own spot, and the cards."""
        person = self.person
        person.see_text("Put a chip on your box")
        seats = person.view(self.table)["seats"]
        own = next(seat["box"] for seat in seats if seat["strategy"] is None)
        self.press(person.spot(MAIN[self.book], own))
        self.press(person.button(re.compile("^Ready")))
        person.see(person.page.get_by_role("img", name=CARD))

    def end_round(self) -> None:
        """Whatever a tie asks for is no part of the count."""
        person = self.person
        surrender, again = person.button(re.compile("^Surrender")), person.button(re.compile("^Same again"))
        person.see(surrender.or_(again))
        if surrender.is_visible():
            surrender.click()
        person.see(again)

    def same_again(self) -> None:
        person = self.person
        number = max(one["number"] for one in person.view(self.table)["rounds"])
        before = self.presses
        again = person.button(re.compile(f"^Same again.*{MAIN[self.book]}\\s5"))
        self.press(again)
        person.until(lambda: person.view(self.table)["view"]["round"] > number)
        person.until(lambda: bool(person.view(self.table)["view"]["dealer"]) or is_over(person, self.table, number + 1))
        assert self.presses - before == 1


def is_over(person: Person, name: str, number: int) -> bool:
    return any(one["number"] == number for one in person.view(name)["rounds"])


def hold_clocks(house: LiveServer, name: str) -> None:
    """A private table has the usual times, in which cards would come by themselves."""

    def hold() -> None:
        live = house.server.house.tables[name]
        live.settings = replace(live.settings, timers=PATIENT)

    house.call(hold)


@pytest.mark.parametrize("book", BOOKS)
def test_a_first_card_at_a_private_table_is_three_presses_away_and_the_next_round_one(
    house: LiveServer, new_person: NewPerson, book: str
) -> None:
    newcomer = Newcomer(new_person(size=SIZES[BOOKS.index(book)]), book)
    person = newcomer.person
    person.page.get_by_label("Rulebook of the private table").select_option(book)
    newcomer.press(person.button(re.compile("^Deal me a private table")))
    person.page.wait_for_url(re.compile("/table/private-"))
    hold_clocks(house, newcomer.table)
    newcomer.first_card()
    assert newcomer.presses == 3
    newcomer.end_round()
    newcomer.same_again()


@pytest.mark.parametrize("book", BOOKS)
def test_a_first_card_at_an_open_table_is_three_presses_away_and_the_next_round_one(
    house: LiveServer, new_person: NewPerson, book: str
) -> None:
    newcomer = Newcomer(new_person(size=SIZES[-1 - BOOKS.index(book)]), book)
    newcomer.press(newcomer.person.button(f"Sit at stacked-{book}", exact=True))
    newcomer.person.page.wait_for_url(re.compile("/table/"))
    newcomer.first_card()
    assert newcomer.presses == 3
    newcomer.end_round()
    newcomer.same_again()


def test_same_again_deals_at_once_where_the_other_person_is_ready(new_person: NewPerson) -> None:
    """There are ten minutes to bet in, and nobody waits for them."""
    ann, ben = new_person(size=SIZES[2]), new_person()
    ann.context.add_init_script(COUNTED)
    places = ((ann, 2), (ben, 4))
    names = [person.seated(TOGETHER, box) for person, box in places]
    for person, box in places:
        person.bet(MAIN["nz"], box)
    for person, _ in places:
        person.ready()
    again = ann.see(ann.button(re.compile("^Same again")))
    ann.until(lambda: is_over(ann, TOGETHER, 1))
    ben.bet(MAIN["nz"], 4)
    ben.ready()
    ben.see_text(f"Ready. The dealer waits for {names[0]}.")
    before = int(ann.page.evaluate("window.__presses"))
    again.click()
    ann.until(lambda: is_over(ann, TOGETHER, 2))
    assert int(ann.page.evaluate("window.__presses")) - before == 1
    dealt = next(one for one in ann.view(TOGETHER)["rounds"] if one["number"] == 2)
    assert sorted((box, who, amount) for box, _, who, amount, *_ in dealt["wagers"]) == [
        (2, names[0], 500),
        (4, names[1], 500),
    ]
