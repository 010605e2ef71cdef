"""The log and the money read once from the first row to the last: whether anything in them is out of order.

This only says yes or no, so that a sound log is read quickly and none of it is kept. What is wrong, and where, is then
told by the audits of the store and of the money, which take their time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from casinowar.audit.bodies import LimitsWalk
from casinowar.audit.snapshot import AuditedStore
from casinowar.engine.events import TableClosed
from casinowar.history.log_walk import ENDS
from casinowar.store import Checkpoint, Recalled, ShoeCommitted, Store, StoreFault
from casinowar.store.chain_walk import ChainWalk
from casinowar.store.contract import CommandRecord, EventRow
from casinowar.store.envelope import event_in, open_envelope
from casinowar.store.ledger import BOUND, RULES, Layout, Posting, may_overdraw, post
from casinowar.store.tree import find_tree_faults
from casinowar.store.verify import find_checkpoint_faults

END_NAMES = frozenset(str(end.__struct_config__.tag) for end in ENDS)
CLOSED = str(TableClosed.__struct_config__.tag)
OUT_OF_ORDER = "something is out of order: the slower audits say what"
COMMITTED = str(ShoeCommitted.__struct_config__.tag)
Committed = tuple[EventRow, ShoeCommitted]
"""A commitment to a shoe, and the row in which it is."""


class _Cause(msgspec.Struct, frozen=True, gc=False):
    """What an envelope says about its event, without the event."""

    position: int
    stream: str
    version: int
    name: str
    at: int
    actor: str
    command: str
    postings: tuple[Posting, ...]


_causes = msgspec.json.Decoder(_Cause)
_commands = msgspec.json.Decoder(CommandRecord)


class LogWalk:
    """One walk over events, commands and postings together, in the order of the events.

    `committed` are the commitments to shoes that it has met, of which the first with a number is at `numbered_from`.
    """

    def __init__(self, store: Store, key: str | None, kept: list[Checkpoint], limits: LimitsWalk) -> None:
        self.committed: list[Committed] = []
        self.numbered_from: int | None = None
        self._store, self._key, self._kept, self._limits = store, key, kept, limits
        self._versions: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._chains: ChainWalk

    def is_sound(self) -> bool:
        """Whether everything is in order: an error that an altered row causes says no as well."""
        try:
            self._walk()
        except Exception:
            return False
        return True

    def _walk(self) -> None:
        store = self._store
        self._chains = chains = ChainWalk(store.identity, store.old_chains())
        self._follow_events(self._records())
        _require(not store.form_faults() and store.balances() == self._held)
        _require(not any(find_checkpoint_faults(store, self._key, self._kept, chains)))
        _require(not any(find_tree_faults(store, chains, [*store.checkpoints(), *self._kept])))

    def _records(self) -> Iterator[CommandRecord]:
        """Every command, chained, in the order of their events."""
        covered = 0
        for number, row in enumerate(self._store.command_rows(), start=1):
            _require(self._chains.follow_command(number, row))
            record = _commands.decode(row.entry)
            _require((record.number, record.actor, record.command) == (row.number, row.actor, row.command))
            _require(row.number == number and record.first == covered + 1 <= record.last + 1)
            covered = record.last
            if record.first <= record.last:
                yield record

    def _follow_events(self, records: Iterator[CommandRecord]) -> None:
        """Hold every event against its columns, the one before it in its stream, its postings and its command."""
        postings = self._store.posting_rows()
        decode, versions, follow = _causes.decode, self._versions, self._chains.follow_event
        number = 0
        last, named, moved = 0, ("", "", ""), dict[str, int]()
        for number, row in enumerate(self._store.event_rows(), start=1):
            if not follow(number, row):
                raise StoreFault(OUT_OF_ORDER)
            cause = decode(row.entry)
            stream, version = cause.stream, cause.version
            if (cause.position, stream, version, cause.name) != (row.position, row.stream, row.version, row.name):
                raise StoreFault(OUT_OF_ORDER)
            if row.position != number or version != versions.get(stream, 0) + 1:
                raise StoreFault(OUT_OF_ORDER)
            versions[stream] = version
            if number > last:
                record = next(records)
                _require(record.first == number)
                last, named, moved = record.last, (record.actor, record.command, record.stream), {}
            if (cause.actor, cause.command, stream) != named:
                raise StoreFault(OUT_OF_ORDER)
            if cause.postings:
                for line, one in enumerate(cause.postings):
                    account, amount = one.account, one.amount
                    if next(postings, None) != (number, line, account, amount):
                        raise StoreFault(OUT_OF_ORDER)
                    moved[account] = moved.get(account, 0) + amount
            if number == last:
                _require(version == record.version)
                self._move(moved)
            if cause.name == COMMITTED:
                self._commit(_committed(row))
            self._limits.follow(row, cause.at, cause.actor, cause.postings)
        _require(number == last and next(records, None) is None and next(postings, None) is None)

    def _commit(self, committed: Committed) -> None:
        self.committed.append(committed)
        row, event = committed
        if event.number and self.numbered_from is None:
            self.numbered_from = row.position

    def _move(self, moved: dict[str, int]) -> None:
        """Move what a command has moved in all: nothing comes from nowhere, and nobody owes."""
        _require(not sum(moved.values()))
        held = self._held
        for account, amount in moved.items():
            if amount:
                held[account] = balance = held.get(account, 0) + amount
                if not 0 <= balance < BOUND:
                    _require(may_overdraw(account) and -BOUND < balance < BOUND)


def _require(is_so: bool) -> None:
    if not is_so:
        raise StoreFault(OUT_OF_ORDER)


class PostedEvents:
    """The events of a stream as they are read, each of whose postings must follow from it.

    `layout` is the ledger's after the last event that was read, and `is_sound` true once all of them have been.
    """

    def __init__(self, stream: str, recalled: Iterable[Recalled]) -> None:
        self.is_sound = False
        self.layout: Layout | None = Layout(stream)
        self._recalled = recalled

    def __iter__(self) -> Iterator[Recalled]:
        for one in self._recalled:
            if type(one.event) in RULES or one.postings:
                self.layout = None if self.layout is None else _posted(self.layout, one)
            yield one
        self.is_sound = self.layout is not None


def _posted(layout: Layout, one: Recalled) -> Layout | None:
    """The layout after the event; none where other postings follow from it than it has."""
    try:
        layout, postings = post(layout, one.event)
    except (LookupError, TypeError, ValueError):
        return None
    return layout if postings == one.postings else None


class Extent(msgspec.Struct):
    """How much there is of a stream: its events, how many of them were audited before, and the ends of rounds since."""

    events: int = 0
    audited: int = 0
    ends: int = 0
    is_closed: bool = False


def extents(store: Store, before: int | None) -> dict[str, Extent]:
    """The extent of each stream, where what is up to the position `before` was audited before."""
    if isinstance(store, AuditedStore):
        names = store.names(before)
    else:
        names = Counter(
            (row.stream, row.name, before is not None and row.position <= before) for row in store.event_rows()
        )
    found: dict[str, Extent] = {}
    for (stream, name, is_before), count in names.items():
        one = found.setdefault(stream, Extent())
        one.events += count
        one.audited += count * is_before
        one.ends += count * (name in END_NAMES and not is_before)
        one.is_closed |= name == CLOSED
    return found


def committed_in(store: Store) -> Iterator[Committed]:
    """Every commitment to a shoe, of whatever table."""
    for row in store.event_rows():
        if row.name == COMMITTED:
            yield _committed(row)


def _committed(row: EventRow) -> Committed:
    event = event_in(open_envelope(row.entry))
    assert isinstance(event, ShoeCommitted)
    return row, event
