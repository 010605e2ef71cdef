"""The store in a SQLite file: one writer, one transaction for all that a command did, on the disk before the answer."""

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import apsw

from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.chain_walk import find_chain_faults, find_tail_faults
from casinowar.store.chains import StreamHead, first_head, leaf_of
from casinowar.store.checkpoints import Checkpoint, dump_checkpoint
from casinowar.store.events import Recorded, TableCleared, TableStopped
from casinowar.store.ledger import Layout
from casinowar.store.snapshots import KEPT, layout_in, make_snapshot
from casinowar.store.sqlite.connection import (
    DAMAGE,
    MEDIUM,
    check_integrity,
    claim,
    connect,
    count_log,
    execute,
    harden,
)
from casinowar.store.sqlite.migrate import check_applied, find_schema_faults, migrate
from casinowar.store.sqlite.reader import CHAINS, HEAD, SNAPSHOT, Reader, as_int

log = logging.getLogger(__name__)
BALANCES_KEPT = 20_000
"""So many balances at most are kept in memory."""


class SqliteStore(Reader):
    """A store in a file. `for_reading` opens it beside the writer, for an audit or a report."""

    def __init__(
        self,
        path: Path | str,
        clock: w.Clock = w.wall_clock,
        *,
        for_reading: bool = False,
        vfs: str | None = None,
    ) -> None:
        super().__init__(Path(path))
        self.now = clock
        self._layouts: dict[str, tuple[int, Layout]] = {}
        self._chains: dict[str, StreamHead] = {}
        self._balances: dict[str, int] = {}
        self._checked: dict[str, Mapping[str, int]] = {}
        self._last: tuple[k.EventRow, ...] = ()
        self._claim = None if for_reading else claim(self.path)
        try:
            self._db = connect(self.path, for_reading=for_reading, vfs=vfs)
            self._logged = count_log(self._db)
            if for_reading:
                self._check_file()
            else:
                harden(self._db)
                self._check_old()
                migrate(self._db, clock())
            self._migrations = check_applied(self._db)
            if not self._migrations:
                raise k.StoreFault(f"{self.path} holds no store")
            self.identity = self._identity()
            self._head = self._stored_head()
            self._old = self.old_chains()
            self._check_start()
        except DAMAGE as error:
            self._close_all()
            raise k.StoreFault(f"{self.path} is damaged: {error}") from error
        except MEDIUM as error:
            failure = self._fail(error)
            self._close_all()
            raise failure from error
        except BaseException:
            self._close_all()
            raise

    def _identity(self) -> str:
        found = self._execute("SELECT identity FROM identity")
        if not found:
            self._execute("INSERT INTO identity VALUES (1, ?)", (secrets.token_hex(16),))
            found = self._execute("SELECT identity FROM identity")
        return str(found[0][0])

    def _check_old(self) -> None:
        """The chains over the whole store hold, before the migration that lets streams go on from their ends."""
        self._migrations = check_applied(self._db)
        if 0 < self._migrations < CHAINS:
            check_integrity(self._db)
            self.identity = self._identity()
            self._raise_first(find_chain_faults(self))

    def _check_file(self) -> None:
        """SQLite finds no fault in the file."""
        check_integrity(self._db)

    def _check_start(self) -> None:
        """What lies behind the last checkpoint holds, the accounts sum to zero, and the schema is ours.

        It costs the same for a log of any length. The audit looks at everything else.
        """
        self._raise_first(find_tail_faults(self))
        held = self._held()
        if held:
            raise k.StoreFault(f"{self.path}: all accounts together hold {held}, not 0")
        self._raise_first(self._shape_faults())

    def _raise_first(self, faults: Iterator[str]) -> None:
        fault = next(faults, None)
        if fault:
            raise k.StoreFault(f"{self.path}: {fault}")

    def _shape_faults(self) -> Iterator[str]:
        """The schema, and the running total against the sum of all accounts."""
        faults = find_schema_faults(self._db)
        yield from faults
        if not faults and self._total() != self._held():
            yield f"the trial balance is kept as {self._total()}, and the accounts sum to {self._held()}"

    @w.locked
    def commit(self, proposal: k.Proposal) -> k.Answer:
        try:
            with self._transaction():
                rows, held = self._commit(proposal)
        except k.StoreError as error:
            stored = w.find_answer(self._command(proposal.actor, proposal.command), proposal.body)
            if stored is not None:
                return stored
            if isinstance(error, k.Imbalance):
                log.critical("table stopped: %s", error)
                self._mark(proposal.stream, TableStopped(str(error)))
            raise
        self._keep_written(rows, held)
        if proposal.table is not None:
            self._checked[proposal.stream] = proposal.table.players
        return rows.record.to_answer(is_repeated=False)

    def _commit(self, proposal: k.Proposal) -> tuple[w.Rows, dict[str, int]]:
        """Write the proposal, and give the rows and the balances behind it.

        The database refuses an id that was used before. So whether there is a stored answer is asked only where
        something refuses.
        """
        version, layout = self._layout(proposal.stream)
        w.check(proposal, version, layout)
        rows = w.prepare(proposal, self._head, self._known_head(proposal.stream), layout, self.now())
        held = self._write(rows)
        expected = w.accounts_to_check(proposal, rows.deltas, self._checked.get(proposal.stream, {}))
        for account in expected:
            if account not in held:
                held[account] = self.known_balance(account)
        w.check_accounts(proposal.stream, expected, rows.deltas, held, self._total())
        return rows, held

    def _write(self, rows: w.Rows) -> dict[str, int]:
        """Write the rows, and give the balance of each account that they move."""
        db, one = self._db, rows.command
        execute(
            db, "INSERT INTO commands VALUES (?, ?, ?, ?, ?)", (one.number, one.actor, one.command, one.entry, one.hash)
        )
        events = [(row.position, row.stream, row.version, row.name, row.entry, row.hash) for row in rows.events]
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", events).fetchall()
        db.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", rows.postings).fetchall()
        for commitment, seed in rows.seeds:
            execute(db, "INSERT INTO seeds VALUES (?, ?)", (commitment, seed))
        self._write_head(rows.head)
        return {account: self._move(account, amount) for account, amount in sorted(rows.deltas.items())}

    def _write_head(self, head: StreamHead) -> None:
        ends = (head.version, head.events_head, head.commands, head.commands_head, head.stream)
        if head.commands == 1:
            sql = f"INSERT INTO heads ({HEAD}) VALUES (?5, ?1, ?2, ?3, ?4)"
        else:
            sql = "UPDATE heads SET version = ?, events_head = ?, commands = ?, commands_head = ? WHERE stream = ?"
        execute(self._db, sql, ends)

    def _known_head(self, stream: str) -> StreamHead:
        """The head of the stream's chains, which the writer, who is alone, reads once."""
        found = self._chains.get(stream)
        if found is None:
            first = first_head(self.identity, stream, self.version(stream), self._old)
            found = self._chains[stream] = self._kept_head(stream) or first
        return found

    def _move(self, account: str, amount: int) -> int:
        """Move a balance and give what it is then. The database itself refuses one below zero."""
        sql = "UPDATE balances SET balance = balance + ? WHERE account = ? RETURNING balance"
        try:
            found = execute(self._db, sql, (amount, account))
            if found:
                return as_int(found[0][0])
            execute(self._db, "INSERT INTO balances VALUES (?, ?)", (account, amount))
        except apsw.ConstraintError:
            raise k.Overdrawn(f"{account} would stand at {self.balance(account) + amount}") from None
        return amount

    def _keep_written(self, rows: w.Rows, held: dict[str, int]) -> None:
        """Remember what the commit has written, which nobody else writes."""
        events = rows.events
        self._head = k.Head(
            rows.record.last,
            events[-1].hash if events else self._head.events_head,
            rows.record.number,
            rows.command.hash,
        )
        self._layouts[rows.record.stream] = (rows.record.version, rows.layout)
        self._chains[rows.record.stream] = rows.head
        self._last = events
        if len(self._balances) > BALANCES_KEPT:
            self._balances.clear()
        self._balances |= held

    @w.locked
    def _mark(self, stream: str, event: Recorded) -> None:
        with self._transaction():
            version, layout = self._layout(stream)
            proposal = w.stop(stream, version, self._head.commands + 1, event)
            rows = w.prepare(proposal, self._head, self._known_head(stream), layout, self.now())
            held = self._write(rows)
        self._keep_written(rows, held)

    def _layout(self, stream: str) -> tuple[int, Layout]:
        """The stream's version and the ledger's layout there.

        The writer, who is alone, reads a stream once, from its newest snapshot. A reader reads on each time.
        """
        version, layout = self._layouts.get(stream) or self._snapshot_layout(stream)
        if stream not in self._layouts or self._claim is None:
            entries = self._entries(stream, version)
            version, layout = version + len(entries), w.catch_up(layout, entries)
            self._layouts[stream] = (version, layout)
        return version, layout

    def _snapshot_layout(self, stream: str) -> tuple[int, Layout]:
        which = "stream = ? ORDER BY version DESC LIMIT ?"
        for snapshot in self._good_snapshots(which, stream, KEPT):
            layout = layout_in(snapshot)
            if layout is not None:
                return snapshot.version, layout
        return 0, Layout(stream)

    @w.locked
    def known_balance(self, account: str) -> int:
        self._check_medium()
        found = self._balances.get(account)
        if found is None:
            found = self.balance(account)
            if self._claim is not None:
                self._balances[account] = found
        return found

    def read(self, stream: str, after: int = 0) -> Iterator[k.Recalled]:
        """The entries of the last commit are still in memory, and those are what a table reads after each commit."""
        with self._lock:
            self._check_medium()
            last = self._last
        if last and (last[0].stream, last[0].version) == (stream, after + 1):
            return w.recall_all(stream, after, [row.entry for row in last])
        return super().read(stream, after)

    @w.locked
    def stopped(self, stream: str) -> str | None:
        return self._layout(stream)[1].stopped

    def clear(self, stream: str, by: str, reason: str) -> None:
        self._mark(stream, TableCleared(by, reason))

    @w.locked
    def add_checkpoint(self, checkpoint: Checkpoint, leaves: Sequence[StreamHead] = ()) -> None:
        with self._transaction():
            due = as_int(self._execute("SELECT coalesce(max(number), 0) + 1 FROM checkpoints")[0][0])
            if checkpoint.number != due:
                raise k.VersionConflict(f"checkpoint {checkpoint.number} is not the next one")
            edge = self.tree()
            for leaf in leaves:
                edge = edge.add(leaf_of(leaf))
                row = (edge.size, leaf.stream, leaf.version, leaf.events_head, leaf.commands, leaf.commands_head)
                self._execute("INSERT INTO leaves VALUES (?, ?, ?, ?, ?, ?)", row)
                self._execute("UPDATE heads SET covered = ? WHERE stream = ?", (leaf.commands, leaf.stream))
            self._execute("UPDATE tree SET size = ?, parts = ?", (edge.size, b"".join(edge.parts)))
            self._execute("INSERT INTO checkpoints VALUES (?, ?)", (checkpoint.number, dump_checkpoint(checkpoint)))

    @w.locked
    def save_snapshot(self, stream: str, version: int, format: str, body: bytes) -> None:
        with self._transaction():
            now, layout = self._layout(stream)
            head = self._hash_at(stream, version)
            if now != version or head is None:
                raise k.VersionConflict(f"{stream} is at version {now}, not {version}")
            made = make_snapshot(self.identity, stream, format, version, head, layout, body)
            row = (made.stream, made.format, version, head, made.layout, body, made.digest)
            self._execute(f"INSERT OR REPLACE INTO snapshots ({SNAPSHOT}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            newest = "SELECT version FROM snapshots WHERE stream = ?1 AND format = ?2 ORDER BY version DESC LIMIT ?3"
            old = f"DELETE FROM snapshots WHERE stream = ?1 AND format = ?2 AND version NOT IN ({newest})"
            self._execute(old, (stream, format, KEPT))

    @w.locked
    def form_faults(self) -> list[str]:
        """The schema, the running total, and the pages of the file, which a reader has checked when it was opened."""
        faults = list(self._shape_faults())
        try:
            if self._claim is not None:
                check_integrity(self._db)
        except (k.StoreFault, *DAMAGE) as error:
            faults.append(f"the file: {error}")
        return faults

    @w.locked
    def close(self) -> None:
        """Bring the write-ahead log into the file and let go of it. A group that is open is rolled back."""
        if self._is_together:
            self._roll_back(is_member=False)
            self._part()
        try:
            if self._claim is not None and self._failure is None:
                self._copy_log(apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.Error as error:
            raise self._fail(error) from error
        finally:
            self._close_all()

    def _close_all(self) -> None:
        self._failure = self._failure or f"{self.path} is closed"
        if hasattr(self, "_db"):
            self._db.close()
        if self._claim is not None:
            self._claim.close()
