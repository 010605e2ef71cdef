"""Commits that wait together: their locks, their rows, and what becomes of them where the connection is lost.

A lock that is not free is never waited for while another is held: the group ends early, and then the waiting begins.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

import asyncpg  # type: ignore[import-untyped]
import msgspec

from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.chains import StreamHead
from casinowar.store.ledger import ISSUANCE, Layout
from casinowar.store.postgres.commit_rows import COMMAND, EVENT, MOVE, POSTING, SEED, STREAM_HEAD, WRITTEN, columns
from casinowar.store.postgres.connection import ConnectionLost
from casinowar.store.postgres.medium import AGAIN_S, LOOK_UP, MEDIUM, lock_number
from casinowar.store.postgres.reader import Reader
from casinowar.store.sql_reader import as_bytes, as_int
from casinowar.store.sqlite.connection import Value

T = TypeVar("T")
LOCK_LOG = "SELECT held, events, commands FROM lock_log()"
PATIENCE = "SELECT set_config('lock_timeout', ?, true)"
"""The milliseconds that the transaction waits for each lock from here on."""


class Member(msgspec.Struct):
    """A commit of the group: what was proposed, on what, and the rows, which are made again where places differ."""

    proposal: k.Proposal
    at: int
    layout: Layout
    chains: StreamHead
    rows: w.Rows
    held: dict[str, int]
    is_checked: bool = True

    @property
    def id(self) -> tuple[str, str]:
        return self.proposal.actor, self.proposal.command


class SavedSnapshot(msgspec.Struct, frozen=True):
    """A snapshot of the group. It is written again where the connection was lost before the group was.

    One that names a position in the log is not, where the commits before it get other places then.
    """

    stream: str
    version: int
    format: str
    layout: Layout
    body: bytes
    position: int | None


class Group(Reader):
    """The part of the store that writes: what waits, under which locks, and its way into the database."""

    _chains: dict[str, StreamHead]
    _layouts: dict[str, tuple[int, Layout]]
    _last: tuple[k.Recalled, ...]

    def __init__(self, url: str, *, for_reading: bool, is_alone: bool = False, is_shared: bool = False) -> None:
        super().__init__(url, for_reading=for_reading, is_alone=is_alone, is_shared=is_shared)
        self._members: list[Member] = []
        self._sent = 0
        self._saved: list[SavedSnapshot] = []
        self._unsaved: list[SavedSnapshot] = []
        self._held_ids: dict[tuple[str, str], bytes | None] = {}
        self._held_streams: set[str] = set()
        self._held_purses: dict[str, int] = {}
        self._bases: dict[str, int] = {}
        self._end = k.Head(0, b"", 0, b"")
        self._is_fragile = self._is_again = self._is_bound = False

    def _note_others(self, stream: str) -> None:
        """Note that somebody else has written to a stream."""
        raise NotImplementedError

    def _forget_stream(self, stream: str) -> None:
        """Keep nothing more of a stream that others may decide from now on."""
        raise NotImplementedError

    def _check_lease(self, stream: str, fence: Value, owner: Value) -> None:
        """Raise where the stream is not ours to decide."""
        raise NotImplementedError

    def _write_snapshot(self, snapshot: SavedSnapshot) -> None:
        """Write a snapshot within the transaction."""
        raise NotImplementedError

    # Locks.

    def _look_up(self, actor: str, command: str, stream: str, purses: Sequence[str]) -> bytes | None:
        """Lock the id, the stream and the purses for this transaction; give the stored answer to the id.

        What is locked already stays so, and the answer to its id with it. An empty name is none.
        """
        while True:
            is_new = bool(command) and (actor, command) not in self._held_ids
            is_new = is_new or (bool(stream) and stream not in self._held_streams)
            if not is_new and self._held_purses.keys() >= set(purses):
                return self._held_ids.get((actor, command))
            try:
                return self._look(actor, command, stream, purses)
            except ConnectionLost as error:
                self._reopen(error)

    def _look(self, actor: str, command: str, stream: str, purses: Sequence[str]) -> bytes | None:
        numbers = [lock_number("command", actor, command)] if command else []
        numbers += [lock_number("stream", stream)] if stream else []
        given = (sorted(numbers), sorted(purses), False, actor, command, stream)
        self._begin()
        [row] = self._file_rows(LOOK_UP, given)
        if not row[0]:
            self._finish()
            self._begin()
            try:
                [row] = self._file_rows(LOOK_UP, (*given[:2], True, *given[3:]))
            except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
                self._drop_group()
                raise k.StoreInUse(f"{self.path}: another server holds {stream or actor}: try again") from None
        _, answered, version, commands, fence, owner, accounts, held = row
        if stream:
            self._check_lease(stream, fence, owner)
            if stream not in self._held_streams and commands is not None:
                self._compare(stream, as_int(version), as_int(commands))
            self._held_streams.add(stream)
        stored = None if answered is None else as_bytes(answered)
        if command:
            self._held_ids[actor, command] = stored
        self._note_purses(purses, accounts, held)
        return stored

    def _compare(self, stream: str, version: int, commands: int) -> None:
        """Compare what is known of a stream that has just been locked with where it stands."""
        chains, layout = self._chains.get(stream), self._layouts.get(stream)
        is_behind = chains is not None and (chains.version, chains.commands) != (version, commands)
        if is_behind or (layout is not None and layout[0] != version):
            self._note_others(stream)

    def _note_purses(self, purses: Sequence[str], accounts: object, held: object) -> None:
        """Note what the purses hold that have just been locked; one that is not there holds nothing."""
        there = dict(zip(accounts or (), held or (), strict=True))  # type: ignore[call-overload]
        for account in purses:
            if account not in self._held_purses:
                self._held_purses[account] = there.get(account, 0)
                if account in there:
                    self._bases[account] = there[account]

    # What waits.

    def _waiting(self, actor: str, command: str) -> Member | None:
        return next((one for one in reversed(self._members) if one.id == (actor, command)), None)

    def _take(self, member: Member) -> None:
        self._members.append(member)
        record = member.rows.record
        self._end = k.Head(record.last, b"", record.number, b"")

    def _rows_again(self, sql: str, values: tuple[object, ...]) -> list[tuple[Value, ...]]:
        """Rows of the database without what waits."""
        while True:
            try:
                return self._file_rows(sql, values)
            except ConnectionLost as error:
                self._reopen(error)

    def _command(self, actor: str, command: str) -> k.CommandRow | None:
        while True:
            try:
                return super()._command(actor, command)
            except ConnectionLost as error:
                self._reopen(error)

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        if not self._is_fragile:
            return super()._execute(sql, values)
        return self._file_rows(sql, values)

    def _drop_group(self) -> None:
        """Roll back, and forget what waits."""
        self._roll_back()
        self._end_group()

    def _end_group(self) -> None:
        self._is_begun = self._is_bound = False
        self._members, self._sent, self._saved, self._unsaved = [], 0, [], []
        self._held_ids, self._held_streams, self._held_purses, self._bases = {}, set(), {}, {}

    # Into the database.

    def _flush(self) -> None:
        """Send what waits. From here on to the end of the transaction nobody else gives out places in the log."""
        waiting = self._members[self._sent :]
        if not waiting or self._is_fragile:
            return
        try:
            total, events, commands = self._lock_log()
            first = waiting[0].rows.record
            if (events, commands) != (first.first - 1, first.number - 1):
                self._seal_again(waiting, as_int(events), as_int(commands))
            self._write(waiting, as_int(total))
        except asyncpg.PostgresError as error:
            raise self._refused(error) from error
        except k.Imbalance as error:
            if self._is_together:
                raise self._fail(error) from error
            raise
        self._sent = len(self._members)

    def _lock_log(self) -> tuple[Value, ...]:
        """Wait for the end of the log.

        A group waits longer: another server may be bringing its own to a slow disk, which is no fault of this one. It
        keeps its locks meanwhile, since whoever got one of them would take what the group rests on.
        """
        if self._is_together:
            self._wait_longer()
        return self._file_rows(LOCK_LOG)[0]

    def _wait_longer(self) -> None:
        self._file_rows(PATIENCE, (str(max(1, int(1000 * AGAIN_S))),))

    def _refused(self, error: asyncpg.PostgresError) -> Exception:
        """The database has refused rows: it is not as the writer knows it. A group cannot tell whose they are."""
        if isinstance(error, asyncpg.LockNotAvailableError) and not self._is_together:
            return k.StoreInUse(f"{self.path}: another server holds the end of the log: try again")
        is_fatal = self._is_together or MEDIUM.match(error.sqlstate or "") is not None
        return self._fail(error) if is_fatal else k.StoreFault(f"{self.path}: {error}")

    def _seal_again(self, waiting: Iterable[Member], events: int, commands: int) -> None:
        """Make the rows again for the places that they get, since others have written before."""
        chains: dict[str, StreamHead] = {}
        for one in waiting:
            stream = one.proposal.stream
            before = chains.get(stream, one.chains)
            one.chains = before
            one.rows = w.prepare(one.proposal, k.Head(events, b"", commands, b""), before, one.layout, one.at)
            chains[stream] = one.rows.head
            events, commands = one.rows.record.last, one.rows.record.number
        self._chains |= chains
        self._unsaved = [one for one in self._unsaved if one.position is None]
        self._end, self._last = k.Head(events, b"", commands, b""), ()

    def _write(self, done: Sequence[Member], total: int) -> None:
        """Send the rows of these commits, each head and each balance once, and compare with what is known."""
        rows = [one.rows for one in done]
        commands = [one.command for one in rows]
        self._file_rows(COMMAND, columns(map(msgspec.structs.astuple, commands), 5))
        self._send(EVENT, [msgspec.structs.astuple(event) for one in rows for event in one.events])
        self._send(POSTING, [posting for one in rows for posting in one.postings])
        self._send(SEED, [seed for one in rows for seed in one.seeds])
        heads = {one.head.stream: one.head for one in rows}
        before: dict[str, tuple[int, int]] = {}
        for member in done:
            before.setdefault(member.proposal.stream, (member.chains.version, member.chains.commands))
        moved = [(*msgspec.structs.astuple(head), *before[stream]) for stream, head in heads.items()]
        if self._file_rows(STREAM_HEAD, columns(moved, 7)) != [(len(moved),)]:
            raise k.Imbalance(f"{', '.join(heads)}: somebody else has written to it")
        self._move(done, total)

    def _send(self, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            self._file_rows(sql, columns(rows, len(rows[0])))

    def _move(self, done: Sequence[Member], total: int) -> None:
        """Move balances by what the commits have moved. The database itself refuses one below zero."""
        deltas = sorted(w.add_up(one.rows.deltas for one in done).items())
        held = {account: balance for one in done for account, balance in one.held.items()}
        found = self._file_rows(MOVE, columns(deltas, 2)) if deltas else []
        if not any(one.is_checked for one in done):
            return
        if total:
            raise k.Imbalance(f"all accounts together hold {total}, not 0")
        for account, balance in found:
            name = str(account)
            is_ours = name in self._bases or not (name == ISSUANCE or name in self._held_purses)
            if is_ours and balance != held[name]:
                raise k.Imbalance(f"{name} holds {as_int(balance)} by the ledger and {held[name]} by the table")

    def _finish(self) -> None:
        """Bring the group to the disk, and let go of its locks."""
        while True:
            try:
                self._flush()
                self._save_again()
                if self._is_begun:
                    self._db.execute("COMMIT")
                break
            except ConnectionLost as error:
                if self._is_there_after(error):
                    break
            except asyncpg.PostgresError as error:
                raise self._refused(error) from error
        self._end_group()

    def _save_again(self) -> None:
        """Write the snapshots that were lost with the connection."""
        if self._unsaved:
            self._begin()
            for snapshot in self._unsaved:
                with suppress(k.StoreError):  # Another server writes it just now.
                    self._write_snapshot(snapshot)
            self._saved, self._unsaved = self._saved + self._unsaved, []

    # The connection was lost.

    def _is_there_after(self, error: ConnectionLost) -> bool:
        """Open the connection again: whether the group was written. Otherwise it is ready to be written again."""
        while True:
            self._connect_again(error)
            try:
                if self._is_written():
                    return True
                self._renew_group()
                return False
            except ConnectionLost as again:
                error = again

    def _is_written(self) -> bool:
        """Whether the commands of the group are there. The connection before is over, so that this is certain."""
        if not self._members:
            return False
        rows = self._file_rows(WRITTEN, columns([one.id for one in self._members], 2))
        ours, there = {one.rows.command.hash for one in self._members}, {as_bytes(row[0]) for row in rows}
        if there >= ours:
            return True
        if there & ours:
            raise self._fail(k.StoreFault("a group is there in part"))
        return False

    def _renew_group(self) -> None:
        """Take the locks of what waits once more. It is written only if nobody has touched what it rests on."""
        self._sent = 0
        if self._is_bound:
            raise self._fail(k.StoreFault("the connection was lost in a group with a checkpoint: it was not written"))
        self._saved, self._unsaved = [], self._unsaved + self._saved
        if not self._members:
            unsaved = self._unsaved
            self._end_group()
            self._unsaved = unsaved
            return
        self._begin()
        ids = {lock_number("command", *one.id) for one in self._members}
        numbers = sorted(ids | {lock_number("stream", one.proposal.stream) for one in self._members})
        try:
            self._wait_longer()  # Another group may hold them while it waits for the end of the log.
            self._file_rows("SELECT take_locks(?::bigint[], ?::text[], true)", (numbers, sorted(self._bases)))
            fault = self._find_change()
        except (asyncpg.PostgresError, k.StoreError) as error:
            raise self._fail(error) from error
        if fault is not None:
            raise self._fail(k.StoreInUse(f"the connection was lost, the group was not written, and {fault}"))
        self._held_ids = dict.fromkeys(one.id for one in self._members)
        self._held_streams = {one.proposal.stream for one in self._members}

    def _find_change(self) -> str | None:
        """What somebody else has changed since the members were proposed."""
        first: dict[str, Member] = {}
        for one in self._members:
            stream = one.proposal.stream
            [row] = self._file_rows(LOOK_UP, ([], sorted(self._bases), True, *one.id, stream))
            _, answered, version, commands, fence, owner, accounts, held = row
            self._check_lease(stream, fence, owner)
            if answered is not None:
                return f"the id {one.proposal.command} was used elsewhere"
            was = first.setdefault(stream, one).chains
            if (was.commands or commands) and (version, commands) != (was.version, was.commands):
                return f"{stream} has gone on"
            there = dict(zip(accounts or (), held or (), strict=True))  # type: ignore[arg-type]
            if there != self._bases:
                return "a purse has been used"
        return None

    def _apart(self, do: Callable[[], T]) -> T:
        """Do what is no commit: in the transaction of an open group, or in one of its own."""
        self._check_medium()
        self._is_again = False
        while True:
            try:
                return self._once(do)
            except ConnectionLost as error:
                self._reopen(error)
                self._is_again = True

    def _once(self, do: Callable[[], T]) -> T:
        self._flush()
        self._begin()
        self._is_fragile = True
        is_member = self._is_together
        try:
            if is_member:
                self._db.execute("SAVEPOINT member")
            done = do()
            self._db.execute("RELEASE member" if is_member else "COMMIT")
            self._is_begun = is_member
            return done
        except ConnectionLost:
            raise
        except BaseException as error:
            if is_member:
                self._db.execute("ROLLBACK TO member")
            else:
                self._roll_back()
            if isinstance(error, asyncpg.LockNotAvailableError | asyncpg.DeadlockDetectedError):
                raise k.StoreInUse(f"{self.path}: another server was in the way: {error}") from error
            if isinstance(error, asyncpg.PostgresError):
                raise k.StoreFault(f"{self.path}: {error}") from error
            raise
        finally:
            self._is_fragile = False

    def _at_one_moment(self, do: Callable[[], T]) -> T:
        """Read all of it as it stands at one moment; an open group sees itself."""
        self._check_medium()
        if self._is_begun or self._is_fragile:
            return do()
        while True:
            try:
                self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                self._is_fragile = True
                try:
                    return do()
                finally:
                    self._is_fragile = False
                    self._is_begun = True
                    self._roll_back()
            except ConnectionLost as error:
                self._reopen(error)
