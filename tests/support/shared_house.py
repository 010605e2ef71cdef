"""Several real server processes on one database, each at its own port, for tests of a house that they share."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.crash.server_crash import ROOMY, Down

ROOT = Path(__file__).resolve().parents[2]
START_S = 120.0
TIMERS = """
[tables.timers]
betting = 0.1
decision = 0.1
cut = 0
entropy = 0
pause = 0
card = 0
absent = 3600
"""


def tables_text(names: dict[str, str], timers: str = TIMERS, head: str = "") -> str:
    """The tables file for these names, each with its book."""
    return head + "".join(
        f'[[tables]]\nname = "{name}"\nrulebook = "{rulebook}"\n{timers}' for name, rulebook in names.items()
    )


class ServerProcess:
    """One server of the house: a process that can be killed, stopped, and started again at the same port."""

    def __init__(self, house: "SharedHouse", number: int) -> None:
        self.house, self.number = house, number
        self.log = house.folder / f"log-{number}.txt"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *, waits: bool = True) -> None:
        house = self.house
        command = [sys.executable, "-m", house.program, "serve", "--no-open", "--port", str(self.port)]
        command += ["--data", str(house.folder), "--database", house.url, "--tables", str(house.folder / "tables.toml")]
        command += house.words
        for limit in house.limits:
            command += ["--limit", limit]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        if waits:
            self.await_ready()

    def await_ready(self) -> None:
        assert self.process is not None
        until = time.monotonic() + START_S
        while True:
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return
            except Down:
                pass
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"status {self.process.poll()}: {self.log.read_text()[-3000:]}")
            time.sleep(0.02)

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> int:
        self.send(how)
        assert self.process is not None
        return self.process.wait(60)

    @property
    def cpu_seconds(self) -> float:
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(
        self, method: str, path: str, body: object = None, token: str = "", timeout: float = 30.0
    ) -> tuple[int, bytes]:
        """One request with a program's token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Content-Type": "application/json", "X-Casinowar-Client": "1"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            raise Down from None
        finally:
            connection.close()

    def json(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        status, told = self.ask(method, path, body, token)
        assert status == 200, told
        return json.loads(told)

    def guest(self) -> tuple[str, str]:
        """The name and the token of a new guest."""
        arrived = self.json("POST", "/api/guest", {})
        return str(arrived["player"]), str(arrived["token"])

    def tables(self) -> int:
        """How many tables this server decides."""
        for line in self.ask("GET", "/metrics")[1].decode().splitlines():
            if line.startswith("casinowar_tables "):
                return int(float(line.rpartition(" ")[2]))
        return 0


class SharedHouse:
    """A database, a folder with the key, and so many servers."""

    def __init__(
        self,
        folder: Path,
        url: str,
        tables: str,
        servers: int = 2,
        *,
        program: str = "casinowar",
        limits: tuple[str, ...] = ROOMY,
        words: tuple[str, ...] = ("--log-level", "info"),
    ) -> None:
        self.folder, self.url, self.program, self.limits, self.words = folder, url, program, limits, words
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tables.toml").write_text(tables)
        self.servers = [ServerProcess(self, number) for number in range(servers)]

    def __enter__(self) -> "SharedHouse":
        for server in self.servers:
            server.start(waits=False)
        try:
            for server in self.servers:
                server.await_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        for server in self.servers:
            if server.process is not None and server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.process.kill()
                server.process.wait(30)

    def await_spread(self, counts: list[int], seconds: float = 60.0) -> None:
        """Wait until so many tables are decided by each of the servers that run, in any order."""
        until = time.monotonic() + seconds
        running = [one for one in self.servers if one.process is not None and one.process.poll() is None]
        while sorted(found := [one.tables() for one in running]) != sorted(counts):
            assert time.monotonic() < until, found
            time.sleep(0.05)
