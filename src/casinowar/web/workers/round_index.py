"""The rounds of a table out of its log: where each begins and ends, and what came of it."""

from collections.abc import Iterator
from itertools import takewhile

import msgspec

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.history.log_walk import BEGINNING, Moment, Start, moments, walk
from casinowar.history.narrative import RoundLines
from casinowar.history.round_spans import RoundSpans, Span
from casinowar.house.house import House
from casinowar.house.table.table_snapshots import book_at, newest_index, start_in
from casinowar.protocol import RoundLine
from casinowar.rulebooks import WAGERS, Rulebook
from casinowar.store import CommandTaken, Recalled, Store
from casinowar.web.http.errors import WebError
from casinowar.words.phrases import wager_name


class RoundOfTable(msgspec.Struct, frozen=True):
    """A round, and where it was played: the table, its book, and what its layout calls the wagers."""

    table: str
    round: RoundLine
    title: str
    rulebook: str
    labels: dict[str, str]
    at: int | None = None


EVERY = 50
"""After so many rounds a start is kept, at the next command, so that no round is told from the first event on."""


class _Read(msgspec.Struct):
    """The part that has been read of one table's log."""

    at: Start = BEGINNING
    spans: RoundSpans = msgspec.field(default_factory=RoundSpans)
    starts: list[Start] = []
    is_start_due: bool = False


class RoundIndex:
    """The index of the rounds of each table. It reads a log once, from its newest snapshot on, and then what is new.

    For one thread, which is not the one that deals: a long log takes its time.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._read: dict[str, _Read] = {}

    def log(self, table: str, after: int = 0) -> Iterator[Recalled]:
        """The table's log behind a version."""
        return self._house.store.read(self._house.stream_of(table), after)

    def spans(self, table: str) -> dict[int, Span]:
        """The spans of all rounds that are over, by the round's number, in order."""
        stream = self._house.stream_of(table)
        if stream not in self._read:
            self._read[stream] = _read_first(self._house.store, stream)
        read = self._read[stream]
        for one, at in walk(self.log(table, read.at.version), read.at):
            if read.is_start_due and isinstance(one.event, CommandTaken):
                read.starts.append(read.at)
                read.is_start_due = False
            read.at = at
            span = read.spans.follow(one)
            if span is not None:
                read.is_start_due = span.number % EVERY == 0
        return read.spans.known

    def span(self, table: str, number: int) -> Span:
        """The span of a round that is over. It changes if the round is voided or amended later."""
        span = self.spans(table).get(number)
        if span is None:
            raise WebError("no_such_round")
        return span

    def moments(self, table: str, number: int) -> list[Moment]:
        """Every event of a round that is over, with the table after it."""
        span = self.span(table, number)
        start = self.start(table, span)
        return list(moments(self.log(table, start.version), span.first, span.last, start))

    def start(self, table: str, span: Span) -> Start:
        """The nearest place before a round from which the log can be told."""
        kept = self._read[self._house.stream_of(table)].starts
        return next((one for one in reversed(kept) if one.version < span.first), BEGINNING)

    def events(self, table: str, number: int) -> list[Recalled]:
        """The round's part of the log; empty where there is no such round that is over."""
        span = self.spans(table).get(number)
        if span is None:
            return []
        return list(takewhile(lambda one: one.version <= span.last, self.log(table, span.first - 1)))

    def lines(self, table: str, before: int | None, limit: int) -> list[RoundLine]:
        """The last rounds below a number, newest first."""
        numbers = [number for number in sorted(self.spans(table), reverse=True) if before is None or number < before]
        wanted = numbers[:limit]
        told = self._lines_of(table, [self.spans(table)[number] for number in wanted]) if wanted else {}
        return [told[number] for number in wanted]

    def _lines_of(self, table: str, spans: list[Span]) -> dict[int, RoundLine]:
        """The lines of these rounds, newest first, as the table itself told them: from the nearest start on."""
        start, last = self.start(table, spans[-1]), max(span.last for span in spans)
        lines, found = RoundLines(), dict[int, RoundLine]()
        for one, at in walk(takewhile(lambda one: one.version <= last, self.log(table, start.version)), start):
            line = lines.after(one, at.table)
            if line is not None:
                found[line.number] = line
        return found


def _read_first(store: Store, stream: str) -> _Read:
    """What the newest good snapshot of a table knows of its rounds; nothing where there is none."""
    for version, body, pages in newest_index(store, stream):
        rules = book_at(store, stream, body.book)
        starts = [start_in(store, stream, at, page) for at, page in zip(body.pages, pages, strict=True)]
        if rules is None or None in starts:
            continue
        read = _Read(Start(version, rules, body.table), starts=[one for one in starts if one is not None])
        for page in pages:
            read.spans.known |= {span.number: span for span in page.spans}
        read.spans.known |= {span.number: span for span in body.spans}
        read.spans.last = body.last
        return read
    return _Read()


def last_round(story: list[Moment]) -> tuple[Rulebook, Table]:
    """The rules and the table as the round of a story stood at its own end."""
    ends = [(rules, table) for rules, event, table in story if isinstance(event, e.RoundEnded)]
    return ends[-1] if ends else (story[-1][0], story[-1][2])


def last_rounds(house: House, player: str, limit: int) -> list[RoundOfTable]:
    """A player's last rounds over all tables, out of those that the tables still show."""
    found = [
        RoundOfTable(name, line, live.settings.called, live.rules.id, wager_labels(live.rules), line.at)
        for name, live in [*house.tables.items(), *house.replaced.items()]
        for line in live.rounds
        if any(wager[2] == player for wager in line.wagers) or (line.bank is not None and line.bank[0] == player)
    ]
    return sorted(found, key=lambda one: (one.at or 0, one.round.version), reverse=True)[:limit]


def wager_labels(rules: Rulebook) -> dict[str, str]:
    """The labels of wagers: what the layout calls each that the book has."""
    return {wager: wager_name(rules, wager) for wager in WAGERS if getattr(rules.names, wager)}
