"""The publications of a house over HTTP, fetched in limited time: a table's shoes beside its list, and checkpoints."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Annotated, Any, Literal
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

import msgspec

from casinowar.fairness import ExportedShoe, load_shoe
from casinowar.fairness.chain import Finding, most_out
from casinowar.fairness.check import seal_of

TABLE = re.compile(r"(?P<table>(?P<house>.*)/api/tables/[^/?#]+)(?:/shoes)?/?")
"""The address of a table or of its list; one shoe has its number behind it."""

PAGE = re.compile(r"(?P<house>https?://[^/?#]+)/table/(?P<table>[^/?#]+(?:/shoes(?:/[0-9]+)?)?)/?(?:[?#].*)?")
"""The address that the browser shows at a table, or that of its shoes or one of them, written in the same way."""

MOST_MIB = 4
SECONDS = 10.0
"""For one answer, from the first byte sent to the last one read."""

PATIENCE = 20
"""How often an answer "too fast" is waited out: for one second or as long as it says, at most ten."""


class FetchError(ValueError):
    """An address could not be read, and why."""


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
                asked = error.headers.get("retry-after") or ""
                time.sleep(min(float(asked), 10) if asked.isascii() and asked.isdigit() else 1)
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
    """Read the answer in pieces, since the time limit of a socket begins again with every byte that comes."""
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


def table_address(name: str) -> str:
    """The API's address of a table or shoe, from that of the table's page; any other name stays as it is."""
    page = PAGE.fullmatch(name)
    return name if page is None else f"{page['house']}/api/tables/{page['table']}"


class NoShoe(FetchError):
    """The list is there and empty."""


class ListedShoe(msgspec.Struct, frozen=True):
    """One line of the table's public list; an older server does not tell the last five."""

    number: Annotated[int, msgspec.Meta(ge=1)]
    shoe: str
    commitment: str
    fate: Literal["running", "finished", "voided"]
    reason: str | None = None
    previous: str | msgspec.UnsetType | None = msgspec.UNSET
    marker: int | msgspec.UnsetType | None = msgspec.UNSET
    by: str | msgspec.UnsetType | None = msgspec.UNSET
    out: int = 0
    seal: str | None = None


def published_shoes(address: str) -> Iterator[tuple[str, ExportedShoe, list[Finding]]]:
    """Each shoe with its address and where the list differs; for the address of a table, all its shoes."""
    whole = TABLE.fullmatch(address)
    if whole is None:
        yield address, _shoe(address), []
        return
    shoes = f"{whole['table']}/shoes"
    for place, listed in enumerate(_listed(shoes), start=1):
        at = f"{shoes}/{listed.number}"
        shoe = _shoe(at)
        yield at, shoe, list(_differences(listed, place, shoe))


def _listed(address: str) -> list[ListedShoe]:
    try:
        listed = msgspec.json.decode(fetch(address), type=list[ListedShoe])
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{address}: {_said(error, 'no list of shoes')}") from None
    if not listed:
        raise NoShoe(f"{address}: no shoe has been sealed there")
    return listed


def _shoe(address: str) -> ExportedShoe:
    try:
        return load_shoe(fetch(address).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{address}: {_said(error, 'no exported shoe')}") from None


def _said(error: Exception, otherwise: str) -> str:
    is_page = isinstance(error, json.JSONDecodeError)
    told = otherwise if is_page else f"{otherwise}: {error}"
    return str(error) if isinstance(error, FetchError) else f"{told}; name a table, such as http://HOST/table/nz"


def _differences(listed: ListedShoe, place: int, shoe: ExportedShoe) -> Iterator[Finding]:
    """The differences between list and shoe. A shoe that was running may have been dealt from or ended since."""
    if listed.number != place:
        yield Finding("number", f"the table's list has number {listed.number} where {place} was due")
    if place == 1 and shoe.previous is not None:
        yield Finding("previous", "names a shoe before the first of the table's list")
    if listed.shoe != shoe.shoe:
        yield Finding("shoe", "the table's list has another name")
    if listed.commitment != shoe.commitment:
        yield Finding("commitment", "the table's list has another commitment")
    if listed.previous not in (msgspec.UNSET, shoe.previous):
        yield Finding("previous", "the table's list has another commitment before it")
    if listed.marker not in (msgspec.UNSET, None, shoe.marker):
        yield Finding("marker", f"the table's list has its cutting card at {listed.marker}")
    if isinstance(listed.by, str) and listed.by != shoe.by:
        yield Finding("by", f"the table's list has {listed.by}")
    if listed.seal not in (None, seal_of(shoe)):
        yield Finding("root", "the table's list has another seal")
    if listed.out > most_out(shoe.dealt):
        yield Finding("dealt", f"the table's list has {listed.out} cards out")
    if listed.fate != "running" and (listed.fate, listed.reason) != (shoe.fate, shoe.reason):
        yield Finding("fate", f"the table's list has {listed.fate}" + (f": {listed.reason}" if listed.reason else ""))


def last_checkpoint(files: Sequence[str]) -> Any:
    """The last checkpoint of the house whose table was named; nothing where it has made none."""
    house = _house(files)
    return None if house is None else _fetch_json(f"{house}/api/checkpoints/latest")


def find_lost_checkpoint(files: Sequence[str], kept: dict[str, Any]) -> Iterator[str]:
    """A line if the house no longer has the checkpoint that was kept, or has another in its place."""
    house, number = _house(files), kept["number"]
    if house is None:
        return
    told = _fetch_json(f"{house}/api/checkpoints?after={number - 1}&limit=1")
    if not told:
        yield f"checkpoint {number} of the house was kept, and it has none now"
    elif told != [kept]:
        yield f"checkpoint {number} of the house was kept, and it has another now"


def _house(files: Sequence[str]) -> str | None:
    whole = TABLE.fullmatch(files[0])
    return whole["house"] if whole and is_address(files[0]) else None


def _fetch_json(address: str) -> Any:
    try:
        return msgspec.json.decode(fetch(address))
    except NotThere:
        return None
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{address}: {error}") from None
