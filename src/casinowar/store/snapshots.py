"""Snapshots: what the events of a stream come to at a version, so that a start reads the newest and what follows it.

A snapshot counts only while its digest holds and its hash is the one that the stream's chain has at its version. Beside
the body, which is its writer's, the store keeps the ledger's layout in it.
"""

import hashlib

import msgspec

from casinowar.store.ledger import Layout

KEPT = 3
"""So many of the newest are kept for each stream and format."""

SNAPSHOT = b"casinowar/store/snapshot/v1\0"


class Snapshot(msgspec.Struct, frozen=True):
    """A snapshot as it lies in the store. `format` is the name that its writer gives to the form of the body."""

    stream: str
    format: str
    version: int
    events_head: bytes
    layout: bytes
    body: bytes
    digest: bytes = b""


def digest_of(identity: str, snapshot: Snapshot) -> bytes:
    told = [
        identity, snapshot.stream, snapshot.format, snapshot.version, snapshot.events_head.hex(), len(snapshot.layout),
    ]  # fmt: skip
    return hashlib.sha256(SNAPSHOT + msgspec.json.encode(told) + snapshot.layout + snapshot.body).digest()


def make_snapshot(
    identity: str, stream: str, format: str, version: int, events_head: bytes, layout: Layout, body: bytes
) -> Snapshot:
    """The snapshot with its digest."""
    made = Snapshot(stream, format, version, events_head, msgspec.msgpack.encode(layout), body)
    return msgspec.structs.replace(made, digest=digest_of(identity, made))


def is_good(identity: str, snapshot: Snapshot, events_head: bytes | None) -> bool:
    """Whether the snapshot is as it was written, and of this chain."""
    return snapshot.events_head == events_head and snapshot.digest == digest_of(identity, snapshot)


def layout_in(snapshot: Snapshot) -> Layout | None:
    """The ledger's layout in the snapshot; none where it cannot be read."""
    try:
        return msgspec.msgpack.decode(snapshot.layout, type=Layout)
    except (msgspec.DecodeError, RecursionError):
        return None
