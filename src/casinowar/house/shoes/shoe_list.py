"""The public list of the shoes under a table's name: every commitment ever made, through all openings of the table."""

from collections.abc import Iterable
from typing import get_args

import msgspec
from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.fairness import ListedShoe
from casinowar.fairness.chain import is_at_end
from casinowar.records.piles import DRAWN
from casinowar.store import Recorded
from casinowar.store import events as s


class Chain(msgspec.Struct, frozen=True):
    """The shoes of a table's openings so far, and where each begins: its stream, and the version before it."""

    lines: tuple[ListedShoe, ...] = ()
    begins: tuple[tuple[str, int], ...] = ()


NONE_YET = Chain()


class KeptShoes(msgspec.Struct, frozen=True):
    """The shoes of an opening behind its first so many, as they are kept in a snapshot, numbered within the opening."""

    lines: tuple[ListedShoe, ...]
    starts: tuple[int, ...]
    place: int
    is_in_round: bool
    is_dealt_from: bool


ROUND = (e.BettingClosed, e.RoundEnded, e.RoundVoided, e.RoundInvalidated)
"""Where a round begins and where it ends."""

LISTED = frozenset(
    (
        *ROUND,
        s.ShoeCommitted,
        s.ShoeSealed,
        s.ShoeOpened,
        e.ShoeLoaded,
        e.CardsReturned,
        e.CardDealt,
        e.CardBurned,
        e.CardDiscarded,
        e.CardPlacedAhead,
    )
)
"""The events that change the list."""

DRAWN_KINDS = frozenset(get_args(DRAWN))


class ShoeList:
    """The list of shoes of one opening, behind those of the openings `earlier`. It follows the log of its stream."""

    def __init__(self, stream: str, earlier: Chain) -> None:
        self.stream, self.earlier = stream, earlier
        self.own: list[ListedShoe] = []
        self.starts: list[int] = []
        self._place = 0
        self._is_in_round = self._is_dealt_from = False

    def keep(self, after: int) -> KeptShoes:
        """The shoes behind the first so many, for a snapshot."""
        lines = self.kept_lines(after, len(self.own))
        return KeptShoes(lines, tuple(self.starts[after:]), self._place, self._is_in_round, self._is_dealt_from)

    def kept_lines(self, after: int, upto: int) -> tuple[ListedShoe, ...]:
        """Some lines with their numbers within the opening: those before it are no part of its log."""
        before = len(self.earlier.lines)
        lines = self.own[after:upto]
        return tuple(replace(one, number=one.number - before) for one in lines) if before else tuple(lines)

    def add_kept(self, lines: Iterable[ListedShoe], starts: Iterable[int]) -> None:
        """Take up shoes that are over, and the last."""
        before = len(self.earlier.lines)
        self.own += (replace(one, number=one.number + before) if before else one for one in lines)
        self.starts += starts

    def resume(self, kept: KeptShoes) -> None:
        """Take up what was kept, behind what has been taken up before."""
        self.add_kept(kept.lines, kept.starts)
        self._place, self._is_in_round, self._is_dealt_from = kept.place, kept.is_in_round, kept.is_dealt_from

    @property
    def last_start(self) -> int:
        """The version before the commitment to the last shoe, or that of nothing."""
        return self.starts[-1] - 1 if self.starts else 0

    @property
    def lines(self) -> tuple[ListedShoe, ...]:
        return (*self.earlier.lines, *self.own)

    @property
    def chain(self) -> Chain:
        """The chain of shoes that the next opening under this name goes on from."""
        begins = ((self.stream, version - 1) for version in self.starts)
        return Chain(self.lines, (*self.earlier.begins, *begins))

    def __len__(self) -> int:
        return len(self.earlier.lines) + len(self.own)

    @property
    def last(self) -> ListedShoe | None:
        own, earlier = self.own, self.earlier.lines
        return own[-1] if own else earlier[-1] if earlier else None

    @property
    def is_running(self) -> bool:
        """Whether the last shoe is in use or in the making."""
        return bool(self.own) and self.own[-1].fate == "running"

    def line(self, number: int) -> ListedShoe:
        before = len(self.earlier.lines)
        return self.earlier.lines[number - 1] if number <= before else self.own[number - 1 - before]

    def begin(self, number: int) -> tuple[str, int]:
        """The place where a shoe begins: its stream, and the version before it."""
        before = len(self.earlier.lines)
        if number <= before:
            return self.earlier.begins[number - 1]
        return self.stream, self.starts[number - 1 - before] - 1

    @property
    def is_at_end(self) -> bool:
        """Whether the last shoe has come to its cutting card, or to its last card where it has none.

        A continuous shuffler's stack is at its end when a round was dealt from it; the opening burn is no part of one.
        """
        line = self.own[-1]
        if line.kind == "continuous" and not self._is_dealt_from:
            return False
        return is_at_end(line.kind, line.cards, line.out, line.marker)

    def numbers(self, first: int, last: int) -> list[int]:
        """The shoes that were in use between two versions; a shoe is in use until the next is begun."""
        ends = [*self.starts[1:], last + 1]
        spans = enumerate(zip(self.starts, ends, strict=False), len(self.earlier.lines) + 1)
        return [number for number, (begun, over) in spans if begun <= last and over > first]

    def follow(self, version: int, event: Recorded) -> None:
        kind = type(event)
        if kind not in LISTED:
            return
        if kind in ROUND:
            self._is_in_round = kind is e.BettingClosed
        elif isinstance(event, s.ShoeCommitted):
            self.starts.append(version)
            self.own.append(_line(len(self) + 1, event))
            self._place, self._is_dealt_from = 0, False
        elif self.own and self.own[-1].fate == "running":
            self._change(event)

    def draw(self, cards: int) -> None:
        """Follow so many cards that leave the shoe, one after the other."""
        if not self.own or self.own[-1].fate != "running":
            return
        line = self.own[-1]
        self._place += cards
        self._is_dealt_from |= self._is_in_round
        if self._place > line.out:
            self.own[-1] = replace(line, out=self._place)

    def _change(self, event: Recorded) -> None:
        line = self.own[-1]
        if type(event) in DRAWN_KINDS:
            self.draw(1)
            return
        match event:
            case e.CardsReturned():
                self._place -= event.cards
            case s.ShoeSealed():
                self.own[-1] = replace(line, seal=event.seal)
            case e.ShoeLoaded():
                self.own[-1] = replace(line, marker=event.cut_card)
            case s.ShoeOpened():
                self.own[-1] = replace(line, fate=event.fate, reason=event.reason, by=event.by or None)


def _line(number: int, event: s.ShoeCommitted) -> ListedShoe:
    return ListedShoe(
        number=number,
        shoe=event.shoe,
        commitment=event.commitment,
        fate="running",
        reason=None,
        previous=event.previous,
        kind=event.kind,
        cards=sum(event.counts),
        is_numbered=bool(event.number),
    )
