"""The hash chains of a store: one over the events and one over the commands of each stream.

A store that was begun before streams had chains of their own has two chains over all that it held then. Each later
chain starts from their ends. Each kind of hash begins with its own words, so that no hash of one kind can be shown for
another.
"""

import hashlib
from typing import NamedTuple

import msgspec

EVENT = b"casinowar/store/event/v2\0"
COMMAND = b"casinowar/store/command/v2\0"
START = b"casinowar/store/start/v2\0"
LEAF = b"casinowar/store/leaf/v1\0"

OLD_EVENT = b"casinowar/store/event/v1\0"
OLD_COMMAND = b"casinowar/store/command/v1\0"
OLD_START = b"casinowar/store/start/v1\0"

WHOLE = ""
"""The name under which the leaf of the old chains stands, which no stream can have."""


class OldChains(NamedTuple):
    """The ends of the two chains over the whole store, and how many links each has; nothing in a new store."""

    events: int = 0
    events_head: bytes = b""
    commands: int = 0
    commands_head: bytes = b""


class StreamHead(msgspec.Struct, frozen=True, gc=False):
    """The ends of a stream's two chains.

    `version` counts all events of the stream, `commands` those commands that are in its own chain.
    """

    stream: str
    version: int
    events_head: bytes
    commands: int
    commands_head: bytes


def old_start(kind: bytes, identity: str) -> bytes:
    """The hash to which the first link of a chain over the whole store is tied."""
    return hashlib.sha256(OLD_START + kind + identity.encode()).digest()


def stream_start(kind: bytes, identity: str, stream: str, old: OldChains) -> bytes:
    """The hash to which the first link of a stream's chain is tied.

    A chain can be moved neither into another store nor to another stream, nor behind another beginning.
    """
    bound = [identity, stream, old.events_head.hex(), old.commands_head.hex()]
    return hashlib.sha256(START + kind + msgspec.json.encode(bound)).digest()


def first_head(identity: str, stream: str, version: int, old: OldChains) -> StreamHead:
    """The head of a stream whose own chains have no link yet; `version` is what the old chains have of it."""
    starts = (stream_start(kind, identity, stream, old) for kind in (EVENT, COMMAND))
    return StreamHead(stream, version, next(starts), 0, next(starts))


def chain_link(kind: bytes, previous: bytes, entry: bytes) -> bytes:
    """The hash of an entry and of all entries before it."""
    return hashlib.sha256(kind + previous + entry).digest()


def old_head(old: OldChains) -> StreamHead:
    """The ends of the old chains, as the first leaf of the tree has them."""
    return StreamHead(WHOLE, old.events, old.events_head, old.commands, old.commands_head)


def leaf_of(head: StreamHead) -> bytes:
    """The leaf with which the tree of checkpoints covers a head."""
    told = [head.stream, head.version, head.events_head.hex(), head.commands, head.commands_head.hex()]
    return LEAF + msgspec.json.encode(told)
