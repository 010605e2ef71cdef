"""What an audit says: a finding with its place, and how an event's place is told."""

from collections.abc import Iterator

import msgspec

from casinowar.store import Recalled


class Finding(msgspec.Struct, frozen=True):
    """What is wrong, and where."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


Findings = Iterator[Finding]


def place_of(one: Recalled) -> str:
    """An event is found by its position in the store, and by its version at its table."""
    return f"event {one.position} ({one.stream} {one.version})"


def in_words(error: Exception) -> str:
    """The whole of an error on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
