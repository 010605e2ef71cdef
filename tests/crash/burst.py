"""Honest players at a table, and 20 sockets of one address that do something cheap as often as they may.

The server is a process of its own and the people live in this one. What is measured: which honest connections the
server ended, how many bytes it sent over all sockets, and how long each command of an honest player waited.
"""

import asyncio
import contextlib
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

ROOT = Path(__file__).resolve().parents[2]
SEATED, LOOKING_ON = 5, 5
"""Honest connections: of seven boxes two stay free, for those who sit down only to get up again."""

GUESTS, SOCKETS, AT_ONCE, A_SECOND = 7, 20, 20, 10
LEAST, FREE_BOXES = 500, (6, 7)
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
TABLE = """
[[tables]]
name = "{name}"
rulebook = "{rulebook}"
bots = {bots}

[tables.timers]
betting = 4
decision = 2
war_betting = 0.5
cut = 0
entropy = 0
bank = 0.5
pause = 1
card = 0.2
absent = 5
"""
LEAST_MEASURED, LONGEST_S = 20, 40.0
_ids = itertools.count(1)
_numbers = itertools.count()
"""Each attack and its honest players come from addresses of their own, whose paces are fresh."""


class Kind(msgspec.Struct, frozen=True):
    """One cheap thing. `frame` is what the attacker sends for the nth time; `path` makes it a request instead."""

    name: str
    frame: "Callable[[Attacker, int], dict[str, Any]] | None" = None
    path: "Callable[[Attacker, int], tuple[str, str, Any]] | None" = None
    before: "Callable[[Attacker], list[dict[str, Any]]]" = lambda attacker: []
    hangs_up: bool = False
    is_private: bool = False
    pace: int = A_SECOND
    rulebook: str = "nz"


class Outcome(msgspec.Struct):
    """What the honest had of it. Bytes are those of all sockets, `own` those of the attackers'."""

    ended: list[str] = []
    waits: list[float] = []
    refused: Counter[str] = msgspec.field(default_factory=Counter)
    answers: Counter[str] = msgspec.field(default_factory=Counter)
    bytes: int = 0
    own: int = 0
    seconds: float = 0
    commands: int = 0
    cpu: float = 0
    is_on: bool = False

    @property
    def rate(self) -> float:
        """Bytes a second."""
        return self.bytes / self.seconds

    def wait_ms(self, share: float) -> float:
        ordered = sorted(self.waits)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("inf")

    def __str__(self) -> str:
        waits = ", ".join(f"{self.wait_ms(share):.0f}" for share in (0.5, 0.99, 1))
        return (
            f"{len(self.ended)} honest ended, {self.rate / 1e6:.2f} MB/s "
            f"(attackers' own {self.own / self.seconds / 1e6:.2f}), p50, p99, most {waits} ms "
            f"of {len(self.waits)} commands, server {self.cpu / self.seconds:.0%} of a core; "
            f"attackers were told {dict(self.answers)}"
        )


class _Box(msgspec.Struct):
    box: int
    wagers: list[tuple[str, str, int]]


class _View(msgspec.Struct):
    """Without a phase where a frame tells only of the seal."""

    phase: str = ""
    round: int = 0
    asked: list[tuple[int, str]] = []
    boxes: list[_Box] = []


class _Seal(msgspec.Struct):
    stage: str


class _Live(msgspec.Struct):
    version: int
    view: _View
    seal: _Seal


class _Frame(msgspec.Struct):
    """What an honest player needs of a frame."""

    type: str
    id: str = ""
    code: str = ""
    view: _Live | None = None


_frames = msgspec.json.Decoder(_Frame)


class _Version(msgspec.Struct):
    version: int


class _Kind(msgspec.Struct):
    """What an attacker looks at: what the answer is, and which version to act on."""

    type: str
    code: str = ""
    version: int = 0
    view: _Version | None = None


_kinds = msgspec.json.Decoder(_Kind)


class Served(msgspec.Struct, frozen=True):
    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """What the server has used of its core; 0 where the machine does not tell."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0


class Web:
    """One kept HTTP connection from an address of the loopback network."""

    def __init__(self, port: int, source: str) -> None:
        self.port, self.source = port, source
        self.token = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        reader, writer = self._streams
        content = b"" if method == "GET" else msgspec.json.encode({} if body is None else body)
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "X-Casinowar-Client: 1"]
        lines += [f"Authorization: Bearer {self.token}"] if self.token else []
        lines += [] if method == "GET" else ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        assert length is not None, head
        return int(head.split(" ", 2)[1]), await reader.readexactly(int(length[1]))

    async def guest(self) -> str:
        status, content = await self.ask("POST", "/api/guest")
        assert status == 200, content
        told = msgspec.json.decode(content)
        self.token = told["token"]
        return str(told["player"])

    async def socket(self) -> ClientConnection:
        status, content = await self.ask("POST", "/api/socket-ticket")
        if status != 200:
            raise ConnectionError(content)
        url = f"ws://127.0.0.1:{self.port}/api/socket?ticket={msgspec.json.decode(content)['ticket']}"
        options: dict[str, Any] = {"local_addr": (self.source, 0), "proxy": None, "compression": None}
        return await connect(url, max_size=None, max_queue=None, ping_interval=None, close_timeout=1, **options)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


def command(table: str, do: dict[str, Any], expected: int = 0, id: str = "") -> dict[str, Any]:
    asked = {"id": id or f"burst-{next(_ids)}", "table": table, "expected": expected, "command": do}
    return {"type": "command", **asked}


class Honest:
    """Somebody who plays: a wager after a moment of thought, ready, war at every tie; or who only looks on."""

    def __init__(self, web: Web, table: str, name: str, box: int | None, outcome: Outcome) -> None:
        self.web, self.table, self.name, self.box, self.outcome = web, table, name, box, outcome
        self.socket: ClientConnection | None = None
        self.view: _Live | None = None
        self.rounds: set[int] = set()
        self._news = asyncio.Event()
        self._answers: dict[str, asyncio.Future[_Frame]] = {}
        self._chance = random.Random(f"{table} {name}")

    async def read(self) -> None:
        self.socket = await self.web.socket()
        role = "player" if self.box is not None else "watcher"
        await self.socket.send(msgspec.json.encode({"type": "watch", "table": self.table, "role": role}).decode())
        try:
            async for text in self.socket:
                self.outcome.bytes += len(text) * self.outcome.is_on
                self._take(_frames.decode(text))
        except ConnectionClosed:
            pass
        closed = self.socket.close_reason or f"{self.socket.close_code}"
        self.outcome.ended.append(closed)
        for waiting in self._answers.values():
            waiting.cancel()

    def _take(self, frame: _Frame) -> None:
        if frame.view is not None and frame.view.view.phase:
            self.view = frame.view
            self.rounds.add(frame.view.view.round)
            self._news.set()
        elif frame.id in self._answers:
            self._answers[frame.id].set_result(frame)

    async def play(self) -> None:
        await self.view_there()
        assert self.box is not None
        assert (await self.do({"do": "sit", "box": self.box})).type == "done"
        readied = 0
        while True:
            self._news.clear()
            live = await self.view_there()
            here = next(box for box in live.view.boxes if box.box == self.box)
            has_bet = any(who == self.name for who, _, _ in here.wagers)
            if (self.box, self.name) in live.view.asked:
                await self.do({"do": "go_to_war", "player": self.name, "box": self.box})
            elif live.view.phase == "betting" and live.seal.stage == "dealing" and not has_bet:
                await asyncio.sleep(self._chance.uniform(0, 1))
                wager = {"wager": "initial", "amount": LEAST, "box": self.box, "player": self.name}
                await self.do({"do": "place_wager", **wager})
                continue
            elif live.view.phase == "betting" and has_bet and readied != live.view.round:
                readied = live.view.round
                await self.do({"do": "ready"})
            await self._news.wait()

    async def probe(self) -> None:
        """A command that is decided and refused, again and again: what any command waits for."""
        await self.view_there()
        while True:
            await asyncio.sleep(self._chance.uniform(0.2, 0.4))
            await self.do({"do": "sit", "box": 99})

    async def view_there(self) -> _Live:
        while self.view is None:
            self._news.clear()
            await self._news.wait()
        return self.view

    async def do(self, do: dict[str, Any]) -> _Frame:
        assert self.socket is not None
        assert self.view is not None
        asked = command(self.table, do, self.view.version)
        answer: asyncio.Future[_Frame] = asyncio.get_running_loop().create_future()
        self._answers[asked["id"]] = answer
        is_on, begin = self.outcome.is_on, time.perf_counter()
        await self.socket.send(msgspec.json.encode(asked).decode())
        told = await answer
        if is_on:
            self.outcome.waits.append(time.perf_counter() - begin)
            if told.type != "done" and do.get("box") != 99:
                self.outcome.refused[told.code] += 1
        return told


class Attacker:
    """One socket of the twenty. `number` is which one; the accounts have up to three each."""

    def __init__(self, web: Web, table: str, name: str, number: int, outcome: Outcome) -> None:
        self.web, self.table, self.name, self.number, self.outcome = web, table, name, number, outcome
        self.socket: ClientConnection | None = None
        self.version = 0
        self._reading: asyncio.Task[None] | None = None

    @property
    def box(self) -> int:
        return FREE_BOXES[self.number % len(FREE_BOXES)]

    def ask(self, do: dict[str, Any], id: str = "") -> dict[str, Any]:
        return command(self.table, do, self.version, id)

    async def begin(self, kind: Kind) -> None:
        if kind.is_private:
            asked = {"id": f"burst-{next(_ids)}", "rulebook": "nz", "bots": 0}
            status, content = await self.web.ask("POST", "/api/tables/private", asked)
            # An address has so many; whoever gets none does what is refused.
            if status == 200:
                self.table = msgspec.json.decode(content)["table"]
        await self.open()
        async with asyncio.timeout(30):
            while not self.version:
                await asyncio.sleep(0.01)
        for frame in kind.before(self):
            await self.send(frame)

    async def open(self) -> None:
        await self.close()
        self.socket = await self.web.socket()
        self._reading = asyncio.create_task(self._read(self.socket))
        await self.send({"type": "watch", "table": self.table})

    async def close(self) -> None:
        if self.socket is not None and self._reading is not None:
            await self.socket.close()
            await asyncio.wait([self._reading])

    async def _read(self, socket: ClientConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in socket:
                told = _kinds.decode(text)
                self.version = max(self.version, told.version, told.view.version if told.view else 0)
                if self.outcome.is_on:
                    self.outcome.bytes += len(text)
                    self.outcome.own += len(text)
                    self.outcome.answers[told.code or told.type] += 1

    async def send(self, frame: dict[str, Any]) -> None:
        assert self.socket is not None
        await self.socket.send(msgspec.json.encode(frame).decode())

    async def attack(self, kind: Kind) -> None:
        """All at once, and then at the pace that is permitted to a socket, until it is over."""
        begin = time.monotonic()
        for turn in itertools.count():
            await asyncio.sleep(begin + max(0, turn - AT_ONCE) / kind.pace - time.monotonic())
            try:
                await self._once(kind, turn)
            except ConnectionClosed:
                await self._come_back()

    async def _come_back(self) -> None:
        """As soon as the server lets in again who was thrown out."""
        try:
            await self.open()
        except (ConnectionError, InvalidHandshake):
            await asyncio.sleep(0.1)

    async def _once(self, kind: Kind, turn: int) -> None:
        self.outcome.commands += 1
        if kind.path is not None:
            status, _ = await self.web.ask(*kind.path(self, turn))
            self.outcome.answers[str(status)] += 1
        elif kind.hangs_up:
            await self._come_back()
        elif kind.frame is not None:
            await self.send(kind.frame(self, turn))


def is_measured(outcome: Outcome) -> bool:
    """On a busy machine it takes a while until the honest have done so much."""
    return len(outcome.waits) >= LEAST_MEASURED


async def assault(
    server: Served, table: str, kind: Kind, seconds: float, is_enough: Callable[[Outcome], bool] = is_measured
) -> Outcome:
    """The honest play; then the attack begins, and is measured for so many seconds and until it is enough."""
    number = next(_numbers)
    outcome, port = Outcome(), server.port
    async with asyncio.TaskGroup() as group, AsyncExitStack() as stack:
        tasks: list[asyncio.Task[None]] = []
        honest: list[Honest] = []
        for at in range(SEATED + LOOKING_ON):
            web = Web(port, f"127.1.{number}.{at + 1}")
            stack.callback(web.close)
            honest.append(Honest(web, table, await web.guest(), at + 1 if at < SEATED else None, outcome))
        tasks += [group.create_task(one.read()) for one in honest]
        tasks += [group.create_task(_until_cut(work)) for one in honest[:SEATED] for work in (one.play(), one.probe())]
        names: list[tuple[Web, str]] = []
        for _ in range(GUESTS):
            web = Web(port, f"127.2.{number}.1")
            names.append((web, await web.guest()))
        attackers: list[Attacker] = []
        for at in range(SOCKETS):
            web = Web(port, f"127.2.{number}.1")
            stack.callback(web.close)
            web.token = names[at % GUESTS][0].token
            attackers.append(Attacker(web, table, names[at % GUESTS][1], at, outcome))
        for attacker in attackers:
            await attacker.begin(kind)
        async with asyncio.timeout(60):
            while not all(one.view and max(one.rounds) >= 1 for one in honest):
                await asyncio.sleep(0.05)
        outcome.is_on, begin, cpu = True, time.monotonic(), server.cpu_seconds()
        attacks = [asyncio.create_task(attacker.attack(kind)) for attacker in attackers]
        while outcome.seconds < seconds or (outcome.seconds < LONGEST_S and not is_enough(outcome)):
            await asyncio.sleep(0.1)
            outcome.seconds = time.monotonic() - begin
        outcome.is_on = False
        outcome.cpu = server.cpu_seconds() - cpu
        ended = list(outcome.ended)
        for task in (*tasks, *attacks):
            task.cancel()
        for result in await asyncio.gather(*attacks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        for player in honest:
            if player.socket is not None:
                await player.socket.close()
        for attacker in attackers:
            await attacker.close()
    outcome.ended = ended
    return outcome


async def _until_cut(work: Any) -> None:
    with contextlib.suppress(ConnectionClosed, asyncio.CancelledError):
        await work


def _bet(attacker: Attacker, turn: int) -> dict[str, Any]:
    wager = {"player": attacker.name, "box": attacker.box, "wager": "initial"}
    if turn % 2:
        return attacker.ask({"do": "withdraw_wager", **wager})
    return attacker.ask({"do": "place_wager", **wager, "amount": LEAST})


def _amend(attacker: Attacker, turn: int) -> dict[str, Any]:
    wager = {"player": attacker.name, "box": attacker.box, "wager": "initial", "amount": LEAST * (1 + turn % 3)}
    return attacker.ask({"do": "amend_wager" if turn % 4 else "place_wager", **wager})


def _bank(attacker: Attacker, turn: int) -> dict[str, Any]:
    """A bank that is offered is taken and given back; what is not is refused."""
    taken = {"do": "accept_bank", "player": attacker.name, "box": attacker.box, "stake": 20 * LEAST}
    return attacker.ask({"do": "relinquish_bank", "player": attacker.name} if turn % 2 else taken)


def _seat(attacker: Attacker) -> list[dict[str, Any]]:
    return [attacker.ask({"do": "sit", "box": attacker.box})]


def _place(attacker: Attacker, turn: int) -> tuple[str, str, Any]:
    asked = _bet(attacker, turn)
    body = {"id": asked["id"], "expected": 0, "command": {"do": "sit", "box": attacker.box}}
    body["command"] = {"do": "leave"} if turn % 2 else body["command"]
    return "POST", f"/api/tables/{attacker.table}/commands", body


def _bots(attacker: Attacker, turn: int) -> dict[str, Any]:
    return attacker.ask({"do": "dismiss_bots"} if turn % 2 else {"do": "seat_bots", "count": 7})


CALM = Kind("calm")
"""The same sockets, and no attack: what the machine makes the honest wait by itself."""

RECORD = (ROOT / "tests/examples/records.jsonl").read_text().splitlines()[0]
KINDS = (
    Kind("ready", lambda one, turn: one.ask({"do": "ready"})),
    Kind("ready_seated", lambda one, turn: one.ask({"do": "ready"}), before=_seat),
    Kind("watch", lambda one, turn: {"type": "watch", "table": one.table}),
    Kind("watch_unwatch", lambda one, turn: {"type": ("unwatch", "watch")[turn % 2], "table": one.table}),
    Kind("presence", lambda one, turn: {"type": ("unwatch", "watch")[turn % 2], "table": one.table}, before=_seat),
    Kind("ping", lambda one, turn: {"type": "ping"}),
    Kind("sit_leave", lambda one, turn: one.ask({"do": "leave"} if turn % 2 else {"do": "sit", "box": one.box})),
    Kind("sit_again", lambda one, turn: one.ask({"do": "sit", "box": one.box}), before=_seat),
    Kind("move", lambda one, turn: one.ask({"do": "sit", "box": FREE_BOXES[turn % 2]}), before=_seat),
    Kind("buy", lambda one, turn: one.ask({"do": "buy_chips", "amount": 1}), before=_seat),
    Kind(
        "buy_cash",
        lambda one, turn: one.ask({"do": "cash_chips" if turn % 2 else "buy_chips", "amount": 1}),
        before=_seat,
    ),
    Kind("place_withdraw", _bet),
    Kind("promise", lambda one, turn: one.ask({"do": "promise_entropy", "promise": f"{turn:064x}"}), before=_seat),
    Kind("entropy", lambda one, turn: one.ask({"do": "add_entropy", "entropy": f"{turn:064x}"}), before=_seat),
    Kind("bots", _bots),
    Kind("refused", lambda one, turn: one.ask({"do": "sit", "box": 99})),
    Kind("repeated", lambda one, turn: one.ask({"do": "sit", "box": one.box}, id=f"same-{one.number}"), before=_seat),
    Kind("malformed", lambda one, turn: {"type": "fly"}),
    Kind("connect", hangs_up=True),
    Kind("http_command", path=_place),
    Kind("http_look", path=lambda one, turn: ("GET", f"/api/tables/{one.table}", None)),
    Kind("http_lobby", path=lambda one, turn: ("GET", "/api/tables", None)),
    Kind("http_flood", path=lambda one, turn: ("GET", "/api/house", None), pace=1_000),
    Kind(
        "http_preview",
        path=lambda one, turn: (
            "POST",
            f"/api/tables/{one.table}/preview",
            {"command": {"do": "sit", "box": one.box}},
        ),
    ),
    Kind("http_shoes", path=lambda one, turn: ("GET", f"/api/tables/{one.table}/shoes/1", None)),
    Kind("http_replay", path=lambda one, turn: ("POST", "/api/replay", {"record": RECORD})),
    Kind("http_rounds", path=lambda one, turn: ("GET", f"/api/tables/{one.table}/rounds/1", None)),
    Kind(
        "http_odds",
        path=lambda one, turn: ("GET", f"/api/odds/session?rounds={100 + one.number}&bankroll={5000 + turn}", None),
    ),
    Kind("own_bots", _bots, is_private=True),
    Kind("http_docs", path=lambda one, turn: ("GET", "/api/docs", None)),
    Kind("http_rulebooks", path=lambda one, turn: ("GET", ("/api/rulebooks", "/api/rulebooks/wa")[turn % 2], None)),
    Kind(
        "http_private",
        path=lambda one, turn: (
            "POST",
            "/api/tables/private",
            {"id": f"burst-{next(_ids)}", "rulebook": "nz", "bots": 0},
        ),
    ),
    Kind("wait_for_seat", lambda one, turn: one.ask({"do": ("wait_for_seat", "stop_waiting")[turn % 2]})),
    Kind("amend", _amend, before=_seat),
    Kind("bank", _bank, before=_seat, rulebook="ca"),
    Kind("cut", lambda one, turn: one.ask({"do": "cut", "player": one.name, "position": 60 + turn}), before=_seat),
)


def _table(kind: Kind) -> dict[str, str]:
    """Where players bank, a bot does when nobody else will."""
    bots = '[{ strategy = "bank" }]' if kind.rulebook == "ca" else "[]"
    return {"name": kind.name, "rulebook": kind.rulebook, "bots": bots}


@contextlib.contextmanager
def serving(folder: Path, kinds: Iterable[Kind], program: str = "casinowar") -> Iterator[Served]:
    """A server in a process of its own with its usual limits."""
    (folder / "tables.toml").write_text("".join(TABLE.format(**_table(kind)) for kind in kinds))
    log = folder / "log.txt"
    options = ["--no-open", "--port", "0", "--data", str(folder), "--tables", str(folder / "tables.toml")]
    with log.open("wb") as out:
        server = subprocess.Popen([sys.executable, "-m", program, "serve", *options], cwd=ROOT, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + 60
        while not (found := ADDRESS.search(log.read_text())):
            assert time.monotonic() < deadline, log.read_text()[-2_000:]
            assert server.poll() is None, log.read_text()[-2_000:]
            time.sleep(0.05)
        yield Served(int(found[1]), server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def main() -> None:
    """`python -m tests.crash.burst SECONDS [KIND ...]` prints a line for each."""
    import tempfile

    seconds, wanted = float(sys.argv[1]), sys.argv[2:]
    kinds = [CALM, *(kind for kind in KINDS if not wanted or kind.name in wanted)]
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), kinds) as server:
        for kind in kinds:
            print(f"{kind.name:16}{asyncio.run(assault(server, kind.name, kind, seconds))}", flush=True)


if __name__ == "__main__":
    main()
