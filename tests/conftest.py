"""Clause coverage: which clauses the marked tests checked, and that every marked clause exists.

`@pytest.mark.clause("NZ-5.13c")` says that a test checks a clause. A mark with an id that the catalogue does
not hold is a collection error. After a run of the whole suite `.clauses.json` says, for each clause, how many
marked tests ran and whether all of them passed. A partial run leaves that file alone; with
CASINOWAR_CLAUSES_OUT set, any run writes to the file it names.
"""

import json
import os
from collections import defaultdict
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PROPERTY = "casinowar-clause"
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
    """Only the process that sees every report keeps the account."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(ClauseAccount(config))


class ClauseAccount:
    """The tests of each clause that ran in this session, and whether they passed."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.collected = True
        self.passed: defaultdict[str, dict[str, bool]] = defaultdict(dict)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A parallel run goes on after a collection error, without the tests that it lost."""
        self.collected = self.collected and not report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        failed = report.failed or (report.skipped and hasattr(report, "wasxfail"))
        if not failed and (report.skipped or report.when != "call"):
            return
        for name, id in report.user_properties:
            if name == PROPERTY:
                tests = self.passed[str(id)]
                tests[report.nodeid] = tests.get(report.nodeid, True) and not failed

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        out = os.environ.get("CASINOWAR_CLAUSES_OUT")
        if out:
            self.write(self.config.invocation_params.dir / out)
        elif self.collected and is_whole_suite(session, exitstatus):
            self.write(self.config.rootpath / ".clauses.json")

    def write(self, path: Path) -> None:
        """Replace the file in one step, so that a reader never meets half of it."""
        clauses = {
            id: {"tests": len(tests), "passed": all(tests.values())} for id, tests in sorted(self.passed.items())
        }
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_text(json.dumps({"format": "casinowar-clauses/1", "clauses": clauses}, indent=1) + "\n")
        draft.replace(path)


def is_whole_suite(session: pytest.Session, exitstatus: int) -> bool:
    """Whether every test was selected and had its turn: no path, no filter, no early stop."""
    config = session.config
    suite = {config.rootpath / name for name in config.getini("testpaths")}
    chosen = {config.invocation_params.dir / argument for argument in config.args}
    finished = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    stopped = session.shouldstop or session.shouldfail
    filtered = any(config.getoption(option, None) for option in SELECTING_OPTIONS)
    return finished and not stopped and not filtered and chosen in (suite, {config.rootpath})
