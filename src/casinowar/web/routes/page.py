"""The page in the browser: one document for all its places, and the files that it loads."""

import re
from functools import partial
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from casinowar.web.http.errors import CODES, WebError
from casinowar.web.http.operations import ANYONE, ApiRequest, Nothing, Reply, get
from casinowar.web.http.page_files import ASSETS, ICON, INDEX, NOTICES

HTML, SVG, SCRIPT, TEXT = "text/html", "image/svg+xml", "text/javascript", "text/plain"
PLACES = ("table", "dealer", "pit", "replay", "odds", "nights", "rules", "me")
"""The first word of every address at which the page shows something; what follows it is the page's own affair."""

GZIP = re.compile(r"(^|,)\s*gzip\s*(,|$|;\s*q=(?!0(\.0*)?\s*(,|$)))", re.IGNORECASE)
"""Whether a browser says that it takes gzip, and not that it does so with no weight at all."""

FOREVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"


API = "/api"
LONGEST = 2_000


class Place(msgspec.Struct, frozen=True):
    rest: Annotated[str, msgspec.Meta(max_length=LONGEST)]


class AnyQuery(msgspec.Struct, frozen=True):
    """Whatever a mail program or a search engine has added to the address."""


class AssetPath(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9_.-]+\Z")]


def astray(request: Request) -> Response | None:
    """The page for a browser at a wrong address; it says that nothing is here."""
    path = request.url.path
    is_reading = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not is_reading or path == API or path.startswith(f"{API}/"):
        return None
    file = request.app.state.server.page[INDEX]
    return Response(file.content, CODES["not_found"][0], media_type=file.media)


def asset(request: ApiRequest) -> Reply:
    """An asset of the page. Its name has a hash of its content, so that it never changes."""
    return send_file(request, f"{ASSETS}/{request.path.name}", FOREVER)


def send_file(request: ApiRequest, path: str, kept: str | None = None) -> Reply:
    """A file of the build, compressed where the browser takes it; `kept` is how long the browser may keep it."""
    file = request.server.page.get(path)
    if file is None:
        raise WebError("not_found")
    zipped = file.zipped if GZIP.search(request.http.headers.get("accept-encoding", "")) else None
    headers = {
        "vary": "Accept-Encoding" if file.zipped is not None else None,
        "content-encoding": "gzip" if zipped is not None else None,
        "cache-control": kept,
    }
    told = {name: value for name, value in headers.items() if value is not None}
    return Reply(zipped or file.content, media=file.media, headers=told)


document = partial(send_file, path=INDEX)
"""The one document of the page, for all its places."""

OPERATIONS = (get("/", "The page in the browser", ANYONE, document, str, query=AnyQuery, media=(HTML,)),)
FILES = (
    get(
        "/icon.svg",
        "The page's icon",
        ANYONE,
        partial(send_file, path=ICON, kept=A_DAY),
        str,
        media=(SVG,),
        faults=("not_found",),
    ),
    get(
        f"/{NOTICES}",
        "The licences of the libraries inside the page",
        ANYONE,
        partial(send_file, path=NOTICES, kept=A_DAY),
        str,
        media=(TEXT,),
        faults=("not_found",),
    ),
    get(
        "/assets/{name}",
        "A script or style of the page, which never changes under its name",
        ANYONE,
        asset,
        str,
        path=AssetPath,
        media=(SCRIPT, "text/css", SVG),
        faults=("not_found",),
    ),
)
PAGES = tuple(
    get(at, "The page", ANYONE, document, str, path=kind, query=AnyQuery, media=(HTML,))
    for place in PLACES
    for at, kind in ((f"/{place}", Nothing), (f"/{place}/{{rest:path}}", Place))
)
UNDOCUMENTED = (*FILES, *PAGES)
"""The page's own files and places: whoever reads the interface's documentation need not read of them."""
