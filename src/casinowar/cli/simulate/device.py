"""The GPU that plays a simulation, where there is one."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

MODULE = "casinowar.sim.gpu"


class NoDevice(Exception):
    """There is no device, or not what drives it."""


class DeviceExecutor(Executor):
    """An executor that plays every chunk on the device, one after the other."""

    def __init__(self, play: Callable[..., Any]) -> None:
        self._play = play
        self._thread = ThreadPoolExecutor(1)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play a chunk with the arguments that `run_chunk` takes."""
        return self._thread.submit(self._play, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._thread.shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def device_executor() -> Iterator[Executor]:
    try:
        gpu = import_module(MODULE)
    except ImportError as error:
        raise NoDevice(f"--device gpu: there is no device here ({error})") from None
    if not gpu.available():
        raise NoDevice("--device gpu: there is no CUDA device here, or CuPy is not installed")
    with DeviceExecutor(gpu.run_chunk) as executor:
        yield executor
