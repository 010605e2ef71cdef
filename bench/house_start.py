"""Starting a house whose log is short and one whose log is long: what is behind the last snapshots is all that is read.

One house plays at tables of several books with bots and a person, and signs a checkpoint now and then. At each of the
wanted lengths it is left as if killed, with whatever is behind its last snapshots to be read, and a copy of
its database is kept. Then a server's store and house are made on each copy, in a process of its own, by turns.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.fairness import practice_bytes
from casinowar.house.house import House, Who
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.house.table.table import LiveTable
from casinowar.protocol import CommandFrame
from casinowar.store import SqliteStore
from casinowar.store.sqlite.connection import execute

BOOKS = ("nz", "wa", "ctg", "ma", "ca")
BOTS = ("war", "tie", "surrender")
PLAYER = "ann"
LIMIT_S = 2.0
GROWTH = 1.2
"""With the longest log a start may take so many times as long as with the shortest."""


class Clock:
    """The clock of a house, which goes as far as the next thing that is due."""

    def __init__(self) -> None:
        self.ticks = 0

    def tick(self) -> int:
        return self.ticks

    def now(self) -> int:
        return 1_700_000_000_000 + self.ticks


def settings(tables: int) -> HouseSettings:
    """Tables of all books in turn, with three bots at each."""
    told = [
        {
            "name": f"t{number}",
            "rulebook": (book := BOOKS[number % len(BOOKS)]),
            "bots": [{"strategy": "bank" if book == "ca" else one} for one in BOTS],
        }
        for number in range(tables)
    ]
    return HouseSettings(tables=tuple(msgspec.convert(told, list[TableSettings])))


def play(file: Path, tables: int, lengths: list[int]) -> Iterator[int]:
    """Play until the log has each of these lengths, without waiting for the disk."""
    clock = Clock()
    store = SqliteStore(file, clock.now)
    execute(store._db, "PRAGMA synchronous = off")
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    house = House(store, settings(tables), tick=clock.tick, source=practice_bytes("start"), key=key)
    house.welcome(PLAYER)
    for live in house.tables.values():
        house.present(PLAYER, live.name, True)
        ask(house, live, do="sit", box=1)
    for length in lengths:
        while store.head().events < length:
            for _ in range(50):
                turn(house, clock)
        yield length
    store.close()


def turn(house: House, clock: Clock) -> None:
    """One turn of the server's loop: what the person does everywhere, and what is due, in one group."""
    house.gather()
    for live in house.tables.values():
        table, box = live.table, live.box_of(PLAYER)
        if table.phase == "betting" and live.is_ready and not table.has_wagers:
            house.refill(PLAYER, f"refill-{live.name}-{live.version}")
            ask(house, live, do="place_wager", player=PLAYER, box=box, wager="initial", amount=500)
        elif table.phase == "deciding" and (box, PLAYER) in table.round.asked:
            ask(house, live, do="go_to_war", player=PLAYER, box=box)
    house.settle()
    due = house.advance()
    clock.ticks += 500 if due is None else max(due, 1)


def ask(house: House, live: LiveTable, **command: object) -> None:
    raw = msgspec.Raw(json.dumps(command).encode())
    frame = CommandFrame(id=f"{live.name}-{live.version}", table=live.name, expected=live.version, command=raw)
    house.act(Who(PLAYER, frozenset()), frame)


def write(folder: Path, tables: int, lengths: list[int]) -> dict[int, Path]:
    """The database of each length; those that are there from an earlier run are taken."""
    files = {length: folder / f"start-{tables}-{length}.db" for length in sorted(lengths)}
    if not all(file.exists() for file in files.values()):
        with tempfile.TemporaryDirectory(dir=folder) as made:
            played = Path(made) / "war.db"
            for length in play(played, tables, list(files)):
                copy = SqliteStore(played, for_reading=True)
                execute(copy._db, "VACUUM INTO ?", (str(files[length]),))
                copy.close()
    return files


def start_once(file: Path, tables: int) -> dict[str, float]:
    """Make store and house again; give seconds, events behind the snapshots, and rounds that are over."""
    cpu, begin = process_time(), perf_counter()
    store = SqliteStore(file)
    house = House(store, settings(tables))
    took = {"cpu_s": process_time() - cpu, "s": perf_counter() - begin}
    behind = sum(live.version - live.saved for live in house.tables.values())
    rounds = sum(live.rounds_done for live in house.tables.values())
    return {**took, "events": store.head().events, "behind": behind, "rounds": rounds}


def measure(files: dict[int, Path], tables: int, times: int) -> dict[int, list[dict[str, float]]]:
    """Several starts of each, all lengths in turn, each on a copy of the file; the first warms the system's memory."""
    taken: dict[int, list[dict[str, float]]] = {length: [] for length in files}
    with tempfile.TemporaryDirectory(dir=next(iter(files.values())).parent) as folder:
        for _ in range(times + 1):
            for length, file in files.items():
                copy = Path(shutil.copy(file, Path(folder) / "war.db"))
                words = [sys.executable, __file__, "--once", str(copy), "--tables", str(tables)]
                done = subprocess.run(words, check=True, capture_output=True, text=True, env=os.environ)
                taken[length].append(json.loads(done.stdout))
                for left in Path(folder).iterdir():
                    left.unlink()
    return {length: each[1:] for length, each in taken.items()}


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the start of a house.")
    parser.add_argument("--events", type=int, nargs="+", default=[50_000, 500_000], metavar="N")
    parser.add_argument("--tables", type=int, default=20, metavar="N")
    parser.add_argument("--times", type=int, default=5, metavar="K")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "casinowar-bench-start")
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    if options.once is not None:
        print(json.dumps(start_once(options.once, options.tables)))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    files = write(options.folder, options.tables, options.events)
    taken = measure(files, options.tables, options.times)
    rows = [
        {"events": int(each[0]["events"]), "rounds": int(each[0]["rounds"]), "behind": int(each[0]["behind"])}
        | {name: round(median(one[name] for one in each), 3) for name in ("cpu_s", "s")}
        for each in taken.values()
    ]
    if options.json:
        print(json.dumps({"tables": options.tables, "rows": rows}))
    else:
        print("   events   rounds   behind  cpu s      s")
        for row in rows:
            print(f"{row['events']:9,}  {row['rounds']:7,}  {row['behind']:7,}  {row['cpu_s']:5.2f}  {row['s']:5.2f}")
    if rows[-1]["s"] >= LIMIT_S or rows[-1]["cpu_s"] > GROWTH * rows[0]["cpu_s"]:
        sys.exit(f"a start takes {rows[-1]['s']} s with the longest log, and {rows[0]['s']} s with the shortest")


if __name__ == "__main__":
    main()
