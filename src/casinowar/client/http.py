"""The HTTP side of the client: one JSON call at a time to a server, with the login's token."""

import asyncio
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import msgspec

from casinowar.client.errors import Refused

MOST_BYTES = 16 * 1024 * 1024
"""No answer of the server is longer; the rest of a longer one is not read."""


class Trouble(msgspec.Struct, frozen=True):
    """The body of an answer that is no success."""

    code: str
    says: str
    clauses: tuple[str, ...] = ()
    request: str | None = None


class HttpSite:
    """A server's address with the token of who calls; `source` is the machine's own address to call from.

    Proxies of the environment are not used: a table is at home or in the house.
    """

    def __init__(self, url: str, token: str | None = None, source: str | None = None, timeout: float = 10) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.rstrip("/") or parts.query:
            raise ValueError(f"{url!r} is not the address of a server, such as http://127.0.0.1:8080")
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._timeout = timeout
        self.source = None if source is None else (source, 0)
        self._netloc = parts.netloc.rpartition("@")[2]
        self.token = token

    def socket_url(self, ticket: str) -> str:
        return f"{'wss' if self._is_secure else 'ws'}://{self._netloc}/api/socket?ticket={ticket}"

    async def call(self, method: str, path: str, body: object = None) -> bytes:
        """The body of the answer. Raises `Refused` for any other than a success, and OSError where nobody answers."""
        status, answered = await asyncio.to_thread(self._exchange, method, path, body)
        if 200 <= status < 300:
            return answered
        try:
            trouble = msgspec.json.decode(answered, type=Trouble)
        except msgspec.DecodeError:
            trouble = Trouble("http", f"the server answered {status}")
        raise Refused(trouble.code, trouble.says, trouble.clauses, trouble.request, status)

    async def json(self, method: str, path: str, body: object = None) -> Any:
        return msgspec.json.decode(await self.call(method, path, body))

    def _exchange(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        headers = {"Accept": "application/json", "X-Casinowar-Client": "1"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if method != "GET":
            headers["Content-Type"] = "application/json"
        kind = HTTPSConnection if self._is_secure else HTTPConnection
        connection = kind(self._host, self._port, timeout=self._timeout, source_address=self.source)
        try:
            sent = None if method == "GET" else msgspec.json.encode({} if body is None else body)
            connection.request(method, path, body=sent, headers=headers)
            response: HTTPResponse = connection.getresponse()
            return response.status, response.read(MOST_BYTES)
        except HTTPException as error:
            raise ConnectionError(f"no answer that HTTP knows: {error!r}") from None
        finally:
            connection.close()
