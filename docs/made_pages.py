"""A Sphinx extension: parts of pages are made when the documentation is built, and links lead to pages of it.

A line `<!-- made: NAME -->` is replaced by what the part of that name makes of docstrings, rulebooks, the OpenAPI
document and the commands. `<!-- made: file PATH -->` takes the place of the whole page with a file of the project.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from docs import data_reference, library_reference, program_reference, server_reference

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
MARKER = re.compile(r"^<!-- made: (.+?) -->$", re.MULTILINE)
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```+|~~~+)")

MADE: dict[str, Callable[[], str]] = {
    "library": library_reference.page,
    "events": data_reference.events,
    "table commands": data_reference.table_commands,
    "refusals": data_reference.refusals,
    "errors": data_reference.errors,
    "options": data_reference.options,
    "leaves": data_reference.leaves,
    "books": data_reference.books,
    "operations": server_reference.operations,
    "frames": server_reference.frames,
    "schemas": server_reference.schemas,
    "command line": program_reference.page,
}

PAGES = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "examples/README.md": "project/examples.md",
    "docs/README.md": "index.md",
    "README.md": "index.md",
}
"""Files of the project that are pages here, and where."""


CONTENTS = re.compile(r"^```\{toctree\}\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FURTHER = "further pages"
NOT_LISTED = {"README", "index"}


def further_pages() -> str:
    """The contents of the pages right under `docs` that index.md does not name, so that none is out of reach."""
    listed = {line for lines in CONTENTS.findall((DOCS / "index.md").read_text("utf-8")) for line in lines.split()}
    others = sorted({file.stem for file in DOCS.glob("*.md")} - listed - NOT_LISTED)
    return "\n".join(["```{toctree}", ":caption: More", ":hidden:", "", *others, "```"]) if others else ""


MADE[FURTHER] = further_pages


def expand(text: str, docname: str) -> str:
    """The page with its parts made, and with links that work in the built documentation."""
    folder = (DOCS / docname).parent
    whole = re.search(r"^<!-- made: file (\S+) -->$", text, re.MULTILINE)
    if whole:
        file = ROOT / whole[1]
        return retarget(file.read_text("utf-8"), file.parent, folder)
    return MARKER.sub(lambda found: MADE[found[1]](), retarget(text, folder, folder))


def retarget(text: str, base: Path, folder: Path) -> str:
    """The Markdown with its relative links as seen from the folder of the page; `base` is where they were written."""
    lines, fence = [], ""
    for paragraph in text.split("\n\n"):
        told, fence = _retarget_paragraph(paragraph, fence, base, folder)
        lines.append(told)
    return "\n\n".join(lines)


def _retarget_paragraph(paragraph: str, fence: str, base: Path, folder: Path) -> tuple[str, str]:
    """Blocks of code stay as they are; a link may go over the end of a line."""
    plain: list[str] = []
    out: list[str] = []

    def flush() -> None:
        if plain:
            out.append(LINK.sub(lambda found: _link(found, base, folder), "\n".join(plain)))
            plain.clear()

    for line in paragraph.split("\n"):
        mark = FENCE.match(line.lstrip())
        if fence:
            out.append(line)
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            flush()
            fence = mark[1]
            out.append(line)
        else:
            plain.append(line)
    flush()
    return "\n".join(out), fence


def _link(found: re.Match[str], base: Path, folder: Path) -> str:
    text, target = found[1], found[2]
    if re.match(r"[a-z]+:", target) or target.startswith("#"):
        return found[0]
    path, hash, anchor = target.partition("#")
    file = Path(os.path.normpath(base / path))
    if file.is_dir():
        file = file / "README.md"
        if not file.exists():
            return text
    name = file.relative_to(ROOT).as_posix()
    if name in PAGES:
        file = DOCS / PAGES[name]
    return f"[{text}]({os.path.relpath(file, folder)}{hash}{anchor})"


def _with_made_parts(app: Sphinx, environment: BuildEnvironment, *changed: set[str]) -> list[str]:
    """The pages with parts that are made of something else than their own file: they are read anew each time."""
    return [name for name in environment.found_docs if "<!-- made:" in environment.doc2path(name).read_text("utf-8")]


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    source[0] = expand(source[0], docname)


def setup(app: Sphinx) -> ExtensionMetadata:
    app.connect("env-get-outdated", _with_made_parts)
    app.connect("source-read", _read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
