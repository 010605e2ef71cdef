"""The GPU that plays a simulation, where there is one."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from casinowar.sim import Plan

MODULE = "casinowar.sim.gpu"


class NoDevice(Exception):
    """There is no device, or not what drives it."""


class DeviceExecutor(Executor):
    """An executor that plays tasks on the device, one after the other. The plan is compiled for it once."""

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        self._thread = ThreadPoolExecutor(1)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play chunks with the arguments that `run_chunks` takes; the parameters, the first, are compiled already."""
        return self._thread.submit(self._plan.play_chunks, *args[1:])

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._thread.shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def device_executor(plan: Plan) -> Iterator[tuple[Executor, int]]:
    """An executor for this plan, and how many chunks it plays at once."""
    try:
        gpu = import_module(MODULE)
        compiled = gpu.DevicePlan(plan.flat)
    except (ImportError, RuntimeError, ValueError) as error:  # Without a device, or where its memory is too small.
        raise NoDevice(f"--device gpu: {error}") from None
    with DeviceExecutor(compiled) as executor:
        yield executor, compiled.chunks_at_once
