"""A walk along the chains of a store: the old ones over the whole store, then those of each stream."""

from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from casinowar.store import contract as k
from casinowar.store.chains import (
    COMMAND,
    EVENT,
    OLD_COMMAND,
    OLD_EVENT,
    OldChains,
    StreamHead,
    chain_link,
    first_head,
    old_start,
)

Start = Callable[[str, int], StreamHead]
"""The head from which the chains of a stream are followed, given how many of its events the old chains have."""


class _Of(msgspec.Struct):
    stream: str


class Links:
    """One chain as it is followed: the hash behind each link, and the place of the link among all rows."""

    def __init__(self, kind: bytes, start: bytes, count: int = 0) -> None:
        self.kind = kind
        self.first = count
        self.hashes = [start]
        self.places = [0]

    def follow(self, place: int, entry: bytes, hash: bytes) -> bool:
        """Whether the next link holds. After a break the chain goes on from the hash that stands there."""
        due = chain_link(self.kind, self.hashes[-1], entry)
        self.hashes.append(hash)
        self.places.append(place)
        return hash == due

    @property
    def count(self) -> int:
        return self.first + len(self.hashes) - 1

    def at(self, count: int) -> tuple[bytes, int] | None:
        """The hash behind so many links, and the place of the last of them."""
        index = count - self.first
        return (self.hashes[index], self.places[index]) if 0 <= index < len(self.hashes) else None


class ChainWalk:
    """The chains of a store, followed row by row in the order of the log."""

    def __init__(self, identity: str, old: OldChains, start: Start | None = None) -> None:
        self.old = old
        self.old_events = Links(OLD_EVENT, old_start(OLD_EVENT, identity))
        self.old_commands = Links(OLD_COMMAND, old_start(OLD_COMMAND, identity))
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

    def _links(self, stream: str) -> tuple[Links, Links]:
        found = self.streams.get(stream)
        if found is None:
            head = self._start(stream, self._versions[stream])
            events = Links(EVENT, head.events_head, head.version)
            found = self.streams[stream] = (events, Links(COMMAND, head.commands_head, head.commands))
        return found

    def head(self, stream: str) -> StreamHead:
        """The ends of a stream's chains as the rows have them."""
        events, commands = self._links(stream)
        return StreamHead(stream, events.count, events.hashes[-1], commands.count, commands.hashes[-1])


def find_chain_faults(store: k.Store) -> Iterator[str]:
    """The places at which the chains of a store break."""
    walk = ChainWalk(store.identity, store.old_chains())
    for place, row in enumerate(store.event_rows(), start=1):
        if row.position != place or not walk.follow_event(place, row):
            yield f"the chain of events breaks at {place}"
    for place, command in enumerate(store.command_rows(), start=1):
        if command.number != place or not walk.follow_command(place, command):
            yield f"the chain of commands breaks at {place}"
