"""Two servers on one database: each is a way to every table, and what one server shows all of them show."""

import asyncio
import json
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.client import Client
from casinowar.store.postgres.connection import Connection
from tests.support.postgres import Cluster
from tests.support.shared_house import TIMERS, ServerProcess, SharedHouse, tables_text

TABLES = {"nz": "nz", "ma": "ma", "wa": "wa", "ca": "ca"}
JOINLESS = "tests.operations.joinless_peer"
LONG = TIMERS.replace("betting = 0.1", "betting = 600")
OWN = ("seated", "rounds", "version", "phase", "timer", "taken", "own_box", "is_stopped", "watching", "meter")
"""What the lobby tells of a table that only whoever decides it knows."""


@pytest.fixture(scope="module")
def house(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedHouse]:
    place = tmp_path_factory.mktemp("house")
    with SharedHouse(place, cluster.new_house(), tables_text(TABLES)) as made:
        made.await_spread([2, 2])
        yield made


def sit(server: ServerProcess, table: str, box: int, token: str) -> None:
    told = server.json("GET", f"/api/tables/{table}", token=token)
    body = {"id": f"sit-{table}-{box}", "expected": told["version"], "command": {"do": "sit", "box": box}}
    assert server.json("POST", f"/api/tables/{table}/commands", body, token)["type"] == "done"


def test_every_server_shows_and_serves_every_table(house: SharedHouse) -> None:
    first, second = house.servers
    name, token = first.guest()
    for at, table in enumerate(TABLES):
        sit(house.servers[at % 2], table, 1, token)
    for server in house.servers:
        assert [line["name"] for line in server.json("GET", "/api/tables", token=token)] == list(TABLES)
        seen = {line["name"]: line["own_box"] for line in server.json("GET", "/api/tables", token=token)}
        assert seen == dict.fromkeys(TABLES, 1)
        assert set(server.json("GET", "/api/me", token=token)["chips"]) == set(TABLES)
    once = {"id": "again", "expected": 10**6, "command": {"do": "buy_chips", "amount": 500}}
    for table in TABLES:
        once["expected"] = first.json("GET", f"/api/tables/{table}", token=token)["version"]
        told = [server.ask("POST", f"/api/tables/{table}/commands", {**once, "id": f"b-{table}"}, token)
                for server in (first, second)]  # fmt: skip
        assert told[0] == told[1], "a command acts once, by whichever way it comes"
    assert first.json("GET", "/api/me", token=token)["purse"] == second.json("GET", "/api/me", token=token)["purse"]
    assert name in json.dumps(second.json("GET", "/api/tables/nz", token=token))


def test_a_server_with_another_key_writes_nothing_before_it_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    """Its tables stood in the lobby of the others until one of them was started again."""
    url = cluster.new_house()
    with SharedHouse(tmp_path / "house", url, tables_text(TABLES)) as house:
        house.await_spread([2, 2])
        with closing(Connection(url, for_reading=True)) as reader:
            listed = "SELECT count(*) FROM events WHERE stream = 'house'"
            before = reader.execute(listed)
            stranger = SharedHouse(tmp_path / "stranger", url, tables_text({"zz": "nz"}), servers=1)
            with pytest.raises(RuntimeError, match="the other servers sign with another key"):
                stranger.__enter__()
            assert reader.execute(listed) == before
        assert "zz" not in house.servers[0].ask("GET", "/api/tables")[1].decode()


def test_tables_that_a_servers_settings_add_to_the_house_are_told(cluster: Cluster, tmp_path: Path) -> None:
    """Who forgot --tables had five more of them open at all servers, and no word of it."""
    url, line = cluster.new_house(), "this server has other settings"
    with SharedHouse(tmp_path, url, tables_text({"one": "nz"})) as house:
        assert all(line not in server.log.read_text() for server in house.servers), "a new house has none"
        (tmp_path / "tables.toml").write_text(tables_text({"two": "wa"}))
        house.servers[1].kill()
        house.servers[1].start()
        told = house.servers[1].log.read_text()
        assert line in told
        assert "one" in told.partition(line)[2].partition("\n")[0]


def test_a_row_of_people_that_cannot_be_read_keeps_no_server_from_starting(cluster: Cluster, tmp_path: Path) -> None:
    url = cluster.new_house()
    with SharedHouse(tmp_path, url, tables_text(TABLES)) as house:
        house.await_spread([2, 2])
        with closing(Connection(url)) as writer:
            writer.execute("UPDATE table_people SET people = ?", (b"\xff\x00\xff",))
        first, second = house.servers
        first.kill()
        first.start()
        house.await_spread([2, 2])
        assert "who is at a table is not known" in first.log.read_text()
        assert "Traceback" not in first.log.read_text() + second.log.read_text()


def test_a_server_that_cannot_join_the_others_ends_with_one_line(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="status 2") as told:
        SharedHouse(tmp_path, cluster.new_house(), tables_text(TABLES), program=JOINLESS).__enter__()
    said = str(told.value)
    assert "Traceback" not in said
    assert said.endswith("casinowar: the server has ended: the database cannot be reached: no answer\n")


def test_one_socket_follows_tables_of_both_servers(house: SharedHouse) -> None:
    """A ticket of one server is good at the other, and a private table is there for both at once."""
    first, second = house.servers
    _, token = first.guest()

    async def play() -> set[str]:
        async with Client.connect(second.url, token) as client:
            lives = {table: await client.watch(table) for table in TABLES}
            for live in lives.values():
                await live.do(f.Sit(box=2))
            own = await client.open_private("nz")
            async with Client.connect(first.url, token) as other:
                seen = await other.watch(own)
                await seen.do(f.Sit(box=1))
            return {table for table, live in lives.items() if live.box == 2}

    assert asyncio.run(play()) == set(TABLES)
    status, told = second.ask("POST", "/api/socket-ticket", {}, token)
    assert status == 200, told


def test_who_may_not_look_on_in_another_role_looks_on_as_before(house: SharedHouse) -> None:
    async def play() -> list[int | None]:
        async with Client.connect(house.servers[0].url) as client:
            await client.guest()
            lives = [await client.watch(table) for table in TABLES]
            for live in lives:
                await client.connection._send(msgspec.json.encode(f.Watch(table=live.table, role="supervisor")))
                await live.do(f.Sit(box=7))
            return [live.box for live in lives]

    assert asyncio.run(play()) == [7] * len(TABLES)


def test_figures_of_servers_add_up_to_those_of_the_house(house: SharedHouse) -> None:
    """Somebody who plays at tables of both is one connection, and a command counts where it is decided."""

    def added(*names: str) -> list[float]:
        lines = [line for one in house.servers for line in one.ask("GET", "/metrics")[1].decode().splitlines()]
        return [sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} ")) for name in names]

    asked = ("casinowar_sockets", 'casinowar_commands_total{kind="sit",outcome="done"}', "casinowar_faults_total")

    async def play() -> list[float]:
        async with Client.connect(house.servers[0].url) as client:
            await client.guest()
            for table in TABLES:
                await (await client.watch(table)).do(f.Sit(box=6))
            return added(*asked)

    def await_nobody() -> None:
        """Wait until the last connection is over, that of the test before too."""
        until = time.monotonic() + 60
        while added(asked[0]) != [0]:
            assert time.monotonic() < until
            time.sleep(0.02)

    await_nobody()
    before = added(*asked)
    assert [now - then for now, then in zip(asyncio.run(play()), before, strict=True)] == [1, len(TABLES), 0]
    await_nobody()


def test_a_server_has_three_connections_to_the_database(house: SharedHouse, cluster: Cluster) -> None:
    """For the log, for the accounts, and for what servers tell each other."""
    name = house.url.partition("@/")[2].partition("?")[0]
    sql = f"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'casinowar' AND datname = '{name}'"
    assert cluster.run(sql) == [(3 * len(house.servers),)]


def test_limits_and_breaks_hold_at_every_server(house: SharedHouse) -> None:
    first, second = house.servers
    name, token = first.guest()
    for table in ("nz", "ma", "wa", "ca"):
        sit(first, table, 3, token)
    assert second.ask("PUT", "/api/me/limits", {"id": "l", "loss": 1_000, "minutes": None}, token)[0] == 200
    placed = []
    until = time.monotonic() + 60
    for table in ("nz", "ma", "wa", "ca"):
        while time.monotonic() < until:
            view = first.json("GET", f"/api/tables/{table}", token=token)
            wager = {"do": "place_wager", "player": name, "box": 3, "wager": "initial", "amount": 500}
            told = first.ask(
                "POST", f"/api/tables/{table}/commands",
                {"id": f"w-{table}-{time.monotonic_ns()}", "expected": view["version"], "command": wager}, token,
            )  # fmt: skip
            code = json.loads(told[1]).get("code", "done")
            if code in ("done", "loss_limit"):
                placed.append(code)
                break
            time.sleep(0.05)
    assert "loss_limit" in placed, placed
    _, other = second.guest()
    assert first.ask("POST", "/api/me/break", {"id": "away", "minutes": 60}, other)[0] == 200
    for server in house.servers:
        view = server.json("GET", "/api/tables/nz", token=other)
        body = {"id": f"s{server.number}", "expected": view["version"], "command": {"do": "sit", "box": 5}}
        assert json.loads(server.ask("POST", "/api/tables/nz/commands", body, other)[1])["code"] == "away_from_play"


def act(server: ServerProcess, table: str, token: str, seen: int | None = None, **command: object) -> str:
    """Do something at a table as it is, or was `seen`; `done`, or the code with which it is refused."""
    if seen is None:
        seen = server.json("GET", f"/api/tables/{table}", token=token)["version"]
    body = {"id": f"{command['do']}-{table}-{command.get('box')}", "expected": seen, "command": command}
    return str(json.loads(server.ask("POST", f"/api/tables/{table}/commands", body, token)[1]).get("code", "done"))


def test_a_break_that_is_acknowledged_holds_at_every_server_at_once(cluster: Cluster, tmp_path: Path) -> None:
    """Whoever has never had a limit is known to have one now before they are told, at tables of other servers too, and
    where no word comes that wakes them."""
    program = "tests.crash.peers.deaf_peer"
    with SharedHouse(tmp_path, cluster.new_house(), tables_text(TABLES), program=program) as house:
        house.await_spread([2, 2])
        assert breaks(house, 16) == ["away_from_play"] * 16


def breaks(house: SharedHouse, times: int) -> list[str]:
    """What a wager at one server comes to right behind the player's first break at another."""
    codes = []
    for turn in range(times):
        here, there = house.servers if turn % 2 else reversed(house.servers)
        table, (name, token) = list(TABLES)[turn % 4], here.guest()
        box = next(box for box in range(1, 8) if act(there, table, token, do="sit", box=box) == "done")
        assert act(there, table, token, do="buy_chips", amount=500) == "done"
        seen = there.json("GET", f"/api/tables/{table}", token=token)["version"]
        assert here.ask("POST", "/api/me/break", {"id": "away", "minutes": 60}, token)[0] == 200
        wager = {"do": "place_wager", "player": name, "box": box, "wager": "initial", "amount": 500}
        codes.append(act(there, table, token, seen, **wager))
        act(there, table, token, do="leave")
    return codes


def test_a_purse_is_not_filled_while_a_server_hangs_that_may_hold_its_chips(house: SharedHouse) -> None:
    here, there = house.servers
    _, token = here.guest()
    there.send(signal.SIGSTOP)
    try:
        status, told = here.ask("POST", "/api/me/refill", {"id": "r"}, token)
    finally:
        there.send(signal.SIGCONT)
    assert (status, json.loads(told)["code"]) == (503, "busy")
    there.await_ready()


def test_while_a_server_hangs_its_money_and_its_tables_are_shown(cluster: Cluster, tmp_path: Path) -> None:
    """What a player has at its tables comes from the log, and the lobby says that they are stopped."""
    with SharedHouse(tmp_path, cluster.new_house(), tables_text({"nz": "nz", "ma": "ma"}, LONG)) as house:
        house.await_spread([1, 1])
        here, there = house.servers
        name, token = here.guest()
        for table in ("nz", "ma"):
            assert act(here, table, token, do="sit", box=1) == "done"
            assert act(here, table, token, do="buy_chips", amount=1_700) == "done"
            until, code = time.monotonic() + 20, ""
            while code != "done":
                assert time.monotonic() < until, code
                code = act(here, table, token, do="place_wager", player=name, box=1, wager="initial", amount=1_000)
        ways = ("/api/me", "/api/session", "/api/tables")
        before = [here.json("GET", path, token=token) for path in ways]
        assert before[0]["on_layout"] == {"nz": 1_000, "ma": 1_000}
        there.send(signal.SIGSTOP)
        try:
            me, session, lobby = (here.json("GET", path, token=token) for path in ways)
        finally:
            there.send(signal.SIGCONT)
    money = ("purse", "chips", "on_layout", "can_refill")
    assert [[one[part] for part in money] for one in (me, session["me"])] == [[before[0][part] for part in money]] * 2
    assert sorted(line["is_stopped"] for line in lobby) == [False, True]
    known = [[{**line, **dict.fromkeys(OWN)} for line in lines] for lines in (before[2], lobby)]
    assert known[0] == known[1]
