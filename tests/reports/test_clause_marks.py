"""Clause marks: an unknown id fails the build, and only what ran and passed counts as tested."""

import json
from pathlib import Path
from typing import Any

import pytest

from casinowar.rulebooks import load_clauses

pytestmark = pytest.mark.slow

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SAMPLE = "tests/test_sample.py"
KNOWN, OTHER, THIRD = sorted(load_clauses())[:3]

Suite = pytest.Pytester


@pytest.fixture
def suite(pytester: Suite, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """A small project with this project's own conftest."""
    monkeypatch.delenv("CASINOWAR_CLAUSES_OUT", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # It needs none, and they take most of the time.
    pytester.makeini(
        "[pytest]\ntestpaths = tests\nmarkers =\n    clause(*ids): clauses\n    long: long\n    slow: slow\n"
    )
    pytester.mkdir("tests").joinpath("conftest.py").write_text(
        CONFTEST.read_text().replace(', "tests.support.postgres"', "")
    )
    return pytester


def write_tests(suite: Suite, text: str) -> None:
    suite.path.joinpath(SAMPLE).write_text("import pytest\n\n" + text)


def marked(name: str, *ids: str, body: str = "pass") -> str:
    return f"@pytest.mark.clause({', '.join(map(repr, ids))})\ndef test_{name}():\n    {body}\n\n"


def run(suite: Suite, *arguments: str) -> pytest.RunResult:
    return suite.runpytest_subprocess("-p", "no:cacheprovider", "-p", "xdist", *arguments)


def written(path: Path) -> Any:
    account = json.loads(path.read_text())
    assert account["format"] == "casinowar-clauses/1"
    return account


def counted(path: Path) -> dict[str, Any]:
    clauses: dict[str, Any] = written(path)["clauses"]
    return clauses


@pytest.mark.parametrize("parallel", [(), ("-n", "2")], ids=["alone", "parallel"])
def test_unknown_clause_is_a_collection_error(suite: Suite, parallel: tuple[str, ...]) -> None:
    write_tests(suite, marked("known", KNOWN) + marked("unknown", "NZ-0.0z"))
    result = run(suite, *parallel)
    assert result.ret != pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*test_unknown: no clause NZ-0.0z in the catalogue"])
    assert not suite.path.joinpath(".clauses.json").exists()


def test_mark_without_an_id_is_a_collection_error(suite: Suite) -> None:
    write_tests(suite, marked("empty"))
    result = run(suite)
    assert result.ret != pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*test_empty: the clause mark takes one or more clause ids*"])


@pytest.mark.parametrize("parallel", [(), ("-n", "2")], ids=["alone", "parallel"])
def test_account_of_the_whole_suite(suite: Suite, parallel: tuple[str, ...]) -> None:
    write_tests(
        suite,
        marked("both", KNOWN, OTHER)
        + marked("fails", OTHER, body="assert False")
        + marked("skips", THIRD, body="pytest.skip('not here')"),
    )
    run(suite, *parallel)
    assert counted(suite.path / ".clauses.json") == {
        KNOWN: {"tests": 1, "passed": True, "modules": [SAMPLE]},
        OTHER: {"tests": 2, "passed": False, "modules": [SAMPLE]},
        THIRD: {"tests": 0, "passed": False, "not_run": 1},
    }
    account = written(suite.path / ".clauses.json")
    assert account["is_whole"]
    assert account["failed"] == [f"{SAMPLE}::test_fails"]
    assert account["not_run"] == {"not here": [f"{SAMPLE}::test_skips"]}


@pytest.mark.parametrize("mark", ["not long", "not slow"])
def test_a_full_run_may_leave_out_the_long_tests_and_no_others(suite: Suite, mark: str) -> None:
    write_tests(suite, marked("known", KNOWN) + "@pytest.mark.long\n" + marked("long", OTHER))
    run(suite, "-m", mark)
    assert suite.path.joinpath(".clauses.json").exists() == (mark == "not long")


def test_a_test_that_could_not_run_takes_nothing_from_those_that_did(suite: Suite) -> None:
    fixture = "@pytest.fixture\ndef absent():\n    pytest.skip('not built')\n\n"
    write_tests(suite, fixture + marked("known", KNOWN) + "@pytest.mark.usefixtures('absent')\n" + marked("b", KNOWN))
    run(suite)
    assert counted(suite.path / ".clauses.json") == {
        KNOWN: {"tests": 1, "passed": True, "not_run": 1, "modules": [SAMPLE]}
    }


def test_tests_that_change_while_they_run_are_no_full_run(suite: Suite) -> None:
    write_tests(suite, marked("known", KNOWN, body="open(__file__, 'a').write('\\n')"))
    run(suite)
    assert "is_whole" not in written(suite.path / ".clauses.json")


def test_expected_failure_and_broken_fixture_are_not_passes(suite: Suite) -> None:
    fixture = "@pytest.fixture\ndef broken():\n    raise ValueError\n\n"
    xfail = "@pytest.mark.xfail\n" + marked("expected", KNOWN, body="assert False")
    setup = "@pytest.mark.usefixtures('broken')\n" + marked("setup", OTHER)
    write_tests(suite, fixture + xfail + setup)
    run(suite)
    assert counted(suite.path / ".clauses.json") == {
        KNOWN: {"tests": 1, "passed": False, "modules": [SAMPLE]},
        OTHER: {"tests": 1, "passed": False, "modules": [SAMPLE]},
    }


@pytest.mark.parametrize("selection", [("-k", "one"), (f"{SAMPLE}::test_one",), ("-x",)])
def test_partial_run_leaves_the_account_alone(suite: Suite, selection: tuple[str, ...]) -> None:
    write_tests(suite, marked("one", KNOWN, body="assert False") + marked("two", OTHER))
    before = suite.path / ".clauses.json"
    before.write_text("kept")
    run(suite, *selection)
    assert before.read_text() == "kept"


def test_partial_run_writes_where_it_is_told(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASINOWAR_CLAUSES_OUT", str(suite.path / "partial.json"))
    write_tests(suite, marked("one", KNOWN) + marked("two", OTHER))
    run(suite, "-k", "one")
    assert counted(suite.path / "partial.json") == {KNOWN: {"tests": 1, "passed": True, "modules": [SAMPLE]}}
    assert not suite.path.joinpath(".clauses.json").exists()
