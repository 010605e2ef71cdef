"""A table whose server dies, is paused, or leaves: another takes it up as it stood; and races over two servers."""

import asyncio
import json
import os
import signal
import threading
import time
from contextlib import closing
from pathlib import Path

from websockets.asyncio.client import connect

from casinowar import protocol as f
from casinowar.client import Client, Ended
from casinowar.store import PlayerLimitsSet, audit
from casinowar.store.postgres.store import PostgresStore
from tests.support.postgres import Cluster
from tests.support.shared_house import ServerProcess, SharedHouse, tables_text

RACES, WAGERS = int(os.environ.get("PEER_RACES", "1")), 200
HANDOVERS = int(os.environ.get("HANDOVERS", "1"))
WRITERS, WRITES = 16, int(os.environ.get("PEER_WRITES", "5"))
FOUR = {"nz": "nz", "ma": "ma", "wa": "wa", "ca": "ca"}
PURSE = 1_000
SLOW = """
[tables.timers]
betting = 600
decision = 600
war_betting = 0
cut = 0
entropy = 0
pause = 0
card = 0
absent = 3600
"""
LONG_DECISION = SLOW.replace("betting = 600", "betting = 0.2", 1)


def owner_and_other(house: SharedHouse) -> tuple[ServerProcess, ServerProcess]:
    """The server that has the one table, and the other."""
    house.await_spread([0, 1])
    first, second = house.servers
    return (first, second) if first.tables() else (second, first)


def command(server: ServerProcess, table: str, token: str, id: str, **fields: object) -> tuple[int, bytes]:
    version = server.json("GET", f"/api/tables/{table}", token=token)["version"]
    body = {"id": id, "expected": version, "command": fields}
    return server.ask("POST", f"/api/tables/{table}/commands", body, token)


def play_until_asked(server: ServerProcess, guests: list[tuple[str, str]]) -> tuple[int, str]:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        view = server.json("GET", "/api/tables/nz", token=guests[0][1])["view"]
        if view["asked"]:
            box, name = view["asked"][0]
            return int(box), str(name)
        for box, (name, token) in enumerate(guests, start=1):
            wager = {"player": name, "box": box, "wager": "initial", "amount": 500}
            command(server, "nz", token, f"w-{box}-{time.monotonic_ns()}", do="place_wager", **wager)
    raise AssertionError("no tie in two minutes")


def test_an_open_decision_goes_over_to_another_server_and_whoever_watches_goes_on(
    tmp_path: Path, cluster: Cluster
) -> None:
    with SharedHouse(tmp_path, cluster.new_house(), tables_text({"nz": "nz"}, LONG_DECISION)) as house:
        owner, other = owner_and_other(house)
        guests = [other.guest() for _ in range(6)]
        for box, (_, token) in enumerate(guests, start=1):
            assert command(other, "nz", token, f"sit-{box}", do="sit", box=box)[0] == 200
        box, name = play_until_asked(other, guests)
        token = dict(guests)[name]
        before = other.json("GET", "/api/tables/nz", token=token)["view"]

        async def watch_on() -> tuple[str, float, int]:
            async with Client.connect(other.url, token, adds_entropy=False) as client:
                live = await client.watch("nz")
                owner.kill()
                begun = time.monotonic()
                war = {"do": "go_to_war", "player": name, "box": box}
                done = await live.do(war, expected=live.view.version)
                return done.table, time.monotonic() - begun, client.connection.connections

        table, took, connections = asyncio.run(watch_on())
        assert (table, connections) == ("nz", 1), "over the socket that was open before"
        after = other.json("GET", "/api/tables/nz", token=token)["view"]
        assert after["round"] == before["round"]
        print(f"\ntaken over and answered {took:.2f} s after the kill")
        assert took < 30


class CameAgain(AssertionError):
    """The socket of a player was ended, and the player came over another."""


async def buy(server: ServerProcess, table: str, waits: dict[str, list[float]], is_over: asyncio.Event) -> None:
    """Buy a unit of chips again and again over one socket, and note how long each answer took."""
    async with Client.connect(server.url, adds_entropy=False) as client:
        await client.guest()
        live = await client.watch(table)
        await live.do(f.Sit(box=1))
        while not is_over.is_set():
            begun = time.monotonic()
            await live.do(f.BuyChips(amount=1))
            waits[table].append(time.monotonic() - begun)
        if client.connection.connections != 1:
            raise CameAgain(f"at {table}: {client.connection.connections} sockets")


async def hand_over(house: SharedHouse, times: int) -> list[float]:
    """Stop one server in order and start it again, so often, while clients of the other play at all tables: the longest
    that one of them waited for an answer, each time. It is looked at when all have been answered after the end."""
    is_over, longest = asyncio.Event(), list[float]()
    waits: dict[str, list[float]] = {table: [] for table in FOUR}
    leaving, staying = house.servers
    players = [asyncio.create_task(buy(staying, table, waits, is_over)) for table in FOUR]

    async def until_each_has(more: dict[str, int]) -> None:
        while any(len(waits[table]) < more[table] for table in FOUR) and not any(one.done() for one in players):
            await asyncio.sleep(0.01)

    for _ in range(times):
        await until_each_has(dict.fromkeys(FOUR, 10))
        for one in waits.values():
            one.clear()
        assert await asyncio.to_thread(leaving.kill, signal.SIGTERM) == 0
        await until_each_has({table: len(had) + 1 for table, had in waits.items()})
        if any(one.done() for one in players):
            break
        longest.append(max(max(one) for one in waits.values()))
        for one in waits.values():
            one.clear()
        if len(longest) < times:
            await asyncio.to_thread(leaving.start)
            await asyncio.to_thread(house.await_spread, [2, 2])
    is_over.set()
    await asyncio.gather(*players)
    return longest


def test_a_table_is_handed_over_in_under_a_second(tmp_path: Path, cluster: Cluster) -> None:
    with SharedHouse(tmp_path, cluster.new_house(), tables_text(FOUR, SLOW)) as house:
        house.await_spread([2, 2])
        longest = asyncio.run(asyncio.wait_for(hand_over(house, HANDOVERS), 60 * HANDOVERS))
    print(f"\n{HANDOVERS} servers stopped, the longest wait of a player at their tables {max(longest):.3f} s")
    assert max(longest) < (1.0 if HANDOVERS > 1 else 10.0), "beside other tests the machine is busy"


def test_a_server_that_keeps_its_leases_is_found(tmp_path: Path, cluster: Cluster) -> None:
    text = tables_text(FOUR, SLOW)
    with SharedHouse(tmp_path, cluster.new_house(), text, program="tests.crash.peers.keeping_peer") as house:
        house.await_spread([2, 2])
        try:
            longest = max(asyncio.run(asyncio.wait_for(hand_over(house, 1), 60)))
        except (Ended, CameAgain, TimeoutError):
            return  # It was slow to end: who played at its tables was told goodbye and came again, or waits still.
        assert longest > 5, f"{longest}: until the server ends, or its leases do"


def paused(folder: Path, cluster: Cluster, program: str) -> tuple[bool, list[str], int]:
    """Pause the owner of a table until another has taken it, send it a command, and wake it up: whether the new owner
    shows what was done, what the audit finds, and how many tables the old one still decides."""
    with SharedHouse(folder, cluster.new_house(), tables_text({"nz": "nz"}, SLOW), program=program) as house:
        owner, other = owner_and_other(house)
        name, token = other.guest()
        version = other.json("GET", "/api/tables/nz", token=token)["version"]
        body = {"id": "sit", "expected": version, "command": {"do": "sit", "box": 3}}
        owner.send(signal.SIGSTOP)
        told = list[tuple[int, bytes]]()
        asking = threading.Thread(
            target=lambda: told.append(owner.ask("POST", "/api/tables/nz/commands", body, token, 120))
        )
        asking.start()
        until = time.monotonic() + 60
        while other.tables() == 0:
            assert time.monotonic() < until
            time.sleep(0.05)
        owner.send(signal.SIGCONT)
        asking.join(120)
        assert told[0][0] == 200, told
        seats = other.json("GET", "/api/tables/nz", token=token)["seats"]
        until = time.monotonic() + 10
        while (left := owner.tables()) and program == "casinowar" and time.monotonic() < until:
            time.sleep(0.05)
        with closing(PostgresStore(house.url, for_reading=True)) as store:
            return any(seat["player"] == name for seat in seats), list(audit(store)), left


def test_a_paused_server_that_wakes_up_commits_nothing(tmp_path: Path, cluster: Cluster) -> None:
    is_shown, faults, left = paused(tmp_path, cluster, "casinowar")
    assert is_shown, "the command went to the new owner"
    assert faults == []
    assert left == 0, "the old owner has dropped the table"


def test_a_server_that_does_not_ask_for_its_lease_is_found(tmp_path: Path, cluster: Cluster) -> None:
    is_shown, _, _ = paused(tmp_path, cluster, "tests.crash.peers.unfenced_peer")
    assert not is_shown, "the old owner has written behind the back of the new one"


async def sent_at_once(ways: list[tuple[ServerProcess, str]], frames: list[str]) -> list[dict[str, str]]:
    """Every frame over a socket of its own at the same moment, and the answers."""
    tickets = [(server, server.json("POST", "/api/socket-ticket", {}, token)["ticket"]) for server, token in ways]
    sockets = [
        await connect(f"ws://127.0.0.1:{server.port}/api/socket?ticket={ticket}", compression=None)
        for server, ticket in tickets
    ]

    async def say(socket: object, frame: str) -> dict[str, str]:
        await socket.send(frame)  # type: ignore[attr-defined]
        while True:
            answer = json.loads(await socket.recv())  # type: ignore[attr-defined]
            assert answer["type"] not in ("error", "goodbye"), f"nothing more comes: {answer}"
            if answer["type"] in ("done", "refused"):
                return dict(answer)

    try:
        return list(await asyncio.gather(*(say(*pair) for pair in zip(sockets, frames, strict=True))))
    finally:
        for socket in sockets:
            await socket.close()


def race(folder: Path, cluster: Cluster, races: int, program: str = "casinowar") -> list[tuple[int, set[str], int]]:
    """So often: 200 wagers for one wager's money over two tables, each at a server of its own, sent to both servers.
    Of each race how many were taken, why the others were not, and what the purse has left."""
    limits: tuple[str, ...] = ("requests_per_second=100000", "requests_at_once=100000", "sockets_per_account=400")
    limits += ("sockets_per_address=400", "messages_at_once=10000", "address_messages_at_once=10000")
    limits += ("messages_per_second=10000", "address_messages_per_second=10000", "arrivals_per_second=100")
    limits += ("arrivals_at_once=10000", "seats_per_address=10000", "connections_per_address=1000")
    text = tables_text({"one": "nz", "two": "nz"}, SLOW, f"guest_purse = {PURSE}\n")
    outcomes = []
    with SharedHouse(folder, cluster.new_house(), text, program=program, limits=limits) as house:
        house.await_spread([1, 1])
        for number in range(races):
            box = 1 + number % 6
            first, second = house.servers
            name, token = first.guest()
            versions = {}
            for table in ("one", "two"):
                assert command(second, table, token, f"sit-{table}-{number}", do="sit", box=box)[0] == 200
                until = time.monotonic() + 60
                while (seen := first.json("GET", f"/api/tables/{table}", token=token))["seal"]["stage"] != "dealing":
                    assert time.monotonic() < until
                    time.sleep(0.05)
                versions[table] = seen["version"]
            wager = {"do": "place_wager", "player": name, "box": box, "wager": "initial", "amount": PURSE}
            frames = [
                json.dumps({"type": "command", "id": f"{number}-{at}", "table": table, "expected": versions[table],
                            "command": wager})
                for at, table in enumerate(("one", "two", "two", "one") * (WAGERS // 4))
            ]  # fmt: skip
            ways = [(house.servers[at % 2], token) for at in range(WAGERS)]
            told = asyncio.run(sent_at_once(ways, frames))
            taken = sum(one["type"] == "done" for one in told)
            reasons = {one["code"] for one in told if one["type"] == "refused"}
            outcomes.append((taken, reasons, first.json("GET", "/api/me", token=token)["purse"]))
            for table in ("one", "two"):
                command(
                    first,
                    table,
                    token,
                    f"back-{table}-{number}",
                    do="withdraw_wager",
                    player=name,
                    box=box,
                    wager="initial",
                )
                command(first, table, token, f"leave-{table}-{number}", do="leave")
    return outcomes


def test_of_two_hundred_wagers_over_two_servers_exactly_one_is_taken(tmp_path: Path, cluster: Cluster) -> None:
    for outcome in race(tmp_path, cluster, RACES):
        assert outcome == (1, {"insufficient_funds"}, 0)


def test_a_server_that_lends_is_found(tmp_path: Path, cluster: Cluster) -> None:
    assert [taken for taken, _, _ in race(tmp_path, cluster, 1, "tests.crash.peers.lending_peer")] != [1]


def write_together(house: SharedHouse, writes: int) -> list[str]:
    """Have sixteen people, eight at each server, write to the house's stream at once: what is wrong with it then."""
    people = [house.servers[number % 2].guest() for number in range(WRITERS)]
    told = dict[tuple[int, str], tuple[dict[str, object], tuple[int, bytes]]]()

    def write(number: int) -> None:
        for turn in range(writes):
            id = f"race-{number}-{turn}"
            body = {"id": id, "loss": 1_000_000 - turn, "minutes": None}
            told[number, id] = body, house.servers[number % 2].ask("PUT", "/api/me/limits", body, people[number][1])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [f"{id}: {answer}" for (_, id), (_, answer) in told.items() if answer[0] != 200]
    for (number, id), (body, answer) in told.items():
        again = house.servers[1 - number % 2].ask("PUT", "/api/me/limits", body, people[number][1])
        if again != answer:
            found.append(f"{id} was told {answer} and then {again}")
    with closing(PostgresStore(house.url, for_reading=True)) as store:
        written = list(store.read("house"))
        found += audit(store)
    if [one.version for one in written] != list(range(1, len(written) + 1)):
        found.append("the stream has a gap or a fork")
    done = sorted(one.command for one in written if isinstance(one.event, PlayerLimitsSet))
    if done != sorted(f"race-{number}-{turn}" for number in range(WRITERS) for turn in range(writes)):
        found.append(f"{len(done)} of {WRITERS * writes} commands are there")
    return found


def test_sixteen_writers_at_two_servers_leave_no_fork_and_no_gap(tmp_path: Path, cluster: Cluster) -> None:
    with SharedHouse(tmp_path, cluster.new_house(), tables_text({"nz": "nz"}, SLOW)) as house:
        assert write_together(house, WRITES) == []
    print(f"\n{WRITERS} writers at two servers, {WRITERS * WRITES} commands: no fork, no gap, each there once")


def test_a_server_that_takes_a_lost_race_for_won_is_found(tmp_path: Path, cluster: Cluster) -> None:
    program = "tests.crash.peers.careless_peer"
    with SharedHouse(tmp_path, cluster.new_house(), tables_text({"nz": "nz"}, SLOW), program=program) as house:
        assert write_together(house, 20)


def test_tables_that_a_server_cannot_take_up_are_taken_by_another_and_stay_there(
    tmp_path: Path, cluster: Cluster
) -> None:
    """Where a server knows fewer rulebooks, its share would be nobody's, and it would be handed them again."""
    with SharedHouse(tmp_path, cluster.new_house(), tables_text({"wa": "wa", "wb": "wa"}), servers=1) as house:
        house.await_spread([2])
        _, token = house.servers[0].guest()
        house.program = "tests.crash.peers.strange_peer"
        strange = ServerProcess(house, 1)
        house.servers.append(strange)
        strange.start()
        house.servers[0].kill()
        while "could not be taken up" not in strange.log.read_text():
            time.sleep(0.05)
        house.program = "casinowar"
        house.servers[0].start()
        for table in ("wa", "wb"):
            told = command(strange, table, token, f"sit-{table}", do="sit", box=1)
            assert told[0] == 200, told
        until = time.monotonic() + 60
        while (found := (house.servers[0].tables(), strange.tables())) != (2, 0):
            assert time.monotonic() < until, found
            time.sleep(0.1)
