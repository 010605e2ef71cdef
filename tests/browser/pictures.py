"""Pictures of every page at 390, 1024 and 1680 pixels, dark and light: make pictures ARGS="--out FOLDER"."""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from casinowar.table.settings import HouseSettings
from tests.browser.conftest import ARGUMENTS, BOOKS, TABLES, find_chrome
from tests.browser.people import Person
from tests.browser.stacked import stack_shoes
from tests.live_server import Caller, LiveServer, running

SIZES = {390: 844, 1024: 768, 1680: 1050}
MAIN = {"nz": "Casino War", "wa": "Casino War", "ctg": "War", "ca": "Primary", "ma": "Initial"}


def play(person: Person, book: str) -> None:
    """A wager down at a table where the first cards tie, as far as the choice."""
    table = f"stacked-ties-{book}"
    person.seated(table, 3)
    if book == "ca":
        person.button("Decline").click()
        person.until(lambda: person.view(table)["view"]["bank"] is not None)
    person.bet(MAIN[book], 3)
    person.ready()
    person.see(person.button(re.compile("^Surrender")))


def shoot(person: Person, out: Path, name: str, *, whole: bool = False) -> None:
    for width, height in SIZES.items():
        person.page.set_viewport_size({"width": width, "height": height})
        for scheme in ("dark", "light"):
            person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            person.page.wait_for_timeout(250)
            person.page.screenshot(path=out / f"{name}-{width}-{scheme}.png", full_page=whole)
    person.page.set_viewport_size({"width": 1280, "height": 860})
    print(name)


def take_all(come: Callable[[], Person], house: LiveServer, out: Path) -> None:
    floor: Caller = house.staff("floor", "dealer", "supervisor", "operator", "auditor")
    players = {book: come() for book in BOOKS}
    for book, person in players.items():
        play(person, book)
        shoot(person, out, f"table-{book}-tie")
        person.button(re.compile("^Go to war.*place 5 more")).click()
        person.see_text(re.compile("this round, 2 wagers"), 60_000)
        shoot(person, out, f"table-{book}-result")
    ann = players["nz"]
    for name, path, seen in (
        ("lobby", "/", "What is different here"),
        ("rules", "/rules/wa", "WA-"),
        ("odds", "/odds", "edge"),
        ("me", "/me", "limit"),
        ("replays", "/replay", "Replays"),
        ("replay", "/replay/stacked-ties-nz/1", "NZ-"),
    ):
        ann.go(path).see_text(re.compile(seen))
        ann.page.wait_for_load_state("networkidle")
        shoot(ann, out, name, whole=True)
    staff = come().known(floor)
    for name, path, seen in (("dealer", "/dealer/real", "Procedure"), ("pit", "/pit", "Float")):
        staff.go(path).see_text(re.compile(seen))
        shoot(staff, out, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/pictures"))
    out: Path = parser.parse_args().out
    chrome = find_chrome()
    if chrome is None:
        sys.exit("No Chromium on this machine: make browser, or CHROME=/path/to/it")
    out.mkdir(parents=True, exist_ok=True)
    stack_shoes()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), HouseSettings(tables=TABLES)) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chrome, args=ARGUMENTS)
        take_all(lambda: Person(browser, house), house, out)
        browser.close()


if __name__ == "__main__":
    main()
