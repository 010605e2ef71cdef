"""A spare process beside the server: it reads a request and writes an answer, each with its length before it.

It is started when it is first wanted, and ends with the server, when there is nothing more to read.
"""

import asyncio
import contextlib
import os
import signal
import struct
import sys
from collections.abc import Callable
from typing import BinaryIO

MOST_BYTES = 16_000_000
_length = struct.Struct(">I")


class SpareProcess:
    """The server's side of one process: `python -m module`. One request at a time; who asks holds the lock."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: asyncio.subprocess.Process | None = None
        self._ending: set[asyncio.Future[int]] = set()

    @property
    def pid(self) -> int | None:
        """The process that runs now."""
        is_there = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process is not None and is_there else None

    async def exchange(self, request: bytes) -> bytes:
        """Send one request and return its answer; `OSError` or `EOFError` where the process ends before it."""
        process = await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_length.pack(len(request)) + request)
        await process.stdin.drain()
        (size,) = _length.unpack(await process.stdout.readexactly(_length.size))
        return await process.stdout.readexactly(size)

    async def _start(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self._module,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=MOST_BYTES,
            )
        return self._process

    def stop(self) -> None:
        """End the process; the next request starts another."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            gone = asyncio.ensure_future(process.wait())
            self._ending.add(gone)
            gone.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End the process, and return when every process that was ended is gone."""
        self.stop()
        await asyncio.gather(*self._ending)


def serve_requests(requests: BinaryIO, answers: BinaryIO, answer: Callable[[bytes], bytes]) -> None:
    """Serve requests one after the other, until there are no more. This is all that such a process does."""
    while head := requests.read(_length.size):
        (size,) = _length.unpack(head)
        told = answer(requests.read(size))
        answers.write(_length.pack(len(told)) + told)
        answers.flush()


def run_process(answer: Callable[[bytes], bytes]) -> None:
    """Be such a process. Printed text must not come between the answers, and an interrupt is for the server alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        serve_requests(sys.stdin.buffer, out, answer)
