"""Logins: a browser or program is known by its token until it logs out, is locked out, or stays away too long."""

import hashlib
import secrets
from collections.abc import Callable, Iterable

import msgspec

from casinowar.store.sqlite.connection import Value
from casinowar.web.accounts.file import AccountsFile, number
from casinowar.web.accounts.names import is_guest_name
from casinowar.web.accounts.refusals import AccountLocked
from casinowar.web.accounts.role_requests import RoleRequests

HOUR_MS = 3_600_000
IDLE_MS, GUEST_IDLE_MS = 12 * HOUR_MS, 30 * 24 * HOUR_MS
LONGEST_MS = 30 * 24 * HOUR_MS
"""After so long the password is needed again. A guest has none: a login that ended would be a purse lost."""

NOTED_EVERY_MS = 60_000
"""How often the use of a login is noted: each note is a write that waits for the disk."""


def login_key(token: str) -> str:
    """The key of a login: SHA-256 of its token. Only the key is kept, and nobody can log in with it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Logins:
    """The open logins. Listeners are called with the key of each login that has ended, in the thread that ended it."""

    def __init__(self, file: AccountsFile, now: Callable[[], int], requests: RoleRequests) -> None:
        self._file = file
        self._now = now
        self._requests = requests
        self.listeners: list[Callable[[str], None]] = []

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

    def use(self, key: str) -> str | None:
        """The account of a login, if it is open. This counts as a use, so the login lasts on."""
        now = self._now()
        sql = (
            "SELECT account, opened_at, ends_at, seen_at FROM sessions JOIN accounts ON name = account "
            "WHERE digest = ? AND ends_at > ?"
        )
        found = self._file.execute(sql, (bytes.fromhex(key), now))
        if not found:
            return None
        account, opened_at, ends_at, seen_at = str(found[0][0]), *map(number, found[0][1:])
        later = _end(account, opened_at, now)
        if later - ends_at >= NOTED_EVERY_MS or now - seen_at >= NOTED_EVERY_MS:
            with self._file.transaction():
                self._file.execute("UPDATE sessions SET ends_at = ? WHERE digest = ?", (later, bytes.fromhex(key)))
                self._file.execute("UPDATE accounts SET seen_at = ? WHERE name = ?", (now, account))
        return account

    def close(self, key: str) -> None:
        self.tell(self.delete(key))

    def delete(self, key: str) -> list[str]:
        """Delete a login, within a transaction; give the keys to `tell` when that is done."""
        return self._keys("DELETE FROM sessions WHERE digest = ? RETURNING digest", bytes.fromhex(key))

    def delete_all(self, account: str) -> list[str]:
        return self._keys("DELETE FROM sessions WHERE account = ? RETURNING digest", account)

    def tell(self, ended: Iterable[str]) -> None:
        for key in ended:
            for listener in self.listeners:
                listener(key)

    def open_keys(self, among: Iterable[str]) -> set[str]:
        sql = "SELECT digest FROM sessions WHERE ends_at > ? AND digest IN (SELECT unhex(value) FROM json_each(?))"
        return set(self._keys(sql, self._now(), msgspec.json.encode(list(among)).decode()))

    def _keys(self, sql: str, *values: Value) -> list[str]:
        return [digest.hex() for (digest,) in self._file.execute(sql, values) if isinstance(digest, bytes)]


def _end(account: str, opened_at: int, used_at: int) -> int:
    if is_guest_name(account):
        return used_at + GUEST_IDLE_MS
    return min(used_at + IDLE_MS, opened_at + LONGEST_MS)
