"""Clause coverage: which clauses have tests that passed, or that could not run, which are open or left to people."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from casinowar.reports.full_run import MarkedTests, Run, RunError
from casinowar.rulebooks import BOOKS, KINDS, Clause, load_clauses, load_rulebook

Standing = Literal["tested", "open", "not_run", "physical"]
Clauses = Mapping[str, MarkedTests]


class Count(msgspec.Struct, frozen=True):
    """The number of clauses by how they stand: tested, open, not run, left to people."""

    tested: int = 0
    open: int = 0
    not_run: int = 0
    physical: int = 0


class BookCoverage(msgspec.Struct, frozen=True):
    """One book's clauses: all together, by kind, and the ids of those that are open or whose tests were not run.

    `supplied` is how many of its leaves rest on no clause, because the book is silent.
    """

    totals: Count
    kinds: dict[str, Count]
    open: tuple[str, ...]
    not_run: tuple[str, ...]
    supplied: int = 0


class Coverage(msgspec.Struct, frozen=True):
    """All books; `failed` are clauses whose marked tests ran and did not all pass, which leaves them open."""

    totals: Count
    books: dict[str, BookCoverage]
    failed: tuple[str, ...]


def check_clauses(run: Run) -> None:
    """Refuse results that were written with another catalogue."""
    unknown = [clause for clause in run.clauses if clause not in load_clauses()]
    if unknown:
        raise RunError(f"clause {unknown[0]!r} is not in the catalogue: run the tests again")


def coverage(shown: Clauses) -> Coverage:
    """Count the catalogue against what the tests of each clause have shown."""
    clauses = list(load_clauses().values())
    books = {book: _book(book, [clause for clause in clauses if clause.book == book], shown) for book in BOOKS}
    failed = tuple(clause for clause, marked in shown.items() if marked.tests and not marked.passed)
    return Coverage(_count(clauses, shown), books, failed)


def standing(clause: Clause, shown: Clauses) -> Standing:
    """How a clause stands. A marked test counts first, also one that could not run; then the catalogue's word on it."""
    marked = shown.get(clause.id)
    if marked and marked.tests and marked.passed:
        return "tested"
    if marked and marked.not_run and not marked.tests:
        return "not_run"
    return "physical" if clause.realised[0] == "physical" else "open"


def _book(book: str, clauses: list[Clause], shown: Clauses) -> BookCoverage:
    kinds = {kind: [clause for clause in clauses if clause.kind == kind] for kind in KINDS}
    return BookCoverage(
        totals=_count(clauses, shown),
        kinds={kind: _count(of_kind, shown) for kind, of_kind in kinds.items() if of_kind},
        open=tuple(clause.id for clause in clauses if standing(clause, shown) == "open"),
        not_run=tuple(clause.id for clause in clauses if standing(clause, shown) == "not_run"),
        supplied=sum(leaf.supplied for leaf in load_rulebook(book).leaves.values()),
    )


def _count(clauses: list[Clause], shown: Clauses) -> Count:
    standings = [standing(clause, shown) for clause in clauses]
    return Count(**{way: standings.count(way) for way in get_args(Standing)})
