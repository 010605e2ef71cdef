"""The log and the money as a whole: whether the commands, and the facts of all streams, are in order together.

This only says yes or no, so that a sound log is read quickly and none of it is kept. What is wrong, and where, is then
told by the audits of the store and of the money, which take their time.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec

from casinowar.audit.findings import Placed
from casinowar.audit.snapshot import AuditedStore
from casinowar.audit.stream_log import NamedCommand, StreamFacts, StreamMarks, is_payable, name_commands
from casinowar.engine.events import TableClosed
from casinowar.history.log_walk import ENDS
from casinowar.store import Checkpoint, ShoeCommitted, Store, StoreFault
from casinowar.store.chain_walk import ChainWalk, marks_of
from casinowar.store.chains import EVENT, stream_start
from casinowar.store.contract import CommandRecord
from casinowar.store.envelope import event_in, open_envelope
from casinowar.store.snapshots import Snapshot
from casinowar.store.sqlite.reader import LOWEST
from casinowar.store.tree import find_tree_faults
from casinowar.store.verify import find_checkpoint_faults, find_snapshot_faults

END_NAMES = frozenset(str(end.__struct_config__.tag) for end in ENDS)
CLOSED = str(TableClosed.__struct_config__.tag)
OUT_OF_ORDER = "something is out of order: the slower audits say what"
COMMITTED = str(ShoeCommitted.__struct_config__.tag)
Committed = tuple[Placed, ShoeCommitted]
"""A commitment to a shoe, and the place where it is."""


BATCH = 2_000
"""Commands read at a time."""

_commands = msgspec.json.Decoder(CommandRecord)
_named = attrgetter("number", "actor", "command")


class LogWalk:
    """The walk over all commands, to which come the facts of all streams.

    `committed` are the commitments to shoes in a sound log, of which the first with a number is at `numbered_from`.
    Behind `positions` the limits of players are asked for.
    """

    def __init__(
        self, store: Store, keys: Sequence[str], kept: list[Checkpoint], positions: frozenset[int] = frozenset()
    ) -> None:
        self.committed: list[Committed] = []
        self.numbered_from: int | None = None
        self._store, self._keys, self._kept, self._positions = store, keys, kept, positions
        self._snapshots: list[Snapshot] = []
        self._chains: ChainWalk | None = None
        self._named: dict[str, Any] = {}
        self._are_commands_sound = False
        with suppress(Exception):  # What cannot be read is told by the slower audits.
            self._snapshots = store.snapshot_rows()
            marks = marks_of(store.leaves(), [*store.checkpoints(), *kept])
            self._chains = ChainWalk(store.identity, store.old_chains(), marks)

    def marks(self, stream: str) -> StreamMarks:
        """What it will ask about a stream."""
        chains = self._chains
        if chains is None:
            return StreamMarks()
        layouts = frozenset(one.version for one in self._snapshots if one.stream == stream)
        start = stream_start(EVENT, self._store.identity, stream, chains.old)
        return StreamMarks(
            start, chains.old.events, frozenset(chains.marks.events.get(stream, ())), layouts, self._positions
        )

    def read_commands(self) -> None:
        """Read the commands, while others may read the streams."""
        with suppress(Exception):  # An error that an altered row causes is told by the slower audits.
            assert self._chains is not None
            for place, row in enumerate(islice(self._store.event_rows(), self._chains.old.events), start=1):
                _require(self._chains.follow_event(place, row))
            self._follow_commands(self._chains)
            self._are_commands_sound = True

    def _follow_commands(self, chains: ChainWalk) -> None:
        """Chain every command, many at a time, and note those that have events by the stream."""
        covered, number = 0, 1
        coming = self._store.command_rows()
        while rows := [*islice(coming, BATCH)]:
            records = [_commands.decode(row.entry) for row in rows]
            _require([*map(_named, records)] == [*map(_named, rows)])
            _require([row.number for row in rows] == [*range(number, number + len(rows))])
            _require(chains.follow_commands(number, rows, [record.stream for record in records]))
            number += len(rows)
            told: defaultdict[str, list[NamedCommand]] = defaultdict(list)
            for one in records:
                _require(one.first == covered + 1 <= one.last + 1)
                covered = one.last
                if one.first <= covered:
                    told[one.stream].append((one.first, covered, one.version, one.actor, one.command))
            for stream, commands in told.items():
                self._named.setdefault(stream, hashlib.sha256()).update(name_commands(commands))

    def is_sound(self, facts: list[StreamFacts]) -> bool:
        """Whether everything is in order: an error that an altered row causes says no as well."""
        try:
            self._join(facts)
        except Exception:
            return False
        return True

    def _join(self, facts: list[StreamFacts]) -> None:
        store, chains = self._store, self._chains
        _require(chains is not None and self._are_commands_sound and all(one.is_sound for one in facts))
        assert chains is not None
        _require({one.stream: one.commands for one in facts} == {name: at.digest() for name, at in self._named.items()})
        _require(sum(one.postings for one in facts) == _count_postings(store))
        for one in facts:
            assert one.links is not None
            if one.stream in chains.streams or one.links.count > one.links.first:
                chains.take_events(one.stream, one.links)
        _require(not store.form_faults() and store.balances() == _balances(facts))
        _require(not any(self._snapshot_faults(facts)))
        _require(not any(find_checkpoint_faults(store, self._keys, self._kept, chains)))
        _require(not any(find_tree_faults(store, chains, [*store.checkpoints(), *self._kept])))
        self.committed = sorted((one for each in facts for one in each.committed), key=lambda one: one[0].position)
        self.numbered_from = next((one.position for one, event in self.committed if event.number), None)

    def _snapshot_faults(self, facts: list[StreamFacts]) -> Iterator[str]:
        layouts = {one.stream: one.layouts for one in facts}
        for snapshot in self._snapshots:
            hash, layout = layouts[snapshot.stream][snapshot.version]
            assert layout is not None
            yield from find_snapshot_faults(self._store.identity, snapshot, hash, layout)


def _balances(facts: list[StreamFacts]) -> dict[str, int]:
    """The balance of every account that a command has moved; nobody owed after any command."""
    held: dict[str, int] = {}
    for one in facts:
        _require(held.keys().isdisjoint(one.held))
        held |= one.held
    for _, account, amount in sorted(move for one in facts for move in one.moved):
        held[account] = balance = held.get(account, 0) + amount
        _require(is_payable(account, balance))
    return held


def _count_postings(store: Store) -> int:
    return store.posting_count() if isinstance(store, AuditedStore) else sum(1 for _ in store.posting_rows())


def _require(is_so: bool) -> None:
    if not is_so:
        raise StoreFault(OUT_OF_ORDER)


class Extent(msgspec.Struct):
    """How much there is of a stream: its events, how many of them were audited before, and the ends of rounds since."""

    events: int = 0
    audited: int = 0
    ends: int = 0
    is_closed: bool = False


def sizes(store: Store) -> dict[str, Extent]:
    """How many events each stream has, which takes far less time than to tell how many rounds."""
    if isinstance(store, AuditedStore):
        return {stream: Extent(events, audited) for stream, events, audited in store.sizes(LOWEST)}
    return extents(store)


def extents(store: Store, upto: int | None = None) -> dict[str, Extent]:
    """The extent of each stream, where what is up to a position was audited before."""
    before = LOWEST if upto is None else upto
    found: dict[str, Extent] = {}
    if isinstance(store, AuditedStore):
        found = {stream: Extent(events, audited) for stream, events, audited in store.sizes(before)}
        for stream, name, count in store.counts((*END_NAMES, CLOSED), before):
            found[stream].ends += count * (name in END_NAMES)
            found[stream].is_closed |= name == CLOSED
        return found
    for row in store.event_rows():
        one = found.setdefault(row.stream, Extent())
        one.events += 1
        one.audited += row.position <= before
        one.ends += row.name in END_NAMES and row.position > before
        one.is_closed |= row.name == CLOSED
    return found


def committed_in(store: Store) -> Iterator[Committed]:
    """Every commitment to a shoe, of whatever table."""
    for row in store.event_rows():
        if row.name == COMMITTED:
            event = event_in(open_envelope(row.entry))
            assert isinstance(event, ShoeCommitted)
            yield row, event
