"""The hash chain over events and over commands.

Each kind of hash begins with its own words, so that no hash of one kind can be shown for another.
"""

import hashlib

EVENT = b"casinowar/store/event/v1\0"
COMMAND = b"casinowar/store/command/v1\0"
START = b"casinowar/store/start/v1\0"


def start(kind: bytes, identity: str) -> bytes:
    """What the first link of a store's chain is tied to: a chain cannot be moved into another store."""
    return hashlib.sha256(START + kind + identity.encode()).digest()


def link(kind: bytes, previous: bytes, entry: bytes) -> bytes:
    return hashlib.sha256(kind + previous + entry).digest()
