"""The limits of what the server takes: sizes, depths, rates, connections, each a setting."""

import asyncio
from typing import Annotated

import msgspec
from starlette.requests import ClientDisconnect, Request

from casinowar.web.http.errors import WebError

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes of a WebSocket message and of a body, depth of JSON; messages and requests a second and at once.

    Messages are counted over all sockets of an account, and besides over all of an address; a command over HTTP is one
    too. Previews are counted in the same way but apart, so that whoever looks at what an act would do can still act.
    `arrivals` are guests, registrations and logins, by address. `snapshots` are whole views of a table, by address.
    `tells` are how often those who watch a table are told what happened there; what comes faster is told together. A
    network is 256 addresses of IPv4, or a /48 of IPv6. Sockets are fewer than connections, so that there is room for
    plain requests, and those of guests are fewer still, so that there is room for who has an account. Seats are those
    at the house's own tables. `readings` of what has been and `sums` of odds wait or run; `nights` are runs of them
    that are open; `failures` are wrong passwords before somebody must wait. The queue is how many answers may wait for
    a reader, and how many seconds a frame may.
    """

    message_bytes: Count = 4_096
    body_bytes: Count = 16_384
    depth: Count = 6
    messages_per_second: Count = 10
    messages_at_once: Count = 20
    address_messages_per_second: Count = 20
    address_messages_at_once: Count = 50
    previews_per_second: Count = 10
    previews_at_once: Count = 40
    address_previews_per_second: Count = 20
    address_previews_at_once: Count = 80
    snapshots_per_second: Count = 4
    snapshots_at_once: Count = 40
    tells_per_second: Count = 5
    tells_at_once: Count = 10
    refusals_at_once: Count = 50
    requests_per_second: Count = 50
    requests_at_once: Count = 200
    arrivals_per_second: Count = 1
    arrivals_at_once: Count = 20
    sockets_per_account: Count = 3
    sockets_per_address: Count = 20
    sockets_per_network: Count = 200
    sockets_of_guests: Count = 1_200
    sockets: Count = 1_800
    connections_per_address: Count = 100
    connections_per_network: Count = 400
    connections: Count = 2_000
    seats_per_address: Count = 4
    private_tables_per_address: Count = 6
    readings_per_address: Count = 12
    sums_per_address: Count = 12
    nights_per_address: Count = 1
    failures_per_address: Count = 5
    queue_messages: Count = 64
    queue_seconds: Count = 5


USUAL = Limits()
HALL = Limits(
    requests_per_second=2_000,
    requests_at_once=4_000,
    address_messages_per_second=1_000,
    address_messages_at_once=4_000,
    address_previews_per_second=500,
    address_previews_at_once=2_000,
    snapshots_per_second=100,
    snapshots_at_once=2_000,
    arrivals_per_second=20,
    arrivals_at_once=500,
    sockets_per_address=1_800,
    sockets_per_network=1_800,
    connections_per_address=2_000,
    connections_per_network=2_000,
    seats_per_address=1_000,
    private_tables_per_address=1_000,
    readings_per_address=200,
    sums_per_address=32,
    nights_per_address=8,
    failures_per_address=200,
)
"""A hall behind one router: whoever plays comes from one address, so that nothing narrow is counted by it."""

BODY_S = 10.0
"""So long a body may take to come, however slowly it comes."""

OPENING, CLOSING, QUOTE, BACKSLASH = frozenset(b"[{"), frozenset(b"]}"), ord('"'), ord("\\")


def is_too_deep(text: bytes, depth: int) -> bool:
    """Whether brackets outside of strings nest more than `depth` deep; it reads each byte once and recurses nowhere."""
    if text.count(b"[") + text.count(b"{") <= depth:
        return False
    open_now, in_string, is_escaped = 0, False, False
    for byte in text:
        if in_string:
            if is_escaped:
                is_escaped = False
            elif byte == BACKSLASH:
                is_escaped = True
            elif byte == QUOTE:
                in_string = False
        elif byte == QUOTE:
            in_string = True
        elif byte in OPENING:
            open_now += 1
            if open_now > depth:
                return True
        elif byte in CLOSING:
            open_now -= 1
    return False


async def read_body(request: Request, most: int) -> bytes:
    """The body, refused as soon as it is too long, whatever its headers promised, and not waited for without end."""
    promised = request.headers.get("content-length", "0")
    if promised.isascii() and promised.isdigit() and len(promised) < 20 and int(promised) > most:
        raise WebError("too_large")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise WebError("too_large")
    except (TimeoutError, ClientDisconnect):
        raise WebError("too_slow") from None
    return bytes(body)
