"""The kernel in C, compiled for the host: as it is, and the device's own entry with threads of the host."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy import int64
from numpy.typing import NDArray

from casinowar.sim import gpu

# What CUDA gives a kernel, for threads of the host: one block at a time, and a barrier for __syncthreads.
DEVICE = """
#include <pthread.h>
#define __CUDACC__
#define __global__
#define __device__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(threads, blocks)
#define atomicAdd(place, value) __sync_fetch_and_add(place, value)
#define __syncthreads() pthread_barrier_wait(&barrier)
static pthread_barrier_t barrier;
static __thread struct { unsigned x; } threadIdx, blockIdx;
static unsigned shared[12 * 1024];
"""

LAUNCH = """
static struct { const i64 *flat; u64 seed, chunk; i64 rounds, chunk_rounds, *out; unsigned block; } launched;

static void *run_thread(void *number) {
  threadIdx.x = (unsigned)(size_t)number, blockIdx.x = launched.block;
  play(launched.flat, launched.seed, launched.chunk, launched.rounds, launched.chunk_rounds, launched.out);
  return 0;
}

int play_blocks(const i64 *flat, u64 seed, u64 chunk, i64 rounds, i64 chunk_rounds, i64 *out, unsigned blocks) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, 0, THREADS);
  launched.flat = flat, launched.seed = seed, launched.chunk = chunk, launched.rounds = rounds;
  launched.chunk_rounds = chunk_rounds, launched.out = out;
  for (launched.block = 0; launched.block < blocks; launched.block++) {
    for (size_t number = 0; number < THREADS; number++)
      if (pthread_create(threads + number, 0, run_thread, (void *)number)) return 1;
    for (size_t number = 0; number < THREADS; number++) pthread_join(threads[number], 0);
  }
  return 0;
}
"""


def build(code: str, folder: Path) -> ctypes.CDLL:
    """Compile a source into a library; without a compiler the test is left out, but not in CI."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        if os.environ.get("CI"):
            pytest.fail("no C compiler: CI needs one")
        pytest.skip("no C compiler: the kernel in C is not held to the other here")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.c").write_text(code)
    command = [compiler, "-std=gnu11", "-O1", "-Wall", "-Wno-unused-function", "-Wno-div-by-zero", "-Werror"]
    options = ["-pthread", "-shared", "-fPIC", "-o", str(folder / "kernel.so"), str(folder / "kernel.c")]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "kernel.so"))


def play_on_host(library: ctypes.CDLL, flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The tallies of a chunk by the host's build."""
    out = np.zeros(gpu.tallies_length(flat), int64)
    status = library.play_chunk(
        ctypes.c_void_p(flat.ctypes.data),
        ctypes.c_uint64(seed),
        ctypes.c_uint64(chunk),
        ctypes.c_int64(rounds),
        ctypes.c_void_p(out.ctypes.data),
    )
    assert status == 0
    return out


class OnDevice:
    """An array of the stand-in for CuPy, with as much of its manner as is used."""

    def __init__(self, numbers: NDArray[int64]) -> None:
        self.numbers = numbers

    def get(self) -> NDArray[int64]:
        return self.numbers


def make_cupy(folder: Path) -> ModuleType:
    """A stand-in for CuPy, which compiles the device's own source for the host and runs its threads as such."""
    cupy = ModuleType("cupy")
    runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=OSError)
    names: dict[str, Any] = {
        "cuda": SimpleNamespace(runtime=runtime),
        "int64": int64,
        "asarray": OnDevice,
        "zeros": lambda length, _: OnDevice(np.zeros(length, int64)),
        "RawModule": lambda code, options: SimpleNamespace(get_function=lambda name: _launcher(code, name, folder)),
    }
    vars(cupy).update(names)
    return cupy


def _launcher(code: str, name: str, folder: Path) -> Callable[..., None]:
    assert f"\n{name}(const i64" in code
    on_host = code.replace('extern "C" ', "").replace("extern __shared__ u32 shared[];", "")
    library = build(DEVICE + on_host + LAUNCH, folder)

    def launch(grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...], shared_mem: int) -> None:
        flat, seed, chunk, rounds, whole, out = arguments
        assert f"#define THREADS {block[0]}\n" in code
        assert shared_mem <= gpu.MOST_SHARED
        status = library.play_blocks(
            ctypes.c_void_p(flat.numbers.ctypes.data),
            ctypes.c_uint64(int(seed)),
            ctypes.c_uint64(int(chunk)),
            ctypes.c_int64(int(rounds)),
            ctypes.c_int64(int(whole)),
            ctypes.c_void_p(out.numbers.ctypes.data),
            ctypes.c_uint(grid[0]),
        )
        assert status == 0

    return launch
