"""The table in any window: the acts never leave the screen, the page never scrolls, and the felt gives way."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from casinowar.house.settings import HouseSettings, Timers
from tests.browser.conftest import BOOKS, UNHURRIED, table
from tests.browser.people import NewPerson, Person
from tests.browser.picture_house import BOX, TABLES, go_to_war, lay_chips, tie
from tests.browser.stacked import stack_shoes
from tests.browser.window_sizes import MOUSE, TOUCH, WINDOWS
from tests.support.live_server import LiveServer, running

HERE = Path(__file__).parents[1]
LOOK, MEASURE, SETTLED = (
    (HERE / name).read_text(encoding="utf-8") for name in ("look_at_window.js", "measure_felt.js", "settled_felt.js")
)
OWN_CARD, DEALERS = "nine of hearts", "nine of diamonds"
DIALOGS, HURRIED = "stacked-ties-dialogs", "stacked-ties-hurried"
TOUCHED, CLICKED = "stacked-ties-touched", "stacked-ties-clicked"
CUTTING = Timers(betting=120, entropy=3, cut=120, pause=0.3, card=0.02)
TEN = replace(UNHURRIED, decision=14)

WIDER = """() => {
  const brush = document.createElement('canvas').getContext('2d')
  const page = document.querySelector('.table-page')
  brush.font = `100px ${getComputedStyle(page).fontFamily}`
  const em = brush.measureText('abcdefghijklmnopqrstuvwxyz').width / 2600
  const more = `${Math.max(0, 1.15 * 0.535 - em)}em`
  for (const one of page.querySelectorAll('header, .strip, .dock')) one.style.letterSpacing = more
}"""
"""Inter is 0.535 of its size wide on the average: letters 15 % wider than that, where this machine's are not by
themselves. The felt is measured so in measure_felt.js."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (
        *TABLES,
        table(DIALOGS),
        table(HURRIED, timers=TEN),
        table(TOUCHED, "ctg"),
        table(CLICKED, "ctg"),
        *(table(f"cut-{width}", timers=CUTTING) for width in (320, 844)),
        *(table(f"stacked-ties-{width}", "wa") for width in (360, 390)),
    )
    with running(tmp_path_factory.mktemp("windows"), HouseSettings(tables=tables)) as live:
        yield live


def resize(person: Person, window: tuple[int, int]) -> None:
    person.page.set_viewport_size({"width": window[0], "height": window[1]})
    person.page.evaluate(SETTLED, list(window))


def dock(person: Person) -> Locator:
    return person.page.get_by_role("region", name="What you can do")


def seen(person: Person, *cards: str, box: int = BOX) -> tuple[list[str], list[Any]]:
    """What is wrong in any window, and the edges of the dock in each."""
    found: list[str] = []
    edges: list[Any] = []
    person.page.evaluate(WIDER)
    for window in WINDOWS:
        resize(person, window)
        wrong = [*person.page.evaluate(LOOK, [box, cards]), *person.page.evaluate(MEASURE, False)]
        found += (f"{window[0]} x {window[1]}: {one}" for one in wrong)
        edges.append(dock(person).bounding_box())
    person.page.set_viewport_size({"width": 1280, "height": 860})
    return found, edges


@pytest.mark.parametrize("book", BOOKS)
def test_at_a_tie_the_acts_and_what_they_are_about_are_seen_in_every_window(book: str, new_person: NewPerson) -> None:
    ann = new_person()
    lay_chips(ann, book)
    tie(ann)
    found, _ = seen(ann, OWN_CARD, DEALERS)
    assert not found, "\n".join(found)
    ann.button(re.compile("^Surrender")).click()


@pytest.mark.long
@pytest.mark.parametrize("book", BOOKS)
def test_from_the_first_chip_to_the_result_nothing_leaves_the_window_and_the_dock_stays(
    book: str, new_person: NewPerson, tmp_path: Path, page_is_built: None
) -> None:
    stack_shoes()
    with running(tmp_path, HouseSettings(tables=TABLES)) as live:
        ann = new_person(live)
        from_chip_to_result(ann, book)


def test_in_every_phase_the_dock_has_the_same_edges(new_person: NewPerson, tmp_path: Path) -> None:
    with running(tmp_path, HouseSettings(tables=TABLES)) as live:
        from_chip_to_result(new_person(live), "wa")


def from_chip_to_result(person: Person, book: str) -> None:
    lay_chips(person, book)
    wrong, betting = seen(person)
    assert not wrong, "\n".join(wrong)
    tie(person)
    wrong, choosing = seen(person, OWN_CARD, DEALERS)
    assert not wrong, "\n".join(wrong)
    assert choosing == betting
    go_to_war(person)
    wrong, over = seen(person, OWN_CARD, DEALERS)
    assert not wrong, "\n".join(wrong)
    assert over == betting


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("name", "windows", "has_touch"), [(TOUCHED, TOUCH, True), (CLICKED, MOUSE, False)], ids=["touched", "clicked"]
)
def test_the_war_is_declared_by_a_press_where_the_button_is_seen(
    name: str, windows: tuple[tuple[int, int], ...], has_touch: bool, new_person: NewPerson
) -> None:
    """By coordinates alone: nothing is scrolled to what is pressed, and nobody finds it for the player."""
    ann = new_person(size=windows[0], has_touch=has_touch)
    press = ann.page.touchscreen.tap if has_touch else ann.page.mouse.click
    ann.guest()
    ann.go(f"/table/{name}")
    ann.see(ann.button(re.compile("^Take a seat")))
    press(*middle(ann.button(re.compile("^Take a seat"))))
    ann.see(ann.button(re.compile("^Shoe sealed")))
    choice, again, ready = (ann.button(re.compile(f"^{name}")) for name in ("Surrender", "Same again", "Ready"))
    for window in windows:
        resize(ann, window)
        spot = ann.button(re.compile(r"^War, box 1\b"))
        ann.see(again.or_(spot))
        is_first = not again.is_visible()
        press(*middle(spot if is_first else again))
        if is_first:
            ann.see(ready)
            press(*middle(ready))
        ann.see(choice)
        war = dock(ann).get_by_role("button", name=re.compile("^Go to war"))
        press(*middle(war))
        ann.see_text(re.compile("this round, 2 wagers"), 40_000)
        assert ann.page.evaluate("[scrollX, scrollY]") == [0, 0]


def beside_the_felt(person: Person) -> list[str]:
    """What is wrong in this window, whatever lies over the felt."""
    return [one for one in person.page.evaluate(LOOK, [BOX, []]) if not re.match("a spot|no spots|the caller", one)]


ON_TOP = """(one) => {
  const {left, right, top, bottom} = one.getBoundingClientRect()
  return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
}"""


def covered(person: Person, dialog: Locator) -> list[str]:
    """What of the dock lies under a dialog: its acts, or any edge of it."""
    acts = [dock(person).get_by_role("button", name=re.compile(name)) for name in ("^Go to war", "^Surrender")]
    found = [act.inner_text() for act in acts if not act.evaluate(ON_TOP)]
    over, under = dialog.bounding_box(), dock(person).bounding_box()
    assert over
    assert under
    if over["height"] < 100:
        found.append(f"the dialog has only {over['height']} pixels")
    return found if over["y"] + over["height"] <= under["y"] else [*found, f"{over} over {under}"]


def test_no_dialog_covers_the_acts_and_they_can_be_pressed_beside_one(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(DIALOGS, BOX)
    ann.bet("Casino War", BOX)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    dialog = ann.page.get_by_role("dialog")
    openers = [ann.button("Menu"), ann.button(re.compile("^Rulings")), ann.button(re.compile("^Rules"))]
    for window in ((320, 480), (390, 664), (844, 390), (1366, 625)):
        resize(ann, window)
        for opener in (*openers, ann.button(re.compile("^Clause")).first):
            opener.first.click()
            ann.see(dialog)
            assert beside_the_felt(ann) == []
            ann.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
    enlarged(ann, 32)
    for window in ((320, 480), (360, 640), (390, 664)):
        resize(ann, window)
        ann.button("Menu").click()
        assert covered(ann, ann.see(dialog)) == [], window
        ann.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    enlarged(ann, 16)
    resize(ann, (1366, 625))
    ann.button("Menu").click()
    ann.see(dialog)
    ann.page.mouse.click(*middle(dock(ann).get_by_role("button", name=re.compile("^Go to war"))))
    ann.see_text(re.compile("this round, 2 wagers"), 40_000)


SAID = """() => {
  window.__said = []
  new MutationObserver((all) => all.forEach(({target}) => {
    const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[aria-live=polite]')
    if (region?.textContent.includes('seconds')) window.__said.push(region.textContent)
  })).observe(document.body, {childList: true, subtree: true, characterData: true})
}"""


def test_ten_seconds_are_said_once_while_choosing_and_no_act_takes_the_focus(new_person: NewPerson) -> None:
    ann = new_person(size=(390, 664))
    ann.seated(HURRIED, BOX)
    ann.page.evaluate(SAID)
    ann.put_down("Casino War", BOX)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    expect(ann.page.locator("button.act:focus")).to_have_count(0)
    expect(dock(ann).get_by_role("timer")).to_contain_text(re.compile(r"^[5-8]\b"), timeout=20_000)
    assert ann.page.evaluate("window.__said") == ["10 seconds"]


def enlarged(person: Person, size: int) -> None:
    """As one sets it in the browser: the letters alone grow."""
    session = person.context.new_cdp_session(person.page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})


@pytest.mark.parametrize("window", [(390, 664), pytest.param((360, 640), marks=pytest.mark.long)])
def test_with_larger_letters_the_acts_stack_and_stay_while_the_rest_gives_way(
    window: tuple[int, int], new_person: NewPerson
) -> None:
    ann = new_person(size=window)
    enlarged(ann, 32)
    ann.guest()
    ann.go(f"/table/stacked-ties-{window[0]}")
    ann.button(re.compile("^Take a seat")).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    expect(ann.button("Double")).to_be_attached()
    ann.put_down("Casino War", 1)
    ann.see(ann.button(re.compile("^Ready")))
    before = dock(ann).bounding_box()
    ann.ready()
    acts = [ann.see(dock(ann).get_by_role("button", name=name)) for name in (re.compile("^Go to"), re.compile("^Surr"))]
    war, surrender = (act.bounding_box() for act in acts)
    assert war
    assert surrender
    assert surrender["y"] >= war["y"] + war["height"], "stacked"
    assert surrender["y"] + surrender["height"] <= window[1]
    place = dock(ann).bounding_box()
    assert place
    assert place["height"] <= 0.6 * window[1] + 1
    assert before
    assert abs(before["y"] - place["y"]) < 2, "the dock's edge stays"
    assert float(acts[0].locator(".title").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 32
    assert ann.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    ann.page.mouse.click(*middle(acts[1]))
    ann.see_text(re.compile("surrendered"), 40_000)


def test_a_felt_that_is_too_low_scrolls_in_its_own_frame_and_safe_areas_are_kept(new_person: NewPerson) -> None:
    ann = new_person(size=(320, 400))
    session = ann.context.new_cdp_session(ann.page)
    ann.seated(DIALOGS, 6)
    own = ann.page.locator(".place")
    high, room = own.evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert high > room
    assert ann.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"bottom": 34, "bottomMax": 34}})
    resize(ann, (390, 664))
    clear = ann.see(ann.button("Clear"))
    box = clear.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 664 - 34
    ann.page.keyboard.press("?")
    over, under = (one.bounding_box() for one in (ann.see(ann.page.get_by_role("dialog")), dock(ann)))
    assert over
    assert under
    assert over["y"] + over["height"] + 8 == pytest.approx(under["y"], abs=1), "the safe area is kept free once"


@pytest.mark.parametrize("window", [(320, 480), pytest.param((844, 390), marks=pytest.mark.long)])
def test_the_cut_has_its_place_in_a_small_dock(window: tuple[int, int], new_person: NewPerson) -> None:
    ann = new_person(size=window)
    ann.wants(ann.guest(), "cut")
    ann.go(f"/table/cut-{window[0]}")
    ann.button(re.compile("^Take a seat")).click()
    cut = ann.see(ann.page.get_by_role("group", name="Cut the cards"))
    ann.page.evaluate(SETTLED, list(window))
    assert beside_the_felt(ann) == []
    cut.get_by_role("button", name="Pass the cut").click()
    expect(cut).to_have_count(0)
