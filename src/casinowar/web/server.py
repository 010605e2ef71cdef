"""The server's parts in one place: house, accounts, tickets, connections, limits, counts."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from casinowar.table import frames as f
from casinowar.web.accounts import Account, Accounts
from casinowar.web.background_audit import BackgroundAudit
from casinowar.web.built_page import load_page
from casinowar.web.history import RoundIndex
from casinowar.web.hold import HoldIndex
from casinowar.web.hub import Hub
from casinowar.web.limits import USUAL, Limits
from casinowar.web.metrics import Metrics, kind_of
from casinowar.web.readings import Readings
from casinowar.web.reckoner import Reckoner
from casinowar.web.rights import STAFF
from casinowar.web.sessions import session_key
from casinowar.web.throttle import Throttle, monotonic_ms
from casinowar.web.tickets import Tickets

if TYPE_CHECKING:
    from casinowar.table.house import House, Who


class Caller(msgspec.Struct, frozen=True):
    """Whose session a request came with."""

    account: Account
    token: str

    def __repr__(self) -> str:
        return f"<{self.account.name}>"

    @property
    def name(self) -> str:
        return self.account.name

    @property
    def session_key(self) -> str:
        return session_key(self.token)


class Server:
    """One process, one thread that decides and commits; passwords are hashed in two others."""

    def __init__(
        self,
        house: "House",
        accounts: Accounts,
        limits: Limits = USUAL,
        *,
        key: str = "",
        is_behind_tls: bool = False,
        metrics: Metrics | None = None,
        tick: Callable[[], int] = monotonic_ms,
    ) -> None:
        self.house = house
        self.accounts = accounts
        self.limits = limits
        self.key = key
        self.is_behind_tls = is_behind_tls
        self.is_closing = False
        self.tick = tick
        self.metrics = metrics or Metrics()
        self.metrics.watch(house)
        self.hub = Hub(house, self.metrics)
        self.tickets = Tickets(tick)
        self.requests = Throttle(limits.requests_per_second, limits.requests_at_once, tick)
        self.arrivals = Throttle(limits.arrivals_per_second, limits.arrivals_at_once, tick)
        self.hashing = ThreadPoolExecutor(2, "password")
        self.reading = Readings()
        self.index = RoundIndex(house)
        self.page = load_page()
        self.reckoner = Reckoner()
        self.replayer = Reckoner(most_kept=0)
        self.holds = HoldIndex(house)
        self.audit = BackgroundAudit(Path(getattr(house.store, "path", "")), key)
        self.on_act: Callable[[], None] = lambda: None
        accounts.on_session_ended(self._session_ended)

    def _session_ended(self, key: str) -> None:
        """Its tickets open nothing more, and its sockets are closed."""
        self.tickets.withdraw(key)
        self.hub.end_session(key)

    def caller(self, token: str | None) -> Caller | None:
        account = self.accounts.session(token) if token is not None else None
        return None if account is None or token is None else Caller(account, token)

    def who(self, name: str) -> "Who":
        """With the roles of this moment: a role that was taken away is gone with the next command."""
        from casinowar.table.house import Who

        return Who(name, self.roles(name))

    def roles(self, name: str) -> frozenset[str]:
        """The staff roles of an account; that it may play at all is no role here."""
        return self.house.roles(name) & STAFF

    def act(self, name: str, ask: f.Ask) -> f.Done | f.Refused:
        """One command of this account, counted."""
        if self.is_closing:
            answer: f.Done | f.Refused = f.Refused(ask.id, "draining", "the server is being stopped")
        else:
            with self.metrics.command_seconds.time():
                answer = self.house.act(self.who(name), ask)
        outcome = "done" if isinstance(answer, f.Done) else "refused"
        self.metrics.commands.labels(kind_of(bytes(ask.command)), outcome).inc()
        return self.noted(answer)

    def noted(self, answer: f.Done | f.Refused) -> f.Done | f.Refused:
        """Count a refusal, and let the clock look at what is due after a change."""
        if isinstance(answer, f.Refused):
            self.metrics.refusals.labels(answer.code).inc()
        self.on_act()
        return answer

    async def close(self) -> None:
        self.hashing.shutdown(cancel_futures=True)
        self.reading.close()
        await self.reckoner.close()
        await self.replayer.close()
        self.audit.stop()
