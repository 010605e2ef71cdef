"""`casinowar rules coverage`: which clauses the tests have shown, counted from tests that ran and passed."""

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.options import json_option
from casinowar.cli.terminal.output import json_text, put, say
from casinowar.cli.terminal.user_files import read_file
from casinowar.reports import full_run
from casinowar.reports.coverage import Count, Coverage, check_clauses
from casinowar.reports.coverage import coverage as count_coverage

PROJECT = Path(__file__).resolve().parents[4]
"""The checkout that this package is used from, if it is."""

MEANING = (
    "tested: tests marked with the clause ran, and all of them passed; open: there is no such test, or one failed",
    "physical: outside software, such as how a table is built; rules clause ID says why",
)
FORMAT = "casinowar-coverage/1"
RUN_HERE = "casinowar rules coverage --run"


class Counted(NamedTuple):
    """What is counted, where it comes from, and what has changed since; none where there are no tests to compare."""

    source: str
    run: full_run.Run
    changed: tuple[str, ...] | None = None


@click.command(short_help="Count the clauses that tests have shown.")
@json_option(help="Print the counts as JSON.")
@click.option("--run", "is_run", is_flag=True, help="Run the marked tests of this checkout, which takes minutes.")
@click.option(
    "--results", metavar="FILE", help="Count what a test run has written into FILE.", shell_complete=suggestions.files
)
@click.option("--open", "is_open_listed", is_flag=True, help="List the clauses that are open.")
def coverage(as_json: bool, is_run: bool, results: str | None, is_open_listed: bool) -> None:
    """Count tested, open and physical clauses per book and kind, and those whose tests were not run.

    Tested clauses have marked tests that ran, all of which passed. They are counted from the account of the last full
    run of the tests, which is part of this package, or, in a checkout that has changed since, from a full run of it.
    """
    if is_run and results is not None:
        raise click.UsageError("--run runs the tests, and --results reads what a run has written: use one of them")
    counted = _marked_tests() if is_run else _read(results) if results is not None else _full_run()
    found = count_coverage(counted.run.clauses)
    if found.failed:
        say(f"open because a marked test failed: {', '.join(found.failed)}")
    put(_as_json(counted, found) if as_json else _as_text(counted, found, is_open_listed))


def shown_by(clause: str) -> list[str]:
    """The number of tests that have shown a clause in the last full run, and in which files of the project."""
    account = full_run.load_account()
    marked = account.clauses.get(clause)
    if marked is None:
        return ["No test has shown it when all were last run."]
    count = f"{marked.tests} test{'s' if marked.tests > 1 else ''}"
    return [
        f"Shown by {count} that ran on commit {account.commit[:12]}:",
        *(f"  {file}" for file in marked.modules),
    ]


def shown_data(clause: str) -> dict[str, Any] | None:
    """The same for JSON; none where no test has shown it."""
    account = full_run.load_account()
    marked = account.clauses.get(clause)
    if marked is None:
        return None
    return {"count": marked.tests, "commit": account.commit, "files": list(marked.modules)}


def _full_run() -> Counted:
    account = full_run.load_account()
    now = full_run.digests(PROJECT) if _is_checkout() else None
    changed = None if now is None else full_run.changed_from(account, now)
    here = full_run.read_results(PROJECT)
    if changed and now is not None and not full_run.changed_from(here, now):
        return Counted("full run here", here, ())
    if not account.commit:
        raise click.ClickException(f"there is no account of a full run: use {RUN_HERE}")
    return Counted("account", account, changed)


def _is_checkout() -> bool:
    return (PROJECT / "pyproject.toml").is_file() and (PROJECT / "tests" / "conftest.py").is_file()


def _read(file: str) -> Counted:
    try:
        return _parse(file, read_file(file, "a list of results"))
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror or error}") from None
    except ValueError as error:
        raise click.ClickException(f"{file}: {error}") from None


def _parse(source: str, content: bytes) -> Counted:
    run = full_run.parse_run(content)
    check_clauses(run)
    return Counted(source, run)


def _marked_tests() -> Counted:
    if not _is_checkout() or find_spec("pytest") is None:
        raise click.ClickException("--run needs the tests and pytest: use it in a checkout, after make setup")
    say("running the marked tests, which takes minutes")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "clauses.json"
        command = [sys.executable, "-m", "pytest", "-m", "clause and not long", "-q"]
        environment = {**os.environ, "CASINOWAR_CLAUSES_OUT": str(out)}
        run = subprocess.run(
            command, cwd=PROJECT, env=environment, capture_output=True, encoding="utf-8", errors="replace"
        )
        last = (run.stdout + run.stderr).strip().splitlines()[-1:] or ["no output"]
        say(f"the marked tests have ended: {last[0]}")
        if run.returncode not in (0, 1) or not out.exists():
            raise click.ClickException(f"the marked tests could not be run: {' '.join(command[1:])} ended in {last[0]}")
        return _parse("marked tests", out.read_bytes())


def _as_json(counted: Counted, found: Coverage) -> str:
    source = {
        "from": counted.source,
        "commit": counted.run.commit or None,
        "is_full_run": counted.run.is_whole,
        "changed": counted.changed,
    }
    return json_text(FORMAT, {**msgspec.to_builtins(found), "source": source, "not_run": counted.run.not_run})


def _as_text(counted: Counted, found: Coverage, is_open_listed: bool) -> str:
    lines = [*_source(counted), *_not_run(counted.run), ""]
    lines.append(f"{'book':<6}{'kind':<20}{'tested':>8}{'open':>8}{'not run here':>14}{'physical':>10}")
    for name, book in found.books.items():
        lines += [_line(name, kind, count) for kind, count in book.kinds.items()]
        lines += [_line(name, "all kinds", book.totals), ""]
    lines.append(_line("all", "", found.totals))
    silent = ", ".join(f"{name} {book.supplied}" for name, book in found.books.items())
    lines += ["", *MEANING, "", f"leaves that are house defaults, because the book is silent: {silent}"]
    if is_open_listed:
        lines += ["", "open:", *(f"  {clause}" for book in found.books.values() for clause in book.open)]
    return "\n".join(lines)


def _source(counted: Counted) -> list[str]:
    """The source of the counts, and how far to trust them."""
    if counted.source != "account":
        return [f"Counted from: {counted.source}."]
    what = "last full run of all tests" if counted.run.is_whole else "last run of the marked tests"
    told = f"Counted from the account of the {what}, on commit {counted.run.commit[:12]}."
    match counted.changed:
        case None:
            return [told]
        case ():
            return [told, "Tests, rulebooks and software have not changed since."]
        case changed:
            return [told, f"Changed since: {', '.join(changed)}. To count them as they are now: {RUN_HERE}"]


def _not_run(run: full_run.Run) -> list[str]:
    if not run.not_run:
        return []
    lines = [f"Not run here, {len(tests)} marked tests: {reason}" for reason, tests in run.not_run.items()]
    marked = [tests for tests in run.clauses.values() if tests.not_run]
    others = sum(tests.tests > 0 for tests in marked)
    return [*lines, f"They are marked with {len(marked)} clauses, of which {others} have other tests that ran."]


def _line(book: str, kind: str, count: Count) -> str:
    return f"{book:<6}{kind:<20}{count.tested:>8}{count.open:>8}{count.not_run:>14}{count.physical:>10}"
