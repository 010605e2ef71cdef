"""Rounds a second that `casinowar audit` verifies, of this tree and of another checkout beside it.

Each tree plays a house into a database once, with its own code, and keeps it in the folder for temporary files: tables
of several books, seven seats at each, one of them a person's. Then the trees audit in turn, each in processes of its
own, so that both meet the same noise of the machine. A tree's figure is its best time; the CPU seconds are those of all
its processes.
"""

import argparse
import ctypes
import hashlib
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from casinowar.house.house import House
    from casinowar.house.table.table import LiveTable

HERE = Path(__file__).resolve().parent.parent
PLAYER = "ann"
BOOKS = ("nz", "wa", "ctg", "ma", "ca", "nz")
BOTS = ("war", "tie", "surrender", "war", "tie", "surrender")
BANKERS = ("bank",) * 6
CHECKPOINT_ROUNDS = 200
ADOPT_ORPHANS = 36
"""What Linux calls PR_SET_CHILD_SUBREAPER: the CPU seconds of an audit's own processes are then counted here."""


class Clock:
    """The clock of a house, which goes as far as the next thing that is due."""

    def __init__(self) -> None:
        self.ticks = 0

    def tick(self) -> int:
        return self.ticks

    def now(self) -> int:
        return 1_700_000_000_000 + self.ticks


def play(file: Path, rounds: int) -> None:
    """Play so many rounds at all tables together, with the code on the path."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from casinowar.fairness import practice_bytes
    from casinowar.house.house import House
    from casinowar.house.settings import HouseSettings, TableSettings
    from casinowar.store import SqliteStore, dump_checkpoint, make_checkpoint

    clock, key = Clock(), Ed25519PrivateKey.from_private_bytes(bytes(32))
    settings = [
        {
            "name": f"t{number}",
            "rulebook": book,
            "bots": [{"strategy": one} for one in (BANKERS if book == "ca" else BOTS)],
        }
        for number, book in enumerate(BOOKS, 1)
    ]
    with closing(SqliteStore(file, clock.now)) as store:
        tables = tuple(msgspec.convert(settings, list[TableSettings]))
        house = House(store, HouseSettings(tables=tables), tick=clock.tick, source=practice_bytes("bench"))
        house.welcome(PLAYER)
        for live in house.tables.values():
            house.present(PLAYER, live.name, True)
            ask(house, live, do="sit", box=1)
        done = 0
        while done < rounds:
            for live in house.tables.values():
                act(house, live)
            due = house.advance()
            clock.ticks += 500 if due is None else max(due, 1)
            before, done = done, sum(live.rounds_done for live in house.tables.values())
            if done // CHECKPOINT_ROUNDS > before // CHECKPOINT_ROUNDS:
                make_checkpoint(store, key)
        file.with_suffix(".checkpoint").write_bytes(dump_checkpoint(make_checkpoint(store, key)))


def act(house: "House", live: "LiveTable") -> None:
    """What the person does: the least wager in each round, every war, and a new purse when the old one is empty."""
    table, box = live.table, live.box_of(PLAYER)
    if table.phase == "betting" and live.is_ready and not table.has_wagers:
        house.refill(PLAYER, f"refill-{live.name}-{live.version}")
        ask(house, live, do="place_wager", player=PLAYER, box=box, wager="initial", amount=500)
    elif table.phase == "deciding" and (box, PLAYER) in table.round.asked:
        ask(house, live, do="go_to_war", player=PLAYER, box=box)


def ask(house: "House", live: "LiveTable", **command: Any) -> None:
    from casinowar.house.house import Who
    from casinowar.protocol import CommandFrame

    raw = msgspec.Raw(json.dumps(command).encode())
    frame = CommandFrame(id=f"{live.name}-{live.version}", table=live.name, expected=live.version, command=raw)
    house.act(Who(PLAYER, frozenset()), frame)


def database(tree: Path, rounds: int) -> Path:
    """The database that this tree has played, now or in an earlier run."""
    folder = Path(tempfile.gettempdir()) / "casinowar-bench-audit"
    folder.mkdir(exist_ok=True)
    file = folder / f"{hashlib.sha256(str(tree).encode()).hexdigest()[:12]}-{rounds}.db"
    if not file.with_suffix(".checkpoint").exists():
        file.unlink(missing_ok=True)
        run(tree, [__file__, "--play", str(file), "--rounds", str(rounds)])
    return file


def run(tree: Path, words: list[str]) -> str:
    """What a Python with the code of that tree prints. It keeps its compiled modules, as an installed program does."""
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    path = {**known, "PYTHONPATH": str(tree / "src")}
    return subprocess.run([sys.executable, *words], env=path, check=True, capture_output=True, text=True).stdout


def measure(tree: Path, file: Path, words: list[str]) -> dict[str, float]:
    """One audit of the database: seconds by the wall's clock, and CPU seconds of all its processes."""
    used, begin = cpu_seconds(), perf_counter()
    verdict = json.loads(run(tree, ["-m", "casinowar", "audit", str(file), "--json", *words]))
    wall = perf_counter() - begin
    if verdict["findings"]:
        sys.exit(f"{tree} finds fault with its own house: {verdict['findings'][:3]}")
    with suppress(ChildProcessError):
        while True:
            os.wait()
    counts = verdict["counts"]
    return {"rounds": counts["rounds"], "events": counts["events"], "wall_s": wall, "cpu_s": cpu_seconds() - used}


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the audit of a house's database.")
    parser.add_argument("--rounds", type=int, default=3_000, metavar="N")
    parser.add_argument("--times", type=int, default=3, metavar="K", help="audits of each tree, in turn")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, measured beside this one")
    parser.add_argument("--jobs", metavar="N", help="processes of this tree's audit")
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    if options.play is not None:
        play(options.play, options.rounds)
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1)
    trees = {"this tree": HERE} | ({} if options.against is None else {"against": options.against.resolve()})
    files = {name: database(tree, options.rounds) for name, tree in trees.items()}
    words = {"this tree": ["--jobs", options.jobs] if options.jobs else []}
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in trees}
    for _ in range(options.times):
        for name, tree in trees.items():
            rows[name].append(measure(tree, files[name], words.get(name, [])))
    best = {
        name: {
            "rounds": tried[0]["rounds"],
            "events": tried[0]["events"],
            "wall_s": round(min(one["wall_s"] for one in tried), 2),
            "cpu_s": round(min(one["cpu_s"] for one in tried), 2),
            "rounds_per_second": round(max(one["rounds"] / one["wall_s"] for one in tried)),
            "rounds_per_cpu_second": round(max(one["rounds"] / one["cpu_s"] for one in tried)),
        }
        for name, tried in rows.items()
    }
    if options.json:
        print(json.dumps({"python": platform.python_version(), "cores": os.cpu_count(), "trees": best}))
        return
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, best of {options.times} in turn")
    print("           rounds   events  seconds  CPU s  rounds/s  rounds/CPU s")
    for name, row in best.items():
        figures = f"{row['rounds']:7,}  {row['events']:7,}  {row['wall_s']:7.2f}  {row['cpu_s']:5.2f}"
        print(f"{name:10} {figures}  {row['rounds_per_second']:8,}  {row['rounds_per_cpu_second']:12,}")
    if options.against is not None:
        ours, theirs = best["this tree"], best["against"]
        wall = ours["rounds_per_second"] / theirs["rounds_per_second"]
        cpu = ours["rounds_per_cpu_second"] / theirs["rounds_per_cpu_second"]
        print(f"{wall:.1f} times the rounds a second, {cpu:.1f} times the rounds in a second of CPU")


if __name__ == "__main__":
    main()
