"""The servers of one database: who is there, who decides which stream, and a word to all when that changes."""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import asyncpg  # type: ignore[import-untyped]

from casinowar.store.contract import StoreFailed, StoreFault
from casinowar.store.postgres.connection import Connection, ConnectionLost, shown
from casinowar.store.postgres.medium import AGAIN_S, PAUSE_S
from casinowar.store.servers import ServerLine, Sight
from casinowar.store.sql_reader import as_bytes, as_int
from casinowar.store.sqlite.connection import Value

log = logging.getLogger(__name__)
CHANNEL = "casinowar"
AWAY = (StoreFailed, StoreFault, asyncpg.PostgresError)
"""What a database that is away for a moment, or not as it should be, makes of a statement."""

HOLDS = """
SELECT (classid::bigint << 32) + objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
"""The numbers of all locks that somebody holds."""

LIVING = f"""
SELECT number, address, secret, is_leaving FROM servers
WHERE awake_until > clock_timestamp()
    AND (pg_postmaster_start_time() > clock_timestamp() - interval '3 seconds' OR number IN ({HOLDS})) ORDER BY number
"""
"""Just after a start of the database nobody counts as gone: all are coming back."""

OWNED = "SELECT stream, owner FROM leases WHERE owner IS NOT NULL AND until > clock_timestamp()"
UNTIL = "clock_timestamp() + ? * interval '1 millisecond'"
AWAKE = (
    f"INSERT INTO servers VALUES (?, ?, ?, ?, {UNTIL}) "
    "ON CONFLICT (number) DO UPDATE SET awake_until = excluded.awake_until, is_leaving = excluded.is_leaving"
)


class DatabaseRegistry:
    """The servers of a database, over a connection of its own. `number` is this server's.

    Where the database is away, a look shows what the last one did, and nothing is told. When that has gone on for too
    long, a look fails: the others have gone on without this server, and send nobody to its tables.
    """

    def __init__(self, url: str, number: int) -> None:
        self.number = number
        self._url = url
        self._db = Connection(url)
        self._told: Callable[[str], None] | None = None
        self._last = Sight()
        self._people: dict[str, tuple[bool, bytes]] = {}
        self._entry: tuple[str, str, int] | None = None
        self._away_since: float | None = None
        self._not_before = 0.0

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """The rows; once more where the connection was lost. One that was not to be had is left alone for a moment."""
        if not self._db.is_open:
            self._open_again()
            return self._db.execute(sql, values)
        try:
            return self._db.execute(sql, values)
        except ConnectionLost:
            self._open_again()
            return self._db.execute(sql, values)

    def _open_again(self) -> None:
        if time.monotonic() < self._not_before:
            raise ConnectionLost(f"{shown(self._url)}: no connection a moment ago")
        self._db.close(at_once=True)
        try:
            self._db = Connection(self._url)
            if self._told is not None:
                self._db.listen(CHANNEL, self._told)
        except BaseException:
            self._db.close(at_once=True)  # Without its ear it would hear no word for good.
            self._not_before = time.monotonic() + PAUSE_S
            raise
        if self._told is not None:
            self._told("")

    def join(self, address: str, secret: str, awake_ms: int) -> None:
        """Enter this server, and strike out those that are gone."""
        try:
            self._execute(f"DELETE FROM servers WHERE number <> ? AND number NOT IN ({HOLDS})", (self.number,))
        except asyncpg.PostgresError as error:
            raise StoreFailed(f"{shown(self._url)} takes no server: {error}") from error
        self._entry = (address, secret, 0)
        self.stay_awake(awake_ms)

    def stay_awake(self, awake_ms: int) -> None:
        """Say that this server is not paused, for so long.

        Whoever came while its connection was lost has struck it out: then it is entered again.
        """
        if self._entry is not None:
            self._say(AWAKE, (self.number, *self._entry, awake_ms))

    def clock_ms(self) -> int:
        """Milliseconds UTC by the clock of the database, which decides when leases end."""
        return as_int(self._execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0][0])

    def leave(self) -> None:
        """Note that this server takes no more tables."""
        if self._entry is not None:
            self._entry = (*self._entry[:2], 1)
        self._say("UPDATE servers SET is_leaving = 1 WHERE number = ?", (self.number,))

    def look(self) -> Sight:
        """Who is there and who decides what, now."""
        try:
            rows = self._execute(LIVING)
            leases = self._execute(OWNED)
        except AWAY as error:
            log.warning("the other servers are not seen", extra={"error": str(error)})
            self._away_since = self._away_since or time.monotonic()
            if time.monotonic() - self._away_since > AGAIN_S:
                raise StoreFailed(f"no connection to look for the other servers: {error}") from None
            return self._last
        self._away_since = None
        servers = tuple(ServerLine(as_int(row[0]), str(row[1]), str(row[2]), bool(row[3])) for row in rows)
        self._last = Sight(servers, {str(stream): as_int(owner) for stream, owner in leases})
        return self._last

    def people(self, of: Iterable[str]) -> dict[str, tuple[bool, bytes]]:
        """Of each of these streams: whether its table is over, and who is there.

        Those that are known to be over are not asked for: there are more and more of them.
        """
        sql = "SELECT stream, is_over, people FROM table_people WHERE stream = ANY (?::text[])"
        try:
            rows = self._execute(sql, (list(of),))  # type: ignore[arg-type]
        except AWAY as error:
            log.warning("who is at the tables of others is not seen", extra={"error": str(error)})
            return self._people
        self._people = {str(stream): (bool(is_over), as_bytes(people)) for stream, is_over, people in rows}
        return self._people

    def put_people(self, stream: str, is_over: bool, people: bytes) -> bool:
        sql = (
            "INSERT INTO table_people VALUES (?, ?, ?) "
            "ON CONFLICT (stream) DO UPDATE SET is_over = excluded.is_over, people = excluded.people"
        )
        return self._say(sql, (stream, int(is_over), people))

    def tell(self, what: str) -> None:
        """Wake the other servers."""
        self._say("SELECT pg_notify(?, ?)", (CHANNEL, what))

    def _say(self, sql: str, values: tuple[Value, ...]) -> bool:
        """Say something to the others, and whether it was said. Where it is lost they look by themselves, and it is
        said again."""
        try:
            self._execute(sql, values)
        except AWAY as error:
            log.warning("the other servers were not told", extra={"error": str(error)})
            return False
        return True

    def listen(self, told: Callable[[str], None]) -> None:
        """Call `told` in another thread whenever a server wakes the others."""
        self._told = told
        self._db.listen(CHANNEL, told)

    def close(self) -> None:
        with suppress(*AWAY):  # The next one that joins strikes it out.
            self._db.execute("DELETE FROM servers WHERE number = ?", (self.number,))
        self._db.close()
