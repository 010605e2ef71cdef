"""After a group of commits that the disk refused, nothing is shown of which nobody knows whether it is on the disk."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from casinowar.house.house import Who
from casinowar.protocol import CommandFrame
from casinowar.store import SqliteStore, StoreFailed
from casinowar.web.app import OPERATIONS
from casinowar.web.socket.outlet import Outlet
from tests.support.live_server import Caller, LiveServer, running

SHOWN = (
    "/",
    "/healthz",
    "/metrics",
    "/api/openapi.json",
    "/api/docs",
    "/api/house",
    "/api/key",
    "/api/rulebooks",
    "/api/rulebooks/nz",
    "/api/felts.css",
    "/api/clauses/NZ-5.13c",
    "/api/differences",
    "/api/odds",
    "/api/odds/session",
    "/api/odds/night",
    "/api/par",
)
"""What says nothing of tables and purses: rules, odds, the page, and the server itself."""

HIDDEN = (
    "/readyz",
    "/api/me",
    "/api/session",
    "/api/me/rounds",
    "/api/checkpoints",
    "/api/checkpoints/latest",
    "/api/players/sally",
    "/api/tables",
    "/api/tables/hand",
    "/api/tables/hand/rounds",
    "/api/tables/hand/rounds/1",
    "/api/tables/hand/rounds/1/record",
    "/api/tables/hand/rounds/1/under?rulebook=wa",
    "/api/tables/hand/shoes",
    "/api/tables/hand/shoes/1",
    "/api/tables/hand/log",
    "/api/tables/hand/acts",
    "/api/pit",
)
"""What shows tables, purses or the log."""

OF_NO_TABLE = ("/api/nights/{run}",)
"""What is there only while somebody has it made, and says nothing of tables either."""

DOING = [
    ("POST", "/api/guest", {}),
    ("POST", "/api/tables/hand/commands", {"id": "c9", "expected": 0, "command": {"do": "leave"}}),
    ("POST", "/api/tables/private", {"id": "c9", "rulebook": "nz"}),
    ("PUT", "/api/me/limits", {"id": "c9", "loss": 100, "minutes": 10}),
    ("POST", "/api/me/refill", {"id": "c9"}),
]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveServer]:
    with running(tmp_path) as live:
        yield live


def fail(store: SqliteStore) -> None:
    store._roll_back(is_member=False)
    raise store._fail(apsw.IOError("the disk is gone"))


@pytest.fixture
def sally(live: LiveServer) -> Caller:
    """Somebody of every role."""
    return live.staff("sally", "dealer", "supervisor", "manager", "operator", "auditor")


@pytest.fixture
def uncertain(live: LiveServer, sally: Caller, monkeypatch: pytest.MonkeyPatch) -> LiveServer:
    """A house that has let sally sit down, and could not bring it to the disk."""
    house = live.server.house
    command = CommandFrame(id="c1", table="hand", expected=0, command=msgspec.Raw(b'{"do":"sit","box":1}'))

    def sit() -> None:
        house.gather()
        house.act(Who("sally"), command)
        house.settle()

    monkeypatch.setattr(SqliteStore, "finish_together", fail)
    live.call(sit)
    assert house.is_uncertain
    assert house.tables["hand"].box_of("sally") == 1, "the table is ahead of the disk"
    return live


def test_every_address_that_can_be_read_is_one_or_the_other() -> None:
    names = {"table": "hand", "number": 1, "player": "sally", "rulebook": "nz", "clause": "NZ-5.13c", "run": "none"}
    paths = {one.at.format(**names) for one in OPERATIONS if one.method == "GET" and one.at not in OF_NO_TABLE}
    assert {path.partition("?")[0] for path in (*SHOWN, *HIDDEN)} == paths


def test_what_tells_nothing_of_tables_and_purses_is_still_shown(uncertain: LiveServer, sally: Caller) -> None:
    assert {path: sally.ask("GET", path).status for path in SHOWN} == dict.fromkeys(SHOWN, 200)
    assert Caller(uncertain).ask("GET", "/api/session").json == {"me": None}


def test_tables_purses_and_the_log_are_not_shown(uncertain: LiveServer, sally: Caller) -> None:
    answers = {path: sally.ask("GET", path) for path in HIDDEN}
    assert {path: answer.status for path, answer in answers.items()} == dict.fromkeys(HIDDEN, 503)
    assert {answer.json["code"] for answer in answers.values()} == {"out_of_service"}


def test_nothing_is_done(uncertain: LiveServer, sally: Caller) -> None:
    answers = [sally.ask(method, path, body) for method, path, body in DOING]
    assert [answer.status for answer in answers] == [503] * len(DOING)


@pytest.mark.parametrize("is_slow", [False, True])
def test_where_a_view_cannot_be_read_the_server_has_made_no_mistake(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch, is_slow: bool
) -> None:
    """The store fails between a command and the view of it, in which a purse stands."""
    if is_slow:
        monkeypatch.setattr(Outlet, "send", lambda outlet: outlet.leave_to_writer())

    ana, ben = Caller(live).guest(), Caller(live).guest()

    def read(account: str) -> int:
        if account == f"purse:{ana.name}":
            raise StoreFailed("the disk is gone")
        return live.server.house.store.balance(account)

    with closing(ana.socket()) as socket:
        assert socket.watch("nz")["type"] == "snapshot"
        monkeypatch.setattr(live.server.house.store, "known_balance", read)
        assert ben.command("nz", {"do": "sit", "box": 1}).status == 200
        assert socket.next_of("goodbye")["code"] == "out_of_service"
    assert live.server.house.out_of_service is not None
    assert live.server.metrics.faults._value.get() == 0


def test_nobody_is_let_in_with_a_ticket_of_before_or_of_another_server(live: LiveServer) -> None:
    """They would look on at tables that never move, and come no more to a server that decides them."""
    guest = Caller(live).guest()
    ticket = guest.ticket()
    live.call(lambda: live.server.house.fail(StoreFailed("the disk is gone")))
    with pytest.raises(InvalidStatus) as refused:
        guest.socket(ticket)
    assert refused.value.response.status_code == 503
    assert b'"out_of_service"' in refused.value.response.body


def test_where_the_disk_failed_outside_a_group_the_tables_are_what_it_has_and_are_shown(
    live: LiveServer, sally: Caller
) -> None:
    live.call(lambda: live.server.house.fail(StoreFailed("the disk is gone")))
    assert [line["name"] for line in sally.ask("GET", "/api/tables").json] == ["nz", "hand"]
    assert sally.ask("GET", "/api/tables/hand").json["seats"] == []
    assert [sally.ask(method, path, body).status for method, path, body in DOING] == [503] * len(DOING)
