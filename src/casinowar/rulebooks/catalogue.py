"""The clause catalogue: every clause of the five rulebooks in our own words, and how software realises it.

A rule cites the clauses that decide the case at hand, or says plainly that the book has none.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from casinowar.rulebooks.editions import BOOKS
from casinowar.rulebooks.model import Rulebook

KINDS = (
    "game",
    "wager",
    "payout",
    "shoe",
    "deal",
    "settle",
    "bank",
    "irregularity",
    "table-ops",
    "operator-option",
    "display",
    "conduct",
    "equipment-physical",
)

TAGS = ("engine", "option", "command", "display", "record", "physical")


class Clause(msgspec.Struct, frozen=True):
    """One clause of a rulebook.

    The first tag of `realised` is the principal one. Where that is `physical`, `outside` says why software
    leaves the clause to people; other clauses have no `outside`.
    """

    id: str
    book: str
    text: str
    kind: str
    realised: tuple[str, ...]
    how: str
    outside: str = ""


@cache
def load_clauses() -> dict[str, Clause]:
    """Read all clauses, keyed by id, book by book in document order. The dict is shared: do not change it."""
    folder = files("casinowar.rulebooks") / "data" / "clauses"
    clauses: dict[str, Clause] = {}
    for book in BOOKS:
        text = (folder / f"{book}.toml").read_text(encoding="utf-8")
        clauses.update(parse_clauses(book, text))
    return clauses


def parse_clauses(book: str, text: str) -> dict[str, Clause]:
    """Parse one book's catalogue, a TOML table per clause; a broken clause is a ValueError."""
    return {name: _parse_clause(book, name, leaf) for name, leaf in tomllib.loads(text).items()}


def _parse_clause(book: str, clause_id: str, leaf: dict[str, Any]) -> Clause:
    prefix = f"{book.upper()}-"
    if not clause_id.startswith(prefix):
        raise ValueError(f"clause {clause_id}: the id must start with {prefix}")
    try:
        clause = msgspec.convert({**leaf, "id": clause_id, "book": book}, Clause)
    except msgspec.ValidationError as error:
        raise ValueError(f"clause {clause_id}: {error}") from error
    if unknown := leaf.keys() - set(Clause.__struct_fields__) | leaf.keys() & {"id", "book"}:
        raise ValueError(f"clause {clause_id}: unknown keys {', '.join(sorted(unknown))}")
    if clause.kind not in KINDS:
        raise ValueError(f"clause {clause_id}: unknown kind {clause.kind!r}, allowed: {', '.join(KINDS)}")
    if not clause.realised:
        raise ValueError(f"clause {clause_id}: realised needs at least one tag")
    for tag in clause.realised:
        if tag not in TAGS:
            raise ValueError(f"clause {clause_id}: unknown tag {tag!r}, allowed: {', '.join(TAGS)}")
    if (clause.realised[0] == "physical") != bool(clause.outside):
        raise ValueError(f"clause {clause_id}: outside is for clauses that are physical first, and no others")
    return clause


SILENT = "the book is silent; house default"
"""What stands in the place of a clause where the book has none."""


def clauses_in_case(rules: Rulebook, key: str, case: str) -> tuple[str, ...]:
    """The clauses of a leaf that speak of this case; all of them where the leaf does not tell cases apart."""
    leaf = rules.leaves[key]
    return leaf.cases.get(case, leaf.clauses)


def citation(clauses: Iterable[str]) -> str:
    """The clauses in a line, or that the book is silent."""
    return ", ".join(clauses) or SILENT
