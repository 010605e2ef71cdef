"""The server of live tables under load: people at full tables, or two checkouts side by side at their largest pace.

    python bench/house_load.py --seconds 120
    python bench/house_load.py --twin slow-commit
    python bench/house_load.py --against FOLDER

Without options players think as people do, and answers must come in time: `casinowar bench serve --think 0.5`, with the
pace of the tables and every card's proof checked too. `--against` names another checkout, of an earlier commit. Its
server and ours are started by turns under this generator, and of each the largest pace is searched with p99 below
100 ms.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from casinowar.cli.bench.own_load import run_own, with_books
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.report import Report
from casinowar.cli.bench.temporary_house import SERVE

ROOT = Path(__file__).resolve().parents[1]
MOST_P99_MS = 100.0
SLOWEST_ROUND_S = 7
MOST_REFUSED = 0.01
THOUGHT_S = 0.5
SLOW_COMMIT_S = 0.12

# The twin that must fail: the same server with a disk that takes its time.
SLOW_SERVER = f"""
import time
from casinowar.cli import main
from casinowar.store import SqliteStore

commit = SqliteStore.commit

def slow_commit(store, *proposed):
    time.sleep({SLOW_COMMIT_S})
    return commit(store, *proposed)

SqliteStore.commit = slow_commit
main()
"""

CASES = {
    "full tables": Plan(),
    "980 more tables open": Plan(open_tables=980),
    "100 watchers at one table": Plan(watchers=100),
}


class Found(msgspec.Struct, frozen=True):
    """The largest pace of one checkout in one case, with the stretch that held it."""

    case: str
    checkout: str
    report: Report

    def cells(self) -> tuple[str, ...]:
        stretch, best = self.report.stretch, self.report.best
        cpu = [f"{one.percent:.0f}%" if one is not None else "-" for one in (stretch.server_cpu, stretch.generator_cpu)]
        news = "-" if stretch.news is None else f"{stretch.news.p99}"
        pace = "none" if best is None else f"{best:g}"
        wrong = "; ".join(self.report.failures()) or "-"
        return (self.case, self.checkout, pace, f"{stretch.answers.p50}", f"{stretch.answers.p99}", news, *cpu, wrong)


HEAD = ("case", "checkout", "a second", "p50", "p99", "news p99", "server", "generator", "wrong")


def slow_tables(report: Report) -> list[str]:
    """Tables that played slower than they should; the first and the last round may lie only partly within the time."""
    seconds = report.stretch.seconds
    return [table for table, rounds in report.rounds.items() if (rounds + 1) * SLOWEST_ROUND_S < seconds]


def failures(report: Report) -> list[str]:
    """What is wrong with a load of people: beside what every load must meet, pace, refusals and proofs."""
    slow, refused = slow_tables(report), sum(report.stretch.refused.values())
    checks = {
        f"slower than a round in {SLOWEST_ROUND_S} s: {', '.join(slow)}": bool(slow),
        f"{refused} commands were refused": refused > MOST_REFUSED * report.stretch.sent,
        "no card was checked": report.cards == 0,
    }
    return [*report.failures(), *(what for what, is_so in checks.items() if is_so)]


def people(plan: Plan, twin: str | None) -> list[str]:
    """Load a house with people, print the report, and give what failed."""
    program = SERVE if twin is None else ("-c", SLOW_SERVER)
    report = run_own(with_books(plan, False), MOST_P99_MS, finds=False, program=program)
    for name, value in report.lines():
        print(f"{name:44}{value}")
    for note in report.notes:
        print(f"note: {note}")
    return failures(report)


def source_of(checkout: Path) -> dict[str, str]:
    """The environment in which Python runs this checkout, and no other that is installed."""
    env = {"PYTHONPATH": str(checkout / "src"), "PYTHONSAFEPATH": "1"}
    code = "import casinowar; print(casinowar.__file__)"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, text=True)
    if not Path(done.stdout.strip() or "/").is_relative_to(checkout / "src"):
        raise SystemExit(f"{checkout} has no casinowar that this Python can run: {done.stderr.strip()[-200:]}")
    return env


def views_of(checkout: Path) -> Literal["whole", "parts"]:
    """How a server of this checkout can be asked to tell: an early one knows whole views alone."""
    return "parts" if (checkout / "src/casinowar/house/table/parts.py").exists() else "whole"


def side_by_side(checkouts: dict[str, Path], cases: dict[str, Plan], times: int) -> Iterator[Found]:
    """Search the largest pace of each checkout in each case, by turns: what else the machine does meets both."""
    environments = {name: source_of(folder) for name, folder in checkouts.items()}
    for case, plan in cases.items():
        for _ in range(times):
            for name, env in environments.items():
                asked = msgspec.structs.replace(plan, views=views_of(checkouts[name]))
                report = run_own(with_books(asked, True), MOST_P99_MS, finds=True, env=env)
                yield Found(case, name, report)


def compare(checkouts: dict[str, Path], cases: dict[str, Plan], times: int) -> list[str]:
    """Print a line for each search as it ends, and give what failed."""
    failed = []
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD), flush=True)
    for found in side_by_side(checkouts, cases, times):
        print("| " + " | ".join(found.cells()) + " |", flush=True)
        failed += [f"{found.case}, {found.checkout}: {what}" for what in found.report.failures()]
    return failed


def main(args: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the server with tables full of players.")
    parser.add_argument("--tables", type=int, default=20, metavar="N")
    parser.add_argument("--seats", type=int, default=7, metavar="N", help="players at each table")
    parser.add_argument("--seconds", type=float, metavar="S", help="120, and 5 for each step of a search")
    parser.add_argument("--twin", choices=["slow-commit"], help="a server that must fail")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, side by side")
    parser.add_argument("--times", type=int, default=2, metavar="N", help="searches of each, by turns")
    parser.add_argument(
        "--case", type=int, action="append", choices=range(1, len(CASES) + 1), help="of the three, those"
    )
    options = parser.parse_args(args)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    if options.against is None:
        plan = Plan(tables=options.tables, seats=options.seats, seconds=options.seconds or 120, think=THOUGHT_S)
        failed = people(plan, options.twin)
    else:
        size = {"tables": options.tables, "seats": options.seats, "seconds": options.seconds or 5}
        chosen = options.case or range(1, len(CASES) + 1)
        cases = {
            name: msgspec.structs.replace(plan, **size)
            for number, (name, plan) in enumerate(CASES.items(), start=1)
            if number in chosen
        }
        print(f"{options.tables} tables with {options.seats} players each; paces with p99 below {MOST_P99_MS:g} ms")
        failed = compare({"before": options.against.resolve(), "now": ROOT}, cases, options.times)
    for what in failed:
        print(f"FAILED: {what}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
