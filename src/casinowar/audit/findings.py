"""The findings of an audit, and the place of an event in words."""

from collections.abc import Iterator

import msgspec

from casinowar.store import Recalled
from casinowar.store.contract import EventRow


class Finding(msgspec.Struct, frozen=True):
    """What is wrong, and where."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


Findings = Iterator[Finding]
Placed = Recalled | EventRow
"""An event of the log, which has a place."""


def place_of(one: Placed) -> str:
    """The place of an event: its position in the store, and its version at its table."""
    return f"event {one.position} ({one.stream} {one.version})"


def in_words(error: Exception) -> str:
    """The whole of an error on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
