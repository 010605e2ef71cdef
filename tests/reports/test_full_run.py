"""The account of the last full run: it is of these tests and rulebooks, and renewing it does not make it stale."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from casinowar.reports.coverage import check_clauses, coverage
from casinowar.reports.full_run import (
    ACCOUNT,
    DATA,
    DECIDING,
    FORMAT,
    PARTS,
    RESULTS,
    MarkedTests,
    Run,
    RunError,
    changed_since,
    commit_of,
    digests,
    dump_run,
    load_account,
    parse_run,
    renew_account,
)
from casinowar.web.http.page_files import ELSEWHERE
from tests.conftest import ACCOUNT_TEST

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SHOWN = {"NZ-5.13c": MarkedTests(tests=2, passed=True, modules=("tests/test_a.py",))}


@pytest.mark.slow  # It takes no time, but while tests are being written it would fail in every quick check.
def test_the_account_is_of_these_tests_and_rulebooks(request: pytest.FixtureRequest) -> None:
    """All that is asked of the account is asked here: the full run that renews it may fail in no other test."""
    assert request.node.nodeid == ACCOUNT_TEST
    account = load_account()
    stale = [part for part in changed_since(account, ROOT) if part in DECIDING]
    if stale:
        pytest.fail(f"changed since the account of the last full run: {', '.join(stale)}: make account", pytrace=False)
    assert re.fullmatch("[0-9a-f]{40}", account.commit)
    assert (account.is_whole, account.failed, account.not_run) == (True, (), {})
    told = coverage(account.clauses)
    assert (told.totals.open, told.totals.not_run, told.failed) == (0, 0, ())
    check_clauses(account)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small checkout with all that has a digest, in one commit."""
    folder = tmp_path / "project"
    for name in (f"{DATA}/nz/book.toml", "tests/test_a.py", "src/casinowar/reports/a.py", "web/src/a.ts", ".gitignore"):
        write(folder, name, f"{RESULTS}\n")
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def git(folder: Path, *words: str) -> str:
    name = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "all")
    return git(folder, "rev-parse", "HEAD").strip()


def full_run(folder: Path, **changed: object) -> Run:
    """What a full run of the tree as it stands leaves behind."""
    run = Run(FORMAT, commit=commit_of(folder), is_whole=True, digests=digests(folder), clauses=SHOWN)
    run = msgspec.structs.replace(run, **changed)
    (folder / RESULTS).write_bytes(dump_run(run))
    return run


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("tests/test_a.py", "tests"),
        ("tests/records/nz/new.toml", "tests"),
        (f"{DATA}/nz/book.toml", "rulebooks"),
        (f"{DATA}/nz/clauses.toml", "rulebooks"),
        ("src/casinowar/reports/a.py", "software"),
        ("src/casinowar/engine/b.py", "software"),
        ("web/src/a.ts", "software"),
        (ACCOUNT, None),
        ("src/casinowar/web/page/index.html", None),
        ("tests/__pycache__/test_a.pyc", None),
        ("docs/README.md", None),
    ],
)
def test_a_change_is_told_by_the_part_that_it_is_in(project: Path, name: str, part: str | None) -> None:
    run = full_run(project)
    write(project, name, "changed")
    assert changed_since(run, project) == ((part,) if part else ())


def test_files_that_trade_places_or_names_or_are_gone_are_a_change(project: Path) -> None:
    write(project, "tests/test_b.py", "other")
    run = full_run(project)
    assert run.digests.keys() == PARTS.keys()
    first, second = project / "tests/test_a.py", project / "tests/test_b.py"
    text = first.read_text()
    first.write_text(second.read_text())
    second.write_text(text)
    assert changed_since(run, project) == ("tests",)
    first.write_text(text)
    renamed = second.rename(second.with_name("test_c.py"))
    renamed.write_text("other")
    assert changed_since(run, project) == ("tests",)
    renamed.unlink()
    assert changed_since(run, project) == ("tests",)


def test_the_account_is_renewed_from_one_full_run_and_stays_right_when_it_is_committed(project: Path) -> None:
    run = full_run(project)
    assert renew_account(project) == run
    assert parse_run((project / ACCOUNT).read_bytes()) == run
    assert commit(project) != run.commit
    assert changed_since(run, project) == ()
    assert renew_account(project) == run


def test_it_is_right_in_a_clone_and_in_a_history_that_was_written_again(project: Path, tmp_path: Path) -> None:
    run = full_run(project)
    renew_account(project)
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--amend", "-m", "another story")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", project.as_uri(), str(clone))
    assert run.commit not in git(clone, "log", "--format=%H")
    assert changed_since(parse_run((clone / ACCOUNT).read_bytes()), clone) == ()


def test_a_run_of_what_was_not_committed_yet_counts_for_the_commit_that_holds_it(project: Path) -> None:
    write(project, "tests/test_b.py", "new")
    assert full_run(project).commit == ""
    with pytest.raises(RunError, match="commit what you have changed first") as refused:
        renew_account(project)
    assert not refused.value.needs_run
    held = commit(project)
    assert renew_account(project).commit == held


def leave_no_results(project: Path) -> None:
    (project / RESULTS).unlink()


def change_a_test(project: Path) -> None:
    write(project, "tests/test_a.py", "changed")
    commit(project)


def change_the_software(project: Path) -> None:
    write(project, "src/casinowar/reports/a.py", "changed")
    commit(project)


def run_a_part(project: Path) -> None:
    full_run(project, is_whole=False)


@pytest.mark.parametrize("spoil", [leave_no_results, change_a_test, change_the_software, run_a_part])
def test_without_a_full_run_of_this_tree_one_is_asked_for(project: Path, spoil: Callable[[Path], None]) -> None:
    full_run(project)
    spoil(project)
    with pytest.raises(RunError, match="no full run of this tree") as refused:
        renew_account(project)
    assert refused.value.needs_run
    assert not (project / ACCOUNT).exists()


@pytest.mark.parametrize(
    ("spoiled", "reason"),
    [
        ({"failed": ("tests/test_a.py::test_a",)}, "did not pass: tests/test_a.py::test_a"),
        ({"not_run": {"no Chromium": ("tests/test_a.py::test_a",)}}, "could not run: no Chromium"),
    ],
)
def test_a_full_run_that_showed_too_little_is_refused(project: Path, spoiled: dict[str, object], reason: str) -> None:
    full_run(project, **spoiled)
    with pytest.raises(RunError, match=reason) as refused:
        renew_account(project)
    assert not refused.value.needs_run
    assert not (project / ACCOUNT).exists()


def test_outside_git_there_is_no_commit(tmp_path: Path) -> None:
    assert commit_of(tmp_path) == ""


def test_an_account_has_a_line_for_each_clause_in_order() -> None:
    run = Run(FORMAT, commit="c", clauses={"WA-3.9": MarkedTests(1, True), **SHOWN}, not_run={"why": ("a::b",)})
    text = dump_run(run).decode()
    assert parse_run(text.encode()) == run
    lines = [line for line in text.splitlines() if '"tests"' in line]
    assert lines == [
        '  "NZ-5.13c": {"tests": 2, "passed": true, "modules": ["tests/test_a.py"]},',
        '  "WA-3.9": {"tests": 1, "passed": true}',
    ]


@pytest.mark.parametrize("is_ci", [False, True], ids=["here", "ci"])
def test_without_the_page_tests_in_the_browser_are_not_run_and_in_ci_they_fail(tmp_path: Path, is_ci: bool) -> None:
    """The house comes before the browser, so that this needs none."""
    out = tmp_path / "clauses.json"
    given = {"CASINOWAR_CLAUSES_OUT": str(out), ELSEWHERE: str(tmp_path), "CI": "1" if is_ci else ""}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "clause", "tests/browser/pages/test_odds.py"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **given}, capture_output=True)
    run = parse_run(out.read_bytes())
    assert bool(run.failed) == is_ci
    assert list(run.not_run) == ([] if is_ci else ["the page is not built: make page"])
    assert {bool(marked.not_run) for marked in run.clauses.values()} == {not is_ci}
