"""`casinowar rules coverage`: which clauses the tests have shown, counted from tests that ran and passed."""

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from casinowar.cli.output import put, say
from casinowar.cli.reading import read_file

if TYPE_CHECKING:
    from casinowar.reports.coverage import Count, Coverage

RESULTS = ".clauses.json"


@click.command(short_help="Count the clauses that tests have shown.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@click.option("--results", metavar="FILE", help=f"What a test run wrote; {RESULTS} in this folder unless given.")
@click.option("--open", "is_open_listed", is_flag=True, help="List the clauses that are open.")
def coverage(as_json: bool, results: str | None, is_open_listed: bool) -> None:
    """Count tested, open and physical clauses per book and kind.

    Tested clauses have marked tests that ran, all of which passed. Without results of a test run, the marked tests of
    this folder are run.
    """
    from casinowar.reports import coverage as report

    source, content = _results(results)
    try:
        counted = report.coverage(report.parse_results(content))
    except report.CoverageError as error:
        raise click.ClickException(f"{source}: {error}") from None
    if counted.failed:
        say(f"open because a marked test failed: {', '.join(counted.failed)}")
    put(_as_json(counted) if as_json else _as_text(counted, is_open_listed))


def _results(given: str | None) -> tuple[str, bytes]:
    """Where the results come from, and what they say."""
    source = given or RESULTS
    try:
        return source, read_file(source, "a list of results")
    except FileNotFoundError as error:
        if given is not None:
            raise click.ClickException(f"{given}: {error.strerror}") from None
    except OSError as error:
        raise click.ClickException(f"{source}: {error.strerror or error}") from None
    except ValueError as error:
        raise click.ClickException(f"{source}: {error}") from None
    if not Path("tests").is_dir() or find_spec("pytest") is None:
        raise click.ClickException(
            f"no {RESULTS} here: run the tests in the project's folder first, or name their results with --results FILE"
        )
    return "the marked tests", _run_marked_tests()


def _run_marked_tests() -> bytes:
    say(f"no {RESULTS} here: running the marked tests, which can take a minute or two")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "clauses.json"
        command = [sys.executable, "-m", "pytest", "-m", "clause", "-q"]
        environment = {**os.environ, "CASINOWAR_CLAUSES_OUT": str(out)}
        run = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", errors="replace")
        last = (run.stdout + run.stderr).strip().splitlines()[-1:] or ["no output"]
        say(f"the marked tests have ended: {last[0]}")
        if run.returncode not in (0, 1) or not out.exists():
            raise click.ClickException(f"the marked tests could not be run: {' '.join(command[1:])} ended in {last[0]}")
        return out.read_bytes()


def _as_json(counted: "Coverage") -> str:
    import msgspec

    return json.dumps(msgspec.to_builtins(counted), indent=1)


def _as_text(counted: "Coverage", is_open_listed: bool) -> str:
    lines = [f"{'book':<6}{'kind':<20}{'tested':>8}{'open':>8}{'physical':>10}"]
    for name, book in counted.books.items():
        lines += [_line(name, kind, count) for kind, count in book.kinds.items()]
        lines += [_line(name, "all kinds", book.totals), ""]
    lines.append(_line("all", "", counted.totals))
    if is_open_listed:
        lines += ["", "open:", *(f"  {clause}" for book in counted.books.values() for clause in book.open)]
    return "\n".join(lines)


def _line(book: str, kind: str, count: "Count") -> str:
    return f"{book:<6}{kind:<20}{count.tested:>8}{count.open:>8}{count.physical:>10}"
