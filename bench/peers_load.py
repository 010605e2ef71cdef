"""Two servers on one database against one: how many commands a second they do for a second of their processor.

    python -m bench.peers_load --pace 200 --seconds 20 --times 2

The players come by turns to each server, whichever decides their table, as behind a balancer. PostgreSQL is started for
it as an ordinary user, and waits for the disk. Its own processor time is not the servers', and is not counted.
`--twin labour` has servers that labour at each frame that they only pass on, and must fail.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

import msgspec

from casinowar.cli.bench.generator import Generator
from casinowar.cli.bench.own_load import with_books
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.report import Report
from casinowar.cli.bench.temporary_house import NO_LIMIT, UNLIMITED, tables_file
from tests.support.postgres import Cluster
from tests.support.shared_house import SharedHouse

LEAST_SHARE = 0.8
TWINS = {"labour": "tests.crash.peers.labouring_peer"}


class Measured(msgspec.Struct, frozen=True):
    """One stretch: how many servers, what came of it, and the commands done for a second of their processor."""

    servers: int
    report: Report
    per_cpu_second: float

    def line(self) -> str:
        stretch = self.report.stretch
        assert stretch.server_cpu is not None
        return (
            f"servers: {self.servers}, {stretch.done} commands in {stretch.seconds:.1f} s, "
            f"p50 {stretch.answers.p50} ms, p99 {stretch.answers.p99} ms, {stretch.server_cpu.seconds:.2f} s of CPU: "
            f"{self.per_cpu_second:.0f} commands for a second of it"
        )


def measure(cluster: Cluster, plan: Plan, servers: int, program: str) -> Measured:
    limits = tuple(f"{key}={NO_LIMIT}" for key in UNLIMITED)
    with (
        tempfile.TemporaryDirectory() as folder,
        SharedHouse(
            Path(folder), cluster.new_house(), tables_file(plan), servers, limits=limits, words=(), program=program
        ) as house,
    ):
        share = plan.tables // servers
        house.await_spread([share] * (servers - plan.tables % servers) + [share + 1] * (plan.tables % servers))
        urls = [one.url for one in house.servers]
        names = tuple(f"load-{number}" for number in range(1, plan.tables + 1))
        generator = Generator(urls[0], plan, lambda: sum(one.cpu_seconds for one in house.servers), others=urls[1:])
        report = asyncio.run(generator.run(names, None, finds=False))
    cpu = report.stretch.server_cpu
    assert cpu is not None
    return Measured(servers, report, report.stretch.done / cpu.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pace", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--twin", choices=TWINS)
    given = parser.parse_args()
    plan = with_books(Plan(tables=given.tables, seconds=given.seconds, pace=given.pace), finds=False)
    cluster = Cluster(is_durable=True)
    found: dict[int, list[float]] = {1: [], 2: []}
    faults: list[str] = []
    try:
        for _ in range(given.times):
            for servers in found:
                measured = measure(cluster, plan, servers, TWINS.get(given.twin, "casinowar"))
                print(measured.line(), flush=True)
                found[servers].append(measured.per_cpu_second)
                faults += measured.report.failures()
    finally:
        cluster.close()
    one, two = (sum(rates) / len(rates) for rates in found.values())
    print(f"two servers do {two / one:.0%} of what one does for the same processor time")
    if two < LEAST_SHARE * one:
        faults.append(f"two servers do less than {LEAST_SHARE:.0%} of what one does")
    print(*faults, sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
