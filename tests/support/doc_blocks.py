"""The pages of the documentation, and their blocks of code with the remarks to the tests that stand before them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^( *)(`{3,})([\w-]*)\s*$")
REMARK = re.compile(r"^ *<!-- (not run|file|status|as): (.+?) -->$")

OTHER_PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md")


class Block(NamedTuple):
    """A block of code: where it begins, its language, its text, and the remarks right before it."""

    page: Path
    line: int
    language: str
    text: str
    remarks: dict[str, str]

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page for readers. Those of clauses, ambiguities and incidents have no code, and are written by programs."""
    written = [file for file in sorted(DOCS.rglob("*.md")) if file.parent.name != "clauses"]
    return [*written, *(ROOT / name for name in OTHER_PAGES)]


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page in their order."""
    found: list[Block] = []
    remarks: dict[str, str] = {}
    lines = iter(enumerate(page.read_text("utf-8").splitlines(), start=1))
    for number, line in lines:
        remark, fence = REMARK.match(line), FENCE.match(line)
        if remark:
            remarks[remark[1]] = remark[2]
        elif fence:
            inside = []
            for _, text in lines:
                if text.strip() == fence[2]:
                    break
                inside.append(text.removeprefix(fence[1]))
            found.append(Block(page, number, fence[3], "\n".join(inside) + "\n", remarks))
            remarks = {}
        elif line.strip():
            remarks = {}
    return found


class Shown(NamedTuple):
    """A command as a page shows it, and what it is to print."""

    line: str
    output: str


def commands_in(text: str) -> list[Shown]:
    """The commands behind `$ ` in a block, each with the lines below it."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    found = []
    for part in parts:
        command, _, output = re.sub(r" *\\\n *", " ", part).partition("\n")
        found.append(Shown(re.sub(r"\s{2,}#.*$", "", command), output))
    return found


def lines_to_type(text: str) -> list[str]:
    """The lines with the program's name in a block that shows no output, without what is told behind them."""
    if re.search(r"^\$ ", text, re.MULTILINE):
        return []
    joined = re.sub(r" *\\\n *", " ", text)
    return [re.split(r"\s{2,}", line)[0] for line in joined.splitlines() if line.startswith("casinowar ")]
