"""Seats over a real server: seventeen guests of one address, and somebody from another who wants to play."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.house.settings import HouseSettings, TableSettings, Timers
from casinowar.web.http.limits import HALL, Limits
from casinowar.web.http.throttle import address_key
from tests.support.live_server import QUICK, ROOMY, Caller, LiveServer, running

SHORT = msgspec.structs.replace(QUICK, idle=1.0, offer=10)
KEPT = msgspec.structs.replace(QUICK, idle=86_400)
FEW = msgspec.structs.replace(ROOMY, seats_per_address=4, private_tables_per_address=6)


class Elsewhere(Caller):
    """Somebody who comes from another address of this machine."""

    address = "127.0.0.2"


def house(timers: Timers, idle_rounds: int = 3) -> HouseSettings:
    return HouseSettings(tables=(TableSettings(name="nz", rulebook="nz", timers=timers, idle_rounds=idle_rounds),))


def take_all(live: LiveServer) -> list[str]:
    """What seventeen guests are answered who each want a seat, and go on to watch."""
    answers = []
    for n in range(17):
        guest = Caller(live).guest()
        answer = guest.command("nz", {"do": "sit", "box": n % 7 + 1})
        answers.append("done" if answer.status == 200 else answer.json["code"])
    return answers


def seated_after(live: LiveServer, within: float) -> float | None:
    """The seconds until somebody who waits has a seat."""
    person = Caller(live).guest()
    socket = person.socket()
    start = time.monotonic()
    try:
        socket.watch("nz")
        assert person.command("nz", {"do": "wait_for_seat"}).status == 200
        while (left := within - (time.monotonic() - start)) > 0:
            try:
                frame = socket.next_of("events", "snapshot", timeout=left)
            except TimeoutError:
                return None
            view: dict[str, Any] = frame["view"]
            if view["claim"] is None or view["claim"]["place"]:
                continue
            free = set(range(1, 8)) - {seat["box"] for seat in view["seats"]}
            assert person.command("nz", {"do": "sit", "box": min(free)}).status == 200
            return time.monotonic() - start
        return None
    finally:
        socket.close()


def test_who_waits_is_seated_while_seventeen_guests_hold_all_seats(tmp_path: Path) -> None:
    with running(tmp_path, house(SHORT)) as live:
        assert take_all(live).count("done") == 7
        after = seated_after(live, 30)
        print(f"seated after {after} s, where a seat is kept {SHORT.idle} s without a wager")
        assert after is not None


def test_the_harness_finds_a_server_that_keeps_unused_seats(tmp_path: Path) -> None:
    with running(tmp_path, house(KEPT, idle_rounds=0)) as live:
        assert take_all(live).count("done") == 7
        assert seated_after(live, 4) is None


@pytest.fixture
def few(tmp_path: Path) -> Iterator[LiveServer]:
    with running(tmp_path, house(KEPT), FEW) as live:
        yield live


def test_one_address_has_four_seats_and_another_still_finds_one(few: LiveServer) -> None:
    answers = take_all(few)
    assert answers.count("done") == 4
    assert answers[4:7] == ["too_many_seats"] * 3
    person = Elsewhere(few).guest()
    assert person.command("nz", {"do": "sit", "box": 7}).status == 200


def test_over_a_socket_the_address_counts_too(few: LiveServer) -> None:
    take_all(few)
    guest = Caller(few).guest()
    socket = guest.socket()
    socket.watch("nz")
    ask = {"type": "command", "id": "s", "table": "nz", "expected": 0, "command": {"do": "sit", "box": 7}}
    socket.send(ask)
    assert socket.next_of("refused", "done")["code"] == "too_many_seats"
    socket.close()


def test_one_address_has_six_private_tables(few: LiveServer) -> None:
    guests = [Caller(few).guest() for _ in range(7)]
    private = "/api/tables/private"
    answers = [guest.ask("POST", private, {"id": "p", "rulebook": "nz", "bots": 0}) for guest in guests]
    assert [one.status for one in answers] == [200] * 6 + [409]
    assert answers[6].json["code"] == "too_many_tables"
    assert Elsewhere(few).guest().ask("POST", private, {"id": "p", "rulebook": "nz", "bots": 0}).status == 200


def test_the_64_bits_of_an_ipv6_network_are_one_address() -> None:
    assert address_key("2001:db8:1:2:aaaa::1") == address_key("2001:db8:1:2::ffff")
    assert address_key("2001:db8:1:2::1") != address_key("2001:db8:1:3::1")


def test_a_hall_has_the_usual_limits_but_those_of_one_address() -> None:
    by_address = {name for name in Limits.__struct_fields__ if "address" in name or "network" in name}
    paces = ("requests", "arrivals", "snapshots")
    rates = {name for name in Limits.__struct_fields__ if name.startswith(paces)}
    usual = Limits()
    changed = {name for name in Limits.__struct_fields__ if getattr(HALL, name) != getattr(usual, name)}
    assert changed == by_address | rates
    assert all(getattr(HALL, name) > getattr(usual, name) for name in changed)
