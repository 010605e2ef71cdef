"""The door: how many connections an address and a network may have, who gives way when the house is full, and how long
one may stay without sending a request."""

import asyncio
from collections import Counter
from typing import Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from casinowar.web.http.throttle import address_key, network_key

FIRST_S, QUIET_S, LOOK_S = 10.0, 40.0, 5.0
"""Seconds until a first request is whole, between two, and between two looks."""

OPEN_FILES = 8_192
SLICE_BYTES = 4_096
"""So many bytes are read at a time; then it is checked whether they came in too many pieces."""

FREE_PIECES, PIECE_BYTES = 100, 32
"""Chunks of a body that may be of any size, and how many bytes each further one must have on average."""


class Visitor(Protocol):
    """A connection at the door. It is idle while it waits for a request, or for the rest of one."""

    address: str

    @property
    def is_idle(self) -> bool: ...

    def turn_out(self) -> None: ...


class Door:
    """Which connections are open. When there are `most`, an idle one of the network that has the most gives way.

    So a request is never turned away for the sake of an idle connection. Finding an idle one costs a look at each
    network, and not at each connection.
    """

    def __init__(self, per_address: int, per_network: int, most: int) -> None:
        self._per_address, self._per_network, self._most = per_address, max(per_network, per_address), most
        self._of_address: Counter[str] = Counter()
        self._of_network: dict[str, dict[Visitor, None]] = {}
        self._count = 0

    def lets_in(self, visitor: Visitor) -> bool:
        network = network_key(visitor.address)
        there = self._of_network.get(network, {})
        if self._of_address[visitor.address] >= self._per_address or len(there) >= self._per_network:
            return False
        if self._count >= self._most:
            self._make_room()
        self._of_network.setdefault(network, {})[visitor] = None
        self._of_address[visitor.address] += 1
        self._count += 1
        return True

    def leave(self, visitor: Visitor) -> None:
        network = network_key(visitor.address)
        there = self._of_network.get(network, {})
        if visitor not in there:
            return
        del there[visitor]
        if not there:
            del self._of_network[network]
        self._count -= 1
        self._of_address[visitor.address] -= 1
        if not self._of_address[visitor.address]:
            del self._of_address[visitor.address]

    def _make_room(self) -> None:
        """Close the oldest idle connection of the network that has the most; if it has none, of the next network."""
        for there in sorted(self._of_network.values(), key=len, reverse=True):
            out = next((one for one in there if one.is_idle), None)
            if out is not None:
                self.leave(out)
                out.turn_out()
                return


def door_protocol(door: Door) -> type[H11Protocol]:
    """The class of uvicorn's HTTP protocol, with this door before it."""

    class DoorProtocol(H11Protocol):
        address = ""
        _quiet_since = 0.0
        _has_sent = False
        _cycle: object = None
        _body_bytes = 0
        _line_ends = 0

        def data_received(self, data: bytes) -> None:
            for at in range(0, len(data), SLICE_BYTES):
                if self.transport.is_closing() or self.transport.get_protocol() is not self:
                    return
                part = data[at : at + SLICE_BYTES]
                super().data_received(part)
                if self._is_in_crumbs(part):
                    self.turn_out()

        def _is_in_crumbs(self, part: bytes) -> bool:
            """Whether a body comes in chunks so small that reading them holds everybody up. A chunk ends two lines."""
            if self.conn.their_state is not h11.SEND_BODY or (b"transfer-encoding", b"chunked") not in self.headers:
                return False
            if self.cycle is not self._cycle:
                self._cycle, self._body_bytes, self._line_ends = self.cycle, 0, 0
            self._body_bytes += len(part)
            self._line_ends += part.count(b"\n")
            return self._line_ends / 2 > FREE_PIECES + self._body_bytes / PIECE_BYTES

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.address = address_key(self.client[0] if self.client else "")
            self._quiet_since = self.loop.time()
            if not door.lets_in(self):
                transport.abort()
                return
            self.loop.call_later(LOOK_S, self._look)

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self)
            super().connection_lost(exc)

        def _hand_over(self, event: h11.Request) -> None:
            """Give the connection to the WebSocket protocol; when that one ends, the visitor leaves."""
            H11Protocol.handle_websocket_upgrade(self, event)
            socket = self.transport.get_protocol()
            lost = socket.connection_lost

            def connection_lost(exc: Exception | None) -> None:
                door.leave(self)
                lost(exc)

            socket.connection_lost = connection_lost  # type: ignore[method-assign]

        handle_websocket_upgrade = _hand_over

        def on_response_complete(self) -> None:
            self._has_sent, self._quiet_since = True, self.loop.time()
            super().on_response_complete()

        @property
        def is_idle(self) -> bool:
            """Whether it waits for a request. A connection that has become a WebSocket is no longer this protocol's."""
            is_served = self._is_busy() and self.conn.their_state is not h11.SEND_BODY
            return self.transport.get_protocol() is self and not is_served

        def turn_out(self) -> None:
            self.transport.abort()

        def _is_busy(self) -> bool:
            cycle = getattr(self, "cycle", None)
            return cycle is not None and not cycle.response_complete

        def _look(self) -> None:
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            longest = QUIET_S if self._has_sent else FIRST_S
            if not self._is_busy() and self.loop.time() - self._quiet_since > longest:
                self.turn_out()
                return
            self.loop.call_later(LOOK_S, self._look)

    return DoorProtocol


def allow_files() -> None:
    """Raise the limit of open files for this process, as far as it may and can use them."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
