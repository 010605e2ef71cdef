"""What a rule cites: the clauses that decide the case at hand, or the plain statement that the book has none."""

from collections.abc import Iterable

from casinowar.rulebooks.model import Rulebook

SILENT = "the book is silent; house default"
"""What stands in the place of a clause where the book has none."""


def clauses_in_case(rules: Rulebook, key: str, case: str) -> tuple[str, ...]:
    """The clauses of a leaf that speak of this case; all of them where the leaf does not tell cases apart."""
    leaf = rules.leaves[key]
    return leaf.cases.get(case, leaf.clauses)


def citation(clauses: Iterable[str]) -> str:
    """The clauses in a line, or that the book is silent."""
    return ", ".join(clauses) or SILENT
