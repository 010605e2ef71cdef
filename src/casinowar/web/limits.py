"""How much the server takes: sizes, depths, rates, connections, each a setting."""

import asyncio
from typing import Annotated

import msgspec
from starlette.requests import ClientDisconnect, Request

from casinowar.web.errors import WebError

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bytes of a WebSocket message and of a body, depth of JSON; messages and requests a second and at once.

    `arrivals` are guests, registrations and logins, by address. The queue is what a reader may be behind, in messages
    and in seconds.
    """

    message_bytes: Count = 4_096
    body_bytes: Count = 16_384
    depth: Count = 6
    messages_per_second: Count = 10
    messages_at_once: Count = 20
    refusals_at_once: Count = 50
    requests_per_second: Count = 50
    requests_at_once: Count = 200
    arrivals_per_second: Count = 1
    arrivals_at_once: Count = 20
    sockets_per_account: Count = 3
    sockets_per_address: Count = 20
    connections_per_address: Count = 100
    queue_messages: Count = 64
    queue_seconds: Count = 5


USUAL = Limits()
BODY_S = 10.0
"""So long a body may take to come, however slowly it comes."""

OPENING, CLOSING, QUOTE, BACKSLASH = frozenset(b"[{"), frozenset(b"]}"), ord('"'), ord("\\")


def is_too_deep(text: bytes, depth: int) -> bool:
    """Whether brackets outside of strings nest more than `depth` deep; it reads each byte once and recurses nowhere."""
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
