"""The contract of every store: what is asked of it, what it answers, and what it refuses.

A commit is one transaction: events, postings, balances, the command's id and its answer, all or nothing. Commits that
wait together can share a transaction, and each is still all or nothing for itself.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from casinowar.engine import Table
from casinowar.errors import CasinoWarError
from casinowar.merkle import Edge
from casinowar.store.chains import OldChains, StreamHead
from casinowar.store.checkpoints import Checkpoint
from casinowar.store.events import Recorded
from casinowar.store.ledger import Posting
from casinowar.store.snapshots import Snapshot

STREAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class StoreError(CasinoWarError):
    """The store refused, and nothing was written."""


class VersionConflict(StoreError):
    """Somebody else wrote to the stream first: read on, decide again."""


class CommandReused(StoreError):
    """The id was used before for another command."""


class Overdrawn(StoreError):
    """An account that may not go below zero would do so."""


class Imbalance(StoreError):
    """The trial balance failed; the table, where it is one, has been stopped."""


class StreamStopped(StoreError):
    """The table was stopped by an imbalance, and staff have not cleared it."""


class StoreFault(StoreError):
    """The stored data are damaged, altered, or written by a newer program."""


class StoreInUse(StoreError):
    """Another program writes to this store."""


class LeaseLost(StoreError):
    """The stream is decided by another server: this one has lost its lease, or never had it."""


class ValueRefused(StoreError, ValueError):
    """A value that the database cannot hold, such as a text with a NUL; whoever sent it is refused, and nobody else."""


class StoreFailed(CasinoWarError):
    """The medium failed in the middle of a commit: whether it was written shows only after opening again.

    The store refuses everything from then on. Repeat the command with its id: it is done once either way. It is raised
    as well where a checkpoint finds that the heads of the streams do not add up to the log.
    """


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What a command did, to be written if the stream still stands at `expected` and the id is new.

    `body` is the command as it came, by which a reuse of its id for something else is known. `answer` is what the
    client is told, now and on every repetition. `table` is the table after the events, which the accounts must match.
    A refused command has an answer and no events. `seeds` are those of shoes committed to here, by their commitment;
    they lie beside the log and not in it. An imbalance stops the stream until staff clear it, but for a stream that
    `is_of_a_table` is false for: nobody could clear that one, and whoever writes to it says what comes of it. `held` is
    what purses held when it was decided, where it rests on that: otherwise it is a conflict, as with the version.
    """

    stream: str
    expected: int
    actor: str
    command: str
    body: bytes
    answer: str
    events: tuple[Recorded, ...] = ()
    table: Table | None = None
    seeds: tuple[tuple[str, bytes], ...] = ()
    is_of_a_table: bool = True
    held: Mapping[str, int] = {}

    def __repr__(self) -> str:
        return f"<{self.actor} {self.command} to {self.stream} at {self.expected}: {len(self.events)} events>"


class Answer(msgspec.Struct, frozen=True):
    """The answer to the client.

    `first` to `last` are the positions of the command's events, `first > last` for none.
    """

    answer: str
    stream: str
    version: int
    first: int
    last: int
    is_repeated: bool = False


class CommandRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as it is chained and kept: `fingerprint` is SHA-256 of its body, `version` that of the stream after."""

    number: int
    actor: str
    command: str
    fingerprint: str
    stream: str
    version: int
    first: int
    last: int
    at: int
    answer: str

    def to_answer(self, *, is_repeated: bool) -> Answer:
        return Answer(self.answer, self.stream, self.version, self.first, self.last, is_repeated)


class EventRow(msgspec.Struct, frozen=True):
    """An event as it lies in the store: the bytes of its envelope, their hash, and the columns it is found by."""

    position: int
    stream: str
    version: int
    name: str
    entry: bytes
    hash: bytes


class CommandRow(msgspec.Struct, frozen=True):
    number: int
    actor: str
    command: str
    entry: bytes
    hash: bytes


class Recalled(msgspec.Struct, frozen=True):
    """An event read back: where it stands, when and by what command, and itself in its present form."""

    position: int
    stream: str
    version: int
    at: int
    actor: str
    command: str
    postings: tuple[Posting, ...]
    event: Recorded


class Head(msgspec.Struct, frozen=True):
    """How many events and commands there are, and the hash of the last one of each."""

    events: int
    events_head: bytes
    commands: int
    commands_head: bytes


class Growth(NamedTuple):
    """Where the store stands, the leaves that its tree lacks, and the edge to which they are added.

    Each stream that has changed is a leaf; in a new tree, the ends of old chains are the first. `before` has how many
    events and commands of each the tree covers already, and `last` is the newest checkpoint.
    """

    head: Head
    leaves: list[StreamHead]
    edge: Edge
    before: list[tuple[int, int]]
    last: Checkpoint | None

    @property
    def counts(self) -> tuple[int, int]:
        """How many events and commands the leaves cover beyond the tree as it is."""
        pairs = list(zip(self.leaves, self.before, strict=True))
        return sum(leaf.version - was[0] for leaf, was in pairs), sum(leaf.commands - was[1] for leaf, was in pairs)


def fingerprint(body: bytes) -> str:
    return hashlib.sha256(b"casinowar/store/body/v1\0" + body).hexdigest()


class Store(Protocol):
    """A store, safe to call from several threads.

    Rows and balances are for the audit and for reports; nothing changes them.
    """

    @property
    def identity(self) -> str:
        """The name that this store was given when it was made, and that its chains begin with."""
        ...

    def commit(self, proposal: Proposal) -> Answer:
        """Write what a command did, or give the stored answer where its id was done before."""
        ...

    def begin_together(self) -> None:
        """Open a group: everything written until `finish_together` reaches the disk in one transaction.

        Each commit, clearing and stop mark in it is all or nothing for itself: one that is refused harms no other.
        The group belongs to the thread that opens it. Reads in this thread see what has been written so far; other
        threads wait for the end of the group, whatever they ask for. Nothing in it may be acknowledged before
        `finish_together` has returned. `close` gives up a group that is open.
        """
        ...

    def finish_together(self) -> None:
        """Bring the group onto the disk. Where that fails, the store has failed, and nobody knows what was written."""
        ...

    def answer_to(self, actor: str, command: str, body: bytes) -> Answer | None:
        """The stored answer to a command, so that a repetition need not be decided again."""
        ...

    def read(self, stream: str, after: int = 0) -> Iterator[Recalled]:
        """The events of a stream behind a version, in order; a gap is a fault.

        Events are read in batches as the caller takes them: a caller who takes few costs little, however long the
        stream is, and the lock is free between two batches.
        """
        ...

    def version(self, stream: str) -> int:
        """The version that a stream has reached, 0 where there is none."""
        ...

    def stopped(self, stream: str) -> str | None:
        """Why the table is stopped, if it is."""
        ...

    def clear(self, stream: str, by: str, reason: str) -> None:
        """Let a stopped table go on, after staff have looked into it."""
        ...

    def streams(self) -> list[str]:
        """The names of all streams."""
        ...

    def seed(self, commitment: str) -> bytes | None:
        """The seed behind a commitment: for the table that deals from it and for the audit, and for nobody else."""
        ...

    def commitments(self) -> list[str]:
        """Every commitment whose seed is kept."""
        ...

    def balance(self, account: str) -> int:
        """The balance of an account, 0 where nothing was ever posted."""
        ...

    def known_balance(self, account: str) -> int:
        """The balance as the writer, who is alone, knows it. The audit and reports read the rows instead."""
        ...

    def balances(self) -> dict[str, int]:
        """The balance of every account."""
        ...

    def total(self) -> int:
        """The sum of all accounts.

        It is kept with every change, so that reading it costs the same for any number of accounts.
        """
        ...

    def statement(self, account: str) -> list[tuple[int, int]]:
        """Every posting to the account: the position of its event, and the amount."""
        ...

    def head(self) -> Head:
        """How many events and commands there are, with the last hash of each."""
        ...

    def event_rows(self, after: int | None = None) -> Iterator[EventRow]:
        """All events in order, or those behind a position."""
        ...

    def command_rows(self, after: int | None = None) -> Iterator[CommandRow]:
        """All commands in order, or those behind a number."""
        ...

    def posting_rows(self) -> Iterator[tuple[int, int, str, int]]:
        """The postings, each as position, line, account and amount."""
        ...

    def old_chains(self) -> OldChains:
        """Where the chains over the whole store end, which a store of an earlier program has."""
        ...

    def stream_heads(self) -> list[tuple[StreamHead, int]]:
        """The heads of the streams' chains as they are kept, each with the number of commands in its last leaf."""
        ...

    def last_leaves(self) -> dict[str, StreamHead]:
        """The last leaf of each stream. It costs by the streams, and not by the leaves."""
        ...

    def growth(self) -> Growth:
        """What the next checkpoint has to cover, all of it at one moment."""
        ...

    def leaves(self) -> list[StreamHead]:
        """All leaves of the tree, in order."""
        ...

    def tree(self) -> Edge:
        """The right edge of the tree as it is kept."""
        ...

    def checkpoints(self, after: int = 0, most: int = -1) -> list[Checkpoint]:
        """The signed checkpoints behind a number, in order, all or so many at most."""
        ...

    def last_checkpoint(self) -> Checkpoint | None:
        """The newest signed checkpoint, if there is one."""
        ...

    def add_checkpoint(self, checkpoint: Checkpoint, leaves: Sequence[StreamHead] = ()) -> None:
        """Keep a checkpoint, and the leaves that it adds to the tree, in one transaction."""
        ...

    def save_snapshot(
        self, stream: str, version: int, format: str, body: bytes, *, position: int | None = None
    ) -> None:
        """Keep a snapshot of the stream as it stands, which must be at that version; only the newest few are kept.

        A body that tells of the whole log names the `position` where that ends, also when it is written.
        """
        ...

    def snapshots(self, stream: str, format: str) -> list[Snapshot]:
        """The snapshots of a stream in a format that the caller knows, the newest first.

        One whose digest is wrong, or whose hash is not the chain's at its version, is not among them.
        """
        ...

    def snapshot_rows(self, stream: str | None = None) -> list[Snapshot]:
        """All snapshots, or those of a stream, as they lie there, good or not."""
        ...

    def now(self) -> int:
        """Milliseconds UTC by the store's clock."""
        ...

    def form_faults(self) -> list[str]:
        """The faults of the store below its rows, such as a changed schema."""
        ...

    def close(self) -> None:
        """Close the store; a group that is open is given up."""
        ...
