"""Clause coverage: which clauses the marked tests checked, and that every marked clause exists.

`@pytest.mark.clause("NZ-5.13c")` says that a test checks a clause. A mark with an id that the catalogue does
not hold is a collection error. After a full run, as `make test` does it, `.clauses.json` says, for each clause, how
many marked tests ran, whether all of them passed, and how many could not run; `make account` puts that into the
package. A partial run leaves that file alone; with CASINOWAR_CLAUSES_OUT set, any run writes to the file it names.
"""

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from casinowar.reports.full_run import MarkedTests

pytest_plugins = ["pytester", "tests.support.postgres"]

PROPERTY = "casinowar-clause"
FULL = "not long"
"""What `make test` runs."""

ACCOUNT_TEST = "tests/reports/test_full_run.py::test_the_account_is_of_these_tests_and_rulebooks"
"""It fails until the account is renewed, for which it may not count as a failure of the full run."""

CYCLES = (100_000, 20, 50)
"""How many objects come before Python looks for cycles among them: most tests make none, and looking takes a tenth."""

Outcome = Literal["passed", "not run", "failed"]
GRAVITY: tuple[Outcome, ...] = ("passed", "not run", "failed")
SELECTING_OPTIONS = (
    "keyword",
    "markexpr",
    "deselect",
    "ignore",
    "ignore_glob",
    "lf",
    "stepwise",
    "collectonly",
)


@cache
def known_clauses() -> frozenset[str]:
    from casinowar.rulebooks import load_clauses

    return frozenset(load_clauses())


def marked_clauses(item: pytest.Item) -> list[str]:
    return list(dict.fromkeys(str(id) for mark in item.iter_markers("clause") for id in mark.args))


def mark_errors(item: pytest.Item) -> list[str]:
    if any(not mark.args or mark.kwargs for mark in item.iter_markers("clause")):
        return [f"{item.nodeid}: the clause mark takes one or more clause ids, and nothing else"]
    unknown = [id for id in marked_clauses(item) if id not in known_clauses()]
    return [f"{item.nodeid}: no clause {id} in the catalogue" for id in unknown]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a wrong mark into a collection error of the module or class that holds it."""
    report = yield
    items = [node for node in report.result or () if isinstance(node, pytest.Item)]
    errors = [error for item in items for error in mark_errors(item)]
    if errors:
        report.outcome = "failed"
        report.longrepr = "\n".join(errors)
        report.result = []
    return report


def pytest_itemcollected(item: pytest.Item) -> None:
    """User properties travel with the reports, also from the workers of a parallel run."""
    item.user_properties.extend((PROPERTY, id) for id in marked_clauses(item))


def pytest_configure(config: pytest.Config) -> None:
    """Only the process that sees every report keeps the account.

    What a shell starts in the background ignores Ctrl-C, and so would every program that a test starts to interrupt it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(ClauseAccount(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first: else the last minutes of a run are one process's, and the others wait for it."""
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_collection_finish() -> None:
    """Modules and collected tests stay to the end: there are no cycles to look for among them."""
    gc.freeze()
    gc.set_threshold(*CYCLES)


def outcome_of(report: pytest.TestReport) -> Outcome | None:
    """What a phase of a test says of it: an expected failure is a failure, and being set up is no pass."""
    if report.failed or (report.skipped and hasattr(report, "wasxfail")):
        return "failed"
    if report.skipped:
        return "not run"
    return "passed" if report.when == "call" else None


class ClauseAccount:
    """The tests of each clause in this session, and how each of them ended."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.collected = True
        self.out = os.environ.get("CASINOWAR_CLAUSES_OUT")
        self.is_full = selects_the_suite(config)
        self.outcomes: defaultdict[str, dict[str, Outcome]] = defaultdict(dict)
        self.failed: dict[str, None] = {}
        self.reasons: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_sessionstart(self) -> None:
        from casinowar.reports.full_run import commit_of, digests

        if self.out or self.is_full:
            self.commit = commit_of(self.config.rootpath)
            self.digests = digests(self.config.rootpath)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A parallel run goes on after a collection error, without the tests that it lost."""
        self.collected = self.collected and not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid != ACCOUNT_TEST:
            self.failed[report.nodeid] = None
        marked = [str(id) for name, id in report.user_properties if name == PROPERTY]
        outcome = outcome_of(report)
        if not marked or outcome is None:
            return
        for id in marked:
            tests = self.outcomes[id]
            tests[report.nodeid] = max(tests.get(report.nodeid, "passed"), outcome, key=GRAVITY.index)
        if outcome == "not run":
            self.reasons[reason_of(report)].add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        is_whole = self.is_full and self.collected and is_finished(session, exitstatus)
        if self.out:
            self.write(self.config.invocation_params.dir / self.out, is_whole)
        elif is_whole:
            self.write(self.config.rootpath / ".clauses.json", is_whole)

    def write(self, path: Path, is_whole: bool) -> None:
        """Replace the file in one step, so that a reader never meets half of it."""
        from casinowar.reports.full_run import FORMAT, Run, digests, dump_run

        run = Run(
            format=FORMAT,
            commit=self.commit,
            is_whole=is_whole and self.digests == digests(self.config.rootpath),
            digests=self.digests,
            failed=tuple(sorted(self.failed)),
            not_run={reason: tuple(sorted(tests)) for reason, tests in sorted(self.reasons.items())},
            clauses={id: self.marked_tests(id) for id in self.outcomes},
        )
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_bytes(dump_run(run))
        draft.replace(path)

    def marked_tests(self, id: str) -> "MarkedTests":
        from casinowar.reports.full_run import MarkedTests

        ran = {test: outcome for test, outcome in self.outcomes[id].items() if outcome != "not run"}
        return MarkedTests(
            tests=len(ran),
            passed=bool(ran) and "failed" not in ran.values(),
            not_run=len(self.outcomes[id]) - len(ran),
            modules=tuple(sorted({test.partition("::")[0] for test in ran})),
        )


def reason_of(report: pytest.TestReport) -> str:
    told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return told.removeprefix("Skipped: ")


def selects_the_suite(config: pytest.Config) -> bool:
    """Whether every test is selected, but for the long ones: no path, no other filter."""
    suite = {config.rootpath / name for name in config.getini("testpaths")}
    chosen = {config.invocation_params.dir / argument for argument in config.args}
    given = {option: config.getoption(option, None) for option in SELECTING_OPTIONS}
    filtered = any(value for option, value in given.items() if (option, value) != ("markexpr", FULL))
    return not filtered and chosen in (suite, {config.rootpath})


def is_finished(session: pytest.Session, exitstatus: int) -> bool:
    """Whether every test had its turn: no early stop."""
    ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    return ended and not session.shouldstop and not session.shouldfail
