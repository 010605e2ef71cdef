"""Phrases of every sentence: names, lists, citations and places on the layout."""

from collections.abc import Iterable


def listed(names: Iterable[str]) -> str:
    *most, last = [plain(name) for name in names] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def words(name: str) -> str:
    """The words of a stored name: `place wager` of `place_wager`."""
    return name.replace("_", " ")


def plain(name: str) -> str:
    """A name that cannot break the line or steer the terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in name)


def cite(clauses: Iterable[str]) -> str:
    """` [NZ-9.1, NZ-9.2]`, each clause once."""
    ids = ", ".join(dict.fromkeys(clauses))
    return f" [{ids}]" if ids else ""


def place(box: int, dealer: str) -> str:
    """`box 1`, or the dealer for box 0."""
    return f"box {box}" if box else dealer
