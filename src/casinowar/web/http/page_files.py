"""The built page: its files in memory, as they are and compressed, from the folder into which Vite builds."""

import gzip
import os
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parents[1] / "page"
ELSEWHERE = "CASINOWAR_PAGE"
"""A folder with another build, for those who work on the page."""

INDEX, ICON, NOTICES, ASSETS = "index.html", "icon.svg", "NOTICES.txt", "assets"
MEDIA = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    NOTICES: "text/plain",
}
"""The media type of each file of a build, by its suffix or its name; a file of another kind is not given out."""

LEAST = 512
"""Below so many bytes compression gains nothing."""

NOT_BUILT = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>casinowar</title></head>'
    '<body><p>The page is not built: run make page, then start the server again. The <a href="/api/docs">interface</a> '
    "works without it.</p></body></html>\n"
)


class PageFile(msgspec.Struct, frozen=True):
    content: bytes
    zipped: bytes | None
    media: str


def how_to_build() -> str | None:
    """How to build the page, in a line, where it is not built; none where it is."""
    if (_place() / INDEX).exists():
        return None
    script = Path(__file__).parents[4] / "web" / "build.py"
    how = f"python {script} makes it" if script.exists() else "install casinowar again from a wheel or sdist"
    return f"the page is not built: {how}; the interface works without it"


def _place() -> Path:
    return Path(os.environ.get(ELSEWHERE) or FOLDER)


def load_page(folder: Path | None = None) -> dict[str, PageFile]:
    """Every file of the page by its path in the build. Without a build, the index says so.

    All are read at once, so that a build that is made meanwhile does not mix with this one.
    """
    place = folder or _place()
    found = {
        file.relative_to(place).as_posix(): page_file(file.read_bytes(), media)
        for file in sorted(place.rglob("*"))
        if file.is_file() and (media := MEDIA.get(file.suffix) or MEDIA.get(file.name))
    }
    return found if INDEX in found else {INDEX: page_file(NOT_BUILT.encode(), "text/html")}


def page_file(content: bytes, media: str) -> PageFile:
    zipped = gzip.compress(content, 9, mtime=0) if len(content) >= LEAST else None
    return PageFile(content, zipped if zipped and len(zipped) < len(content) else None, media)
