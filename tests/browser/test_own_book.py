"""A book of the configuration folder on the page: its table in the lobby, its felt, its rules, its odds."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from casinowar.house.settings import HouseSettings
from casinowar.house.settings_file import default_tables
from tests.browser.people import NewPerson
from tests.support.live_server import LiveServer, running
from tests.support.own_books import drop_book

CLOTH = "rgb(224, 192, 240)"
"""#e0c0f0, as the head of the book has it for a page in the light."""


@pytest.fixture
def isle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page_is_built: None) -> Iterator[LiveServer]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    drop_book()
    with running(tmp_path, HouseSettings(tables=default_tables())) as live:
        yield live


def felt_of(drawn: Locator) -> str:
    return str(drawn.evaluate("one => getComputedStyle(one).fill"))


def test_a_sixth_book_is_served_and_drawn_without_a_line_of_code(isle: LiveServer, new_person: NewPerson) -> None:
    ann = new_person(isle).go()
    ann.see_text("Isle night")
    compared = ann.see(ann.page.get_by_role("region", name="Comparison of the rulebooks"))
    assert compared.get_by_role("columnheader").all_inner_texts()[-1] == "The Isle"
    ann.go("/table/isle")
    felt = ann.page.locator("svg.felt-isle path.felt").first
    ann.see(felt)
    assert felt_of(felt) == CLOTH
    ann.go("/table/nz")
    other = ann.see(ann.page.locator("svg.felt-nz path.felt").first)
    assert felt_of(other) == "rgb(172, 200, 211)"
    ann.go("/rules/isle")
    ann.see(ann.page.get_by_role("button", name="Clause ISLE-4.2: what it says").first)
    ann.go("/odds/isle")
    ann.see(ann.page.locator(".felt-isle").first)
