"""Middlewares about headers: those that every answer carries, and the check that a request states one length."""

import time
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import fault_response

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'; "
    "img-src 'self'; script-src 'self'; style-src 'self'{styles}"
)


def policy(*style_hashes: str) -> str:
    """The content security policy of a page; an inline style is allowed by its hash alone."""
    return POLICY.format(styles="".join(f" '{one}'" for one in style_hashes))


ALWAYS = {
    "content-security-policy": policy(),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}
"""So that a browser runs and loads nothing but what is ours."""

YEAR_S = 365 * 24 * 3600
LENGTHS = frozenset((b"content-length", b"transfer-encoding"))


class AnswerHeaders:
    """A middleware that adds headers which the answer lacks, and tells `noted` the method, path, status and seconds.

    The path is without its query, which may hold a ticket.
    """

    def __init__(
        self, app: ASGIApp, is_behind_tls: bool, noted: Callable[[str, str, int, float], None] | None = None
    ) -> None:
        self._app = app
        self._headers = dict(ALWAYS)
        if is_behind_tls:
            self._headers["strict-transport-security"] = f"max-age={YEAR_S}"
        self._noted = noted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began = time.monotonic()

        async def send_with(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if self._noted:
                    took = time.monotonic() - began
                    self._noted(scope.get("method", "WS"), scope["path"], message["status"], took)
            await send(message)

        await self._app(scope, receive, send_with)


class BodyLength:
    """A middleware that refuses a request which states two lengths: a proxy may have used the other one.

    It ends the connection, since nobody knows where its next request would begin.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and {name for name, _ in scope["headers"]} >= LENGTHS:
            response = fault_response(WebError("two_lengths"))
            response.headers["connection"] = "close"
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)
