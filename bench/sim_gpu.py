"""Rounds a second of the simulation on a GPU, beside the same algorithm in plain CUDA C++, with the CPU's tallies.

A machine with a GPU needs numpy, CuPy and nvcc, and nothing else of the project:

    python bench/sim_gpu.py --prepare plans.npz      where the project is installed: plans, and tallies of the CPU
    python bench/sim_gpu.py plans.npz                where the GPU is: compares them, and measures

It fails where a tally differs. The yardstick is `sim_gpu.cu`: one box with initial and tie wager of `wa`.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent
SEED, CHUNK = 7, 3
TURNS = 5
SECONDS = 2.0
"""About as long as a turn may take: a slow plan plays fewer chunks."""

YARDSTICK = "wa, initial and tie, 1 box"
TABLES = 1 << 12
"""Rounds of a table, as the yardstick has them compiled."""


def load_gpu() -> ModuleType:
    """The module for the device, without the rest of the project."""
    spec = importlib.util.spec_from_file_location("gpu", FOLDER.parent / "src/casinowar/sim/gpu.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prepare(file: Path) -> None:
    """Write the flat plans, each with the tallies of a chunk that the CPU has played."""
    from casinowar.rulebooks import BOOKS, load_rulebook
    from casinowar.sim import make_plan, run_chunk

    plans = {YARDSTICK: make_plan(load_rulebook("wa"), wagers=("initial", "tie"))}
    plans["wa, initial and tie, 1 box, fresh"] = make_plan(load_rulebook("wa"), wagers=("initial", "tie"), fresh=True)
    for book in BOOKS:
        rules = load_rulebook(book)
        least = 2 if rules.bank.by == "player" else 1
        plans |= {f"{book}, every wager, {boxes} box": make_plan(rules, boxes=boxes) for boxes in (least, 7)}
    plans["nz, nights of 250 rounds, 1 box"] = make_plan(load_rulebook("nz"), session=250, bankroll=500_000)
    arrays: dict[str, Any] = {}
    for name, plan in plans.items():
        arrays[f"{name}/flat"] = plan.flat
        arrays[f"{name}/tallies"] = run_chunk(plan.flat, SEED, CHUNK, plan.chunk_rounds)
    np.savez_compressed(file, **arrays)


def plain_cuda(gpu: ModuleType, flat: Any, chunks: int, folder: Path) -> tuple[float, list[int]]:
    """Rounds a second of the yardstick, and its counts."""
    at = {name: int(flat[place]) for name, place in gpu.places().items() if place < len(flat)}
    assert at["TABLE_ROUNDS"] == TABLES, "sim_gpu.cu has another number of rounds for a table"
    program = folder / "sim_gpu"
    compile_it = ["nvcc", "-O3", "-arch=native", "-o", str(program), str(FOLDER / "sim_gpu.cu")]
    subprocess.run(compile_it, check=True, timeout=300)
    cut = min(at["SIZE"], at["CUT"] + 1 - at["CUT_FIRST"])
    rules = [at["SIZE"], cut, at["WAR_BURN"] + at["BANKER_BURN"], at["ROUND_BURN"] + 2, at["OPENING"], at["WAR_RANKS"]]
    burned = flat[gpu.places()["BURN_VALUE"] :][:13].tolist()
    command = [program, SEED, CHUNK, chunks, TURNS, *rules, *burned]
    done = subprocess.run([str(word) for word in command], check=True, timeout=300, capture_output=True, text=True)
    seconds, *counts = done.stdout.split()
    return chunks * gpu.CHUNK_ROUNDS / float(seconds), [int(count) for count in counts]


def timed(plan: Any, rounds: int) -> tuple[float, list[int]]:
    """The seconds that so many rounds take by the clock, and their tallies."""
    began = perf_counter()
    sums = plan.play_chunks(SEED, CHUNK, rounds)
    return perf_counter() - began, sums


def fitting_chunks(
    plan: Any, whole: int, most: int, clock: Callable[[Any, int], tuple[float, list[int]]] = timed
) -> int:
    """How many chunks a turn of a plan plays: as many as told, or as fit into the seconds of a turn.

    A short trial keeps only a part of the device busy, so that its chunks seem dearer than they are: the next trial has
    four times as many, until one takes long enough to tell.
    """
    chunks = min(8, most)
    while chunks < most:
        seconds, _ = clock(plan, chunks * whole)
        if seconds > SECONDS / 16:
            return max(1, min(most, int(chunks * SECONDS / seconds)))
        chunks = min(most, 4 * chunks)
    return chunks


def measure(gpu: ModuleType, flat: Any, wanted: Any, most: int) -> tuple[float, int, list[int]]:
    """Rounds a second of a plan, whose tallies are those of the CPU, the chunks of a turn, and the tallies of the last.

    It is the best of several turns by the clock; the trials that say how many chunks a turn has come before.
    """
    plan, whole = gpu.DevicePlan(flat), gpu.whole_chunk(flat)
    if not np.array_equal(plan.play_chunk(SEED, CHUNK, whole), wanted):
        raise SystemExit("the GPU has other tallies than the CPU")
    chunks = fitting_chunks(plan, whole, most)
    best = float("inf")
    sums: list[int] = []
    for _ in range(TURNS if chunks == most else 2):
        seconds, sums = timed(plan, chunks * whole)
        best = min(best, seconds)
    return chunks * whole / best, chunks, sums


def run(file: Path, most: int) -> dict[str, Any]:
    gpu = load_gpu()
    arrays = np.load(file)
    names = [name.removesuffix("/flat") for name in arrays if name.endswith("/flat")]
    told: dict[str, Any] = {"device": gpu.device_name(), "billion_rounds_per_second": {}, "chunks_of_a_turn": {}}
    for name in names:
        flat = arrays[f"{name}/flat"]
        rate, chunks, sums = measure(gpu, flat, arrays[f"{name}/tallies"], most)
        told["billion_rounds_per_second"][name] = round(rate / 1e9, 2)
        told["chunks_of_a_turn"][name] = chunks
        if name == YARDSTICK:
            with tempfile.TemporaryDirectory() as folder:
                plain, counts = plain_cuda(gpu, flat, chunks, Path(folder))
            if [*sums[:6], *sums[25:27], *sums[32:40]] != counts:
                raise SystemExit("plain CUDA C++ has other counts than CuPy")
            told["plain_cuda"] = round(plain / 1e9, 2)
            told["times_plain_cuda"] = round(rate / plain, 3)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--prepare", action="store_true", help="write the plans and the tallies of the CPU")
    parser.add_argument("--chunks", type=int, default=8192, help="the most chunks of 2^20 rounds that a turn plays")
    told = parser.parse_args()
    if told.prepare:
        prepare(told.file)
        return
    try:
        print(json.dumps(run(told.file, told.chunks), indent=2))
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
