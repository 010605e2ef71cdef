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
PARTS = ("places.h", "shoe.h", "bank.h", "account.h", "table.h", "one_box.h")
CHUNK_ROUNDS = 1 << 20
MOST_SHARED = 48 * 1024
"""Bytes of memory that a block of threads may have without asking for more."""

MOST_SHARED_NUMBERS = 2560
LARGE_NET = 1 << 31
LEAST_THREADS = 384
"""Threads that must find room on a processor of the device: so many registers a thread may have."""

WORDS_AHEAD = 8
"""Words that a table of one box may have made ahead: `AHEAD` in `one_box.h`."""

BLOCKS_AT_ONCE = 1 << 14
"""Blocks of a launch: enough to keep a device busy, and few enough that a launch is over within a second."""

LOW_BITS = 24
INSTALL = "pip install '.[gpu]' in the project's folder, or cupy-cuda13x in the place of its cupy-cuda12x"


class DeviceMissing(RuntimeError):
    """There is no device, or no CuPy to reach it: the message says so in one line."""


@lru_cache(maxsize=1)
def places() -> dict[str, int]:
    """Where each single parameter stands, by its name in `places.h`."""
    found = re.findall(r"#define AT_(\w+) (\d+)", (FOLDER / "places.h").read_text())
    return {name: int(number) for name, number in found}


@lru_cache(maxsize=1)
def format_number() -> int:
    """The format of parameters that the source plays."""
    return int((FOLDER / "places.h").read_text().partition("#define FORMAT_NUMBER ")[2].split()[0])


def source(last: str, flat: NDArray[int64] | None = None, **numbers: int) -> str:
    """The whole source with `host.c` or `device.cu` at its end; for one plan alone, where `flat` is given."""
    lines = [f"#define {name} {number}" for name, number in numbers.items()]
    if flat is not None:
        at = places()
        lines += ["#define ONE_PLAN"]
        names = [name for name, place in at.items() if place < at["HEAD"]]
        lines += [f"#define PLAN_{name} {int(flat[at[name]])}LL" for name in (*names, "WAR_RANKS")]
        kinds = sum(int(flat[at["KIND"] + place]) << 4 * place for place in range(int(flat[at["WAGERS"]])))
        lines += [f"#define PLAN_KINDS {kinds}"]
    return "\n".join([*lines, *((FOLDER / part).read_text() for part in (*PARTS, last))])


def device_source(flat: NDArray[int64]) -> tuple[str, int, int]:
    """The source for a device, with the threads of a block and the bytes that they share."""
    size = -(-int(flat[places()["SIZE"]]) // 4) * 4
    numbers, macros = shared_numbers(flat)
    for threads in (128, 64, 32):
        wanted = threads * (size + 4 * WORDS_AHEAD) + 4 * sum(numbers.values())
        if wanted <= MOST_SHARED:
            blocks = LEAST_THREADS // threads
            code = source("device.cu", flat, THREADS=threads, LEAST_BLOCKS=blocks, **numbers)
            return macros + code, threads, wanted
    room = MOST_SHARED // 32 - 4 * WORDS_AHEAD
    raise ValueError(f"a stack of {size} cards: a device has room for {room} at each table")


def shared_numbers(flat: NDArray[int64]) -> tuple[dict[str, int], str]:
    """How many numbers of each kind a block counts or looks up in its own memory, and the macros by which it does."""
    at = places()
    value = {name: int(flat[place]) for name, place in at.items() if place < at["HEAD"]}
    indexes, wagers = value["INDEXES"], value["WAGERS"]
    has_table = value["BOXES"] > 1 and not value["BANK"] and not value["TELLS_LINES"]
    if int(np.abs(flat[value["NET_AT"] :]).max()) >= LARGE_NET:
        has_table = False
    wanted = {
        "SHARED_INDEXES": indexes,
        "SHARED_NETS": wagers * value["NET_BINS"],
        "SHARED_TABLE": wagers * indexes if has_table else 0,
    }
    numbers = {name: number if number <= MOST_SHARED_NUMBERS else 0 for name, number in wanted.items()}
    net_bin, net_place = "(first) * FLAT(NET_BINS) + (bin)", "(first) * FLAT(INDEXES) + (index)"
    macros = {
        "SHARED_INDEXES": "COUNT(index) atomicAdd(counts + (index), 1u)",
        "SHARED_NETS": f"COUNT_NET(first, kind, bin) atomicAdd(counts + SHARED_INDEXES + {net_bin}, 1u)",
        "SHARED_TABLE": f"TABLE_NET(first, index) (int)counts[SHARED_INDEXES + SHARED_NETS + {net_place}]",
    }
    return numbers, "".join(f"#define {macro}\n" for name, macro in macros.items() if numbers[name])


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
        raise DeviceMissing(f"no GPU: CuPy is not installed ({error}): {INSTALL}") from None
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
        if int(flat[places()["FORMAT"]]) != format_number():
            raise ValueError(f"parameters of format {flat[places()['FORMAT']]}: this kernel plays {format_number()}")
        code, self.threads, self._shared = device_source(flat)
        self.chunks_at_once = chunks_at_once(flat, self.threads)
        self._flat = flat
        self._parameters = self._cupy.asarray(flat)
        self._kernel = self._cupy.RawModule(code=code, options=("--std=c++14",)).get_function("play")

    def play_chunk(self, seed: int, chunk: int, rounds: int) -> NDArray[int64]:
        """The tallies of one chunk."""
        return np.array(self.play_chunks(seed, chunk, min(rounds, whole_chunk(self._flat))), int64)

    def play_chunks(self, seed: int, first: int, rounds: int) -> list[int]:
        """The tallies of so many rounds from the beginning of chunk `first` on, added up; the last may be short."""
        whole = whole_chunk(self._flat)
        step = whole * self.chunks_at_once
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
