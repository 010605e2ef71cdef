"""The page in the browser: one document for all its places, and the files that it loads."""

import re
from collections.abc import Callable
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from casinowar.web.http.errors import CODES, WebError
from casinowar.web.http.operations import ApiRequest, Nothing, Operation, Reply
from casinowar.web.http.page_files import ASSETS, ICON, INDEX, NOTICES, PageFile

HTML, SVG, SCRIPT, TEXT = "text/html", "image/svg+xml", "text/javascript", "text/plain"
PLACES = ("table", "dealer", "pit", "replay", "odds", "rules", "me")
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


def document(request: ApiRequest) -> Reply:
    return given(request, INDEX)


def astray(request: Request) -> Response | None:
    """The page for a browser at a wrong address; it says that nothing is here."""
    path = request.url.path
    is_reading = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not is_reading or path == API or path.startswith(f"{API}/"):
        return None
    file = request.app.state.server.page[INDEX]
    return Response(file.content, CODES["not_found"][0], media_type=file.media)


def icon(request: ApiRequest) -> Reply:
    return given(request, ICON, A_DAY)


def asset(request: ApiRequest) -> Reply:
    """An asset of the page. Its name has a hash of its content, so that it never changes."""
    return given(request, f"{ASSETS}/{request.path.name}", FOREVER)


def notices(request: ApiRequest) -> Reply:
    """The licences of the libraries inside the page's scripts."""
    return given(request, NOTICES, A_DAY)


def given(request: ApiRequest, path: str, kept: str | None = None) -> Reply:
    """A file of the build, compressed where the browser takes it."""
    file = request.server.page.get(path)
    if file is None:
        raise WebError("not_found")
    accepted = request.http.headers.get("accept-encoding", "")
    zipped = file.zipped if GZIP.search(accepted) else None
    return Reply(zipped or file.content, media=file.media, dress=_dressing(file, kept, is_zipped=zipped is not None))


def _dressing(file: PageFile, kept: str | None, *, is_zipped: bool) -> Callable[[Response], None]:
    def dress(response: Response) -> None:
        if file.zipped is not None:
            response.headers["vary"] = "Accept-Encoding"
        if is_zipped:
            response.headers["content-encoding"] = "gzip"
        if kept is not None:
            response.headers["cache-control"] = kept

    return dress


OPERATIONS = (
    Operation(
        method="GET",
        at="/",
        says="The page in the browser",
        roles=("anyone",),
        run=document,
        query=AnyQuery,
        gives=str,
        media=(HTML,),
    ),
)
FILES = (
    Operation(
        method="GET",
        at="/icon.svg",
        says="The page's icon",
        roles=("anyone",),
        run=icon,
        gives=str,
        media=(SVG,),
        faults=("not_found",),
    ),
    Operation(
        method="GET",
        at=f"/{NOTICES}",
        says="The licences of the libraries inside the page",
        roles=("anyone",),
        run=notices,
        gives=str,
        media=(TEXT,),
        faults=("not_found",),
    ),
    Operation(
        method="GET",
        at="/assets/{name}",
        says="A script or style of the page, which never changes under its name",
        roles=("anyone",),
        run=asset,
        path=AssetPath,
        gives=str,
        media=(SCRIPT, "text/css", SVG),
        faults=("not_found",),
    ),
)
PAGES = tuple(
    Operation(
        method="GET",
        at=at,
        says="The page",
        roles=("anyone",),
        run=document,
        path=kind,
        query=AnyQuery,
        gives=str,
        media=(HTML,),
    )
    for place in PLACES
    for at, kind in ((f"/{place}", Nothing), (f"/{place}/{{rest:path}}", Place))
)
UNDOCUMENTED = (*FILES, *PAGES)
"""The page's own files and places: whoever reads the interface's documentation need not read of them."""
