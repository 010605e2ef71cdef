"""What is known of people is deleted after so many days; the clock is moved, and the chained log stays as it is."""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from argon2 import PasswordHasher

from casinowar.house.settings import HouseSettings, Retention
from casinowar.house.settings_file import TablesFileError, load_tables
from casinowar.store import SqliteStore, audit
from casinowar.store.postgres.connection import Connection
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.accounts.refusals import MustWait
from casinowar.web.day_file import DayFile
from casinowar.web.sweeper import HOUR_MS, Sweeper
from tests.support.live_night import Night, table

DAY = 24 * HOUR_MS
MINUTE = HOUR_MS // 60
BEGIN = 1_777_636_800_000


class Clock:
    def __init__(self) -> None:
        self.ms = BEGIN

    def now(self) -> int:
        return self.ms

    def seconds(self) -> float:
        return self.ms / 1000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["file", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where the accounts are: in a file, or in PostgreSQL."""
    if request.param == "file":
        return tmp_path / "accounts.db"
    return str(request.getfixturevalue("database"))


@pytest.fixture
def accounts(place: Path | str, clock: Clock) -> Iterator[Accounts]:
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    opened = Accounts(place, now=clock.now, tick=clock.now, hasher=hasher)
    yield opened
    opened.close()


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    store = SqliteStore(tmp_path / "war.db")
    yield Night(table(), store=store)
    store.close()


def rows(place: Path | str, sql: str) -> list[tuple[object, ...]]:
    """What another program sees there."""
    with contextlib.ExitStack() as stack:
        if isinstance(place, str):
            db = Connection(place, for_reading=True)
            stack.callback(db.close)
            return list(db.execute(sql))
        file = apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READONLY)
        stack.callback(file.close)
        return list(file.execute(sql))


def test_logins_go_with_their_end_and_visits_after_so_many_days(
    place: Path | str, clock: Clock, accounts: Accounts, night: Night
) -> None:
    accounts.register("ana", "correct horse")
    accounts.open_login("ana")
    guest = accounts.new_guest().name
    accounts.open_login(guest)
    sweeper = Sweeper(night.house, accounts, clock.now, clock.now)
    sweeper.sweep()
    assert len(rows(place, "SELECT * FROM sessions")) == 2, "nothing is too old yet"
    clock.ms += DAY
    sweeper.sweep()
    assert rows(place, "SELECT account FROM sessions") == [(guest,)], "ana's ended after 12 hours"
    clock.ms = BEGIN + 31 * DAY
    sweeper.sweep()
    assert rows(place, "SELECT * FROM sessions") == [], "a guest's after 30 days"
    assert all(seen == BEGIN for (seen,) in rows(place, "SELECT seen_at FROM accounts"))
    clock.ms = BEGIN + 90 * DAY
    sweeper.sweep()
    assert all(seen == BEGIN for (seen,) in rows(place, "SELECT seen_at FROM accounts")), "the 90th day is kept"
    clock.ms += 1
    sweeper.sweep()
    assert rows(place, "SELECT seen_at FROM accounts") == [(0,), (0,)]
    known = accounts.account("ana")
    assert known is not None
    assert known.seen_at == 0
    assert accounts.check_password("ana", "correct horse"), "who comes back is known by name and password"


def test_who_is_logged_in_is_remembered(place: Path | str, clock: Clock, accounts: Accounts, night: Night) -> None:
    guest = accounts.new_guest().name
    token = accounts.open_login(guest)
    for _ in range(20):
        clock.ms += 20 * DAY
        assert accounts.account_of(token)
        Sweeper(night.house, accounts, clock.now, clock.now).sweep()
    assert rows(place, "SELECT seen_at FROM accounts") == [(clock.ms,)]


@pytest.mark.parametrize("place", ["file"], indirect=True)
def test_what_was_deleted_is_not_in_the_file_any_more(place: Path, clock: Clock, accounts: Accounts) -> None:
    accounts.register("ana", "correct horse")
    accounts.open_login("ana")
    (digest,) = rows(place, "SELECT digest FROM sessions")[0]
    assert isinstance(digest, bytes)
    clock.ms += DAY
    accounts.forget(0)
    accounts.close()
    assert digest not in place.read_bytes()


def test_who_was_tried_with_a_wrong_password_is_forgotten(
    place: Path | str, clock: Clock, accounts: Accounts, night: Night
) -> None:
    """The name that was tried and the address it came from, as soon as they count no more."""
    sweeper = Sweeper(night.house, accounts, clock.now, clock.now)
    for address in ("192.0.2.7", "192.0.2.8"):
        assert accounts.check_password("ana", "wrong", address) is None
        clock.ms += 10 * MINUTE
    clock.ms += 15 * MINUTE
    sweeper.sweep()
    assert kept(accounts) == {"ana", "192.0.2.8"}, "the last failure of the name is 25 minutes old"
    clock.ms += 6 * MINUTE
    sweeper.sweep()
    assert kept(accounts) == set()
    if isinstance(place, str):
        assert rows(place, "SELECT * FROM failures") == []


def kept(accounts: Accounts) -> set[str]:
    """The names and addresses of which failures are kept."""
    return {key for one in (accounts._names, accounts._addresses) for key in one._failures}


@pytest.mark.parametrize("jump", [HOUR_MS, -HOUR_MS])
def test_a_clock_that_jumps_locks_nobody_out_for_long(accounts: Accounts, clock: Clock, jump: int) -> None:
    """Where servers count together it is by the wall's clock."""
    accounts.register("ana", "correct horse")
    for _ in range(5):
        assert accounts.check_password("ana", "wrong") is None
    with pytest.raises(MustWait):
        accounts.check_password("ana", "correct horse")
    clock.ms += jump
    assert accounts.check_password("ana", "correct horse") is not None
    assert kept(accounts) == set()


def test_addresses_of_who_holds_nothing_are_forgotten(clock: Clock, accounts: Accounts, night: Night) -> None:
    night.house.quota.note("ana", "192.0.2.7")
    assert "192.0.2.7" in str(vars(night.house.quota))
    Sweeper(night.house, accounts, clock.now, clock.now).sweep()
    assert "192.0.2.7" not in str(vars(night.house.quota))


def test_log_files_go_and_the_chained_log_stays(tmp_path: Path, clock: Clock, accounts: Accounts, night: Night) -> None:
    (tmp_path / "logs").mkdir()
    handler = DayFile(tmp_path / "logs" / "server.log", clock.seconds)
    root = logging.getLogger()
    root.addHandler(handler)
    head = night.house.store.head()
    try:
        for _ in range(35):
            handler.handle(logging.LogRecord("x", logging.INFO, "", 0, "a line", (), None))
            clock.ms += DAY
        clock.ms += 3_650 * DAY
        Sweeper(night.house, accounts, clock.now, clock.now).sweep()
    finally:
        root.removeHandler(handler)
        handler.close()
    assert [file.name for file in (tmp_path / "logs").iterdir()] == ["server.log"]
    assert night.house.store.head() == head
    assert audit(night.house.store) == []


def test_it_looks_once_an_hour_by_a_clock_that_does_not_jump(clock: Clock, accounts: Accounts, night: Night) -> None:
    tick, swept = 0, list[int]()
    sweeper = Sweeper(night.house, accounts, clock.now, lambda: tick)
    sweeper.sweep = lambda: swept.append(tick)  # type: ignore[method-assign]
    for tick in range(0, 3 * HOUR_MS, 500_000):  # noqa: B007
        clock.ms -= DAY
        sweeper.look()
    assert len(swept) == 3


def test_the_days_are_settings_of_the_tables_file(tmp_path: Path) -> None:
    file = tmp_path / "tables.toml"
    file.write_text("[retention]\nvisits = 7\n")
    assert load_tables(file).retention == Retention(visits=7, logs=30)
    assert HouseSettings().retention == Retention(visits=90, logs=30)
    file.write_text("[retention]\nlogs = 0\n")
    with pytest.raises(TablesFileError, match=r"retention\.logs = 0: write days, a whole number from 1 to 3650"):
        load_tables(file)
