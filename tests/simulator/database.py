"""The simulated database: sessions, transactions and locks over tables in memory, as PostgreSQL has them.

Several sessions can be within their transactions at once, since a statement that waits for a lock, or an answer that is
on its way, lets others go on. What a session has not committed is seen by itself alone.
"""

import contextlib
import threading
from collections.abc import Callable, Hashable
from typing import Any, Literal

import asyncpg  # type: ignore[import-untyped]

from casinowar.store.postgres.connection import IDLE_MS, LOCK_MS
from tests.simulator.tables import Change, Row, Tables

Disk = Literal["good", "full", "broken"]
"""Whether rows can be written: not where it is full; where it is broken a transaction fails at its end."""

Statement = Callable[["Session", tuple[Any, ...]], list[Row]]
LOOK_MS = 5
"""So long whoever waits for a lock lets others go on before looking again."""

SNAPSHOT = "snapshot"
"""The lock under which somebody reads all of it as it stands at one moment: nobody commits meanwhile."""


class Session:
    """The database's end of a connection. It ends its transaction with itself."""

    def __init__(self, database: "Database", number: int, user: str) -> None:
        self.database = database
        self.number = number
        self.user = user
        self.is_over = self.is_begun = self.has_failed = False
        self.changes: list[Change] = []
        self.mark, self.patience = 0, LOCK_MS
        self.used_at = database.now()
        self.held: dict[Hashable, bool] = {}
        self.notices: list[tuple[str, str]] = []

    def change(self, changes: list[Change]) -> None:
        """Make changes, which the end of the transaction keeps or takes back."""
        for one in changes:
            one.make()
            self.changes.append(one)

    def roll_back_to(self, mark: int) -> None:
        while len(self.changes) > mark:
            self.changes.pop().take_back()


class Database:
    """A database that is shared by connections. `pause` lets others go on for so many milliseconds.

    Locks are held in a mode that others may share or not; those of a session stay until it ends.
    """

    def __init__(self, now: Callable[[], int], statements: Callable[[str], Statement]) -> None:
        self.now = now
        self.tables = Tables()
        self.sessions: dict[int, Session] = {}
        self.turn = threading.Condition()
        self.disk: Disk = "good"
        self.pause: Callable[[int], object] = lambda ms: self.turn.wait(ms / 1000)
        self.on_commit: Callable[[Session], None] = lambda session: None
        self._statements = statements
        self._numbers = 0
        self._shown: Session | None = None
        self._holders: dict[Hashable, dict[tuple[Session, bool], bool]] = {}
        self._listeners: list[tuple[Session, str, Callable[[str], object]]] = []

    def connect(self, user: str = "") -> Session:
        self._numbers += 1
        made = self.sessions[self._numbers] = Session(self, self._numbers, user)
        return made

    def end(self, session: Session) -> None:
        """End a session: what it has not committed is gone, and its locks are free."""
        with self.turn:
            if session.is_over:
                return
            self._roll_back(session)
            session.is_over = True
            for key in [key for key, holders in self._holders.items() if any(one[0] is session for one in holders)]:
                self._let_go(session, key, of_session=True)
            del self.sessions[session.number]

    def end_all(self) -> None:
        """Stop at once and start again, as a server that was killed and has recovered."""
        for session in list(self.sessions.values()):
            self.end(session)

    # Statements.

    def execute(self, session: Session, sql: str, values: tuple[Any, ...]) -> list[Row]:
        with self.turn:
            self._end_idle(session)
            if session.is_over:
                raise asyncpg.AdminShutdownError("terminating connection")
            if session.has_failed and not sql.startswith("ROLLBACK"):
                raise asyncpg.InFailedSQLTransactionError("current transaction is aborted")
            try:
                self.show(session)
                if sql == "COMMIT" and session.changes and self.disk == "broken":
                    self._roll_back(session)
                    raise asyncpg.PostgresIOError("could not write to the log")
                before = len(session.changes)
                rows = self._statements(sql)(session, values)
                if len(session.changes) > before and self.disk == "full":
                    raise asyncpg.DiskFullError("no space left on device")
            except asyncpg.PostgresError:
                if session.is_begun:
                    session.has_failed = True
                else:
                    self._roll_back(session)
                raise
            finally:
                session.used_at = self.now()
            if session.is_over:
                raise asyncpg.AdminShutdownError("terminating connection")
            if not session.is_begun:
                self.commit(session)
            return rows

    def try_execute(self, session: Session, sql: str, values: tuple[Any, ...]) -> None:
        """Do a statement whose answer nobody waits for any more."""
        if not session.is_over:
            with contextlib.suppress(asyncpg.PostgresError):
                self.execute(session, sql, values)

    def show(self, session: Session | None) -> None:
        """Let the tables be as this session sees them: with its own changes, and no other's."""
        if self._shown is session:
            return
        if self._shown is not None:
            for one in reversed(self._shown.changes):
                one.take_back()
        if session is not None:
            for one in session.changes:
                one.make()
        self._shown = session

    def _end_idle(self, asking: Session | None = None) -> None:
        """End the transactions in which nothing has come for too long."""
        for one in list(self.sessions.values()):
            if one.is_begun and self.now() - one.used_at >= IDLE_MS:
                self.end(one)

    # Transactions.

    def begin(self, session: Session, *, at_one_moment: bool = False) -> None:
        session.is_begun = True
        if at_one_moment:
            self.lock(session, SNAPSHOT, is_shared=True)

    def commit(self, session: Session) -> None:
        if session.has_failed:
            self._roll_back(session)
            return
        if session.changes:
            self.wait_for(session, lambda: self._is_free(session, SNAPSHOT, is_shared=False))
            self.show(session)
            self._shown = None
            session.changes.clear()
            self.on_commit(session)
        notices, session.notices = session.notices, []
        self._let_go_all(session)
        for channel, words in notices:
            for listener, listened, told in list(self._listeners):
                if listened == channel and not listener.is_over:
                    told(words)

    def roll_back(self, session: Session) -> None:
        self._roll_back(session)

    def _roll_back(self, session: Session) -> None:
        if session.changes:
            self.show(session)
            session.roll_back_to(0)
        if self._shown is session:
            self._shown = None
        self._let_go_all(session)

    def _let_go_all(self, session: Session) -> None:
        for key in list(session.held):
            self._let_go(session, key, of_session=False)
        session.held.clear()
        session.notices.clear()
        session.is_begun = session.has_failed = False
        session.mark, session.patience = 0, LOCK_MS
        self.turn.notify_all()

    def listen(self, session: Session, channel: str, told: Callable[[str], object]) -> None:
        """Call `told` with each word that comes in a channel, when what it is about has been committed."""
        self._listeners = [one for one in self._listeners if not one[0].is_over] + [(session, channel, told)]

    # Locks.

    def holders(self, number: int) -> set[str]:
        """Whose connections hold a lock."""
        return {session.user for session, _ in self._holders.get(number, {})}

    def held_numbers(self) -> list[int]:
        """The numbers of all locks that stand for nothing in a table."""
        return [key for key in self._holders if isinstance(key, int)]

    def lock(self, session: Session, key: Hashable, *, is_shared: bool = False, of_session: bool = False) -> None:
        """Wait for a lock and take it."""
        if self._holds(session, key, is_shared=is_shared, of_session=of_session):
            return
        if not self.try_lock(session, key, is_shared=is_shared, of_session=of_session):
            self.wait_for(session, lambda: self.try_lock(session, key, is_shared=is_shared, of_session=of_session))

    def try_lock(self, session: Session, key: Hashable, *, is_shared: bool = False, of_session: bool = False) -> bool:
        """Take a lock if it is free. Within a session a lock can be taken again."""
        if not self._is_free(session, key, is_shared=is_shared):
            return False
        self._holders.setdefault(key, {})[session, of_session] = is_shared
        if not of_session:
            session.held[key] = is_shared
        return True

    def unlock(self, session: Session, key: Hashable) -> None:
        self._let_go(session, key, of_session=True)
        self.turn.notify_all()

    def _holds(self, session: Session, key: Hashable, *, is_shared: bool, of_session: bool) -> bool:
        held = self._holders.get(key, {}).get((session, of_session))
        return held is not None and held <= is_shared

    def _is_free(self, session: Session, key: Hashable, *, is_shared: bool) -> bool:
        holders = self._holders.get(key)
        if not holders:
            return True
        return all(one is session or (is_shared and shares) for (one, _), shares in holders.items())

    def _let_go(self, session: Session, key: Hashable, *, of_session: bool) -> None:
        holders = self._holders.get(key)
        if holders is not None:
            holders.pop((session, False), None)
            if of_session:
                holders.pop((session, True), None)
            if not holders:
                del self._holders[key]

    def wait_for(self, session: Session, is_done: Callable[[], bool]) -> None:
        """Let others go on until something is so; whoever waits too long is refused."""
        until = self.now() + session.patience
        while not is_done():
            session.used_at = self.now()
            self._end_idle()
            if session.is_over:  # Whatever it took now, nobody would ever let go of.
                raise asyncpg.AdminShutdownError("terminating connection")
            if is_done():
                break
            if self.now() >= until:
                raise asyncpg.LockNotAvailableError("canceling statement due to lock timeout")
            self.pause(LOOK_MS)
            if session.is_over:
                raise asyncpg.AdminShutdownError("terminating connection")
        self.show(session)
