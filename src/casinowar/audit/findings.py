"""The findings of an audit, the place of an event in words, and what is told of many findings."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from casinowar.store import Recalled
from casinowar.store.contract import EventRow


class Finding(msgspec.Struct, frozen=True):
    """What is wrong, and where.

    >>> from casinowar.audit import Finding
    >>> print(Finding("table nz, event 7", "the hash is another"))
    table nz, event 7: the hash is another
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.what else self.where


Findings = Iterator[Finding]
Placed = Recalled | EventRow
"""An event of the log, which has a place."""


def place_of(one: Placed) -> str:
    """The place of an event: its position in the store, and its version at its table."""
    return f"event {one.position} ({one.stream} {one.version})"


def in_words(error: Exception) -> str:
    """The whole of an error on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


SAME_TOLD = 3
"""Findings of one kind at one table that are told in full."""

_table = re.compile(r"\(([^ ()]+) \d+\)")
_varied = re.compile(r"\b[0-9a-f]{16,}\b|\d+")


def brief_lines(findings: Sequence[Finding], most: int = SAME_TOLD) -> list[str]:
    """The findings in lines: of each kind at each table only the first few, and how many more there are.

    Two are of a kind that differ in numbers and digests alone; a place that names no table is one of its own kind.
    """
    kinds = [_kind(one) for one in findings]
    counts, told = Counter(kinds), Counter[tuple[str, str]]()
    lines = []
    for one, kind in zip(findings, kinds, strict=True):
        told[kind] += 1
        if told[kind] <= most:
            lines.append(" ".join(str(one).split()))
        if told[kind] == most < counts[kind]:
            lines.append(f"and {counts[kind] - most:,} more of this kind at {kind[0]}")
    return lines


def _kind(one: Finding) -> tuple[str, str]:
    """The table of a finding, or else its place without numbers; and what is wrong without numbers."""
    named = _table.search(one.where)
    place = named[1] if named else _varied.sub("N", one.where)
    return place, one.where.partition(" ")[0] * bool(named) + _varied.sub("N", one.what)
