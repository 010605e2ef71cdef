"""What a test of the pit does there: find a table's card, fill in an act of the floor, and see that it is done."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.people import Person

WHY = "as the night asks"


def card(person: Person, title: str) -> Locator:
    return person.page.get_by_role("article").filter(has=person.page.get_by_role("button", name=title, exact=True))


def beside(person: Person, heading: str) -> Locator:
    return person.page.get_by_role("region", name=heading)


def managed(person: Person, title: str, act: str) -> Locator:
    """The form of an act of the floor at a table."""
    dialog = person.page.get_by_role("dialog", name=title)
    if not dialog.is_visible():
        person.button(title, exact=True).click()
    dialog.get_by_role("button", name=act, exact=True).click()
    return dialog.get_by_role("form", name=act)


def apply(form: Locator, button: str = "Apply", reason: str = WHY) -> None:
    form.get_by_label("Reason").fill(reason)
    form.get_by_role("button", name=re.compile(rf"^{button}\b")).click()


def done(person: Person) -> None:
    expect(person.page.get_by_role("dialog").get_by_role("status")).to_have_text("Done.")
