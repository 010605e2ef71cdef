"""The page is given out by the server: one document for all its places, and files that a browser may keep for good."""

import gzip
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from casinowar.reports.books import leaf_words
from casinowar.reports.differences import differences
from casinowar.rulebooks import BOOKS
from casinowar.rulebooks.vocabulary import KEYS
from casinowar.web.docs.wire_types import wire_types
from casinowar.web.http.page_files import ELSEWHERE, load_page
from tests.support.live_server import Caller, LiveServer, running

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = b"export const felt = 'green';\n" * 100
DOCUMENT = b'<!doctype html><title>casinowar</title><script type="module" src="/assets/index-abc123.js"></script>'


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "assets").mkdir()
    (folder / "index.html").write_bytes(DOCUMENT)
    (folder / "icon.svg").write_bytes(b"<svg/>")
    (folder / "assets" / "index-abc123.js").write_bytes(SCRIPT)
    (folder / "NOTICES.txt").write_bytes(b"the licences")
    (folder / "notes.txt").write_bytes(b"not a part of the page")
    return folder


@pytest.fixture(scope="module")
def live(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ELSEWHERE, str(build))
        with running(tmp_path_factory.mktemp("house")) as live:
            yield live


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/table/nz",
        "/dealer/nz",
        "/pit",
        "/replay",
        "/replay/nz/4",
        "/odds",
        "/rules",
        "/rules/wa",
        "/me",
        "/me?from=mail",
    ],
)
def test_every_place_of_the_page_gives_the_same_document(live: LiveServer, path: str) -> None:
    answer = Caller(live).ask("GET", path)
    assert (answer.status, answer.body) == (200, DOCUMENT)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Cache-Control"] == "no-store"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_the_licences_of_what_is_inside_the_page_are_given_out(live: LiveServer) -> None:
    answer = Caller(live).ask("GET", "/NOTICES.txt")
    assert (answer.status, answer.body) == (200, b"the licences")
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert Caller(live).ask("GET", "/notes.txt").status == 404


def test_a_script_is_kept_for_good_and_comes_compressed_where_the_browser_takes_it(live: LiveServer) -> None:
    caller, path = Caller(live), "/assets/index-abc123.js"
    plain = caller.ask("GET", path)
    zipped = caller.ask("GET", path, headers={"Accept-Encoding": "br, gzip;q=0.5"})
    refused = caller.ask("GET", path, headers={"Accept-Encoding": "gzip;q=0"})
    assert plain.body == refused.body == gzip.decompress(zipped.body) == SCRIPT
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in refused.headers
    for answer in (plain, zipped):
        assert answer.headers["Content-Type"].startswith("text/javascript")
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/other.js",
        "/assets/..%2findex.html",
        "/assets/%2e%2e/index.html",
        "/notes.txt",
        "/tables",
        "/index.html",
    ],
)
def test_nothing_else_is_given_out(live: LiveServer, path: str) -> None:
    answer = Caller(live).ask("GET", path)
    assert answer.status in (404, 422)
    assert DOCUMENT not in answer.body


def test_a_server_without_a_build_says_so_in_one_line(tmp_path: Path) -> None:
    page = load_page(tmp_path)
    assert list(page) == ["index.html"]
    assert b"make page" in page["index.html"].content


def test_the_pages_types_of_the_wire_are_those_of_the_server() -> None:
    """After a change: `python -m casinowar.web.docs.wire_types > web/src/lib/wire.ts`."""
    assert (ROOT / "web" / "src" / "lib" / "wire.ts").read_text(encoding="utf-8") == wire_types()


def page_build() -> Any:
    spec = importlib.util.spec_from_file_location("page_build", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("version", "is_recent"),
    [
        ("v18.20.4", False),
        ("v20.18.1", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("no version", False),
    ],
)
def test_the_machines_node_is_taken_where_vite_runs_on_it(version: str, is_recent: bool) -> None:
    """Vite 8 asks for Node 20.19 and later of 20, or 22.12 and later."""
    assert page_build().is_recent(version) is is_recent


def test_a_clause_is_told_in_our_own_words(live: LiveServer) -> None:
    told = Caller(live).ask("GET", "/api/clauses/NZ-5.13c").json
    assert told["id"] == "NZ-5.13c"
    assert told["rulebook"] == "New Zealand"
    assert "2 to 1" in told["says"]
    assert "Gambling Act" in told["source"]
    assert Caller(live).ask("GET", "/api/clauses/NZ-0.0").json["code"] == "no_such_clause"
    assert "burned before a war" in Caller(live).ask("GET", "/api/clauses/HOUSE-war.burn").json["says"].lower()


def test_every_leaf_says_what_it_is_about(live: LiveServer) -> None:
    assert set(leaf_words()) == set(KEYS)
    book = Caller(live).ask("GET", "/api/rulebooks/wa").json
    burn = next(leaf for leaf in book["leaves"] if leaf["key"] == "war.burn")
    assert (burn["about"], burn["says"]) == ("Cards burned before a war", "3")
    assert set(burn["clauses"]) <= set(book["clauses"])


def test_the_books_are_compared_and_the_odd_ones_out_are_marked() -> None:
    """A tied war pays 2:1 in four books by NZ-5.13c and its like; a war won pays 2:1 in `ctg` alone."""
    told = differences(BOOKS)
    assert [book.id for book in told.books] == list(BOOKS)
    rows = {row.about: dict(zip(BOOKS, row.cells, strict=True)) for row in told.rows}
    assert [id for id, cell in rows["Who banks"].items() if cell.is_different] == ["ca"]
    assert {id: cell.says for id, cell in rows["War won, in units"].items()} == {
        "nz": "+1",
        "wa": "+1",
        "ctg": "+2",
        "ca": "+1",
        "ma": "+1",
    }
    assert [id for id, cell in rows["War won, in units"].items() if cell.is_different] == ["ctg"]
    assert rows["Decks in the shoe"]["nz"].says == "4 to 8"
    assert rows["Decks in the shoe"]["wa"].says == "4, 6 or 8"
    assert "Tie 10 to 1" in told.same


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/foo", "/foo/bar?x=1", "/tables", "/index.html"])
def test_a_browser_at_a_wrong_address_gets_the_page_which_says_so(live: LiveServer, path: str) -> None:
    seen = Caller(live).ask("GET", path, headers=BROWSER)
    assert (seen.status, seen.body) == (404, DOCUMENT)
    assert seen.headers["Content-Type"].startswith("text/html")
    assert "script-src 'self'" in seen.headers["Content-Security-Policy"]
    program = Caller(live).ask("GET", path)
    assert (program.status, program.json["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/api/foo", "/api", "/assets/gone.js"])
def test_the_interface_answers_in_json_whoever_asks(live: LiveServer, path: str) -> None:
    answer = Caller(live).ask("GET", path, headers=BROWSER)
    assert (answer.status, answer.json["code"]) == (404, "not_found")


def test_a_long_address_of_the_page_is_the_page_too(live: LiveServer) -> None:
    assert Caller(live).ask("GET", f"/table/{'a' * 500}").body == DOCUMENT
