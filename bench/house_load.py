"""The server of live tables under load: people at full tables, or two checkouts side by side at their largest pace.

    python bench/house_load.py --seconds 120
    python bench/house_load.py --twin slow-commit
    python bench/house_load.py --against FOLDER

Without options players think as people do, and answers must come in time: `casinowar bench serve --think 0.5`, with the
pace of the tables and every card's proof checked too. `--against` names another checkout, of an earlier commit. Its
server and ours are started by turns under this generator, and of each the largest pace is searched with p99 below
100 ms. It fails where tables that nobody uses, or those who look on, lower our pace by more than they may, or where
those who look on raise the waits of the players; with `--least 4` also where ours is not four times the other's.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from casinowar.cli.bench.own_load import run_own, with_books
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.report import Report, Stretch
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
ALONE, OPEN, WATCHED = CASES
LEAST_OF_ALONE = {OPEN: 0.8, WATCHED: 0.85}
"""What a case keeps of the pace of full tables alone, at least."""

FIXED_PACE = 300.0
MOST_WAIT_MS = 20.0
"""What 100 who look on add to the p99 of the players at a fixed pace, at most."""

NOT_THE_GAME = ("buy_chips", "cash_chips")


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
        waits = (f"{stretch.answers.p50}", f"{stretch.answers.p99}", news)
        return (self.case, self.checkout, pace, _of_the_game(stretch), *waits, *cpu, wrong)


HEAD = ("case", "checkout", "a second", "of the game", "p50", "p99", "news p99", "server", "generator", "wrong")


def _of_the_game(stretch: Stretch) -> str:
    """The share of the commands that did more than change money into chips and back."""
    sent = sum(stretch.commands.values())
    changing = sum(stretch.commands.get(kind, 0) for kind in NOT_THE_GAME)
    return f"{100 * (1 - changing / sent):.0f}%" if sent else "-"


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


def compare(checkouts: dict[str, Path], cases: dict[str, Plan], times: int, least: float) -> list[str]:
    """Print a line for each search as it ends, and give what failed."""
    failed, paces = [], dict[tuple[str, str], float]()
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD), flush=True)
    for found in side_by_side(checkouts, cases, times):
        print("| " + " | ".join(found.cells()) + " |", flush=True)
        failed += [f"{found.case}, {found.checkout}: {what}" for what in found.report.failures()]
        key = (found.case, found.checkout)
        paces[key] = max(paces.get(key, 0), found.report.best or 0)
    return [*failed, *below_bounds(paces, least)]


def below_bounds(paces: dict[tuple[str, str], float], least: float) -> list[str]:
    """The bounds that the best paces of this run miss: against the other checkout, and against full tables alone."""
    before, now = paces.get((ALONE, "before"), 0), paces.get((ALONE, "now"), 0)
    missed = []
    if before and now:
        print(f"{ALONE}: {now / before:.2f} times the pace of before")
        if now < least * before:
            missed.append(f"{ALONE}: {now / before:.2f} times the pace of before, {least:g} wanted")
    for case, share in LEAST_OF_ALONE.items():
        pace = paces.get((case, "now"))
        if pace is None or not now:
            continue
        print(f"{case}: {pace / now:.0%} of the pace of {ALONE}")
        if pace < share * now:
            missed.append(f"{case}: {pace / now:.0%} of the pace of {ALONE}, {share:.0%} wanted")
    return missed


def waits_of_players(size: dict[str, Any], times: int) -> list[str]:
    """Print the p99 of players at a fixed pace without those who look on and with them, by turns."""
    p99s = dict[int, list[float]]()
    failed = []
    for watchers in [CASES[ALONE].watchers, CASES[WATCHED].watchers] * times:
        plan = with_books(Plan(**size, watchers=watchers, pace=FIXED_PACE), False)
        report = run_own(plan, None, finds=False)
        failed += report.failures()
        p99s.setdefault(watchers, []).append(report.stretch.answers.p99 or 0)
        print(f"at {FIXED_PACE:g} a second, {watchers} look on: p99 {p99s[watchers][-1]:g} ms", flush=True)
    return [*failed, *above_wait(*p99s.values())]


def above_wait(without: list[float], watched: list[float]) -> list[str]:
    """The bound on what those who look on add to the waits, if the best runs miss it: others only add to a wait."""
    added = min(watched) - min(without)
    return [f"who look on add {added:.0f} ms to p99, {MOST_WAIT_MS:g} at most"] if added > MOST_WAIT_MS else []


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
    parser.add_argument(
        "--least", type=float, default=0, metavar="X", help="fail where our pace is not X times the other's"
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
        failed = compare({"before": options.against.resolve(), "now": ROOT}, cases, options.times, options.least)
        if WATCHED in cases:
            failed += waits_of_players(size, options.times)
    for what in failed:
        print(f"FAILED: {what}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
