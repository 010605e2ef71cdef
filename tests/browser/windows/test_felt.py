"""The felt at every width: letters that can be read, names within their rings, nothing over anything else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from casinowar.house.settings import BotSettings, HouseSettings, Timers
from casinowar.protocol import Strategy
from tests.browser.conftest import BOOKS, METER, UNHURRIED, table
from tests.browser.people import DESK, MAIN, PHONE, NewPerson, Person
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

pytestmark = pytest.mark.long

SIZES = (
    (360, 780),
    (390, 844),
    (720, 1024),
    (800, 600),
    (960, 800),
    (1024, 768),
    (1280, 860),
    (1366, 657),
    (1680, 1050),
)
SIDES = {
    "nz": ("Tie",),
    "wa": ("Tie", "A Bomb", "Perfect Pairs"),
    "ctg": ("Tie",),
    "ca": ("Tie",),
    "ma": ("Tie", "Casino War Progressive"),
}
OWN = {"nz": 7, "wa": 4, "ctg": 1, "ca": 3, "ma": 6}
"""In each book another box, so that the widest is seen in the middle and on both sides."""

HERE = Path(__file__).parents[1]
MEASURE, SETTLED = ((HERE / name).read_text(encoding="utf-8") for name in ("measure_felt.js", "settled_felt.js"))


def bots(book: str) -> tuple[BotSettings, ...]:
    """Others on both sides of who looks, and at both ends of the table: they go to war, bet on ties, surrender."""
    last = 8 if book == "ca" else 7
    at = dict.fromkeys((OWN[book] - 1, OWN[book] + 1, 1, last))
    plans: list[Strategy] = ["war", "tie", "surrender", "war"]
    seated = [
        BotSettings(box=box, strategy=plan)
        for box, plan in zip(at, plans, strict=False)
        if 0 < box <= last and box != OWN[book]
    ]
    return (*seated, BotSettings(box=6, strategy="bank")) if book == "ca" else tuple(seated)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    cutting = Timers(betting=120, entropy=3, cut=60, pause=0.3, card=0.02)
    tables = (
        *(table(f"stacked-ties-{book}", book, **{**METER.get(book, {}), "bots": bots(book)}) for book in BOOKS),
        table("stacked-boxes", bots=(BotSettings(box=5),)),
        table("stacked-again"),
        table("stacked-slide", bots=(BotSettings(box=2, strategy="tie"),)),
        table("cut", timers=cutting),
        *(table(f"hand-{book}", book, dealer="human", timers=UNHURRIED) for book in ("ca", "wa")),
    )
    with running(tmp_path_factory.mktemp("felt"), HouseSettings(tables=tables)) as live:
        yield live


def measured(person: Person) -> list[str]:
    """What is wrong at any size."""
    found: list[str] = []
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.evaluate(SETTLED, [width, height])
        wrong = person.page.evaluate(MEASURE, width >= 1024 and height >= 768)
        found += (f"{width} x {height}: {one}" for one in wrong)
    return found


ODDS_CLAUSES = {"nz": ("NZ-5.14",)}


@pytest.mark.parametrize(
    "book",
    [pytest.param(book, marks=[pytest.mark.clause(one) for one in ODDS_CLAUSES.get(book, ())]) for book in BOOKS],
)
def test_every_price_of_the_layout_is_printed_in_words_from_a_phone_to_a_wide_screen(
    book: str, new_person: NewPerson
) -> None:
    ann = new_person()
    ann.guest()
    ann.go(f"/table/stacked-ties-{book}").see(ann.button(re.compile("is free: sit here")))
    layout = ann.view(f"stacked-ties-{book}")["view"]["layout"]
    prices = {odds["pays"] for spot in layout for odds in spot["odds"] if re.fullmatch(r"\d+:\d+", odds["pays"])}
    assert prices >= {"1:1", "10:1"}
    for width, height in (SIZES[0], SIZES[2], SIZES[5], SIZES[-1]):
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate(SETTLED, [width, height])
        printed = " · ".join(ann.page.get_by_role("group", name="The table").locator("text").all_text_contents())
        for price in prices:
            odds, against = price.split(":")
            assert re.search(rf"\b{odds}(, \d+)* to {against}\b", printed), (width, price, printed)


@pytest.mark.parametrize("book", BOOKS)
def test_letters_are_legible_in_their_rings_and_over_nothing_else_at_every_width(
    book: str, new_person: NewPerson
) -> None:
    ann = new_person(size=PHONE)
    name, box = f"stacked-ties-{book}", OWN[book]
    ann.seated(name, box)
    # Of these felts one has a ship over the name of its main wager, on a phone as in a window.
    expect(ann.page.locator(".spot .ship path")).to_have_count(1 if book == "ctg" else 0)
    ann.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(ann.page.locator(".spot .ship path")).to_have_count(7 if book == "ctg" else 0)
    if book == "ca":

        def is_banked() -> bool:
            view = ann.view(name)["view"]
            return view["bank"] is not None and view["phase"] == "betting"

        ann.until(is_banked)
    for label in (MAIN[book], *SIDES[book]):
        ann.bet(label, box)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")), 40_000)
    assert measured(ann) == []
    ann.button(re.compile("^Go to war.*place 5 more")).last.click()
    ann.see_text(re.compile(r"this round, \d wagers"), 40_000)
    assert measured(ann) == []


@pytest.mark.parametrize("book", ["ca", "wa"])
def test_the_dealers_felt_is_legible_at_every_width_and_counts_the_cards(
    book: str, house: LiveServer, new_person: NewPerson
) -> None:
    staff = new_person().known(house.staff(f"felt-{book}", "dealer", "supervisor"))
    staff.go(f"/dealer/hand-{book}").see_text("Procedure")
    for width, height in SIZES:
        staff.page.set_viewport_size({"width": width, "height": height})
        for words in (re.compile(r"^\d+ left$"), re.compile(r"^\d+ discarded$")):
            expect(staff.page.get_by_text(words)).to_be_visible()
    assert measured(staff) == []


def test_on_a_phone_another_box_is_chosen_to_bet_on_by_tap_and_by_key(new_person: NewPerson) -> None:
    ann = new_person(size=PHONE, has_touch=True)
    me = ann.seated("stacked-boxes", 3)
    other = ann.button(re.compile("^Box 5, [^,]+: bet there"))
    ann.see(other).tap()
    expect(other).to_have_attribute("aria-pressed", "true")
    ann.spot("Casino War", 5).tap()
    expect(ann.spot("Casino War", 5)).to_have_accessible_name(re.compile(", 5 down"))
    ann.see(ann.button(re.compile("^Box 5, [^,]+, 5 of yours down: bet there")))
    assert bets(ann, "stacked-boxes", me) == [5]
    ann.button("Clear").tap()
    ann.see(other)
    own = ann.button(re.compile("^Box 3, you: bet there"))
    own.focus()
    ann.page.keyboard.press("Enter")
    expect(own).to_have_attribute("aria-pressed", "true")
    ann.spot("Casino War", 3).focus()
    ann.page.keyboard.press("Enter")
    expect(ann.spot("Casino War", 3)).to_have_accessible_name(re.compile(", 5 down"))
    assert bets(ann, "stacked-boxes", me) == [3]


def bets(person: Person, name: str, who: str) -> list[int]:
    """The boxes on which somebody has wagers."""
    return [box["box"] for box in person.view(name)["view"]["boxes"] for owner, *_ in box["wagers"] if owner == who]


def test_on_a_phone_the_cut_has_the_whole_range(new_person: NewPerson) -> None:
    ann = new_person(size=PHONE)
    ann.wants(ann.guest(), "cut")
    ann.go("/table/cut")
    ann.button(re.compile("^Box 2 is free")).click()
    cut = ann.see(ann.page.get_by_role("group", name="Cut the cards"))
    least, most = ann.view("cut")["seal"]["cut_bounds"]
    slide, exact = cut.get_by_role("slider"), cut.get_by_role("spinbutton")
    for end in ("Home", "End"):
        slide.press(end)
        expect(exact).to_have_value(str(least if end == "Home" else most))
    exact.fill("123")
    expect(slide).to_have_value("123")
    cut.get_by_role("button", name="Cut", exact=True).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    assert ann.view("cut")["seal"]["cut"] == 123


def test_same_again_tells_what_it_puts_down(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-again", 3)
    ann.bet("Casino War", 3)
    ann.ready()
    ann.see(ann.button(re.compile("^Same again.*Casino War 5$")))
    ann.bet("Casino War", 3)
    ann.bet("Tie", 3)
    ann.ready()
    ann.see(ann.button(re.compile("^Same again.*Casino War 5, Tie 5$")))


SLIDES = """() => {
  window.__slid = new Set()
  new MutationObserver(() => document.querySelectorAll('[data-place="2"] .paid, [data-place="2"] .taken')
    .forEach((one) => window.__slid.add(one.classList.contains('paid') ? 'paid' : 'taken')))
    .observe(document.body, {childList: true, subtree: true})
}"""


def test_chips_of_others_slide_where_the_window_is_small(new_person: NewPerson) -> None:
    ann = new_person(size=(1024, 768), reduced_motion="no-preference")
    ann.seated("stacked-slide", 3)
    ann.page.evaluate(SLIDES)
    ann.bet("Casino War", 3)
    ann.ready()
    ann.see_text(re.compile("this round, 1 wager"), 40_000)
    # The tie wager of the other is lost, whatever came of its first card.
    ann.until(lambda: "taken" in ann.page.evaluate("[...window.__slid]"))
