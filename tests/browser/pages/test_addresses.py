"""Addresses: each page has its own, the way back leads where one was, and a wrong one says so in one line."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.rulebooks import BOOKS, load_rulebook
from tests.browser.conftest import UNHURRIED, table
from tests.browser.people import NewPerson
from tests.browser.players import Player
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

CODES = ("A", "B", "cw", "ccw", "on", "off", "lose", "P6a", "P6b", "P6c", "P6d", "23456789TJQKA")
LAST = "stacked-address"
LONG = "A very long name for a table of the house, longer than any bar has room for"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (
        table(LAST),
        table("stacked-long", title=LONG),
        TableSettings(name="stacked-first", rulebook="ca@1", timers=UNHURRIED),
        TableSettings(name="stacked-one", rulebook="ma", timers=UNHURRIED),
        TableSettings(name="stacked-other", rulebook="ma", timers=UNHURRIED),
        TableSettings(name="stacked-wa", rulebook="wa", title="Western Australia", timers=UNHURRIED),
    )
    with running(tmp_path_factory.mktemp("addresses"), HouseSettings(tables=tables)) as live:
        yield live


def test_a_replay_opened_from_the_table_has_its_own_address_and_the_way_back_leads_to_the_table(
    small: LiveServer, new_person: NewPerson
) -> None:
    bet = Player(small, LAST, 2)
    bet.bet()
    bet.deal()
    ann = new_person(small).known(bet).go(f"/table/{LAST}")
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.page.keyboard.press("l")
    ann.page.get_by_role("dialog").get_by_role("link", name=re.compile("Replay")).first.click()
    heading = ann.page.get_by_role("heading", name=f"Round 1, {LAST}")
    ann.see(heading)
    assert ann.page.url == f"{small.address}/replay/{LAST}/1"
    expect(ann.page).to_have_title(re.compile("^Round 1"))
    ann.page.reload()
    ann.see(heading)
    ann.page.go_back()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    assert ann.page.url == f"{small.address}/table/{LAST}"
    ann.page.go_forward()
    ann.see(heading)


@pytest.mark.parametrize(
    ("address", "line", "way"),
    [
        ("/foo", "There is nothing at this address.", "/"),
        ("/foo/bar?x=1", "There is nothing at this address.", "/"),
        ("/table/nope", "There is no table of this name.", "/"),
        ("/table/%E0%A4%A", "There is no table of this name.", "/"),
        ("/table/" + "a" * 300, "There is no table of this name.", "/"),
        (f"/replay/{LAST}/99", "This table has not played that round, or not to its end.", "/replay"),
        ("/replay/nope/1", "There is no table of this name.", "/replay"),
        ("/rules/nowhere", "There is no rulebook at this address.", "/rules"),
        ("/rules/nz@9", "There is no rulebook at this address.", "/rules"),
    ],
)
def test_a_wrong_address_says_so_in_one_line_with_a_way_back(
    address: str, line: str, way: str, small: LiveServer, new_person: NewPerson
) -> None:
    ann = new_person(small)
    ann.guest()
    ann.go(address)
    alert = ann.see(ann.page.get_by_role("alert"))
    text = alert.inner_text()
    assert text.startswith(line)
    assert text[0].isupper()
    back = alert.get_by_role("link")
    expect(back).to_have_attribute("href", way)
    back.click()
    ann.page.wait_for_url(small.address + way)
    ann.see(ann.page.get_by_role("heading", level=1).or_(ann.page.get_by_role("heading", name="Open tables")))


def test_tables_without_a_title_go_by_their_name_and_no_book_is_named_twice(
    small: LiveServer, new_person: NewPerson
) -> None:
    ann = new_person(small).go()
    for name in ("stacked-one", "stacked-other"):
        ann.see(ann.button(f"Sit at {name}"))
        ann.see(ann.page.get_by_role("link", name=f"Watch {name}"))
    tile = ann.page.get_by_role("listitem").filter(has=ann.button("Sit at Western Australia"))
    expect(tile.get_by_text("Western Australia", exact=True)).to_have_count(1)
    ann.go("/table/stacked-other")
    ann.see(ann.page.get_by_role("heading", name=re.compile("^stacked-other"), level=1))


@pytest.mark.parametrize("width", [1024, 800])
def test_a_title_that_is_too_long_ends_in_an_ellipsis(width: int, small: LiveServer, new_person: NewPerson) -> None:
    ann = new_person(small, size=(width, 768))
    ann.guest()
    ann.go("/table/stacked-long")
    title = ann.see(ann.page.get_by_role("heading", level=1).locator("b"))
    measured = title.evaluate("one => [one.clientWidth < one.scrollWidth, getComputedStyle(one).textOverflow]")
    assert measured == [True, "ellipsis"]


def test_every_number_on_the_rulebooks_page_stays_in_its_button(small: LiveServer, new_person: NewPerson) -> None:
    ann = new_person(small, size=(390, 844)).go("/rules")
    ann.page.get_by_role("searchbox").fill("war")
    books = ann.see(ann.page.get_by_role("navigation", name="Rulebooks")).get_by_role("link")
    for book in books.all():
        count = ann.see(book.get_by_text(re.compile(r"^\d+ rules?$")))
        inner, outer = count.bounding_box(), book.bounding_box()
        assert inner is not None
        assert outer is not None
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] - 8


def test_the_rules_of_a_table_lead_to_its_book_in_the_edition_that_it_plays(
    small: LiveServer, new_person: NewPerson
) -> None:
    ann = new_person(small)
    ann.guest()
    ann.go("/table/stacked-first")
    ann.button("Rules").click()
    rules = ann.see(ann.page.get_by_role("dialog"))
    expect(rules.get_by_text("Edition 1", exact=True)).to_be_visible()
    rules.get_by_role("link", name="The whole rulebook").click()
    ann.page.wait_for_url("**/rules/ca@1")
    ann.see_text(re.compile("^Edition 1"))
    ann.page.get_by_role("link", name="Edition 2").click()
    ann.page.wait_for_url("**/rules/ca@2")
    ann.see(ann.page.get_by_role("link", name="Edition 1"))


@pytest.mark.parametrize("book", BOOKS)
def test_every_value_of_a_rulebook_is_told_in_words(book: str, small: LiveServer, new_person: NewPerson) -> None:
    """Codes and values such as `floor_to_unit` are for files; both the value and what else may be set are sentences."""
    ann = new_person(small).go(f"/rules/{book}")
    ann.see(ann.page.get_by_role("navigation", name="Rulebooks"))
    rules = load_rulebook(book)
    shown = {
        one.locator("code").inner_text(): one.locator("dd").first.inner_text()
        for one in ann.page.locator("dl > div").all()
    }
    assert shown.keys() == rules.leaves.keys()
    for key, leaf in rules.leaves.items():
        told = re.split(r", |; |\n|: ", f"{shown[key]}, {shown[key][:1].lower()}{shown[key][1:]}")
        for value in leaf.value if isinstance(leaf.value, list) else (leaf.value, *(leaf.allowed or "").split(", ")):
            if isinstance(value, str) and ("_" in value or value in CODES):
                assert value.replace("_", " ") not in told, key
        assert "_" not in shown[key], key
        assert isinstance(leaf.value, bool) == (shown[key].split("\n")[0] in ("Yes", "No")), key
    # Still found by its raw value, its key and its clause.
    search = ann.page.get_by_role("searchbox")
    for looked in ("1:2", "surrender.forfeit", rules.leaves["surrender.forfeit"].clauses[0]):
        search.fill(looked)
        ann.see_text("Half of the first wager")
