"""The disk of PostgreSQL fills up under a served house: nothing acknowledged is lost, and everybody is told.

The database lies on a small file system of its own, which a ballast fills. It needs the right to mount one.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from casinowar.store import audit
from casinowar.store.postgres.store import PostgresStore
from tests.crash.server_crash import Down, Place
from tests.crash.test_full_disk_server import Guest
from tests.support.postgres import Cluster, ordinary_user

SIZE_MB = 128
MOUNT = 'mount -t tmpfs -o size="$0" none "$1" && cp -a "$2"/. "$1"/ && shift 2 && exec setpriv "$@"'
can_mount = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0 or not can_mount, reason="a file system for another user cannot be mounted"),
]


class SmallCluster(Cluster):
    """A server whose data lie on a small file system that it alone sees. What is full can be made free again."""

    def start(self) -> None:
        user = ordinary_user()
        assert user is not None
        small = self.folder / "small"
        small.mkdir()
        rights = ["--reuid", str(user[0]), "--regid", str(user[1]), "--clear-groups"]
        settings = {"listen_addresses": "", "unix_socket_directories": str(self.sockets), "max_wal_size": "32MB"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        server = [str(self.bin / "postgres"), "-D", str(small), *words]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                ["unshare", "-m", "sh", "-c", MOUNT, f"{SIZE_MB}m", str(small), str(self.data), *rights, *server],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + 60
        while not self._is_ready():
            assert self._server.poll() is None, (self.folder / "log").read_text()[-2000:]
            assert time.monotonic() < until
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            return self.run("SELECT 1") == [(1,)]
        except (TimeoutError, OSError):
            return False
        except Exception as error:
            return "starting up" not in str(error) and False

    @property
    def _ballast(self) -> Path:
        assert self._server is not None
        return Path(f"/proc/{self._server.pid}/root{self.folder}/small/ballast")

    def fill(self) -> None:
        """Fill what is left, to the last byte.

        The server's own log gets a new segment before: where it had to make one later, it would not refuse, but end.
        """
        self.run("SELECT pg_switch_wal()", "CHECKPOINT")
        with self._ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def free(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def small() -> Iterator[SmallCluster]:
    made = SmallCluster(is_durable=True)
    yield made
    made.close()


class Patient(Guest):
    """Somebody to whom a server that has ended is one that takes nothing more."""

    def send(self, id: str, command: object) -> bool:
        try:
            return super().send(id, command)
        except Down:
            self.last = (503, b"out_of_service, and it has ended")
            return False


def filled(folder: Path, small: SmallCluster, program: str = "casinowar") -> tuple[Place, list[Patient]]:
    """A server that was served until the disk of its database was full, and has ended."""
    place = Place(folder, database=small.new_house())
    place.program = program
    place.start()
    guests = [Patient(place, box) for box in (1, 2, 3)]  # type: ignore[arg-type]
    for guest in guests:
        guest.start()
    until = time.monotonic() + 120
    while sum(len(guest.told) for guest in guests) < 30 and any(guest.is_alive() for guest in guests):
        assert time.monotonic() < until
        time.sleep(0.02)
    small.fill()
    for guest in guests:
        guest.join(120)
    with contextlib.suppress(Down):  # It ends by itself, so that other servers can take its tables.
        assert place.ask("GET", "/readyz")[0] == 503
        assert b"casinowar_out_of_service 1.0" in place.ask("GET", "/metrics")[1]
    place.kill(signal.SIGTERM)
    small.free()
    place.program = "casinowar"
    return place, guests


def lost(place: Place, guests: list[Patient]) -> list[str]:
    """What a server with room on the disk does not acknowledge in the same words; then everybody goes on."""
    place.start()
    found = []
    try:
        for guest in guests:
            for id, (asked, answer) in list(guest.told.items())[-60:]:
                again = guest.post(asked)
                if again != (200, answer):
                    found.append(f"lost: {id} was told {answer!r} and then {again!r}")
            if not guest.send(f"{guest.name}-again", {"do": "buy_chips", "amount": 1}):
                found.append(f"{guest.name} cannot go on: {guest.last}")
    finally:
        place.kill(signal.SIGTERM)
    return found


def test_a_full_disk_of_the_database_costs_nothing_that_was_acknowledged(tmp_path: Path, small: SmallCluster) -> None:
    place, guests = filled(tmp_path, small)
    told = sum(len(guest.told) for guest in guests)
    assert {guest.last[0] for guest in guests} == {503}
    assert all(b"out_of_service" in guest.last[1] or b"busy" in guest.last[1] for guest in guests)
    assert "out of service" in (tmp_path / "log.txt").read_text()
    assert "No space left" in (tmp_path / "log.txt").read_text()
    assert lost(place, guests) == []
    assert place.database is not None
    with closing(PostgresStore(place.database)) as store:
        assert audit(store) == []
        for guest in guests:
            bought = sum(asked["command"]["do"] == "buy_chips" for asked, _ in guest.told.values())
            assert store.balance(f"chips:nz:{guest.name}") == bought
    print(f"\nthe disk of the database was full after {told} commands: 0 lost")


def test_a_server_that_answers_before_the_disk_has_it_is_found(tmp_path: Path, small: SmallCluster) -> None:
    """The twin that must fail."""
    found = lost(*filled(tmp_path, small, "tests.crash.peers.early_peer"))
    assert any(one.startswith("lost") for one in found), found
