"""No broken link in any page: files, headings, pictures, and pages in the contents."""

import re
from functools import cache
from pathlib import Path

import pytest

from docs import made_pages
from docs.made_pages import CONTENTS, DOCS, FENCE, MARKER, NOT_LISTED, ROOT, expand, further_pages, retarget
from docs.markdown import slug

PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md")), ROOT / "examples" / "README.md"]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^)\s]+)\)")
WRITTEN_IN_HTML = re.compile(r'<(?:img|a)\s[^>]*(?:src|href)="([^"]+)"')


def prose_of(text: str) -> str:
    """The text without its blocks of code."""
    kept, fence = [], ""
    for line in text.splitlines():
        mark = FENCE.match(line.lstrip())
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        else:
            kept.append(re.sub(r"`[^`\n]+`(?!\])", "", line))
    return "\n".join(kept)


@cache
def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings; where two are alike, code hosts number the later ones."""
    seen: dict[str, int] = {}
    found = set()
    for heading in re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE):
        name = slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        count = seen[name] = seen.get(name, -1) + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def broken_links(page: Path, text: str) -> list[str]:
    plain = prose_of(text)
    found = []
    for link in {*LINK.findall(plain), *WRITTEN_IN_HTML.findall(plain)}:
        if re.match(r"(https?|mailto):", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors_of(target)):
            found.append(link)
    return sorted(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_link_is_broken(page: Path) -> None:
    assert broken_links(page, page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "link", ["nowhere.md", "odds.md#nowhere", "#nowhere", "pictures/nowhere.png", "../src/nowhere"]
)
def test_a_broken_link_is_found(link: str) -> None:
    page = DOCS / "fairness.md"
    assert broken_links(page, f"See [this](odds.md#proofs), ![that]({link}) and `[no](link.md)`.") == [link]


def test_every_page_stands_in_the_contents_once() -> None:
    entries: list[str] = []
    for lines in CONTENTS.findall((DOCS / "index.md").read_text("utf-8")):
        for line in lines.split():
            globbed = sorted(file.relative_to(DOCS).with_suffix("").as_posix() for file in DOCS.glob(f"{line}.md"))
            assert globbed, f"{line}: there is no such page"
            entries += [name for name in globbed if not ("*" in line and name in entries)]
    further = CONTENTS.findall(further_pages())
    entries += further[0].split() if further else []
    pages = {file.relative_to(DOCS).with_suffix("").as_posix() for file in DOCS.rglob("*.md")} - NOT_LISTED
    assert sorted(entries) == sorted(pages)


def test_a_page_that_nobody_listed_is_in_the_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("README", "index", "odds", "attic"):
        (tmp_path / f"{name}.md").write_text("```{toctree}\n:hidden:\n\nodds\n```\n", "utf-8")
    monkeypatch.setattr(made_pages, "DOCS", tmp_path)
    assert CONTENTS.findall(further_pages()) == ["attic\n"]
    (tmp_path / "attic.md").unlink()
    assert further_pages() == ""


def test_every_page_is_named_in_the_list_for_code_hosts() -> None:
    """But for those that are made of a file of the project, and those that another list has."""
    listed = LINK.findall((DOCS / "README.md").read_text("utf-8"))
    names = {file.relative_to(DOCS).as_posix() for file in DOCS.rglob("*.md")}
    elsewhere = {name for name in names if name.startswith(("project/", "decisions/0", "studies/"))}
    assert sorted(names - set(listed) - elsewhere - {"README.md", "index.md"}) == []


@pytest.mark.parametrize(
    ("text", "page", "told"),
    [
        ("[a](../ARCHITECTURE.md#six-concepts)", "glossary", "[a](project/architecture.md#six-concepts)"),
        ("[a](../../examples/README.md)", "howto/bot", "[a](../project/examples.md)"),
        ("[a](../src)", "README", "a"),
        ("[a](https://example.org/x)", "api", "[a](https://example.org/x)"),
        ("`x`\n\n```\n[a](../ARCHITECTURE.md)\n```", "api", "`x`\n\n```\n[a](../ARCHITECTURE.md)\n```"),
    ],
)
def test_links_are_turned_to_the_pages_here(text: str, page: str, told: str) -> None:
    folder = (DOCS / page).parent
    assert retarget(text, folder, folder) == told


def test_a_file_of_the_project_takes_the_place_of_its_page() -> None:
    for name in ("architecture", "contributing", "changes", "examples"):
        page = DOCS / "project" / f"{name}.md"
        told = expand(page.read_text("utf-8"), f"project/{name}")
        assert told.startswith("# ")
        assert not MARKER.search(told)
