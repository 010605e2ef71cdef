"""The register of ambiguities: an entry for each, and every leaf and option in it as the rulebooks have them."""

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

from casinowar.rulebooks import BOOKS, load_clauses, load_rulebook
from casinowar.rulebooks.load import raw_leaves, read_book
from casinowar.rulebooks.resolve import AMOUNT, show

REGISTER = Path(__file__).resolve().parents[2] / "docs" / "ambiguities.md"
IDS = [f"AMB-{number}" for number in range(1, 81)]
FIELDS = ["Where", "Readings", "Taken", "Why", "Changes"]

LEAF = r"(?P<books>[a-z, ]+) `(?P<key>[\w.]+)`"
OPTION = re.compile(LEAF + r"(?: with (?P<given>.+))?: (?P<allowed>.+); taken (?P<taken>.+)")
FIXED = re.compile(LEAF + r": (?P<taken>.+)")


class Named(msgspec.Struct, frozen=True):
    """A leaf as the register names it; `given` is the option it hangs on, `allowed` is empty where it is fixed."""

    book: str
    key: str
    given: tuple[tuple[str, str], ...]
    allowed: str
    taken: str


@cache
def entries() -> dict[str, list[tuple[str, str]]]:
    """The items of each entry, as field and text."""
    text = REGISTER.read_text("utf-8")
    sections = re.findall(r"^## (AMB-\d+)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert len(dict(sections)) == len(sections), "an entry stands twice"
    return {amb: [item(line) for line in re.split(r"^- ", body, flags=re.MULTILINE)[1:]] for amb, body in sections}


def item(text: str) -> tuple[str, str]:
    field, _, rest = " ".join(text.split()).partition(": ")
    return field, rest


def named(amb: str) -> list[Named]:
    found = []
    for field, text in entries()[amb]:
        if field not in ("Option", "Fixed"):
            continue
        read = (OPTION if field == "Option" else FIXED).fullmatch(text)
        assert read, f"{amb}: {field}: {text}"
        parts = {"given": "", "allowed": "", **read.groupdict()}
        given = tuple(re.findall(r"`([\w.]+)` (\w+)", parts["given"] or ""))
        found += [
            Named(book, parts["key"], given, parts["allowed"], parts["taken"]) for book in parts["books"].split(", ")
        ]
    return found


def in_the_books(amb: str) -> list[Named]:
    """The leaves that name the ambiguity; one that hangs on another once for each choice that gives it values."""
    found = []
    for book in BOOKS:
        for key, raw in raw_leaves(read_book(book)).items():
            if raw.get("ambiguity") != amb:
                continue
            choices = raw["allowed"] if "by" in raw and isinstance(raw.get("allowed"), dict) else [None]
            for choice in choices:
                given = ((raw["by"], choice),) if choice else ()
                leaf = load_rulebook(book, {name: as_value(value) for name, value in given}).leaves[key]
                found.append(Named(book, key, given, leaf.allowed or "", show(leaf.value)))
    return found


def as_value(text: str) -> object:
    """An option as people write it."""
    return int(text) if text.isdigit() else text


def values_of(allowed: str) -> list[str]:
    """The values that a list of choices names, or the ends of a range."""
    if allowed == AMOUNT:
        return ["off", "1"]
    if allowed.endswith(" or more"):
        least = int(allowed.removesuffix(" or more"))
        return [str(least), str(least + 3)]
    return allowed.split(" to ") if " to " in allowed else allowed.split(", ")


def test_every_ambiguity_has_its_entry() -> None:
    assert list(entries()) == IDS


@pytest.mark.parametrize("amb", IDS)
def test_an_entry_says_everything(amb: str) -> None:
    fields = [field for field, _ in entries()[amb]]
    assert fields[:5] == FIELDS
    assert set(fields[5:]) in ({"Option"}, {"Fixed"}, {"Option", "Fixed"}, {"No leaf."})
    texts = dict(entries()[amb])
    assert all(len(texts[field]) > 3 for field in FIELDS)
    assert re.match(r"(money|cards|display)\b", texts["Changes"])
    assert set(texts["Where"].split(", ")) <= set(load_clauses())


@pytest.mark.parametrize("amb", IDS)
def test_an_entry_names_the_leaves_that_rest_on_it(amb: str) -> None:
    """All of them, with what they are and what they may be set to, and no others."""
    assert sorted(named(amb), key=place) == sorted(in_the_books(amb), key=place)


def place(leaf: Named) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return leaf.book, leaf.key, leaf.given


def test_every_ambiguity_that_is_cited_has_an_entry() -> None:
    leaves = {raw["ambiguity"] for book in BOOKS for raw in raw_leaves(read_book(book)).values() if "ambiguity" in raw}
    clauses = {amb for clause in load_clauses().values() for amb in re.findall(r"AMB-\d+", clause.how)}
    assert leaves | clauses <= set(entries())
    assert {"AMB-1", "AMB-11", "AMB-47"} <= leaves


OPTIONS = [(amb, option) for amb in entries() for option in named(amb) if option.allowed]


@pytest.mark.parametrize(("amb", "option"), OPTIONS, ids=lambda given: str(getattr(given, "key", given)))
def test_each_value_can_be_chosen(amb: str, option: Named) -> None:
    """By the names that the register gives."""
    given = {key: as_value(value) for key, value in option.given}
    for value in values_of(option.allowed):
        leaf = load_rulebook(option.book, {**given, option.key: as_value(value)}).leaves[option.key]
        shown = "0" if option.allowed == AMOUNT and value == "off" else value
        assert (show(leaf.value), leaf.ambiguity) == (shown, amb)


def test_the_index_has_each_entry_where_its_changes_put_it() -> None:
    text = REGISTER.read_text("utf-8")
    index = text.partition("## What the readings change")[2].partition("## AMB-1\n")[0]
    listed = dict(zip(("money", "cards", "display"), index.strip().split("\n\n"), strict=True))
    for effect, paragraph in listed.items():
        linked = [f"AMB-{number}" for number in re.findall(r"#amb-(\d+)\)", paragraph)]
        assert linked == [amb for amb in IDS if effect in dict(entries()[amb])["Changes"].partition(".")[0]]
