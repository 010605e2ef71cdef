"""No clause is tested in name only: whichever leaf of a book changes, a test marked with its clause must fail."""

from pathlib import Path

import msgspec
import pytest

from casinowar.rulebooks import load_rulebook
from casinowar.rulebooks.load import raw_leaves, read_book
from tests.leafcheck.changes import Change, changes
from tests.leafcheck.marked import MarkedTest, clauses_in_name_only, collect, survivors

pytestmark = pytest.mark.slow

BOOKS_CHECKED = ("nz", "wa", "ctg", "ca", "ma")
GROUPS = [
    (book, group)
    for book in BOOKS_CHECKED
    for group in dict.fromkeys(key.partition(".")[0] for key in raw_leaves(read_book(book)))
]

IN_NAME_ONLY = """
import pytest
from casinowar.rulebooks import load_rulebook

@pytest.mark.clause("NZ-8.8-ii")
def test_the_book_loads():
    assert load_rulebook("nz").war.stake == "1:1"

@pytest.mark.clause("NZ-8.8-ii")
def test_that_fails_anyhow():
    assert load_rulebook("nz").war.burn == 5

@pytest.mark.clause("NZ-8.4")
@pytest.mark.parametrize("burn", [3])
def test_of_another_clause(burn):
    assert load_rulebook("nz").war.burn == burn
"""
NO_BURN = Change("nz", "war.burn", "3 -> 0", ("NZ-8.8-ii",), {"default": 0})


@pytest.fixture(scope="session")
def marked_tests() -> list[MarkedTest]:
    return collect()


@pytest.mark.parametrize(("book", "group"), GROUPS)
def test_every_changed_leaf_is_noticed(book: str, group: str, marked_tests: list[MarkedTest]) -> None:
    """Of a leaf that is supplied no clause speaks, so that none has a test to notice it."""
    of_group = [change for change in changes(book) if change.key.partition(".")[0] == group]
    assert of_group
    of_group = [change for change in of_group if change.clauses]
    unnoticed = survivors(of_group, marked_tests)
    assert not unnoticed, "\n".join(unnoticed)


@pytest.mark.parametrize("book", BOOKS_CHECKED)
def test_every_clause_of_a_leaf_is_tested(book: str, marked_tests: list[MarkedTest]) -> None:
    unnoticed = clauses_in_name_only(changes(book), marked_tests)
    assert not unnoticed, "\n".join(unnoticed)


@pytest.mark.parametrize("book", BOOKS_CHECKED)
def test_every_leaf_is_changed(book: str) -> None:
    leaves = raw_leaves(read_book(book))
    assert {change.key for change in changes(book)} == set(leaves)
    for change in changes(book):
        assert any(leaves[change.key].get(part) != other for part, other in change.parts.items()), change


def test_a_leaf_tested_in_name_only_is_reported(tmp_path: Path) -> None:
    tmp_path.joinpath("test_sample.py").write_text(IN_NAME_ONLY)
    tests = collect(tmp_path)
    assert len(tests) == 3
    assert survivors([NO_BURN], tests) == ["nz: war.burn 3 -> 0: none of 2 tests marked NZ-8.8-ii noticed"]
    assert load_rulebook("nz").war.burn == 3


def test_a_leaf_without_a_test_is_reported(tmp_path: Path) -> None:
    tmp_path.joinpath("test_sample.py").write_text(IN_NAME_ONLY.replace("NZ-8.8-ii", "NZ-8.9"))
    assert survivors([NO_BURN], collect(tmp_path)) == ["nz: war.burn 3 -> 0: no test is marked NZ-8.8-ii"]


def test_a_leaf_that_a_test_knows_is_not_reported(tmp_path: Path) -> None:
    tmp_path.joinpath("test_sample.py").write_text(IN_NAME_ONLY.replace("NZ-8.4", "NZ-8.8-ii"))
    assert survivors([NO_BURN], collect(tmp_path)) == []


def test_a_clause_tested_in_name_only_is_reported(tmp_path: Path) -> None:
    tmp_path.joinpath("test_sample.py").write_text(IN_NAME_ONLY)
    shared = msgspec.structs.replace(NO_BURN, clauses=("NZ-8.4", "NZ-8.8-ii"))
    tests = collect(tmp_path)
    assert survivors([shared], tests) == []
    assert clauses_in_name_only([shared], tests) == [
        "nz: any change of war.burn: none of 2 tests marked NZ-8.8-ii noticed"
    ]
