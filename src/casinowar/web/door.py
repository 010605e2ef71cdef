"""The door: how many connections one address may have, and how long one may stand there without asking for anything."""

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from casinowar.web.throttle import address_key

FIRST_S, QUIET_S, LOOK_S = 10.0, 40.0, 5.0
"""Seconds until a first request is whole, between two, and between two looks."""

OPEN_FILES = 8_192
NOISE = ("ASGI callable returned without completing handshake", "Invalid UTF-8 sequence received")
"""What anybody can have uvicorn write as often as they like; our metrics count it."""

log = logging.getLogger(__name__)


class Door:
    """Which connections are open, by address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._there: dict[str, set[asyncio.BaseTransport]] = {}

    def lets_in(self, address: str, transport: asyncio.BaseTransport) -> bool:
        there = {one for one in self._there.get(address, ()) if not one.is_closing()}
        is_room = len(there) < self._most
        if is_room:
            there.add(transport)
        self._there[address] = there
        if len(self._there) > 1_000:
            self._forget()
        return is_room

    def _forget(self) -> None:
        for address, there in list(self._there.items()):
            if all(one.is_closing() for one in there):
                del self._there[address]


def door_protocol(door: Door) -> type[H11Protocol]:
    """uvicorn's protocol behind that door."""

    class DoorProtocol(H11Protocol):
        _quiet_since = 0.0
        _has_asked = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            host = self.client[0] if self.client else ""
            if not door.lets_in(address_key(host), transport):
                transport.abort()
                return
            self._quiet_since = self.loop.time()
            self.loop.call_later(LOOK_S, self._look)

        def on_response_complete(self) -> None:
            self._has_asked, self._quiet_since = True, self.loop.time()
            super().on_response_complete()

        def _look(self) -> None:
            """A connection that has become a WebSocket is no longer this protocol's."""
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            cycle = getattr(self, "cycle", None)
            is_busy = cycle is not None and not cycle.response_complete
            longest = QUIET_S if self._has_asked else FIRST_S
            if not is_busy and self.loop.time() - self._quiet_since > longest:
                self.transport.abort()
                return
            self.loop.call_later(LOOK_S, self._look)

    return DoorProtocol


def allow_files() -> None:
    """As many open files as this process may have, up to what it can use."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def keep_log_quiet(loop: asyncio.AbstractEventLoop) -> None:
    """What a stranger can cause again and again is told once a minute at most."""
    told: dict[str, float] = {}

    def handled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        message = str(context.get("message", ""))
        if "accept" in message:
            if loop.time() - told.get(message, -60.0) < 60:
                return
            told[message] = loop.time()
            log.error("no connection can be taken: %s", context.get("exception"))
            return
        loop.default_exception_handler(context)

    loop.set_exception_handler(handled)
    logging.getLogger("uvicorn.error").addFilter(_is_told)


def _is_told(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(NOISE)
