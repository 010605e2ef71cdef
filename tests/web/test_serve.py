"""`casinowar serve` as a user starts and stops it, in a process of its own."""

import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from casinowar.store import SqliteStore, audit
from casinowar.store.checkpoints import load_key, public_key
from casinowar.web.http import address as listening
from casinowar.web.http.address import has_screen
from casinowar.web.http.limits import Limits
from casinowar.web.http.uvicorn_config import DRAIN_S
from tests.support.commandline import run, spawn

pytestmark = pytest.mark.slow

SERVE = [sys.executable, "-m", "casinowar", "serve", "--no-open"]
SCREENLESS = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "PYTHONUNBUFFERED": "1"}


class Started:
    """A server process, and the lines that it has written."""

    def __init__(self, *args: str, env: dict[str, str] | None = None, wait_s: float = 30) -> None:
        self.process = subprocess.Popen(
            [*SERVE, *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # else the first line may take the second with it, out of reach of `communicate`
            env={**os.environ, **SCREENLESS, **(env or {})},
        )
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], wait_s)
        self.page = self.process.stdout.readline().decode().strip() if ready else ""
        if not self.page:
            self.process.kill()
            raise AssertionError(self.written()[1])

    @property
    def port(self) -> int:
        return int(urlsplit(self.page).port or 0)

    def get(self, path: str) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.written()
        return self.process.returncode, out, err

    def written(self) -> tuple[str, str]:
        """What it wrote after its first line, once it has ended."""
        out, err = self.process.communicate(timeout=20)
        return out.decode(), err.decode()


@contextlib.contextmanager
def started(*args: str, env: dict[str, str] | None = None, wait_s: float = 30) -> Iterator[Started]:
    server = Started(*args, env=env, wait_s=wait_s)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_drains_and_leaves_a_sound_store_with_a_last_checkpoint(tmp_path: Path, number: int) -> None:
    with started("--data", str(tmp_path), "--port", "0") as server:
        assert server.get("/readyz") == 200
        status, _, err = server.end(number)
    assert status == 0, err
    assert "Traceback" not in err
    store = SqliteStore(tmp_path / "war.db")
    key = public_key(load_key(tmp_path / "checkpoints.key"))
    assert audit(store, key) == []
    head = store.head()
    assert store.checkpoints()[-1].events == head.events
    store.close()


def test_a_new_house_has_a_checkpoint_to_keep_at_once(tmp_path: Path) -> None:
    with started("--data", str(tmp_path), "--port", "0") as server:
        assert server.get("/api/checkpoints/latest") == 200


def test_sockets_hear_a_goodbye_at_the_end(tmp_path: Path) -> None:
    import json

    from websockets.sync.client import connect

    with started("--data", str(tmp_path), "--port", "0") as server:
        address = f"127.0.0.1:{server.port}"
        token = _post(server.port, "/api/guest", {"X-Casinowar-Client": "1"})["token"]
        ticket = _post(server.port, "/api/socket-ticket", {"Authorization": f"Bearer {token}"})["ticket"]
        with connect(f"ws://{address}/api/socket?ticket={ticket}") as connection:
            server.process.send_signal(signal.SIGINT)
            assert json.loads(connection.recv(10))["code"] == "draining"
            with pytest.raises(ConnectionClosed):
                connection.recv(10)
        _, err = server.written()
        assert server.process.returncode == 0
        assert ticket not in err
        assert token not in err


def _post(port: int, path: str, headers: dict[str, str]) -> dict[str, str]:
    import json

    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", path, "{}", {"Content-Type": "application/json", **headers})
    answer: dict[str, str] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def test_the_access_log_tells_paths_without_tickets_cookies_or_tokens(tmp_path: Path) -> None:
    from websockets.sync.client import connect

    with started("--data", str(tmp_path), "--port", "0", "--access-log") as server:
        token = _post(server.port, "/api/guest", {"X-Casinowar-Client": "1"})["token"]
        ticket = _post(server.port, "/api/socket-ticket", {"Authorization": f"Bearer {token}"})["ticket"]
        with connect(f"ws://127.0.0.1:{server.port}/api/socket?ticket={ticket}"):
            server.get(f"/healthz?ticket={ticket}")
        _, _, err = server.end()
    assert "request method=POST path=/api/guest status=200 ms=" in err
    assert "method=GET path=/healthz status=422" in err, "a query that is not asked for is refused"
    assert ticket not in err
    assert token not in err


def test_a_taken_port_gives_way_to_the_next_free_one(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        with started("--data", str(tmp_path), "--port", str(port)) as server:
            assert port < server.port <= port + listening.TRIES
            assert server.get("/healthz") == 200
            _, _, err = server.end()
    assert f"port {port} is taken; this is {server.port}" in err


def test_behind_a_proxy_a_taken_port_is_one_line(tmp_path: Path) -> None:
    """The proxy would ask whoever has the port, and the house would be at another."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        told = spawn("serve", "--no-open", "--data", str(tmp_path), "--port", str(port), "--behind-tls")
    assert told.status == 2
    assert f"127.0.0.1:{port}: Address already in use" in told.error


def test_a_second_server_on_the_same_data_is_one_line(tmp_path: Path) -> None:
    with started("--data", str(tmp_path), "--port", "0"):
        second = spawn("serve", "--no-open", "--data", str(tmp_path), "--port", "0")
    assert "another" in second.error.lower()


def test_a_house_comes_back_after_it_was_killed(tmp_path: Path) -> None:
    with started("--data", str(tmp_path), "--port", "0") as server:
        server.process.kill()
        server.process.wait(10)
    began = time.monotonic()
    with started("--data", str(tmp_path), "--port", "0") as server:
        assert server.get("/readyz") == 200
        assert time.monotonic() - began < 10
        assert server.end()[0] == 0


def test_a_second_ctrl_c_leaves_at_once(tmp_path: Path) -> None:
    """Stopped in the middle of the drain by a socket that takes no goodbye."""
    with started("--data", str(tmp_path), "--port", "0") as server:
        token = _post(server.port, "/api/guest", {"X-Casinowar-Client": "1"})["token"]
        ticket = _post(server.port, "/api/socket-ticket", {"Authorization": f"Bearer {token}"})["ticket"]
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(
                f"GET /api/socket?ticket={ticket} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert raw.recv(12) == b"HTTP/1.1 101"
            server.process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            began = time.monotonic()
            server.process.send_signal(signal.SIGINT)
            server.process.wait(10)
    assert server.process.returncode in (0, 130)
    assert time.monotonic() - began < DRAIN_S - 0.5


def test_all_addresses_are_printed_with_a_warning(tmp_path: Path) -> None:
    with started("--data", str(tmp_path), "--port", "0", "--host", "0.0.0.0") as server:
        assert server.page == f"http://127.0.0.1:{server.port}/"
        assert server.get("/healthz") == 200
        _, out, err = server.end()
    assert "warning: this is plain HTTP" in err
    found = listening.network_address()
    if found is not None:
        assert f"http://{found}:{server.port}/" in out


def test_this_machine_alone_needs_no_warning(tmp_path: Path) -> None:
    with started("--data", str(tmp_path), "--port", "0") as server:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", server.page)
        _, out, err = server.end()
    assert "warning" not in err
    assert out == ""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--database", "postgresql://127.0.0.1:1/war"], "cannot be reached"),
        (["--database", "mysql://localhost/war"], "write sqlite:///PATH or postgresql://USER@HOST/NAME"),
        (["--database", "sqlite:///"], "write sqlite:///PATH or postgresql://USER@HOST/NAME"),
        (["--limit", "doors=3"], "an unknown field"),
        (["--limit", "message_bytes=0"], "message_bytes"),
        (["--tables", "nowhere.toml"], "nowhere.toml"),
        (["--port", "70000"], "--port"),
        (["--host", "192.0.2.77", "--port", "8080"], "192.0.2.77"),
    ],
)
def test_what_cannot_be_served_is_one_line(tmp_path: Path, args: list[str], says: str) -> None:
    assert says in run("serve", "--no-open", "--data", str(tmp_path), *args).error


def test_a_hall_behind_one_router_has_seats_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def note(place: object, settings: object, limits: Limits, **options: object) -> None:
        seen.append(limits.seats_per_address)
        raise ValueError("seen")

    monkeypatch.setattr("casinowar.web.run.open_server", note)
    for args in ([], ["--hall"], ["--hall", "--limit", "seats_per_address=9"]):
        assert "seen" in run("serve", "--no-open", "--data", str(tmp_path), *args).error
    assert seen == [4, 1_000, 9]


def test_the_database_may_lie_elsewhere(tmp_path: Path) -> None:
    place = tmp_path / "elsewhere" / "log.db"
    with started("--data", str(tmp_path / "data"), "--database", f"sqlite:///{place}", "--port", "0") as server:
        assert server.end()[0] == 0
    assert place.exists()
    assert not (tmp_path / "data" / "war.db").exists()
    assert (tmp_path / "data" / "accounts.db").exists()


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "x"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_a_browser_needs_a_screen(environment: dict[str, str], platform: str, expected: bool) -> None:
    assert has_screen(environment, platform) is expected


def _recording(folder: Path, name: str, seen: Path) -> None:
    file = folder / name
    file.write_text(f'#!/bin/sh\necho "{name} $1 $BROWSER" > {seen}\n')
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("names", "display", "opened"),
    [
        (["w3m", "lynx", "links"], ":9", None),
        (["w3m", "firefox"], ":9", "firefox"),
        (["xdg-open", "firefox"], ":9", "xdg-open"),
        (["xdg-open", "firefox"], "", None),
    ],
)
def test_only_a_browser_with_windows_is_opened(
    tmp_path: Path, names: list[str], display: str, opened: str | None
) -> None:
    """With programs of these names on the path and nothing else, and a text browser as the user's own choice."""
    tools, seen = tmp_path / "bin", tmp_path / "seen"
    tools.mkdir()
    for name in names:
        _recording(tools, name, seen)
    code = "from casinowar.web.http.address import open_page; print(open_page('http://127.0.0.1:1/'))"
    env = {**os.environ, **SCREENLESS, "DISPLAY": display, "PATH": str(tools), "BROWSER": "w3m"}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=30).stdout
    assert told.strip() == str(opened is not None)
    until = time.monotonic() + 5
    while opened and not (seen.exists() and seen.read_text()):
        assert time.monotonic() < until
        time.sleep(0.02)
    text = seen.read_text() if seen.exists() else ""
    assert (text.split()[:2] == [opened, "http://127.0.0.1:1/"]) if opened else text == ""
    assert "w3m" not in text
