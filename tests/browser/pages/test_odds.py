"""The odds explorer: every book's exact edge, a rule changed, figures drawn again, the PAR sheet, an address to share.

The expectations are counted from the cards. Six decks: 312 cards, 24 of each rank.
"""

import json
import re
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, expect

from tests.browser.people import NewPerson, Person

TIE = Fraction(23, 311)
"""After one card 23 of its rank are among 311."""

AGAIN = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
"""The second cards tie too: two of the tied rank, of which 22 are left, or two of one of the twelve others."""

WAR = {-2: TIE * (1 - AGAIN) / 2, -1: (1 - TIE) / 2, 1: (1 - TIE) / 2 + TIE * (1 - AGAIN) / 2, 2: TIE * AGAIN}
"""The first wager is back and the second pays 1:1, or 2:1 where it ties; both are lost together."""

LITERAL = {**WAR, 1: (1 - TIE) / 2, 2: TIE * (1 - AGAIN) / 2, 3: TIE * AGAIN}
"""CTG-W6 and CTG-W7 as they stand: the second wager pays 2:1 at a won war and 3:1 at a tied one."""

SIDES = {"Tie": 1 - 11 * TIE}
BOMB = {"A Bomb": 1 - 11 * Fraction(24, 312)}
PAIRS = {"Perfect Pairs": 1 - Fraction(26 * 5 + 13 * 6 + 6 * 12, 311)}
"""Of one card's rank there are 5 of its suit, 6 more of its colour, 12 others: 25:1, 12:1 and 5:1."""

BOOKS: dict[str, tuple[str, dict[int, Fraction], dict[str, Fraction]]] = {
    "nz": ("Casino War", WAR, SIDES),
    "wa": ("Casino War", WAR, {**SIDES, **BOMB, **PAIRS}),
    "ctg": ("War", LITERAL, SIDES),
    "ca": ("Primary", WAR, SIDES),
    "ma": ("Initial", WAR, SIDES),
}


def edge(law: dict[int, Fraction]) -> Fraction:
    return -sum((net * chance for net, chance in law.items()), Fraction(0))


def shown(share: Fraction, digits: int = 2) -> str:
    """As the page writes it, with a true minus and a space that does not break."""
    return f"{'−' if share < 0 else ''}{abs(float(share)) * 100:.{digits}f}\N{NO-BREAK SPACE}%"


def row(table: Locator, name: str) -> Locator:
    return table.get_by_role("row").filter(has=table.page.get_by_role("rowheader", name=name, exact=True))


def wagers(person: Person) -> Locator:
    return person.page.get_by_role("table").filter(has_text="Wager, how it is played")


def distribution(person: Person) -> Locator:
    return person.page.get_by_role("table", name=re.compile("^Chances of each result of one round"))


def session(person: Person) -> Locator:
    return person.page.get_by_role("table").filter(has_text="Outcome")


def test_each_book_has_its_exact_edge_and_distribution(new_person: NewPerson) -> None:
    ann = new_person().go("/odds")
    ann.button("Exact fractions").click()
    for book, (label, law, sides) in BOOKS.items():
        ann.page.get_by_label("Rulebook", exact=True).select_option(book)
        ann.see_text(f"{label} wager, always to war, 6 decks")
        ann.see(ann.page.locator("strong").get_by_text(shown(edge(law)), exact=True))
        ann.see_text(f"{edge(law)}, exact")
        expect(row(wagers(ann), f"{label}, always surrender")).to_contain_text(str(TIE / 2))
        for side, exact in sides.items():
            expect(row(wagers(ann), side)).to_contain_text(shown(exact))
            expect(row(wagers(ann), side)).to_contain_text(str(exact))
        for net, chance in law.items():
            told = row(distribution(ann), f"+{net}" if net > 0 else f"−{-net}")
            expect(told).to_contain_text(shown(chance))
            expect(told).to_contain_text(str(chance))
        expect(distribution(ann).get_by_role("row")).to_have_count(1 + len(law))


@pytest.mark.clause("CTG-W6")
def test_an_edge_for_the_player_is_named_as_one(new_person: NewPerson) -> None:
    ann = new_person().go("/odds/ctg")
    assert edge(LITERAL) < 0
    ann.see_text(shown(edge(LITERAL)))
    ann.see_text("this is to the player’s advantage")
    ann.page.get_by_label("At a tie").select_option("surrender")
    ann.see(ann.page.locator("strong").get_by_text(shown(TIE / 2), exact=True))
    expect(ann.page.locator("main")).not_to_contain_text("player’s advantage")


def test_a_changed_rule_redraws_edge_distribution_and_session_and_can_be_taken_back(new_person: NewPerson) -> None:
    ann = new_person().go("/odds/nz")
    as_book, changed = edge(WAR), edge(WAR) - TIE * AGAIN
    ann.see_text(shown(as_book))
    ann.page.get_by_label("Rounds", exact=True).fill("1")
    expect(row(session(ann), "Ahead")).to_contain_text(shown(WAR[1] + WAR[2], 1))
    expect(row(session(ann), "Behind")).to_contain_text(shown(WAR[-1] + WAR[-2], 1))
    # An hour at 25: what 60 rounds cost, in the currency's own decimals.
    expect(row(session(ann), "An hour costs, 60 rounds")).to_contain_text(f"{60 * 25 * float(as_book):.2f}")
    chart = ann.page.get_by_role("img", name=re.compile("^Chances of each result after the session"))
    expect(chart).not_to_have_accessible_name(re.compile("with the change"))
    before = chart.inner_html()

    rule = ann.page.get_by_role("group", name="War tied pays")
    rule.get_by_role("textbox").fill("3:1")
    rule.get_by_role("textbox").press("Enter")
    ann.see(ann.page.locator("strong").get_by_text(shown(changed), exact=True))
    ann.see_text("1 changed")
    expect(ann.page.locator("main")).to_contain_text("book says 2:1")
    line = row(wagers(ann), "Casino War, always to war")
    for text in (shown(as_book), shown(changed)):
        expect(line).to_contain_text(text)
    expect(line.get_by_role("cell").nth(2)).to_have_text(
        f"{float(TIE * AGAIN) * 100:.2f}\N{NO-BREAK SPACE}points lower"
    )
    expect(row(wagers(ann), "Tie")).to_contain_text("same")
    expect(row(distribution(ann), "+3")).to_contain_text(shown(TIE * AGAIN))
    expect(row(distribution(ann), "+2").get_by_role("cell").last).to_have_text(shown(Fraction(0)))
    expect(row(session(ann), "An hour costs, 60 rounds")).to_contain_text(f"{60 * 25 * float(changed):.2f}")
    expect(chart).to_have_accessible_name(re.compile("with the change"))
    assert chart.inner_html() != before

    ann.button("Back to the book").click()
    ann.see(ann.page.locator("strong").get_by_text(shown(as_book), exact=True))
    expect(ann.page.locator("main")).not_to_contain_text("1 changed")
    assert ann.page.url.endswith("/odds/nz")


MOVED = """() => new Promise((tell) => {
  const moved = new Set()
  const look = () => {
    for (const one of document.getAnimations()) moved.add(one.transitionProperty ?? one.animationName)
  }
  let frames = 12
  const next = () => (look(), frames-- ? requestAnimationFrame(next) : tell([...moved]))
  requestAnimationFrame(next)
})"""


def test_charts_follow_the_window_without_moving_for_whoever_wants_it_so(new_person: NewPerson) -> None:
    """With reduced motion, what is drawn anew stands where it belongs at once."""
    ann = new_person().go("/odds/nz")
    ann.see(ann.page.get_by_role("img", name=re.compile("^Edge for each number of decks")))
    ann.page.wait_for_load_state("networkidle")
    ann.page.evaluate(f"void (window.moved = ({MOVED})())")
    ann.page.set_viewport_size({"width": 1000, "height": 800})
    assert ann.page.evaluate("window.moved") == []


def test_a_study_is_in_its_address_and_comes_back_from_it(new_person: NewPerson) -> None:
    ann, ben = new_person().go("/odds/wa"), new_person()
    ann.page.get_by_role("group", name=re.compile("decks", re.IGNORECASE)).get_by_role("radio", name="8").check(
        force=True
    )
    tie = Fraction(31, 415)
    expect(row(wagers(ann), "Tie")).to_contain_text(shown(1 - 11 * tie))
    address = ann.page.url
    assert address.endswith("/odds/wa/shoe.decks=8")
    ann.page.reload()
    ben.page.goto(address)
    for person in (ann, ben):
        person.see_text("Casino War wager, always to war, 8 decks")
        expect(row(wagers(person), "Tie")).to_contain_text(shown(1 - 11 * tie))
        expect(person.page.get_by_label("Rulebook", exact=True)).to_have_value("wa")


def saved(download: Download, folder: Path) -> Path:
    place = folder / download.suggested_filename
    download.save_as(place)
    return place


def test_the_par_sheet_is_saved_as_a_real_file_of_the_study(new_person: NewPerson, tmp_path: Path) -> None:
    ann = new_person(accept_downloads=True).go("/odds/nz/payout.tie.on_win=11:1")
    ann.see_text("1 changed")
    files = {}
    for kind, link in (("html", "Page (HTML)"), ("xlsx", "Workbook (XLSX)"), ("json", "Data (JSON)")):
        if not ann.page.get_by_role("link", name=link).is_visible():
            ann.page.get_by_text("PAR sheet", exact=True).click()
        with ann.page.expect_download() as download:
            ann.page.get_by_role("link", name=link).click()
        files[kind] = saved(download.value, tmp_path)
        expect(ann.page.get_by_role("link", name=link)).to_be_hidden()
        assert files[kind].suffix == f".{kind}"
    with zipfile.ZipFile(files["xlsx"]) as book:
        assert book.testzip() is None
        assert "xl/workbook.xml" in book.namelist()
    assert files["html"].read_text(encoding="utf-8").lstrip().startswith("<!DOCTYPE html>")
    told = json.loads(files["json"].read_text(encoding="utf-8"))
    assert str(1 - 12 * TIE) in json.dumps(told), "a unit more for a tie, and the sheet has it"


@pytest.mark.parametrize("address", ["/odds/nz/shoe.decks=9", "/odds/nowhere"])
def test_what_the_book_cannot_be_is_told_in_one_line(address: str, new_person: NewPerson) -> None:
    ann = new_person().go(address)
    told = ann.see(ann.page.get_by_role("alert"))
    assert "\n" not in told.inner_text().strip()
    ann.page.get_by_label("Rulebook", exact=True).select_option("ca")
    ann.see_text("Primary wager, always to war, 6 decks")


@pytest.mark.parametrize("typed", ["abc", "0:0", "-1:1", "3/2", "2.5"])
def test_a_refused_rule_changes_no_figure_and_is_told_at_its_field(typed: str, new_person: NewPerson) -> None:
    ann = new_person().go("/odds/ma/payout.war.on_tie=3:1")
    ann.see_text("house edge, with the change")
    rule = ann.page.get_by_role("group", name="War tied pays")
    field = rule.get_by_role("textbox")
    field.fill(typed)
    field.press("Enter")
    expect(rule.get_by_role("alert")).to_have_text("War tied pays: write odds such as 2:1, push or lose.")
    expect(field).to_have_attribute("aria-invalid", "true")
    ann.see(ann.page.locator("strong").get_by_text(shown(edge(WAR)), exact=True))
    ann.see_text("house edge, as the book stands")
    expect(ann.page.locator("main")).not_to_contain_text("with the change")
    field.fill("3:1")
    field.press("Enter")
    ann.see_text("house edge, with the change")
    expect(ann.page.get_by_role("alert")).to_have_count(0)


def test_a_session_that_cannot_be_is_told_in_the_houses_money(new_person: NewPerson) -> None:
    """The server reckons with up to a thousand million minor units: 10,000,000 with two digits behind the point."""
    ann = new_person().go("/odds/nz")
    ann.see_text(shown(edge(WAR)))
    expect(session(ann).get_by_role("row").first).to_be_visible()
    alert = ann.page.get_by_role("alert")
    for name, typed, told in (
        ("Bankroll", "999999999999", "Bankroll: write an amount above 0, at most 10,000,000."),
        ("Bankroll", "10", "Bankroll: bring at least one wager, 25."),
        ("Stake", "none", "Stake: write an amount above 0, at most 10,000,000."),
        ("Rounds", "2.5", "Rounds: write a whole number from 1 to 5,000."),
    ):
        field = ann.page.get_by_label(name, exact=True)
        before = field.input_value()
        field.fill(typed)
        expect(alert).to_have_text(told)
        expect(field).to_have_attribute("aria-invalid", "true")
        field.fill(before)
        expect(alert).to_have_count(0)
    # Whoever brings less than a wager may also wager less.
    ann.page.get_by_label("Bankroll", exact=True).fill("10")
    ann.page.get_by_label("Stake", exact=True).fill("10")
    expect(alert).to_have_count(0)
    ann.see(ann.page.get_by_role("heading", name="After 200 rounds at 10"))


@pytest.mark.clause("CA-RP-9c")
def test_where_the_house_never_banks_the_edge_is_the_banks(new_person: NewPerson) -> None:
    ann = new_person().go("/odds/ca")
    ann.see_text("bank’s edge, as the book stands")
    expect(ann.page.locator("main")).not_to_contain_text("house edge")
    ann.page.get_by_label("Rulebook", exact=True).select_option("nz")
    ann.see_text("house edge, as the book stands")
