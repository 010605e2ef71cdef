"""The log of one stream read many rows at a time: whether its chain, and the order of its rows, are in order.

It only says that they are, or that there is a doubt. `StreamLog` reads the same event by event, and goes on behind a
fault. What the entries say is held against the engine's events by `due_entries`.
"""

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter, itemgetter, lt

import msgspec

from casinowar.audit.stream_log import NAMES, WRITTEN, PostingRow, Row, Source, StreamFacts, StreamMarks, recall
from casinowar.errors import CasinoWarError
from casinowar.store import Recalled
from casinowar.store.chain_walk import Links
from casinowar.store.chains import EVENT
from casinowar.store.envelope import FORMAT


class Doubt(CasinoWarError):
    """Something may not be in order: the slower audit says what, or that nothing is wrong."""


UNSURE = "something may not be in order"


def require(is_so: bool) -> None:
    if not is_so:
        raise Doubt(UNSURE)


class QuickEvent(Recalled, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An envelope of the present format with its event, read in one go; a posting is an account and an amount."""

    format: int
    name: str
    event_version: int
    postings: tuple[tuple[str, int], ...]  # type: ignore[assignment]


PRESENT = {kind: (FORMAT, name, WRITTEN[kind]) for kind, name in NAMES.items()}
"""What the envelope of an event of each kind says of its form."""

_form = attrgetter("format", "name", "event_version")
_columns = attrgetter("position", "stream", "version", "name")
_stored = msgspec.json.Decoder(QuickEvent)
_place, _stream, _version, _entry, _hash = map(itemgetter, (0, 1, 2, 4, 5))


class QuickLog:
    """The rows of one stream as they are read, in batches. `hashes` are those behind the versions `layouts`.

    The rows of postings come beside them. Whoever reads says with `expect` which rows there must be.
    """

    def __init__(self, source: Source, stream: str, marks: StreamMarks) -> None:
        self.facts = StreamFacts(stream)
        self.hashes: dict[int, bytes] = {}
        self.positions = marks.positions
        self._source, self._marks = source, marks
        self._layouts = sorted(marks.layouts, reverse=True)
        self._version = self._position = 0
        self._links = self._begin(0)
        self._postings: list[PostingRow] = []

    def __iter__(self) -> Iterator[list[Row]]:
        stream = self.facts.stream
        for rows, postings in self._source.batches(stream):
            versions = range(self._version + 1, self._version + 1 + len(rows))
            require([*map(_version, rows)] == [*versions])
            require([*map(_stream, rows)] == [stream] * len(rows))
            self._chain(rows)
            self._postings += postings
            while self._layouts and self._layouts[-1] <= self._version + len(rows):
                version = self._layouts.pop()
                self.hashes[version] = rows[version - self._version - 1][5]
            self._version += len(rows)
            yield rows

    def expect(self, due: list[PostingRow]) -> None:
        """Hold the next rows of postings against those that there must be."""
        found = self._postings
        require(found[: len(due)] == due)
        del found[: len(due)]
        self.facts.postings += len(due)

    def finish(self) -> None:
        """No row of a posting is left over."""
        require(not self._postings)

    def _chain(self, rows: list[Row]) -> None:
        """Follow the stream's own chain, which begins behind what is in a chain of all streams."""
        places = [*map(_place, rows)]
        require(self._position < places[0] and all(map(lt, places, places[1:])))
        self._position = places[-1]
        older = bisect_right(places, self._marks.old)
        if older:
            self._links = self._begin(self._version + older)
            rows = rows[older:]
        if rows:
            require(self._links.follow_run(places[older:], [*map(_entry, rows)], [*map(_hash, rows)]))

    def _begin(self, version: int) -> Links:
        self.facts.links = Links(EVENT, self._marks.start, version, self._marks.versions)
        return self.facts.links


def read_rows(rows: list[Row]) -> list[QuickEvent]:
    """The events of the rows, whose columns say the same as their entries."""
    try:
        ones = [_stored.decode(row[4]) for row in rows]
        is_present = [_form(one) for one in ones] == [PRESENT[type(one.event)] for one in ones]
    except msgspec.MsgspecError:
        is_present = False
    if not is_present:
        ones = [_recall(row[1], row[2], row[4]) for row in rows]
    require([_columns(one) for one in ones] == [row[:4] for row in rows])
    return ones


def _recall(stream: str, version: int, entry: bytes) -> QuickEvent:
    """The event of an entry that may be of an older form, as it is now."""
    one = recall(stream, version, entry)
    postings = tuple((posting.account, posting.amount) for posting in one.postings)
    form, name, written = PRESENT[type(one.event)]
    told = {field: getattr(one, field) for field in Recalled.__struct_fields__}
    return QuickEvent(**(told | {"postings": postings}), format=form, name=name, event_version=written)
