"""A walk along the chains of a store: the old ones over the whole store, then those of each stream."""

import hashlib
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

import msgspec

from casinowar.store import contract as k
from casinowar.store.chains import (
    COMMAND,
    EVENT,
    OLD_COMMAND,
    OLD_EVENT,
    WHOLE,
    OldChains,
    StreamHead,
    chain_link,
    first_head,
    old_head,
    old_start,
)
from casinowar.store.checkpoints import Checkpoint

Start = Callable[[str, int], StreamHead]
"""The head from which the chains of a stream are followed, given how many of its events the old chains have."""


class _Of(msgspec.Struct):
    stream: str


class Marks(NamedTuple):
    """The counts of links at which somebody will ask for a hash, by stream; those of the old chains under `WHOLE`.

    No other hash is kept, so that a walk needs no more memory for a longer log.
    """

    events: Mapping[str, set[int]] = {}
    commands: Mapping[str, set[int]] = {}


def marks_of(leaves: Iterable[StreamHead], checkpoints: Iterable[Checkpoint]) -> Marks:
    """What leaves, and the checkpoints of an earlier program, will ask for."""
    events: defaultdict[str, set[int]] = defaultdict(set)
    commands: defaultdict[str, set[int]] = defaultdict(set)
    for leaf in leaves:
        events[leaf.stream].add(leaf.version)
        commands[leaf.stream].add(leaf.commands)
    for one in checkpoints:
        if one.tree is None:
            events[WHOLE].add(one.events)
            commands[WHOLE].add(one.commands)
    return Marks(events, commands)


class Links:
    """One chain as it is followed: how many links it has, the hash behind the last one, and those at its marks."""

    def __init__(self, kind: bytes, start: bytes, count: int = 0, marks: Set[int] = frozenset()) -> None:
        self.kind = kind
        self.first = self.count = count
        self.head = start
        self._marks = marks
        self._at = {count: (start, 0)}

    def follow(self, place: int, entry: bytes, hash: bytes) -> bool:
        """Whether the next link holds. After a break the chain goes on from the hash that stands there."""
        due = chain_link(self.kind, self.head, entry)
        self.head = hash
        self.count += 1
        if self.count in self._marks:
            self._at[self.count] = (hash, place)
        return hash == due

    @cached_property
    def _ordered(self) -> list[int]:
        return sorted(self._marks)

    def follow_run(self, places: Sequence[int], entries: Sequence[bytes], hashes: list[bytes]) -> bool:
        """Whether the next links all hold: `follow` for each of them, where none of them breaks."""
        sha256, kind = hashlib.sha256, self.kind
        heads = [self.head, *hashes[:-1]]
        if hashes != [sha256(kind + head + entry).digest() for head, entry in zip(heads, entries, strict=True)]:
            return False
        begin, self.head = self.count, hashes[-1]
        self.count += len(hashes)
        for mark in self._ordered[bisect_right(self._ordered, begin) : bisect_right(self._ordered, self.count)]:
            self._at[mark] = (hashes[mark - begin - 1], places[mark - begin - 1])
        return True

    def at(self, count: int) -> tuple[bytes, int] | None:
        """The hash behind so many links, and the place of the last of them; none where there is no mark."""
        return self._at.get(count)


class ChainWalk:
    """The chains of a store, followed row by row in the order of the log."""

    def __init__(self, identity: str, old: OldChains, marks: Marks, start: Start | None = None) -> None:
        self.old, self.marks = old, marks
        whole = marks.events.get(WHOLE, set()), marks.commands.get(WHOLE, set())
        self.old_events = Links(OLD_EVENT, old_start(OLD_EVENT, identity), 0, whole[0])
        self.old_commands = Links(OLD_COMMAND, old_start(OLD_COMMAND, identity), 0, whole[1])
        self.streams: dict[str, tuple[Links, Links]] = {}
        self._versions: Counter[str] = Counter()
        self._start = start or (lambda stream, version: first_head(identity, stream, version, old))

    def follow_event(self, place: int, row: k.EventRow) -> bool:
        if place <= self.old.events:
            self._versions[row.stream] += 1
            return self.old_events.follow(place, row.entry, row.hash)
        return self._links(row.stream)[0].follow(place, row.entry, row.hash)

    def follow_command(self, place: int, row: k.CommandRow) -> bool:
        if place <= self.old.commands:
            return self.old_commands.follow(place, row.entry, row.hash)
        try:
            stream = msgspec.json.decode(row.entry, type=_Of).stream
        except msgspec.DecodeError:
            return False
        return self._links(stream)[1].follow(place, row.entry, row.hash)

    def follow_commands(self, place: int, rows: Sequence[k.CommandRow], streams: Sequence[str]) -> bool:
        """Whether the next commands, from this place on, all have links that hold, given the stream of each."""
        grouped: defaultdict[str, list[tuple[int, bytes, bytes]]] = defaultdict(list)
        for at, (row, stream) in enumerate(zip(rows, streams, strict=True), start=place):
            grouped[stream if at > self.old.commands else WHOLE].append((at, row.entry, row.hash))
        for stream, links in grouped.items():
            places, entries, hashes = map(list, zip(*links, strict=True))
            chain = self._links(stream)[1] if stream else self.old_commands
            if not chain.follow_run(places, entries, hashes):
                return False
        return True

    def _links(self, stream: str) -> tuple[Links, Links]:
        found = self.streams.get(stream)
        if found is None:
            head = self._start(stream, self._versions[stream])
            found = self.streams[stream] = (
                Links(EVENT, head.events_head, head.version, self.marks.events.get(stream, set())),
                Links(COMMAND, head.commands_head, head.commands, self.marks.commands.get(stream, set())),
            )
        return found

    def head(self, stream: str) -> StreamHead:
        """The ends of a stream's chains as the rows have them."""
        events, commands = self._links(stream)
        return StreamHead(stream, events.count, events.head, commands.count, commands.head)

    def take_events(self, stream: str, links: Links) -> None:
        """Take the chain of a stream's events from somebody who has followed it."""
        self.streams[stream] = (links, self._links(stream)[1])


def find_chain_faults(store: k.Store) -> Iterator[str]:
    """The places at which the chains of a store break, from the first row on."""
    walk = ChainWalk(store.identity, store.old_chains(), Marks())
    yield from _break_faults(walk, enumerate(store.event_rows(), start=1), enumerate(store.command_rows(), start=1))


def find_tail_faults(store: k.Store) -> Iterator[str]:
    """The faults of what lies behind the last checkpoint: its cost depends on that and on the number of streams.

    The chains are followed from the last leaf of each stream. Where they end must be where the kept heads are.
    """
    old, head, checkpoint = store.old_chains(), store.head(), store.last_checkpoint()
    events, commands = old.events, old.commands
    if checkpoint is not None and checkpoint.tree is not None:
        events, commands = checkpoint.events, checkpoint.commands
        edge = store.tree()
        if (edge.size, edge.root) != checkpoint.tree:
            yield f"the tree is not the one that checkpoint {checkpoint.number} has signed"
    if head.events < events or head.commands < commands:
        yield f"{events} events and {commands} commands were there, and {head.events} and {head.commands} are left"
        return
    versions: dict[str, int] = {}
    leaves = store.last_leaves()

    def begin(stream: str, _: int) -> StreamHead:
        version = versions.get(stream)
        known = store.version(stream) if version is None else version
        return leaves.get(stream) or first_head(store.identity, stream, known, old)

    def event_rows() -> Iterator[tuple[int, k.EventRow]]:
        for place, row in enumerate(store.event_rows(events or None), start=events + 1):
            versions.setdefault(row.stream, row.version - 1)
            yield place, row

    walk = ChainWalk(store.identity, old, Marks(), begin)
    yield from _break_faults(walk, event_rows(), enumerate(store.command_rows(commands or None), start=commands + 1))
    ends = {**leaves, **{stream: walk.head(stream) for stream in walk.streams}}
    if ends.pop(WHOLE, old_head(old)) != old_head(old):
        yield "the old chains do not end where the tree has them"
    yield from _kept_faults(store, ends, leaves)


def _kept_faults(store: k.Store, ends: dict[str, StreamHead], leaves: dict[str, StreamHead]) -> Iterator[str]:
    """The kept heads that are not where the chains end, or of which more or less is told to be covered than is."""
    kept = store.stream_heads()
    for stream in sorted(ends.keys() - {head.stream for head, _ in kept}):
        yield f"the head of {stream}: is missing"
    for head, covered in kept:
        if head != ends.get(head.stream) or head.version != store.version(head.stream):
            yield f"the head of {head.stream}: is not the end of its chains"
        leaf = leaves.get(head.stream)
        if covered != (0 if leaf is None else leaf.commands):
            yield f"the head of {head.stream}: {covered} of its commands are told to be covered"


def _break_faults(
    walk: ChainWalk, events: Iterable[tuple[int, k.EventRow]], commands: Iterable[tuple[int, k.CommandRow]]
) -> Iterator[str]:
    """The breaks in these rows, each of which comes with the place where it should stand."""
    for place, row in events:
        if row.position != place or not walk.follow_event(place, row):
            yield f"the chain of events breaks at {place}"
    for place, command in commands:
        if command.number != place or not walk.follow_command(place, command):
            yield f"the chain of commands breaks at {place}"
