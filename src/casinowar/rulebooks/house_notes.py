"""House rulebooks explained: what the house has, what the books it extends have, and which of them forbid it."""

from collections.abc import Mapping, Sequence
from typing import Any

from casinowar.rulebooks.catalogue import citation
from casinowar.rulebooks.files import HouseFile
from casinowar.rulebooks.model import HouseNote, Leaf
from casinowar.rulebooks.resolve import describe, forbidden, resolve

Data = Mapping[str, Any]


def notes_on(chain: Sequence[Data], houses: Sequence[HouseFile]) -> dict[str, HouseNote]:
    """A note for the clause of every changed leaf. `chain` is the book of the package, then each house's merged in."""
    leaves = [resolve(data, {}) for data in chain]
    keys = dict.fromkeys(key for house in houses for key in house.changes)
    forbid = [forbidden(data, chain[-1], keys) for data in chain[:-1]]
    notes = {}
    for key in keys:
        holders = [n for n, house in enumerate(houses, start=1) if key in house.changes]
        told = [f"{chain[n]['id']} has {describe(leaves[n][key])}" for n in reversed(holders)]
        told.append(_parent_has(chain[0]["id"], leaves[0].get(key)))
        by = tuple(chain[n]["id"] for n in reversed([0, *holders[:-1]]) if key in forbid[n])
        notes[f"HOUSE-{key}"] = HouseNote("; ".join(told), by)
    return notes


def _parent_has(book: str, leaf: Leaf | None) -> str:
    return f"{book} has {describe(leaf)} [{citation(leaf.clauses)}]" if leaf else f"{book} has no such leaf"
