"""The documentation builds without a warning and without the net, and its pages load nothing from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs.made_pages import DOCS, ROOT

pytestmark = pytest.mark.slow

LOADED = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc="([^"]+)"|<link\b[^>]*\bhref="([^"]+)"[^>]*>""")
FROM_ELSEWHERE = re.compile(r"""url\(\s*['"]?(?:https?:)?//|@import\s+['"]?(?:url\()?['"]?(?:https?:)?//""")
ANCHOR = re.compile(r"""<a\b[^>]*\bhref="([^"]+)\"""")
NOWHERE = "http://127.0.0.1:9"


def build(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Build as `make docs` does, with an empty home and no way to the net."""
    home = out.parent / "home"
    home.mkdir()
    options = ["--builder", "html", "--jobs", "2", "--fail-on-warning", "--keep-going", "--quiet"]
    places = ["--conf-dir", str(DOCS), "--doctree-dir", str(out.parent / "doctrees"), str(source), str(out)]
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE)
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *options, *places],
        cwd=ROOT,
        env={**os.environ, **proxies, "HOME": str(home), "XDG_CONFIG_HOME": str(home)},
        capture_output=True,
        text=True,
    )


def loaded_by(page: str) -> list[str]:
    return [one or two for one, two in LOADED.findall(page)]


def test_it_builds_offline_without_a_warning_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    """One test, so that it is built once."""
    out = tmp_path / "html"
    done = build(DOCS, out)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    pages = {file: file.read_text("utf-8") for file in out.rglob("*.html")}
    wanted = {file.relative_to(DOCS).with_suffix("").as_posix() for file in DOCS.rglob("*.md")} - {"README"}
    assert wanted <= {file.relative_to(out).with_suffix("").as_posix() for file in pages}
    assert [file.name for file, text in pages.items() if "<!-- made:" in text] == []
    assert [(file.name, one) for file, text in pages.items() for one in loaded_by(text) if "//" in one] == []
    assert [file.name for file in out.rglob("*.css") if FROM_ELSEWHERE.search(file.read_text("utf-8"))] == []
    assert broken_links(pages) == []


def broken_links(pages: dict[Path, str]) -> list[str]:
    """Links to files and anchors that are not there, as the browser looks for them."""
    ids = {file: set(re.findall(r'\bid="([^"]+)"', text)) for file, text in pages.items()}
    broken = []
    for page, text in pages.items():
        for link in set(ANCHOR.findall(text)):
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            is_there = target.exists() and (not anchor or target not in ids or anchor in ids[target])
            if not is_there and not re.match(r"[a-z]+:", link):
                broken.append(f"{page.name}: {link}")
    return broken


@pytest.mark.parametrize(
    "text", ["# A page\n\n[a](nowhere.md)\n", "# A page\n\n![a](nowhere.png)\n", "# A page\n\n```{nothing}\n```\n"]
)
def test_a_warning_is_an_error(text: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text(text, "utf-8")
    done = build(source, tmp_path / "html")
    assert done.returncode != 0
    assert "WARNING" in done.stderr


@pytest.mark.parametrize(
    ("page", "loaded"),
    [
        ('<script src="https://cdn.example.org/a.js"></script>', ["https://cdn.example.org/a.js"]),
        ('<link rel="stylesheet" href="//fonts.example.org/a.css" />', ["//fonts.example.org/a.css"]),
        ('<a href="https://example.org">a</a>', []),
    ],
)
def test_what_is_loaded_is_seen(page: str, loaded: list[str]) -> None:
    assert loaded_by(page) == loaded


def test_a_link_to_nowhere_is_found_in_a_built_page(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<h1 id="top">', "utf-8")
    text = (
        '<h1 id="top"><a href="#top">a</a><a href="#no">b</a><a class="x" href="b.html">c</a><a href="a.html#top">d</a>'
    )
    assert sorted(broken_links({page: text})) == ["a.html: #no", "a.html: b.html"]
