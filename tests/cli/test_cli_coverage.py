"""`casinowar rules coverage`: counted from tests that ran and passed, and from nothing else."""

import json
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.reports import full_run
from casinowar.reports.coverage import coverage
from casinowar.reports.full_run import FORMAT, MarkedTests, Run, digests, dump_run
from casinowar.rulebooks import BOOKS, load_clauses, load_rulebook
from tests.support.commandline import run

CLAUSES = load_clauses()
PHYSICAL = [id for id, clause in CLAUSES.items() if clause.realised[0] == "physical"]


def results(tmp_path: Path, clauses: dict[str, tuple[int, bool]]) -> str:
    """As a run wrote them before it told what could not run."""
    file = tmp_path / "results.json"
    ran = {id: {"tests": tests, "passed": passed} for id, (tests, passed) in clauses.items()}
    file.write_text(json.dumps({"format": "casinowar-clauses/1", "clauses": ran}))
    return str(file)


def counted(*args: str) -> Any:
    done = run("rules", "coverage", "--json", *args)
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_counts(tmp_path: Path) -> None:
    ran = {"NZ-5.13c": (3, True), "NZ-5.13b": (2, False), "WA-3.9": (1, True), "CTG-W6": (0, True)}
    data = counted("--results", results(tmp_path, ran))
    assert data["totals"] == {
        "tested": 2,
        "open": len(CLAUSES) - len(PHYSICAL) - 2,
        "not_run": 0,
        "physical": len(PHYSICAL),
    }
    assert data["books"]["nz"]["totals"]["tested"] == 1
    assert data["books"]["nz"]["kinds"]["payout"]["tested"] == 1
    assert data["books"]["ctg"]["totals"]["tested"] == 0
    assert "NZ-5.13c" not in data["books"]["nz"]["open"]
    assert {"NZ-5.13b"} <= set(data["books"]["nz"]["open"])
    assert data["failed"] == ["NZ-5.13b"]


def test_the_parts_add_up(tmp_path: Path) -> None:
    data = counted("--results", results(tmp_path, {"NZ-5.13c": (1, True)}))
    assert list(data["books"]) == list(BOOKS)
    for name, book in data["books"].items():
        assert sum(book["totals"].values()) == sum(clause.book == name for clause in CLAUSES.values())
        for standing, count in book["totals"].items():
            assert count == sum(kind[standing] for kind in book["kinds"].values())
        assert len(book["open"]) == book["totals"]["open"]
    for standing, count in data["totals"].items():
        assert count == sum(book["totals"][standing] for book in data["books"].values())


def test_a_passing_test_counts_before_the_catalogue() -> None:
    id = PHYSICAL[0]
    assert coverage({id: MarkedTests(1, True)}).totals.physical == len(PHYSICAL) - 1
    assert coverage({id: MarkedTests(1, False)}).totals.physical == len(PHYSICAL)


def test_a_clause_whose_tests_could_not_run_is_neither_open_nor_failed(tmp_path: Path) -> None:
    shown = {
        "NZ-5.13c": MarkedTests(tests=0, passed=False, not_run=2),
        "NZ-5.13b": MarkedTests(tests=1, passed=True, not_run=1),
        "WA-3.9": MarkedTests(tests=1, passed=False, not_run=1),
        PHYSICAL[0]: MarkedTests(tests=0, passed=False, not_run=1),
    }
    file = tmp_path / "results.json"
    file.write_bytes(dump_run(Run(FORMAT, clauses=shown, not_run={"no Chromium": ("a::b", "a::c")})))
    data = counted("--results", str(file))
    assert {clause for book in data["books"].values() for clause in book["not_run"]} == {"NZ-5.13c", PHYSICAL[0]}
    assert (data["totals"]["tested"], data["totals"]["not_run"]) == (1, 2)
    assert data["totals"]["physical"] == len(PHYSICAL) - 1
    assert "NZ-5.13c" not in data["books"]["nz"]["open"]
    assert data["failed"] == ["WA-3.9"]
    assert data["not_run"] == {"no Chromium": ["a::b", "a::c"]}
    text = run("rules", "coverage", "--results", str(file)).out
    assert "Not run here, 2 marked tests: no Chromium\n" in text
    assert "They are marked with 4 clauses, of which 2 have other tests that ran.\n" in text
    assert next(line for line in text.splitlines() if line.startswith("all ")).split()[:4] == [
        "all",
        "1",
        str(data["totals"]["open"]),
        "2",
    ]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the command takes for the checkout it is used from."""
    (tmp_path / "tests").mkdir()
    source = (Path(__file__).parents[1] / "conftest.py").read_text()
    (tmp_path / "tests" / "conftest.py").write_text(re.sub(r"^pytest_plugins = .*$", "", source, flags=re.MULTILINE))
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['clause(*ids)', 'long']\n")
    monkeypatch.setattr("casinowar.cli.rules.clause_coverage.PROJECT", tmp_path)
    return tmp_path


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch, checkout: Path) -> Run:
    """The package has the account of a full run of that checkout."""
    shown = {"NZ-5.13c": MarkedTests(1, True), "WA-3.9": MarkedTests(1, True)}
    told = Run(FORMAT, commit="0123456789abcdef", is_whole=True, digests=digests(checkout), clauses=shown)
    monkeypatch.setattr("casinowar.reports.full_run.load_account", lambda: told)
    return told


def first_lines(*args: str) -> list[str]:
    done = run("rules", "coverage", *args)
    assert (done.status, done.err) == (0, "")
    return done.out.partition("\n\n")[0].splitlines()


FROM_ACCOUNT = "Counted from the account of the last full run of all tests, on commit 0123456789ab."


def test_where_there_are_no_tests_the_account_is_told(account: Run, checkout: Path) -> None:
    (checkout / "pyproject.toml").unlink()
    assert first_lines() == [FROM_ACCOUNT]
    data = counted()
    assert data["totals"]["tested"] == 2
    assert data["source"] == {"from": "account", "commit": account.commit, "changed": None, "is_full_run": True}


def test_an_account_of_less_than_a_full_run_says_so(account: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    part = msgspec.structs.replace(account, is_whole=False)
    monkeypatch.setattr("casinowar.reports.full_run.load_account", lambda: part)
    assert first_lines()[0] == "Counted from the account of the last run of the marked tests, on commit 0123456789ab."
    assert counted()["source"]["is_full_run"] is False


def test_in_a_checkout_the_account_is_told_with_what_has_changed_since(account: Run, checkout: Path) -> None:
    assert first_lines() == [FROM_ACCOUNT, "Tests, rulebooks and software have not changed since."]
    assert counted()["source"]["changed"] == []
    (checkout / "tests" / "test_new.py").write_text("new")
    changed = "Changed since: tests. To count them as they are now: casinowar rules coverage --run"
    assert first_lines() == [FROM_ACCOUNT, changed]
    assert counted()["source"]["changed"] == ["tests"]
    assert counted()["totals"]["tested"] == 2


def test_a_checkout_is_read_once(account: Run, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "tests" / "test_new.py").write_text("new")
    read: list[Path] = []

    def counting(project: Path) -> dict[str, str]:
        read.append(project)
        return digests(project)

    monkeypatch.setattr(full_run, "digests", counting)
    assert counted()["source"]["changed"] == ["tests"]
    assert read == [checkout]


def test_a_full_run_of_a_checkout_that_has_changed_counts_before_the_account(account: Run, checkout: Path) -> None:
    (checkout / "tests" / "test_new.py").write_text("new")
    here = Run(FORMAT, is_whole=True, digests=digests(checkout), clauses={"NZ-5.13c": MarkedTests(1, True)})
    (checkout / ".clauses.json").write_bytes(dump_run(here))
    assert first_lines() == ["Counted from: full run here."]
    assert counted()["totals"]["tested"] == 1
    (checkout / "tests" / "test_new.py").write_text("newer")
    assert counted()["totals"]["tested"] == 2


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": "casinowar-clauses/1", "clauses": {}}'])
def test_results_of_another_tree_do_not_stand_in_the_way(account: Run, checkout: Path, content: bytes) -> None:
    (checkout / "tests" / "test_new.py").write_text("new")
    (checkout / ".clauses.json").write_bytes(content)
    assert counted()["source"]["from"] == "account"


def test_an_account_that_is_not_there_is_no_account_of_open_clauses(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casinowar.reports.full_run.NAME", "none.json")
    told = "casinowar: there is no account of a full run: use casinowar rules coverage --run"
    assert run("rules", "coverage").error == told
    assert run("rules", "clause", "NZ-5.13c").status == 0


def test_a_clause_that_has_left_the_catalogue_is_not_counted(account: Run) -> None:
    account.clauses["NZ-99"] = MarkedTests(1, True)
    assert counted()["totals"]["tested"] == 2


def test_a_clause_is_told_with_the_tests_that_showed_it(account: Run) -> None:
    account.clauses["NZ-5.13c"] = MarkedTests(2, True, modules=("tests/test_a.py", "tests/test_b.py"))
    told = run("rules", "clause", "NZ-5.13c").out
    assert told.endswith("\nShown by 2 tests that ran on commit 0123456789ab:\n  tests/test_a.py\n  tests/test_b.py\n")
    assert run("rules", "clause", "NZ-5.13b").out.endswith("\nNo test has shown it when all were last run.\n")


def test_for_reading(tmp_path: Path) -> None:
    done = run("rules", "coverage", "--results", results(tmp_path, {"NZ-5.13c": (1, True)}))
    rows = [line.split() for line in done.out.splitlines()]
    payout = [clause for clause in CLAUSES.values() if (clause.book, clause.kind) == ("nz", "payout")]
    left = sum(clause.realised[0] == "physical" for clause in payout)
    assert ["nz", "payout", "1", str(len(payout) - left - 1), "0", str(left)] in rows
    assert next(row for row in rows if row[:1] == ["all"]) == [
        "all",
        "1",
        str(len(CLAUSES) - len(PHYSICAL) - 1),
        "0",
        str(len(PHYSICAL)),
    ]
    counts = {book: sum(leaf.supplied for leaf in load_rulebook(book).leaves.values()) for book in BOOKS}
    assert min(counts.values()) > 0
    told = ", ".join(f"{book} {count}" for book, count in counts.items())
    assert done.out.splitlines()[-1] == f"leaves that are house defaults, because the book is silent: {told}"


def test_open_clauses_are_listed(tmp_path: Path) -> None:
    file = results(tmp_path, {"NZ-5.13c": (1, True)})
    listed = run("rules", "coverage", "--open", "--results", file).out.partition("\nopen:\n")[2].split()
    assert set(listed) == CLAUSES.keys() - set(PHYSICAL) - {"NZ-5.13c"}


def test_failed_clauses_are_named(tmp_path: Path) -> None:
    done = run("rules", "coverage", "--results", results(tmp_path, {"NZ-5.13c": (1, False)}))
    assert (done.status, done.err) == (0, "open because a marked test failed: NZ-5.13c\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "no results of a test run"),
        ("[]", "no results of a test run"),
        ('{"format": "casinowar-clauses/1", "clauses": {"NZ-5.13c": true}}', "no results of a test run"),
        ('{"format": "casinowar-clauses/2", "clauses": {}}', "casinowar-clauses/2"),
        ('{"format": "casinowar-clauses/1", "clauses": {"NZ-99": {"tests": 1, "passed": true}}}', "'NZ-99'"),
    ],
)
def test_results_that_cannot_be_counted(content: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text(content)
    assert reason in run("rules", "coverage", "--results", str(file)).error


def test_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casinowar.cli.rules.clause_coverage.PROJECT", tmp_path)
    assert "use it in a checkout" in run("rules", "coverage", "--run").error
    assert "use one of them" in run("rules", "coverage", "--run", "--results", "none").err
    assert run("rules", "coverage", "--results", "none").error == "casinowar: none: No such file or directory"
    too_large = "casinowar: /dev/zero: larger than a list of results can be (64 MiB)"
    assert run("rules", "coverage", "--results", "/dev/zero").error == too_large
    assert run("rules", "coverage", "--results", os.curdir).error == "casinowar: .: Is a directory"


def write_tests(checkout: Path, body: str) -> None:
    (checkout / "tests" / "test_rules.py").write_text(f"import pytest\n{body}")


def test_the_marked_tests_are_run_on_request(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tests(
        checkout,
        "@pytest.mark.clause('NZ-5.13c')\ndef test_a(): pass\n"
        "@pytest.mark.clause('NZ-5.13b')\ndef test_b(): assert False\n"
        "@pytest.mark.clause('WA-3.9')\ndef test_c(): pytest.skip('no page')\n"
        "@pytest.mark.long\n@pytest.mark.clause('NZ-5.13c')\ndef test_long(): assert False\n"
        "def test_unmarked(): assert False\n",
    )
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = run("rules", "coverage", "--run", "--json")
    data = json.loads(done.out)
    assert (data["totals"]["tested"], data["failed"]) == (1, ["NZ-5.13b"])
    assert (data["books"]["wa"]["not_run"], list(data["not_run"])) == (["WA-3.9"], ["no page"])
    assert data["source"]["from"] == "marked tests"
    first, last, failed = done.err.splitlines()
    assert first == "running the marked tests, which takes minutes"
    assert last.startswith("the marked tests have ended: 1 failed, 1 passed, 1 skipped")
    assert failed == "open because a marked test failed: NZ-5.13b"


def test_the_run_is_announced_before_it_begins(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(*_: object, **__: object) -> None:
        raise OSError(0, "it has begun", "pytest")

    monkeypatch.setattr("casinowar.cli.rules.clause_coverage.subprocess.run", begun)
    announced, begins = run("rules", "coverage", "--run").err.splitlines()
    assert "running the marked tests" in announced
    assert begins == "casinowar: pytest: it has begun"


def test_marked_tests_that_cannot_be_run(checkout: Path) -> None:
    write_tests(checkout, "this is no python\n")
    done = run("rules", "coverage", "--run")
    assert (done.status, done.out) == (2, "")
    assert "the marked tests could not be run" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
