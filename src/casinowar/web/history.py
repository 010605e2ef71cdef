"""The rounds of a table out of its log: where each begins and ends, and what came of it."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from casinowar.engine import events as e
from casinowar.store import Recalled
from casinowar.table.frames import RoundLine

if TYPE_CHECKING:
    from casinowar.table.house import House


class RoundOfTable(msgspec.Struct, frozen=True):
    """A round, and where it was played."""

    table: str
    round: RoundLine


class Span(msgspec.Struct, frozen=True):
    """The versions of a table's log from the end of the round before to this round's own end."""

    number: int
    first: int
    last: int
    is_void: bool


class RoundIndex:
    """Where the rounds of each table lie. It reads a log once, and from then on only what is new.

    For one thread, which is not the one that deals: a long log takes its time.
    """

    def __init__(self, house: "House") -> None:
        self._house = house
        self._read: dict[str, int] = {}
        self._spans: dict[str, dict[int, Span]] = {}

    def log(self, table: str, after: int = 0) -> Iterator[Recalled]:
        """The table's log behind a version."""
        return self._house.store.read(self._house.tables[table].stream, after)

    def spans(self, table: str) -> dict[int, Span]:
        """By the round's number, in order."""
        stream = self._house.tables[table].stream
        spans = self._spans.setdefault(stream, {})
        for one in self.log(table, self._read.get(stream, 0)):
            self._note(spans, one)
            self._read[stream] = one.version
        return spans

    def _note(self, spans: dict[int, Span], one: Recalled) -> None:
        """A round that is voided after it has ended goes on to that event."""
        match one.event:
            case e.RoundEnded(number=number):
                known, is_void = spans.get(number), False
            case e.RoundVoided(number=number) | e.RoundInvalidated(number=number):
                known, is_void = spans.get(number), True
            case _:
                return
        first = known.first if known else max((span.last for span in spans.values()), default=0) + 1
        is_void = is_void or (known is not None and known.is_void)
        spans[number] = Span(number, first, one.version, is_void)

    def events(self, table: str, number: int) -> list[Recalled]:
        """The round's part of the log; empty where there is no such round that is over."""
        span = self.spans(table).get(number)
        if span is None:
            return []
        return list(takewhile(lambda one: one.version <= span.last, self.log(table, span.first - 1)))

    def lines(self, table: str, before: int | None, limit: int) -> list[RoundLine]:
        """The last rounds below a number, newest first."""
        numbers = [number for number in sorted(self.spans(table), reverse=True) if before is None or number < before]
        return [self._line(table, number) for number in numbers[:limit]]

    def _line(self, table: str, number: int) -> RoundLine:
        span = self.spans(table)[number]
        events = [one.event for one in self.events(table, number)]
        ended = [event for event in events if isinstance(event, e.RoundEnded)]
        return RoundLine(number, span.last, ended[0].hands if ended else (), tuple(_settled(events)), span.is_void)


def _settled(events: Sequence[object]) -> Iterator[tuple[int, str, str, int, str, int, int]]:
    for event in events:
        if isinstance(event, e.WagerSettled):
            yield event.box, event.wager, event.player, event.amount, event.outcome, event.paid, event.returned


def last_rounds(house: "House", player: str, limit: int) -> list[RoundOfTable]:
    """A player's last rounds over all tables, out of those that the tables still show."""
    found = [
        RoundOfTable(name, line)
        for name, live in house.tables.items()
        for line in live.rounds
        if any(wager[2] == player for wager in line.wagers)
    ]
    return sorted(found, key=lambda one: one.round.version, reverse=True)[:limit]
