"""The store in a PostgreSQL database: several processes may write to it at once.

What they share (purses, ids of commands, streams that nobody has leased) is looked at under locks of the transaction in
which it is written. Places in the log are given out when that is sent, under the lock of one row.
"""

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.chain_walk import find_tail_faults
from casinowar.store.chains import StreamHead, first_head, leaf_of
from casinowar.store.checkpoints import Checkpoint, dump_checkpoint
from casinowar.store.events import Recorded, TableCleared, TableStopped
from casinowar.store.ledger import Layout, chips
from casinowar.store.postgres.commit_rows import COVERED, LEAF
from casinowar.store.postgres.group import Member, SavedSnapshot
from casinowar.store.postgres.leases import Leases
from casinowar.store.postgres.medium import lock_number
from casinowar.store.postgres.migrate import check_rights, find_schema_faults, migrate
from casinowar.store.snapshots import KEPT, layout_in, make_snapshot
from casinowar.store.sql_reader import SNAPSHOT, as_bytes, as_int

log = logging.getLogger(__name__)
T = TypeVar("T")
BALANCES_KEPT = 20_000
"""So many balances at most are kept in memory."""

PURSE = "purse:"
NEW_STORE = """
WITH ends AS (INSERT INTO old_chains VALUES (1, 0, '', 0, '') ON CONFLICT DO NOTHING)
INSERT INTO identity VALUES (1, ?) ON CONFLICT DO NOTHING
"""


class PostgresStore(Leases):
    """A store in a database. `for_reading` opens it for a report. With `is_alone` no other server may be beside it, and
    with `is_shared` none that wants to be alone."""

    def __init__(
        self,
        url: str,
        clock: w.Clock = w.wall_clock,
        *,
        for_reading: bool = False,
        is_alone: bool = False,
        is_shared: bool = False,
    ) -> None:
        super().__init__(url, for_reading=for_reading, is_alone=is_alone, is_shared=is_shared)
        self.now = clock
        self._layouts: dict[str, tuple[int, Layout]] = {}
        self._chains: dict[str, StreamHead] = {}
        self._balances: dict[str, int] = {}
        self._glance: dict[str, int] = {}
        self._checked: dict[str, Mapping[str, int]] = {}
        self._behind: set[str] = set()
        self._last: tuple[k.Recalled, ...] = ()
        try:
            if not for_reading:
                migrate(self._db, clock())
                check_rights(self._db)
            self.identity = self._identity()
            self._old = self.old_chains()
            self._check_start()
        except BaseException:
            self._close_all()
            raise

    def _identity(self) -> str:
        found = self._execute("SELECT identity FROM identity")
        if not found and not self._for_reading:
            self._execute(NEW_STORE, (secrets.token_hex(16),))
            found = self._execute("SELECT identity FROM identity")
        if not found:
            raise k.StoreFault(f"{self.path} holds no store")
        return str(found[0][0])

    def _check_start(self) -> None:
        """What lies behind the last checkpoint holds, the accounts sum to zero, and the schema is ours.

        It is looked at as it stands at one moment, since others may write meanwhile.
        """
        self._at_one_moment(self._check_now)

    def _check_now(self) -> None:
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
        if self._is_together:
            raise RuntimeError("a group of commits is open already")
        if total := self.total():
            raise k.StoreFault(f"all accounts together hold {total}, not 0")
        self._lock.acquire()
        self._is_together = True

    @w.locked
    def finish_together(self) -> None:
        self._check_medium()
        if not self._is_together:
            raise RuntimeError("no group of commits is open")
        try:
            self._finish()
        except k.Imbalance as error:
            raise self._fail(error) from error
        finally:
            self._part()

    @w.locked
    def commit(self, proposal: k.Proposal) -> k.Answer:
        self._check_medium()
        try:
            return self._by_itself(lambda: self._propose(proposal))
        except k.Imbalance as error:
            if self._failure is not None or not proposal.is_of_a_table:
                raise
            log.critical("a table was stopped", extra={"table": proposal.stream, "error": str(error)})
            self._mark(proposal.stream, TableStopped(str(error)))
            raise

    def _by_itself(self, do: Callable[[], T]) -> T:
        """Do what adds to the group; outside of one it is a group of its own."""
        if self._is_together:
            return do()
        try:
            done = do()
            self._finish()
            return done
        except BaseException:
            self._give_up()
            raise

    def _give_up(self) -> None:
        """Forget what was not written, and all that was known by it."""
        streams = {one.proposal.stream for one in self._members}
        self._drop_group()
        for stream in streams:
            self._note_others(stream)
            self._layouts.pop(stream, None)

    def _propose(self, proposal: k.Proposal) -> k.Answer:
        stream, waiting = proposal.stream, self._waiting(proposal.actor, proposal.command)
        if waiting is not None:
            found = w.find_answer(waiting.rows.command, proposal.body)
            assert found is not None
            return found
        stored = self._look_up(proposal.actor, proposal.command, stream, self._purses(proposal))
        if stored is not None:
            found = w.find_answer(k.CommandRow(0, "", "", stored, b""), proposal.body)
            assert found is not None
            return found
        version, layout = self._layout(stream)
        w.check(proposal, version, layout)
        w.check_held(proposal, self._known(list(proposal.held)))
        _check_seeds(proposal)
        member = self._member(proposal, layout)
        rows = member.rows
        expected = w.accounts_to_check(proposal, rows.deltas, self._checked.get(stream, {}))
        known = self._known([account for account in expected if account not in member.held])
        w.check_accounts(stream, expected, rows.deltas, known | member.held, total=0)
        if stream not in self._held_streams:  # The connection was opened again, and nothing is locked any more.
            return self._propose(proposal)
        self._add(member)
        if proposal.table is not None:
            self._checked[stream] = proposal.table.players
        return rows.record.to_answer(is_repeated=False)

    def _purses(self, proposal: k.Proposal) -> list[str]:
        """The purses that the events of the proposal move, and those on which it rests.

        Where the layout is not known yet, it is read.
        """
        try:
            layout, moved = self._layout(proposal.stream)[1], set(proposal.held)
            for event in proposal.events:
                layout, postings = w.post_event(layout, event)
                moved |= {one.account for one in postings if one.account.startswith(PURSE)}
        except k.Imbalance:
            return []  # It is found again behind the checks that come first.
        return sorted(moved)

    def _member(self, proposal: k.Proposal, layout: Layout, *, is_checked: bool = True) -> Member:
        chains, at = self._known_head(proposal.stream), self.now()
        rows = w.prepare(proposal, self._end, chains, layout, at)
        known = self._known(list(rows.deltas))
        held = {account: known[account] + moved for account, moved in rows.deltas.items()}
        return Member(proposal, at, layout, chains, rows, held, is_checked)

    def _add(self, member: Member) -> None:
        """Add a member to the group, and remember what stands behind it."""
        rows = member.rows
        self._take(member)
        self._layouts[rows.record.stream] = (rows.record.version, rows.layout)
        self._chains[rows.record.stream] = rows.head
        self._last = rows.recalled
        if len(self._balances) > BALANCES_KEPT:
            self._balances.clear()
        for account, held in member.held.items():
            self._note_balance(account, held)

    def _note_balance(self, account: str, held: int) -> None:
        if account in self._held_purses:
            self._held_purses[account] = held
        elif not account.startswith(PURSE):
            self._balances[account] = held

    def _known(self, accounts: Sequence[str]) -> dict[str, int]:
        """What these accounts hold with all that waits: purses as they are under lock, others as they were read."""
        known = {account: self._held_purses.get(account, self._balances.get(account)) for account in accounts}
        unknown = [account for account, held in known.items() if held is None]
        if unknown:
            sql = "SELECT account, balance FROM balances WHERE account = ANY (?::text[])"
            there = {str(account): as_int(held) for account, held in self._rows_again(sql, (unknown,))}
            moved = w.add_up(one.rows.deltas for one in self._members[self._sent :])
            for account in unknown:
                known[account] = there.get(account, 0) + moved.get(account, 0)
                self._note_balance(account, known[account] or 0)
        return {account: held or 0 for account, held in known.items()}

    def _known_head(self, stream: str) -> StreamHead:
        found = self._chains.get(stream)
        if found is None:
            first = first_head(self.identity, stream, self.version(stream), self._old)
            found = self._chains[stream] = self._kept_head(stream) or first
        return found

    def _note_others(self, stream: str) -> None:
        """Forget what was known of a stream that somebody else has written to, but for the layout up to there."""
        self._chains.pop(stream, None)
        self._checked.pop(stream, None)
        self._balances.clear()
        self._behind.add(stream)
        self._last = ()

    def _forget_stream(self, stream: str) -> None:
        for known in (self._chains, self._layouts, self._checked):
            known.pop(stream, None)
        self._behind.discard(stream)

    @w.locked
    def _mark(self, stream: str, event: Recorded) -> None:
        """Note that a table is stopped or goes on, whatever its accounts hold."""

        def mark() -> None:
            self._look_up("", "", stream, [])
            version, layout = self._layout(stream)
            proposal = w.stop(stream, version, self._end.commands + 1, event)
            self._add(self._member(proposal, layout, is_checked=False))

        self._by_itself(mark)

    def _layout(self, stream: str) -> tuple[int, Layout]:
        """The stream's version and the ledger's layout there, read from its newest snapshot on."""
        version, layout = self._layouts.get(stream) or self._snapshot_layout(stream)
        if stream not in self._layouts or stream in self._behind or self._for_reading:
            self._behind.discard(stream)
            entries = self._entries(stream, version)
            version, layout = version + len(entries), w.catch_up(layout, entries)
            self._layouts[stream] = (version, layout)
        return version, layout

    def _snapshot_layout(self, stream: str) -> tuple[int, Layout]:
        for snapshot in self._good_snapshots("stream = ? ORDER BY version DESC LIMIT ?", stream, KEPT):
            layout = layout_in(snapshot)
            if layout is not None:
                return snapshot.version, layout
        return 0, Layout(stream)

    @w.locked
    def answer_to(self, actor: str, command: str, body: bytes) -> k.Answer | None:
        """The stored answer. In a group the id is locked with it, so that nobody else decides on it meanwhile."""
        self._check_medium()
        waiting = self._waiting(actor, command)
        if waiting is not None:
            return w.find_answer(waiting.rows.command, body)
        if not self._is_together:
            return super().answer_to(actor, command, body)
        stored = self._look_up(actor, command, "", [])
        return None if stored is None else w.find_answer(k.CommandRow(0, "", "", stored, b""), body)

    @w.locked
    def known_balance(self, account: str) -> int:
        """The balance. In a group a purse is locked with it, so that it can be relied on until the group ends."""
        self._check_medium()
        if not self._is_together or not account.startswith(PURSE):
            seen = self._glance.get(account)
            return self.balance(account) if seen is None else seen
        self._look_up("", "", "", [account])
        return self._known([account])[account]

    @contextmanager
    def glance(self, accounts: Sequence[str]) -> Iterator[None]:
        """Read these balances at once; within the block, in which nothing is done, they are what is known of them."""
        there = self._execute("SELECT account, balance FROM balances WHERE account = ANY (?::text[])", (accounts,))  # type: ignore[arg-type]
        self._glance = dict.fromkeys(accounts, 0) | {str(account): as_int(held) for account, held in there}
        try:
            yield
        finally:
            self._glance = {}

    @w.locked
    def held_by(self, player: str, streams: Sequence[str]) -> dict[str, tuple[int, int]]:
        """A player's chips by stream, before them and on the layout, as the log has them at one moment."""
        return self._at_one_moment(lambda: self._held_by(player, {chips(one, player): one for one in streams}))

    def _held_by(self, player: str, accounts: dict[str, str]) -> dict[str, tuple[int, int]]:
        sql = "SELECT account, balance FROM balances WHERE account = ANY (?::text[])"
        found = {}
        for account, held in self._execute(sql, (list(accounts),)):  # type: ignore[arg-type]
            stream = accounts[str(account)]
            self._behind.add(stream)
            found[stream] = (as_int(held), self._layout(stream)[1].lies_for(player))
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
        if not self._is_together:
            self._behind.add(stream)
        return self._layout(stream)[1].stopped

    def clear(self, stream: str, by: str, reason: str) -> None:
        self._mark(stream, TableCleared(by, reason))

    @w.locked
    def add_checkpoint(self, checkpoint: Checkpoint, leaves: Sequence[StreamHead] = ()) -> None:
        self._apart(lambda: self._write_checkpoint(checkpoint, leaves))
        self._is_bound = self._is_together

    def _write_checkpoint(self, checkpoint: Checkpoint, leaves: Sequence[StreamHead]) -> None:
        document = dump_checkpoint(checkpoint)
        self._file_rows("SELECT held FROM lock_log()")
        there = self._file_rows("SELECT document FROM checkpoints WHERE number = ?", (checkpoint.number,))
        if there == [(document,)] and self._is_again:
            return
        due = as_int(self._file_rows("SELECT coalesce(max(number), 0) + 1 FROM checkpoints")[0][0])
        if checkpoint.number != due:
            raise k.VersionConflict(f"checkpoint {checkpoint.number} is not the next one")
        edge, rows = self.tree(), []
        for leaf in leaves:
            edge = edge.add(leaf_of(leaf))
            rows.append((edge.size, *msgspec.structs.astuple(leaf)))
        self._send(LEAF, rows)
        self._send(COVERED, [(leaf.stream, leaf.commands) for leaf in leaves])
        self._file_rows("UPDATE tree SET size = ?, parts = ?", (edge.size, b"".join(edge.parts)))
        self._file_rows("INSERT INTO checkpoints VALUES (?, ?)", (checkpoint.number, document))

    @w.locked
    def growth(self) -> k.Growth:
        """What the next checkpoint has to cover, all of it at one moment, also where others write.

        A group that has begun sees what others commit between two of its statements, so it has them wait.
        """
        return self._apart(self._locked_growth) if self._is_begun else self._at_one_moment(super().growth)

    def _locked_growth(self) -> k.Growth:
        self._file_rows("SELECT held FROM lock_log()")
        return super().growth()

    @w.locked
    def save_snapshot(
        self, stream: str, version: int, format: str, body: bytes, *, position: int | None = None
    ) -> None:
        saved = self._apart(lambda: self._save_snapshot(stream, version, format, body, position))
        if self._is_together:
            self._saved.append(saved)

    def _save_snapshot(
        self, stream: str, version: int, format: str, body: bytes, position: int | None
    ) -> SavedSnapshot:
        self._behind.add(stream)  # Another server may have written to it since it was last read here.
        now, layout = self._layout(stream)
        if now != version:
            raise k.VersionConflict(f"{stream} is at version {now}, not {version}")
        w.check_end(position, self.head())
        saved = SavedSnapshot(stream, version, format, layout, body, position)
        self._write_snapshot(saved)
        return saved

    def _write_snapshot(self, snapshot: SavedSnapshot) -> None:
        stream, version, format = snapshot.stream, snapshot.version, snapshot.format
        found = self._file_rows("SELECT hash FROM events WHERE stream = ? AND version = ?", (stream, version))
        if not found:
            raise k.VersionConflict(f"{stream} has no version {version}")
        number = lock_number("snapshot", stream, format)
        if self._file_rows("SELECT pg_try_advisory_xact_lock(?)", (number,)) != [(True,)]:
            raise k.StoreInUse(f"another server writes a snapshot of {stream} just now")
        head = as_bytes(found[0][0])
        made = make_snapshot(self.identity, stream, format, version, head, snapshot.layout, snapshot.body)
        row = (stream, format, version, made.events_head, made.layout, made.body, made.digest)
        columns = ("events_head", "layout", "body", "digest")
        anew = ", ".join(f"{name} = excluded.{name}" for name in columns)
        self._file_rows(
            f"INSERT INTO snapshots ({SNAPSHOT}) VALUES (?, ?, ?, ?, ?, ?, ?) "
            f"ON CONFLICT (stream, version, format) DO UPDATE SET {anew}",
            row,
        )
        newest = "SELECT version FROM snapshots WHERE stream = ?1 AND format = ?2 ORDER BY version DESC LIMIT ?3"
        old = f"DELETE FROM snapshots WHERE stream = ?1 AND format = ?2 AND version NOT IN ({newest})"
        self._file_rows(old, (stream, format, KEPT))

    @w.locked
    def certain_end(self) -> int:
        """The position up to which the log will never be another: it ends before what an open group has written."""
        if self._sent:
            return self._members[0].rows.record.first - 1
        return as_int(self._rows_again("SELECT coalesce(max(position), 0) FROM events", ())[0][0])

    @w.locked
    def rows_of_others(self, after: int, until: int, without: Sequence[str]) -> list[k.EventRow]:
        """The events at positions behind `after` up to `until`, but for those of these streams."""
        sql = (
            "SELECT position, stream, version, name, entry, hash FROM events "
            "WHERE position > ? AND position <= ? AND stream <> ALL (?::text[]) ORDER BY position"
        )
        rows = self._execute(sql, (after, until, list(without)))  # type: ignore[arg-type]
        return [k.EventRow(as_int(p), str(s), as_int(v), str(n), as_bytes(e), as_bytes(h)) for p, s, v, n, e, h in rows]

    @w.locked
    def form_faults(self) -> list[str]:
        """The schema and the running total."""
        return list(self._shape_faults())

    @w.locked
    def close(self) -> None:
        """Let go of the database. A group that is open is rolled back."""
        self._part()
        if self._failure is None:
            self._drop_group()
            self._release_all()
        self._close_all()

    def _close_all(self) -> None:
        self._failure = self._failure or f"{self.path} is closed"
        self._db.close()


def _check_seeds(proposal: k.Proposal) -> None:
    """Refuse a seed that the database would refuse, and all of the group with it."""
    for commitment, seed in proposal.seeds:
        if len(commitment) != 64 or len(seed) != 32:
            raise k.StoreFault("a seed has 32 bytes, and its commitment 64 digits")
