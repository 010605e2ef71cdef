"""The run of the server: open everything, serve in one thread, and at a signal close everything in order."""

import asyncio
import contextlib
import gc
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.house.house import House
from casinowar.house.settings import HouseSettings
from casinowar.store import Checkpoint, StoreFailed, StoreFault, load_key, public_key
from casinowar.store.commit import wall_clock
from casinowar.web.accounts.accounts import FILE as ACCOUNTS_FILE
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.app import make_app
from casinowar.web.event_log import day_files
from casinowar.web.http.address import is_everywhere, listen
from casinowar.web.http.certificate import Certificate
from casinowar.web.http.door import allow_files
from casinowar.web.http.limits import USUAL, Limits
from casinowar.web.http.uvicorn_config import make_config
from casinowar.web.log_noise import keep_log_quiet
from casinowar.web.machine_metrics import watch_machine
from casinowar.web.metrics import MeasuredStore, Metrics, measured_database
from casinowar.web.peers.link import split_address
from casinowar.web.peers.peer_key import NONCE, PeerKey
from casinowar.web.server import Server

if TYPE_CHECKING:
    from casinowar.store.postgres.registry import DatabaseRegistry

STORE_FILE, KEY_FILE = "war.db", "checkpoints.key"
OTHER_KEY = f"the other servers sign with another key: give this one their {KEY_FILE}"
GOODBYE_S = 2.0
INTERRUPTED = 130
ONE_SIGNAL_S = 0.5
"""A signal to a whole process group may come twice: by itself, and passed on by whoever started the server."""

TURN_S = 0.0005
"""After so long a thread that reads gives the one that decides its turn. One command needs its turn many times, at
each statement of its transaction, and Python's usual 5 ms would add up."""

MOST_OFF_S = 60
"""The clocks of a server and of its database may be so far apart when it starts."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)
HANGUP = getattr(signal, "SIGHUP", None)
log = logging.getLogger(__name__)


class Place(msgspec.Struct, frozen=True):
    """The files of one house: the log, the accounts, the key that signs checkpoints.

    Where there is a database, both the log and the accounts are there instead, and other servers may work on it: they
    find this one at `peer_address`, HOST:PORT.
    """

    store: Path
    accounts: Path
    key: Path
    database: str | None = None
    peer_address: str = "127.0.0.1:0"

    @classmethod
    def in_folder(cls, folder: Path, store: Path | str | None = None, peer_address: str = "127.0.0.1:0") -> "Place":
        files = folder / ACCOUNTS_FILE, folder / KEY_FILE
        if isinstance(store, str):
            return cls(folder / STORE_FILE, *files, store, peer_address)
        return cls(store or folder / STORE_FILE, *files)


@contextlib.contextmanager
def open_server(
    place: Place,
    settings: HouseSettings,
    limits: Limits = USUAL,
    *,
    is_behind_tls: bool = False,
    certificate: Certificate | None = None,
    is_new_key: bool = False,
) -> Iterator[Server]:
    """An open server over its files, which are closed however it ends.

    Another key than that of the last checkpoint signs only where it `is_new_key`.
    """
    for file in (place.store, place.accounts, place.key):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        metrics = Metrics()
        store = MeasuredStore(place.store) if place.database is None else measured_database(place.database)
        stack.callback(store.close)
        store.metrics = metrics
        accounts = Accounts(place.database or place.accounts, failures_per_address=limits.failures_per_address)
        stack.callback(accounts.close)
        registry = None if place.database is None else _open_registry(place.database, store, stack)
        last, has_others = store.last_checkpoint(), registry is not None and bool(registry.look().servers)
        key = _signing_key(place.key, last, has_others=has_others, is_new=is_new_key)
        house = House(store, settings, key=key, registry=registry)
        _check_same_house(place, house, accounts)
        server = Server(
            house,
            accounts,
            limits,
            key=public_key(key),
            is_behind_tls=is_behind_tls,
            certificate=certificate,
            metrics=metrics,
        )
        if registry is not None:
            peer_key = PeerKey(key.private_bytes_raw())
            stack.enter_context(_joined(server, registry, peer_key, place.peer_address))
        elif last is None or last.key != server.key:
            house.attempt(house.checkpoint)  # Whoever comes has one to keep.
        watch_machine(metrics.registry, place.store if place.database is None else None, certificate)
        stack.callback(house.close)
        yield server


def _open_registry(url: str, store: Any, stack: contextlib.ExitStack) -> "DatabaseRegistry":
    from casinowar.store.postgres.registry import DatabaseRegistry

    registry = DatabaseRegistry(url, store.owner)
    stack.callback(registry.close)
    return registry


@contextlib.contextmanager
def _joined(server: Server, registry: "DatabaseRegistry", key: PeerKey, address: str) -> Iterator[None]:
    """The server among those of its house, with a socket at which they reach it. It joins them when it serves."""
    from casinowar.web.peers.peers import Peers

    shared = server.house.shared
    assert shared is not None
    _check_same_key(server, is_alone=not registry.look().servers)
    _check_clock(registry.clock_ms())
    host, port = split_address(address)
    if is_everywhere(host):
        raise ValueError(f"{address}: write the address of this machine at which the other servers reach it")
    try:
        listener = listen(host, port, 0)  # Others are let through to this port, and to no other.
    except OSError as error:
        raise ValueError(f"{address}: {error.strerror or error}") from None
    with listener:
        there = f"{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
        secret = key.seal(shared.me, there, secrets.token_hex(NONCE // 2))

        def join(woken: Callable[[str], None]) -> None:
            registry.listen(woken)
            registry.join(there, secret, shared.store.lease_ms)

        server.peers = Peers(server, shared, key, secret, join)
        server.peer_listener = listener
        yield


def _signing_key(path: Path, last: Checkpoint | None, *, has_others: bool, is_new: bool) -> Ed25519PrivateKey:
    """The key in the file, which has signed the last checkpoint, before anything of this server is written.

    Without a checkpoint any key will do, and is made where there is none.
    """
    if last is not None and not (path.exists() and public_key(load_key(path)) == last.key):
        if has_others:
            raise ValueError(OTHER_KEY)
        if not is_new:
            what = "is another key" if path.exists() else "is missing"
            raise ValueError(
                f"{path} {what}: this house signs with {last.key}. Put its {KEY_FILE} there, or sign with a new one "
                "by --new-key, of which every audit tells"
            )
        log.warning("a new key signs from now on", extra={"before": last.key})
    return load_key(path)


def _check_same_key(server: Server, *, is_alone: bool) -> None:
    """Refuse another key than that of the servers that are there. Whoever is alone signs at once: who comes next is
    held to that."""
    house = server.house
    last = house.store.last_checkpoint()
    if last is None or (is_alone and last.key != server.key):
        house.attempt(house.checkpoint)
        last = house.store.last_checkpoint()
    if last is not None and last.key != server.key:
        raise ValueError(OTHER_KEY)


def _check_clock(database_ms: int) -> None:
    """Refuse a wrong clock: a player's break would be over an hour early at a server that is an hour ahead."""
    off = (wall_clock() - database_ms) // 1000
    if abs(off) > MOST_OFF_S:
        raise ValueError(f"the clock of this machine and that of the database are {abs(off)} s apart: set them right")


def _check_same_house(place: Place, house: House, accounts: Accounts) -> None:
    """Refuse an accounts file of another house: its requests count from 1 again, and would be taken for old ones."""
    known, there = house.last_request, accounts.last_request()
    if known > there:
        raise StoreFault(
            f"{accounts.path} has {there} requests for roles and the log knows {known}: it is of another house, or an "
            "older copy. Put the right file back."
        )


class Serving(uvicorn.Server):
    """uvicorn's server with our way to stop: first drain, at the second signal leave at once.

    Leaving at once loses nothing: what was acknowledged is on the disk.
    """

    def __init__(self, server: Server) -> None:
        tls = None if server.certificate is None else server.certificate.context
        super().__init__(make_config(make_app(server), server.limits, has_proxy=server.has_proxy, tls=tls))
        self._server = server
        if server.peers is not None:
            server.peers.on_failed = self.drain
        self._draining: asyncio.Task[None] | None = None
        self._asked_to_stop = 0.0

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop, is_main = asyncio.get_running_loop(), threading.current_thread() is threading.main_thread()
        before = {one: signal.signal(one, self._note(loop)) for one in SIGNALS} if is_main else {}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _note(self, loop: asyncio.AbstractEventLoop) -> Callable[[int, object], None]:
        def noted(number: int, frame: object) -> None:
            if self._server.is_closing or self._server.is_leaving:
                if time.monotonic() - self._asked_to_stop > ONE_SIGNAL_S:
                    os._exit(INTERRUPTED)
                return
            self._asked_to_stop = time.monotonic()
            self._server.is_leaving = True
            self._server.is_closing = self._server.peers is None
            loop.call_soon_threadsafe(self.drain)

        return noted

    def drain(self) -> None:
        """Drain the server: no new commands, a goodbye to everybody, and then the end.

        Where other servers are there, they take its tables first, and nobody is refused anything.
        """
        self._server.is_leaving = True
        if self._draining is None:
            self._draining = asyncio.get_running_loop().create_task(self._drain())
            self._draining.add_done_callback(self._end_at_fault)

    def _end_at_fault(self, drained: "asyncio.Task[None]") -> None:
        """End all the same where the drain did not: what was acknowledged is on the disk."""
        if not drained.cancelled() and (error := drained.exception()) is not None:
            log.error("the drain has failed", exc_info=error)
            self.should_exit = True

    async def _drain(self) -> None:
        hub = self._server.hub
        log.info("the drain has begun", extra={"sockets": len(hub.outlets)})
        begun = time.monotonic()
        peers = self._server.peers
        is_taken = peers is not None and peers.can_leave and await peers.hand_over()
        if not is_taken:
            self._server.is_closing = True
            self._server.settle()
            self._server.house.close()
        hub.end_all("draining", is_silent=is_taken)
        loop = asyncio.get_running_loop()
        until = loop.time() + GOODBYE_S
        while hub.count() and loop.time() < until:
            await asyncio.sleep(0.02)
        log.info(
            "the drain is over", extra={"sockets": len(hub.outlets), "seconds": round(time.monotonic() - begun, 3)}
        )
        self.should_exit = True


def _renew_at_hangup(server: Server, loop: asyncio.AbstractEventLoop) -> None:
    """At SIGHUP read the certificate and open the log files again. Where there is neither, it ends the server."""
    certificate, files = server.certificate, day_files()
    if certificate is not None:
        certificate.watch(loop)
    if HANGUP is None or (certificate is None and not files):
        return

    def renew() -> None:
        for file in files:
            file.reopen()
        if certificate is not None:
            certificate.renew()

    loop.add_signal_handler(HANGUP, renew)


def run(server: Server, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until a signal comes; `on_ready` is called when connections are taken."""
    serving = Serving(server)
    allow_files()
    sys.setswitchinterval(TURN_S)
    gc.collect()
    gc.freeze()  # What is there now stays, and need not be looked through again and again.

    async def main() -> None:
        keep_log_quiet(asyncio.get_running_loop())
        _renew_at_hangup(server, asyncio.get_running_loop())
        task = asyncio.create_task(serving.serve(sockets=[listener]))
        while not serving.started and not task.done():
            await asyncio.sleep(0.01)
        if serving.started:
            log.info("the house is open", extra={"tables": len(server.house.tables)})
            on_ready()
        await task

    # uvicorn knows the fastest loop of this platform.
    with asyncio.Runner(loop_factory=serving.config.get_loop_factory()) as runner:
        runner.run(main())
    if server.peers is not None and server.house.out_of_service is not None:
        raise StoreFailed(f"the server has ended: {server.house.out_of_service}")
