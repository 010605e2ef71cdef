"""The clause catalogue is complete, counted by kind and tag, and refuses clauses that are broken."""

from collections import Counter

import pytest

from casinowar.rulebooks import BOOKS
from casinowar.rulebooks.catalogue import KINDS, TAGS, load_clauses, parse_clauses
from casinowar.rulebooks.load import raw_leaves, read_book

# Rows follow KINDS and TAGS, columns BOOKS: nz, wa, ctg, ca, ma.
KIND_COUNTS = {
    "game": (8, 7, 6, 9, 7),
    "wager": (21, 15, 12, 14, 12),
    "payout": (4, 7, 9, 7, 18),
    "shoe": (28, 29, 9, 15, 40),
    "deal": (7, 4, 2, 9, 9),
    "settle": (15, 19, 4, 14, 13),
    "bank": (0, 0, 0, 17, 0),
    "irregularity": (20, 14, 3, 0, 9),
    "table-ops": (8, 8, 1, 3, 6),
    "operator-option": (14, 4, 0, 0, 3),
    "display": (6, 5, 3, 3, 1),
    "conduct": (3, 10, 0, 3, 1),
    "equipment-physical": (7, 5, 0, 4, 8),
}
TAG_COUNTS = {
    "engine": (103, 95, 35, 85, 98),
    "option": (21, 13, 7, 6, 10),
    "command": (28, 23, 7, 4, 17),
    "display": (9, 13, 8, 5, 2),
    "record": (21, 9, 2, 7, 16),
    "physical": (7, 9, 1, 6, 12),
}
BOOK_COUNTS = (141, 127, 49, 98, 127)

VALID = """
["NZ-1.1"]
text = "A clause."
kind = "game"
realised = ["engine"]
how = "somehow"
"""


def test_every_clause_is_there() -> None:
    books = Counter(clause.book for clause in load_clauses().values())
    assert tuple(books[book] for book in BOOKS) == BOOK_COUNTS
    assert len(load_clauses()) == 542


@pytest.mark.parametrize("kind", KINDS)
def test_count_of_kind(kind: str) -> None:
    books = Counter(clause.book for clause in load_clauses().values() if clause.kind == kind)
    assert tuple(books[book] for book in BOOKS) == KIND_COUNTS[kind]


@pytest.mark.parametrize("tag", TAGS)
def test_count_of_tag(tag: str) -> None:
    books = Counter(clause.book for clause in load_clauses().values() if tag in clause.realised)
    assert tuple(books[book] for book in BOOKS) == TAG_COUNTS[tag]


def test_ids_are_unique_and_name_their_book() -> None:
    """TOML itself refuses an id twice in one file; across files the book's prefix keeps them apart."""
    clauses = load_clauses()
    assert [clause.id for clause in clauses.values()] == list(clauses)
    assert all(clause.id.startswith(f"{clause.book.upper()}-") for clause in clauses.values())


def test_clauses_are_in_document_order() -> None:
    ids = list(load_clauses())
    assert ids.index("NZ-5.13c") < ids.index("NZ-9.10") < ids.index("WA-0-i") < ids.index("MA-11-E4")
    assert ids[-1] == "MA-11-E4"


def test_texts_are_sentences() -> None:
    assert [c.id for c in load_clauses().values() if not c.text.rstrip(".") or not c.text.endswith(".")] == []
    assert [c.id for c in load_clauses().values() if not c.how] == []


def test_tags_are_not_repeated() -> None:
    assert [c.id for c in load_clauses().values() if len(set(c.realised)) != len(c.realised)] == []


def test_only_physical_clauses_are_outside() -> None:
    physical = {c.id for c in load_clauses().values() if c.realised[0] == "physical"}
    assert {c.id for c in load_clauses().values() if c.outside} == physical
    assert len(physical) == 20


def test_valid_clause_parses() -> None:
    assert parse_clauses("nz", VALID)["NZ-1.1"].realised == ("engine",)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("NZ-1.1", "WA-1.1", "must start with NZ-"),
        ('"game"', '"games"', "unknown kind 'games'"),
        ('"engine"', '"motor"', "unknown tag 'motor'"),
        ('["engine"]', "[]", "at least one tag"),
        ('["engine"]', '["physical"]', "outside"),
        ("how =", 'outside = "why"\nhow =', "outside"),
        ('how = "somehow"', "", "how"),
        ("how =", 'note = "odd"\nhow =', "unknown keys note"),
        ("how =", 'id = "NZ-2"\nhow =', "unknown keys id"),
        ('"somehow"', "3", "how"),
    ],
)
def test_broken_clause_is_named(before: str, after: str, said: str) -> None:
    broken = VALID.replace(before, after)
    assert broken != VALID
    clause_id = "WA-1.1" if after == "WA-1.1" else "NZ-1.1"
    with pytest.raises(ValueError, match=f"clause {clause_id}: .*{said}"):
        parse_clauses("nz", broken)


def test_clause_is_a_frozen_value() -> None:
    clause = load_clauses()["NZ-5.13c"]
    with pytest.raises(AttributeError):
        clause.text = "Other."  # type: ignore[misc]
    assert load_clauses() is load_clauses()


@pytest.mark.parametrize("book", BOOKS)
def test_every_leaf_of_a_book_rests_on_clauses_of_its_own(book: str) -> None:
    known = {ident for ident, clause in load_clauses().items() if clause.book == book}
    cited = [
        ident
        for raw in raw_leaves(read_book(book)).values()
        for part in ("clauses", "see")
        for ident in _cited(raw.get(part, []))
    ]
    assert len(cited) > 60
    assert [ident for ident in cited if ident not in known] == []


def _cited(clauses: list[str] | dict[str, list[str]]) -> list[str]:
    return clauses if isinstance(clauses, list) else [ident for ids in clauses.values() for ident in ids]
