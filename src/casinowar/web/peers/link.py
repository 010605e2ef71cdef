"""Links: TCP connections between servers of one house, over which messages go both ways.

What is sent in one turn of the loop goes out together.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, cast

import msgspec

from casinowar.web.peers.messages import Message, MessageParser, dump_message

log = logging.getLogger(__name__)
MOST_WAITING = 32 * 1024 * 1024
"""A server that takes nothing is cut off when so many bytes wait for it."""

AGAIN_S = 0.1
"""So long a server that could not be reached is left alone."""


SILENT_S = 10
"""A line over which nothing comes through for so long, not even that it was heard, is lost."""

WATCHED = (
    (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
    (socket.IPPROTO_TCP, "TCP_KEEPIDLE", SILENT_S // 2),
    (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 1),
    (socket.IPPROTO_TCP, "TCP_KEEPCNT", SILENT_S // 2),
    (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", 1000 * SILENT_S),
)


def watch_silence(line: Any) -> None:
    """Have the system end a connection that is silent: otherwise it would wait a quarter of an hour."""
    for level, name, value in WATCHED:
        if hasattr(socket, name):  # Not every system has each of them.
            line.setsockopt(level, getattr(socket, name), value)


class Link(asyncio.Protocol):
    """One end of a connection. `on_message` and `on_lost` are called in the loop.

    Where it begins with a `greeting`, all else waits until the other end `is_known`.
    """

    def __init__(
        self,
        on_message: "Callable[[Link, Message], None]",
        on_lost: "Callable[[Link], None]",
        greeting: Message | None = None,
    ) -> None:
        self._on_message, self._on_lost = on_message, on_lost
        self._greeting, self.is_known = greeting, greeting is None
        self.parser = MessageParser()
        self._transport: asyncio.Transport | None = None
        self._waiting: list[bytes] = []
        self._held = 0
        self._is_sending = False
        self.is_lost = False
        self.peer = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if self.is_lost:
            self._transport.abort()
        elif (line := transport.get_extra_info("socket")) is not None:
            watch_silence(line)
        if self._greeting is not None and not self.is_lost:
            self._transport.write(dump_message(self._greeting))
        self._flush()

    def know(self) -> None:
        """Send what has waited: the other end has proved who it is."""
        self.is_known = True
        self._flush()

    def data_received(self, data: bytes) -> None:
        try:
            for message in self.parser.feed(data):
                if self.is_lost:  # What a stranger says behind a wrong hello is not heard, and not noted either.
                    return
                self._on_message(self, message)
        except (ValueError, msgspec.MsgspecError) as error:
            log.warning("what came over a link is no message", extra={"error": str(error)})
            self.cut()
        except Exception:
            log.exception("a link to another server is cut")
            self.cut()

    def connection_lost(self, error: Exception | None) -> None:
        self._end()

    def send(self, message: Message) -> None:
        if self.is_lost:
            return
        self._waiting.append(dump_message(message))
        self._held += len(self._waiting[-1])
        if not self.is_known and self._held > MOST_WAITING:
            self.cut()
            return
        if not self._is_sending:
            self._is_sending = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._is_sending = False
        if self._transport is None or not self.is_known or not self._waiting or self.is_lost:
            return
        if self._transport.get_write_buffer_size() > MOST_WAITING:
            self.cut()
            return
        waiting, self._waiting, self._held = self._waiting, [], 0
        self._transport.write(b"".join(waiting))

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()
        self._end()

    def _end(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self._waiting.clear()
            self._on_lost(self)


def split_address(address: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; ValueError where it is none."""
    host, colon, port = address.rpartition(":")
    host = host[1:-1] if host[:1] + host[-1:] == "[]" else host
    if not (colon and host and port.isascii() and port.isdigit() and int(port) < 65_536):
        raise ValueError(f"{address}: write HOST:PORT")
    return host, int(port)
