"""Opening a SQLite store with a short log and with a long one: what is behind the last checkpoint is all that counts.

The log is that of rounds at a few tables, with a checkpoint every so many commands as a running house signs them, and
some commands behind the last one. The processor's time of each opening is told, the median of several.
"""

import argparse
import json
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.engine import events as e
from casinowar.store import Proposal, PurseFunded, Recorded, SqliteStore, make_checkpoint
from casinowar.store.sqlite.connection import execute

TABLES = 20
ROUND = 10
"""Events of one command."""

TAIL = 200
"""Commands behind the last checkpoint."""

GROWTH = 1.2
"""With the longest log an opening may take so many times as long as with the shortest."""


def proposal(number: int) -> Proposal:
    """A command that plays two rounds at one of the tables."""
    stream, before = f"t{number % TABLES}", number // TABLES
    events: list[Recorded] = []
    for half in (0, 1):
        won = e.WagerSettled("ana", 1, "initial", 1_000, "win", "1:1", 1_000, 1_000)
        funded = PurseFunded("ana", 1_000, "operator:o1", "bench")
        placed = e.WagerPlaced("ana", 1, "initial", 1_000)
        events += [funded, e.BoughtIn("ana", 1_000), placed, won, e.RoundEnded(2 * before + half, ())]
    return Proposal(
        stream=stream, expected=before * ROUND, actor="table", command=str(number), body=b"%d" % number, answer="ok",
        events=tuple(events),
    )  # fmt: skip


def build(file: Path, events: int) -> None:
    """Write a log of so many events, many commands in one transaction and without waiting for the disk."""
    key = Ed25519PrivateKey.generate()
    commands = events // ROUND
    with closing(SqliteStore(file)) as store:
        execute(store._db, "PRAGMA synchronous = off")
        for first in range(0, commands, TAIL):
            store.begin_together()
            for number in range(first, min(first + TAIL, commands)):
                store.commit(proposal(number))
            if first + TAIL < commands:
                make_checkpoint(store, key)
            store.finish_together()


def open_once(file: Path) -> tuple[float, float]:
    """The milliseconds of the processor and of the clock that one opening takes."""
    cpu, begin = process_time(), perf_counter()
    store = SqliteStore(file)
    took = 1000 * (process_time() - cpu), 1000 * (perf_counter() - begin)
    store.close()
    return took


def measure(files: dict[int, Path], times: int) -> list[dict[str, object]]:
    """The medians of several openings, all files in turn; the first turn warms the system's memory of them."""
    taken: dict[int, list[tuple[float, float]]] = {events: [] for events in files}
    for _ in range(times + 1):
        for events, file in files.items():
            taken[events].append(open_once(file))
    return [
        {
            "events": events,
            "megabytes": round(files[events].stat().st_size / 1e6),
            "cpu_ms": round(median(cpu for cpu, _ in each[1:]), 1),
            "ms": round(median(clock for _, clock in each[1:]), 1),
        }
        for events, each in taken.items()
    ]


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the opening of the SQLite store.")
    parser.add_argument("--events", type=int, nargs="+", default=[50_000, 500_000], metavar="N")
    parser.add_argument("--times", type=int, default=9, metavar="K")
    parser.add_argument("--folder", type=Path, help="where to write")
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        files = {events: Path(folder) / f"war-{events}.db" for events in options.events}
        for events, file in files.items():
            build(file, events)
        rows = measure(files, options.times)
    if options.json:
        print(json.dumps({"rows": rows}))
    else:
        print("   events     MB  cpu ms      ms")
        for row in rows:
            print(f"{row['events']:9,}  {row['megabytes']:5}  {row['cpu_ms']:6}  {row['ms']:6}")
    least, most = float(str(rows[0]["cpu_ms"])), float(str(rows[-1]["cpu_ms"]))
    if most > GROWTH * least:
        sys.exit(f"an opening takes {most / least:.1f} times as long with the longest log as with the shortest")


if __name__ == "__main__":
    main()
