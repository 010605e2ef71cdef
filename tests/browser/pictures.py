"""Pictures of every page at 390, 1024 and 1680 pixels, dark and light: make pictures ARGS="--out FOLDER".

With --windows the tables alone, in every window from a small phone to a low laptop. With --docs those that the
documentation shows, into docs/pictures."""

import argparse
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

import casinowar
from casinowar import strategies
from casinowar.envs import WarEnv
from casinowar.house.settings import HouseSettings
from tests.browser import doc_pictures
from tests.browser.conftest import ARGUMENTS, BOOKS, find_chrome
from tests.browser.people import Person
from tests.browser.picture_house import BOX, NAMES, REAL, TABLES, RealShoe, go_to_war, lay_chips, tie
from tests.browser.stacked import stack_shoes
from tests.browser.window_sizes import WINDOWS
from tests.support.doc_blocks import blocks_of
from tests.support.live_server import LiveServer, running

SIZES = ((390, 844), (1024, 768), (1680, 1050))
NIGHTS = "/nights?rulebook=nz&rounds=200&wager=2500&bankroll=100000&nights=1000&seed=7f3a-91c2"
COMPILING_MS = 100_000
"""The first nights compile their kernel."""

FAN = "night-fan.svg"
NIGHT = ("simulate", "--session", "250", "--bankroll", "50", "--wagers", "initial", "--seed", "7", "--rounds", "2e6")
TERMINAL = """<!DOCTYPE html>
<meta charset="utf-8">
<style>
  body {{ margin: 0; padding: 20px 28px; background: #12161d; color: #e6eaf0 }}
  pre {{ margin: 0; font: 15px/1.42 "DejaVu Sans Mono", monospace }}
  @media (prefers-color-scheme: light) {{ body {{ background: #fff; color: #1d2430 }} }}
</style>
<pre>{text}</pre>
"""
STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"


class Pictures:
    """Takes them; `only` is a beginning of names, for whoever mends one page, and `wanted` the names of files."""

    def __init__(
        self, out: Path, only: str, sizes: tuple[tuple[int, int], ...] = SIZES, wanted: frozenset[str] = frozenset()
    ) -> None:
        self.out, self.only, self._sizes, self._wanted = out, only, sizes, wanted
        self.taken: set[str] = set()

    def take(self, person: Person, name: str, *, whole: bool = False) -> None:
        self.take_page(person.page, name, whole=whole)
        person.page.set_viewport_size({"width": 1280, "height": 860})

    def take_page(self, page: Page, name: str, *, whole: bool = False) -> None:
        if not name.startswith(self.only):
            return
        heights = self._sizes is not SIZES
        for width, height in self._sizes:
            size = f"{width}x{height}" if heights else str(width)
            for scheme in ("dark", "light"):
                file = f"{name}-{size}-{scheme}.png"
                if self._wanted and file not in self._wanted:
                    continue
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.wait_for_timeout(200)
                page.wait_for_function(STILL)
                page.screenshot(path=self.out / file, full_page=whole and not self._wanted)
                self.taken.add(file)
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
    floor = house.staff("fay", "supervisor", "operator", "auditor")
    staff.known(floor).go("/pit").see_text(re.compile("Float"))
    pictures.take(staff, "pit", whole=True)


def take_papers(browser: Browser, pictures: Pictures) -> None:
    """What has no server: a PAR sheet, the plot of a night, a session in the terminal."""
    page = browser.new_page()
    with tempfile.TemporaryDirectory() as folder:
        sheet, terminal = Path(folder) / "par.html", Path(folder) / "terminal.html"
        call("par", "--rulebook", "ma", "--html", str(sheet))
        page.goto(sheet.as_uri())
        pictures.take_page(page, "par")
        terminal.write_text(TERMINAL.format(text=escape(first_session())), "utf-8")
        page.goto(terminal.as_uri())
        pictures.take_page(page, "terminal")
    page.close()
    if "night-fan".startswith(pictures.only):
        call(*NIGHT, "--plot", str(pictures.out / FAN))
        pictures.taken.add(FAN)
    if "environment-frame".startswith(pictures.only):
        (pictures.out / "environment-frame.png").write_bytes(environment_picture())
        pictures.taken.add("environment-frame.png")
    if "notebook".startswith(pictures.only):
        for name, drawn in notebook_pictures().items():
            (pictures.out / name).write_text(drawn, "utf-8")
            pictures.taken.add(name)


def environment_picture() -> bytes:
    """What an environment shows of a tie as a picture, in PNG."""
    env = WarEnv("wa", render_mode="rgb_array")
    seed = next(seed for seed in range(1_000) if plays_to_a_tie(env, seed))
    assert plays_to_a_tie(env, seed)
    pixels = env.render()
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 9)))
    chunks = [len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4) for kind, data in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + b"\0\0\0\0IEND\xaeB`\x82"


def plays_to_a_tie(env: WarEnv, seed: int) -> bool:
    """Whether the first round of a seed stops at a tie, with two wagers down."""
    env.reset(seed=seed)
    return not env.step(env.number("initial+tie"))[2]


def notebook_pictures() -> dict[str, str]:
    """What a notebook shows of a session of one player, and of its last round that went to war."""
    session = casinowar.Session("wa", seed="4711", players={"ana": 1_000_000})
    plays = strategies.flat(5_000)
    for wager in ("tie", "a_bomb", "perfect_pairs", "war_perfect_pairs"):
        plays = strategies.always(wager, plays, 500)
    rounds = [session.play_round(plays) for _ in range(60)]
    last = [one for one in rounds if len(one.hands[1]) > 1][-1]
    return {"notebook-session.svg": session._repr_svg_(), "notebook-round.svg": last._repr_svg_()}


def first_session() -> str:
    """The session that the tutorial shows, which a test types."""
    page = doc_pictures.ROOT / "docs" / "tutorials" / "first-round.md"
    return next(block.text for block in blocks_of(page) if block.language == "console")


def call(*args: str) -> None:
    subprocess.run([sys.executable, "-m", "casinowar", *args], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/pictures"))
    parser.add_argument("--only", default="", help="the beginning of the names to take")
    parser.add_argument("--windows", action="store_true", help="tables alone, in windows of every size")
    parser.add_argument("--docs", action="store_true", help="those of the documentation, into docs/pictures")
    given = parser.parse_args()
    out = doc_pictures.FOLDER if given.docs else given.out
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
        if given.windows:
            take_tables(lambda: Person(browser, house), Pictures(out, given.only, WINDOWS))
        else:
            wanted = frozenset(doc_pictures.PICTURES) if given.docs else frozenset()
            pictures = Pictures(out, given.only, wanted=wanted)
            take_papers(browser, pictures)
            take_all(lambda: Person(browser, house), house, pictures)
            if given.docs:
                doc_pictures.note_taken(pictures.taken)
        browser.close()


if __name__ == "__main__":
    main()
