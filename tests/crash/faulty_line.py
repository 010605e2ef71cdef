"""A proxy between a client and a server that does one thing to one message: late, cut, doubled, or swallowed.

Messages are the pieces that either side sends, counted over all connections and both ways.
"""

import asyncio
import contextlib
import random
import threading
from collections.abc import Iterator
from typing import Literal, NamedTuple

FaultKind = Literal["none", "delay", "cut before", "cut after", "half-open", "double", "forge"]
FAULTS: tuple[FaultKind, ...] = ("delay", "cut before", "cut after", "half-open", "double")
"""`forge` is the twin that must fail: it sends a command once more under an id of its own."""

HALF_OPEN_S, DELAY_S = 0.4, 0.25
WORDS: dict[str, bytes] = {"forge": b"buy_chips", "double": b""}
"""What must be in a command for these faults, which come to the first such command from their place on."""

TEXT, MASKED = 0x81, 0x80


class Fault(NamedTuple):
    kind: FaultKind
    at: int = 0


class FaultyLine:
    """The proxy; `count` is how many messages have gone through it, `struck` whether the fault has come."""

    def __init__(self, port: int, fault: Fault, seed: int = 1) -> None:
        self._to, self._fault, self._chance = port, fault, random.Random(seed)
        self.count = 0
        self.struck = False
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await end.wait()
        server.close()
        await self.part()

    async def part(self) -> None:
        """End all connections."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._to)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            there, back = await self.connect()
            line = (writer, back)
            await asyncio.gather(self._carry(reader, back, line, True), self._carry(there, writer, line, False))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _carry(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        line: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
        is_up: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := await source.read(65_536):
                self.count += 1
                is_here = self.count >= self._fault.at > 0 and not self.struck
                kind = self._fault.kind if is_here else "none"
                if kind in WORDS and not (is_up and is_command(piece, WORDS[kind])):
                    kind = "none"
                if kind == "forge":
                    piece = forged(piece)
                self.struck |= kind != "none"
                if kind == "delay":
                    await asyncio.sleep(DELAY_S * self._chance.uniform(0.5, 1.5))
                if kind == "half-open":
                    await asyncio.sleep(HALF_OPEN_S)
                if kind in ("cut before", "half-open"):
                    cut(*line)
                    return
                target.write(piece + piece if kind == "double" else piece)
                await target.drain()
                if kind == "cut after":
                    cut(*line)
                    return
        with contextlib.suppress(OSError):
            target.close()


def cut(*writers: asyncio.StreamWriter) -> None:
    """End both sides without a goodbye."""
    for writer in writers:
        writer.transport.abort()


def is_command(piece: bytes, word: bytes) -> bool:
    """Whether a piece is one whole text frame of a client, with a command and this word in it."""
    text = unmasked(piece)
    return text is not None and b'"command"' in text and word in text


def unmasked(piece: bytes) -> bytes | None:
    """The text of a piece that is one whole masked frame."""
    if len(piece) < 8 or piece[0] != TEXT or not piece[1] & MASKED:
        return None
    size, at = piece[1] & 127, 2
    if size == 126:
        size, at = int.from_bytes(piece[2:4], "big"), 4
    mask, body = piece[at : at + 4], piece[at + 4 :]
    if len(body) != size:
        return None
    return bytes(byte ^ mask[number % 4] for number, byte in enumerate(body))


def forged(piece: bytes) -> bytes:
    """The frame, and behind it the same command under another id."""
    text = unmasked(piece)
    assert text is not None
    begin = text.index(b'"id":"') + 6
    other = text[:begin] + (b"0" if text[begin : begin + 1] != b"0" else b"1") + text[begin + 1 :]
    head = piece[: len(piece) - len(text) - 4]
    return piece + head + bytes(4) + other


@contextlib.contextmanager
def faulty_line(port: int, fault: Fault, seed: int = 1) -> Iterator[FaultyLine]:
    """The proxy in a thread of its own."""
    proxy, ready = FaultyLine(port, fault, seed), threading.Event()
    loop = asyncio.new_event_loop()
    end = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(proxy.serve(ready, end)), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(10)
        loop.close()
