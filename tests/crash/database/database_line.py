"""The faulty line between a server and its PostgreSQL, over Unix sockets."""

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.crash.faulty_line import Fault, FaultKind, FaultyLine

SOCKET = ".s.PGSQL.5432"
DATABASE_FAULTS: tuple[FaultKind, ...] = ("delay", "cut before", "cut after", "half-open")


class DatabaseLine(FaultyLine):
    """The proxy; nothing befalls a message before `strike` has said what and when."""

    def __init__(self, sockets: Path, folder: Path, seed: int = 1) -> None:
        super().__init__(0, Fault("none"), seed)
        self._sockets, self.folder = sockets, folder

    def strike(self, kind: FaultKind, after: int) -> None:
        """Have a fault come to the message that is so many from now on."""
        self.struck = False
        self._fault = Fault(kind, self.count + after)

    def url(self, database: str) -> str:
        """The URL of a database of that server, over this line."""
        assert str(self._sockets) in database
        return database.replace(str(self._sockets), str(self.folder))

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        server = await asyncio.start_unix_server(self._meet, self.folder / SOCKET)
        ready.set()
        await end.wait()
        server.close()
        await self.part()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(self._sockets / SOCKET)


@contextlib.contextmanager
def database_line(sockets: Path, seed: int = 1) -> Iterator[DatabaseLine]:
    """The proxy in a thread of its own."""
    with tempfile.TemporaryDirectory(prefix="line-") as folder:
        proxy, ready = DatabaseLine(sockets, Path(folder), seed), threading.Event()
        loop, end = asyncio.new_event_loop(), asyncio.Event()
        thread = threading.Thread(target=lambda: loop.run_until_complete(proxy.serve(ready, end)), daemon=True)
        thread.start()
        assert ready.wait(10)
        try:
            yield proxy
        finally:
            loop.call_soon_threadsafe(end.set)
            thread.join(10)
            loop.close()
