"""This server among the servers of one house: it looks around, passes on, hands over, and lets the others in."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from casinowar import protocol as f
from casinowar.engine.view import Viewer
from casinowar.house.shared_tables import SharedTables
from casinowar.store import StoreFailed
from casinowar.web.http.errors import WebError
from casinowar.web.peers.entrance import Entrance, open_entrance
from casinowar.web.peers.gateway import Gateway
from casinowar.web.peers.links import Links
from casinowar.web.peers.messages import MOVED, Call, Return
from casinowar.web.peers.peer_key import PeerKey
from casinowar.web.server import Server
from casinowar.web.socket.outlet import Outlet

log = logging.getLogger(__name__)
T = TypeVar("T")
SOON_S = 0.03
"""So soon it looks again where somebody waits for a table that nobody decides, or that is just being taken up."""

HAND_OVER_S = 15.0
"""So long a server that leaves waits for the others to take its tables."""

PATIENCE_S = 0.5
"""So often a request that waits for another server looks whether that still decides the table."""

ALL_S = 2.0
"""What all servers answer together waits so long for each: one that is stuck is left out.

It reads on before it decides anything, since this is longer than `PAUSED_MS`.
"""

WAIT_S = 60.0
"""So long a request waits for somebody to decide its table."""


class Peers:
    """The peers of a server. Its entrance is opened by the word of the `key` for its `secret`.

    `join` makes it one of them, with what is called back in another thread when they wake it.
    """

    def __init__(
        self,
        server: Server,
        shared: SharedTables,
        key: PeerKey,
        secret: str,
        join: Callable[[Callable[[str], None]], None],
    ) -> None:
        self.server, self.shared = server, shared
        self.links = Links(shared.me, key, lambda: shared.sight, self._hear, self._lose)
        self.gateway = Gateway(self, self.links.reach)
        self.on_failed: Callable[[], None] = lambda: None
        self._word, self._prove, self._join = key.word(secret), partial(key.proof, secret), join
        self._entrance: Entrance | None = None
        self._listener: asyncio.Server | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._looks_at = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False
        shared.on_moved = self._moved

    # The directory of the gateway.

    @property
    def me(self) -> int:
        return self.shared.me

    def owner(self, table: str) -> int | None:
        return self.shared.owner(table)

    def is_open(self, table: str) -> bool:
        return self.shared.is_open(table)

    def peers(self) -> Iterable[int]:
        return [one.number for one in self.shared.sight.servers if one.number != self.me]

    # Looking around.

    async def start(self, app: ASGIApp, listener: Any) -> None:
        """Let other servers in, and look around from now on."""
        self._loop = asyncio.get_running_loop()
        self._entrance = Entrance(self.server, app, self._word, self._prove)
        self._listener = await open_entrance(self._entrance, listener)
        try:
            self._join(self._woken)
        except StoreFailed as error:
            self.server.house.fail(error)
            self.on_failed()
        else:
            self.look()

    def _woken(self, what: str) -> None:
        """Look around in the loop's thread, where another server says that something has happened."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.look_soon)

    def look_soon(self, seconds: float = 0.0) -> None:
        """Look around a moment later, once for all who want it."""
        if self._is_closed or self._loop is None:
            return
        at = self._loop.time() + seconds
        if self._looking is not None:
            if self._looks_at <= at:
                return
            self._looking.cancel()
        self._looks_at, self._looking = at, self._loop.call_later(seconds, self.look)

    def look(self) -> None:
        """Look around now. Where the store has failed, the server ends, so that its tables go to the others."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        server, shared = self.server, self.shared
        server.settle()
        has_more = [False]

        def look() -> None:
            has_more[0] = shared.look()

        try:
            shared.safe(look)
            shared.people.tell(list(server.house.tables.values()))
        except StoreFailed as error:
            server.house.fail(error)
        if server.house.out_of_service is not None:
            self.on_failed()
            return
        self.gateway.look()
        if has_more[0] or self.gateway.has_unplaced:
            self.look_soon(SOON_S)

    def _hear(self, number: int, message: Any) -> None:
        self.gateway.hear(number, message)
        if self.gateway.has_unplaced:
            self.look_soon(SOON_S)

    def _lose(self, number: int) -> None:
        self.gateway.lose(number)
        self.look_soon(SOON_S)

    def _moved(self, table: str) -> None:
        """A table was taken up here, or is decided here no more: who watched it goes on watching it elsewhere."""
        server = self.server
        if table in server.house.tables:
            self.gateway.note_here(table)
            return
        for outlet in server.hub.watchers(table):
            watch = _watch_of(table, outlet.watched[table], is_in_parts=table in outlet.told)
            server.hub.unwatch(outlet, table)
            self.pass_on(outlet, watch)
        self.look_soon()

    # Sockets.

    def pass_on(self, outlet: Outlet, frame: f.ClientFrame) -> None:
        """Pass on a frame for a table that is not decided here; a guest's goes back to where it came from."""
        if outlet.send_back is not None:
            outlet.send_back(frame)
        elif isinstance(frame, f.Watch | f.Command):
            if isinstance(frame, f.Command) and self.gateway.is_full(outlet):
                raise WebError("too_fast")
            self.gateway.pass_on(outlet, frame, outlet.take_here)
            if self.gateway.has_unplaced:
                self.look_soon(SOON_S)

    # Requests.

    async def call(self, request: Request, table: str, body: bytes) -> Response | None:
        """The answer to a request by whoever decides a table; none where that is this server."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            owner = self.owner(table)
            if owner == self.me or not self.is_open(table):
                return None
            answer = None if owner is None else await self._call_owner(table, owner, _call_of(request, body), until)
            if answer is not None and answer.status != MOVED:
                return _response_of(answer)
            self.look_soon(SOON_S)
            await asyncio.sleep(SOON_S)
        raise WebError("out_of_service")

    async def _call_owner(self, table: str, owner: int, call: Call, until: float) -> Return | None:
        """The answer of a server, or none where it has lost the table, or the time is over, before it has answered."""
        work = asyncio.ensure_future(self.links.call(owner, call))
        try:
            while not work.done() and self.owner(table) in (owner, None) and time.monotonic() < until:
                await asyncio.wait((work,), timeout=PATIENCE_S)
        finally:
            if not work.done():
                work.cancel()
        return await work if work.done() and not work.cancelled() else None

    async def _call_soon(self, number: int, call: Call) -> Return | None:
        """The answer of a server that answers soon."""
        try:
            async with asyncio.timeout(ALL_S):
                return await self.links.call(number, call)
        except TimeoutError:
            return None

    async def call_all(self, request: Request, path: str = "") -> list[Return]:
        """The answers of all other servers to a request that each answers for its own tables; or what another path
        gives to the same caller."""
        call = _call_of(request, b"")
        if path:
            call = msgspec.structs.replace(call, method="GET", path=path, query=b"")
        answers = await asyncio.gather(*(self._call_soon(number, call) for number in self.peers()))
        return [one for one in answers if one is not None and one.status == 200]

    async def join_all(self, request: Request, here: Callable[[], Awaitable[T]]) -> tuple[T, list[bytes], list[str]]:
        """What is answered here and by all other servers, and the open tables for which nobody has answered.

        Where a table is just being handed over, all are asked once more.
        """
        begun = time.monotonic()
        for is_last in (False, True):
            own = set(self.server.house.tables)
            answer, told = await here(), await self.call_all(request)
            known = own.union(*(one.tables for one in told))
            missing = [table for table in self.server.house.listed if table not in known and self.is_open(table)]
            if not missing or is_last or time.monotonic() - begun > ALL_S / 2:
                break
            self.look_soon()
            await asyncio.sleep(SOON_S)
        return answer, [one.body for one in told], missing

    # The end.

    @property
    def can_leave(self) -> bool:
        """Whether another server is there to take the tables."""
        return not self.shared.is_alone and self.server.house.out_of_service is None

    async def hand_over(self) -> bool:
        """Hand all tables over, and wait until others decide them. Meanwhile whoever is connected plays on."""
        self.server.settle()
        self.server.house.attempt(lambda: self.shared.safe(self.shared.leave))
        until = time.monotonic() + HAND_OVER_S
        while time.monotonic() < until and self.can_leave:
            if all(self.shared.sight.owner(one) not in (None, self.me) for one in self.shared.streams()):
                return True
            self.look_soon()
            await asyncio.sleep(SOON_S)
        return False

    async def close(self) -> None:
        self._is_closed = True
        if self._looking is not None:
            self._looking.cancel()
        self.links.close()
        if self._entrance is not None and self._listener is not None:
            self._listener.close()
            self._entrance.close()


def _watch_of(table: str, viewer: Viewer, *, is_in_parts: bool) -> f.Watch:
    views: Literal["whole", "parts"] = "parts" if is_in_parts else "whole"
    return f.Watch(table=table, role=viewer.role, advice=viewer.asks_advice, views=views)


def _call_of(request: Request, body: bytes) -> Call:
    scope = request.scope
    address = request.client.host if request.client else ""
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    headers.append((b"content-length", str(len(body)).encode()))
    return Call(0, request.method, scope["path"], scope["query_string"], headers, body, address, scope.get("server"))


def _response_of(answer: Return) -> Response:
    response = Response(answer.body, answer.status)
    response.raw_headers = answer.headers
    return response
