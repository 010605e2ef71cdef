"""The kernel in C, compiled for the host: as it is, and the device's own entry with threads of the host."""

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

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
#define __launch_bounds__(threads)
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


def play_as_device(folder: Path, flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The tallies of rounds from a chunk on by the device's own source, its threads being threads of the host."""
    code, threads, shared = gpu.device_source(flat)
    assert shared <= gpu.MOST_SHARED
    library = build(
        DEVICE + code.replace('extern "C" ', "").replace("extern __shared__ u32 shared[];", "") + LAUNCH, folder
    )
    whole = gpu.whole_chunk(flat)
    tables = -(-rounds // whole) * -(-whole // int(flat[gpu.places()["TABLE_ROUNDS"]]))
    out = np.zeros(gpu.tallies_length(flat), int64)
    status = library.play_blocks(
        ctypes.c_void_p(flat.ctypes.data),
        ctypes.c_uint64(seed),
        ctypes.c_uint64(chunk),
        ctypes.c_int64(rounds),
        ctypes.c_int64(whole),
        ctypes.c_void_p(out.ctypes.data),
        ctypes.c_uint(-(-tables // threads)),
    )
    assert status == 0
    return out
