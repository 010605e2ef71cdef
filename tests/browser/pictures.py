"""Pictures of every page at 390, 1024 and 1680 pixels, dark and light: make pictures ARGS="--out FOLDER".

With --windows the tables alone, in every window from a small phone to a low laptop."""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import ARGUMENTS, BOOKS, find_chrome
from tests.browser.people import Person
from tests.browser.picture_house import BOX, NAMES, REAL, TABLES, RealShoe, go_to_war, lay_chips, tie
from tests.browser.stacked import stack_shoes
from tests.browser.window_sizes import WINDOWS
from tests.support.live_server import LiveServer, running

SIZES = ((390, 844), (1024, 768), (1680, 1050))
NIGHTS = "/nights?rulebook=nz&rounds=200&wager=2500&bankroll=100000&nights=1000&seed=7f3a-91c2"
COMPILING_MS = 100_000
"""The first nights compile their kernel."""

STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"


class Pictures:
    """Takes them; `only` is a beginning of names, for whoever mends one page."""

    def __init__(self, out: Path, only: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
        self._out, self._only, self._sizes = out, only, sizes

    def take(self, person: Person, name: str, *, whole: bool = False) -> None:
        if not name.startswith(self._only):
            return
        heights = self._sizes is not SIZES
        for width, height in self._sizes:
            size = f"{width}x{height}" if heights else str(width)
            person.page.set_viewport_size({"width": width, "height": height})
            for scheme in ("dark", "light"):
                person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                person.page.wait_for_timeout(200)
                person.page.wait_for_function(STILL)
                person.page.screenshot(path=self._out / f"{name}-{size}-{scheme}.png", full_page=whole)
        person.page.set_viewport_size({"width": 1280, "height": 860})
        print(name, flush=True)

    def take_dialog(self, person: Person, name: str, opened_by: str | re.Pattern[str]) -> None:
        person.button(opened_by).first.click()
        person.see(person.page.get_by_role("dialog"))
        self.take(person, name)
        person.page.keyboard.press("Escape")


def take_tables(come: Callable[[], Person], pictures: Pictures) -> dict[str, Person]:
    players = {book: come() for book in BOOKS}
    for book, person in players.items():
        lay_chips(person, book)
        pictures.take(person, f"table-{book}-betting")
        tie(person)
        pictures.take(person, f"table-{book}-tie")
        go_to_war(person)
        pictures.take(person, f"table-{book}-result")
    return players


def take_all(come: Callable[[], Person], house: LiveServer, pictures: Pictures) -> None:
    newcomer = come().go("/")
    newcomer.see_text("What is different here")
    pictures.take_dialog(newcomer, "guide", "Learn it in four cards")
    wa = take_tables(come, pictures)["wa"]
    pictures.take_dialog(wa, "table-rules", re.compile("^Rules"))
    pictures.take_dialog(wa, "table-rulings", re.compile("^Rulings"))
    pictures.take_dialog(wa, "table-seal", re.compile("^Shoe sealed"))
    for name, path, seen in (
        ("lobby", "/", "What is different here"),
        ("rules", "/rules/wa", "WA-"),
        ("odds", "/odds/nz/payout.war.on_tie=1:1", "with the change"),
        ("nights", f"{NIGHTS}&play=1", "All nights are played"),
        ("me", "/me", "limit"),
        ("replays", "/replay", "Replays"),
        ("nowhere", "/nowhere", "Tables"),
    ):
        wa.go(path).see_text(re.compile(seen), COMPILING_MS)
        wa.page.wait_for_load_state("networkidle")
        pictures.take(wa, name, whole=True)
    wa.go(f"/replay/{NAMES['wa']}/1").see_text(re.compile("WA-"))
    settled = wa.page.get_by_role("button", name=re.compile(f"^[0-9]+.*[Bb]ox {BOX}.*(win|paid)")).last
    if settled.count():
        settled.click()
    pictures.take(wa, "replay")
    wa.page.emulate_media(media="print")
    pictures.take(wa, "replay-printed", whole=True)
    take_staff(come(), house, pictures)


def take_staff(staff: Person, house: LiveServer, pictures: Pictures) -> None:
    real = RealShoe(house, house.staff("dora", "dealer"), house.staff("sue", "supervisor"))
    real.load()
    pictures.take(staff.known(real.dealer).go(f"/dealer/{REAL}"), "dealer-betting")
    real.play_to_the_war()
    staff.see_text("Procedure")
    pictures.take(staff, "dealer")
    staff.page.keyboard.press("F8")
    panel = staff.see(staff.page.get_by_role("complementary", name="Incident"))
    panel.get_by_role("button", name=re.compile("^A card went to the wrong box")).click()
    pictures.take(staff, "dealer-incident")
    real.ask_for_void()
    announced = {"do": "announce_limits", "minimum": 1000, "maximum": 100_000, "unit": 500}
    real.supervisor.command(NAMES["wa"], announced, **{"as": "supervisor", "reason": "a busy night"})
    floor = house.staff("floor", "supervisor", "operator", "auditor")
    staff.known(floor).go("/pit").see_text(re.compile("Float"))
    pictures.take(staff, "pit", whole=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/pictures"))
    parser.add_argument("--only", default="", help="the beginning of the names to take")
    parser.add_argument("--windows", action="store_true", help="tables alone, in windows of every size")
    given = parser.parse_args()
    chrome = find_chrome()
    if chrome is None:
        sys.exit("No Chromium on this machine: make browser, or CHROME=/path/to/it")
    given.out.mkdir(parents=True, exist_ok=True)
    stack_shoes()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), HouseSettings(tables=TABLES)) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chrome, args=ARGUMENTS)
        if given.windows:
            take_tables(lambda: Person(browser, house), Pictures(given.out, given.only, WINDOWS))
        else:
            take_all(lambda: Person(browser, house), house, Pictures(given.out, given.only))
        browser.close()


if __name__ == "__main__":
    main()
