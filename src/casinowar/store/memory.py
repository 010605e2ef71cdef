"""The store in memory: for tests, for a table that nobody needs to keep, and as the plainest form of the contract."""

import logging
import secrets
import threading
from collections.abc import Iterator, Sequence

from casinowar.merkle import Edge
from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.chains import OldChains, StreamHead, first_head, leaf_of
from casinowar.store.checkpoints import Checkpoint
from casinowar.store.events import Recorded, TableCleared, TableStopped
from casinowar.store.ledger import Layout
from casinowar.store.snapshots import KEPT, Snapshot, is_good, make_snapshot

log = logging.getLogger(__name__)


class MemoryStore:
    """A store in lists and dictionaries under one lock. A commit changes them only after every check."""

    def __init__(self, clock: w.Clock = w.wall_clock) -> None:
        self.identity = secrets.token_hex(16)
        self.now = clock
        self._lock = threading.RLock()
        self._is_together = False
        self._events: list[k.EventRow] = []
        self._commands: list[k.CommandRow] = []
        self._by_id: dict[tuple[str, str], k.CommandRow] = {}
        self._streams: dict[str, list[k.EventRow]] = {}
        self._layouts: dict[str, Layout] = {}
        self._postings: list[tuple[int, int, str, int]] = []
        self._balances: dict[str, int] = {}
        self._heads: dict[str, StreamHead] = {}
        self._covered: dict[str, int] = {}
        self._leaves: list[StreamHead] = []
        self._tree = Edge()
        self._snapshots: list[Snapshot] = []
        self._checkpoints: list[Checkpoint] = []
        self._seeds: dict[str, bytes] = {}

    @w.locked
    def commit(self, proposal: k.Proposal) -> k.Answer:
        try:
            return self._commit(proposal)
        except k.Imbalance as error:
            if proposal.is_of_a_table:
                log.critical("a table was stopped", extra={"table": proposal.stream, "error": str(error)})
                self._mark(proposal.stream, TableStopped(str(error)))
            raise

    def _commit(self, proposal: k.Proposal) -> k.Answer:
        stored = w.find_answer(self._by_id.get((proposal.actor, proposal.command)), proposal.body)
        if stored is not None:
            return stored
        layout = self._layouts.get(proposal.stream, Layout(proposal.stream))
        w.check(proposal, self.version(proposal.stream), layout)
        w.check_held(proposal, {account: self.balance(account) for account in proposal.held})
        rows = self._prepare(proposal, layout)
        expected = w.accounts_of_table(proposal)
        held = {name: self.balance(name) + rows.deltas.get(name, 0) for name in {*expected, *rows.deltas}}
        total = sum(self._balances.values()) + sum(rows.deltas.values())
        w.check_accounts(proposal.stream, expected, rows.deltas, held, total)
        self._write(proposal, rows)
        return rows.record.to_answer(is_repeated=False)

    def _prepare(self, proposal: k.Proposal, layout: Layout) -> w.Rows:
        stream = proposal.stream
        chains = self._heads.get(stream) or first_head(self.identity, stream, 0, OldChains())
        return w.prepare(proposal, self.head(), chains, layout, self.now())

    def _write(self, proposal: k.Proposal, rows: w.Rows) -> None:
        self._events += rows.events
        self._streams.setdefault(proposal.stream, []).extend(rows.events)
        self._layouts[proposal.stream] = rows.layout
        self._heads[proposal.stream] = rows.head
        self._postings += rows.postings
        for account, amount in rows.deltas.items():
            self._balances[account] = self._balances.get(account, 0) + amount
        self._seeds |= dict(rows.seeds)
        self._commands.append(rows.command)
        self._by_id[proposal.actor, proposal.command] = rows.command

    def _mark(self, stream: str, event: Recorded) -> None:
        proposal = w.stop(stream, self.version(stream), len(self._commands) + 1, event)
        self._write(proposal, self._prepare(proposal, self._layouts.get(stream, Layout(stream))))

    @w.locked
    def begin_together(self) -> None:
        if self._is_together:
            raise RuntimeError("a group of commits is open already")
        self._lock.acquire()
        self._is_together = True

    @w.locked
    def finish_together(self) -> None:
        if not self._is_together:
            raise RuntimeError("no group of commits is open")
        self._is_together = False
        self._lock.release()

    @w.locked
    def answer_to(self, actor: str, command: str, body: bytes) -> k.Answer | None:
        return w.find_answer(self._by_id.get((actor, command)), body)

    def read(self, stream: str, after: int = 0) -> Iterator[k.Recalled]:
        with self._lock:
            entries = [row.entry for row in self._streams.get(stream, [])[after:]]
        return w.recall_all(stream, after, entries)

    @w.locked
    def version(self, stream: str) -> int:
        return len(self._streams.get(stream, ()))

    @w.locked
    def stopped(self, stream: str) -> str | None:
        return self._layouts.get(stream, Layout(stream)).stopped

    @w.locked
    def clear(self, stream: str, by: str, reason: str) -> None:
        self._mark(stream, TableCleared(by, reason))

    @w.locked
    def seed(self, commitment: str) -> bytes | None:
        return self._seeds.get(commitment)

    @w.locked
    def commitments(self) -> list[str]:
        return sorted(self._seeds)

    @w.locked
    def streams(self) -> list[str]:
        return sorted(name for name, rows in self._streams.items() if rows)

    @w.locked
    def balance(self, account: str) -> int:
        return self._balances.get(account, 0)

    def known_balance(self, account: str) -> int:
        return self.balance(account)

    @w.locked
    def balances(self) -> dict[str, int]:
        return dict(self._balances)

    @w.locked
    def total(self) -> int:
        return sum(self._balances.values())

    @w.locked
    def statement(self, account: str) -> list[tuple[int, int]]:
        return [(position, amount) for position, _, name, amount in self._postings if name == account]

    @w.locked
    def head(self) -> k.Head:
        events, commands = self._events, self._commands
        return k.Head(
            len(events),
            events[-1].hash if events else b"",
            len(commands),
            commands[-1].hash if commands else b"",
        )

    @w.locked
    def event_rows(self, after: int | None = None) -> Iterator[k.EventRow]:
        return iter(self._events[after:])

    @w.locked
    def command_rows(self, after: int | None = None) -> Iterator[k.CommandRow]:
        return iter(self._commands[after:])

    @w.locked
    def posting_rows(self) -> Iterator[tuple[int, int, str, int]]:
        return iter(list(self._postings))

    def old_chains(self) -> OldChains:
        return OldChains()

    @w.locked
    def stream_heads(self) -> list[tuple[StreamHead, int]]:
        return [(head, self._covered.get(stream, 0)) for stream, head in sorted(self._heads.items())]

    @w.locked
    def last_leaves(self) -> dict[str, StreamHead]:
        return {leaf.stream: leaf for leaf in self._leaves}

    @w.locked
    def growth(self) -> k.Growth:
        leaves = [head for head, covered in self.stream_heads() if head.commands > covered]
        before = {stream: (leaf.version, leaf.commands) for stream, leaf in self.last_leaves().items()}
        covered = [before.get(leaf.stream, (0, 0)) for leaf in leaves]
        return k.Growth(self.head(), leaves, self._tree, covered, self.last_checkpoint())

    @w.locked
    def leaves(self) -> list[StreamHead]:
        return list(self._leaves)

    @w.locked
    def tree(self) -> Edge:
        return self._tree

    @w.locked
    def checkpoints(self, after: int = 0, most: int = -1) -> list[Checkpoint]:
        return self._checkpoints[after : None if most < 0 else after + most]

    @w.locked
    def last_checkpoint(self) -> Checkpoint | None:
        return self._checkpoints[-1] if self._checkpoints else None

    @w.locked
    def add_checkpoint(self, checkpoint: Checkpoint, leaves: Sequence[StreamHead] = ()) -> None:
        if checkpoint.number != len(self._checkpoints) + 1:
            raise k.VersionConflict(f"checkpoint {checkpoint.number} is not the next one")
        for leaf in leaves:
            self._tree = self._tree.add(leaf_of(leaf))
            self._covered[leaf.stream] = leaf.commands
        self._leaves += leaves
        self._checkpoints.append(checkpoint)

    @w.locked
    def save_snapshot(
        self, stream: str, version: int, format: str, body: bytes, *, position: int | None = None
    ) -> None:
        head = self._heads.get(stream)
        if head is None or not 0 < head.version == version:
            raise k.VersionConflict(f"{stream} is not at version {version}")
        w.check_end(position, self.head())
        others = [one for one in self._snapshots if (one.stream, one.format, one.version) != (stream, format, version)]
        made = make_snapshot(self.identity, stream, format, version, head.events_head, self._layouts[stream], body)
        old = [one for one in others if (one.stream, one.format) == (stream, format)][: 1 - KEPT]
        self._snapshots = [*(one for one in others if one not in old), made]

    @w.locked
    def snapshots(self, stream: str, format: str) -> list[Snapshot]:
        found = [one for one in reversed(self._snapshots) if (one.stream, one.format) == (stream, format)]
        return [one for one in found if is_good(self.identity, one, self._hash_at(stream, one.version))]

    @w.locked
    def snapshot_rows(self, stream: str | None = None) -> list[Snapshot]:
        return [one for one in self._snapshots if stream is None or one.stream == stream]

    def _hash_at(self, stream: str, version: int) -> bytes | None:
        rows = self._streams.get(stream, [])
        return rows[version - 1].hash if 0 < version <= len(rows) else None

    def form_faults(self) -> list[str]:
        return []

    @w.locked
    def close(self) -> None:
        """Let other threads in where a group is open; what was in memory goes with the store."""
        if self._is_together:
            self.finish_together()
