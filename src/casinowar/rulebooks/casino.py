"""What one casino's tables must have in common."""

from collections.abc import Iterable

from casinowar.rulebooks.citation import citation
from casinowar.rulebooks.model import Rulebook
from casinowar.rulebooks.resolve import show


def conflict(rules: Rulebook, open_tables: Iterable[Rulebook]) -> str | None:
    """Why a table under these rules may not open beside those that are open, if there is a reason."""
    for other in open_tables:
        if other.id != rules.id:
            continue
        for key, leaf in rules.leaves.items():
            theirs = other.leaves[key].value if key in other.leaves else leaf.value
            if leaf.scope == "casino" and theirs != leaf.value:
                told = f"{key} = {show(leaf.value)} ({citation(leaf.clauses)})"
                return f"{told}: an open table has {show(theirs)}, and every table must have the same"
    return None
