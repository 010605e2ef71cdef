"""The audit of a store: chains, columns, postings worked out again, balances, commands and checkpoints.

Given a checkpoint that was kept outside, whatever was changed, taken out, put in or cut off before it is found.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.store import checkpoints
from casinowar.store import contract as k
from casinowar.store.chain_walk import ChainWalk, marks_of
from casinowar.store.chains import leaf_of
from casinowar.store.envelope import Envelope, UnreadableEvent, event_in, open_envelope
from casinowar.store.ledger import Layout, post
from casinowar.store.snapshots import Snapshot, is_good, layout_in
from casinowar.store.tree import find_tree_faults

OLD, BOTH, STREAMS = "of the whole store", "of the whole store, then of each stream", "of each stream"
"""The kinds of chains that a store can have."""


def kind_of_chains(store: k.Store) -> str:
    """Which chains the store has: those of an earlier program, those of each stream, or both."""
    old, head = store.old_chains(), store.head()
    if not old.events and not old.commands:
        return STREAMS
    return OLD if (old.events, old.commands) == (head.events, head.commands) else BOTH


def make_checkpoint(store: k.Store, key: Ed25519PrivateKey) -> checkpoints.Checkpoint:
    """Sign where the store stands now and keep it there; export it with `dump_checkpoint`.

    Nothing is signed whose leaves do not add up to the log: such a store has failed, and nothing more may be played.
    """
    growth = store.growth()
    head, leaves, edge, _, last = growth
    events, commands = growth.counts
    for leaf in leaves:
        edge = edge.add(leaf_of(leaf))
    if last is not None and last.tree is not None:
        events, commands = last.events + events, last.commands + commands
    if (events, commands) != (head.events, head.commands):
        there = f"there are {head.events} events and {head.commands} commands"
        raise k.StoreFailed(f"the heads of the streams cover {events} events and {commands} commands, and {there}")
    checkpoint = checkpoints.sign(
        checkpoints.Checkpoint(
            identity=store.identity,
            number=1 if last is None else last.number + 1,
            events=head.events,
            commands=head.commands,
            at=store.now(),
            key="",
            leaves=edge.size,
            root=edge.root.hex(),
        ),
        key,
    )
    store.add_checkpoint(checkpoint, leaves)
    return checkpoint


def audit(
    store: k.Store, key: str | Sequence[str] | None = None, kept: Iterable[checkpoints.Checkpoint] = ()
) -> list[str]:
    """Everything that is wrong, each with its place; nothing where all is well.

    `key` is the public key that signs, or all keys that ever did, and `kept` are checkpoints from outside the store.
    Without a kept one, a tail cut off with its checkpoints, or a store made anew with another key, cannot be told.
    """
    try:
        keys = (key,) if isinstance(key, str) else tuple(key or ())
        return list(_findings(store, keys, list(kept)))
    except Exception as error:  # Whatever an altered row makes of the reading is itself a finding.
        return [f"the store cannot be read: {type(error).__name__}: {error}"]


def _findings(store: k.Store, keys: Sequence[str], kept: list[checkpoints.Checkpoint]) -> Iterator[str]:
    yield from store.form_faults()
    signed = [*store.checkpoints(), *kept]
    walk = ChainWalk(store.identity, store.old_chains(), marks_of(store.leaves(), signed))
    events = _Events(store, walk)
    yield from events.findings()
    for stream, version in sorted(events.snapshots):
        yield f"snapshot of {stream} at {version}: there is no such version"
    yield from _commands(store, events, walk)
    yield from _postings(store, events)
    yield from find_checkpoint_faults(store, keys, kept, walk)
    yield from find_tree_faults(store, walk, signed)


class _Events:
    """One walk over the events: their chains, who caused each, and the postings that follow from it."""

    def __init__(self, store: k.Store, walk: ChainWalk) -> None:
        self.store = store
        self.walk = walk
        self.causes: dict[int, tuple[str, str, str, int]] = {}
        self.postings: list[tuple[int, int, str, int]] = []
        self.layouts: dict[str, tuple[int, Layout]] = {}
        self.snapshots: dict[tuple[str, int], list[Snapshot]] = {}
        for one in store.snapshot_rows():
            self.snapshots.setdefault((one.stream, one.version), []).append(one)

    def findings(self) -> Iterator[str]:
        """The faults of each event. One that is gone moves all behind it, of which only the first is told."""
        moved = 0
        for number, row in enumerate(self.store.event_rows(), start=1):
            where = f"event {row.position} ({row.stream} {row.version})"
            if row.position != number + moved:
                yield f"{where}: stands where event {number + moved} should"
                moved = row.position - number
            if not self.walk.follow_event(number, row):
                yield f"{where}: the chain breaks here"
            try:
                envelope = open_envelope(row.entry)
                yield from self._findings_in(row, envelope, where)
                self.causes[row.position] = (envelope.actor, envelope.command, envelope.stream, envelope.version)
            except (UnreadableEvent, LookupError, TypeError, ValueError) as error:
                yield f"{where}: {type(error).__name__}: {error}"
                self.causes[row.position] = ("", "", "", 0)

    def _findings_in(self, row: k.EventRow, envelope: Envelope, where: str) -> Iterator[str]:
        told = (envelope.position, envelope.stream, envelope.version, envelope.name)
        if told != (row.position, row.stream, row.version, row.name):
            yield f"{where}: its columns differ from its entry"
        version, layout = self.layouts.get(envelope.stream, (0, Layout(envelope.stream)))
        if envelope.version != version + 1:
            yield f"{where}: {envelope.stream} goes from version {version} to {envelope.version}"
        layout, postings = post(layout, event_in(envelope))
        self.layouts[envelope.stream] = (envelope.version, layout)
        for one in self.snapshots.pop((envelope.stream, envelope.version), ()):
            yield from find_snapshot_faults(self.store.identity, one, row.hash, layout)
        if postings != envelope.postings:
            yield f"{where}: its postings do not follow from it"
        self.postings += [(row.position, line, one.account, one.amount) for line, one in enumerate(envelope.postings)]


def find_snapshot_faults(identity: str, snapshot: Snapshot, events_head: bytes, layout: Layout) -> Iterator[str]:
    """The faults of a snapshot, given the chain's hash and the ledger's layout at its version, made again."""
    where = f"snapshot of {snapshot.stream} at {snapshot.version}"
    if not is_good(identity, snapshot, events_head):
        yield f"{where}: is not as it was written, or not of this chain"
    if layout_in(snapshot) != layout:
        yield f"{where}: its layout does not follow from the events"


def _commands(store: k.Store, events: _Events, walk: ChainWalk) -> Iterator[str]:
    """The faults of each command, and of how it covers the events, which are known by their positions."""
    covered = moved = 0
    last = max(events.causes, default=0)
    for number, row in enumerate(store.command_rows(), start=1):
        where, record = f"command {row.number}", None
        try:
            record = msgspec.json.decode(row.entry, type=k.CommandRecord)
            where = f"{where} ({record.stream} {record.version})"
        except msgspec.DecodeError as error:
            yield f"{where}: {error}"
        if row.number != number + moved:
            yield f"{where}: stands where command {number + moved} should"
            moved = row.number - number
        if not walk.follow_command(number, row):
            yield f"{where}: the chain breaks here"
        if record is None:
            continue
        if (record.number, record.actor, record.command) != (row.number, row.actor, row.command):
            yield f"{where}: its columns differ from its entry"
        if record.first != covered + 1:
            yield f"{where}: its events begin at {record.first}, not at {covered + 1}"
        covered = record.last
        there = range(max(record.first, 1), min(record.last, last) + 1)
        causes = [events.causes[at] for at in there if at in events.causes]
        if len(causes) != record.last - record.first + 1:
            yield f"{where}: events up to {record.last} are missing"
        if any(cause[:3] != (record.actor, record.command, record.stream) for cause in causes):
            yield f"{where}: its events name another command"
        if causes and causes[-1][3] != record.version:
            yield f"{where}: its stream was at another version"
    if covered < last:
        yield f"event {covered + 1}: no command caused it"


def _postings(store: k.Store, events: _Events) -> Iterator[str]:
    stored = list(store.posting_rows())
    if stored != events.postings:
        odd = sorted(set(stored) ^ set(events.postings))
        yield f"event {odd[0][0] if odd else '?'}: the rows of postings differ from the entries: {odd[:2]}"
    sums: dict[str, int] = {}
    for _, _, account, amount in events.postings:
        sums[account] = sums.get(account, 0) + amount
    balances = store.balances()
    for account in sorted({*sums, *balances}):
        if account not in sums:
            yield f"{account}: has a row and no posting"
        if sums.get(account, 0) != balances.get(account, 0):
            yield f"{account}: holds {balances.get(account, 0)}, and its postings sum to {sums.get(account, 0)}"
    if sum(balances.values()):
        yield f"all accounts together hold {sum(balances.values())}, not 0"


def find_checkpoint_faults(
    store: k.Store, keys: Sequence[str], kept: list[checkpoints.Checkpoint], walk: ChainWalk
) -> Iterator[str]:
    """The faults of the checkpoints, given the chains as they were followed.

    Each is signed by one of the keys; where none is given, by the one that it names.
    """
    stored, head = store.checkpoints(), store.head()
    for number, checkpoint in enumerate(stored, start=1):
        if checkpoint.number != number:
            yield f"checkpoint {checkpoint.number}: stands where {number} should"
    for checkpoint in [*stored, *kept]:
        where = f"checkpoint {checkpoint.number}"
        if checkpoint.identity != store.identity:
            yield f"{where}: is of another store"
        if not checkpoints.is_signed(checkpoint, checkpoint.key):
            yield f"{where}: its signature does not hold"
        elif keys and checkpoint.key not in keys:
            yield f"{where}: it is signed with another key, {checkpoint.key}"
        for what, count, there, signed, links in (
            ("events", checkpoint.events, head.events, checkpoint.events_head, walk.old_events),
            ("commands", checkpoint.commands, head.commands, checkpoint.commands_head, walk.old_commands),
        ):
            if count > there:
                yield f"{where}: counted {count} {what}, and {there} are left"
            elif isinstance(signed, str):
                at = links.at(count)
                if at is None or at[0].hex() != signed:
                    yield f"{where}: the {what} before it have been changed"
    for checkpoint in kept:
        if checkpoint not in stored:
            yield f"checkpoint {checkpoint.number}: was given out and is not in the store"
