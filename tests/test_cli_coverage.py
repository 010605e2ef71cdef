"""`casinowar rules coverage`: counted from tests that ran and passed, and from nothing else."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from casinowar.reports.coverage import coverage
from casinowar.rulebooks import BOOKS, load_clauses
from tests.commandline import run

CLAUSES = load_clauses()
PHYSICAL = [id for id, clause in CLAUSES.items() if clause.realised[0] == "physical"]


def results(tmp_path: Path, clauses: dict[str, tuple[int, bool]], name: str = "results.json") -> str:
    file = tmp_path / name
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
    assert coverage({id: True}).totals.physical == len(PHYSICAL) - 1
    assert coverage({id: False}).totals.physical == len(PHYSICAL)


def test_results_of_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results(tmp_path, {"NZ-5.13c": (1, True)}, ".clauses.json")
    monkeypatch.chdir(tmp_path)
    assert counted()["totals"]["tested"] == 1


def test_for_reading(tmp_path: Path) -> None:
    done = run("rules", "coverage", "--results", results(tmp_path, {"NZ-5.13c": (1, True)}))
    rows = [line.split() for line in done.out.splitlines()]
    payout = [clause for clause in CLAUSES.values() if (clause.book, clause.kind) == ("nz", "payout")]
    left = sum(clause.realised[0] == "physical" for clause in payout)
    assert ["nz", "payout", "1", str(len(payout) - left - 1), str(left)] in rows
    assert rows[-1] == ["all", "1", str(len(CLAUSES) - len(PHYSICAL) - 1), str(len(PHYSICAL))]


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
    monkeypatch.chdir(tmp_path)
    assert "--results FILE" in run("rules", "coverage").error
    assert run("rules", "coverage", "--results", "none").error == "casinowar: none: No such file or directory"
    too_large = "casinowar: /dev/zero: larger than a list of results can be (64 MiB)"
    assert run("rules", "coverage", "--results", "/dev/zero").error == too_large
    assert run("rules", "coverage", "--results", os.curdir).error == "casinowar: .: Is a directory"


def small_project(folder: Path, body: str) -> None:
    (folder / "tests").mkdir()
    source = Path(__file__).with_name("conftest.py").read_text()
    (folder / "tests" / "conftest.py").write_text(source.replace('pytest_plugins = ["pytester"]', ""))
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = clause(*ids)\n")
    (folder / "tests" / "test_rules.py").write_text(f"import pytest\n{body}")


def test_without_results_the_marked_tests_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_project(
        tmp_path,
        "@pytest.mark.clause('NZ-5.13c')\ndef test_a(): pass\n"
        "@pytest.mark.clause('NZ-5.13b')\ndef test_b(): assert False\n"
        "def test_unmarked(): assert False\n",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = run("rules", "coverage", "--json")
    data = json.loads(done.out)
    assert (data["totals"]["tested"], data["failed"]) == (1, ["NZ-5.13b"])
    first, last, failed = done.err.splitlines()
    assert first == "no .clauses.json here: running the marked tests, which can take a minute or two"
    assert last.startswith("the marked tests have ended: 1 failed, 1 passed")
    assert failed == "open because a marked test failed: NZ-5.13b"


def test_the_run_is_announced_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)

    def begun(*_: object, **__: object) -> None:
        raise OSError(0, "it has begun", "pytest")

    monkeypatch.setattr("casinowar.cli.coverage.subprocess.run", begun)
    announced, begins = run("rules", "coverage").err.splitlines()
    assert "running the marked tests" in announced
    assert begins == "casinowar: pytest: it has begun"


def test_marked_tests_that_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_project(tmp_path, "this is no python\n")
    monkeypatch.chdir(tmp_path)
    done = run("rules", "coverage")
    assert (done.status, done.out) == (2, "")
    assert "the marked tests could not be run" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
