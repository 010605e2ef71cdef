"""Rounds a second of the simulation beside the same algorithm in C: one box, initial and tie wager, six decks.

The yardsticks are `sim_scalar.c`, one table after the other, and `sim_lanes.c`, tables side by side, compiled by
`gcc -O3 -march=native`. Everybody plays the same chunks in one run and must come to the same tallies. They take turns,
and the best of several turns counts, in processor time; threads are measured by the clock. Then comes what each
generator costs a round, and what every wager of each book costs.
"""

import argparse
import ctypes
import json
import platform
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.sim import CHUNK_ROUNDS, Plan, make_plan, parameters, run_chunk, tallies
from casinowar.sim.kernel.chunks import make_memory, make_tallies, play_general
from casinowar.sim.kernel.lanes import make_lanes, play_lanes
from casinowar.sim.kernel.one_box import STRETCH, play_one_box

FOLDER = Path(__file__).parent
SEED = 7
TURNS = 9
THREAD_CHUNKS = 96
Numbers = NDArray[int64]
Player = Callable[[int], Numbers]

YARDSTICKS = {
    "scalar C": ("sim_scalar.c", ()),
    "scalar C, words made ahead": ("sim_scalar.c", ("-DSTRETCH=1024",)),
    "lanes in C": ("sim_lanes.c", ("-DLANES=128", "-mprefer-vector-width=512")),
}
GENERATORS = {"Philox4x32-10": 0, "Threefry4x32-20": 1, "Squares32": 2}


class Rules(ctypes.Structure):
    """What the yardsticks need of a plan."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("size", "cut", "burns", "step", "table_rounds", "opening")),
        ("war_ranks", ctypes.c_uint32),
        ("burn_value", ctypes.c_uint32 * 13),
    )


def rules_of(flat: Numbers) -> Rules:
    value = flat.tolist()
    cut = min(value[parameters.SIZE], value[parameters.CUT] + 1 - value[parameters.CUT_FIRST])
    burns = value[parameters.WAR_BURN] + value[parameters.BANKER_BURN]
    burned = (ctypes.c_uint32 * 13)(*value[parameters.BURN_VALUE : parameters.BURN_VALUE + 13])
    return Rules(
        value[parameters.SIZE],
        cut,
        burns,
        value[parameters.ROUND_BURN] + 2,
        value[parameters.TABLE_ROUNDS],
        value[parameters.OPENING],
        value[parameters.WAR_RANKS],
        burned,
    )


def build(source: str, options: tuple[str, ...], folder: Path) -> ctypes.CDLL:
    """Compile a yardstick."""
    library = folder / f"{len(list(folder.iterdir()))}.so"
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", *options, "-o", str(library), str(FOLDER / source)]
    subprocess.run(command, check=True, timeout=120)
    return ctypes.CDLL(str(library))


def player_in_c(library: ctypes.CDLL, flat: Numbers) -> Player:
    """A yardstick that plays a whole chunk, with its counts laid out as the kernel's tallies."""
    rules = rules_of(flat)

    def play(chunk: int) -> Numbers:
        counts = np.zeros(16, int64)
        arguments = (ctypes.c_uint64(SEED), ctypes.c_uint64(chunk), ctypes.c_int64(CHUNK_ROUNDS))
        assert library.play(ctypes.byref(rules), *arguments, ctypes.c_void_p(counts.ctypes.data)) == 0
        out = make_tallies(flat)
        out[:6], out[tallies.HIGH + 1 : tallies.HIGH + 3] = counts[:6], counts[6:8]
        out[tallies.HIGH + 8 : tallies.HIGH + 16] = counts[8:]
        return out

    return play


def kernels(flat: Numbers) -> dict[str, Player]:
    """The compiled kernels that can play the plan, from the most general on."""

    def one_box(chunk: int) -> Numbers:
        out = make_tallies(flat)
        words, deck = np.zeros(STRETCH, np.uint32), np.zeros(int(flat[parameters.SIZE]), np.uint8)
        play_one_box(flat, make_memory(flat, SEED, chunk), CHUNK_ROUNDS, words, deck, out)
        return out

    def lanes(chunk: int) -> Numbers:
        out = make_tallies(flat)
        play_lanes(flat, make_memory(flat, SEED, chunk), CHUNK_ROUNDS, *make_lanes(flat), out)
        return out

    return {
        "numba, every plan": lambda chunk: play_general(flat, SEED, chunk, CHUNK_ROUNDS),
        "numba, one box": one_box,
        "numba, lanes": lanes,
        "numba, as run_chunk plays it": lambda chunk: run_chunk(flat, SEED, chunk, CHUNK_ROUNDS),
    }


def rates(players: dict[str, Player], turns: int = TURNS) -> dict[str, float]:
    """Rounds a second of each player, by the best of several turns."""
    best = dict.fromkeys(players, float("inf"))
    for play in players.values():
        play(0)
    for turn in range(turns):
        for name, play in players.items():
            began = process_time()
            play(turn)
            best[name] = min(best[name], process_time() - began)
    return {name: CHUNK_ROUNDS / seconds for name, seconds in best.items()}


def thread_rates(play: Player) -> dict[str, float]:
    """Two threads beside one: by the clock, by processor time for a round, and how many cores two of them had.

    Where other work holds a core, the clock tells of that. Processor time tells whether threads hinder each other.
    """
    clock, spent, cores = {}, {}, 0.0
    for threads in (1, 2):
        clock[threads] = spent[threads] = float("inf")
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(3):
                began, used = perf_counter(), process_time()
                list(pool.map(play, range(THREAD_CHUNKS)))
                seconds, used = perf_counter() - began, process_time() - used
                if seconds < clock[threads]:
                    clock[threads], spent[threads], cores = seconds, used, used / seconds
    return {
        "times_one_by_the_clock": round(clock[1] / clock[2], 2),
        "times_one_by_processor_time": round(2 * spent[1] / spent[2], 2),
        "cores_in_use": round(cores, 2),
    }


def generator_costs(flat: Numbers, folder: Path) -> dict[str, dict[str, float]]:
    """Nanoseconds of a round with each generator, a block at a time and many at once."""
    players: dict[str, Player] = {}
    for name, number in GENERATORS.items():
        for way, stretch in (("a block at a time", 4), ("many at once", 1024)):
            options = (f"-DGENERATOR={number}", f"-DSTRETCH={stretch}")
            players[f"{name}/{way}"] = player_in_c(build("sim_scalar.c", options, folder), flat)
    costs: dict[str, dict[str, float]] = {}
    for key, rate in rates(players).items():
        name, way = key.split("/")
        costs.setdefault(name, {})[way] = round(1e9 / rate, 2)
    return costs


def book_costs() -> dict[str, dict[str, float]]:
    """Millions of rounds a second of each book with every wager, by boxes, beside the initial wager alone."""

    def player(plan: Plan) -> Player:
        flat = plan.flat
        return lambda chunk: run_chunk(flat, SEED, chunk, CHUNK_ROUNDS)

    players: dict[str, Player] = {}
    for book in BOOKS:
        rules = load_rulebook(book)
        least = 2 if rules.bank.by == "player" else 1
        players[f"{book}/initial, {least} box"] = player(make_plan(rules, boxes=least, wagers=("initial",)))
        for boxes in (least, 7):
            players[f"{book}/every wager, {boxes} box"] = player(make_plan(rules, boxes=boxes))
    costs: dict[str, dict[str, float]] = {}
    for key, rate in rates(players, 2).items():
        book, what = key.split("/")
        costs.setdefault(book, {})[what] = round(rate / 1e6, 1)
    return costs


def measure() -> dict[str, object]:
    flat = make_plan(load_rulebook("wa"), wagers=("initial", "tie")).flat
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        players = kernels(flat)
        for title, (source, options) in YARDSTICKS.items():
            players[title] = player_in_c(build(source, options, folder), flat)
        wanted = play_general(flat, SEED, 3, CHUNK_ROUNDS)
        for title, play in players.items():
            assert np.array_equal(play(3), wanted), f"{title}: other tallies"
        measured = rates(players)
        threads = thread_rates(players["numba, as run_chunk plays it"])
        costs = generator_costs(flat, folder)
    scalar = measured["scalar C"]
    return {
        "machine": platform.machine(),
        "million_rounds_per_second": {title: round(rate / 1e6, 1) for title, rate in measured.items()},
        "times_scalar_c": {title: round(rate / scalar, 2) for title, rate in measured.items()},
        "two_threads": threads,
        "generator_nanoseconds_per_round": costs,
        "book_million_rounds_per_second": book_costs(),
    }


def main() -> None:
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args()
    print(json.dumps(measure(), indent=2))


if __name__ == "__main__":
    main()
