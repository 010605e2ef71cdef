"""A balancer as it stands before several servers: each new connection goes to the next server that takes it."""

import asyncio
import contextlib
import threading
from collections.abc import Sequence


class Balancer:
    """A balancer in a thread of its own, at a port of loopback."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = list(ports)
        self._turn = 0
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    def __enter__(self) -> "Balancer":
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._take, "127.0.0.1", 0), self._loop).result(
            10
        )
        self.port = int(server.sockets[0].getsockname()[1])
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(50 * len(self._ports)):
            self._turn += 1
            try:
                there = await asyncio.open_connection("127.0.0.1", self._ports[self._turn % len(self._ports)])
                break
            except OSError:
                await asyncio.sleep(0.02)
        else:
            writer.close()
            return
        await asyncio.gather(_pour(reader, there[1]), _pour(there[0], writer))


async def _pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    with contextlib.suppress(OSError):
        sink.close()
