"""A real server in a thread of its own, on a free port of loopback, and the clients that tests call it with."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import uvicorn
from websockets.sync.client import ClientConnection, connect

from casinowar.house.settings import HouseSettings, TableSettings, Timers
from casinowar.web.app import Clock
from casinowar.web.http.address import listen
from casinowar.web.http.limits import Limits
from casinowar.web.run import Place, Serving, open_server
from casinowar.web.server import Server

T = TypeVar("T")
QUICK = Timers(betting=0.2, decision=30, war_betting=0.2, cut=0, entropy=0, bank=0.2, pause=0, card=0, absent=60)
ROOMY = Limits(
    messages_per_second=1_000,
    messages_at_once=1_000,
    address_messages_per_second=10_000,
    address_messages_at_once=10_000,
    previews_per_second=10_000,
    previews_at_once=10_000,
    address_previews_per_second=10_000,
    address_previews_at_once=10_000,
    snapshots_per_second=10_000,
    snapshots_at_once=10_000,
    tells_per_second=1_000,
    tells_at_once=1_000,
    requests_per_second=10_000,
    requests_at_once=10_000,
    arrivals_per_second=1_000,
    arrivals_at_once=1_000,
    sockets_per_account=100,
    sockets_per_address=1_000,
    connections_per_address=2_000,
    seats_per_address=1_000,
    private_tables_per_address=1_000,
)
"""So that a test meets no limit but the one it is about."""

HOUSE = HouseSettings(
    tables=(
        TableSettings(name="nz", rulebook="nz", timers=QUICK),
        TableSettings(name="hand", rulebook="nz", dealer="human", timers=QUICK),
    )
)


class Answer(NamedTuple):
    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class LiveServer:
    """A running server. `call` does something in its thread, where its house may be looked at."""

    def __init__(self, server: Server, port: int, loop: asyncio.AbstractEventLoop, serving: Serving) -> None:
        self.server = server
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.serving = serving
        self._loop = loop

    def call(self, work: Callable[[], T]) -> T:
        async def done() -> T:
            return work()

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(20)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self.serving.drain)

    def version(self, table: str) -> int:
        return self.call(lambda: self.server.house.tables[table].version)

    def metric(self, line: str) -> float:
        """The value of a line of the metrics; 0 where it is not there yet."""
        for one in Caller(self).ask("GET", "/metrics").body.decode().splitlines():
            if one.startswith(f"{line} "):
                return float(one.rpartition(" ")[2])
        return 0

    def staff(self, name: str, *roles: str) -> "Caller":
        """An account with these roles, logged in."""
        caller = Caller(self)
        assert caller.ask("POST", "/api/register", {"name": name, "password": "a long enough one"}).status == 200
        accounts = self.server.accounts
        for role in roles:
            accounts.request_staff_role(name, role, True, "admin:test", "for a test")
        self.call(Clock(self.server).look)
        return caller


class Caller:
    """Somebody who calls over HTTP, as a browser with a cookie does, from an address of this machine."""

    address = "127.0.0.1"

    def __init__(self, live: LiveServer) -> None:
        self.live = live
        self.cookie: str | None = None
        self.name = ""

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        """One request. `raw` is sent as it is; otherwise a body is sent as JSON."""
        sent = dict(headers or {})
        content = raw
        if body is not None:
            content = json.dumps(body).encode()
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        if self.cookie:
            sent.setdefault("Cookie", self.cookie)
        connection = HTTPConnection("127.0.0.1", self.live.port, timeout=20, source_address=(self.address, 0))
        try:
            connection.request(method, path, body=content, headers=sent)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        given = answer.headers.get("Set-Cookie")
        if given:
            self.cookie = given.partition(";")[0]
        return answer

    def guest(self) -> "Caller":
        answer = self.ask("POST", "/api/guest", {})
        assert answer.status == 200, answer
        self.name = answer.json["player"]
        return self

    def ticket(self) -> str:
        return str(self.ask("POST", "/api/socket-ticket", {}).json["ticket"])

    def socket(self, ticket: str | None = None, **options: Any) -> "Socket":
        url = f"ws://127.0.0.1:{self.live.port}/api/socket?ticket={self.ticket() if ticket is None else ticket}"
        return Socket(url, **options)

    def command(self, table: str, command: dict[str, Any], **more: Any) -> Answer:
        body = {"id": fresh_id(), "expected": self.live.version(table), "command": command, **more}
        return self.ask("POST", f"/api/tables/{table}/commands", body)


class Socket:
    """A WebSocket that speaks JSON."""

    def __init__(self, url: str, **options: Any) -> None:
        self._stack = ExitStack()
        self.connection: ClientConnection = self._stack.enter_context(
            connect(url, compression=None, max_size=None, max_queue=None, **options)
        )

    def send(self, frame: object) -> None:
        self.connection.send(json.dumps(frame))

    def next(self, timeout: float = 10) -> Any:
        return json.loads(self.connection.recv(timeout))

    def next_of(self, *kinds: str, timeout: float = 10) -> Any:
        """The next frame of one of these types; others are passed by."""
        while True:
            frame = self.next(timeout)
            if frame["type"] in kinds:
                return frame

    def watch(self, table: str, role: str = "player") -> Any:
        self.send({"type": "watch", "table": table, "role": role})
        return self.next()

    def close(self) -> None:
        self._stack.close()


_ids = iter(range(1, 10**9))


def fresh_id() -> str:
    return f"test-{next(_ids)}"


@contextmanager
def running(
    folder: Path,
    settings: HouseSettings = HOUSE,
    limits: Limits = ROOMY,
    host: str = "127.0.0.1",
    port: int = 0,
    database: str | None = None,
    **options: Any,
) -> Iterator[LiveServer]:
    """A server over the files of a folder, or over a database, drained at the end."""
    ready: threading.Event = threading.Event()
    found: list[LiveServer] = []
    failed: list[BaseException] = []

    async def serve() -> None:
        with open_server(Place.in_folder(folder, database), settings, limits, **options) as server:
            listener = listen(host, port)
            serving = Serving(server)
            live = LiveServer(server, listener.getsockname()[1], asyncio.get_running_loop(), serving)
            task = asyncio.create_task(serving.serve(sockets=[listener]))
            while not serving.started and not task.done():
                await asyncio.sleep(0.005)
            found.append(live)
            ready.set()
            await task

    def main() -> None:
        try:
            with asyncio.Runner(loop_factory=uvicorn.Config("").get_loop_factory()) as runner:
                runner.run(serve())
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=main, daemon=True)
    thread.start()
    ready.wait(30)
    if not found:
        raise failed[0]
    try:
        yield found[0]
    finally:
        found[0].stop()
        thread.join(20)
        assert not thread.is_alive()
        if failed:
            raise failed[0]
