"""A real house with the built page, and a real Chromium: $CHROME, or one that is on the path."""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

from casinowar.house.settings import BotSettings, HouseSettings, TableSettings, Timers
from casinowar.web.http.page_files import ELSEWHERE, FOLDER, INDEX
from tests.browser.later import Clocks, running_later
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NEVER_SEEN = (
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
"""Processes that Chromium starts beside every page, for windows that no test opens. They cost more than the page."""

OFF_IN_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What Playwright itself switches off. Chromium heeds only the last list that it is given, so ours has these too."""

ARGUMENTS = [
    f"--disable-features={','.join(NEVER_SEEN + OFF_IN_PLAYWRIGHT)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
UNHURRIED = Timers(betting=120, decision=120, war_betting=2, cut=0, entropy=0, bank=120, pause=0.3, card=0.02)
"""The dealer waits for whoever says that they are ready, and no player is hurried on a slow machine."""

BOOKS = ("nz", "wa", "ctg", "ca", "ma")
METER: dict[str, dict[str, object]] = {"ma": {"options": {"wager.progressive": True}, "meter": 100_000}}
BANKERS = (BotSettings(strategy="bank", box=7), BotSettings(strategy="bank", box=8))


def table(name: str, rulebook: str = "nz", **changed: object) -> TableSettings:
    bots = {"bots": BANKERS} if rulebook == "ca" else {}
    given = {"title": name, "timers": UNHURRIED, **bots, **changed}
    return TableSettings(name=name, rulebook=rulebook, **given)  # type: ignore[arg-type]


TABLES = (
    *(table(f"stacked-ties-{book}", book, **METER.get(book, {})) for book in BOOKS),
    *(table(f"stacked-{book}", book) for book in BOOKS),
    table("stacked-two"),
    table("stacked-ties-replay"),
    table("stacked-ties-steps"),
    table("stacked-ties-pasted"),
    table("laid-x2cKd.record"),
    table("stacked-shown-nz"),
    table("stacked-ties-advice", "wa"),
    table("stacked-ties-open-ma", "ma"),
    table("stacked-ties-open-ca", "ca"),
    table(
        "stacked-ties-low-ma",
        "ma",
        timers=Timers(betting=120, war_betting=120, entropy=0, cut=0),
    ),
    table("stacked-quick"),
    table("stacked-keys"),
    table("stacked-ties-keys"),
    table("stacked-ties-lying"),
    table("stacked-ties-hasty", bots=tuple(BotSettings(box=box) for box in range(2, 8))),
    table("stacked-ties-forged"),
    table("stacked-seven", bots=tuple(BotSettings(box=box) for box in range(1, 7))),
    table("stacked-drag"),
    table("stacked-other-faces"),
    table("stacked-no-proofs"),
    table("sealed", timers=Timers(betting=120, entropy=5, cut=60, pause=0.3, card=0.02)),
    table("hand", dealer="human"),
    table("real", dealer="real"),
    table("real-incident", dealer="real"),
    table("real-rebuilt", dealer="real"),
    table("stacked-hand-reload", dealer="human"),
    table("stacked-hand-plays", dealer="human"),
    table("stacked-hand-bank", "ca", dealer="human", bots=()),
)
"""Each test plays at a table of its own, so that none waits for another."""


Opened = Callable[..., tuple[LiveServer, Clocks]]
"""Opens a house with these tables and a clock that can be moved."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test in the browser is slow."""
    item.add_marker("slow")


def find_chrome() -> str | None:
    named = os.environ.get("CHROME")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def leave_out(reason: str) -> NoReturn:
    """What a test needs is not here: nobody's failure, but for CI, which has everything."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests of this process, opened for the first test that needs it."""
    chrome = find_chrome() or leave_out("no Chromium on this machine: make browser, or CHROME=/path/to/it")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chrome, args=ARGUMENTS)
        asyncio._set_running_loop(None)
        yield opened
        asyncio._set_running_loop(opened._loop)
        opened.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The Chromium of this process, with its event loop in force for this test only.

    Playwright leaves its loop marked as running between its calls, and no other loop could run in this thread then.
    """
    asyncio._set_running_loop(chromium._loop)
    yield chromium
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def page_is_built() -> None:
    if not (Path(os.environ.get(ELSEWHERE) or FOLDER) / INDEX).exists():
        leave_out("the page is not built: make page")


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    """One house for all tests, with every table that they play at."""
    stack_shoes()
    with running(tmp_path_factory.mktemp("house"), HouseSettings(tables=TABLES)) as live:
        yield live


@pytest.fixture
def opened(tmp_path: Path, page_is_built: None) -> Iterator[Opened]:
    """A house of its own for each test, so that its pit shows no more than the test is about."""
    stack_shoes()
    with ExitStack() as stack:

        def begin(*tables: TableSettings) -> tuple[LiveServer, Clocks]:
            return stack.enter_context(running_later(tmp_path, HouseSettings(tables=tables)))

        yield begin


@pytest.fixture
def new_person(browser: Browser, house: LiveServer) -> Iterator[NewPerson]:
    """Somebody who comes with a browser of their own, to the house unless another is named."""
    people: list[Person] = []

    def come(live: LiveServer | None = None, **options: Any) -> Person:
        people.append(Person(browser, live or house, **options))
        return people[-1]

    yield come
    for person in people:
        person.close()
