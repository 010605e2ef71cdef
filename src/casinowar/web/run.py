"""The run of the server: open everything, serve in one thread, and at a signal close everything in order."""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import uvicorn

from casinowar.house.house import House
from casinowar.house.settings import HouseSettings
from casinowar.store import StoreFault, load_key, public_key
from casinowar.web.accounts.accounts import FILE as ACCOUNTS_FILE
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.app import make_app
from casinowar.web.http.door import allow_files
from casinowar.web.http.limits import USUAL, Limits
from casinowar.web.http.uvicorn_config import make_config
from casinowar.web.log_noise import keep_log_quiet
from casinowar.web.metrics import MeasuredStore, Metrics
from casinowar.web.server import Server

STORE_FILE, KEY_FILE = "war.db", "checkpoints.key"
GOODBYE_S = 2.0
INTERRUPTED = 130
ONE_SIGNAL_S = 0.5
"""A signal to a whole process group may come twice: by itself, and passed on by whoever started the server."""

TURN_S = 0.0005
"""After so long a thread that reads gives the one that decides its turn. One command needs its turn many times, at
each statement of its transaction, and Python's usual 5 ms would add up."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Place(msgspec.Struct, frozen=True):
    """The files of one house: the log, the accounts, the key that signs checkpoints."""

    store: Path
    accounts: Path
    key: Path

    @classmethod
    def in_folder(cls, folder: Path, store: Path | None = None) -> "Place":
        return cls(store or folder / STORE_FILE, folder / ACCOUNTS_FILE, folder / KEY_FILE)


@contextlib.contextmanager
def open_server(
    place: Place, settings: HouseSettings, limits: Limits = USUAL, *, is_behind_tls: bool = False
) -> Iterator[Server]:
    """An open server over its files, which are closed however it ends."""
    for file in (place.store, place.accounts, place.key):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        metrics = Metrics()
        store = MeasuredStore(place.store)
        stack.callback(store.close)
        store.metrics = metrics
        accounts = Accounts(place.accounts, failures_per_address=limits.failures_per_address)
        stack.callback(accounts.close)
        key = load_key(place.key)
        house = House(store, settings, key=key)
        _check_same_house(place, house, accounts)
        server = Server(house, accounts, limits, key=public_key(key), is_behind_tls=is_behind_tls, metrics=metrics)
        stack.callback(house.close)
        yield server


def _check_same_house(place: Place, house: House, accounts: Accounts) -> None:
    """Refuse an accounts file of another house: its requests count from 1 again, and would be taken for old ones."""
    known, there = house.last_request, accounts.last_request()
    if known > there:
        raise StoreFault(
            f"{place.accounts} has {there} requests for roles and the log knows {known}: it is of another house, or an "
            "older copy. Put the right file back."
        )


class Serving(uvicorn.Server):
    """uvicorn's server with our way to stop: first drain, at the second signal leave at once.

    Leaving at once loses nothing: what was acknowledged is on the disk.
    """

    def __init__(self, server: Server) -> None:
        super().__init__(make_config(make_app(server), server.limits, is_behind_tls=server.is_behind_tls))
        self._server = server
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
            if self._server.is_closing:
                if time.monotonic() - self._asked_to_stop > ONE_SIGNAL_S:
                    os._exit(INTERRUPTED)
                return
            self._asked_to_stop = time.monotonic()
            self._server.is_closing = True
            loop.call_soon_threadsafe(self.drain)

        return noted

    def drain(self) -> None:
        """Drain the server: no new commands, a goodbye to everybody, and then the end."""
        self._server.is_closing = True
        if self._draining is None:
            self._draining = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        hub = self._server.hub
        self._server.settle()
        self._server.house.close()
        hub.end_all("draining")
        loop = asyncio.get_running_loop()
        until = loop.time() + GOODBYE_S
        while hub.outlets and loop.time() < until:
            await asyncio.sleep(0.02)
        self.should_exit = True


def run(server: Server, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serve until a signal comes; `on_ready` is called when connections are taken."""
    serving = Serving(server)
    allow_files()
    sys.setswitchinterval(TURN_S)
    gc.collect()
    gc.freeze()  # What is there now stays, and need not be looked through again and again.

    async def main() -> None:
        keep_log_quiet(asyncio.get_running_loop())
        task = asyncio.create_task(serving.serve(sockets=[listener]))
        while not serving.started and not task.done():
            await asyncio.sleep(0.01)
        if serving.started:
            on_ready()
        await task

    # uvicorn knows the fastest loop of this platform.
    with asyncio.Runner(loop_factory=serving.config.get_loop_factory()) as runner:
        runner.run(main())
