"""A house that is played at for long: memory, open files, bytes for each round and waits must stay what they are.

    python bench/soak.py --minutes 60
    python bench/soak.py --minutes 5 --tables 20 --bots 6
    python bench/soak.py --minutes 3 --tables 10 --twin keeps-events

A real `casinowar serve` with 100 tables, at each of which six players of the house sit and one who comes over the
network and thinks as people do: a round about every five seconds. Twelve times the server is looked at. The first
quarter warms it; of the rest the last third is held against the first. The exit status is 1 where something has grown,
or where the load itself found something: an answer lost, a purse that is not what its rounds say, a view that differs.
"""

import argparse
import asyncio
import os
import sys
import tomllib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import mean

import msgspec
import tomli_w

from casinowar.cli.bench import temporary_house as houses
from casinowar.cli.bench.crowd import Crowd, free_places
from casinowar.cli.bench.own_load import with_books
from casinowar.cli.bench.pace import think
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.tally import Tally
from casinowar.cli.bench.temporary_house import SERVE, TemporaryHouse, temporary_house
from casinowar.client import Client

# The twin that must fail: the same server, which never lets go of an event that it has told.
KEEPING_SERVER = """
from casinowar.cli import main
from casinowar.house.table.table import LiveTable

kept = []
tell = LiveTable.tell

def keep(live, recalled):
    kept.extend((one, bytes(2_000)) for one in recalled)
    tell(live, recalled)

LiveTable.tell = keep
main()
"""
TWINS = {"keeps-events": ("-c", KEEPING_SERVER)}
STEPS, WARM_UP, THOUGHT_S = 12, 3, 0.5
MOST_LOG_BYTES = 64_000_000
"""SQLite's own log is copied into the file again and again, and may not grow without end."""


class Sample(msgspec.Struct, frozen=True):
    """The server at one moment: rounds, bytes in memory and on the disk, open files, waits since the last one; and how
    busy the machine is."""

    rounds: int
    resident: int
    files: int
    store: int
    log: int
    p50: float
    p99: float
    load: float


class Bound(msgspec.Struct, frozen=True):
    """By how much the mean of the last third may be above that of the first: a share of it, and so much besides."""

    name: str
    share: float
    besides: float


BOUNDS = (Bound("resident", 0.02, 4_000_000), Bound("files", 0, 5), Bound("p99", 1.0, 25))


def grown(samples: Sequence[Sample]) -> list[str]:
    """What has grown from the first third behind the warm-up to the last."""
    warm = samples[WARM_UP:]
    third = len(warm) // 3
    first, last = warm[:third], warm[-third:]
    found = []
    for bound in BOUNDS:
        before, now = (mean(getattr(one, bound.name) for one in part) for part in (first, last))
        if now > before * (1 + bound.share) + bound.besides:
            busy = busier(first, last) if bound.name == "p99" else ""
            found.append(f"{bound.name} has grown from {before:,.0f} to {now:,.0f}{busy}")
    each = [(part[-1].store - part[0].store) / max(1, part[-1].rounds - part[0].rounds) for part in (first, last)]
    if each[1] > 1.5 * each[0] + 500:
        found.append(f"a round takes {each[1]:,.0f} bytes on the disk, and took {each[0]:,.0f}")
    if samples[-1].log > MOST_LOG_BYTES:
        found.append(f"SQLite's log has {samples[-1].log:,} bytes")
    return found


def busier(first: Sequence[Sample], last: Sequence[Sample]) -> str:
    """How much busier the machine was in the end, if it was: others may have made the waits longer."""
    before, now = (mean(one.load for one in part) for part in (first, last))
    return f", and the load of the machine from {before:.1f} to {now:.1f}" if now > 1.25 * before + 0.5 else ""


def rounds_of(crowd: Crowd) -> int:
    return sum({player.live.table: player.live.view.view.round for player in crowd.players}.values())


def look(house: TemporaryHouse, crowd: Crowd) -> Sample:
    store, spread = house.folder / "war.db", crowd.tally.answers.spread()
    log = store.with_name("war.db-wal")
    pid = house._process.pid if house._process else 0
    return Sample(
        rounds_of(crowd),
        house.resident_bytes() or 0,
        len(list(Path(f"/proc/{pid}/fd").iterdir())) if Path(f"/proc/{pid}/fd").exists() else 0,
        store.stat().st_size,
        log.stat().st_size if log.exists() else 0,
        spread.p50 or 0.0,
        spread.p99 or 0.0,
        os.getloadavg()[0],
    )


def line(sample: Sample) -> str:
    sizes = f"{sample.resident / 1e6:10.1f}{sample.files:8}{sample.store / 1e6:10.1f}{sample.log / 1e6:8.1f}"
    return f"{sample.rounds:9,}{sizes}{sample.p50:9.1f}{sample.p99:9.1f}{sample.load:7.1f}"


async def soak(house: TemporaryHouse, plan: Plan, seconds: float) -> tuple[list[Sample], list[str]]:
    crowd, samples, wrong = Crowd(house.url, plan.seed, plan.views), list[Sample](), list[str]()
    async with AsyncExitStack() as stack:
        visitor = await stack.enter_async_context(Client.connect(house.url))
        places = free_places(await visitor.lobby(), (), plan.tables, plan.seats)
        seats = [(place.table, box) for place in places for box in place.boxes]
        await crowd.arrive(stack, seats, [places[0].table] * plan.watchers)
        for _ in range(STEPS):
            crowd.tally = Tally()
            await think(crowd, seconds / STEPS, THOUGHT_S)
            wrong += crowd.tally.errors
            samples.append(look(house, crowd))
            print(line(samples[-1]), flush=True)
        await crowd.settle()
        wrong += [*await crowd.differing_views(), *(await crowd.money())[1], *crowd.broken]
        await crowd.leave()
        await crowd.close()
    return samples, wrong


def with_bots(plan: Plan, bots: int) -> str:
    """The tables of the plan, with so many players of the house at each."""
    read = tomllib.loads(TABLES_FILE(plan))
    read["tables"] = [{**table, "bots": [{} for _ in range(bots)]} for table in read["tables"]]
    return tomli_w.dumps(read)


TABLES_FILE = houses.tables_file


def main(args: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Play at a house for long, and see what grows.")
    parser.add_argument("--minutes", type=float, default=60, metavar="N")
    parser.add_argument("--tables", type=int, default=100, metavar="N")
    parser.add_argument("--bots", type=int, default=6, metavar="N", help="players of the house at each table")
    parser.add_argument("--seats", type=int, default=1, metavar="N", help="players who come over the network")
    parser.add_argument("--twin", choices=list(TWINS), help="a server that must fail")
    options = parser.parse_args(args)
    plan = with_books(Plan(tables=options.tables, seats=options.seats, books=("nz",)), False)
    houses.tables_file = lambda plan: with_bots(plan, options.bots)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    print(f"{options.tables} tables with {options.bots} players of the house and {options.seats} others")
    print("   rounds  resident   files  store MB  log MB   p50 ms   p99 ms   load")
    with temporary_house(plan, TWINS.get(options.twin, SERVE)) as house:
        samples, wrong = asyncio.run(soak(house, plan, 60 * options.minutes))
        house.close()
        wrong += house.audit()
    wrong += grown(samples)
    for what in wrong:
        print(f"FAILED: {what}")
    played, size = samples[-1].rounds - samples[0].rounds, samples[-1].store - samples[0].store
    verdict = "something has grown" if wrong else "nothing has grown"
    print(f"{size / max(1, played):,.0f} bytes a round on the disk; {verdict}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
