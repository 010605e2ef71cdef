"""The snapshots of a store, each made again from the events: a start trusts them, and so nobody may have edited one.

A form that this program does not write is not looked at: it is not read at a start either.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from casinowar.audit.findings import Finding, Findings, in_words
from casinowar.house import house_snapshots as of_house
from casinowar.house.journal import STREAM, Journal
from casinowar.house.player_limits import MOVED, KeptLimits, PlayerLimits
from casinowar.house.table import table_snapshots as of_table
from casinowar.house.table.followed_table import FollowedTable, no_clock
from casinowar.store import BreakTaken, PlayerLimitsSet, Recalled, Store
from casinowar.store.commit import recall
from casinowar.store.contract import EventRow
from casinowar.store.ledger import Layout, Posting
from casinowar.store.snapshots import Snapshot
from casinowar.store.verify import find_snapshot_faults

OTHER = "is not what the events up to there come to"
MOVED_NAMES = frozenset(str(kind.__struct_config__.tag) for kind in MOVED)
LIMIT_NAMES = frozenset(str(kind.__struct_config__.tag) for kind in (PlayerLimitsSet, BreakTaken))


class Laid(Protocol):
    """Events as they are read, with the ledger's layout after the last of them."""

    layout: Layout | None

    def __iter__(self) -> Iterator[Recalled]: ...


class Kept(Protocol):
    """What of a store the audit of snapshots reads."""

    @property
    def identity(self) -> str: ...

    def snapshot_rows(self, stream: str | None = None) -> list[Snapshot]: ...

    def hash_at(self, stream: str, version: int) -> bytes | None: ...


def is_page(snapshot: Snapshot) -> bool:
    return snapshot.format.startswith((of_table.PAGES, of_house.PAGES))


def place_of(snapshot: Snapshot) -> str:
    return f"snapshot of {snapshot.stream} at {snapshot.version}"


class Bodies:
    """The snapshots of one stream, held against its events as they are read.

    `is_sound` is true once each has been met and is of its chain, with the ledger's layout. `findings` are of those
    whose bodies are not what the events come to.
    """

    def __init__(self, kept: Kept, stream: str) -> None:
        self.findings: list[Finding] = []
        self.is_sound = False
        self._kept = kept
        self.rows = sorted(kept.snapshot_rows(stream), key=lambda one: (one.version, not is_page(one)))

    def follow(self, events: Laid) -> Iterator[Recalled]:
        """The events, each of them followed first; a page comes before the body that counts it."""
        waiting, is_sound = self.rows[::-1], True
        for one in events:
            if waiting:
                try:
                    self._follow(one)
                    while waiting and waiting[-1].version == one.version:
                        is_sound &= self._hold(waiting.pop(), events.layout)
                except Exception as error:  # An error that an altered event causes is a finding too.
                    self.findings.append(Finding(place_of(waiting.pop()), f"cannot be made again: {in_words(error)}"))
                    waiting.clear()
                    is_sound = False
            yield one
        self.is_sound = is_sound and not waiting

    def _hold(self, row: Snapshot, layout: Layout | None) -> bool:
        events_head = self._kept.hash_at(row.stream, row.version)
        if events_head is None or layout is None:
            return False
        if not self._is_same(row):
            self.findings.append(Finding(place_of(row), OTHER))
        return not any(find_snapshot_faults(self._kept.identity, row, events_head, layout))

    def _follow(self, one: Recalled) -> None:
        raise NotImplementedError

    def _is_same(self, row: Snapshot) -> bool:
        raise NotImplementedError


class TableBodies(Bodies):
    """The snapshots of a table."""

    def __init__(self, kept: Kept, stream: str) -> None:
        super().__init__(kept, stream)
        bodies = [body for row in self.rows if (body := of_table.read_body(row)) is not None]
        dealers = dict.fromkeys(body.dealer for body in bodies) or ["automatic"]
        self._followed = {dealer: FollowedTable(stream, dealer) for dealer in dealers}
        self._tables = tuple(self._followed.values())

    def _follow(self, one: Recalled) -> None:
        for table in self._tables:
            table.follow(one)

    def _is_same(self, row: Snapshot) -> bool:
        for table in self._tables:
            table.end_command()
        if row.format.startswith(of_table.PAGES):
            return self._is_same_page(row)
        body = of_table.read_body(row)
        return row.format != of_table.FORMAT or (
            body is not None and body == of_table.body_of(self._followed[body.dealer])
        )

    def _is_same_page(self, row: Snapshot) -> bool:
        number, page = self._tables[0].pages + 1, of_table.page_of(self._tables[0])
        for table in self._tables:
            of_table.turn_page(table, page)
        return row.format == of_table.page_format(number) and of_table.read_page(row) == page


class LimitsWalk:
    """The limits of players followed through the whole log, and kept at the positions of the house's snapshots."""

    def __init__(self, store: Store) -> None:
        rows = store.snapshot_rows(STREAM)
        bodies = (of_house.read_body(row) for row in rows if row.format == of_house.FORMAT)
        self._wanted = {body.position for body in bodies if body is not None}
        self._last = max(self._wanted, default=0)
        self._limits = PlayerLimits(no_clock, lambda player: 0)
        self.kept: dict[int, tuple[bytes, KeptLimits]] = {}

    def follow(self, row: EventRow, at: int, actor: str, postings: Iterable[Posting]) -> None:
        """Follow the next event of the log."""
        if row.position > self._last:
            return
        if row.name in LIMIT_NAMES:
            self._limits.note(recall(row))
        else:
            self._limits.count(row.stream, at, actor, () if row.name in MOVED_NAMES else postings)
        if row.position in self._wanted:
            self.kept[row.position] = row.hash, self._limits.keep()


class HouseBodies(Bodies):
    """The snapshots of the house: its journal as it is read; the limits and the open tables when all has been."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, STREAM)
        self._journal = Journal(store, PlayerLimits(no_clock, lambda player: 0))
        self._met: list[tuple[Snapshot, of_house.HouseBody, set[str]]] = []
        self._positions: list[int] = []

    def _follow(self, one: Recalled) -> None:
        self._journal.follow(one)
        self._positions.append(one.position)

    def _is_same(self, row: Snapshot) -> bool:
        if row.format.startswith(of_house.PAGES):
            page, number = self._journal.full_page(), self._journal.pages + 1
            self._journal.pages = number
            return row.format == of_house.page_format(number) and of_house.read_page(row) == page is not None
        body = of_house.read_body(row)
        if row.format != of_house.FORMAT or body is None:
            return row.format != of_house.FORMAT
        self._met.append((row, body, {listed.stream for listed in self._journal.listed.values()}))
        return body.journal == self._journal.keep() and self._positions[-1] <= body.position

    def find_faults(self, limits: LimitsWalk, over: set[str]) -> Findings:
        """What is wrong with the limits and the list of open tables; `over` are the streams where all is over."""
        for row, body, listed in self._met:
            if limits.kept.get(body.position) != (body.hash, body.limits):
                yield Finding(place_of(row), OTHER)
            elif not listed - over <= set(body.open) <= listed:
                yield Finding(place_of(row), "does not name the tables that were open")
