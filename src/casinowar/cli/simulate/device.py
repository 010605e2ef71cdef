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
    """An executor that plays every chunk on the device, one after the other. The plan is compiled for it once."""

    def __init__(self, gpu: Any) -> None:
        self._gpu = gpu
        self._plans: dict[bytes, Any] = {}
        self._thread = ThreadPoolExecutor(1)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play a chunk with the arguments that `run_chunk` takes."""
        return self._thread.submit(self._play, *args, **kwargs)

    def _play(self, flat: Any, seed: int, chunk: int, rounds: int) -> Any:
        key: bytes = flat.tobytes()
        if key not in self._plans:
            self._plans[key] = self._gpu.DevicePlan(flat)
        return self._plans[key].play_chunk(seed, chunk, rounds)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._thread.shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def device_executor() -> Iterator[Executor]:
    try:
        gpu = import_module(MODULE)
        gpu.device_name()
    except (ImportError, RuntimeError) as error:  # What the module raises without a device is a RuntimeError.
        raise NoDevice(f"--device gpu: {error}") from None
    with DeviceExecutor(gpu) as executor:
        yield executor
