"""The fetch of one answer from the server that was named, of limited size and in limited time."""

import time
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

MOST_MIB = 4
SECONDS = 10.0
"""For one answer, from the first byte sent to the last one read."""

PATIENCE = 20
"""How often an answer "too fast" is waited out: for one second or as long as it says, at most ten."""


class FetchError(ValueError):
    """Why an address could not be read."""


class NotThere(FetchError):
    """The server has nothing at this address."""


class _SameHost(HTTPRedirectHandler):
    """A redirect within the same host is followed. One to another host, or to one without TLS, is not."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        asked, pointed = urlsplit(req.full_url), urlsplit(newurl)
        is_own = (pointed.scheme, pointed.netloc) == (asked.scheme, asked.netloc)
        is_upgrade = pointed.scheme == "https" and pointed.hostname == asked.hostname
        if not (is_own or is_upgrade):
            raise FetchError(f"points to {pointed.scheme}://{pointed.netloc}: name that address if you trust it")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def fetch(address: str) -> bytes:
    """The body of the answer to a GET; whatever hinders it is a `FetchError` of one line."""
    opener = build_opener(_SameHost)
    for _ in range(PATIENCE):
        try:
            return _read(opener, address)
        except HTTPError as error:
            with error:
                if error.code != 429:
                    kind = NotThere if error.code == 404 else FetchError
                    raise kind(f"the server answers {error.code} {error.reason}") from None
                time.sleep(_pause(error.headers.get("retry-after")))
        except URLError as error:
            raise FetchError(str(getattr(error.reason, "strerror", None) or error.reason)) from None
        except TimeoutError:
            raise FetchError(f"no whole answer within {SECONDS:g} seconds") from None
        except FetchError:
            raise
        except (OSError, HTTPException, ValueError) as error:
            told = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise FetchError(told) from None
    raise FetchError("the server says that this is too fast, and goes on saying so")


def _read(opener: OpenerDirector, address: str) -> bytes:
    """In pieces, since the time limit of a socket begins again with every byte that comes."""
    ends = time.monotonic() + SECONDS
    request = Request(address, headers={"Accept": "application/json", "User-Agent": "casinowar-verify"})
    content = bytearray()
    response: HTTPResponse
    with opener.open(request, timeout=SECONDS) as response:
        while piece := response.read1(1 << 16):
            content += piece
            if len(content) > MOST_MIB * 2**20:
                raise FetchError(f"the answer is larger than {MOST_MIB} MiB")
            if time.monotonic() > ends:
                raise TimeoutError
    return bytes(content)


def _pause(asked: str | None) -> float:
    return min(float(asked), 10) if asked and asked.isascii() and asked.isdigit() else 1
