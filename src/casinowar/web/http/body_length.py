"""The check of a body's length: a request that states two lengths is refused, since a proxy may have used the other."""

from starlette.types import ASGIApp, Receive, Scope, Send

from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import fault_response

LENGTHS = frozenset((b"content-length", b"transfer-encoding"))


class BodyLength:
    """A middleware that answers 400 and ends the connection: nobody knows where its next request would begin."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and {name for name, _ in scope["headers"]} >= LENGTHS:
            response = fault_response(WebError("two_lengths"))
            response.headers["connection"] = "close"
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)
