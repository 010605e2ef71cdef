"""Simulated nights by number: `python -m tests.simulator.run --seed 7` plays the night of one seed again, as it was."""

import argparse
import gc
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import msgspec

from tests.simulator.night import Night
from tests.simulator.plan import LEAST_COMMANDS, Plan
from tests.simulator.promises import BrokenPromise

SHARE = 5
"""So many nights are given to a worker at a time."""


def play(plan: Plan) -> Night:
    """Play one night to its end."""
    night = Night(plan)
    night.play()
    return night


def broken(plan: Plan) -> str | None:
    """The promise that this night breaks."""
    try:
        play(plan)
    except BrokenPromise as why:
        return str(why)
    return None


def smaller(plan: Plan) -> Plan:
    """The smallest night near this one that still breaks a promise: fewer commands, fewer faults."""
    while True:
        halved = msgspec.structs.replace(plan, commands=plan.commands // 2)
        fewer = [
            msgspec.structs.replace(plan, faults=plan.faults[:place] + plan.faults[place + 1 :])
            for place in range(len(plan.faults))
        ]
        found = next((one for one in (halved, *fewer) if one.commands and broken(one)), None)
        if found is None:
            return plan
        plan = found


def _first_broken(seeds: range, commands: int) -> tuple[int, str] | None:
    for seed in seeds:
        why = broken(Plan.of(seed, commands))
        if why is not None:
            return seed, why
    gc.collect()  # A worker seldom looks for what nights leave behind, and would keep a megabyte of each.
    return None


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Play simulated nights; one that breaks a promise is made smaller.")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the first night")
    parser.add_argument("--nights", type=int, default=1, metavar="N")
    parser.add_argument("--commands", type=int, default=LEAST_COMMANDS, metavar="N", help="in each night")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="nights at once")
    parser.add_argument("--least", type=int, default=0, metavar="N", help="fail below so many nights a minute")
    parser.add_argument("--plan", metavar="JSON", help="play exactly this night, as a failure has printed it")
    options = parser.parse_args(words)
    if options.plan is not None:
        _play_again(msgspec.json.decode(options.plan, type=Plan))
    begin, end = time.perf_counter(), options.seed + options.nights
    shares = [range(first, min(first + SHARE, end)) for first in range(options.seed, end, SHARE)]
    with ProcessPoolExecutor(options.jobs, initializer=gc.set_threshold, initargs=(100_000, 20, 50)) as pool:
        for found in pool.map(_first_broken, shares, [options.commands] * len(shares)):
            if found is not None:
                pool.shutdown(cancel_futures=True)
                least = smaller(Plan.of(found[0], options.commands))
                print(f"seed {found[0]}: {found[1]}\nThe smallest night near it:\n{broken(least)}")
                print(f"--plan '{msgspec.json.encode(least).decode()}'")
                sys.exit(1)
    pace = 60 * options.nights / (time.perf_counter() - begin)
    print(f"{options.nights} nights, {pace:.0f} a minute: every promise was kept")
    if pace < options.least:
        sys.exit(f"fewer than {options.least} nights a minute")


def _play_again(plan: Plan) -> None:
    """Play exactly this night, as a failure has printed it."""
    why = broken(plan)
    print(why or "every promise was kept")
    sys.exit(int(why is not None))


if __name__ == "__main__":
    main()
