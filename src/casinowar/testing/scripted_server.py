"""A server of live tables that says what a test tells it to, behind a gate that can cut every connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import msgspec

from casinowar import protocol as f
from casinowar.engine import Table, step
from casinowar.engine import commands as c
from casinowar.engine.events import Refusal
from casinowar.engine.view import Viewer, view
from casinowar.extras import require
from casinowar.rulebooks import load_rulebook

require("casinowar.testing.scripted_server", "client", "websockets")

from websockets.asyncio.server import ServerConnection, serve  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402

Script = Callable[[ServerConnection, f.ClientFrame], Awaitable[None]]

_frames = msgspec.json.Decoder(f.ClientFrame)


def live_view(version: int = 7, seats: tuple[f.SeatView, ...] = (), seal: f.SealView | None = None) -> f.LiveView:
    """A table of New Zealand that has just been opened, as a player sees it.

    >>> from casinowar.testing import live_view
    >>> live_view(version=9).version
    9
    """
    rules = load_rulebook("nz")
    done = step(rules, Table(), c.OpenTable())
    assert not isinstance(done, Refusal)
    return f.LiveView(
        table="nz",
        title="New Zealand",
        version=version,
        turn=version,
        view=view(rules, done[1], Viewer("player", "guest-1")),
        dealer_kind="automatic",
        timeout="surrender",
        timer=None,
        is_paused=False,
        stopped=None,
        seal=seal or f.SealView("none_yet"),
        seats=seats,
        rounds=(),
        currency="play money",
        minor_digits=2,
        purse=100_000,
    )


async def say(socket: ServerConnection, *frames: f.ServerFrame) -> None:
    """Send these frames to one client.

    >>> import asyncio
    >>> from casinowar import protocol
    >>> from casinowar.client import Client
    >>> from casinowar.testing import live_view, say, scripted
    >>> async def script(socket, frame):
    ...     await say(socket, protocol.Snapshot("nz", live_view()))
    >>> async def look():
    ...     async with scripted(script) as server, Client.connect(server.url) as client:
    ...         me = await client.guest()
    ...         return (await client.watch("nz")).view.title
    >>> asyncio.run(look())
    'New Zealand'
    """
    for frame in frames:
        await socket.send(msgspec.json.encode(frame), text=True)


class ScriptedServer:
    """Answers HTTP with what `answers` has, frames with what `script` does, and keeps all that came.

    >>> import asyncio
    >>> from casinowar.client import Client
    >>> from casinowar.testing import scripted
    >>> async def script(socket, frame):
    ...     pass
    >>> async def arrive():
    ...     async with scripted(script) as server, Client.connect(server.url) as client:
    ...         me = await client.guest()
    ...         return server.heads[0].splitlines()[0]
    >>> asyncio.run(arrive())
    'POST /api/guest HTTP/1.1'
    """

    def __init__(self, script: Script) -> None:
        self.script = script
        self.answers: dict[str, tuple[int, object]] = {
            "POST /api/guest": (200, {"player": "guest-1", "is_guest": True, "roles": [], "token": "secret"}),
            "POST /api/socket-ticket": (200, {"ticket": "t1"}),
        }
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.came: list[f.ClientFrame] = []
        self.url = ""
        self._ports: list[int] = []
        self._pipes: set[asyncio.StreamWriter] = set()

    async def talk(self, socket: ServerConnection) -> None:
        """Keep each frame that comes, and let the script answer it."""
        with suppress(ConnectionClosed):
            async for text in socket:
                frame = _frames.decode(text)
                self.came.append(frame)
                await self.script(socket, frame)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one HTTP request with what `answers` has for it, and 404 for what it has not."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next((int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length:")), 0)
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(length))
        status, said = self.answers.get(" ".join(head.split()[:2]), (404, {"code": "not_found", "says": "nothing"}))
        body = msgspec.json.encode(said)
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    async def gate(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Both kinds of traffic come to one port: what begins with the socket's path goes to the WebSocket."""
        head = await reader.readuntil(b"\r\n\r\n")
        port = self._ports[1 if head.startswith(b"GET /api/socket?") else 0]
        back, front = await asyncio.open_connection("127.0.0.1", port)
        self._pipes |= {writer, front}
        front.write(head)
        await asyncio.gather(_pour(reader, front), _pour(back, writer))
        self._pipes -= {writer, front}

    def cut(self) -> None:
        """Break every connection at once, without a word."""
        for pipe in list(self._pipes):
            pipe.transport.abort()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def scripted(script: Script) -> AsyncIterator[ScriptedServer]:
    """A server on a free port of this machine, for as long as the block lasts.

    >>> import asyncio
    >>> from casinowar.testing import scripted
    >>> async def script(socket, frame):
    ...     pass
    >>> async def serve():
    ...     async with scripted(script) as server:
    ...         return server.url.startswith("http://127.0.0.1:")
    >>> asyncio.run(serve())
    True
    """
    server = ScriptedServer(script)
    async with (
        await asyncio.start_server(server.answer, "127.0.0.1", 0) as http,
        serve(server.talk, "127.0.0.1", 0) as sockets,
        await asyncio.start_server(server.gate, "127.0.0.1", 0) as gate,
    ):
        server._ports = [http.sockets[0].getsockname()[1], next(iter(sockets.sockets)).getsockname()[1]]
        server.url = f"http://127.0.0.1:{gate.sockets[0].getsockname()[1]}"
        try:
            yield server
        finally:
            server.cut()
