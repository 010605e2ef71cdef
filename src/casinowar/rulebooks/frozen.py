"""A frozen rulebook: every leaf as it was resolved, and the rules built again from that, whatever the files say now."""

from typing import Any

from msgspec.structs import replace

from casinowar.rulebooks.load import load_data
from casinowar.rulebooks.model import Leaf, Rulebook


def thaw(meta: dict[str, Any], leaves: dict[str, Leaf]) -> Rulebook:
    """The rules with these leaves, each fixed to its value; what an operator might choose comes from elsewhere."""
    data = dict(meta)
    for key, leaf in leaves.items():
        group = data
        *path, last = key.split(".")
        for part in path:
            group = group.setdefault(part, {})
        group[last] = _written(leaf)
    clauses = {key: leaf.clauses for key, leaf in leaves.items()}
    return replace(load_data(data), leaves=leaves, clauses=clauses)


def _written(leaf: Leaf) -> dict[str, Any]:
    """The leaf as a rulebook file has it."""
    see = {"see": list(leaf.see)} if leaf.see else {}
    if leaf.supplied:
        return {"value": leaf.value, "supplied": True, **see}
    cases = {case: list(clauses) for case, clauses in leaf.cases.items()}
    return {"value": leaf.value, "clauses": list(leaf.clauses), "cases": cases, **see}
