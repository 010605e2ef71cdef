"""The pages of the clauses are up to date, and what they link to is there."""

import re
from pathlib import Path

import pytest

from casinowar.reports.clauses import COMMAND, anchor, clause_pages
from casinowar.reports.marks import SCENARIO, marked_tests, read_marks
from casinowar.reports.rulings.text import incident_page
from casinowar.rulebooks import BOOKS, load_clauses

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "clauses"
IDS = ("NZ-5.13c", "WA-3.16-4", "WA-3.16-op", "CA-BS-5a")


def test_the_pages_are_up_to_date() -> None:
    pages = clause_pages(marked_tests(ROOT))
    files = {file.stem: file.read_text("utf-8") for file in FOLDER.glob("*.md")}
    stale = [f"docs/clauses/{book}.md" for book in sorted(pages.keys() | files) if pages.get(book) != files.get(book)]
    if stale:
        pytest.fail(f"{', '.join(stale)}: stale, write again with `{COMMAND}`", pytrace=False)


def test_the_page_of_incidents_is_up_to_date() -> None:
    if (ROOT / "docs" / "incidents.md").read_text("utf-8") != incident_page():
        pytest.fail(f"docs/incidents.md: stale, write again with `{COMMAND}`", pytrace=False)


@pytest.mark.parametrize("book", BOOKS)
def test_a_page_has_every_clause_of_its_book_in_order(book: str) -> None:
    clauses = [clause for clause in load_clauses().values() if clause.book == book]
    sections = re.split(r"^## ", clause_pages({})[book], flags=re.MULTILINE)[1:]
    assert [section.partition("\n")[0] for section in sections] == [clause.id for clause in clauses]
    for clause, section in zip(clauses, sections, strict=True):
        text = " ".join(re.sub(r"\[(AMB-\d+)\]\([^)]*\)", r"\1", section).split())
        assert f"{clause.id} {clause.text} - Kind: {clause.kind}. " in text
        assert f"{', '.join(clause.realised)}: {clause.how}" in text
        assert clause.outside in text
        assert ("No test is marked with it." in text) == (not clause.outside)


def test_leaves_stand_with_the_clause_that_they_rest_on() -> None:
    """A fixed one, one that may be set, and ones that hang on another leaf."""
    pages = clause_pages({})
    assert "  - `payout.war.on_tie` = 2:1\n" in section_of(pages["nz"], "NZ-5.13c")
    burn = "  - `war.burn` = 3 (allowed: 3, 0), [AMB-10](../ambiguities.md#amb-10)\n"
    assert burn in section_of(pages["nz"], "NZ-8.8-ii")
    pays = "  - `payout.war.on_win`, where `payout.war_odds` is literal: 2:1; standard: 1:1\n"
    assert pays in section_of(pages["ctg"], "CTG-W6")
    eight = section_of(pages["wa"], "WA-3.16-8")
    assert "  - `payout.perfect_pairs.on_mixed`, where `perfect_pairs.table` is P8a: 5:1; P8b: 6:1\n" in eight
    assert "Leaves" not in section_of(pages["nz"], "NZ-1.1")


def section_of(page: str, clause: str) -> str:
    return page.partition(f"## {clause}\n")[2].partition("\n## ")[0] + "\n"


def test_tests_stand_with_the_clause_that_they_are_marked_with() -> None:
    marks = {"tests/test_a.py": {"test_x": ("NZ-5.13c", "NZ-1.1"), "test_y": ("NZ-5.13c",)}}
    page = clause_pages(marks)["nz"]
    link = "[tests/test_a.py](../../tests/test_a.py)"
    assert f"- Tests:\n  - {link}: `test_x`, `test_y`\n" in section_of(page, "NZ-5.13c")
    assert f"- Tests:\n  - {link}: `test_x`\n" in section_of(page, "NZ-1.1")
    assert "| payout | 1 | 0 | 3 |\n" in page
    assert "| conduct | 1 | 1 | 1 |\n" in page
    assert "[NZ-5.13b](#nz-513b)" in page
    assert "[NZ-5.13c](#nz-513c)" not in page


@pytest.mark.parametrize("page", [*BOOKS, "../ambiguities", "../README"])
def test_links_lead_somewhere(page: str) -> None:
    file = (FOLDER / f"{page}.md").resolve()
    text = file.read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    for link in set(links):
        path, _, fragment = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.exists(), link
        if fragment:
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), flags=re.MULTILINE)
            assert fragment in {anchor(heading) for heading in headings}, link


def test_no_two_clauses_share_an_anchor() -> None:
    assert len({anchor(clause) for clause in load_clauses()}) == len(load_clauses())


@pytest.mark.parametrize(
    ("source", "marked"),
    [
        ("@pytest.mark.clause('NZ-5.13c', 'CA-BS-5a')\ndef test_a(): ...", {"test_a": ("NZ-5.13c", "CA-BS-5a")}),
        ("@pytest.mark.clause('NZ-5.13c')\ndef shoe(): ...", {}),
        ("@pytest.mark.parametrize('x', ['NZ-5.13c'])\ndef test_a(x): ...", {}),
        ("pytestmark = pytest.mark.clause('CA-BS-5a')\ndef test_a(): ...", {"test_a": ("CA-BS-5a",)}),
        (
            "def clause(*ids): return pytest.mark.clause(*ids)\n@clause('NZ-5.13c')\ndef test_a(): ...\n"
            "@clause('CA-BS-5a')\ndef test_b(): ...",
            {"test_a": ("NZ-5.13c",), "test_b": ("CA-BS-5a",)},
        ),
        (
            "@pytest.mark.parametrize('x', [pytest.param('NZ-5.13c', marks=pytest.mark.clause('CA-BS-5a'))])\n"
            "def test_a(x): ...",
            {"test_a": ("CA-BS-5a",)},
        ),
        (
            "ROWS = [('a, NZ-5.13c', 1)]\nOTHERS = ['CA-BS-5a']\n"
            "def rows(): return [pytest.param(*row, marks=pytest.mark.clause(row[0])) for row in ROWS]\n"
            "@pytest.mark.parametrize('x', rows())\ndef test_a(x): ...",
            {"test_a": ("NZ-5.13c",)},
        ),
        (
            "ODDS = {'P4a': (4, 30)}\n"
            "PAIRS = [pytest.param(x, marks=pytest.mark.clause(f'WA-3.16-{y[0]}')) for x, y in ODDS.items()]\n"
            "@pytest.mark.parametrize('x', PAIRS)\ndef test_a(x): ...",
            {"test_a": ("WA-3.16-4",)},
        ),
        (
            "@pytest.mark.clause('NZ-5.13c')\nclass TestA:\n @pytest.mark.clause('CA-BS-5a')\n def test_a(self): ...",
            {"TestA.test_a": ("NZ-5.13c", "CA-BS-5a")},
        ),
    ],
    ids=["plain", "no-test", "no-mark", "module", "wrapped", "parameter", "rows", "f-string", "class"],
)
def test_marks_are_read(source: str, marked: dict[str, tuple[str, ...]]) -> None:
    assert read_marks(source, IDS) == marked


def test_marks_are_read_as_pytest_collects_them(request: pytest.FixtureRequest) -> None:
    """Of all tests in this run, however many were selected."""
    read = marked_tests(ROOT)
    missed = [
        f"{item.nodeid}: {clause}"
        for item in request.session.items
        for mark in item.iter_markers("clause")
        for clause in mark.args
        if clause not in read.get(source_of(item), {}).get(name_of(item), ())
    ]
    assert missed == []


def source_of(item: pytest.Item) -> str:
    """The test's module, or the scenario record that it runs."""
    return (scenario_of(item) or item.path).relative_to(ROOT).as_posix()


def scenario_of(item: pytest.Item) -> Path | None:
    assert isinstance(item, pytest.Function)
    path = item.callspec.params.get("path") if hasattr(item, "callspec") else None
    return path if isinstance(path, Path) else None


def name_of(item: pytest.Item) -> str:
    """The test's name without its parameters, behind that of its class if it has one."""
    assert isinstance(item, pytest.Function)
    if scenario_of(item):
        return SCENARIO
    return f"{item.cls.__name__}.{item.originalname}" if item.cls else item.originalname
