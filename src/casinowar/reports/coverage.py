"""Clause coverage: which clauses have tests that ran and passed, which are left to people, and which are open."""

from typing import Literal

import msgspec

from casinowar.rulebooks import BOOKS, KINDS, Clause, load_clauses

FORMAT = "casinowar-clauses/1"

Standing = Literal["tested", "open", "physical"]


class CoverageError(ValueError):
    """Test results that cannot be counted."""


class Count(msgspec.Struct, frozen=True):
    """How many clauses stand how."""

    tested: int = 0
    open: int = 0
    physical: int = 0


class BookCoverage(msgspec.Struct, frozen=True):
    """One book's clauses: all together, by kind, and the ids of those that are open."""

    totals: Count
    kinds: dict[str, Count]
    open: tuple[str, ...]


class Coverage(msgspec.Struct, frozen=True):
    """All books; `failed` are clauses whose marked tests ran and did not all pass, which leaves them open."""

    totals: Count
    books: dict[str, BookCoverage]
    failed: tuple[str, ...]


class _Ran(msgspec.Struct):
    tests: int
    passed: bool


class _Results(msgspec.Struct):
    format: str
    clauses: dict[str, _Ran]


def parse_results(content: bytes) -> dict[str, bool]:
    """The clauses whose marked tests ran, and whether all of them passed, from what a test run wrote."""
    try:
        results = msgspec.json.decode(content, type=_Results)
    except msgspec.DecodeError as error:
        raise CoverageError(f"no results of a test run: {error}") from None
    if results.format != FORMAT:
        raise CoverageError(f"format {results.format!r} is unknown: this reads {FORMAT!r}")
    known = load_clauses()
    for clause in results.clauses:
        if clause not in known:
            raise CoverageError(f"clause {clause!r} is not in the catalogue: run the tests again")
    return {clause: ran.passed for clause, ran in results.clauses.items() if ran.tests}


def coverage(passed: dict[str, bool]) -> Coverage:
    """Count the catalogue against the clauses whose tests ran."""
    clauses = list(load_clauses().values())
    books = {book: _book([clause for clause in clauses if clause.book == book], passed) for book in BOOKS}
    failed = tuple(clause for clause, is_passed in passed.items() if not is_passed)
    return Coverage(_count(clauses, passed), books, failed)


def standing(clause: Clause, passed: dict[str, bool]) -> Standing:
    """A passing test counts before the catalogue's word that a clause is left to people."""
    if passed.get(clause.id):
        return "tested"
    return "physical" if clause.realised[0] == "physical" else "open"


def _book(clauses: list[Clause], passed: dict[str, bool]) -> BookCoverage:
    kinds = {kind: [clause for clause in clauses if clause.kind == kind] for kind in KINDS}
    return BookCoverage(
        totals=_count(clauses, passed),
        kinds={kind: _count(of_kind, passed) for kind, of_kind in kinds.items() if of_kind},
        open=tuple(clause.id for clause in clauses if standing(clause, passed) == "open"),
    )


def _count(clauses: list[Clause], passed: dict[str, bool]) -> Count:
    standings = [standing(clause, passed) for clause in clauses]
    return Count(standings.count("tested"), standings.count("open"), standings.count("physical"))
