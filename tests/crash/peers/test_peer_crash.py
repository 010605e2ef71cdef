"""One of two servers is killed under load: the other goes on, nothing is lost or doubled, and everybody is answered."""

import os
from contextlib import closing
from pathlib import Path

from tests.crash.peers.peer_crash import crash
from tests.support.postgres import Cluster

KILLS = int(os.environ.get("PEER_KILLS", "3"))


def test_what_a_killed_server_acknowledged_stands_and_the_other_goes_on(tmp_path: Path, cluster: Cluster) -> None:
    outcome = crash(tmp_path, cluster, KILLS)
    print(f"\n{outcome}")
    assert outcome.faults == []
    assert outcome.kills == KILLS
    assert outcome.acknowledged > 10 * KILLS


def test_the_database_is_killed_under_two_servers(tmp_path: Path) -> None:
    """A server that cannot tell what was written ends by itself, and whoever started it starts it again."""
    with closing(Cluster(is_durable=True)) as cluster:
        outcome = crash(tmp_path, cluster, KILLS, is_database_killed=True)
    print(f"\n{outcome}, {outcome.ended} servers ended by themselves")
    assert outcome.faults == []
    assert outcome.acknowledged > 10 * KILLS


def test_a_server_that_answers_before_the_disk_has_it_is_found(tmp_path: Path, cluster: Cluster) -> None:
    outcome = crash(tmp_path, cluster, 10, program="tests.crash.peers.early_peer")
    assert outcome.faults != []
