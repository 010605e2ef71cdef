"""What is measured: the way from click to screen, long tasks, layout shift, weight."""

import gzip
import os
import re
from pathlib import Path
from statistics import median

from playwright.sync_api import expect

from casinowar.web.http.page_files import ELSEWHERE, FOLDER
from tests.browser.people import NewPerson, Person

CLICK_MS, TASK_MS = 100, 200
TRIES = 6
"""What else runs on this machine can only make a try slower: the page keeps a limit if it keeps it in one of them."""

OBSERVE = """() => {
  window.__tasks = []
  window.__shift = 0
  window.__moved = []
  new PerformanceObserver((list) => list.getEntries().forEach((one) => window.__tasks.push(Math.round(one.duration))))
    .observe({type: 'longtask'})
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { window.__shift += one.value
    window.__moved.push(...one.sources.map((each) => `${each.node?.className} ${each.previousRect.x}`)) }))
    .observe({type: 'layout-shift'})
}"""
CLICKED = """([box, label]) => new Promise((done) => {
  const spot = [...document.querySelectorAll('[role=button]')]
    .find((one) => new RegExp(`^${label}\\\\b[^,]*, box ${box}\\\\b`).test(one.getAttribute('aria-label') ?? ''))
  const before = spot.getAttribute('aria-label')
  const began = performance.now()
  new MutationObserver((_, observer) => {
    if (spot.getAttribute('aria-label') === before) return
    observer.disconnect()
    requestAnimationFrame(() => done(performance.now() - began))
  }).observe(spot, {attributes: true})
  spot.dispatchEvent(new MouseEvent('click', {bubbles: true}))
})"""


def test_from_click_to_the_chip_on_the_felt_takes_less_than_100_ms(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-quick", 2)
    ann.bet("Casino War", 2)
    took: list[float] = []
    while len(took) < TRIES and min(took, default=CLICK_MS) >= CLICK_MS:
        took.append(median(ann.page.evaluate(CLICKED, [2, "Casino War"]) for _ in range(5)))
    assert min(took) < CLICK_MS, took


def longest_task_of_a_round(person: Person) -> int:
    """At a table where every box is dealt to."""
    person.page.evaluate("window.__tasks.length = 0")
    person.bet("Casino War", 7)
    person.ready()
    person.see_text(re.compile("this round, 1 wager"), 60_000)
    assert len(person.view("stacked-seven")["rounds"][0]["hands"]) == 8
    return int(person.page.evaluate("Math.max(0, ...window.__tasks)"))


def test_seven_boxes_are_dealt_without_a_long_task_and_nothing_shifts(new_person: NewPerson) -> None:
    ann = new_person(reduced_motion="no-preference", size=(1024, 768))
    ann.seated("stacked-seven", 7)
    ann.page.evaluate(OBSERVE)
    longest: list[int] = []
    while len(longest) < TRIES and min(longest, default=TASK_MS) >= TASK_MS:
        longest.append(longest_task_of_a_round(ann))
    assert min(longest) < TASK_MS, longest
    assert ann.page.evaluate("window.__shift") < 0.02, ann.page.evaluate("window.__moved")


def test_what_a_player_loads_is_below_150_kilobytes_compressed(new_person: NewPerson) -> None:
    """Lobby and table together, and every other page by itself: each comes when somebody opens it."""
    fetched: set[str] = set()
    folder = Path(os.environ.get(ELSEWHERE) or FOLDER)
    ann = new_person()
    ann.guest()
    ann.page.on("request", lambda one: fetched.add(one.url.removeprefix(f"{ann.address}/")))

    def loaded(path: str, seen: str | re.Pattern[str]) -> set[str]:
        fetched.clear()
        ann.go(path).see_text(seen)
        ann.page.wait_for_load_state("networkidle")
        return {"index.html", *(name for name in fetched if name.startswith("assets/"))}

    def compressed(files: set[str]) -> int:
        assert len(files) > 5
        return sum(len(gzip.compress((folder / name).read_bytes(), 9)) for name in files)

    assert compressed(loaded("/", "Open tables") | loaded("/table/stacked-nz", "Balance")) < 150_000
    for path, seen in (("/odds", "edge"), ("/replay", "Replays"), ("/rules/wa", "WA-"), ("/me", "limit")):
        assert compressed(loaded(path, re.compile(seen))) < 150_000, path


def test_the_lobby_does_not_shift_while_it_loads(new_person: NewPerson) -> None:
    ann = new_person(size=(1024, 768))
    ann.context.add_init_script(f"({OBSERVE})()")
    ann.go()
    ann.see_text(re.compile("^What is different here"))
    expect(ann.button(re.compile("^Sit at stacked-nz"))).to_be_visible()
    expect(ann.page.get_by_role("rowheader", name="Who banks")).to_be_visible()
    assert ann.page.evaluate("window.__shift") < 0.02
