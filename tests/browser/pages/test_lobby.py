"""The lobby: what is different in each book, watching without a seat, a private table with bots in one click."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import table
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

WATCHED = "stacked-ties-watched"
COLUMNS = ("New Zealand", "Western Australia", "Casino-To-Go", "California", "Massachusetts")
MARK = "differs from the others"

COMPARED: dict[str, tuple[str, str, str, str, str]] = {
    # CA-RP-10: a player, in turn; nobody but the house anywhere else.
    "Who banks": ("The house", "The house", "The house", "A player, in turn", "The house"),
    # WA-3.12 has the A Bomb and WA-3.14 Perfect Pairs, MA-11 a progressive with envy.
    "Side wagers": ("Tie", "Tie, A Bomb, Perfect Pairs", "Tie", "Tie", "Casino War Progressive with envy"),
    # The war wager pays 1:1 and the first is back; CTG-W6 pays 2:1.
    "War won, in units": ("+1", "+1", "+2", "+1", "+1"),
    # NZ-5.13c and its like: 2:1 on the second wager; CTG-W7: 3:1; in WA both wagers pay 1:1.
    "War tied, in units": ("+2", "+2: both wagers", "+3", "+2", "+2"),
}
ODD = {"Who banks": {3}, "War won, in units": {2}, "War tied, in units": {1, 2}}
"""Which of the five stand alone, where most agree."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (table(WATCHED), table("other", "wa"))
    with running(tmp_path_factory.mktemp("small"), HouseSettings(tables=tables)) as live:
        yield live


def cells(person: Person, about: str) -> Locator:
    compared = person.page.get_by_role("region", name="Comparison of the rulebooks")
    line = compared.get_by_role("row").filter(has=person.page.get_by_role("rowheader", name=about, exact=True))
    return line.get_by_role("cell")


def test_the_five_books_stand_beside_each_other_and_the_odd_ones_are_marked(
    small: LiveServer, new_person: NewPerson
) -> None:
    ann = new_person(small).go()
    compared = ann.see(ann.page.get_by_role("region", name="Comparison of the rulebooks"))
    assert tuple(compared.get_by_role("columnheader").all_inner_texts()) == COLUMNS
    for about, told in COMPARED.items():
        expect(cells(ann, about)).to_have_count(5)
        for at, (cell, wanted) in enumerate(zip(cells(ann, about).all(), told, strict=True)):
            assert wanted in cell.inner_text(), (about, COLUMNS[at])
            if about in ODD:
                assert (MARK in cell.inner_text()) == (at in ODD[about]), (about, COLUMNS[at])
    ann.see_text(re.compile("^Same in all five: .*Tie 10 to 1"))
    compared.get_by_role("link", name="California").click()
    ann.page.wait_for_url("**/rules/ca")
    ann.see_text(re.compile("CA-"))


def test_a_table_is_watched_without_a_seat_and_offers_no_act(small: LiveServer, new_person: NewPerson) -> None:
    ann, ben = new_person(small), new_person(small)
    name = ann.seated(WATCHED, 2)
    ben.go()
    ben.page.get_by_role("link", name=f"Watch {WATCHED}").click()
    ben.see(ben.button(re.compile("^Box 1 is free")))
    ben.see_text(name[:10])
    ann.bet("Casino War", 2)
    expect(ben.page.get_by_label(re.compile("^Casino War, box 2, 5 down"))).to_have_count(1)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    ben.see_caller(re.compile("^Nine against nine$"))
    for act in ("Ready", "Go to war", "Surrender", "Bet", "Same again", "Sit out"):
        expect(ben.button(re.compile(rf"^{act}\b")).and_(ben.page.locator(":enabled"))).to_have_count(0)
    for key in ("w", "s", "Enter", "b", "r"):
        ben.page.keyboard.press(key)
    version = ann.view(WATCHED)["version"]
    expect(ann.button(re.compile("^Surrender"))).to_be_enabled()
    seen = ben.view(WATCHED)
    assert (seen["version"], [seat["player"] for seat in seen["seats"]]) == (version, [name])
    ann.button(re.compile("^Surrender")).click()
    ann.see_text(re.compile("surrendered, 2.50 back"))
    ben.page.keyboard.press("l")
    expect(ben.page.get_by_role("dialog")).to_contain_text(re.compile("surrender", re.IGNORECASE))


def test_a_private_table_with_bots_is_one_click_and_nobody_elses(small: LiveServer, new_person: NewPerson) -> None:
    ann, ben = new_person(small).go(), new_person(small)
    ann.page.get_by_label("Rulebook of the private table").select_option("ma")
    ann.page.get_by_label("Bots at the private table").select_option("3")
    ann.button(re.compile("^Deal me a private table")).click()
    ann.page.wait_for_url(re.compile("/table/private-"))
    ann.see(ann.page.get_by_text("You", exact=True))
    place = ann.page.url.split("/table/")[1].partition("/")[0]
    ann.until(lambda: len(ann.view(place)["seats"]) == 4)
    seen = ann.view(place)
    me = seen["owner"]
    assert seen["view"]["signs"]["rulebook"] == "ma"
    assert sorted(bool(seat["strategy"]) for seat in seen["seats"]) == [False, True, True, True]
    assert [seat["player"] for seat in seen["seats"] if not seat["strategy"]] == [me]

    ann.go()
    ann.see(ann.page.get_by_role("link", name=re.compile("^Back to box .* at Private table$")))
    ann.see_text("Yours")
    ben.go()
    ben.see(ben.button(f"Sit at {WATCHED}"))
    expect(ben.page.get_by_text("Yours")).to_have_count(0)
    expect(ben.page.get_by_role("link", name=re.compile("^Watch"))).to_have_count(2)


def test_a_guest_finds_their_own_page_from_the_bar_and_from_a_table(new_person: NewPerson) -> None:
    ann = new_person()
    ann.go("/")
    expect(ann.page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    ann.guest()
    ann.go("/")
    ann.page.get_by_role("banner").get_by_role("link", name="You", exact=True).click()
    ann.see(ann.page.get_by_role("heading", name="Your page"))
    ann.see(ann.page.get_by_role("heading", name="Sign in or register"))
    ann.go("/table/stacked-nz")
    ann.button("Menu").click()
    ann.page.get_by_role("dialog").get_by_role("link", name="Your page").click()
    ann.see(ann.page.get_by_role("heading", name="Your page"))


def test_books_are_named_alone_until_rules_are_looked_for(new_person: NewPerson) -> None:
    ann = new_person().go("/rules")
    book = ann.page.get_by_role("navigation", name="Rulebooks").last.get_by_role(
        "link", name=re.compile("^New Zealand")
    )
    expect(book).to_have_accessible_name("New Zealand")
    ann.page.get_by_role("searchbox").fill("surrender")
    expect(book).to_have_accessible_name(re.compile(r"^New Zealand \d+ rules?$"))
