"""The snapshots of a store, each made again from the events: a start trusts them, and so nobody may have edited one.

A form that this program does not write is not looked at: it is not read at a start either.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from casinowar.audit.findings import Finding, Findings
from casinowar.engine import Table
from casinowar.house import house_snapshots as of_house
from casinowar.house.journal import STREAM, Journal
from casinowar.house.player_limits import DAYS_KEPT, KeptLimits, PlayerLimits, Today
from casinowar.house.settings import Dealer
from casinowar.house.table import table_snapshots as of_table
from casinowar.house.table.followed_table import FollowedTable, no_clock
from casinowar.store import Recalled, Store
from casinowar.store.commit import recall
from casinowar.store.snapshots import Snapshot

OTHER = "is not what the events up to there come to"
DEALERS = frozenset(get_args(Dealer))


def place_of(snapshot: Snapshot) -> str:
    return f"snapshot of {snapshot.stream} at {snapshot.version}"


def is_page(snapshot: Snapshot) -> bool:
    return snapshot.format.startswith((of_table.PAGES, of_house.PAGES))


def in_order(rows: Iterable[Snapshot]) -> list[Snapshot]:
    """Snapshots in the order in which they were written: a page comes before the body that counts it."""
    return sorted(rows, key=lambda one: (one.version, not is_page(one)))


def new_limits() -> PlayerLimits:
    return PlayerLimits(no_clock, lambda player: 0)


def key_order(value: Any) -> Iterator[object]:
    """The keys of all mappings within a value, in their order: two that are equal may differ in it."""
    if isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from key_order(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from key_order(one)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from key_order(getattr(value, name))


Kept = TypeVar("Kept", of_table.TableBody, of_table.TablePage)


def is_same(one: Kept, other: Kept) -> bool:
    """Whether two bodies are equal, and their tables also in the order of wagers, players and seats."""
    if one != other:
        return False
    if msgspec.msgpack.encode(one.table) == msgspec.msgpack.encode(other.table):
        return True
    return list(key_order(one.table)) == list(key_order(other.table))


class TableBodies:
    """The snapshots of a table, held against its events as they are read. `last` is the version of the last one.

    A page ends with the last but one of the rounds and of the shoes at its version, so that its content follows from
    its own version and that of the page before it. A table that was read from all its events begins its pages anew.
    """

    def __init__(self, stream: str, rows: Iterable[Snapshot]) -> None:
        self._rows: dict[int, list[Snapshot]] = {}
        for row in in_order(rows):
            self._rows.setdefault(row.version, []).append(row)
        self.last = max(self._rows, default=0)
        there = [row for rows in self._rows.values() for row in rows]
        bodies = [body for row in there if (body := of_table.read_body(row)) is not None]
        dealers = dict.fromkeys(body.dealer for body in bodies) or ["automatic"]
        self._followed = {dealer: FollowedTable(stream, dealer) for dealer in dealers}
        self._tables = tuple(self._followed.values())
        self._ends = {0: (0, 0)}
        self._pages: dict[tuple[str, int], int] = {}

    @property
    def versions(self) -> list[int]:
        """Where the snapshots are."""
        return sorted(self._rows)

    @property
    def only(self) -> FollowedTable | None:
        """The one table that is followed, where all snapshots are of the same dealer."""
        return self._tables[0] if len(self._tables) == 1 else None

    def follow(self, one: Recalled) -> bool:
        """Follow an event; give whether there is a snapshot behind it."""
        for table in self._tables:
            table.follow(one)
        return one.version in self._rows

    def end_command(self, after: Table | None = None) -> None:
        """Follow what a command came to."""
        for table in self._tables:
            table.end_command(after)

    def findings(self, version: int) -> Findings:
        """The snapshots at a version that are not what the events came to."""
        self.end_command()
        spans, shoes = self._tables[0].spans.known, self._tables[0].listed.own
        self._ends[version] = max(0, len(spans) - 1), max(0, len(shoes) - 1)
        for row in self._rows[version]:
            if not (self._is_same_page(row) if is_page(row) else self._is_same_body(row)):
                yield Finding(place_of(row), OTHER)

    def _is_same_body(self, row: Snapshot) -> bool:
        if row.format != of_table.FORMAT:
            return True
        body = of_table.read_body(row)
        if body is None or body.dealer not in DEALERS or not self._are_there(body.pages):
            return False
        rounds, shoes = self._ends[body.pages[-1] if body.pages else 0]
        table = self._followed[body.dealer]
        whole = of_table.body_of(table)
        due = replace(whole, spans=whole.spans[rounds:], shoes=table.listed.keep(shoes), pages=body.pages)
        return is_same(body, due)

    def _are_there(self, versions: tuple[int, ...]) -> bool:
        """Whether there are such pages, each of which goes on from the one before."""
        numbered = enumerate(pairwise((0, *versions)), start=1)
        return all(self._pages.get((of_table.page_format(number), at)) == before for number, (before, at) in numbered)

    def _is_same_page(self, row: Snapshot) -> bool:
        page, table = of_table.read_page(row), self._tables[0]
        if page is None or page.before not in self._ends:
            return False
        self._pages[row.format, row.version] = page.before
        (rounds, shoes), (round_end, shoe_end) = self._ends[page.before], self._ends[row.version]
        spans = tuple(table.spans.known.values())[rounds:round_end]
        lines, starts = table.listed.kept_lines(shoes, shoe_end), tuple(table.listed.starts[shoes:shoe_end])
        return is_same(page, of_table.TablePage(page.before, spans, lines, starts, table.table, table.book))


class LimitsAt:
    """The limits of players by the events of one stream, kept behind some positions of the log."""

    def __init__(self, positions: Iterable[int]) -> None:
        self.kept: dict[int, KeptLimits] = {}
        self._limits = new_limits()
        self._waiting = sorted(positions, reverse=True)

    def follow(self, one: Recalled) -> None:
        while self._waiting and one.position > self._waiting[-1]:
            self.kept[self._waiting.pop()] = self._limits.keep()
        if self._waiting:
            self._limits.note(one)

    def finish(self) -> None:
        for position in self._waiting:
            self.kept[position] = self._limits.keep()


def join_limits(parts: list[KeptLimits]) -> KeptLimits:
    """The limits by the events of all streams, where the clock was never set back over midnight."""
    days: dict[int, dict[str, Today]] = {}
    for part in parts:
        for day, players in part.days:
            joined = days.setdefault(day, {})
            for player, today in players.items():
                known = joined.setdefault(player, Today())
                joined[player] = Today(known.spent + today.spent, known.minutes | today.minutes)
    return KeptLimits(
        tuple(sorted(days.items())[-DAYS_KEPT:]),
        {player: limits for part in parts for player, limits in part.limits.items()},
        {player: until for part in parts for player, until in part.breaks.items()},
        max((part.latest for part in parts), default=0),
        max((part.newest for part in parts), default=0),
    )


class HouseBodies:
    """The snapshots of the house: its journal as it is read; the limits and the open tables when all has been."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows = in_order(store.snapshot_rows(STREAM))
        self._journal = Journal(store, new_limits())
        self._findings: list[Finding] = []
        self._met: list[tuple[Snapshot, of_house.HouseBody, set[str]]] = []

    @property
    def positions(self) -> frozenset[int]:
        """Where the snapshots were taken, of the whole log."""
        bodies = (of_house.read_body(row) for row in self._rows if row.format == of_house.FORMAT)
        return frozenset(body.position for body in bodies if body is not None)

    def follow(self, events: Iterable[Recalled]) -> Iterator[Recalled]:
        """The events of the house's own stream, each of them followed."""
        waiting = self._rows[::-1]
        for one in events:
            yield one
            if waiting:
                self._journal.follow(one)
                while waiting and waiting[-1].version == one.version:
                    self._hold(waiting.pop(), one.position)

    def _hold(self, row: Snapshot, position: int) -> None:
        if not (self._is_same_page(row) if is_page(row) else self._is_same_body(row, position)):
            self._findings.append(Finding(place_of(row), OTHER))

    def _is_same_page(self, row: Snapshot) -> bool:
        number = row.format.removeprefix(of_house.PAGES)
        page = self._journal.full_page(int(number)) if number.isdecimal() else None
        return page is not None and of_house.read_page(row) == page

    def _is_same_body(self, row: Snapshot, position: int) -> bool:
        body = of_house.read_body(row)
        if row.format != of_house.FORMAT or body is None:
            return row.format != of_house.FORMAT
        self._met.append((row, body, {listed.stream for listed in self._journal.listed.values()}))
        return body.journal == self._journal.keep(body.journal.pages) and position <= body.position

    def findings(self, parts: list[dict[int, KeptLimits]], over: set[str]) -> Findings:
        """What is wrong with them, given the limits by each stream, and the streams where all is over."""
        yield from self._findings
        for row, body, listed in self._met:
            if not self._is_there(body) or not self._are_limits(body, parts):
                yield Finding(place_of(row), OTHER)
            elif not listed - over <= set(body.open) <= listed:
                yield Finding(place_of(row), "does not name the tables that were open")

    def _is_there(self, body: of_house.HouseBody) -> bool:
        first = next(self._store.event_rows(body.position - 1), None)
        return first is not None and (first.position, first.hash) == (body.position, body.hash)

    def _are_limits(self, body: of_house.HouseBody, parts: list[dict[int, KeptLimits]]) -> bool:
        """Whether the limits are those of the log; one by one where the clock may have been set back."""
        if body.limits == join_limits([part[body.position] for part in parts if body.position in part]):
            return True
        limits = new_limits()
        for row in self._store.event_rows():
            if row.position > body.position:
                break
            limits.note(recall(row))
        return body.limits == limits.keep()
