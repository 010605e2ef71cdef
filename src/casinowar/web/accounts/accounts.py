"""The accounts of players: guests, and names with a password, in a file of their own beside the log.

The server and `casinowar admin` may have the file open at once. Times are milliseconds UTC.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from argon2 import PasswordHasher

from casinowar.store.commit import wall_clock
from casinowar.store.sqlite.connection import Value
from casinowar.web.accounts.file import AccountsFile, AccountsPlace, number
from casinowar.web.accounts.lockout import Lockout
from casinowar.web.accounts.logins import Logins, TicketPlace, login_key
from casinowar.web.accounts.names import can_be_name, check_name, guest_name, is_guest_name, tried_key
from casinowar.web.accounts.passwords import Passwords, check_form
from casinowar.web.accounts.refusals import AccountLocked, NameTaken, NameUnknown, PasswordRefused, RequestRefused
from casinowar.web.accounts.role_requests import PLAYER, DatedRequest, RoleRequests, check_role
from casinowar.web.http.throttle import address_key, monotonic_ms

FILE = "accounts.db"
POSTGRES = ("postgresql://", "postgres://")
FAILURES = 5
COLUMNS = "name, created_at, seen_at"


class Account(msgspec.Struct, frozen=True):
    """An account. Its name is the player's id in the game, and never changes. A guest has no password."""

    name: str
    is_guest: bool
    created_at: int
    seen_at: int


class Accounts:
    """All accounts of a house. They may be used from several threads, and beside other processes.

    What takes a password takes some hundredths of a second for hashing it: `register`, `set_password` and
    `check_password` are for a thread of their own. `table_names` are those of the house, which no new account may have.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        now: Callable[[], int] = wall_clock,
        tick: Callable[[], int] = monotonic_ms,
        failures_per_name: int = FAILURES,
        failures_per_address: int = FAILURES,
        hasher: PasswordHasher | None = None,
    ) -> None:
        self.table_names: Callable[[], Iterable[str]] = tuple
        self._now = now
        self._file = _open_place(path)
        self._passwords = Passwords(hasher)
        self._names = self._lockout("name", failures_per_name, tick)
        self._addresses = self._lockout("address", failures_per_address, tick)
        self._requests = RoleRequests(self._file, now)
        self._logins = Logins(self._file, now, self._requests)

    def _lockout(self, kind: str, allowed: int, tick: Callable[[], int]) -> Lockout:
        """The lockout by names or addresses: in memory beside a file, in the database where several servers share it,
        whose one clock is the wall's."""
        if isinstance(self._file, AccountsFile):
            return Lockout(allowed, tick)
        from casinowar.web.accounts.database import AccountsDatabase, FailuresTable

        assert isinstance(self._file, AccountsDatabase)
        return Lockout(allowed, self._now, failures=FailuresTable(self._file, kind), guard=self._file.transaction)

    @property
    def path(self) -> object:
        """Where they are kept, as it may be told."""
        return self._file.path

    def close(self) -> None:
        self._file.close()

    def new_guest(self) -> Account:
        while True:
            try:
                return self._add(guest_name(), None)
            except NameTaken:
                continue

    def check_free(self, name: str) -> None:
        """Refuse a name that is taken or not allowed, before a password is typed; `register` checks again."""
        check_name(name, self.table_names())
        if self.account(name) is not None:
            raise NameTaken("this name is taken: take another")

    def register(self, name: str, password: str) -> Account:
        check_name(name, self.table_names())
        check_form(name, password)
        return self._add(name, self._passwords.hash(password))

    def _add(self, name: str, password_hash: str | None) -> Account:
        """Add the account. The file decides who was first, also between processes."""
        sql = f"INSERT INTO accounts VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING {COLUMNS}"
        added = self._file.execute(sql, (name, password_hash, self._now(), self._now()))
        if not added:
            raise NameTaken("this name is taken: take another")
        return _account(added[0])

    def account(self, name: str) -> Account | None:
        """The account of that name, in whatever capitals."""
        found = self._look_up(COLUMNS, name)
        return _account(found) if found else None

    def _look_up(self, columns: str, name: str) -> tuple[Value, ...] | None:
        """The columns of an account. No database is asked for what cannot be a name: some could not even be sent."""
        sql = f"SELECT {columns} FROM accounts WHERE {self._file.same_name}"
        return next(iter(self._file.execute(sql, (name,))), None) if can_be_name(name) else None

    def known(self, name: str) -> Account:
        """The account, for the operator: others are not told which names there are."""
        found = self.account(name)
        if found is None:
            raise NameUnknown(f"no account has the name {name!r}")
        return found

    def everybody(self) -> list[Account]:
        """Every account by name; when it was last seen is known to the minute."""
        return [_account(row) for row in self._file.execute(f"SELECT {COLUMNS} FROM accounts ORDER BY lower(name)")]

    def set_password(self, name: str, password: str) -> None:
        """Set the password, and end all logins of the account."""
        account = self.known(name)
        if account.is_guest:
            raise PasswordRefused("a guest has no password")
        check_form(name, password)
        password_hash = self._passwords.hash(password)
        with self._file.transaction():
            self._file.execute("UPDATE accounts SET password_hash = ? WHERE name = ?", (password_hash, account.name))
            ended = self._logins.delete_all(account.name)
        self._logins.tell(ended)

    def check_password(self, name: str, password: str, address: str | None = None) -> Account | None:
        """The account, or None if the name or the password is wrong; it does not say which.

        `MustWait` where the name or the address failed too often. The attempt is counted before it is checked.
        """
        key, source = tried_key(name), None if address is None else address_key(address)
        came_at = self._addresses.attempt(source) if source is not None else 0
        try:
            self._names.attempt(key)
        except BaseException:
            self._take_back(source, came_at)
            raise
        stored = self._password_hash(name)
        is_right = self._passwords.matches(stored, password)
        if stored is None or not is_right or not self._is_still(name, stored, password):
            return None
        self._names.forgive(key)
        self._take_back(source, came_at)
        account = self.account(name)
        if account is not None and self._requests.is_locked(account.name):
            raise AccountLocked("this account is locked")
        return account

    def _take_back(self, source: str | None, at: int) -> None:
        """Take back the attempt of an address. Its other failures stand: a guesser's own login must not clear them."""
        if source is not None:
            self._addresses.take_back(source, at)

    def _password_hash(self, name: str) -> str | None:
        found = self._look_up("password_hash", name)
        return None if not found or found[0] is None else str(found[0])

    def _is_still(self, name: str, stored: str, password: str) -> bool:
        """Whether the password is still the one checked. It is hashed again where the parameters are outdated."""
        if not self._passwords.is_outdated(stored):
            return self._password_hash(name) == stored
        sql = f"UPDATE accounts SET password_hash = ? WHERE {self._file.same_name} AND password_hash = ? RETURNING name"
        return bool(self._file.execute(sql, (self._passwords.hash(password), name, stored)))

    def open_login(self, name: str, instead_of: str | None = None) -> str:
        """Open a login and give its new token. The login whose token came with the request ends."""
        return self._logins.open(self.known(name).name, None if instead_of is None else login_key(instead_of))

    def tickets(self) -> TicketPlace | None:
        """The tickets in the database, where several servers share the accounts."""
        if isinstance(self._file, AccountsFile):
            return None
        from casinowar.web.accounts.database import AccountsDatabase, TicketsTable

        assert isinstance(self._file, AccountsDatabase)
        return TicketsTable(self._file)

    def account_of(self, token: str) -> Account | None:
        """The account of a login's token, if it is open. Unused it ends after 12 hours, a guest's after 30 days."""
        return self.use_login(login_key(token))

    def use_login(self, key: str) -> Account | None:
        """The account by the login's key: for a ticket that is redeemed, and a command over a socket."""
        login = self._logins.use(key)
        return None if login is None else _account((login.account, login.created_at, login.seen_at))

    def close_login(self, token: str) -> None:
        self._logins.close(login_key(token))

    def on_login_ended(self, listener: Callable[[str], None]) -> None:
        """Call the listener with the key of each login that has ended, in the thread that ended it."""
        self._logins.listeners.append(listener)

    def sweep(self, in_use: Iterable[str]) -> None:
        """Tell the listeners which of these logins, those of open sockets, time or another program has ended."""
        keys = set(in_use)
        self._logins.tell(sorted(keys - self._logins.open_keys(keys)))

    def forget(self, before: int) -> tuple[int, int]:
        """Delete the logins that have ended, and the last visit of who was not seen since a moment; count both.

        The names stay, so that nobody gets the purse of another: they are in the log for good. Names and addresses
        under which passwords were tried go as soon as they count no more.
        """
        for tried in (self._names, self._addresses):
            tried.forget_old()
        with self._file.transaction():
            logins = self._logins.delete_ended()
            gone = "seen_at > 0 AND seen_at < ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE account = name)"
            sql = f"UPDATE accounts SET seen_at = 0 WHERE {gone} RETURNING name"
            visits = self._file.execute(sql, (before,))
        return len(logins), len(visits)

    def request_staff_role(self, name: str, role: str, is_granted: bool, by: str, reason: str) -> int:
        """Request to grant or revoke a role, and give the number of the request."""
        account = self.known(name)
        if account.is_guest:
            raise RequestRefused("a guest can have no role: it has no password")
        check_role(role)
        return self._requests.add(account.name, role, is_granted, by, reason)

    def lock(self, name: str, by: str, reason: str) -> int:
        """Lock the account: its logins end, and nobody can log in until `unlock`."""
        account = self.known(name)
        with self._file.transaction():
            number = self._requests.add(account.name, PLAYER, False, by, reason)
            ended = self._logins.delete_all(account.name)
        self._logins.tell(ended)
        return number

    def unlock(self, name: str, by: str, reason: str) -> int:
        return self._requests.add(self.known(name).name, PLAYER, True, by, reason)

    def role_requests(self, after: int = 0) -> list[DatedRequest]:
        """The role requests behind a number, in order."""
        return self._requests.after(after)

    def last_request(self) -> int:
        """The highest number of a role request. A log with a higher one belongs to another file of accounts."""
        return self._requests.last()

    def is_locked(self, name: str) -> bool:
        return self._requests.is_locked(name)


def _open_place(path: Path | str) -> AccountsPlace:
    """The file of the accounts, or the database that a URL names."""
    if isinstance(path, str) and path.startswith(POSTGRES):
        from casinowar.web.accounts.database import AccountsDatabase

        return AccountsDatabase(path)
    return AccountsFile(Path(path))


def _account(row: tuple[Value, ...]) -> Account:
    name, created_at, seen_at = row
    return Account(str(name), is_guest_name(str(name)), number(created_at), number(seen_at))
