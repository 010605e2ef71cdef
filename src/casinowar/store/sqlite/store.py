"""The store in a SQLite file: one writer, one transaction for all that a command did, on the disk before the answer."""

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import apsw
import msgspec

from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.chain_walk import find_chain_faults, find_tail_faults
from casinowar.store.chains import StreamHead, first_head, leaf_of
from casinowar.store.checkpoints import Checkpoint, dump_checkpoint
from casinowar.store.events import Recorded, TableCleared, TableStopped
from casinowar.store.ledger import Layout, find_imbalance
from casinowar.store.snapshots import KEPT, layout_in, make_snapshot
from casinowar.store.sqlite.connection import (
    DAMAGE,
    MEDIUM,
    check_integrity,
    claim,
    connect,
    count_log,
    execute,
    execute_many,
    harden,
)
from casinowar.store.sqlite.migrate import check_applied, find_schema_faults, migrate
from casinowar.store.sqlite.reader import CHAINS, HEAD, SNAPSHOT, Reader, as_int

log = logging.getLogger(__name__)
BALANCES_KEPT = 20_000
"""So many balances at most are kept in memory."""

COMMAND = "INSERT INTO commands VALUES (?, ?, ?, ?, ?)"
EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)"
POSTING = "INSERT INTO postings VALUES (?, ?, ?, ?)"
STREAM_HEAD = f"""
INSERT INTO heads ({HEAD}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET
version = excluded.version, events_head = excluded.events_head,
commands = excluded.commands, commands_head = excluded.commands_head
"""
MOVE = "UPDATE balances SET balance = balance + ? WHERE account = ? RETURNING account, balance"


class Done(msgspec.Struct, frozen=True):
    """What one commit writes, and what each account that it moves holds behind it."""

    rows: w.Rows
    held: dict[str, int]
    is_checked: bool = True


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
        self._last: tuple[k.Recalled, ...] = ()
        self._unwritten: dict[tuple[str, str], Done] = {}
        self._free_id: tuple[str, str] | None = None
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
            raise k.StoreFault(f"{self.path}: all accounts together hold {held}, not 0: casinowar audit tells more")
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
    def begin_together(self) -> None:
        """Open a group. Where the books are off there is none: each commit by itself finds it and stops its table."""
        self._check_medium()
        if total := self._total():
            raise k.StoreFault(f"all accounts together hold {total}, not 0")
        super().begin_together()

    @w.locked
    def commit(self, proposal: k.Proposal) -> k.Answer:
        stored = w.find_answer(self._command(proposal.actor, proposal.command), proposal.body)
        if stored is not None:
            return stored
        try:
            done = self._prepare(proposal)
            self._put(done)
        except k.Imbalance as error:
            if proposal.is_of_a_table:
                log.critical("a table was stopped", extra={"table": proposal.stream, "error": str(error)})
                self._mark(proposal.stream, TableStopped(str(error)))
            raise
        if proposal.table is not None:
            self._checked[proposal.stream] = proposal.table.players
        return done.rows.record.to_answer(is_repeated=False)

    def _command(self, actor: str, command: str) -> k.CommandRow | None:
        """The row of a command, written or not yet. That an id is free is asked once, before it is decided on."""
        self._check_medium()
        key = (actor, command)
        if key == self._free_id:
            return None
        found = self._unwritten[key].rows.command if key in self._unwritten else super()._command(actor, command)
        self._free_id = key if found is None and self._claim is not None else None
        return found

    def _prepare(self, proposal: k.Proposal) -> Done:
        """The rows of the proposal and the balances behind it, by what the writer, who is alone, knows.

        What is to be refused is refused here, before anything is written.
        """
        version, layout = self._layout(proposal.stream)
        w.check(proposal, version, layout)
        w.check_held(proposal, {account: self.known_balance(account) for account in proposal.held})
        done = self._rows(proposal, layout)
        expected = w.accounts_to_check(proposal, done.rows.deltas, self._checked.get(proposal.stream, {}))
        held = {account: self.known_balance(account) for account in expected if account not in done.held}
        w.check_accounts(proposal.stream, expected, done.rows.deltas, held | done.held, total=0)
        return done

    def _rows(self, proposal: k.Proposal, layout: Layout) -> Done:
        rows = w.prepare(proposal, self._head, self._known_head(proposal.stream), layout, self.now())
        return Done(rows, {account: self.known_balance(account) + moved for account, moved in rows.deltas.items()})

    def _put(self, done: Done) -> None:
        """Write what was done, with all of the group or by itself, and remember it, which nobody else writes."""
        if not self._is_together:
            with self._transaction():
                self._write_seeds(done)
                self._write([done])
        else:
            self._begin_group()
            if done.rows.seeds:
                with self._transaction():
                    self._write_seeds(done)
            self._unwritten[done.rows.record.actor, done.rows.record.command] = done
        self._keep(done)

    def _flush(self) -> None:
        """Write what the group has in memory. A file that does not take it is not the one that the writer knows."""
        if self._unwritten:
            done, self._unwritten = [*self._unwritten.values()], {}
            try:
                self._write(done)
            except (apsw.Error, k.Imbalance) as error:
                self._roll_back(is_member=False)
                raise self._fail(error) from error

    def _write_seeds(self, done: Done) -> None:
        for commitment, seed in done.rows.seeds:
            execute(self._db, "INSERT INTO seeds VALUES (?, ?)", (commitment, seed))

    def _write(self, done: Sequence[Done]) -> None:
        """Write the rows of these commits, each head and each balance once, and compare the file with what is known."""
        db, heads = self._db, {one.rows.head.stream: one.rows.head for one in done}
        held = {account: balance for one in done for account, balance in one.held.items()}
        execute_many(db, COMMAND, [msgspec.structs.astuple(one.rows.command) for one in done])
        execute_many(db, EVENT, [msgspec.structs.astuple(row) for one in done for row in one.rows.events])
        execute_many(db, POSTING, [row for one in done for row in one.rows.postings])
        execute_many(db, STREAM_HEAD, [msgspec.structs.astuple(head) for head in heads.values()])
        found = self._move(w.add_up(one.rows.deltas for one in done))
        fault = find_imbalance(found, {account: held[account] for account in found}, self._total())
        if fault and any(one.is_checked for one in done):
            raise k.Imbalance(f"{', '.join(heads)}: {fault}")

    def _move(self, moved: Mapping[str, int]) -> dict[str, int]:
        """Move balances, and give what they are then. The database itself refuses one below zero."""
        order = sorted(moved.items())
        rows = execute_many(self._db, MOVE, [(amount, account) for account, amount in order])
        found = {str(account): as_int(balance) for account, balance in rows}
        new = {account: amount for account, amount in order if account not in found}
        execute_many(self._db, "INSERT INTO balances VALUES (?, ?)", list(new.items()))
        return found | new

    def _known_head(self, stream: str) -> StreamHead:
        """The head of the stream's chains, which the writer, who is alone, reads once."""
        found = self._chains.get(stream)
        if found is None:
            first = first_head(self.identity, stream, self.version(stream), self._old)
            found = self._chains[stream] = self._kept_head(stream) or first
        return found

    def _keep(self, done: Done) -> None:
        rows, events = done.rows, done.rows.events
        self._head = k.Head(
            rows.record.last,
            events[-1].hash if events else self._head.events_head,
            rows.record.number,
            rows.command.hash,
        )
        self._layouts[rows.record.stream] = (rows.record.version, rows.layout)
        self._chains[rows.record.stream] = rows.head
        self._last = rows.recalled
        self._free_id = None
        if len(self._balances) > BALANCES_KEPT:
            self._balances.clear()
        self._balances |= done.held

    @w.locked
    def _mark(self, stream: str, event: Recorded) -> None:
        """Note that a table is stopped or goes on, whatever its accounts hold."""
        version, layout = self._layout(stream)
        done = self._rows(w.stop(stream, version, self._head.commands + 1, event), layout)
        self._put(msgspec.structs.replace(done, is_checked=False))

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
        """The events of the last commit are still in memory, and those are what a table reads after each commit."""
        with self._lock:
            self._check_medium()
            last = self._last
        if last and (last[0].stream, last[0].version) == (stream, after + 1):
            return iter(last)
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
    def save_snapshot(
        self, stream: str, version: int, format: str, body: bytes, *, position: int | None = None
    ) -> None:
        with self._transaction():
            now, layout = self._layout(stream)
            head = self._last_hash(stream, version)
            if now != version or head is None:
                raise k.VersionConflict(f"{stream} is at version {now}, not {version}")
            w.check_end(position, self.head())
            made = make_snapshot(self.identity, stream, format, version, head, layout, body)
            row = (made.stream, made.format, version, head, made.layout, body, made.digest)
            self._file_rows(f"INSERT OR REPLACE INTO snapshots ({SNAPSHOT}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            newest = "SELECT version FROM snapshots WHERE stream = ?1 AND format = ?2 ORDER BY version DESC LIMIT ?3"
            old = f"DELETE FROM snapshots WHERE stream = ?1 AND format = ?2 AND version NOT IN ({newest})"
            self._file_rows(old, (stream, format, KEPT))

    def _last_hash(self, stream: str, version: int) -> bytes | None:
        """The hash of the stream's event at its last version, which the group may have in memory."""
        for done in reversed(self._unwritten.values()):
            if done.rows.record.stream == stream and done.rows.events:
                return done.rows.events[-1].hash
        return self._hash_at(stream, version)

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
