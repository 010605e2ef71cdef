"""A house served from PostgreSQL under load, while the database is killed, its connections are ended, and the server is
killed: nothing acknowledged is lost or doubled, and nobody is told anything but an answer or to try again.

`SERVED_KILLS` says how often of each. With `postgres -m immediate` nothing is written any more, as when the power goes.
"""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.crash.server_crash import Client, Down, Outcome, Place, wind_up
from tests.support.postgres import Cluster

KILLS = int(os.environ.get("SERVED_KILLS", "1"))
WAIT_S = 120.0
TWIN_KILLS = 20
STORM = 5
"""So often the connections are ended in one storm, as fast as they come back."""

END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casinowar'"


class Served:
    """A house in a database, and those who play at it."""

    def __init__(self, folder: Path, cluster: Cluster, program: str = "casinowar") -> None:
        self.cluster, self.chance, self.outcome = cluster, random.Random(os.environ.get("SEED", "7")), Outcome()
        self.place = Place(folder, database=cluster.new_house())
        self.place.program = program
        self.place.start()
        self.clients = [
            Client(self.place, table, box, is_buyer=box == 1) for table in ("nz", "ma") for box in (1, 2, 3)
        ]
        for client in self.clients:
            client.is_up.set()
            client.start()
        self.outcome.recovery.append(0.0)

    def told(self) -> int:
        return sum(len(client.told) for client in self.clients)

    def go_on(self, answers: int = 12) -> None:
        """Wait until so many more commands have been acknowledged, some of them to who buys."""
        until, wanted = time.monotonic() + WAIT_S, self.told() + answers
        while self.told() < wanted and not self.faults():
            for client in self.clients:
                client.is_up.set()  # Somebody whose answer did not come asks again, by the same id.
            is_running = self.place.process is not None and self.place.process.poll() is None
            said = (self.place.folder / "log.txt").read_text()[-2000:]
            assert is_running, (self.told(), wanted, said)
            assert time.monotonic() < until, (self.told(), wanted, said)
            time.sleep(0.02)

    def faults(self) -> list[str]:
        return [client.fault for client in self.clients if client.fault is not None]

    def kill_database(self) -> None:
        self.outcome.in_flight += sum(client.open is not None for client in self.clients)
        self.cluster.kill()
        time.sleep(self.chance.uniform(0.0, 0.2))
        self.cluster.start()

    def end_connections(self) -> None:
        for _ in range(STORM):
            self.cluster.run(END)
            time.sleep(self.chance.uniform(0.0, 0.05))

    def kill_server(self) -> None:
        self.place.kill()
        self.place.start()

    def recheck(self) -> None:
        self.outcome.faults += [found for client in self.clients for found in client.recheck(self.chance)]
        self.outcome.faults += self.faults()

    def close(self) -> Outcome:
        wind_up(self.place, self.clients, self.outcome)
        return self.outcome


@pytest.mark.slow
def test_a_served_house_outlives_its_database(tmp_path: Path, durable_cluster: Cluster) -> None:
    served = Served(tmp_path, durable_cluster)
    for strike in [served.kill_database, served.end_connections] * KILLS + [served.kill_server] * KILLS:
        served.go_on()
        time.sleep(served.chance.uniform(0.0, 0.1))
        strike()
        served.outcome.kills += 1
        served.go_on()
        served.recheck()
        assert served.outcome.faults == []
    outcome = served.close()
    assert outcome.faults == []
    assert outcome.acknowledged > 24 * KILLS
    said = (tmp_path / "log.txt").read_text()
    assert "Traceback" not in said
    assert "out of service" not in said
    what = f"{outcome.acknowledged} commands acknowledged, {outcome.in_flight} in flight, {outcome.events} events"
    print(
        f"\n{KILLS} times each: database killed, connections ended in a storm, server killed: {what}, 0 lost, 0 doubled"
    )


@pytest.mark.slow
def test_a_server_that_believes_its_group_was_written_is_found(tmp_path: Path, durable_cluster: Cluster) -> None:
    """The twin that must fail: the answers of the group on its way are given, and the database never had it.

    It breaks an answer, or takes nothing more, or ends, since it knows of commands that are not there. Each of these
    fails the test above.
    """
    served = Served(tmp_path, durable_cluster, "tests.crash.database.believing")
    is_found = False
    try:
        for _ in range(TWIN_KILLS):
            served.go_on()
            served.kill_database()
            served.go_on(6)
            served.recheck()
            if served.outcome.faults:
                break
    except (AssertionError, Down):
        is_found = True
    finally:
        for client in served.clients:
            client.is_over = True
        served.place.kill(signal.SIGKILL)
    assert is_found or served.outcome.faults
