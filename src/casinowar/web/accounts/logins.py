"""Logins: a browser or program is known by its token until it logs out or stays away too long; tickets for sockets."""

import contextlib
import hashlib
import secrets
from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec

from casinowar.store import StoreInUse
from casinowar.store.sqlite.connection import Value
from casinowar.web.accounts.file import AccountsPlace, number
from casinowar.web.accounts.names import is_guest_name
from casinowar.web.accounts.refusals import AccountLocked, AccountsBusy
from casinowar.web.accounts.role_requests import RoleRequests

HOUR_MS = 3_600_000
IDLE_MS, GUEST_IDLE_MS = 12 * HOUR_MS, 30 * 24 * HOUR_MS
LONGEST_MS = 30 * 24 * HOUR_MS
"""After so long the password is needed again. A guest has none: a login that ended would be a purse lost."""

MOST_TICKETS = 10_000
MOST_KNOWN = 10_000
NOTED_EVERY_MS = 60_000
"""How often the use of a login is noted: each note is a write that waits for the disk."""


def login_key(token: str) -> str:
    """The key of a login: SHA-256 of its token. Only the key is kept, and nobody can log in with it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Login(msgspec.Struct, frozen=True):
    """An open login of an account, with the moments that are kept of both."""

    account: str
    created_at: int
    opened_at: int
    ends_at: int
    seen_at: int


class Logins:
    """The open logins. Those in use are kept in memory as long as nobody changes the file.

    Listeners are called with the key of each login that has ended, in the thread that ended it.
    """

    def __init__(self, file: AccountsPlace, now: Callable[[], int], requests: RoleRequests) -> None:
        self._file = file
        self._now = now
        self._requests = requests
        self.listeners: list[Callable[[str], None]] = []
        self._known: dict[str, Login] = {}
        self._stamp: object = None

    def open(self, account: str, instead_of: str | None = None) -> str:
        """Open a login and give its token of 32 random bytes. The login of the token that came with it ends."""
        token, now = secrets.token_urlsafe(32), self._now()
        with self._file.transaction():
            if self._requests.is_locked(account):
                raise AccountLocked("this account is locked")
            self._file.execute("DELETE FROM sessions WHERE ends_at <= ?", (now,))
            ended = [] if instead_of is None else self.delete(instead_of)
            row = (bytes.fromhex(login_key(token)), account, now, _end(account, now, now))
            self._file.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)
            self._file.execute("UPDATE accounts SET seen_at = ? WHERE name = ?", (now, account))
        self.tell(ended)
        return token

    def use(self, key: str) -> "Login | None":
        """The login, if it is open. This counts as a use, so the login lasts on."""
        now, stamp = self._now(), self._file.stamp()
        if stamp != self._stamp or len(self._known) >= MOST_KNOWN:
            self._known, self._stamp = {}, stamp
        known = self._known
        login = known.get(key) or self._read(key)
        if login is None or login.ends_at <= now:
            return None
        later = _end(login.account, login.opened_at, now)
        if later - login.ends_at >= NOTED_EVERY_MS or now - login.seen_at >= NOTED_EVERY_MS:
            login = msgspec.structs.replace(login, ends_at=later, seen_at=now)
            with contextlib.suppress(StoreInUse, AccountsBusy):  # It is noted the next time: a use hangs on no note.
                self._note(key, login)
        known[key] = login
        return login

    def _read(self, key: str) -> "Login | None":
        sql = (
            "SELECT account, created_at, opened_at, ends_at, seen_at FROM sessions JOIN accounts ON name = account "
            "WHERE digest = ?"
        )
        for account, *moments in self._file.execute(sql, (bytes.fromhex(key),)):
            return Login(str(account), *map(number, moments))
        return None

    def _note(self, key: str, login: "Login") -> None:
        """Note the use of a login. What is known of the others stays so, unless somebody else has changed the file."""
        with self._file.transaction():
            is_ours = self._file.stamp() == self._stamp
            self._file.execute("UPDATE sessions SET ends_at = ? WHERE digest = ?", (login.ends_at, bytes.fromhex(key)))
            self._file.execute("UPDATE accounts SET seen_at = ? WHERE name = ?", (login.seen_at, login.account))
            stamp = self._file.stamp()
        if is_ours:
            self._stamp = stamp

    def close(self, key: str) -> None:
        self.tell(self.delete(key))

    def delete(self, key: str) -> list[str]:
        """Delete a login, within a transaction; give the keys to `tell` when that is done."""
        return self._keys("DELETE FROM sessions WHERE digest = ? RETURNING digest", bytes.fromhex(key))

    def delete_ended(self) -> list[str]:
        """Delete the logins that have ended by time, within a transaction."""
        return self._keys("DELETE FROM sessions WHERE ends_at <= ? RETURNING digest", self._now())

    def delete_all(self, account: str) -> list[str]:
        return self._keys("DELETE FROM sessions WHERE account = ? RETURNING digest", account)

    def tell(self, ended: Iterable[str]) -> None:
        for key in ended:
            for listener in self.listeners:
                listener(key)

    def open_keys(self, among: Iterable[str]) -> set[str]:
        sql = f"SELECT digest FROM sessions WHERE ends_at > ? AND digest IN ({self._file.digests})"
        return set(self._keys(sql, self._now(), msgspec.json.encode(list(among)).decode()))

    def _keys(self, sql: str, *values: Value) -> list[str]:
        return [digest.hex() for (digest,) in self._file.execute(sql, values) if isinstance(digest, bytes)]


def _end(account: str, opened_at: int, used_at: int) -> int:
    """The moment at which a login ends if it is not used again."""
    if is_guest_name(account):
        return used_at + GUEST_IDLE_MS
    return min(used_at + IDLE_MS, opened_at + LONGEST_MS)


class _Issued(msgspec.Struct, frozen=True):
    name: str
    login_key: str
    until: int


class TicketPlace(Protocol):
    """Where tickets are: in memory, or in the database that several servers share."""

    def issue(self, name: str, login_key: str) -> str: ...

    def redeem(self, ticket: str) -> tuple[str, str] | None: ...

    def withdraw(self, login_key: str) -> None: ...


class Tickets:
    """One-time tickets with which a page that has a login opens its WebSocket; kept in memory alone.

    A ticket is good once, for `seconds`, by a clock in milliseconds that should be a monotonic one. For one thread.
    Beyond `most` the oldest are thrown away: their holders ask again.
    """

    def __init__(self, now: Callable[[], int], seconds: int = 30, most: int = MOST_TICKETS) -> None:
        self._now = now
        self._lifetime = seconds * 1000
        self._most = most
        self._issued: dict[str, _Issued] = {}

    def __len__(self) -> int:
        return len(self._issued)

    def issue(self, name: str, login_key: str) -> str:
        """A ticket of 32 random bytes for the account and the login that asked for it."""
        self._forget()
        ticket = secrets.token_urlsafe(32)
        self._issued[ticket] = _Issued(name, login_key, self._now() + self._lifetime)
        while len(self._issued) > self._most:
            del self._issued[next(iter(self._issued))]
        return ticket

    def redeem(self, ticket: str) -> tuple[str, str] | None:
        """The name and the login's key, once; None for what was never issued, is used, withdrawn or too old."""
        self._forget()
        issued = self._issued.pop(ticket, None)
        return None if issued is None else (issued.name, issued.login_key)

    def withdraw(self, login_key: str) -> None:
        """Drop the tickets of a login that has ended."""
        self._issued = {ticket: one for ticket, one in self._issued.items() if one.login_key != login_key}

    def _forget(self) -> None:
        """Drop expired tickets, which come first: tickets lie in the order of their issue."""
        now = self._now()
        while self._issued and self._issued[first := next(iter(self._issued))].until <= now:
            del self._issued[first]
