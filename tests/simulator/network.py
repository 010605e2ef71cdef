"""The simulated network: lines between people and a server, slow, cut, silent for a while, as a seed has it."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.websockets import WebSocket

from casinowar.web.server import Server
from casinowar.web.socket.connection import serve_socket
from tests.simulator.world import Actor

QUICK_S, SLOW_S = 0.02, 1.5
SLOW_SHARE = 0.03
NOTICED_S = 4.0
"""So long it may take until the server notices that a line was cut."""


class Line:
    """One WebSocket between a person and a server, which serves it with the code that it serves every other.

    What is sent arrives in its order, each way. After a cut nothing more arrives at the person; what was on its way to
    the server may still arrive there, and the server notices the cut later.
    """

    def __init__(self, person: Actor, server: Actor, chance: random.Random, on_told: Callable[[str], None]) -> None:
        self._person, self._server = person, server
        self._chance = chance
        self._on_told = on_told
        self._to_person: asyncio.Queue[str | None] = asyncio.Queue()
        self._to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._at_server = self._at_person = self._silent_until = 0.0
        self.is_open = True

    def serve(self, server: Server, ticket: str) -> None:
        """The server's end of the line, as a task of its process."""
        state = {"write_now": self._write_now, "hang_up": self.cut}
        scope = {
            "type": "websocket", "path": "/api/socket", "query_string": f"ticket={ticket}".encode(), "subprotocols": [],
            "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "state": state,
            "extensions": {"websocket.http.response": {}},
        }  # fmt: skip
        self._to_server.put_nowait({"type": "websocket.connect"})
        socket = WebSocket(scope, self._to_server.get, self._take)
        self._task = self._server.loop.create_task(serve_socket(socket, server))

    async def send(self, message: bytes, *, text: bool) -> None:
        """Send a message of the person's."""
        assert text
        if not self.is_open:
            raise ConnectionResetError("the line was cut")
        self._at_server = self._arrival(self._at_server)
        received = {"type": "websocket.receive", "text": message.decode()}
        self._post(self._server, self._at_server, self._to_server, received)

    def fall_silent(self, seconds: float) -> None:
        """Let nothing arrive for a while, either way, though both ends hold the line for open."""
        self._silent_until = self._now() + seconds

    def cut(self) -> None:
        """Cut the line: the person notices at once, the server later."""
        if self.is_open:
            self.is_open = False
            when = max(self._at_server, self._now() + self._chance.uniform(0, NOTICED_S))
            self._post(self._server, when, self._to_server, {"type": "websocket.disconnect", "code": 1006})
            self._post(self._person, self._now(), self._to_person, None)

    async def __aenter__(self) -> "Line":
        return self

    async def __aexit__(self, *error: object) -> None:
        self.cut()

    async def __aiter__(self) -> AsyncIterator[str]:
        """The frames that arrive at the person, until the line is cut."""
        while (text := await self._to_person.get()) is not None:
            yield text
        raise ConnectionResetError("the line was cut")

    async def _take(self, message: Any) -> None:
        """Take what the server's end sends."""
        if message["type"] == "websocket.send":
            self._deliver(message["text"])
        elif message["type"] in ("websocket.close", "websocket.http.response.start"):
            self.cut()

    def _write_now(self, frames: list[bytes]) -> bool:
        """Take frames at once, as a connection does whose buffers are not full."""
        if self._chance.random() < SLOW_SHARE:
            return False
        for frame in frames:
            self._deliver(frame.decode())
        return True

    def _deliver(self, text: str) -> None:
        if self._server.is_over:
            return
        self._on_told(text)
        self._at_person = self._arrival(self._at_person)
        self._person.post(self._arrive, text, after=self._at_person - self._now())

    def _arrive(self, text: str) -> None:
        if self.is_open:
            self._to_person.put_nowait(text)

    def _post(self, to: Actor, when: float, queue: "asyncio.Queue[Any]", what: object) -> None:
        to.post(queue.put_nowait, what, after=when - self._now())

    def _now(self) -> float:
        return self._person.world.seconds

    def _arrival(self, last: float) -> float:
        took = self._chance.uniform(0, SLOW_S if self._chance.random() < SLOW_SHARE else QUICK_S)
        return max(last, self._silent_until, self._now()) + took
