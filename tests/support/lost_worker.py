"""A run on a Dask cluster in which one worker is killed while it plays a chunk: what the test runs, in a process.

python -m tests.support.lost_worker SCHEDULER WORKER_NAME WORKER_PID BOOK SEED ROUNDS
"""

import json
import os
import signal
import sys
from typing import Any

from distributed import Client

from casinowar.rulebooks import load_rulebook
from casinowar.sim import Progress, make_plan, run


def main(url: str, name: str, pid: int, book: str, seed: int, rounds: int) -> None:
    killed: list[int] = []
    client: Any = Client(url, timeout=30, set_as_default=False)  # type: ignore[no-untyped-call]
    client.wait_for_workers(2, timeout=60)
    workers = client.scheduler_info()["workers"]
    (victim,) = [address for address, worker in workers.items() if worker["name"] == name]

    def kill(progress: Progress) -> None:
        if not killed and client.processing().get(victim):
            os.kill(pid, signal.SIGKILL)
            killed.append(progress.rounds)

    plan = make_plan(load_rulebook(book))
    result = run(plan, seed, rounds, executor=client.get_executor(pure=False), workers=4, progress=kill)
    client.close(timeout=30)
    histograms = {
        wager: {str(net): count for net, count in result.wager(wager).histogram.items()} for wager in plan.wagers
    }
    print(json.dumps({"killed_after": killed, "histograms": histograms}))


if __name__ == "__main__":
    scheduler, worker_name, worker_pid, book_id, told_seed, told_rounds = sys.argv[1:]
    main(scheduler, worker_name, int(worker_pid), book_id, int(told_seed), int(told_rounds))
