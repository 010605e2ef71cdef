"""The way of a process to the simulated database: the connection of the shipped store, and what can happen to it.

`Connection` stands where the store has the one of asyncpg. Its address names the door.
"""

import random
from collections.abc import Callable
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from greenlet import GreenletExit  # type: ignore[import-untyped]

from casinowar.store.postgres import medium, migrate, registry
from casinowar.store.postgres.connection import ENDED, ConnectionLost
from tests.simulator import peer_statements, readings
from tests.simulator.database import Database, Session
from tests.simulator.statements import statement_of
from tests.simulator.world import Actor

__all__ = ["DOORS", "Connection", "Door", "new_database", "peer_statements", "readings", "stand_ins"]
LATE_SHARE, LATE_MS = 0.02, 40
ON_ITS_WAY_MS = 2_000
"""A statement whose connection is lost may be done so much later, when nobody expects it any more."""

NOTICED_MS = 8_000
"""After so long the database has noticed that a connection is gone."""

AWAY_MS = 200
LATE_WORD_SHARE, LATE_WORD_S = 0.1, 3.0
TWICE_SHARE = 0.05


Trap = Callable[[str, Callable[[], object]], bool]


def _no_trap(sql: str, do: Callable[[], object]) -> bool:
    return False


class Door:
    """Where one process comes in. Without `luck` nothing ever goes wrong.

    While it is cut nobody comes in. `trap` is asked before each statement whether the connection is lost there; it may
    do something else besides, and it may be given the statement to do.
    """

    def __init__(self, database: Database, luck: random.Random | None = None) -> None:
        self.database = database
        self.luck = luck
        self.actor: Actor | None = None
        self.is_cut = False
        self.trap: Trap = _no_trap
        self.lost = 0
        self.sessions: list[Session] = []

    def connect(self, url: str) -> Session:
        self._check_alive()
        if self.is_cut:
            self.database.pause(AWAY_MS)
            raise ConnectionLost(f"{url} cannot be reached")
        made = self.database.connect(url)
        self.sessions = [one for one in self.sessions if not one.is_over] + [made]
        return made

    def execute(self, session: Session, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        self._check_alive()
        if self.luck is not None:
            if self.trap(sql, lambda: self.database.try_execute(session, sql, values)) or self.is_cut:
                self._lose(session, sql, values)
            if self.luck.random() < LATE_SHARE:
                self.database.pause(self.luck.randint(1, LATE_MS))
                self._check_alive()
        return self.database.execute(session, sql, values)

    def hear(self, told: Callable[[str], object], words: str) -> None:
        """Bring a word of another process to this one: at once or late, and now and then twice."""
        if self.luck is None or self.actor is None:
            told(words)
            return
        for _ in range(1 + (self.luck.random() < TWICE_SHARE)):
            after = self.luck.uniform(0, LATE_WORD_S) if self.luck.random() < LATE_WORD_SHARE else 0.001
            self.actor.post(told, words, after=after)

    def _check_alive(self) -> None:
        if self.actor is not None and self.actor.is_over:
            raise GreenletExit

    def _lose(self, session: Session, sql: str, values: tuple[Any, ...]) -> None:
        """Lose the connection: before the statement, behind it, or with it still on its way."""
        assert self.luck is not None
        self.lost += 1
        how = self.luck.choice(("before", "behind", "on its way"))
        if how == "behind":
            self.database.try_execute(session, sql, values)
        elif how == "on its way":
            self._later(ON_ITS_WAY_MS, lambda: self.database.try_execute(session, sql, values))
        self._forget(session, at_once=how != "on its way" and self.luck.random() < 0.5)
        raise ConnectionLost("the connection was lost")

    def _forget(self, session: Session, *, at_once: bool) -> None:
        """Let the database notice that nobody is at the other end."""
        if at_once:
            self.database.end(session)
        else:
            self._later(NOTICED_MS, lambda: self.database.end(session))

    def _later(self, most_ms: int, do: Callable[[], object]) -> None:
        assert self.luck is not None
        assert self.actor is not None
        self.actor.world.call_later(self.luck.randint(1, most_ms) / 1000, do)

    def lay(self, trap: Trap | None) -> None:
        """Lay a trap, or take it away."""
        self.trap = trap or _no_trap

    def mend(self) -> None:
        self.is_cut = False

    def leave(self) -> None:
        """Note that the process is gone: its connections end, though it may take a while until that is noticed."""
        assert self.luck is not None
        for session in self.sessions:
            self._forget(session, at_once=self.luck.random() < 0.7)


DOORS: dict[str, Door] = {}


def new_database(now: Callable[[], int]) -> Database:
    return Database(now, statement_of)


class Connection:
    """A connection through a door, with the face of the shipped one."""

    def __init__(self, url: str, *, for_reading: bool = False) -> None:
        self.url = url
        self._door = DOORS[url]
        self._session: Session | None = self._door.connect(url)
        self.number = self._session.number

    @property
    def is_open(self) -> bool:
        return self._session is not None

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        session = self._session
        if session is None:
            raise ConnectionLost(f"{self.url}: the connection is closed")
        try:
            return self._door.execute(session, sql, values)
        except ConnectionLost:
            self._session = None
            raise
        except asyncpg.PostgresError as error:
            if ENDED.fullmatch(error.sqlstate or "") or session.is_over:
                self._session = None
                raise ConnectionLost(f"{self.url}: {error}") from error
            raise

    def listen(self, channel: str, told: Callable[[str], object]) -> None:
        if self._session is None or self._door.is_cut:
            raise ConnectionLost(f"{self.url}: the connection is closed")
        self._door.database.listen(self._session, channel, lambda words: self._door.hear(told, words))

    def close(self, *, at_once: bool = False) -> None:
        session, self._session = self._session, None
        if session is not None:
            self._door.database.end(session)


def stand_ins() -> list[tuple[str, type[Connection]]]:
    """Where the shipped code names the connection that this one stands in for."""
    return [(f"{module.__name__}.Connection", Connection) for module in (medium, migrate, registry)]
