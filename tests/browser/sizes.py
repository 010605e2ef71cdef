"""The windows in which everything must be reached: phones with their bars, one that lies, a low laptop, 200 % zoom."""

import os
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import FloatRect, Locator

from tests.browser.people import DESK, Person

SIZES = ((320, 480), (360, 640), (390, 664), (844, 390), (1366, 625), (840, 525))
FINE = (
    *((width, height) for width in range(320, 1441, 80) for height in range(480, 961, 80)),
    *((width, height) for width in (740, 760, 780) for height in (560, 640, 799, 800)),
)
SHOTS = "CASINOWAR_SHOTS"
"""A folder for pictures of what the tests look at."""


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""After a change of the window the page is laid out anew, and some of its parts are others."""

TRIES = 30


def each_size(person: Person, name: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> Iterator[tuple[int, int]]:
    """One page in one window after the other, with a picture of each where pictures are wanted."""
    for width, height in sizes:
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.evaluate(DRAWN)
        yield width, height
        if SHOTS in os.environ:
            person.page.screenshot(path=Path(os.environ[SHOTS]) / f"{name}-{width}x{height}.png")
    person.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


PLACES = """
all => all.map(one => {
  const {x, y, width, height} = one.getBoundingClientRect();
  return one.checkVisibility({visibilityProperty: true}) && width && height ? {x, y, width, height} : null;
})
"""


def is_seen(what: Locator, size: tuple[int, int]) -> bool:
    """Whether all of it lies within the window, without scrolling, once the page has been laid out for the window."""
    for _ in range(TRIES):
        places: list[FloatRect | None] = what.evaluate_all(PLACES)
        if places and all(place is not None and _is_within(place, size) for place in places):
            return True
        what.page.wait_for_timeout(100)
    return False


def _is_within(place: FloatRect, size: tuple[int, int]) -> bool:
    is_beside = place["x"] < -0.5 or place["x"] + place["width"] > size[0] + 0.5
    is_below = place["y"] < -0.5 or place["y"] + place["height"] > size[1] + 0.5
    return not is_beside and not is_below
