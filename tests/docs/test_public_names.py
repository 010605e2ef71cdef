"""No public name is undocumented: in the code, and in the reference that is made of it."""

import re
from pathlib import Path
from typing import get_args

import pytest

from casinowar.cli import SUMMARIES
from casinowar.engine.commands import Command
from casinowar.engine.events import Event
from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.rulebooks.vocabulary import KEYS
from casinowar.web.app import OPERATIONS
from casinowar.words.refusals import REASONS
from docs import library_reference
from docs.made_pages import DOCS, MADE, MARKER

REFERENCE = {page: page.read_text("utf-8") for page in sorted(DOCS.rglob("*.md"))}


def made(part: str) -> str:
    return MADE[part]()


def headings(text: str) -> set[str]:
    return set(re.findall(r"^#{2,3} (.+)$", text, re.MULTILINE))


def test_every_public_name_has_its_words() -> None:
    assert list(library_reference.undocumented()) == []


def test_a_name_without_words_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: a class and a method of it lose their docstrings."""
    from casinowar.odds import Study

    monkeypatch.setattr(Study, "__doc__", None)
    monkeypatch.setattr(Study.best_play, "__doc__", None)
    found = list(library_reference.undocumented())
    assert found == ["casinowar.odds.Study", "casinowar.odds.Study.best_play"]


def test_the_reference_has_every_public_name() -> None:
    wanted = {f"{module.__name__}.{name}" for module in library_reference.public_modules() for name in module.__all__}
    assert len(wanted) > 150
    assert wanted <= headings(made("library"))


def test_the_reference_has_every_event_and_command() -> None:
    for part, union in (("events", Event), ("table commands", Command)):
        told = headings(made(part))
        assert {str(one.__struct_config__.tag) for one in get_args(union)} <= told, part


def test_the_reference_has_every_refusal_leaf_and_option() -> None:
    refusals, leaves, options = made("refusals"), made("leaves"), made("options")
    assert [reason for reason in REASONS if f"| `{reason}` |" not in refusals] == []
    assert [key for key in KEYS if f"| `{key}` |" not in leaves] == []
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", options, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(BOOKS)
    for book, text in sections.items():
        wanted = {key for key, leaf in load_rulebook(book).leaves.items() if leaf.allowed}
        assert set(re.findall(r"^\| `([\w.]+)` \|", text, re.MULTILINE)) == wanted


def test_the_reference_has_every_operation_and_command_line() -> None:
    told = made("operations")
    assert [one.at for one in OPERATIONS if f"`{one.method} {one.at}`" not in told] == []
    commands = headings(made("command line"))
    assert {f"casinowar {name}" for name in SUMMARIES} <= commands
    assert {"casinowar rules clause", "casinowar bench serve", "casinowar admin grant"} <= commands


def test_every_part_that_is_made_has_its_page() -> None:
    used = [name for text in REFERENCE.values() for name in MARKER.findall(text) if not name.startswith("file ")]
    assert sorted(used) == sorted(MADE)


def test_no_made_page_tells_of_this_machine() -> None:
    """Nothing that changes from machine to machine or from run to run: no address in memory, no home folder."""
    for part in MADE:
        text = made(part)
        assert " at 0x" not in text, part
        assert str(Path.home()) not in text or str(Path.home()) == "/", part
