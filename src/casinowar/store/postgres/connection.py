"""The connection to the database: asyncpg in a thread with an event loop of its own, and settings that are asserted.

The store is synchronous; whoever calls waits until the thread has the rows.
"""

import asyncio
import os
import re
import socket
import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

import asyncpg  # type: ignore[import-untyped]

from casinowar.store.contract import StoreFailed, StoreFault, ValueRefused
from casinowar.store.sqlite.connection import Value

T = TypeVar("T")
SCHEMES = ("postgresql://", "postgres://")
LEAST_VERSION = 140_000
OPEN_S, STATEMENT_S = 10.0, 120.0
IDLE_MS = 5_000
"""The database ends a transaction in which nothing comes for so long: its owner is paused or gone, and others wait."""

LOCK_MS = 8_000
"""Whoever waits for a lock longer is refused."""

SETTINGS = {
    "application_name": "casinowar",
    "client_encoding": "UTF8",
    "default_transaction_isolation": "read committed",
    "default_transaction_deferrable": "off",
    "synchronous_commit": "on",
    "lock_timeout": str(LOCK_MS),
    "statement_timeout": "0",
    "search_path": '"$user", public, pg_temp',
}
"""These stand before what a URL or a role says: with another path, tables would be looked for in another place."""

TRIGGERED = {"session_replication_role": "origin"}
"""Asserted and not set: under another value triggers do not fire, and only a superuser may set it, even to this one."""

DURABLE = {"fsync": "on", "full_page_writes": "on"}
"""The settings of the server without which an acknowledged commit can be lost."""

ENDED = re.compile(r"08...|57P0.|25P0[34]")
"""The codes of PostgreSQL that come with the end of a connection."""

PLACE = re.compile(r"\?(\d+)?")


IN_PASSWORD = "in a password write %2F for /, %40 for @, %3A for :, %25 for %"
NO_ADDRESS = f"this is no address of a database: write postgresql://USER@HOST:PORT/NAME, and {IN_PASSWORD}"


class ConnectionLost(StoreFailed):
    """The connection to the database is gone; a store opens it again and finds out what was written."""


def is_postgres(place: object) -> bool:
    return isinstance(place, str) and place.startswith(SCHEMES)


USER = re.compile(r"([\w.%~-]+)(?::|$)", re.ASCII)
HOST = re.compile(r"(?:[\w.%~-]+|\[[\da-fA-F:.]+\])(?::\d+)?", re.ASCII)


def shown(url: str) -> str:
    """The URL as it may be told to anybody: without password and settings.

    Also of one that is wrong: what cannot be read for certain is left out, since it may be a part of the password.
    """
    before, _, behind = url.partition("://")[2].rpartition("@")
    if "?" in before or "#" in before:
        return "postgresql://"
    behind, _, query = behind.partition("#")[0].partition("?")
    hosts, slash, name = behind.partition("/")
    is_host = all(HOST.fullmatch(host) for host in hosts.split(","))
    told = hosts if is_host or not hosts else ""
    user = USER.match(before)
    host = told or dict(parse_qsl(query)).get("host", "")
    return f"postgresql://{user[1] + '@' if user else ''}{unquote(host)}{slash + name if told == hosts else ''}"


def split_durable(url: str) -> tuple[str, bool]:
    """The URL for the driver, and whether the server must be one that waits for the disk: not with `durable=no`."""
    parts = urlsplit(url)
    options = parse_qsl(parts.query, keep_blank_values=True)
    plain = urlencode([one for one in options if one[0] != "durable"])
    return urlunsplit(parts._replace(query=plain)), ("durable", "no") not in options


@lru_cache(maxsize=500)
def numbered(sql: str) -> str:
    """The statement with `$1` for `?`, as PostgreSQL has it."""
    met = 0

    def place(found: re.Match[str]) -> str:
        nonlocal met
        met += 1
        return f"${found[1] or met}"

    return PLACE.sub(place, sql)


@cache
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """The loop of this process, which all its connections share."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="postgres", daemon=True).start()
    return loop


def await_result(work: Coroutine[Any, Any, T]) -> T:
    """Have the thread do the work, and wait for it."""
    return asyncio.run_coroutine_threadsafe(work, _loop(os.getpid())).result()


def _has_nul(value: object) -> bool:
    if isinstance(value, list):
        return any(isinstance(one, str) and "\0" in one for one in value)
    return isinstance(value, str) and "\0" in value


class Connection:
    """One open connection. Errors that end it are `ConnectionLost`; all others are the driver's."""

    def __init__(self, url: str, *, for_reading: bool = False) -> None:
        self.url = url
        try:
            url.encode()  # A ValueError where half a surrogate pair is in it, which nothing can send.
            plain, is_durable = split_durable(url)
        except ValueError:
            raise StoreFailed(f"{shown(url)}: {NO_ADDRESS}") from None
        settings = SETTINGS | {
            "default_transaction_read_only": "on" if for_reading else "off",
            "idle_in_transaction_session_timeout": "0" if for_reading else str(IDLE_MS),
        }
        try:
            self._link = await_result(
                asyncpg.connect(plain, timeout=OPEN_S, command_timeout=STATEMENT_S, server_settings=settings)
            )
        except asyncpg.InvalidCatalogNameError:
            name = unquote(urlsplit(plain).path[1:])
            raise StoreFailed(f"{shown(url)}: there is no such database: make it with createdb {name}") from None
        except asyncpg.PostgresError as error:
            is_for_now = ENDED.fullmatch(error.sqlstate or "") or isinstance(error, asyncpg.TooManyConnectionsError)
            kind = ConnectionLost if is_for_now else StoreFailed
            raise kind(f"{shown(url)} does not let us in: {error}") from None
        except (ValueError, OverflowError):
            # Also the driver's own about the URL. Its words may be a part of the password.
            raise StoreFailed(f"{shown(url)}: {NO_ADDRESS}") from None
        except (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
            hint = f" ({IN_PASSWORD})" if isinstance(error, socket.gaierror) and url.count("@") > 1 else ""
            raise ConnectionLost(f"{shown(url)} cannot be reached: {error or 'no answer'}{hint}") from None
        self.number = self._link.get_server_pid()
        try:
            self._check_settings(is_durable=is_durable, for_reading=for_reading)
        except BaseException:
            self.close()
            raise

    def _check_settings(self, *, is_durable: bool, for_reading: bool) -> None:
        """Raise where the server does not keep to a setting: without it a commit may be lost, or be seen in part."""
        [(version,)] = self.execute("SELECT current_setting('server_version_num')::int")
        if not isinstance(version, int) or version < LEAST_VERSION:
            raise StoreFault(f"{shown(self.url)}: PostgreSQL 14 or later is needed")
        wanted = {}
        if not for_reading:
            wanted = {"synchronous_commit": "on", "default_transaction_isolation": "read committed"} | TRIGGERED
        if is_durable and not for_reading:
            wanted |= DURABLE
        for name, value in wanted.items():
            there = str(self.execute(f"SHOW {name}")[0][0])
            if there != value:
                raise StoreFault(f"{shown(self.url)}: the server has {name} = {there}, and {value} is needed")
        if not for_reading and self.execute("SELECT pg_is_in_recovery()") != [(True,)]:
            return
        if not for_reading:
            raise StoreFault(f"{shown(self.url)} is a standby, to which nothing can be written")

    @property
    def is_open(self) -> bool:
        return not self._link.is_closed()

    def execute(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Value, ...]]:
        """All rows of one statement, in which `?` stands for each value.

        `ValueRefused` comes before anything is sent, so that an open transaction goes on.
        """
        if any(map(_has_nul, values)):
            raise ValueRefused(f"{shown(self.url)}: no text has a NUL in it")
        return [tuple(row) for row in self._await(self._link.fetch(numbered(sql), *values))]

    def run_script(self, text: str) -> None:
        """Run several statements without values."""
        self._await(self._link.execute(text))

    def listen(self, channel: str, told: Callable[[str], None]) -> None:
        """Call `told` with each word that comes in a channel, in the thread of the connections."""

        def heard(link: object, number: int, name: str, words: object) -> None:
            told(str(words))

        self._await(self._link.add_listener(channel, heard))

    def copy_rows(self, table: str, columns: Sequence[str], rows: Iterable[tuple[Value, ...]]) -> None:
        """Copy rows into a table, all of them by one statement."""
        self._await(self._link.copy_records_to_table(table, records=list(rows), columns=list(columns)))

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await_result(work)
        except asyncpg.PostgresError as error:
            if isinstance(error, asyncpg.DataError) and error.severity is None:  # The driver's own: nothing was sent.
                raise ValueRefused(f"{shown(self.url)}: a value that it cannot hold") from None
            if ENDED.fullmatch(error.sqlstate or "") or self._link.is_closed():
                raise self._lost(error) from error
            raise
        except (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
            raise self._lost(error) from error  # The driver calls it its own error where the end came in between.

    def _lost(self, error: Exception) -> ConnectionLost:
        self.close(at_once=True)
        return ConnectionLost(f"{shown(self.url)}: {type(error).__name__}: {error}")

    def close(self, *, at_once: bool = False) -> None:
        async def close() -> None:
            if at_once or self._link.is_closed():
                self._link.terminate()
            else:
                try:
                    await self._link.close(timeout=2.0)
                except Exception:  # It is over either way, and the database rolls back what was open.
                    self._link.terminate()

        await_result(close())
