"""A house in PostgreSQL: served, kept by `casinowar admin`, audited, and copied from a folder and back."""

import asyncio
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import apsw
import asyncpg  # type: ignore[import-untyped]
import pytest

from casinowar.engine import events as e
from casinowar.house import shared_tables
from casinowar.house.shared_tables import PAUSED_MS, Elsewhere
from casinowar.store import BreakTaken, Proposal, SqliteStore, StoreFailed, StoreFault, StoreInUse, audit
from casinowar.store.commit import wall_clock
from casinowar.store.contract import EventRow
from casinowar.store.postgres.connection import SETTINGS, Connection, ConnectionLost
from casinowar.store.postgres.migrate import LOCK
from casinowar.store.postgres.store import PostgresStore
from casinowar.store.sqlite.connection import execute
from casinowar.web import app
from casinowar.web import run as run_of_server
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.accounts.database import AccountsDatabase, TicketsTable
from casinowar.web.accounts.logins import login_key
from casinowar.web.accounts.refusals import AccountsBusy, MustWait, NameTaken
from casinowar.web.backup import house_copy
from casinowar.web.peers import peers as peers_module
from casinowar.web.peers.messages import Return
from casinowar.web.peers.peers import ALL_S, Peers
from casinowar.web.run import Place
from tests.store.test_chains import night
from tests.store.test_store_contract import fund, write
from tests.support.commandline import run
from tests.support.live_server import HOUSE, Caller, LiveServer, fresh_id, running
from tests.support.postgres import Cluster
from tests.web.test_accounts import BY, WHY, Clock, CountingHasher

PASSWORD = "correct horse"
KILL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casinowar'"


# The server


def test_a_house_is_served_from_a_database_and_goes_on_where_it_was(
    tmp_path: Path, database: str, cluster: Cluster
) -> None:
    with running(tmp_path, database=database) as live:
        player = Caller(live).guest()
        before = player.ask("GET", "/api/me").json
        assert player.command("nz", {"do": "sit", "box": 2}).status == 200
        cluster.run(KILL)
        assert player.command("nz", {"do": "buy_chips", "amount": 1000}).status == 200
        now = player.ask("GET", "/api/me").json
        assert now["purse"] == before["purse"] - 1000
        with pytest.raises(StoreInUse, match="another server works on"):
            PostgresStore(database, is_alone=True)
        with pytest.raises(ValueError, match="sign with another key"), running(tmp_path / "b", database=database):
            raise AssertionError("checkpoints of one house have one key")
    with running(tmp_path, database=database) as live:
        again = Caller(live)
        assert player.cookie is not None
        again.cookie = f"casinowar_session_{live.port}={player.cookie.partition('=')[2]}"  # It is named by the port.
        answer = again.ask("GET", "/api/me")
        assert answer.status == 200, answer
        assert answer.json["purse"] == now["purse"], "the login and the purse are there again"
    told = run("audit", "--database", database, "--key", str(tmp_path / "checkpoints.key"), "--json")
    verdict = json.loads(told.out)
    assert (told.status, verdict["findings"], verdict["counts"]["tables"]) == (0, [], 2)


def test_nobody_ends_the_server_by_sending_an_old_command_twice_at_once(tmp_path: Path, database: str) -> None:
    """Both copies come into one transaction, with a command that has locked table and purse before them.

    The more there is to do, the longer a server gathers: here as long as it takes to send three.
    """
    with running(tmp_path, database=database) as live:
        player = Caller(live).guest()
        with closing(player.socket()) as socket:
            version = socket.watch("nz")["view"]["version"]

            def send(id: str, command: dict[str, object]) -> None:
                socket.send({"type": "command", "id": id, "table": "nz", "expected": version, "command": command})

            send("sit", {"do": "sit", "box": 2})
            assert socket.next_of("done", "refused")["type"] == "done"
            send("old", {"do": "buy_chips", "amount": 1000})
            first = socket.next_of("done", "refused")
            live.call(lambda: setattr(live.server, "_pause_ends", time.monotonic() + 1))
            for id in ("new", "old", "old"):
                send(id, {"do": "buy_chips", "amount": 1000})
            told = [socket.next_of("done", "refused", "goodbye") for _ in range(3)]
        assert [one.get("id") for one in told] == ["new", "old", "old"]
        assert told[1:] == [first, first]
        assert live.server.house.out_of_service is None
        assert player.ask("GET", "/api/me").json["chips"] == {"nz": 2000}


def test_a_server_with_a_wrong_clock_is_refused(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A break would be over an hour early there."""
    monkeypatch.setattr(run_of_server, "wall_clock", lambda: wall_clock() - 3_600_000)
    with pytest.raises(ValueError, match=r"3\d\d\d s apart: set them right"), running(tmp_path, database=database):
        raise AssertionError("an hour is too much")


def _ahead(clock: Clock, ms: int) -> int:
    return clock() + ms


def test_a_ticket_is_good_at_a_server_whose_clock_differs(database: str) -> None:
    clock = Clock()
    here, there = (Accounts(database, now=partial(_ahead, clock, at), hasher=CountingHasher()) for at in (0, 3_600_000))
    for giver, taker in ((here, there), (there, here)):
        name = giver.new_guest().name
        key = login_key(giver.open_login(name))
        tickets, others = giver.tickets(), taker.tickets()
        assert tickets is not None
        assert others is not None
        ticket = tickets.issue(name, key)
        assert others.redeem(ticket) == (name, key)
        assert tickets.redeem(ticket) is None
    late = TicketsTable(AccountsDatabase(database), seconds=-1)
    assert late.redeem(late.issue("ana", key)) is None
    for one in (here, there):
        one.close()


def test_a_purse_that_changes_while_other_servers_are_asked_is_not_filled(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else chips that go from a table to the purse and back are in neither when it is looked at."""
    with running(tmp_path, database=database) as live:
        player = Caller(live).guest()
        assert player.command("nz", {"do": "sit", "box": 2}).status == 200
        name, moves = player.ask("GET", "/api/me").json["player"], [True, False]

        async def ask(request: object, path: str = "") -> list[Return]:
            if moves and moves.pop():
                live.server.house._log.fund("house", f"f{len(moves)}", name, 5, "house", "meanwhile")
            return [Return(0, 200, [], json.dumps({"chips": {}, "on_layout": {}}).encode())]

        monkeypatch.setattr(live.server.peers, "call_all", ask)
        monkeypatch.setattr(live.server.peers, "peers", lambda: [2])
        assert player.ask("POST", "/api/me/refill", {"id": "a"}).json["code"] == "purse_not_low"
        moves += [True] * 9
        assert player.ask("POST", "/api/me/refill", {"id": "b"}).json["code"] == "busy"
        moves.clear()
        monkeypatch.setattr(live.server.peers, "peers", lambda: [2, 3])
        assert player.ask("POST", "/api/me/refill", {"id": "c"}).json["code"] == "busy", "one did not answer"


def test_a_purse_is_not_filled_while_its_chips_are_at_a_table_that_is_being_handed_over(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody decides the table at the moment: no server tells of the chips there."""
    with running(tmp_path, database=database) as live:
        player, house = Caller(live).guest(), live.server.house
        assert player.command("nz", {"do": "sit", "box": 2}).status == 200
        purse = player.ask("GET", "/api/me").json["purse"]
        assert player.command("nz", {"do": "buy_chips", "amount": purse}).status == 200

        async def ask(request: object, path: str = "") -> list[Return]:
            shared = house.shared
            assert shared is not None
            monkeypatch.setattr(shared, "look", lambda: False)
            shared.give([house.tables["nz"].stream])
            return [Return(0, 200, [], json.dumps({"chips": {}, "on_layout": {}}).encode())]

        monkeypatch.setattr(live.server.peers, "call_all", ask)
        monkeypatch.setattr(live.server.peers, "peers", lambda: [2])
        assert player.ask("POST", "/api/me/refill", {"id": "a"}).json["code"] == "purse_not_low"


def test_chips_that_go_to_another_server_when_all_have_been_asked_are_money_too(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else somebody who buys chips there and asks for a refill here at the same moment has both."""
    with running(tmp_path, database=database) as live:
        player = Caller(live).guest()
        house, name = live.server.house, player.ask("GET", "/api/me").json["player"]
        assert house.shared is not None
        has_moved, moments = house.shared.has_moved, ["seen", "decided"]

        async def ask(request: object, path: str = "") -> list[Return]:
            return [Return(0, 200, [], json.dumps({"chips": {}, "on_layout": {}}).encode())]

        def buy() -> None:
            with closing(PostgresStore(database)) as other:
                event, version = e.BoughtIn(name, 99_000), other.version("there")
                other.commit(Proposal(stream="there", expected=version, actor=name, command=fresh_id(),
                                      body=b"", answer="", events=(event,)))  # fmt: skip

        def asked(account: str, since: int) -> bool:
            moved = has_moved(account, since)
            if moments[0] == "seen":
                buy()
            return moved

        def looked(player: str, has: int) -> bool:
            if moments[0] == "decided":
                buy()
                return True
            return can_refill(player, has)

        can_refill = house._can_refill
        monkeypatch.setattr(live.server.peers, "call_all", ask)
        monkeypatch.setattr(live.server.peers, "peers", lambda: [2])
        monkeypatch.setattr(house.shared, "has_moved", asked)
        monkeypatch.setattr(house, "_can_refill", looked)
        while moments:
            assert player.ask("POST", "/api/me/refill", {"id": moments[0]}).json["code"] == "not_written"
            assert house.store.balance(f"purse:{name}") == 1_000
            house._log.fund("house", f"back-{moments.pop(0)}", name, 99_000, "house", "for the next try")


def test_a_server_that_was_paused_knows_of_a_break_before_it_takes_a_wager(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player was told of the break by another one, which did not wait for long."""
    with running(tmp_path, database=database) as live:
        player = Caller(live).guest()
        name, shared = player.ask("GET", "/api/me").json["player"], live.server.house.shared
        assert shared is not None
        assert player.command("nz", {"do": "sit", "box": 2}).status == 200
        monkeypatch.setattr(shared, "look", lambda: False)
        with closing(PostgresStore(database)) as other:
            event = BreakTaken(name, wall_clock() + 3_600_000)
            other.commit(Proposal(stream="house", expected=other.version("house"), actor=name, command=fresh_id(),
                                  body=b"", answer="", events=(event,), is_of_a_table=False))  # fmt: skip
        time.sleep(PAUSED_MS / 1000)
        assert PAUSED_MS < 1000 * ALL_S
        wager = {"do": "place_wager", "player": name, "box": 2, "wager": "initial", "amount": 500}
        assert player.command("nz", wager).json["code"] == "away_from_play"


def test_a_request_to_a_server_that_says_nothing_any_more_ends(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has its leases still, and its line is silent."""

    async def wait(peer: int, call: object) -> None:
        await asyncio.Event().wait()

    def elsewhere(table: str) -> None:
        raise Elsewhere(table)

    with running(tmp_path, database=database) as live:
        player, peers = Caller(live).guest(), live.server.peers
        assert isinstance(peers, Peers)
        monkeypatch.setattr(peers_module, "WAIT_S", 1.2)
        monkeypatch.setattr(peers.links, "call", wait)
        monkeypatch.setattr(peers, "owner", lambda table: 2)
        monkeypatch.setattr(live.server.house, "check_here", elsewhere)
        assert player.ask("GET", "/api/tables/nz").json["code"] == "out_of_service"


def test_a_word_wakes_the_others(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one server writes the other knows long before it would look around by itself."""
    monkeypatch.setattr(app, "LOOK_S", 3_600.0)
    with running(tmp_path, database=database) as one, running(tmp_path, database=database) as other:
        for here, there in ((one, other), (other, one)):
            body = {"id": "own", "rulebook": "nz"}
            name = Caller(here).guest().ask("POST", "/api/tables/private", body).json["table"]
            until = time.monotonic() + 20
            while name not in there.server.house.listed:
                assert time.monotonic() < until, "nobody has told it"
                time.sleep(0.01)


def test_a_server_at_which_nothing_happens_keeps_up_with_the_others_and_reads_no_night_at_once(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever takes up a table reads on to the end first, and everybody waits meanwhile."""
    monkeypatch.setattr(shared_tables, "ROWS_AT_ONCE", 50)
    monkeypatch.setattr(shared_tables, "RENEW_MS", 100)
    with running(tmp_path, database=database) as live, closing(PostgresStore(database, is_shared=True)) as other:
        shared, asked = live.server.house.shared, list[tuple[int, int]]()
        assert shared is not None
        rows_of_others = shared.store.rows_of_others

        def read(after: int, until: int, without: Sequence[str]) -> list[EventRow]:
            asked.append((after, until))
            return rows_of_others(after, until, without)

        monkeypatch.setattr(shared.store, "rows_of_others", read)
        fund(other, "ana", 5000)
        write(other, "1", *[e.BoughtIn("ana", 1)] * 220, stream="elsewhere")
        end, deadline = other.head().events, time.monotonic() + 20
        while not asked or asked[-1][1] < end:
            assert time.monotonic() < deadline, asked
            time.sleep(0.02)
        assert max(until - after for after, until in asked) <= 50


def test_a_table_that_could_not_be_taken_up_is_free_for_others(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its lease is kept, and nobody ever decides it again."""
    with running(tmp_path, database=database) as live:
        player, shared = Caller(live).guest(), live.server.house.shared
        assert shared is not None
        stream = live.server.house.tables["nz"].stream

        def read(*_: object) -> list[EventRow]:
            raise asyncpg.QueryCanceledError("canceling statement due to user request")

        monkeypatch.setattr(shared.store, "rows_of_others", read)
        live.call(partial(shared.give, [stream]))
        assert player.command("hand", {"do": "sit", "box": 2}).status == 200, "something is written behind the last one"
        live.call(shared.look)
        assert stream not in shared.store.leases
        monkeypatch.undo()
        monkeypatch.setattr(shared_tables, "AGAIN_MS", 0)
        live.call(shared.look)
        assert player.command("nz", {"do": "sit", "box": 2}).status == 200


def test_a_server_that_leaves_and_finds_its_store_failed_goes_on_to_its_end(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drain ended in a traceback."""

    def fail() -> None:
        raise StoreFailed("the database is gone")

    with running(tmp_path, database=database) as live:
        peers = live.server.peers
        assert isinstance(peers, Peers)
        monkeypatch.setattr(peers.shared, "leave", fail)
        assert asyncio.run_coroutine_threadsafe(peers.hand_over(), live._loop).result(30) is False
        assert live.server.house.out_of_service == "the database is gone"


def test_who_is_at_a_table_is_told_again_where_the_word_was_lost(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others count seats and private tables by it, however long nobody comes or goes there."""
    with running(tmp_path, database=database) as live:
        player, house, shared = Caller(live).guest(), live.server.house, live.server.house.shared
        assert shared is not None
        table = house.tables["nz"]
        execute, is_away = shared.registry._execute, [True]  # type: ignore[attr-defined]

        def fail_once(sql: str, values: tuple[object, ...] = ()) -> object:
            if is_away and "INSERT INTO table_people" in sql:
                is_away.clear()
                raise ConnectionLost("the database was away")
            return execute(sql, values)

        monkeypatch.setattr(shared.registry, "_execute", fail_once)
        assert player.command("nz", {"do": "sit", "box": 2}).status == 200
        deadline = time.monotonic() + 20
        while player.name.encode() not in live.call(partial(shared.registry.people, [table.stream]))[table.stream][1]:
            assert time.monotonic() < deadline, "nobody ever told it"
            time.sleep(0.05)
        assert not is_away


def test_nobody_is_told_that_a_table_is_over_before_that_is_written(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else nobody would take it up again, and the chips that still lie there in the log could not be had."""
    with running(tmp_path, database=database) as live:
        house, shared = live.server.house, live.server.house.shared
        assert shared is not None
        over = house.tables["nz"]

        def fail() -> None:
            raise PostgresStore._fail(shared.store, OSError("the disk is gone"))  # type: ignore[arg-type]

        def close() -> None:
            house.gather()
            monkeypatch.setattr(shared.store, "finish_together", fail)
            with pytest.raises(StoreFailed):
                shared.close_stream(over)

        live.call(close)
        told = live.call(partial(shared.registry.people, [over.stream])).get(over.stream)
        assert told is None or not told[0]


def test_whoever_comes_to_watch_first_when_the_store_has_failed_is_told(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LOOK_S", 3_600.0)
    with running(tmp_path, database=database) as live, closing(Caller(live).guest().socket()) as socket:
        monkeypatch.setattr(live.server.house.store, "_failure", "the disk is full")
        assert socket.watch("nz")["code"] == "out_of_service"
        assert live.server.metrics.faults._value.get() == 0


# The accounts


@pytest.fixture
def two(database: str) -> Iterator[tuple[Accounts, Accounts, Clock]]:
    """The accounts as two servers have them."""
    clock = Clock()
    opened = [Accounts(database, now=clock, tick=clock, hasher=CountingHasher()) for _ in range(2)]
    yield opened[0], opened[1], clock
    for one in opened:
        one.close()


def test_a_person_comes_by_any_server(two: tuple[Accounts, Accounts, Clock]) -> None:
    first, second, _ = two
    first.register("Ana", PASSWORD)
    with pytest.raises(NameTaken):
        second.register("ANA", PASSWORD)
    token = first.open_login("ana")
    found = second.account_of(token)
    assert found is not None
    assert found.name == "Ana"
    assert second.check_password("aNA", PASSWORD) is not None


def test_a_lock_at_one_server_ends_the_logins_at_the_other(two: tuple[Accounts, Accounts, Clock]) -> None:
    first, second, _ = two
    first.register("ana", PASSWORD)
    token = first.open_login("ana")
    assert second.account_of(token) is not None
    first.lock("ana", BY, WHY)
    until = time.monotonic() + 20
    while second.account_of(token) is not None:
        assert time.monotonic() < until
        time.sleep(0.002)
    assert second.is_locked("ana")


def test_failures_at_one_server_count_at_the_other(two: tuple[Accounts, Accounts, Clock]) -> None:
    first, second, clock = two
    first.register("ana", PASSWORD)
    for one in (first, second, first, second, first):
        assert one.check_password("ana", "wrong") is None
    for one in (first, second):
        with pytest.raises(MustWait):
            one.check_password("ana", PASSWORD)
    clock.ms += 1_500
    assert second.check_password("ana", PASSWORD) is not None
    assert first.check_password("ana", PASSWORD) is not None, "and what is forgiven is forgiven"


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, cluster: Cluster) -> Callable[[int], None]:
    """End all connections, and let nobody in for so many times."""
    from casinowar.web.accounts import database as module

    turned_away = 0

    def connect(url: str) -> Connection:
        nonlocal turned_away
        turned_away -= 1
        if turned_away >= 0:
            raise StoreFault("a standby") if turned_away % 2 else ConnectionLost("it starts up")
        return Connection(url)

    def go_away(times: int) -> None:
        nonlocal turned_away
        turned_away = times
        cluster.run(KILL)

    monkeypatch.setattr(module, "Connection", connect)
    return go_away


def test_accounts_wait_for_a_database_that_comes_back(
    two: tuple[Accounts, Accounts, Clock], away: Callable[[int], None]
) -> None:
    first, second, _ = two
    first.register("ana", PASSWORD)
    token = first.open_login("ana")
    away(4)
    assert second.account_of(token) is not None, "what only reads is done again"
    away(4)
    second.register("bob", PASSWORD)
    assert first.account("bob") is not None, "what has not begun is done then"


def test_what_was_under_way_when_the_database_went_is_told_and_stops_nothing(
    two: tuple[Accounts, Accounts, Clock], away: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, clock = two
    first.register("ana", PASSWORD)
    token = first.open_login("ana")
    change = "UPDATE accounts SET seen_at = 7 WHERE name = 'ana'"

    def change_it(times: int) -> None:
        with first._file.transaction():
            first._file.execute(change)
            away(2)
            for _ in range(times):
                first._file.execute(change)

    for told, times in (("nothing was changed", 1), ("look whether it was done", 0)):
        with pytest.raises(AccountsBusy, match=told):
            change_it(times)
        known = first.account("ana")
        assert known is not None
        assert known.seen_at == clock.ms, "it was rolled back"
    clock.ms += 120_000
    noted: list[str] = []

    def note(key: str, login: object) -> None:
        noted.append(key)
        raise AccountsBusy("away")

    monkeypatch.setattr(first._logins, "_note", note)
    assert first.account_of(token) is not None, "that a use could not be noted ends no login"
    assert noted


def test_the_operator_keeps_the_accounts_of_a_database(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASINOWAR_DATABASE", database)
    words = ("admin", "add", "ana", "--data", str(tmp_path), "--password-stdin")
    assert run(*words, stdin="a long enough one\n").out == "ana added\n"
    assert list(tmp_path.iterdir()) == [], "the server with these words reads no accounts from the folder"
    assert run("admin", "grant", "ana", "dealer", "--reason", "opening").status == 0
    assert [one["roles"] for one in json.loads(run("admin", "accounts", "--json").out)] == [["dealer"]]


def test_a_database_is_made_ready_by_hand(cluster: Cluster) -> None:
    url = cluster.new_database()
    assert run("admin", "migrate", "--database", url).out == "4 migrations were run\n"
    assert run("admin", "migrate", "--database", url).out == "nothing to do: it is up to date\n"
    told = run("admin", "migrate", "--database", "postgresql://ana:secret@127.0.0.1:1/x")
    assert told.status == 2
    assert "cannot be reached" in told.err
    assert "secret" not in told.err


def test_a_migration_waits_for_another_one_and_says_so_in_a_line(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.new_database()
    monkeypatch.setitem(SETTINGS, "lock_timeout", "100")
    with closing(Connection(url)) as other:
        other.execute("SELECT pg_advisory_lock(?)", (LOCK,))
        told = run("admin", "migrate", "--database", url)
    assert told.status == 2
    assert told.err.endswith("another program brings it up to date: try again when it is done\n")


@pytest.mark.parametrize(
    "words",
    [("admin", "accounts"), ("admin", "log"), ("admin", "grant", "ana", "dealer", "--reason", "opening"), ("audit",)],
)
def test_a_command_that_looks_for_a_house_makes_none(cluster: Cluster, words: tuple[str, ...]) -> None:
    """The name of another database is soon typed, and somebody else may keep something there."""
    url = cluster.new_database()
    told = run(*words, "--database", url)
    assert (told.status, told.out) == (2, ""), "not 1, which is for what an audit has found"
    assert "there are no accounts yet" in told.err or "holds no house" in told.err
    name = url.partition("@/")[2].partition("?")[0]
    assert cluster.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", database=name) == []


@pytest.mark.parametrize("words", [("audit",), ("prove", "--table", "nz")])
def test_tables_without_a_house_are_nothing_to_audit(database: str, words: tuple[str, ...]) -> None:
    told = run(*words, "--database", database)
    assert (told.status, told.out) == (2, ""), "not 1, which is for what an audit has found"
    assert "holds no house yet" in told.err


def test_a_database_of_a_newer_program_is_not_called_sound(cluster: Cluster, database: str) -> None:
    PostgresStore(database).close()
    name = database.partition("@/")[2].partition("?")[0]
    assert run("audit", "--database", database).status == 0
    cluster.run("INSERT INTO migrations VALUES (99, '0099_later.sql', 'x', 0)", database=name)
    told = run("audit", "--database", database)
    assert told.status == 1
    assert "newer than this program" in told.out


def test_a_server_that_has_lost_its_database_does_not_ask_it_again(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question would wait for it as long again, before the server can end."""
    asked: list[str] = []

    def note(*, after: int) -> list[object]:
        asked.append("accounts")
        return []

    with running(tmp_path, HOUSE, database=database) as live:

        def look() -> None:
            monkeypatch.setattr(live.server.accounts, "role_requests", note)
            assert live.server.peers is not None
            live.server.peers.on_failed = lambda: asked.append("the end")
            app.Clock(live.server).look()
            live.server.house.fail(StoreFailed("away"))
            app.Clock(live.server).look()

        live.call(look)
        monkeypatch.undo()
    assert asked[:2] == ["accounts", "the end"]
    assert asked.count("accounts") == 1


def test_the_address_for_other_servers_is_one_that_they_can_reach(tmp_path: Path, database: str) -> None:
    """All addresses of this machine are, at another machine, that machine itself; nor is the next port the one that the
    network lets others through to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        taken_port = f"127.0.0.1:{taken.getsockname()[1]}"
        wrong = {"0.0.0.0:0": "at which the other servers reach it", "[::]:0": "reach it", taken_port: "already in use"}
        for address, says in wrong.items():
            data = ("--data", str(tmp_path), "--database", database, "--port", "0", "--no-open")
            told = run("serve", *data, "--peer-address", address)
            assert told.status == 2
            assert f"{address}: " in told.err
            assert says in told.err


# Copies


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a house after a night, with accounts."""
    place = Place.in_folder(tmp_path / "house")
    (tmp_path / "house").mkdir()
    with closing(SqliteStore(place.store)) as store:
        night(store)
        store.save_snapshot("a", 3, "test/1", b"body")
    with closing(Accounts(place.accounts, hasher=CountingHasher())) as accounts:
        accounts.register("Ana", PASSWORD)
        accounts.request_staff_role("ana", "dealer", True, BY, WHY)
        accounts.open_login("ana")
    return tmp_path / "house"


def everything(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of the files in a folder, but for what each kind of store makes for itself."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for file in ("war.db", "accounts.db"):
        with closing(apsw.Connection(str(folder / file), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            rows = execute(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'")
            for name in (str(row[0]) for row in rows):
                found[name] = sorted(execute(db, f"SELECT * FROM {name}"), key=repr)
    return found


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The folder of a house that was served and played at, with all that a server leaves there."""
    with running(tmp_path / "played", HOUSE) as live:
        live.staff("una", "auditor", "dealer")
        play(live)
    return tmp_path / "played"


def play(live: LiveServer) -> None:
    """Play until somebody has lost or won a wager; then another guest sits at a box."""
    guest, rounds = Caller(live).guest(), live.call(lambda: live.server.house.tables["nz"].rounds_done)
    box = next(one["box"] for one in guest.ask("GET", "/api/tables/nz").json["view"]["boxes"] if not one["player"])
    assert guest.command("nz", {"do": "sit", "box": box}).status == 200
    until = time.monotonic() + 120
    while live.call(lambda: live.server.house.tables["nz"].rounds_done) == rounds:
        assert time.monotonic() < until
        wager = {"do": "place_wager", "player": guest.name, "box": box, "wager": "initial", "amount": 500}
        guest.command("nz", wager)
        guest.command("nz", {"do": "surrender", "player": guest.name, "box": box})
        time.sleep(0.02)


def test_every_table_of_the_data_folder_has_its_counterpart(played: Path, cluster: Cluster, database: str) -> None:
    """Each is copied, or made anew by the other side, with the same columns; nothing else is kept in the folder."""
    assert {one.name for one in played.iterdir()} - {"war.db.writer"} == {"war.db", "accounts.db", "checkpoints.key"}
    columns: dict[str, set[str]] = {}
    for file, kinds in (("war.db", house_copy.LOG), ("accounts.db", house_copy.ACCOUNTS)):
        with closing(apsw.Connection(str(played / file), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            names = {str(row[0]) for row in execute(db, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
            columns |= {name: columns_of(db, name) for name in names - {"migrations"}}
        assert names - house_copy.MADE_ANEW == {kept.table for kept in kinds}, file
    name = database.partition("@/")[2].partition("?")[0]
    sql = "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'public'"
    there: dict[str, set[str]] = {}
    for table, column in cluster.run(sql, database=name):
        there.setdefault(table, set()).add(column)
    assert there.keys() - columns.keys() - {"migrations"} <= house_copy.OF_THE_MOMENT, "copy it, or say why not"
    assert {table: there[table] for table in columns} == columns
    for kept in (*house_copy.LOG, *house_copy.ACCOUNTS):
        assert set(kept.names) == columns[kept.table], "a column that is not copied would be lost"


def columns_of(db: apsw.Connection, table: str) -> set[str]:
    return {str(row[0]) for row in execute(db, f"SELECT name FROM pragma_table_info('{table}')")}


def test_a_played_house_is_the_same_to_the_byte_there_and_back_and_goes_on(
    played: Path, database: str, tmp_path: Path
) -> None:
    before, key, back = everything(played), played / "checkpoints.key", tmp_path / "back"
    assert len(before["events"]) > 30
    assert run("admin", "copy", str(played), database).status == 0
    assert run("audit", "--database", database, "--key", str(key)).status == 0
    assert run("admin", "copy", database, str(tmp_path / "same")).status == 0
    assert everything(tmp_path / "same") == before
    with running(played, HOUSE, database=database) as live:
        play(live)
    assert run("admin", "copy", database, str(back)).status == 0
    shutil.copyfile(key, back / "checkpoints.key")
    assert set(everything(back)["events"]) > set(before["events"])
    with running(back, HOUSE) as live:
        play(live)
    assert run("audit", "--data", str(back), "--key", str(key)).status == 0


def test_a_house_is_copied_to_a_database_and_back(folder: Path, database: str, tmp_path: Path) -> None:
    told = run("admin", "copy", str(folder), database)
    assert told.status == 0, told.err
    with closing(PostgresStore(database)) as store:
        assert (audit(store), len(store.checkpoints())) == ([], 3)
        assert store.snapshots("a", "test/1")[0].body == b"body"
    back = tmp_path / "back"
    told = run("admin", "copy", database, str(back))
    assert told.status == 0, told.err
    assert everything(back) == everything(folder)
    with closing(SqliteStore(back / "war.db")) as store:
        assert audit(store) == []


def test_nothing_is_copied_over_anything(folder: Path, database: str, tmp_path: Path) -> None:
    assert run("admin", "copy", str(folder), database).status == 0
    for words in ((str(folder), database), (database, str(folder))):
        told = run("admin", "copy", *words)
        assert told.status == 2
        assert "is not empty" in told.err
    for words in ((str(folder), str(tmp_path / "x")), (database, database)):
        assert "from one to the other" in run("admin", "copy", *words).err
    assert "there is no house to copy" in run("admin", "copy", str(tmp_path / "nowhere"), database).err


@pytest.mark.parametrize("is_migrated", [True, False])
def test_a_database_without_a_house_is_not_copied_and_stays_free_for_one(
    folder: Path, database: str, cluster: Cluster, tmp_path: Path, is_migrated: bool
) -> None:
    """FROM and TO are easily swapped: the words the right way round work afterwards."""
    url = database if is_migrated else cluster.new_database()
    told = run("admin", "copy", url, str(tmp_path / "new"))
    assert told.status == 2
    assert "there is no house to copy" in told.err
    assert not (tmp_path / "new").exists()
    assert run("admin", "copy", str(folder), url).status == 0


@pytest.mark.parametrize("table", ["events", "snapshots", "sessions", "role_requests"])
def test_a_copy_that_lacks_a_row_is_found(
    folder: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """The twin: the copy itself finds what its audit reads, and the comparison of all rows finds the rest."""
    rows_of = house_copy.rows_of

    def loses(query: house_copy.Query, kept: house_copy.Kept) -> Iterator[list[house_copy.Row]]:
        for rows in rows_of(query, kept):
            yield rows[:-1] if kept.table == table else rows

    monkeypatch.setattr(house_copy, "rows_of", loses)
    told = run("admin", "copy", str(folder), database)
    monkeypatch.setattr(house_copy, "rows_of", rows_of)
    if table == "events":
        assert told.status == 2, told
        return
    assert run("admin", "copy", database, str(tmp_path / "back")).status == 0
    assert everything(tmp_path / "back") != everything(folder)


def test_a_copy_that_breaks_off_leaves_nothing_that_serves(
    folder: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last table is never reached, in either direction."""
    assert left_behind(folder, database, tmp_path, monkeypatch) == []


def test_copies_that_are_put_in_place_bit_by_bit_are_found(
    folder: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twins: each statement is a transaction of its own, and the folder has its name from the start."""
    execute_in = Connection.execute

    def by_itself(db: Connection, sql: str, values: house_copy.Row = ()) -> list[house_copy.Row]:
        is_of_transaction = sql in ("BEGIN", "COMMIT") or sql.startswith("LOCK TABLE")
        return [] if is_of_transaction else execute_in(db, sql, values)

    @contextmanager
    def at_once(target: Path) -> Iterator[Path]:
        target.mkdir()
        yield target

    monkeypatch.setattr(house_copy, "_new_folder", at_once)
    monkeypatch.setattr(Connection, "execute", by_itself)
    assert left_behind(folder, database, tmp_path, monkeypatch) == ["rows in the database", "a folder"]


def left_behind(folder: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What copies in both directions leave that break off before the last table."""
    rows_of, found = house_copy.rows_of, list[str]()

    def breaks(query: house_copy.Query, kept: house_copy.Kept) -> Iterator[list[house_copy.Row]]:
        if kept.table == "role_requests":
            raise KeyboardInterrupt
        return rows_of(query, kept)

    with monkeypatch.context() as patched:
        patched.setattr(house_copy, "rows_of", breaks)
        with pytest.raises(KeyboardInterrupt):
            list(house_copy.copy_house(str(folder), database))
    told = run("admin", "copy", str(folder), database)
    if told.status != 0:
        assert "is not empty" in told.err
        found.append("rows in the database")
    monkeypatch.setattr(house_copy, "rows_of", breaks)
    with pytest.raises(KeyboardInterrupt):
        list(house_copy.copy_house(database, str(tmp_path / "back")))
    return found + ["a folder"] * (sorted(one.name for one in tmp_path.iterdir()) != ["house"])


KILLED = """
import os, signal, sys
from casinowar.web.backup import house_copy
rows_of = house_copy.rows_of
def dies(query, kept):
    if kept.table == "accounts":
        os.kill(os.getpid(), signal.SIGKILL)
    return rows_of(query, kept)
house_copy.rows_of = dies
list(house_copy.copy_house(sys.argv[1], sys.argv[2]))
"""


def test_a_copy_that_is_killed_leaves_nothing_that_serves(folder: Path, database: str, tmp_path: Path) -> None:
    """By a signal that nobody hears, when the whole log has been copied."""
    back = tmp_path / "back"
    for source, target in ((str(folder), database), (database, str(back))):
        done = subprocess.run([sys.executable, "-c", KILLED, source, target], check=False)
        assert done.returncode == -signal.SIGKILL
        assert not back.exists()
        until = time.monotonic() + 60
        while (told := run("admin", "copy", source, target)).status != 0:
            assert "not empty" not in told.err
            assert time.monotonic() < until, told.err  # The database may still be at the end of the connection.
    assert everything(back) == everything(folder)


def test_what_is_not_sound_is_not_copied(folder: Path, database: str) -> None:
    with closing(apsw.Connection(str(folder / "war.db"))) as db:
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        execute(db, "UPDATE postings SET amount = amount + 7 WHERE position = 1 AND line = 0")
    assert "is not sound, and nothing was copied" in run("admin", "copy", str(folder), database).err
