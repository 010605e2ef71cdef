"""Coming in and coming back: what was missed, what lies in play, the way past the bar, and a round for who has none."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import UNHURRIED, table
from tests.browser.people import NewPerson
from tests.browser.sizes import each_size, is_seen
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

HASTY, CALM, REAL = "stacked-ties-hasty", "stacked-calm", "real"
TARGETS = (Path(__file__).parents[1] / "measure_targets.js").read_text(encoding="utf-8")
PAGES = ("/", "/rules/ma", "/odds", "/replay", "/me", "/pit", f"/dealer/{REAL}", f"/table/{CALM}")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    hasty = table(HASTY, timers=replace(UNHURRIED, decision=1))
    massachusetts = table("ma", "ma", title="Massachusetts")
    tables = (hasty, table(CALM), table(REAL, dealer="real"), massachusetts)
    with running(tmp_path_factory.mktemp("return"), HouseSettings(tables=tables)) as live:
        yield live


def test_a_choice_that_timed_out_is_told_on_return(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(HASTY, 3)
    ann.bet("Casino War", 3)
    ann.ready()
    ann.until(lambda: bool(ann.view(HASTY)["view"]["asked"]) or bool(ann.view(HASTY)["rounds"]))
    ann.page.goto("about:blank")
    ann.until(lambda: bool(ann.view(HASTY)["rounds"]))
    ann.go(f"/table/{HASTY}")
    strip = ann.page.get_by_role("region", name="Rulings of this round")
    expect(strip).to_contain_text("While you were away: box 3 surrendered, back 2.50.")
    ann.see_caller("While you were away: box 3 surrendered, back 2.50.")
    for _ in each_size(ann, "away"):
        expect(strip).to_contain_text("While you were away")
    ann.go(f"/table/{HASTY}")
    ann.see(strip)
    expect(strip).not_to_contain_text("While you were away")


def test_the_own_page_shows_what_lies_on_the_layout(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(CALM, 3)
    ann.bet("Casino War", 3)
    ann.bet("Tie", 3)
    ann.go("/me")
    money = ann.page.get_by_role("region", name="Money")
    expect(money).to_contain_text(re.compile(rf"On the layout\s*{CALM}\s*10"))
    for _ in each_size(ann, "me"):
        expect(money.get_by_text("On the layout")).to_be_visible()


FROM_THE_TOP = """() => {
  const first = document.createElement('span')
  first.tabIndex = -1
  document.body.prepend(first)
  first.focus()
  first.remove()
}"""
"""The tabulator goes on from where the focus was last: before everything, as on a page that has just come."""


def test_the_first_stop_of_the_tabulator_leads_past_the_bar(new_person: NewPerson) -> None:
    ann = new_person()
    for path in ("/", "/rules", "/me", f"/table/{CALM}"):
        ann.go(path)
        ann.see(ann.page.locator("main").locator("a[href], button, input, [tabindex='0']"))
        for size in each_size(ann, f"skip{path.replace('/', '-')}"):
            ann.page.keyboard.press("Tab")
            expect(ann.page.locator(":focus")).to_have_accessible_name("Skip to the content")
            assert is_seen(ann.page.locator(":focus"), size), (path, size)
            ann.page.keyboard.press("Enter")
            expect(ann.page.locator("main")).to_be_focused()
            ann.page.keyboard.press("Tab")
            assert ann.page.evaluate("!!document.activeElement.closest('main')"), (path, size)
            ann.page.evaluate(FROM_THE_TOP)


def test_whoever_has_no_round_can_look_at_a_sample(new_person: NewPerson) -> None:
    """Nine against nine pays Tie 10 to 1, and a queen wins the war against a seven: 50 and 10."""
    ann = new_person().go("/replay")
    ann.button("Open a sample round").click()
    ann.see(ann.page.get_by_role("heading", name="A sample round"))
    ann.see_text("ana bets 10 on Casino War, box 4")
    ann.button("To the last step").click()
    for _ in each_size(ann, "sample"):
        expect(ann.page.get_by_role("main")).to_contain_text(re.compile(r"\+60\b"))
    ann.button("Another record").click()
    ann.see(ann.button("Open a sample round"))


def test_nothing_that_can_be_pressed_is_smaller_than_24_pixels(house: LiveServer, new_person: NewPerson) -> None:
    sue = new_person().known(house.staff("sue", "supervisor", "operator", "dealer"))
    small: dict[str, list[str]] = {}
    for path in PAGES:
        sue.go(path)
        sue.see(sue.page.locator("main"))
        if not path.startswith(("/table", "/dealer")):
            sue.page.wait_for_load_state("networkidle")
        for size in each_size(sue, f"targets{path.replace('/', '-')}"):
            if found := sue.page.evaluate(TARGETS):
                small[f"{path} {size}"] = found
    assert small == {}


WORDS = """() => [...document.querySelectorAll('h1, h2, h3, th, nav a, nav span')].flatMap((one) => [...one.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .flatMap((node) => [...node.data.matchAll(/\\p{L}+/gu)].map((word) => {
    const range = document.createRange()
    range.setStart(node, word.index)
    range.setEnd(node, word.index + word[0].length)
    return [word[0], new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size]
  }))
  .filter(([, lines]) => lines > 1).map(([word]) => word)"""
WIDER = "document.documentElement.style.letterSpacing = '0.09em'"
"""Text about 15 % wider, as another machine's letters may be."""


def test_no_name_is_broken_within_a_word(new_person: NewPerson) -> None:
    ann = new_person()
    for path in ("/", "/rules/ma"):
        ann.go(path)
        ann.see(ann.page.locator("h3, nav span").get_by_text("Massachusetts", exact=True))
        ann.page.evaluate(WIDER)
        for size in each_size(ann, f"words{path.replace('/', '-')}"):
            assert ann.page.evaluate(WORDS) == [], (path, size)


def test_a_private_table_without_bots_seats_one_in_the_middle(new_person: NewPerson) -> None:
    ann = new_person().go()
    ann.page.get_by_label("Bots at the private table").select_option("0")
    ann.button(re.compile("^Deal me a private table")).click()
    ann.page.wait_for_url(re.compile("/table/private-"))
    name = ann.page.url.split("/table/")[1].partition("/")[0]
    ann.until(lambda: bool(ann.view(name)["seats"]))
    assert [seat["box"] for seat in ann.view(name)["seats"]] == [4]
    assert len(ann.view(name)["view"]["boxes"]) == 7
    for size in each_size(ann, "middle"):
        assert is_seen(ann.see(ann.spot("Casino War", 4)), size), size
