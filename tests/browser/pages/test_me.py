"""A player's own page: limits that the table holds the player to, what is looser waits, a break, colours that stay.

What is expected is written in docs/accounts.md, "A player's own limits".
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Route, expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import table
from tests.browser.later import DAY, MINUTE, Clocks, running_later
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer

TABLES = ("stacked-loss", "stacked-most", "stacked-time", "stacked-looser", "stacked-break", "stacked-ties-chips")
Later = tuple[LiveServer, Clocks]


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Later]:
    stack_shoes()
    tables = tuple(table(name) for name in TABLES)
    with running_later(tmp_path_factory.mktemp("later"), HouseSettings(tables=tables)) as both:
        yield both


def set_limits(person: Person, loss: str = "", minutes: str = "") -> None:
    person.page.get_by_label("Most to lose in a day").fill(loss)
    person.page.get_by_label("Most minutes of play in a day").fill(minutes)
    person.button("Set the limits").click()
    person.see_text("The limits are set.")


def line(person: Person, name: str) -> Locator:
    limits = person.page.get_by_role("region", name="Your own limits")
    return limits.get_by_role("row").filter(has=person.page.get_by_role("rowheader", name=name))


def see_cells(person: Person, name: str, *cells: str) -> None:
    expect(line(person, name).get_by_role("cell")).to_have_text(list(cells))


def moment(at: int) -> str:
    told = datetime.fromtimestamp(at / 1000, UTC)
    return f"{told.day} {told:%b %Y, %H:%M}"


def refused(person: Person, words: str) -> None:
    expect(person.page.get_by_role("alert").filter(has_text="Not taken")).to_contain_text(words, ignore_case=True)


def came(new_person: NewPerson, later: Later) -> tuple[Person, str]:
    """A guest on their own page, whose browser keeps the house's time."""
    person = new_person(later[0], timezone_id="UTC")
    name = person.guest()
    person.go("/me").see_text(f"You play as {name}")
    return person, name


def test_chips_at_a_table_are_one_link_and_an_amount(later: Later, new_person: NewPerson) -> None:
    """10 are brought for both wagers; 5 on a tied war wins 10, 5 on the tie 50."""
    winner = Player(later[0], "stacked-ties-chips")
    winner.bet()
    winner.bet("tie")
    winner.deal()
    winner.go_to_war()
    ann = new_person(later[0]).known(winner).go("/me")
    money = ann.see(ann.page.get_by_role("region", name="Money"))
    expect(money.get_by_role("definition").filter(has_text="stacked")).to_have_text("stacked-ties-chips 70")
    expect(money.get_by_role("link")).to_have_text("stacked-ties-chips")


def test_on_a_phone_a_refused_sign_in_is_seen(later: Later, new_person: NewPerson) -> None:
    """The message stands below the button, which is at the lower edge of the window."""
    ann = new_person(later[0], size=(390, 664)).go("/me")
    ann.page.get_by_label("Name", exact=True).fill("nobody")
    ann.page.get_by_label("Password", exact=True).fill("never the right one")
    ann.page.locator("form").get_by_role("button", name="Sign in").click()
    told = ann.page.get_by_role("alert").filter(has_text="do not belong together")
    expect(told).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("limit", "name"), [("10", "stacked-loss"), ("15", "stacked-most")])
def test_a_wager_that_could_pass_the_loss_limit_is_refused(
    limit: str, name: str, later: Later, new_person: NewPerson
) -> None:
    """A first wager of 5 counts with the 5 of its war: a limit of 10 is used up by it, of 15 not."""
    ann, _ = came(new_person, later)
    set_limits(ann, loss=limit)
    see_cells(ann, "Loss in a day", limit, "0 lost")
    ann.go(f"/table/{name}")
    ann.button(re.compile("^Box 2 is free")).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.bet("Casino War", 2)
    if limit == "15":
        ann.bet("Tie", 2)
    else:
        ann.press("Tie", 2)
        refused(ann, "it could exceed the loss limit that you have set for today")
    laid = ann.view(name)["view"]["boxes"][1]["wagers"]
    assert [wager for _, wager, *_ in laid] == (["initial", "tie"] if limit == "15" else ["initial"])


def test_what_cannot_be_a_limit_is_told_and_sets_nothing(later: Later, new_person: NewPerson) -> None:
    ann, _ = came(new_person, later)
    for label, typed, told in (
        ("Most to lose in a day", "ten", "The loss limit is an amount, like 50 or 12.50."),
        ("Most minutes of play in a day", "0", "The minutes are a whole number from 1 to 1,440."),
    ):
        ann.page.get_by_label(label).fill(typed)
        ann.button("Set the limits").click()
        ann.see_text(told)
        ann.page.get_by_label(label).fill("")
    see_cells(ann, "Loss in a day", "No limit", "0 lost")
    see_cells(ann, "Time in a day", "No limit", "0 minutes played")


def test_what_is_typed_as_a_limit_stays_while_the_page_hears_of_the_player(later: Later, new_person: NewPerson) -> None:
    """The page asks for the player again once it stands; what comes then has the same limits."""
    ann, _ = came(new_person, later)
    asked: list[Route] = []

    def hold_second(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.continue_()

    ann.page.route("**/api/session", hold_second)
    with ann.page.expect_request(lambda request: len(asked) == 1 and request.url.endswith("/api/session")):
        ann.go("/me")
    minutes = ann.page.get_by_label("Most minutes of play in a day")
    minutes.fill("7")
    with ann.page.expect_response("**/api/session"):
        asked[1].continue_()
    ann.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(minutes).to_have_value("7")


def test_when_the_time_is_over_no_wager_is_taken_until_the_next_day(later: Later, new_person: NewPerson) -> None:
    live, clocks = later
    ann, _ = came(new_person, later)
    set_limits(ann, minutes="1")
    ann.go("/table/stacked-time")
    ann.button(re.compile("^Box 2 is free")).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.bet("Casino War", 2)
    clocks.forward(live, 1)
    ann.press("Tie", 2)
    refused(ann, "the time that you have set for today is over")
    ann.go("/me")
    see_cells(ann, "Time in a day", "1 minute", "1 minute played")
    clocks.wall += DAY
    ann.go("/table/stacked-time")
    ann.bet("Tie", 2)


def test_what_is_stricter_counts_at_once_and_what_is_looser_a_day_later(later: Later, new_person: NewPerson) -> None:
    _, clocks = later
    ann, _ = came(new_person, later)
    set_limits(ann, loss="20", minutes="60")
    set_limits(ann, loss="10", minutes="60")
    see_cells(ann, "Loss in a day", "10", "0 lost")
    set_limits(ann, loss="50", minutes="30")
    ann.see(ann.page.get_by_role("columnheader", name=f"From {moment(clocks.wall + DAY)}", exact=True))
    see_cells(ann, "Loss in a day", "10", "0 lost", "50")
    see_cells(ann, "Time in a day", "30 minutes", "0 minutes played", "30 minutes")
    ann.go("/table/stacked-looser")
    ann.button(re.compile("^Box 2 is free")).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.bet("Casino War", 2)
    ann.press("Tie", 2)
    refused(ann, "it could exceed the loss limit")
    clocks.wall += DAY
    ann.bet("Tie", 2)
    ann.go("/me")
    expect(ann.page.get_by_role("columnheader", name=re.compile("^From "))).to_have_count(0)
    expect(line(ann, "Loss in a day").get_by_role("cell").first).to_have_text("50")


def take_break(person: Person, length: str) -> None:
    person.page.get_by_label("How long").select_option(length)
    person.button("Take the break").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Begin the break").click()


def test_a_break_keeps_a_player_from_wagering_and_is_never_shortened(later: Later, new_person: NewPerson) -> None:
    live, clocks = later
    ann, _ = came(new_person, later)
    ann.seated("stacked-break", 2)
    ann.go("/me")
    ann.button("Take the break").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Go on playing").click()
    expect(ann.page.get_by_text("You are on a break until")).to_have_count(0)
    for length, minutes in (("1 hour", 60), ("15 minutes", 60)):
        take_break(ann, length)
        ann.see_text(f"You are on a break until {moment(clocks.wall + minutes * MINUTE)}.")
    ann.go("/table/stacked-break")
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.press("Casino War", 2)
    refused(ann, "you have taken a break that is not over yet")
    clocks.forward(live, 61)
    ann.bet("Casino War", 2)


def test_the_choice_of_colours_survives_a_reload_and_the_system_is_followed_again(new_person: NewPerson) -> None:
    ann = new_person(color_scheme="dark").go("/me")
    root = ann.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    ann.page.get_by_role("radio", name="Light").check()
    expect(root).to_have_attribute("data-theme", "light")
    ann.page.reload()
    expect(root).to_have_attribute("data-theme", "light")
    expect(ann.page.get_by_role("radio", name="Light")).to_be_checked()
    ann.go("/odds")
    expect(root).to_have_attribute("data-theme", "light")
    ann.go("/me")
    ann.page.get_by_role("radio", name="As the system").check()
    expect(root).to_have_attribute("data-theme", "dark")
    ann.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
