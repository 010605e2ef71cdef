"""One-time tickets, with which a page that has a session opens its WebSocket; kept in memory alone."""

import secrets
from collections.abc import Callable

import msgspec

MOST_TICKETS = 10_000


class _Issued(msgspec.Struct, frozen=True):
    name: str
    login_key: str
    until: int


class Tickets:
    """Each is good once, for `seconds`, by a clock in milliseconds that should be a monotonic one. For one thread.

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
        """A ticket of 32 random bytes for the account and the session that asked for it."""
        self._forget()
        ticket = secrets.token_urlsafe(32)
        self._issued[ticket] = _Issued(name, login_key, self._now() + self._lifetime)
        while len(self._issued) > self._most:
            del self._issued[next(iter(self._issued))]
        return ticket

    def redeem(self, ticket: str) -> tuple[str, str] | None:
        """Name and session key, once; None for what was never issued, is used, withdrawn or too old."""
        self._forget()
        issued = self._issued.pop(ticket, None)
        return None if issued is None else (issued.name, issued.login_key)

    def withdraw(self, login_key: str) -> None:
        """The session has ended: its tickets open nothing more."""
        self._issued = {ticket: one for ticket, one in self._issued.items() if one.login_key != login_key}

    def _forget(self) -> None:
        """Tickets lie in the order of their issue, so the expired ones come first."""
        now = self._now()
        while self._issued and self._issued[first := next(iter(self._issued))].until <= now:
            del self._issued[first]
