"""Reading what has been costs nobody who plays: nothing public runs on the deciding thread in time that grows.

`LOG_EVENTS=500000` measures an honest player of a real server beside readers of old shoes, lists, rounds and metrics,
for the figure in docs/reliability.md.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request
from starlette.responses import Response

from casinowar.house.shoes import keeper
from casinowar.store import SqliteStore
from casinowar.web import app, metrics
from casinowar.web.app import OPERATIONS
from casinowar.web.http import operations
from casinowar.web.http.operations import Operation
from casinowar.web.server import Server
from casinowar.web.workers.log_reader import LogReader
from tests.support import long_log
from tests.support.honest_player import ROOMY, Honest, Waits
from tests.support.live_server import Caller, LiveServer, fresh_id, running
from tests.web.test_serve import started

pytestmark = pytest.mark.slow

EVENTS = 4_000
MOST_ROWS = 150
"""Rows of the store that one request may read on the deciding thread."""

READ_S = 0.08
"""What it took to read one old shoe with 500,000 events in the log, when its whole tail was read."""

Read = tuple[int, int]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("long")
    long_log.write_log(made, EVENTS, accounts=400)
    return made


@contextlib.contextmanager
def house(folder: Path, tmp_path: Path) -> Iterator[LiveServer]:
    (tmp_path / "war.db").write_bytes((folder / "war.db").read_bytes())
    with running(tmp_path, long_log.HOUSE) as live:
        yield live


def addresses() -> list[str]:
    """Every address of the API that anybody, or any player, may read; with the values of a table that is there."""
    values = {"table": "long", "number": "1", "rulebook": "nz", "clause": "NZ-5.13c", "key": "war.burn"}
    open_to_all = ("anyone", "player")

    def filled(one: Operation) -> str:
        fields = msgspec.structs.fields(one.path)
        return one.at.format(**{field.name: values.get(field.name, "x") for field in fields})

    return [filled(one) for one in OPERATIONS if one.method == "GET" and any(role in one.roles for role in open_to_all)]


def rows_read(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """For each address the rows that the deciding thread read of the store for one answer."""
    thread, read = live.call(threading.get_ident), list[int]()
    ask = SqliteStore._execute

    def counted(store: SqliteStore, *args: Any) -> Any:
        rows = ask(store, *args)
        if threading.get_ident() == thread:
            read.append(len(rows))
        return rows

    monkeypatch.setattr(SqliteStore, "_execute", counted)
    caller, found = Caller(live).guest(), {}
    for address in addresses():
        read.clear()
        answer = caller.ask("GET", address)
        assert answer.status < 500, (address, answer)
        found[address] = sum(read)
    return found


def test_no_address_reads_history_on_the_deciding_thread(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(folder, tmp_path) as live:
        read = rows_read(live, monkeypatch)
    assert len(read) > 20
    assert {address: rows for address, rows in read.items() if rows > MOST_ROWS} == {}


MOST_CPU_S = 0.005
"""What one answer to anybody may take of the deciding thread's processor, as the cheapest of several tries."""

TRIES = 4


def cpu_taken(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """For each address what the deciding thread worked for an answer, once the first has been given."""
    taken: list[float] = []

    async def timed(operation: Operation, server: Server, request: Request) -> Response:
        begin = time.thread_time()
        answer = await operations.answer(operation, server, request)
        taken.append(time.thread_time() - begin)
        return answer

    monkeypatch.setattr(app, "answer", timed)
    caller, least = Caller(live).guest(), {}
    for address in addresses():
        taken.clear()
        for _ in range(1 + TRIES):
            caller.ask("GET", address)
        least[address] = min(taken[1:])
    return least


def test_no_answer_to_anybody_costs_the_deciding_thread_much(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The documentation and the list of rulebooks once took 13 and 8 ms each time, 50 times a second of one address."""
    with house(folder, tmp_path) as live:
        taken = cpu_taken(live, monkeypatch)
    dearest = sorted(taken.items(), key=lambda one: -one[1])[:5]
    print([f"{address} {1000 * took:.1f} ms" for address, took in dearest])
    assert {address: took for address, took in taken.items() if took > MOST_CPU_S} == {}


def test_twin_a_page_that_is_made_for_each_who_asks_is_found(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "cache", lambda page: page)
    with house(folder, tmp_path) as live:
        assert cpu_taken(live, monkeypatch)["/api/docs"] > MOST_CPU_S


def test_twin_metrics_that_sum_all_accounts_are_found(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_sum", lambda house: sum(house.store.balances().values()))
    with house(folder, tmp_path) as live:
        read = rows_read(live, monkeypatch)
    assert read["/metrics"] > MOST_ROWS


def test_a_private_table_is_opened_without_a_look_at_the_whole_log(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(folder, tmp_path) as live:
        monkeypatch.setattr(SqliteStore, "streams", lambda store: pytest.fail("all streams are listed"))
        body = {"id": fresh_id(), "rulebook": "nz", "bots": 0}
        assert Caller(live).guest().ask("POST", "/api/tables/private", body).status == 200


def test_a_shoe_that_begins_while_its_number_waits_to_be_read_is_not_kept_as_running(
    folder: Path, tmp_path: Path
) -> None:
    """Else the shoe would be shown as running for ever, and `casinowar verify` would accuse an honest house."""
    with house(folder, tmp_path) as live:
        coming = live.call(lambda: len(live.server.house.tables["long"].keeper.listed)) + 1
        gate = threading.Event()
        live.server.log_reader._thread.submit(gate.wait)
        asked = threading.Thread(target=Caller(live).ask, args=("GET", f"/api/tables/long/shoes/{coming}"))
        asked.start()
        asked.join(5)
        is_answered = not asked.is_alive()
        gate.set()
        asked.join(20)
        assert is_answered, "it waits for the reading thread, and is read as what it has become by then"
        assert Caller(live).ask("GET", f"/api/tables/long/shoes/{coming}").json["code"] == "no_such_shoe"


@contextlib.contextmanager
def readers(port: int, paths: list[str], count: int) -> Iterator[list[int]]:
    """Strangers who ask for these addresses without a pause; the statuses that they got."""
    stop, told = threading.Event(), list[int]()

    def read(number: int) -> None:
        line = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(f"127.5.{number}.1", 0))
        for turn in range(10**9):
            if stop.is_set():
                return
            line.request("GET", paths[(turn * 7 + number) % len(paths)])
            answer = line.getresponse()
            answer.read()
            told.append(answer.status)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield told
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)


def waits_beside_readers(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Every reading of an old shoe takes as long as with 500,000 events, and no answer is kept."""
    made = keeper.export_from_log

    def made_slowly(*given: Any) -> Any:
        time.sleep(READ_S)
        return made(*given)

    monkeypatch.setattr(keeper, "export_from_log", made_slowly)
    monkeypatch.setattr(LogReader, "recall", lambda self, key, work: work())
    with house(folder, tmp_path) as live, readers(live.port, ["/api/tables/long/shoes/1"], 4) as told:
        waits = Honest(live.port, "long").waits(2)
    assert told.count(200) > 5
    return waits


def test_who_plays_does_not_wait_for_who_reads_old_shoes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert waits_beside_readers(folder, tmp_path, monkeypatch).share(0.5) < 1000 * READ_S


def test_twin_a_server_that_reads_where_it_deals_is_found(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read_at_once(self: LogReader, who: str, work: Any) -> Any:
        return work()

    monkeypatch.setattr(LogReader, "read", read_at_once)
    assert waits_beside_readers(folder, tmp_path, monkeypatch).share(0.5) > 1000 * READ_S


@pytest.mark.long
def test_an_honest_player_beside_readers_of_a_long_log(tmp_path: Path) -> None:
    tables = tmp_path / "tables.toml"
    timers = ", ".join(f"{name} = {value}" for name, value in msgspec.to_builtins(long_log.TABLE.timers).items())
    tables.write_text(f'guest_purse = 1000000\n[[tables]]\nname = "long"\nrulebook = "nz"\ntimers = {{ {timers} }}\n')
    command = [sys.executable, "-m", "tests.support.long_log", str(tmp_path), os.environ.get("LOG_EVENTS", "20000")]
    subprocess.run(command, check=True)
    with started("--port", "0", "--data", str(tmp_path), "--tables", str(tables), *ROOMY, wait_s=120) as server:
        honest = Honest(server.port, "long")
        alone = honest.waits(20)
        listed = honest.ask("GET", "/api/tables/long/shoes")
        paths = [f"/api/tables/long/shoes/{shoe['number']}" for shoe in listed]
        with readers(server.port, [*paths, *["/metrics", "/api/tables/long/shoes"] * (len(paths) // 4)], 6) as told:
            beside = honest.waits(20)
    print(f"{len(listed)} shoes; alone {alone}; beside {len(told)} readings {beside}")
    assert told.count(200) > 100
    assert beside.share(0.99) < 50
