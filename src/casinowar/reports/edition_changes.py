"""Why a leaf is another in a later edition: by the book's own word on it, or by the ambiguity that it decides."""

from collections.abc import Iterable, Mapping

import msgspec

from casinowar.reports.par.register import load_register
from casinowar.rulebooks import Rulebook, book_ids
from casinowar.rulebooks.editions import reasons


class Reason(msgspec.Struct, frozen=True):
    """`ambiguity` is the unclear passage that the leaf decides, if it is one; `why` is empty where nobody has said."""

    ambiguity: str | None
    why: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.ambiguity, self.why)))


def reasons_between(first: Rulebook, second: Rulebook, keys: Iterable[str]) -> dict[str, Reason]:
    """The reason for each of these leaves; nothing unless the two are editions of one book on the shelf."""
    if first.id != second.id or first.id not in book_ids() or first.edition == second.edition:
        return {}
    older, newer = sorted((first, second), key=lambda rules: rules.edition)
    said: dict[str, str] = {}
    for edition in range(older.edition + 1, newer.edition + 1):
        said |= reasons(newer.id, edition)
    return {key: _reason(older, newer, key, _said_of(key, said)) for key in keys}


def _said_of(key: str, said: Mapping[str, str]) -> str:
    """The book's word on the leaf itself, or else on the nearest group that it is in."""
    while key and key not in said:
        key = key.rpartition(".")[0]
    return said.get(key, "")


def _reason(older: Rulebook, newer: Rulebook, key: str, said: str) -> Reason:
    leaf = newer.leaves.get(key) or older.leaves[key]
    entry = load_register().get(leaf.ambiguity or "")
    return Reason(leaf.ambiguity, said or (entry.why if entry else ""))
