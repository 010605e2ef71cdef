"""Who is let in how often: one-time tickets, token buckets, and the wait after failures."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casinowar.web.accounts.lockout import Lockout
from casinowar.web.accounts.logins import Tickets
from casinowar.web.accounts.refusals import MustWait
from casinowar.web.http.throttle import Throttle, address_key

MINUTE = 60_000


class Tick:
    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def tick() -> Tick:
    return Tick()


# Tickets


def test_a_ticket_is_good_once_and_for_whom_it_was_issued(tick: Tick) -> None:
    tickets = Tickets(tick)
    ana, bob = tickets.issue("ana", "k1"), tickets.issue("bob", "k2")
    assert tickets.redeem(bob) == ("bob", "k2")
    assert tickets.redeem(bob) is None
    assert tickets.redeem(ana[:-1]) is None
    assert tickets.redeem(ana) == ("ana", "k1")


@pytest.mark.parametrize(("age", "is_good"), [(29_999, True), (30_000, False)])
def test_a_ticket_is_good_for_thirty_seconds(tick: Tick, age: int, is_good: bool) -> None:
    tickets = Tickets(tick)
    ticket = tickets.issue("ana", "k1")
    tick.ms += age
    assert (tickets.redeem(ticket) is not None) == is_good


def test_tickets_end_with_their_session(tick: Tick) -> None:
    tickets = Tickets(tick)
    ended, kept = tickets.issue("ana", "k1"), tickets.issue("ana", "k2")
    tickets.withdraw("k1")
    assert tickets.redeem(ended) is None
    assert tickets.redeem(kept) == ("ana", "k2")


def test_tickets_that_nobody_uses_take_no_room(tick: Tick) -> None:
    tickets = Tickets(tick, most=100)
    issued = [tickets.issue("ana", "k1") for _ in range(1000)]
    assert len(set(issued)) == 1000
    assert len(tickets) == 100
    assert tickets.redeem(issued[0]) is None
    tick.ms += 30_000
    tickets.issue("ana", "k1")
    assert len(tickets) == 1


# Token buckets


def test_a_burst_at_once_and_then_the_rate(tick: Tick) -> None:
    throttle = Throttle(10, 20, tick)
    assert [throttle.allows("a") for _ in range(25)] == [True] * 20 + [False] * 5
    tick.ms += 99
    assert not throttle.allows("a")
    tick.ms += 1
    assert [throttle.allows("a") for _ in range(2)] == [True, False]
    assert throttle.allows("b"), "each key has a bucket of its own"


@given(
    rate=st.floats(0.01, 1000),
    burst=st.integers(1, 50),
    pauses=st.lists(st.integers(0, 3000), min_size=1, max_size=200),
)
def test_never_more_than_the_burst_and_what_has_flowed_in(rate: float, burst: int, pauses: list[int]) -> None:
    """In any stretch of time from one event to another, however the events are spread."""
    tick = Tick()
    throttle = Throttle(rate, burst, tick)
    taken = []
    for pause in pauses:
        tick.ms += pause
        if throttle.allows("a"):
            taken.append(tick.ms)
    assert len(taken) >= min(len(pauses), burst)
    for first, begun in enumerate(taken):
        for last, ended in enumerate(taken[first:], start=first):
            assert last - first + 1 <= burst + (ended - begun) * rate / 1000 + 1e-6 * (ended - begun) + 1e-6


def test_buckets_take_no_more_room_than_they_may(tick: Tick) -> None:
    throttle = Throttle(1, 5, tick, most=100)
    for number in range(1000):
        assert throttle.allows(str(number))
    assert len(throttle) == 100
    tick.ms += 5000
    throttle.allows("last")
    assert len(throttle) == 1


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::1%eth1", True),
        ("testclient", "testclient", True),
        ("testclient", "other", False),
    ],
)
def test_addresses_of_one_household_count_as_one(one: str, other: str, are_same: bool) -> None:
    assert (address_key(one) == address_key(other)) == are_same


# Waiting after failures


def wait_of(lockout: Lockout, key: str) -> int:
    with pytest.raises(MustWait) as told:
        lockout.attempt(key)
    return told.value.seconds


def test_the_wait_doubles_from_one_second_to_a_quarter_of_an_hour(tick: Tick) -> None:
    lockout = Lockout(5, tick)
    for _ in range(5):
        lockout.attempt("ana")
    waits = []
    for _ in range(13):
        waits.append(wait_of(lockout, "ana"))
        tick.ms += waits[-1] * 1000 - 1
        assert wait_of(lockout, "ana") == 1, "a millisecond is left"
        tick.ms += 1
        lockout.attempt("ana")
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]


def test_failures_long_ago_are_forgotten(tick: Tick) -> None:
    lockout = Lockout(5, tick)
    for _ in range(20):
        lockout.attempt("slow")
        tick.ms += 4 * MINUTE
    for _ in range(5):
        lockout.attempt("fast")
    tick.ms += 15 * MINUTE + 1000
    for _ in range(5):
        lockout.attempt("fast")
    assert wait_of(lockout, "fast") == 1


def test_a_wait_that_was_served_is_not_yet_forgotten(tick: Tick) -> None:
    lockout = Lockout(5, tick)
    for _ in range(5):
        lockout.attempt("ana")
    tick.ms += 15 * MINUTE + 999
    lockout.attempt("ana")
    assert wait_of(lockout, "ana") == 2


def test_one_attempt_taken_back_leaves_the_others(tick: Tick) -> None:
    lockout = Lockout(2, tick)
    at = lockout.attempt("a")
    lockout.take_back("a", at)
    assert len(lockout) == 0
    for _ in range(2):
        lockout.attempt("a")
        tick.ms += 10
    lockout.take_back("a", tick.ms)
    assert wait_of(lockout, "a") == 1


def test_many_guesses_at_once_are_counted_before_any_is_checked(tick: Tick) -> None:
    lockout, together = Lockout(5, tick), threading.Barrier(20)
    passed: list[int] = []

    def guess() -> None:
        together.wait()
        try:
            lockout.attempt("ana")
        except MustWait:
            return
        passed.append(1)

    guesses = [threading.Thread(target=guess) for _ in range(20)]
    for one in guesses:
        one.start()
    for one in guesses:
        one.join()
    assert len(passed) == 5


def test_a_flood_of_names_takes_no_more_room_than_it_may(tick: Tick) -> None:
    lockout = Lockout(5, tick, most=100)
    for number in range(1000):
        lockout.attempt(str(number))
    assert len(lockout) == 100
