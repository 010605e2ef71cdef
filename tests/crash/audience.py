"""Very many connections to a table: some read all that they are sent, some nothing at all, and some say nothing either.

They are plain sockets in one thread, so that a thousand of them cost this side little.
"""

import contextlib
import json
import os
import select
import selectors
import socket
import struct
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Literal

Manner = Literal["reads", "slow", "silent"]
MANNERS: tuple[Manner, ...] = ("reads", "reads", "slow", "reads", "silent")
"""Of five connections three read, one reads nothing of what comes, and one never says what it wants."""

A_GUEST, AN_ADDRESS = 3, 18
"""So many sockets an account and an address may have, or fewer than they may."""

LOOK_S = 0.5
_runs = count()


class Seat:
    """One connection of the audience, which comes again where it was ended."""

    def __init__(self, port: int, table: str, source: str, manner: Manner, token: str) -> None:
        self.port, self.table, self.source, self.manner, self.token = port, table, source, manner, token
        self.line = self.come()

    def come(self) -> socket.socket:
        line = socket.socket()
        if self.manner == "slow":
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
        line.settimeout(30)
        line.bind((self.source, 0))
        line.connect(("127.0.0.1", self.port))
        if self.manner != "silent":
            head = (
                f"GET /api/socket?ticket={self._ticket()} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n"
            )
            text = json.dumps({"type": "watch", "table": self.table, "role": "watcher"}).encode()
            line.sendall(head.encode())
            line.recv(12)
            line.sendall(struct.pack("!BB4s", 0x81, 0x80 | len(text), bytes(4)) + text)
        line.setblocking(False)
        return line

    def _ticket(self) -> str:
        return str(ask(self.port, self.source, "/api/socket-ticket", self.token)["ticket"])


def ask(port: int, source: str, path: str, token: str = "") -> dict[str, object]:
    line = HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    headers = {"Content-Type": "application/json", "X-Casinowar-Client": "1"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    try:
        line.request("POST", path, "{}", headers)
        told: dict[str, object] = json.loads(line.getresponse().read())
        return told
    finally:
        line.close()


class Audience(threading.Thread):
    """All of them. `most_resident` is the most memory that the server had while they were there."""

    def __init__(self, port: int, pid: int, table: str, size: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.seats = pid, list[Seat]()
        self.read_bytes = self.came_again = self.most_resident = 0
        self.is_over = False
        run = next(_runs)
        for number in range(size):
            if number % AN_ADDRESS == 0:
                source = f"127.{70 + run}.{number // AN_ADDRESS}.1"
            if number % A_GUEST == 0:
                token = str(ask(port, source, "/api/guest")["token"])
            self.seats.append(Seat(port, table, source, MANNERS[number % len(MANNERS)], token))

    def run(self) -> None:
        with selectors.DefaultSelector() as selector:
            for seat in self.seats:
                if seat.manner == "reads":
                    selector.register(seat.line, selectors.EVENT_READ, seat)
            looked = 0.0
            while not self.is_over:
                for key, _ in selector.select(0.1):
                    self._read(selector, key.data)
                if time.monotonic() - looked > LOOK_S:
                    looked = time.monotonic()
                    self.most_resident = max(self.most_resident, resident(self.pid))
                    self._let_come_again()

    def _read(self, selector: selectors.BaseSelector, seat: Seat) -> None:
        got = b""
        with contextlib.suppress(BlockingIOError, ConnectionError):
            got = seat.line.recv(262_144)
            self.read_bytes += len(got)
        if not got:
            selector.unregister(seat.line)
            if self._seat_again(seat):
                selector.register(seat.line, selectors.EVENT_READ, seat)

    def _let_come_again(self) -> None:
        """Those who read nothing do not hear that they were ended: the system tells."""
        idle = {seat.line.fileno(): seat for seat in self.seats if seat.manner != "reads"}
        poll = select.poll()
        for number in idle:
            poll.register(number, select.POLLRDHUP)
        for number, _ in poll.poll(0):
            self._seat_again(idle[number])

    def _seat_again(self, seat: Seat) -> bool:
        seat.line.close()
        self.came_again += 1
        try:
            seat.line = seat.come()
            return True
        except (OSError, HTTPException, KeyError, ValueError):  # It is not let in now; the next time, perhaps.
            seat.line = socket.socket()
            return False

    def leave(self) -> None:
        self.is_over = True
        self.join(60)
        for seat in self.seats:
            seat.line.close()


@contextlib.contextmanager
def audience(port: int, pid: int, table: str, size: int) -> Iterator[Audience]:
    there = Audience(port, pid, table, size)
    there.start()
    try:
        yield there
    finally:
        there.leave()


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
