"""The server's parts in one place: house, accounts, tickets, connections, limits, counts."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from casinowar import protocol as f
from casinowar.engine import Refusal
from casinowar.engine.roles import GRANTED
from casinowar.house.house import House, Who
from casinowar.web.accounts.accounts import Account, Accounts
from casinowar.web.accounts.logins import TicketPlace, Tickets, login_key
from casinowar.web.accounts.names import is_guest_name
from casinowar.web.http.certificate import Certificate
from casinowar.web.http.errors import WebError
from casinowar.web.http.limits import USUAL, Limits
from casinowar.web.http.page_files import load_page
from casinowar.web.http.throttle import Throttle, monotonic_ms, network_key
from casinowar.web.metrics import Metrics
from casinowar.web.peers.gateway import Gateway
from casinowar.web.peers.messages import Return
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet
from casinowar.web.sweeper import Sweeper
from casinowar.web.workers.background_audit import BackgroundAudit
from casinowar.web.workers.hold import HoldIndex
from casinowar.web.workers.log_reader import LogReader
from casinowar.web.workers.night_runs import NightRuns
from casinowar.web.workers.reckoner import Reckoner
from casinowar.web.workers.round_index import RoundIndex
from casinowar.words.refusals import refused

T = TypeVar("T")
SHARE, LONGEST_PAUSE_S = 2, 0.02
"""Behind a transaction of several commands, its answers and news the next one waits so many times as long as they took,
and no longer than this: the more there is to do, the more is done together. Behind a command alone nothing waits: then
commands come no faster than they are written."""


class Caller(msgspec.Struct, frozen=True):
    """The account and the token that a request came with."""

    account: Account
    token: str

    def __repr__(self) -> str:
        return f"<{self.account.name}>"

    @property
    def name(self) -> str:
        return self.account.name

    @property
    def login_key(self) -> str:
        return login_key(self.token)


class OtherServers(Protocol):
    """The other servers of a house that is shared, as this one has to do with them."""

    gateway: Gateway
    on_failed: Callable[[], None]

    @property
    def can_leave(self) -> bool:
        """Whether another server is there to take the tables."""

    async def start(self, app: ASGIApp, listener: Any) -> None: ...

    def look(self) -> None: ...

    def pass_on(self, outlet: Outlet, frame: f.ClientFrame) -> None: ...

    async def call(self, request: Request, table: str, body: bytes) -> Response | None: ...

    async def call_all(self, request: Request, path: str = "") -> list[Return]: ...

    async def join_all(self, request: Request, here: Callable[[], Awaitable[T]]) -> tuple[T, list[bytes], list[str]]:
        """What is answered here and by all other servers, and the open tables for which nobody has answered."""

    def peers(self) -> Iterable[int]: ...

    async def hand_over(self) -> bool: ...

    async def close(self) -> None: ...


class Server:
    """The server: one process, one thread that decides and commits; passwords are hashed in two others.

    `is_behind_tls` says that the world speaks TLS with it: through a proxy, or by a certificate of its own.
    """

    def __init__(
        self,
        house: House,
        accounts: Accounts,
        limits: Limits = USUAL,
        *,
        key: str = "",
        is_behind_tls: bool = False,
        certificate: Certificate | None = None,
        metrics: Metrics | None = None,
        tick: Callable[[], int] = monotonic_ms,
    ) -> None:
        self.house = house
        self.accounts = accounts
        self.peers: OtherServers | None = None
        self.peer_listener: socket.socket | None = None
        self.limits = limits
        self.key = key
        self.has_proxy, self.certificate = is_behind_tls, certificate
        self.is_behind_tls = is_behind_tls or certificate is not None
        self.is_closing = self.is_leaving = False
        self.tick = tick
        self.metrics = metrics or Metrics()
        self.metrics.watch(house)
        self.hub = Hub(house, self.metrics, limits, tick)
        self.tickets: TicketPlace = accounts.tickets() or Tickets(tick)
        house.quota.seats = limits.seats_per_address
        house.quota.private_tables = limits.private_tables_per_address
        self.requests = Throttle(limits.requests_per_second, limits.requests_at_once, tick)
        self.arrivals = Throttle(limits.arrivals_per_second, limits.arrivals_at_once, tick)
        self.snapshots = Throttle(limits.snapshots_per_second, limits.snapshots_at_once, tick)
        self._account_pace = Throttle(limits.messages_per_second, limits.messages_at_once, tick)
        self._address_pace = Throttle(limits.address_messages_per_second, limits.address_messages_at_once, tick)
        self._account_previews = Throttle(limits.previews_per_second, limits.previews_at_once, tick)
        self._address_previews = Throttle(limits.address_previews_per_second, limits.address_previews_at_once, tick)
        self.hashing = ThreadPoolExecutor(2, "password")
        self.log_reader = LogReader(limits.readings_per_address)
        self.index = RoundIndex(house)
        self.page = load_page()
        self.reckoner = Reckoner(limits.sums_per_address)
        self.replayer = Reckoner(limits.sums_per_address, most_kept=0)
        self.night_runs = NightRuns(limits.nights_per_address, tick)
        self.holds = HoldIndex(house)
        self.audit = BackgroundAudit(getattr(house.store, "url", None) or Path(getattr(house.store, "path", "")), key)
        self.sweeper = Sweeper(house, accounts, house.store.now, tick)
        self.on_act: Callable[[], None] = lambda: None
        self._answers: list[Callable[[], None]] = []
        self._settling: asyncio.TimerHandle | None = None
        self._pause_ends = 0.0
        self._has_acted = False
        house.settle_soon = self._settle_soon
        accounts.on_login_ended(self._login_ended)
        accounts.table_names = lambda: tuple(house.listed if house.shared else house.tables)

    def _login_ended(self, key: str) -> None:
        """End a login here: its tickets open nothing more, and its sockets are closed."""
        self.tickets.withdraw(key)
        self.hub.end_login(key)

    def caller(self, token: str | None) -> Caller | None:
        account = self.accounts.account_of(token) if token is not None else None
        return None if account is None or token is None else Caller(account, token)

    def who(self, name: str, address: str = "") -> Who:
        """The person for the house, with the roles of this moment: a role that was taken away is gone with the next
        command."""
        return Who(name, self.roles(name), address)

    def roles(self, name: str) -> frozenset[str]:
        """The staff roles of an account; that it may play at all is no role here."""
        return self.house.roles(name) & set(GRANTED)

    def is_full(self, name: str, address: str) -> bool:
        """Whether there is no socket left: one network has not all of them, and guests leave some to accounts."""
        limits, hub = self.limits, self.hub
        there = hub.count()
        if there >= (limits.sockets_of_guests if is_guest_name(name) else limits.sockets):
            return True
        per_network = max(limits.sockets_per_network, limits.sockets_per_address)
        return there >= per_network and hub.count(network=network_key(address)) >= per_network

    def allows_message(self, account: str, address: str) -> bool:
        """Whether one more message may come: twenty sockets of one address share its pace, and so do an account's."""
        return self._account_pace.allows(account) and self._address_pace.allows(address)

    def allows_preview(self, account: str, address: str) -> bool:
        """Whether one more look at what a command would do may come: it takes nothing from the pace of messages."""
        return self._account_previews.allows(account) and self._address_previews.allows(address)

    def act(self, name: str, frame: f.CommandFrame, address: str = "") -> f.Done | f.Refused:
        """Do one command of this account from this address, counted."""
        if self.is_closing:
            answer: f.Done | f.Refused = f.Refused(frame.id, "draining", "the server is being stopped")
        else:
            begin = time.perf_counter()
            answer = self.house.act(self.who(name, address), frame)
            self.metrics.command_seconds.observe(time.perf_counter() - begin)
        outcome = "done" if isinstance(answer, f.Done) else "refused"
        self.metrics.count_command(bytes(frame.command), outcome)
        return self.note_answer(answer)

    def act_together(self, name: str, frame: f.CommandFrame, address: str = "") -> f.Done | f.Refused:
        """Do one command with all others that come until the next transaction: they reach the disk together.

        Its answer may be told `once_settled`.
        """
        if not self.is_closing:
            self.house.gather()
            self._settle_soon()
        return self.act(name, frame, address)

    def once_settled(self, tell: Callable[[], None]) -> None:
        """Tell something when all that has been done is on the disk."""
        self._answers.append(tell)
        if not self.house.is_gathering:
            self.settle()

    def _settle_soon(self) -> None:
        """Settle in the next turn of the loop, or when the pause behind the last transaction is over."""
        if self._settling is None and self.house.is_gathering:
            wait = max(0.0, self._pause_ends - time.monotonic())
            self._settling = asyncio.get_running_loop().call_later(wait, self.settle)

    def settle(self) -> None:
        """Bring to the disk what has been done, and tell it; then the clock looks at what is due."""
        begin = time.monotonic()
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        try:
            self.house.settle()
            if self.house.shared is not None:
                self.house.shared.tell_written()
        finally:
            answers, self._answers = self._answers, []
            for tell in answers:
                tell()
            self.hub.send()
            if self._has_acted:
                self._has_acted = False
                self.on_act()
        end = time.monotonic()
        self._pause_ends = end + (min(SHARE * (end - begin), LONGEST_PAUSE_S) if len(answers) > 1 else 0.0)

    def check_here(self, table: str) -> None:
        """Raise where another server decides the table."""
        self.house.check_here(table)

    def check_certain(self) -> None:
        """Settle; refuse to show anything where the tables may be ahead of what is on the disk."""
        self.settle()
        if self.house.is_uncertain:
            raise WebError("out_of_service")

    def certain(self, answer: f.Done | f.Refused) -> f.Done | f.Refused:
        """The answer, or that nobody knows where what was done could not be brought to the disk."""
        return refused(answer.id, Refusal("out_of_service")) if self.house.is_uncertain else answer

    def note_answer(self, answer: f.Done | f.Refused) -> f.Done | f.Refused:
        """Count a refusal; after a change let the clock look at what is due."""
        if isinstance(answer, f.Refused):
            self.metrics.refusals.labels(answer.code).inc()
        elif self.house.is_gathering:
            self._has_acted = True
        else:
            self.on_act()
        return answer

    async def close(self) -> None:
        if self.peers is not None:
            await self.peers.close()
        self.hashing.shutdown(cancel_futures=True)
        self.log_reader.close()
        await self.reckoner.close()
        await self.replayer.close()
        await self.night_runs.close()
        self.audit.stop()
