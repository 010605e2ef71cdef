"""The log of one stream, read once: its chain, columns, commands and postings, while each event is handed on.

What one stream cannot tell by itself is noted in its facts, and judged where those of all streams come together.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Protocol, get_args

import msgspec
from msgspec.structs import astuple

from casinowar.audit.bodies import LimitsAt
from casinowar.engine import Event
from casinowar.house.player_limits import KeptLimits
from casinowar.store import OWN, Recalled, ShoeCommitted, Store
from casinowar.store.chain_walk import Links
from casinowar.store.chains import EVENT
from casinowar.store.commit import recall_all
from casinowar.store.envelope import FORMAT, VERSIONS
from casinowar.store.ledger import BOUND, ISSUANCE, RULES, Layout, may_overdraw, post
from casinowar.store.snapshots import Snapshot

Row = tuple[int, str, int, str, bytes, bytes]
"""An event as it lies in the store: position, stream, version, name, entry, hash."""

PostingRow = tuple[int, int, str, int]
"""A posting as it lies in the store: position, line, account, amount."""

Batch = tuple[list[Row], list[PostingRow]]
"""Events that follow each other in a stream, and the postings of these events."""

SHARED = ("purse:", ISSUANCE)
"""How the accounts begin that events of several streams move."""


class Source(Protocol):
    """What of a store the audit of a stream reads."""

    def batches(self, stream: str) -> Iterator[Batch]:
        """The rows of a stream in the order of their versions."""
        ...

    def seed(self, commitment: str) -> bytes | None: ...

    def snapshot_rows(self, stream: str | None = None) -> list[Snapshot]: ...


class PlainSource:
    """Any store as a source: its rows are read through for each stream."""

    def __init__(self, store: Store) -> None:
        self._store, self.seed, self.snapshot_rows = store, store.seed, store.snapshot_rows

    def batches(self, stream: str) -> Iterator[Batch]:
        rows = [astuple(row) for row in self._store.event_rows() if row.stream == stream]
        positions = {row[0] for row in rows}
        yield rows, [row for row in self._store.posting_rows() if row[0] in positions]


class StoredEvent(Recalled, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An envelope of the present format with its event, read in one go."""

    format: int
    name: str
    event_version: int


NAMES = {kind: str(kind.__struct_config__.tag) for kind in (*get_args(Event), *OWN)}
WRITTEN = {kind: VERSIONS.get(name, 1) for kind, name in NAMES.items()}
"""The version in which each event is written now."""

_stored = msgspec.json.Decoder(StoredEvent)


def recall(stream: str, version: int, entry: bytes) -> Recalled:
    """The event of an entry; what a store's `read` gives, in less time.

    An event of an older form, or one at which `read` raises an error, is read in the same way as there.
    """
    try:
        one = _stored.decode(entry)
    except msgspec.MsgspecError:
        [old] = recall_all(stream, version - 1, [entry])
        return old
    kind = type(one.event)
    is_present = one.format == FORMAT and one.event_version == WRITTEN[kind] and one.name == NAMES[kind]
    if is_present and one.version == version and one.stream == stream:
        return one
    [old] = recall_all(stream, version - 1, [entry])
    return old


class StreamMarks(msgspec.Struct, frozen=True):
    """What the whole log asks about a stream: the hashes behind some versions, and the ledger's layouts there.

    `start` is the hash to which its chain is tied. Up to the position `old` the events are in a chain of all streams.
    Behind the `positions` of the log it asks for the limits of players.
    """

    start: bytes = b""
    old: int = 0
    versions: frozenset[int] = frozenset()
    layouts: frozenset[int] = frozenset()
    positions: frozenset[int] = frozenset()


class StreamFacts(msgspec.Struct):
    """What the log of a stream says. `is_sound` is true once all of it has been read and is in order by itself.

    `commands` is a digest over the commands that its events name, in order. `held` are the balances of its own
    accounts, and `moved` is what each of its commands moved to accounts that are not its own.
    """

    stream: str
    links: Links | None = None
    is_sound: bool = False
    commands: bytes = b""
    postings: int = 0
    held: dict[str, int] = {}
    moved: list[tuple[int, str, int]] = []
    committed: list[tuple[Recalled, ShoeCommitted]] = []
    layouts: dict[int, tuple[bytes, Layout | None]] = {}
    limits: dict[int, KeptLimits] = {}


NamedCommand = tuple[int, int, int, str, str]
"""The positions of a command's first and last event, the version behind them, who gave it, and its name."""

_lines = msgspec.json.Encoder()


def name_commands(commands: Sequence[NamedCommand]) -> bytes:
    """Commands as both sides write them into their digests, each in a line."""
    return _lines.encode_lines(commands)


class StreamLog:
    """The events of one stream as they are read. Read them to the end, and then look at the `facts`."""

    def __init__(self, source: Source, stream: str, marks: StreamMarks) -> None:
        self._source, self._marks = source, marks
        self.facts = StreamFacts(stream)
        self._is_sound = True
        self._moved: dict[str, int] = {}
        self._commands = hashlib.sha256()

    def balance(self, account: str) -> int:
        """What one of the stream's own accounts holds after the events before the last one that was handed on."""
        return self.facts.held.get(account, 0) + self._moved.get(account, 0)

    def __iter__(self) -> Iterator[Recalled]:
        facts, old, layouts = self.facts, self._marks.old, self._marks.layouts
        limits = LimitsAt(self._marks.positions)
        follow_limits = limits.follow if self._marks.positions else None
        stream, links = facts.stream, self._links(0)
        layout: Layout | None = Layout(stream)
        version = first = last = 0
        actor = command = ""
        for rows, postings in self._source.batches(stream):
            due: list[PostingRow] = []
            for position, column, number, name, entry, hash in rows:
                version += 1
                one = recall(stream, version, entry)
                event = one.event
                kind = type(event)
                if (one.position, stream, version, NAMES[kind]) != (position, column, number, name):
                    self._is_sound = False
                if position <= old:
                    links = self._links(version)
                elif not links.follow(position, entry, hash):
                    self._is_sound = False
                if layout is not None and (kind in RULES or one.postings):
                    layout = _posted(layout, one)
                if version in layouts:
                    facts.layouts[version] = (hash, layout)
                if isinstance(event, ShoeCommitted):
                    facts.committed.append((one, event))
                yield one
                if follow_limits is not None:
                    follow_limits(one)
                if one.command != command or one.actor != actor or position != last + 1:
                    if last:
                        self._end_command(first, last, version - 1, actor, command)
                    first, actor, command = position, one.actor, one.command
                last = position
                if one.postings:
                    self._move(position, one, due)
            if postings != due:
                self._is_sound = False
            facts.postings += len(due)
        if last:
            self._end_command(first, last, version, actor, command)
        limits.finish()
        facts.limits = limits.kept
        facts.commands = self._commands.digest()
        facts.is_sound = self._is_sound and layout is not None

    def _links(self, version: int) -> Links:
        """The stream's own chain, which begins behind this version."""
        self.facts.links = Links(EVENT, self._marks.start, version, self._marks.versions)
        return self.facts.links

    def _move(self, position: int, one: Recalled, due: list[PostingRow]) -> None:
        """Count what the event moves, and note the rows that there must be of it."""
        moved = self._moved
        for line, posting in enumerate(one.postings):
            account, amount = posting.account, posting.amount
            due.append((position, line, account, amount))
            moved[account] = moved.get(account, 0) + amount

    def _end_command(self, first: int, last: int, version: int, actor: str, command: str) -> None:
        """Note a command, and what it has moved in all: nothing comes from nowhere, and no account here owes."""
        self._commands.update(name_commands([(first, last, version, actor, command)]))
        moved, held = self._moved, self.facts.held
        if not moved:
            return
        if sum(moved.values()):
            self._is_sound = False
        for account, amount in moved.items():
            if not amount:
                continue
            if account.startswith(SHARED):
                self.facts.moved.append((last, account, amount))
                continue
            held[account] = balance = held.get(account, 0) + amount
            if not is_payable(account, balance):
                self._is_sound = False
        moved.clear()


def is_payable(account: str, balance: int) -> bool:
    """Whether an account may hold that much, or owe it."""
    return 0 <= balance < BOUND or (may_overdraw(account) and -BOUND < balance < BOUND)


def _posted(layout: Layout, one: Recalled) -> Layout | None:
    """The layout after the event; none where other postings follow from it than it has."""
    try:
        layout, postings = post(layout, one.event)
    except (LookupError, TypeError, ValueError):
        return None
    return layout if postings == one.postings else None
