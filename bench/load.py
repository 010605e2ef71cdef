"""The server under load: tables full of players over WebSockets, and how long each command waits for its answer.

`casinowar serve` runs on one core and the players on another. Every player is a client of its own, with its own
socket, its own entropy in each shoe, and the proof of each card checked. The players of a table come from one address
of the loopback network, as a household would, so that the server's limits per address stand as they are, but for the
seven seats that such a household has.
"""

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import msgspec

from casinowar import protocol as f
from casinowar.client import Client, Ended, Live, Refused
from casinowar.engine import commands as c

BOOKS = ("nz", "wa", "ctg", "ma")
MOST_P99_MS = 100
SLOWEST_ROUND_S = 7
MOST_REFUSED = 0.01
LONGEST_THOUGHT_S = 2.0
SLOW_COMMIT_S = 0.12
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")

# The twin that must fail: the same server with a disk that takes its time.
SLOW_SERVER = f"""
import time
from casinowar.cli import main
from casinowar.store import SqliteStore

commit = SqliteStore.commit

def slow_commit(store, proposal):
    time.sleep({SLOW_COMMIT_S})
    return commit(store, proposal)

SqliteStore.commit = slow_commit
main()
"""

TABLE = """
[[tables]]
name = "load-{number}"
rulebook = "{book}"
limit = {{ minimum = 500, maximum = 50000, unit = 500 }}
timers = {{ betting = 4, decision = 4, war_betting = 0.5, cut = 1, entropy = 0.5, pause = 2, card = 0.3 }}
"""


class Measured(msgspec.Struct):
    """What the players saw. Waits and refusals count from when all of them sat; `under_way` has no answer yet."""

    waits: list[float] = []
    refused: Counter[str] = msgspec.field(default_factory=Counter)
    ended: list[str] = []
    under_way: int = 0
    is_on: bool = False
    is_over: bool = False

    def wait_ms(self, share: float) -> float:
        """The wait that this share of the commands did not exceed."""
        ordered = sorted(self.waits)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("inf")


class Player:
    """One client at one box: it bets the least, is ready, goes to every war, and cuts in the middle when asked.

    It takes its time over a wager, up to `LONGEST_THOUGHT_S`: no seven people put chips down in the same millisecond.
    """

    def __init__(self, live: Live, table: int, box: int, measured: Measured) -> None:
        self.live = live
        self.box = box
        self.measured = measured
        self.readied = -1
        self.chance = random.Random(f"{table} {box}")

    async def play(self) -> None:
        try:
            await self.act()
            async for _ in self.live:
                await self.act()
        except Ended as ended:
            self.measured.ended.append(str(ended))

    async def act(self) -> None:
        """Everything that is this player's to do now; what is refused is tried again when something has happened."""
        while not self.measured.is_over and (command := self.due()) is not None:
            if isinstance(command, c.PlaceWager):
                await asyncio.sleep(self.chance.uniform(0, LONGEST_THOUGHT_S))
                if self.due() != command:
                    continue
            if isinstance(command, f.Ready):
                self.readied = self.live.view.view.round
            if not await self.do(command):
                return

    def due(self) -> msgspec.Struct | None:
        live, view, me = self.live.view, self.live.view.view, self.live.player
        if live.seal.stage == "cutting":
            middle = 26 * view.signs.decks
            return c.Cut(player=me, position=middle) if view.cut_offered_to == me else None
        if (self.box, me) in view.asked:
            return c.GoToWar(player=me, box=self.box)
        if live.seal.stage != "dealing" or view.phase != "betting":
            return None
        box = next(box for box in view.boxes if box.box == self.box)
        if not any(player == me and wager == "initial" for player, wager, _ in box.wagers):
            return c.PlaceWager(player=me, box=self.box, wager="initial", amount=view.signs.limit.minimum)
        return None if self.readied == view.round else f.Ready()

    async def do(self, command: msgspec.Struct) -> bool:
        """Whether it was done. The clock runs from before the command is encoded until its answer is understood."""
        is_measured = self.measured.is_on
        self.measured.under_way += 1
        is_done, begin = True, time.perf_counter()
        try:
            await self.live.do(command)
        except Refused as why:
            is_done = False
            self.measured.refused[why.code] += is_measured
        if is_measured:
            self.measured.waits.append(time.perf_counter() - begin)
        self.measured.under_way -= 1
        return is_done


def tables_file(folder: Path, tables: int) -> Path:
    file = folder / "tables.toml"
    texts = [TABLE.format(number=number, book=BOOKS[number % len(BOOKS)]) for number in range(1, tables + 1)]
    file.write_text("guest_purse = 1000000000\n" + "".join(texts))
    return file


@contextmanager
def serving(folder: Path, tables: int, twin: str | None, core: int | None) -> Iterator[tuple[str, int]]:
    """A server on its own core and its own data; its address and process id."""
    program = ["-m", "casinowar"] if twin is None else ["-c", SLOW_SERVER]
    options = ["--no-open", "--port", "0", "--data", str(folder), "--tables", str(tables_file(folder, tables))]
    options += ["--limit", "seats_per_address=7"]
    pin = None if core is None else lambda: os.sched_setaffinity(0, {core})
    log = folder / "server.log"
    with log.open("w") as out:
        server = subprocess.Popen(
            [sys.executable, *program, "serve", *options], stdout=out, stderr=subprocess.STDOUT, preexec_fn=pin
        )
        try:
            yield _address(server, log), server.pid
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
    if server.returncode != 0:
        raise SystemExit(f"the server ended with status {server.returncode}:\n{log.read_text()[-2000:]}")


def _address(server: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and server.poll() is None:
        if found := ADDRESS.search(log.read_text()):
            return found.group()
        time.sleep(0.05)
    raise SystemExit(f"no server came up:\n{log.read_text()[-2000:]}")


async def seat(stack: AsyncExitStack, url: str, table: int, box: int, measured: Measured) -> Player:
    client = await stack.enter_async_context(Client.connect(url, source=f"127.0.1.{table}"))
    while True:
        try:
            await client.guest()
            break
        except Refused as why:
            if why.code != "too_fast":
                raise
            await asyncio.sleep(0.5)
    live = await client.watch(f"load-{table}")
    await live.do(f.Sit(box=box))
    return Player(live, table, box, measured)


class Ran(msgspec.Struct, frozen=True):
    """One run: the rounds that each table ended, the cards whose proofs were checked, and the server's own seconds."""

    measured: Measured
    seconds: float
    rounds: dict[str, int]
    cards: int
    findings: list[str]
    reconnections: int
    server_seconds: float
    own_seconds: float


async def play(url: str, server: int, tables: int, bots: int, seconds: float) -> Ran:
    measured = Measured()
    async with AsyncExitStack() as stack:
        players = [
            await seat(stack, url, table, box, measured) for table in range(1, tables + 1) for box in range(1, bots + 1)
        ]
        playing = [asyncio.create_task(player.play()) for player in players]
        await asyncio.sleep(min(5, seconds / 4))
        first = {player.live.table: player.live for player in players}
        before = {table: live.view.view.round for table, live in first.items()}
        cpu, own, begin = cpu_seconds(server), time.process_time(), time.perf_counter()
        measured.is_on = True
        await asyncio.sleep(seconds)
        measured.is_on, took = False, time.perf_counter() - begin
        used, own = cpu_seconds(server) - cpu, time.process_time() - own
        rounds = {table: live.view.view.round - before[table] for table, live in first.items()}
        measured.is_over = True
        await settle(measured)
        for task in playing:
            task.cancel()
        for result in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(result, Exception):
                measured.ended.append(repr(result))
        found = [f"{one.where}: {one.what}" for player in players for one in player.live.check_cards()]
        cards = sum(player.live.notes.checked for player in players)
        again = sum(player.live.snapshots - 1 for player in players)
    return Ran(measured, took, rounds, cards, found, again, used, own)


async def settle(measured: Measured) -> None:
    """Let what is under way be answered."""
    for _ in range(100):
        if measured.under_way == 0:
            return
        await asyncio.sleep(0.1)


def cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def failures(ran: Ran) -> list[str]:
    measured = ran.measured
    slow = [f"{table} ({ran.seconds / max(n, 1):.1f} s)" for table, n in ran.rounds.items() if is_slow(ran, n)]
    refused = sum(measured.refused.values())
    checks = {
        f"p99 is not below {MOST_P99_MS} ms": measured.wait_ms(0.99) >= MOST_P99_MS,
        f"slower than a round in {SLOWEST_ROUND_S} s: {', '.join(slow)}": bool(slow),
        f"{measured.under_way} commands got no answer": measured.under_way > 0,
        f"connections ended: {measured.ended[:3]}": bool(measured.ended),
        f"{refused} commands were refused": refused > MOST_REFUSED * len(measured.waits),
        f"cards that do not lead to their root: {ran.findings[:3]}": bool(ran.findings),
        "no card was checked": ran.cards == 0,
    }
    return [what for what, is_so in checks.items() if is_so]


def is_slow(ran: Ran, rounds: int) -> bool:
    """The first and the last round may lie only partly within the time."""
    return (rounds + 1) * SLOWEST_ROUND_S < ran.seconds


def report(ran: Ran, bots: int) -> None:
    measured, rounds = ran.measured, ran.rounds
    shares = [f"{used / ran.seconds:.0%}" for used in (ran.server_seconds, ran.own_seconds)]
    lines = {
        "tables, players at each": f"{len(rounds)}, {bots}",
        "seconds": f"{ran.seconds:.0f}",
        "commands answered": f"{len(measured.waits):,} ({len(measured.waits) / ran.seconds:.0f} a second)",
        "p50, p95, p99, max (ms)": ", ".join(f"{measured.wait_ms(share):.1f}" for share in (0.5, 0.95, 0.99, 1)),
        "rounds, all tables": f"{sum(rounds.values()):,}",
        "seconds a round, fastest and slowest table": " and ".join(
            f"{ran.seconds / max(n, 1):.1f}" for n in (max(rounds.values()), min(rounds.values()))
        ),
        "refused": ", ".join(f"{code} {n}" for code, n in measured.refused.most_common()) or "none",
        "without an answer": str(measured.under_way),
        "reconnections": str(ran.reconnections),
        "cards checked against their root": f"{ran.cards:,}",
        "share of a core: server, players": ", ".join(shares),
    }
    for name, value in lines.items():
        print(f"{name:44}{value}")


def cores() -> tuple[int | None, int | None]:
    """One for the server and one for the players, where there are two."""
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (usable[0], usable[1]) if len(usable) > 1 else (None, None)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the server with tables full of players.")
    parser.add_argument("--tables", type=int, default=20, metavar="N")
    parser.add_argument("--bots", type=int, default=7, metavar="N", help="players at each table")
    parser.add_argument("--seconds", type=float, default=120, metavar="S")
    parser.add_argument("--twin", choices=["slow-commit"], help="a server that must fail")
    options = parser.parse_args()
    print(f"{'load of the machine before':44}{os.getloadavg()[0]:.1f}")
    server_core, own_core = cores()
    if own_core is None:
        print("there is one core for both: the figures tell little")
    else:
        os.sched_setaffinity(0, {own_core})
    with (
        tempfile.TemporaryDirectory(prefix="casinowar-load-") as folder,
        serving(Path(folder), options.tables, options.twin, server_core) as (url, pid),
    ):
        ran = asyncio.run(play(url, pid, options.tables, options.bots, options.seconds))
    report(ran, options.bots)
    failed = failures(ran)
    for what in failed:
        print(f"FAILED: {what}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
