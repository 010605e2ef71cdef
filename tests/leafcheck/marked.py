"""The tests that are marked with a clause, collected by pytest itself, and run one by one under a changed leaf."""

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from casinowar.rulebooks.load import forget_kept, raw_leaves, read_book
from tests.leafcheck.changes import Change

ROOT = Path(__file__).resolve().parents[2]
CLAUSES = ROOT / "tests" / "clauses"
ALONE = ("no:faulthandler", "no:hypothesispytest", "no:xdist")


NOTICED: dict[tuple[str, str], dict[str, None]] = {}
"""For each leaf of a book, the tests that have noticed a change of it."""


@dataclass(frozen=True)
class MarkedTest:
    """A plain test function with its parameters."""

    name: str
    clauses: frozenset[str]
    function: Callable[..., object]
    parameters: dict[str, Any]

    def passes(self) -> bool:
        try:
            self.function(**self.parameters)
        except (Exception, pytest.fail.Exception):
            return False
        except pytest.skip.Exception:
            return True
        return True

    @cached_property
    def passes_unchanged(self) -> bool:
        """Whether the test passes with every leaf as it stands: a plain function does so each time, or never."""
        return self.passes()


class _Collector:
    """Keeps what pytest has collected."""

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = session.items


def collect(folder: Path = CLAUSES) -> list[MarkedTest]:
    """The marked tests below a folder, without those that need a fixture or are expected to fail.

    It is a pytest of its own inside the one that may be running: with no conftest, so that it keeps no account of
    clauses, and without the options of the outer one.
    """
    collector = _Collector()
    arguments = ["--collect-only", "-qq", "--capture=no", "--noconftest", f"-c{ROOT / 'pyproject.toml'}", str(folder)]
    plugins = [part for name in ALONE for part in ("-p", name)]
    output = io.StringIO()
    with patch.dict(os.environ), redirect_stdout(output), redirect_stderr(output):
        os.environ.pop("PYTEST_ADDOPTS", None)
        status = pytest.main([*arguments, *plugins], plugins=[collector])
    if status != pytest.ExitCode.OK:
        raise ValueError(f"the marked tests cannot be collected:\n{output.getvalue()}")
    found = [_marked(item) for item in collector.items if isinstance(item, pytest.Function)]
    return [test for test in found if test is not None]


def _marked(item: pytest.Function) -> MarkedTest | None:
    clauses = frozenset(str(clause) for mark in item.iter_markers("clause") for clause in mark.args)
    parameters = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    needs_fixture = set(item.fixturenames) - set(parameters)
    is_doubtful = any(item.get_closest_marker(name) for name in ("xfail", "skip", "skipif"))
    if not clauses or needs_fixture or is_doubtful:
        return None
    return MarkedTest(item.nodeid, clauses, item.obj, parameters)


def survivors(changes: Iterable[Change], tests: Sequence[MarkedTest]) -> list[str]:
    """The changes that no test marked with a clause of the leaf has noticed, each as a line to read."""
    lines = []
    for change in changes:
        marked = [test for test in tests if not test.clauses.isdisjoint(change.clauses)]
        if not is_noticed(change, marked):
            lines.append(f"{change.book}: {change.key} {change.told}: {_told(marked, *change.clauses)}")
    return lines


def clauses_in_name_only(changes: Iterable[Change], tests: Sequence[MarkedTest]) -> list[str]:
    """The clauses whose own marked tests have noticed no change at all of the leaves that rest on them."""
    resting: dict[str, list[Change]] = {}
    for change in changes:
        for clause in change.clauses:
            resting.setdefault(clause, []).append(change)
    lines = []
    for clause, touching in resting.items():
        marked = [test for test in tests if clause in test.clauses]
        if not any(is_noticed(change, marked) for change in touching):
            keys = ", ".join(dict.fromkeys(change.key for change in touching))
            lines.append(f"{touching[0].book}: any change of {keys}: {_told(marked, clause)}")
    return lines


def is_noticed(change: Change, tests: Sequence[MarkedTest]) -> bool:
    """Whether one of the tests fails with the changed leaf, and passes with the leaf as it stands.

    The leaf stays changed while test after test runs, so that they share the book that is loaded with it. Whichever has
    noticed another change of the leaf is the likeliest to notice this one, and comes first.
    """
    likely = NOTICED.setdefault((change.book, change.key), {})
    doubtful = iter(sorted(tests, key=lambda test: test.name not in likely))
    while True:
        with changed_leaf(change):
            failed = next((test for test in doubtful if not test.passes()), None)
        if failed is None:
            return False
        if failed.passes_unchanged:
            likely[failed.name] = None
            return True


@contextmanager
def changed_leaf(change: Change) -> Iterator[None]:
    leaf = raw_leaves(read_book(change.book))[change.key]
    with patch.dict(leaf, change.parts):
        forget_kept()
        yield
    forget_kept()


def _told(marked: Sequence[MarkedTest], *clauses: str) -> str:
    cited = ", ".join(clauses)
    if not marked:
        return f"no test is marked {cited}"
    return f"none of {len(marked)} {'tests' if len(marked) > 1 else 'test'} marked {cited} noticed"
