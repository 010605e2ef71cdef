"""The client without asyncio: the same calls, each of which returns when it is done.

A thread of its own keeps the connection, so that views stay current while the program does something else.
"""

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from casinowar import protocol as f
from casinowar.client.client import Arrived, Client, Role
from casinowar.client.connection import ConnectionCallback
from casinowar.client.errors import Ended
from casinowar.client.table import Live

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds for which a call waits for its answer."""

NOT_OPEN = "it is a context: `with SyncClient(url) as client:`"


class SyncClient:
    """A client of one player for programs without asyncio; it is a context.

        with SyncClient("http://127.0.0.1:8080") as client:
            player = client.guest().player
            table = client.watch("nz")
            table.do(commands.Sit(box=1))

    `client` is the one behind it, whose coroutines `run` runs. `on_connection` is called in the connection's thread.

    >>> import asyncio
    >>> from casinowar import protocol
    >>> from casinowar.testing.scripted_server import live_view, say, scripted
    >>> async def script(socket, frame):
    ...     if isinstance(frame, protocol.Watch):
    ...         await say(socket, protocol.Snapshot("nz", live_view()))
    ...     elif isinstance(frame, protocol.Command):
    ...         await say(socket, protocol.Done(frame.id, "nz", 8))
    >>> from casinowar.client import SyncClient
    >>> def arrive(url):
    ...     with SyncClient(url) as client:
    ...         return client.guest().player
    >>> async def main():
    ...     async with scripted(script) as server:
    ...         return await asyncio.to_thread(arrive, server.url)
    >>> asyncio.run(main())
    'guest-1'
    """

    def __init__(self, url: str, token: str | None = None, on_connection: ConnectionCallback | None = None) -> None:
        self._context: AbstractAsyncContextManager[Client] = Client.connect(url, token, on_connection=on_connection)
        self._client: Client | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def client(self) -> Client:
        """The client behind this one."""
        if self._client is None:
            raise Ended("not_open", NOT_OPEN)
        return self._client

    def __enter__(self) -> "SyncClient":
        if self._loop is not None:
            raise Ended("closed", "a client is opened once: make another one")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="casinowar client", daemon=True)
        self._thread.start()
        try:
            self._client = self.run(self._context.__aenter__())
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.run(self._context.__aexit__(None, None, None))
        finally:
            self._stop()

    def _stop(self) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, coroutine: Coroutine[Any, Any, T], patience: float = PATIENCE) -> T:
        """Run a coroutine of the client behind this one, and give its result."""
        if self._loop is None or self._loop.is_closed():
            coroutine.close()
            raise Ended("not_open", NOT_OPEN) if self._loop is None else Ended("closed", "the client was closed")
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(patience)

    def guest(self) -> Arrived:
        """Arrive as a new guest."""
        return self.run(self.client.guest())

    def login(self, name: str, password: str) -> Arrived:
        """Arrive as somebody who has an account."""
        return self.run(self.client.login(name, password))

    def register(self, name: str, password: str) -> Arrived:
        """Make an account, and arrive."""
        return self.run(self.client.register(name, password))

    def me(self) -> f.PlayerView:
        """The player's purse, chips at each table, own limits, and what is left of them."""
        return self.run(self.client.me())

    def lobby(self) -> list[f.LobbyLine]:
        """The tables of the house."""
        return self.run(self.client.lobby())

    def open_private(self, rulebook: str, bots: int = 0) -> str:
        """Open a table of one's own with so many players of the house, and give its name."""
        return self.run(self.client.open_private(rulebook, bots))

    def watch(self, table: str, role: Role = "player") -> "SyncLive":
        """Follow a table; its view is there when this returns."""
        return SyncLive(self, self.run(self.client.watch(table, role)))


class SyncLive:
    """A table that a synchronous client follows. `live` is the one behind it.

    >>> import asyncio
    >>> from casinowar import protocol
    >>> from casinowar.testing.scripted_server import live_view, say, scripted
    >>> async def script(socket, frame):
    ...     if isinstance(frame, protocol.Watch):
    ...         await say(socket, protocol.Snapshot("nz", live_view()))
    ...     elif isinstance(frame, protocol.Command):
    ...         await say(socket, protocol.Done(frame.id, "nz", 8))
    >>> from casinowar.client import SyncClient, commands
    >>> def sit_down(url):
    ...     with SyncClient(url) as client:
    ...         me = client.guest()
    ...         return client.watch("nz").do(commands.Sit(box=1)).version
    >>> async def main():
    ...     async with scripted(script) as server:
    ...         return await asyncio.to_thread(sit_down, server.url)
    >>> asyncio.run(main())
    8
    """

    def __init__(self, client: SyncClient, live: Live) -> None:
        self._client = client
        self.live = live

    @property
    def view(self) -> f.LiveView:
        """The table now, as this player sees it."""
        return self.live.view

    @property
    def player(self) -> str:
        """Who follows the table."""
        return self.live.player

    @property
    def box(self) -> int | None:
        """The box where this player sits."""
        return self.live.box

    def do(self, command: msgspec.Struct | Mapping[str, Any], reason: str = "", part: f.Part = "player") -> f.Done:
        """Send a command and return when it is on the server's disk; a refusal is raised as `Refused`."""
        return self._client.run(self.live.do(command, reason, part))

    def wait(self, patience: float = PATIENCE) -> f.Happened | None:
        """Wait for what happens next; none where the connection has ended, a TimeoutError where nothing comes."""
        return self._client.run(self._next(patience), patience + 5)

    async def _next(self, patience: float) -> f.Happened | None:
        start = monotonic()
        try:
            async with asyncio.timeout(patience):
                return await self.live.next_frame()
        except TimeoutError:
            raise TimeoutError(f"nothing happened for {monotonic() - start:.0f} s") from None
