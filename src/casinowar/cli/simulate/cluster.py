"""The cluster that plays a simulation: Dask's, whose scheduler gives the chunks of a lost worker to another one."""

import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

from casinowar.cli.terminal.key_values import clip
from casinowar.extras import require

ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^/\s]+:\d{1,5}")
CONNECT_SECONDS = 10
"""How long a scheduler may take to answer, and then to have a worker."""


class NoCluster(Exception):
    """There is no cluster at this address, or nobody works there."""


@contextmanager
def cluster_executor(url: str) -> Iterator[tuple[Executor, int]]:
    """An executor on the cluster at this address, and how many threads its workers have."""
    require("casinowar simulate --cluster", "dask", "distributed")
    if not ADDRESS.fullmatch(url):
        raise NoCluster(f"--cluster {clip(url)}: write the address of a scheduler, such as tcp://127.0.0.1:8786")
    # What it logs is for who runs the cluster, and would stand between the lines of the command.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    from distributed import Client

    try:
        client: Any = Client(url, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        told = " ".join(str(error).split()) or type(error).__name__
        raise NoCluster(f"--cluster {url}: no scheduler of Dask answers: {told}") from None
    try:
        threads = _threads(client.nthreads, url)
        # A chunk is played again under another name; else its lost forerunner would be given for it.
        yield client.get_executor(pure=False), threads
    finally:
        client.close(timeout=CONNECT_SECONDS)


def _threads(nthreads: Callable[[], dict[str, int]], url: str) -> int:
    """How many threads work, once there is one."""
    deadline = monotonic() + CONNECT_SECONDS
    while not (count := sum(nthreads().values())):
        if monotonic() > deadline:
            raise NoCluster(f"--cluster {url}: the scheduler has no workers")
        sleep(0.1)
    return int(count)
