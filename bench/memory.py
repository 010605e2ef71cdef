"""The resident memory of a server while players play many rounds: it must stay what it is once the server is warm.

    python bench/memory.py --rounds 20000
    python bench/memory.py --rounds 4000 --twin keeps-events

A real `casinowar serve` holds a few tables with players who act as soon as they are answered, watchers, and connections
that break off and come back; the lobby and the metrics are asked for at each step. The memory is read at equal steps of
the rounds. The first steps warm the server. Of the rest, the mean of the last third may be above that of the first by
2 MB; the exit status is 1 where it is more, or where the load itself found something.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from statistics import mean

import msgspec

from casinowar.cli.bench.crowd import Crowd, free_places
from casinowar.cli.bench.own_load import with_books
from casinowar.cli.bench.pace import Breaks, think
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.tally import Tally
from casinowar.cli.bench.temporary_house import SERVE, TemporaryHouse, temporary_house
from casinowar.client import Client

STEPS, WARM_UP = 12, 3
SLICE_S = 2.0
MOST_GROWTH = 2_000_000
"""Bytes: over 20,000 rounds it finds what keeps 200 bytes of each."""

PLAN = Plan(tables=20, seats=2, watchers=5, pace=1, reconnects=60)
"""With a pace the tables are as fast as their players."""

# The twin that must fail: the same server, which never lets go of an event that it has told.
KEEPING_SERVER = """
from casinowar.cli import main
from casinowar.house.table.table import LiveTable

kept = []
tell = LiveTable.tell

def keep(live, recalled):
    kept.extend(recalled)
    tell(live, recalled)

LiveTable.tell = keep
main()
"""
TWINS = {"keeps-events": ("-c", KEEPING_SERVER)}


class Sample(msgspec.Struct, frozen=True):
    """The memory of the server after so many rounds, and the processor time that it has used."""

    rounds: int
    resident: int
    cpu_seconds: float


class Verdict(msgspec.Struct, frozen=True):
    """How much the last third of the samples behind the warm-up is above the first, and over how many rounds."""

    growth: float
    rounds: float

    @property
    def is_flat(self) -> bool:
        return self.growth <= MOST_GROWTH


def judge(samples: Sequence[Sample]) -> Verdict:
    warm = samples[WARM_UP:]
    third = len(warm) // 3
    first, last = warm[:third], warm[-third:]
    return Verdict(
        mean(one.resident for one in last) - mean(one.resident for one in first),
        mean(one.rounds for one in last) - mean(one.rounds for one in first),
    )


def rounds_of(crowd: Crowd) -> int:
    """The rounds that have begun at all tables."""
    return sum({player.live.table: player.live.view.view.round for player in crowd.players}.values())


async def measure(house: TemporaryHouse, plan: Plan, rounds: int) -> tuple[list[Sample], list[str]]:
    """Play so many rounds: the samples, and what the load found wrong."""
    crowd, samples, wrong = Crowd(house.url, plan.seed, plan.views), list[Sample](), list[str]()
    async with AsyncExitStack() as stack:
        visitor = await stack.enter_async_context(Client.connect(house.url))
        places = free_places(await visitor.lobby(), (), plan.tables, plan.seats)
        seats = [(place.table, box) for place in places for box in place.boxes]
        await crowd.arrive(stack, seats, [places[0].table] * plan.watchers)
        breaks = Breaks(crowd, plan.reconnects)
        breaking = asyncio.create_task(breaks.run())
        for step in range(1, STEPS + 1):
            while rounds_of(crowd) < step * rounds // STEPS:
                crowd.tally = Tally()
                await think(crowd, SLICE_S, 0)
                wrong += crowd.tally.errors
                if not crowd.tally.done:
                    raise SystemExit(f"nothing is played any more: {wrong}")
            await visitor.lobby()
            samples.append(Sample(rounds_of(crowd), house.resident_bytes() or 0, house.cpu_seconds() or 0.0))
            print(_line(samples[-1]), flush=True)
        breaking.cancel()
        await asyncio.gather(breaking, return_exceptions=True)
        await crowd.settle()
        wrong += [*await crowd.differing_views(), *(await crowd.money())[1], *crowd.broken, *breaks.lost]
        await crowd.leave()
        await crowd.close()
    return samples, wrong


def _line(sample: Sample) -> str:
    return f"{sample.rounds:9,}{sample.resident / 1e6:10.1f}{sample.cpu_seconds:11.1f}"


def main(args: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the memory of the server over many rounds.")
    parser.add_argument("--rounds", type=int, default=20_000, metavar="N")
    parser.add_argument("--twin", choices=list(TWINS), help="a server that must fail")
    parser.add_argument("--json", action="store_true", help="figures for a program to read, at the end")
    options = parser.parse_args(args)
    plan = with_books(PLAN, False)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    print(f"{plan.tables} tables with {plan.seats} players each, {plan.watchers} watchers at the first")
    print("   rounds  resident MB  server CPU s")
    with temporary_house(plan, TWINS.get(options.twin, SERVE)) as house:
        samples, wrong = asyncio.run(measure(house, plan, options.rounds))
        house.close()
        wrong += house.audit()
    verdict = judge(samples)
    if options.json:
        print(json.dumps(msgspec.to_builtins({"samples": samples, "verdict": verdict, "wrong": wrong})))
    grown = f"{verdict.growth / 1e6:+.2f} MB over {verdict.rounds:,.0f} rounds"
    print(f"the last third beside the first behind {WARM_UP} steps: {grown}")
    if not verdict.is_flat:
        wrong.append(f"the memory has grown by more than {MOST_GROWTH / 1e6:g} MB")
    for what in wrong:
        print(f"FAILED: {what}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
