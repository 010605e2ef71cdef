"""Chunks of a plan on a GPU, by CuPy: flat parameters in, the same tallies out as from the kernel on the CPU.

This file and the folder `cuda` beside it are all that is needed: they import numpy and CuPy and nothing else of the
project, so both can be copied to a machine that has no more than that. The source is compiled for one plan: the single
parameters become constants, and what the plan has no use for is gone.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy import int64
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "cuda"
PARTS = ("places.h", "shoe.h", "bank.h", "account.h", "table.h")
CHUNK_ROUNDS = 1 << 20
MOST_SHARED = 48 * 1024
"""Bytes of memory that a block of threads may have without asking for more."""

MOST_SHARED_INDEXES = 2048
BLOCKS_AT_ONCE = 1 << 14
"""Blocks of a launch: enough to keep a device busy, and few enough that a launch is over within a second."""

LOW_BITS = 24


class DeviceMissing(RuntimeError):
    """There is no device, or no CuPy to reach it: the message says so in one line."""


@lru_cache(maxsize=1)
def places() -> dict[str, int]:
    """Where each single parameter stands, by its name in `places.h`."""
    found = re.findall(r"#define AT_(\w+) (\d+)", (FOLDER / "places.h").read_text())
    return {name: int(number) for name, number in found}


def source(last: str, flat: NDArray[int64] | None = None, **numbers: int) -> str:
    """The whole source with `host.c` or `device.cu` at its end; for one plan alone, where `flat` is given."""
    lines = [f"#define {name} {number}" for name, number in numbers.items()]
    if flat is not None:
        at = places()
        lines += ["#define ONE_PLAN"]
        lines += [f"#define PLAN_{name} {int(flat[place])}LL" for name, place in at.items() if place < at["HEAD"]]
    return "\n".join([*lines, *((FOLDER / part).read_text() for part in (*PARTS, last))])


def device_source(flat: NDArray[int64]) -> tuple[str, int, int]:
    """The source for a device, with the threads of a block and the bytes that they share."""
    at = places()
    size, indexes = -(-int(flat[at["SIZE"]]) // 4) * 4, int(flat[at["INDEXES"]])
    shared = indexes if indexes <= MOST_SHARED_INDEXES else 0
    for threads in (128, 64, 32):
        wanted = threads * size + 4 * shared
        if wanted <= MOST_SHARED:
            deck = "#define DECK(place) deck[((place) >> 2) * (4 * THREADS) + ((place) & 3)]\n"
            count = "#define COUNT(index) atomicAdd(counts + (index), 1u)\n" if shared else ""
            code = deck + count + source("device.cu", flat, THREADS=threads, SHARED_INDEXES=shared)
            return code, threads, wanted
    raise ValueError(f"a stack of {size} cards: a device has room for {MOST_SHARED // 32} at each table")


def tallies_length(flat: NDArray[int64]) -> int:
    """How many tallies a plan has: the sections of `tallies.py`."""
    value = {name: int(flat[place]) for name, place in places().items() if place < places()["HEAD"]}
    length = 24 + (4 if value["TELLS_LINES"] else 1) * value["INDEXES"]
    length += 119 if value["BOXES"] > 1 else 0
    length += 512 * (value["POINTS"] + 1) if value["SESSION"] else 0
    return length + 7 * value["NET_BINS"] + (112 if value["BANK"] else 0) + value["BANK_BINS"]


def whole_chunk(flat: NDArray[int64]) -> int:
    """The rounds of a whole chunk: `CHUNK_ROUNDS`, or as many nights as fit into it."""
    session = int(flat[places()["SESSION"]])
    return max(1, CHUNK_ROUNDS // session) * session if session else CHUNK_ROUNDS


def chunks_at_once(flat: NDArray[int64], threads: int) -> int:
    """How many chunks a launch takes, so that no sum of theirs overflows."""
    at = places()
    table_rounds, boxes = int(flat[at["TABLE_ROUNDS"]]), int(flat[at["BOXES"]])
    fed = boxes * int(flat[at["METER_FEED"]]) * table_rounds
    most = int(np.abs(flat[at["TABLES"] :]).max()) + int(flat[at["METER"]]) + fed
    most = max(boxes * most, int(flat[at["BANKROLL"]]) + int(flat[at["SESSION"]]) * most, int(flat[at["SIZE"]]))
    each = (most * most >> LOW_BITS) + most + (1 << LOW_BITS) + int(flat[at["SIZE"]]) ** 2
    tables = -(-whole_chunk(flat) // table_rounds)
    return max(1, min((1 << 62) // (each * whole_chunk(flat)), BLOCKS_AT_ONCE * threads // tables))


def _cupy() -> Any:
    """CuPy with a device that answers."""
    try:
        import cupy
    except ImportError as error:
        raise DeviceMissing(f"no GPU: CuPy is not installed ({error})") from None
    try:
        if cupy.cuda.runtime.getDeviceCount() > 0:
            return cupy
        raise DeviceMissing("no GPU: CuPy finds no device")
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DeviceMissing(f"no GPU: {str(error).splitlines()[0]}") from None


def device_name() -> str:
    """What the device calls itself; `DeviceMissing` where there is none."""
    cupy = _cupy()
    name: bytes = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"]
    return name.decode()


class DevicePlan:
    """A plan compiled for the device that is current when it is made."""

    def __init__(self, flat: NDArray[int64]) -> None:
        self._cupy = _cupy()
        if int(flat[places()["FORMAT"]]) != 1:
            raise ValueError(f"parameters of format {flat[places()['FORMAT']]}: this kernel plays format 1")
        code, self.threads, self._shared = device_source(flat)
        self._flat = flat
        self._parameters = self._cupy.asarray(flat)
        self._kernel = self._cupy.RawModule(code=code, options=("--std=c++14",)).get_function("play")

    def play_chunk(self, seed: int, chunk: int, rounds: int) -> NDArray[int64]:
        """The tallies of one chunk."""
        return np.array(self.play_chunks(seed, chunk, min(rounds, whole_chunk(self._flat))), int64)

    def play_chunks(self, seed: int, first: int, rounds: int) -> list[int]:
        """The tallies of so many rounds from the beginning of chunk `first` on, added up; the last may be short."""
        whole = whole_chunk(self._flat)
        step = whole * chunks_at_once(self._flat, self.threads)
        sums = [0] * tallies_length(self._flat)
        for begin in range(0, rounds, step):
            tallies = self._launch(seed, first + begin // whole, min(step, rounds - begin))
            sums = [one + two for one, two in zip(sums, tallies, strict=True)]
        return sums

    def _launch(self, seed: int, first: int, rounds: int) -> list[int]:
        whole = whole_chunk(self._flat)
        tables = -(-rounds // whole) * -(-whole // int(self._flat[places()["TABLE_ROUNDS"]]))
        out = self._cupy.zeros(tallies_length(self._flat), self._cupy.int64)
        numbers = (np.uint64(seed), np.uint64(first), np.int64(rounds), np.int64(whole))
        self._kernel(
            (-(-tables // self.threads),),
            (self.threads,),
            (self._parameters, *numbers, out),
            shared_mem=self._shared,
        )
        told: list[int] = out.get().tolist()
        return told


def run_chunk(flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The counts of one chunk, as the kernel on the CPU counts them."""
    return DevicePlan(flat).play_chunk(seed, chunk, rounds)
