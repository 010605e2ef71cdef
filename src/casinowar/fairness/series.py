"""The shoes of one table, one after the other: each sealed on its own, bound to the one before, none left unopened."""

from collections.abc import Iterable

import msgspec

from casinowar.cards import Card
from casinowar.fairness.derivation import ShoeKind
from casinowar.fairness.sealed import Fate, SealedShoe, SealRefused
from casinowar.fairness.shuffle import ByteSource, entropy


class Listed(msgspec.Struct, frozen=True):
    """A line of the public list: every commitment and what became of it.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> series = fairness.ShoeSeries("table 1")
    >>> shoe = series.begin(DECK * 6, None)
    >>> series.shoe_list[0].shoe, series.shoe_list[0].fate
    ('table 1/1', 'running')
    """

    shoe: str
    commitment: bytes
    fate: Fate
    reason: str | None


class ShoeSeries:
    """Every shuffle begins a new shoe with a seed of its own; a continuous shuffler begins one for every round.

    Discards that go back at random depths into a stack whose order nobody knows leave every order equally likely, so a
    continuous shuffler's next round is dealt from a fresh order of the whole stack. A table goes on from the commitment
    of its last shoe and the number of shoes it has had.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> series = fairness.ShoeSeries("table 1")
    >>> shoe = series.begin(DECK * 6, None)
    >>> series.unopened
    1
    """

    def __init__(
        self, table: str, *, last: SealedShoe | None = None, had: int = 0, source: ByteSource = entropy
    ) -> None:
        self.table = table
        self.listed: list[Listed] = []
        self.current = last
        self._number = had
        self._source = source

    def begin(self, cards: Iterable[Card], cut_bounds: tuple[int, int] | None, kind: ShoeKind = "shoe") -> SealedShoe:
        """The next shoe. The one before must have been opened, as finished or voided."""
        if self.current is not None and self.current.fate == "running":
            raise SealRefused("the shoe before is not opened yet")
        self._settle()
        self._number += 1
        previous = self.current.commitment if self.current else None
        name = f"{self.table}/{self._number}"
        self.current = SealedShoe.begin(name, cards, cut_bounds, kind=kind, previous=previous, source=self._source)
        return self.current

    @property
    def shoe_list(self) -> tuple[Listed, ...]:
        """All commitments of this series, the current one last."""
        return (*self.listed, _line(self.current)) if self.current else tuple(self.listed)

    @property
    def unopened(self) -> int:
        """How many commitments have not been opened: one while a shoe is in play, none when the table is closed."""
        return sum(line.fate == "running" for line in self.shoe_list)

    def _settle(self) -> None:
        if self.current is not None:
            self.listed.append(_line(self.current))


def _line(shoe: SealedShoe) -> Listed:
    return Listed(shoe.header.shoe, shoe.commitment, shoe.fate, shoe.reason)
