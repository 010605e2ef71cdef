"""A frozen rulebook: every leaf as it was resolved, from which the rules are built again whatever the files say now.

The store keeps one as an event when a table opens, and a round record of a house rulebook holds one.
"""

from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from casinowar.rulebooks.editions import FIRST
from casinowar.rulebooks.load import load_data
from casinowar.rulebooks.model import HouseNote, Leaf, Rulebook


class FrozenBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each leaf with its value and clauses, and what the leaves do not say by themselves.

    A book without `edition` was written before there were editions, and is of the first one.
    `allowed`, `marker_bounds` and `deck_choices` are what the operator may still choose while the table is open.
    """

    id: str
    title: str
    version: str
    extends: str | None = None
    edition: Annotated[int, msgspec.Meta(ge=FIRST)] = FIRST
    options: dict[str, Any] = {}
    marker_bounds: tuple[int, int]
    deck_choices: dict[int, tuple[str, ...]] = {}
    leaves: dict[str, Leaf]
    notes: dict[str, HouseNote] = {}


def freeze(rules: Rulebook) -> FrozenBook:
    """The rules as they are now, with every leaf."""
    return FrozenBook(**{field: getattr(rules, field) for field in FrozenBook.__struct_fields__})


_kept: dict[bytes, Rulebook] = {}
"""Rules by the book that they were thawed from: an audit or a replay of a night meets the same book in every round."""

MOST_KEPT = 64


def thaw(book: FrozenBook) -> Rulebook:
    """The rules that were frozen; `RulebookError` where they cannot be played."""
    key = msgspec.json.encode(book)
    rules = _kept.get(key)
    if rules is None:
        rules = _build_again(book)
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = rules
    return rules


def _build_again(book: FrozenBook) -> Rulebook:
    data: dict[str, Any] = {"id": book.id, "title": book.title, "version": book.version, "extends": book.extends}
    for key, leaf in book.leaves.items():
        group = data
        *path, last = key.split(".")
        for part in path:
            group = group.setdefault(part, {})
        group[last] = _fix_leaf(leaf)
    frozen = {field: getattr(book, field) for field in FrozenBook.__struct_fields__}
    return replace(load_data(data), **frozen, clauses={key: leaf.clauses for key, leaf in book.leaves.items()})


def _fix_leaf(leaf: Leaf) -> dict[str, Any]:
    """The leaf as a rulebook file has it, fixed to its value."""
    see = {"see": list(leaf.see)} if leaf.see else {}
    if leaf.supplied:
        return {"value": leaf.value, "supplied": True, **see}
    cases = {case: list(clauses) for case, clauses in leaf.cases.items()}
    return {"value": leaf.value, "clauses": list(leaf.clauses), "cases": cases, **see}
