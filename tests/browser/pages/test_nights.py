"""Nights on the page: a run to its end, paused, stopped, played again by its link, and hidden where it cannot be."""

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.pages.test_axe import violations
from tests.browser.people import NewPerson, Person
from tests.support.live_server import LiveServer

COMPILING_MS = 100_000
"""The kernel may have to be compiled, beside whatever else this machine does."""

SHORT = "/nights?rulebook=nz&rounds=50&wager=2500&bankroll=50000&nights=1000&seed=7f3a-91c2"
LONG = SHORT.replace("nights=1000", "nights=1000000").replace("rounds=50", "rounds=400")
WINDOWS = ((320, 480), (390, 664), (844, 390), (1366, 625), (683, 312), (1680, 1050))


def rows(person: Person) -> list[list[str]]:
    table = person.page.get_by_role("table")
    expect(table).to_be_visible()
    return [line.get_by_role("cell").all_inner_texts() for line in table.get_by_role("row").all()[1:]]


def play(person: Person) -> None:
    button = person.button("Play", exact=True)
    expect(button).to_be_enabled()
    button.click()


def see_end(person: Person) -> None:
    expect(person.page.get_by_text("All nights are played.")).to_be_visible(timeout=COMPILING_MS)


def see_playing(person: Person) -> None:
    expect(person.page.get_by_text(re.compile("a second, about"))).to_be_visible(timeout=COMPILING_MS)


def bar(person: Person) -> Locator:
    return person.page.get_by_role("progressbar", name="Nights played")


def test_the_explorer_leads_to_nights_of_the_same_session(new_person: NewPerson) -> None:
    ann = new_person().go("/odds/wa/shoe.decks=8")
    link = ann.page.get_by_role("link", name="Play a million nights")
    expect(link).to_have_attribute("href", re.compile("set=shoe.decks=8"))
    link.click()
    expect(ann.page.get_by_text("1,000,000 nights", exact=True)).to_be_visible()
    expect(ann.page.get_by_label("Decks in the shoe")).to_have_value("8")
    expect(ann.page.get_by_role("link", name="Odds")).to_have_attribute("aria-current", "page")


def test_a_thousand_nights_are_played_beside_what_is_exact(new_person: NewPerson) -> None:
    ann = new_person().go(SHORT)
    before = rows(ann)
    assert [cells[1:] for cells in before] == [["", "", ""]] * 4, "nothing is played, and what is exact stands there"
    assert all(re.fullmatch(r"[0-9.]+\s%", cells[0]) for cells in before)
    play(ann)
    see_end(ann)
    expect(ann.page.get_by_text("1,000 nights played", exact=True)).to_be_visible()
    expect(bar(ann)).to_have_attribute("aria-valuenow", "1000")
    ahead, even, behind, gone = rows(ann)
    shares = [float(cells[1].split()[0]) for cells in (ahead, even, behind)]
    assert sum(shares) == pytest.approx(100, abs=0.05)
    for cells in (ahead, even, behind, gone):
        played, exact = (float(cells[at].split()[0]) for at in (1, 0))
        difference = float(cells[2].split()[0].replace("−", "-"))
        assert difference == pytest.approx(played - exact, abs=0.011)
        assert float(cells[3]) < 4.5
    fan = ann.page.get_by_role("img", name=re.compile("^The bankroll over 50 rounds"))
    expect(fan.locator("circle")).not_to_have_count(0)
    expect(fan.locator("path.night")).to_have_count(48)


def test_the_link_plays_the_same_nights_again(new_person: NewPerson) -> None:
    ann = new_person().go(SHORT)
    play(ann)
    see_end(ann)
    first = rows(ann)
    link = ann.page.get_by_role("link", name="Link that plays these nights again")
    path = link.get_attribute("href")
    assert path is not None
    link.click()
    see_end(ann)
    assert rows(ann) == first
    ben = new_person().go(path)
    see_end(ben)
    assert rows(ben) == first
    ben.button("New seed").click()
    expect(ben.page.get_by_text("1,000 nights", exact=True)).to_be_visible()
    play(ben)
    see_end(ben)
    assert rows(ben) != first


def test_a_run_is_paused_and_stopped_by_key_and_by_button(new_person: NewPerson) -> None:
    ann = new_person(reduced_motion="no-preference").go(LONG)
    play(ann)
    see_playing(ann)
    ann.page.locator("body").press("Space")
    expect(ann.button(re.compile("^Go on"))).to_be_visible()
    ann.button(re.compile("^Go on")).click()
    see_playing(ann)
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_text("Stopped.", exact=True)).to_be_visible()
    count = bar(ann).get_attribute("aria-valuenow")
    assert 0 < int(count or 0) < 1_000_000
    play(ann)
    see_playing(ann)
    ann.button(re.compile("^Stop")).click()
    expect(ann.page.get_by_text("Stopped.", exact=True)).to_be_visible()


def test_whoever_leaves_the_page_has_nothing_played_any_more(house: LiveServer, new_person: NewPerson) -> None:
    ann = new_person().go(LONG)
    play(ann)
    see_playing(ann)
    ann.page.get_by_role("link", name="Rulebooks").click()
    runs = house.server.night_runs
    ann.until(
        lambda: not any(run.state in ("waiting", "playing") for run in house.call(lambda: [*runs._runs.values()]))
    )


def test_what_cannot_be_is_said_in_one_line(new_person: NewPerson) -> None:
    ann = new_person().go(SHORT)
    expect(ann.button("Play", exact=True)).to_be_enabled()
    for label, wrong, says in (
        ("Rounds a night", "401", "from 1 to 400"),
        ("Stake", "x", "Stake: write an amount"),
        ("Seed", "seven", "Seed: write eight"),
    ):
        field = ann.page.get_by_label(label)
        right = field.input_value()
        field.fill(wrong)
        expect(ann.page.get_by_role("alert")).to_contain_text(says)
        expect(ann.button("Play", exact=True)).to_be_disabled()
        field.fill(right)
        expect(ann.page.get_by_role("alert")).to_have_count(0)
    ann.page.get_by_label("Book").select_option("ca")
    expect(ann.page.get_by_role("alert")).to_contain_text("Players bank in this book")
    expect(ann.button("Play", exact=True)).to_be_disabled()


def test_a_refused_run_is_still_told_when_its_exact_figures_have_come(new_person: NewPerson) -> None:
    ann = new_person().go(SHORT)
    expect(ann.button("Play", exact=True)).to_be_enabled()
    refusal = {"code": "nights_running", "says": "nights are being played for this address", "clauses": []}
    ann.page.route("**/api/nights", lambda route: route.fulfill(status=429, json=refusal))
    held: list[Route] = []
    ann.page.route("**/api/odds/night?*", lambda route: held.append(route))
    with ann.page.expect_request("**/api/odds/night?*"):
        play(ann)
    alert = ann.page.get_by_role("alert")
    expect(alert).to_contain_text("for this address")
    with ann.page.expect_response("**/api/odds/night?*") as figures:
        held[0].continue_()
    figures.value.finished()
    ann.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(alert).to_contain_text("for this address")
    ann.page.get_by_label("Rounds a night").fill("51")
    expect(alert).to_have_count(0)


def test_where_the_extra_is_missing_nothing_is_offered(
    house: LiveServer, new_person: NewPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.server.night_runs, "_is_there", False)
    ann = new_person().go("/odds/nz")
    expect(ann.button("Compare books")).to_be_visible()
    expect(ann.page.get_by_text("house edge").first).to_be_visible()
    expect(ann.page.get_by_role("link", name="Play a million nights")).to_have_count(0)
    ann.go(SHORT)
    told = ann.page.get_by_text("This server plays no nights")
    expect(told).to_contain_text("pip install '.[server,sim]'")
    expect(told).to_contain_text(".venv/bin/casinowar serve")


def test_every_window_shows_it_whole_and_axe_finds_nothing(new_person: NewPerson) -> None:
    ann = new_person(bypass_csp=True).go(SHORT)
    assert violations(ann) == []
    play(ann)
    see_end(ann)
    for width, height in WINDOWS:
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= width, width
        small = ann.page.evaluate(SMALL)
        assert small == [], (width, small)
        expect(ann.page.get_by_role("table")).to_be_visible()
        assert violations(ann) == [], width


SMALL = """() => [...document.querySelectorAll('main :is(a, button, select, input:not([type=radio]), .choices label)')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)"""
"""What is pressed and is less than 44 high; the border of a row of choices is its own."""
