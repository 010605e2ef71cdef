"""The pit: hold against theory, incidents, and the audit that runs beside the tables."""

import time
from collections.abc import Iterator
from math import sqrt
from types import SimpleNamespace
from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.rulebooks import load_rulebook
from casinowar.store import Recalled, Recorded, StaffActed, resolved
from casinowar.web.workers.hold import HoldIndex, edges_of
from tests.support.live_server import LiveServer, running

TIE_EDGE = 58 / 311
"""Six decks: 23 of 311 cards tie, and 10:1 is paid."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house")) as live:
        yield live


def settled(box: int, wager: str, amount: int, paid: int = 0, returned: int = 0) -> e.WagerSettled:
    return e.WagerSettled("ana", box, wager, amount, "win" if paid else "lose", None, paid, returned, clauses=())


def index_of(*events: Recorded, book: str = "nz") -> HoldIndex:
    rules = load_rulebook(book)
    told = [resolved(rules), *events]
    log = [Recalled(at, "t", at, 1_000 * at, "house", str(at), (), event) for at, event in enumerate(told, 1)]
    store = SimpleNamespace(read=lambda stream, after=0: [one for one in log if one.version > after])
    tables = {"t": SimpleNamespace(stream="t", rules=rules)}
    house: Any = SimpleNamespace(store=store, tables=tables, settings=SimpleNamespace(minor_digits=2))
    return HoldIndex(house)


def over(number: int) -> e.RoundEnded:
    return e.RoundEnded(number, (), clauses=())


def test_hold_is_what_the_house_won_of_what_was_staked() -> None:
    """A war wager is part of the first wager's own edge, so that it is won or lost and not staked again."""
    index = index_of(
        settled(1, "initial", 1_000), settled(1, "war", 1_000), settled(1, "tie", 500, 5_000, 500), over(1)
    )
    hold = index.hold("t")
    assert (hold.rounds, hold.staked, hold.won) == (1, 1_500, 1_000 + 1_000 - 5_000)
    assert hold.actual == pytest.approx(-3_000 / 1_500)


def test_the_expectation_and_its_band_are_those_of_the_book() -> None:
    """One tie wager of 500: it gains 10 with 23/311 and loses 1 else, so that its variance is 121·p·(1 − p)."""
    hold = index_of(settled(1, "tie", 500), over(1)).hold("t")
    chance = 23 / 311
    deviation = sqrt(121 * chance * (1 - chance))
    assert hold.expected == pytest.approx(TIE_EDGE)
    assert hold.high is not None
    assert hold.low is not None
    assert hold.high - TIE_EDGE == pytest.approx(1.96 * deviation)
    assert TIE_EDGE - hold.low == pytest.approx(1.96 * deviation)


def test_boxes_that_share_the_dealers_card_vary_more_than_apart() -> None:
    alone = index_of(settled(1, "initial", 100), over(1), settled(1, "initial", 100), over(2)).hold("t")
    shared = index_of(settled(1, "initial", 100), settled(2, "initial", 100), over(1)).hold("t")
    assert alone.expected == pytest.approx(shared.expected)
    assert shared.high is not None
    assert alone.high is not None
    assert shared.high > alone.high
    assert edges_of(load_rulebook("nz")).together > 0


def test_a_void_round_counts_for_nothing() -> None:
    voided = e.RoundVoided(1, "dispute")
    hold = index_of(settled(1, "initial", 1_000), over(1), voided).hold("t")
    assert (hold.rounds, hold.staked, hold.won, hold.actual) == (0, 0, 0, None)


def test_where_players_bank_the_house_holds_nothing() -> None:
    index = index_of(settled(1, "initial", 1_000), over(1), book="ca")
    assert index.hold("t").actual is None
    assert index.floor(["t"]) == []


def test_the_floor_adds_up_round_by_round() -> None:
    index = index_of(*(one for number in range(1, 131) for one in (settled(1, "tie", 100), over(number))))
    points = index.floor(["t"])
    assert len(points) <= 60
    assert points[-1].rounds == 130
    assert points[-1].actual == 13_000
    assert points[-1].expected == pytest.approx(13_000 * TIE_EDGE, abs=1)
    assert [point.rounds for point in points] == sorted(point.rounds for point in points)


def test_the_pit_shows_every_table_and_a_house_that_balances(live: LiveServer) -> None:
    told = live.staff("sue", "supervisor").ask("GET", "/api/pit").json
    assert [table["name"] for table in told["tables"]] == ["nz", "hand"]
    table = told["tables"][0]
    assert (table["float"], table["hold"]["rounds"], table["boxes"]) == (0, 0, 7)
    assert table["version"] == live.version("nz")
    assert told["trial_balance"] == 0
    assert told["audit"]["state"] == "none"


def test_an_audit_runs_beside_the_tables_and_says_that_all_is_sound(live: LiveServer) -> None:
    auditor = live.staff("otto", "auditor")
    assert auditor.ask("POST", "/api/pit/audit", {"reason": "\u0007\u0007\u0007"}).json["code"] == "reason_due"
    for _ in range(2):
        assert auditor.ask("POST", "/api/pit/audit", {"reason": "every night"}).json["state"] == "running"
    log = live.call(lambda: list(live.server.house.store.read("house")))
    acts = [one.event for one in log if isinstance(one.event, StaffActed)]
    assert acts == [StaffActed("audit", "auditor:otto", "every night")]
    until = time.monotonic() + 60
    state: dict[str, Any] = {"state": "running"}
    while state["state"] == "running" and time.monotonic() < until:
        time.sleep(0.3)
        state = auditor.ask("GET", "/api/pit").json["audit"]
    assert (state["state"], state["findings"]) == ("sound", [])
    assert state["counts"]["tables"] == 2
