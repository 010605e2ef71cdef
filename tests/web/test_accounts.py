"""Accounts: names, passwords, sessions, roles that were asked for, and the file that several programs share."""

import base64
import hashlib
import multiprocessing
import stat
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import apsw
import pytest
from argon2 import PasswordHasher

from casinowar.house.house import House, RoleRequest
from casinowar.house.settings import HouseSettings
from casinowar.store import MemoryStore, RoleGranted, RoleRevoked, StoreFailed, StoreFault, StoreInUse
from casinowar.store.sqlite.connection import connect
from casinowar.web.accounts import file as accounts_file
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.accounts.logins import Login, Logins, login_key
from casinowar.web.accounts.refusals import (
    AccountLocked,
    AccountRefused,
    MustWait,
    NameRefused,
    NameTaken,
    NameUnknown,
    PasswordRefused,
    RequestRefused,
)
from casinowar.web.accounts.role_requests import staff_roles

HOUR = 3_600_000
DAY = 24 * HOUR
PASSWORD = "correct horse"
BY, WHY = "admin:test", "opening night"


class CountingHasher(PasswordHasher):
    """Cheap, and it counts its checks."""

    def __init__(self, passes: int = 1) -> None:
        super().__init__(time_cost=passes, memory_cost=8, parallelism=1)
        self.checks = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        self.checks += 1
        return super().verify(hash, password)


class Clock:
    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["file", "postgres"])
def accounts(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Accounts]:
    place = tmp_path / "accounts.db" if request.param == "file" else request.getfixturevalue("database")
    opened = Accounts(place, now=clock, tick=clock, hasher=CountingHasher())
    yield opened
    opened.close()


in_a_file = pytest.mark.parametrize("accounts", ["file"], indirect=True)
"""What is of the file alone."""


def opening(folder: Path, clock: Clock, hasher: PasswordHasher | None = None) -> Accounts:
    return Accounts(folder / "accounts.db", now=clock, tick=clock, hasher=hasher or CountingHasher())


def reading(folder: Path) -> apsw.Connection:
    return apsw.Connection(str(folder / "accounts.db"))


def everything_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


# Names


@pytest.mark.parametrize(
    "name", ["al", "Ana", "b-2_c", "a" * 24, "guestroom", "botany", "houses", "nzl", "Camille", "madmin"]
)
def test_a_name_that_can_be_had(accounts: Accounts, name: str) -> None:
    assert accounts.register(name, PASSWORD).name == name
    assert accounts.account(name) == accounts.account(name.upper())


@pytest.mark.parametrize(
    "name",
    [
        *("", "a", "a" * 25, "1ana", "_ana", "-ana", "ana.b", "an a", "ana\n", "ana:b", "änne"),
        *("guest-1", "GUEST-1", "bot-1", "Bot-x", "house", "House", "server", "SERVER"),
        *("system", "admin", "Admin", "ad-min", "a_d_m_i_n", "adm1n", "SYSTEM-", "0perator", "dea1er", "Dealer"),
        *(
            "supervisor",
            "manager",
            "auditor",
            "player",
            "nz",
            "NZ",
            "n-z",
            "wa",
            "ctg",
            "ca",
            "ma",
            "bot_wren",
            "b0t-wren",
            "bot",
            "floor",
        ),
        *("Guest_1", "gue5t-1", "house-", "h0use", "manager", "Manager-", "gu3st-x", "sup3rvisor", "d34ler"),
        *("game-supervisor", "GameSupervisor", "casino-supervisor", "casinooperator", "table-inspector", "floorperson"),
        *("croupier", "pitboss", "the-house", "thehouse", "moderator", "bank"),
        *("\uff41na", "\u0430na", "ana\u200d", "an\u0131", "\u212aim", "ana\ud800"),
    ],
)
def test_a_name_that_cannot_be_had(accounts: Accounts, name: str) -> None:
    with pytest.raises(NameRefused):
        accounts.register(name, PASSWORD)
    assert accounts.everybody() == []
    assert accounts.account(name) is None


def test_no_account_is_called_as_a_table_is(accounts: Accounts) -> None:
    accounts.register("Gold", PASSWORD)
    accounts.table_names = lambda: ["high-rollers", "gold"]
    for name in ("high-rollers", "High_Rollers", "highrollers", "h1ghrollers"):
        with pytest.raises(NameRefused):
            accounts.check_free(name)
        with pytest.raises(NameRefused):
            accounts.register(name, PASSWORD)
    assert accounts.check_password("gold", PASSWORD) is not None, "who was there before the table goes on"
    accounts.set_password("gold", "another password")


def test_a_name_is_had_once_whatever_its_capitals(accounts: Accounts) -> None:
    accounts.register("ana", PASSWORD)
    with pytest.raises(NameTaken):
        accounts.register("ANA", "another password")
    with pytest.raises(NameTaken):
        accounts.check_free("Ana")
    assert accounts.check_password("ANA", PASSWORD) == accounts.account("ana")


def test_a_guest_has_a_name_at_once_and_no_password(accounts: Accounts) -> None:
    guests = [accounts.new_guest() for _ in range(20)]
    assert len({guest.name for guest in guests}) == 20
    for guest in guests:
        beginning, _, rest = guest.name.partition("-")
        assert (beginning, len(rest), guest.is_guest) == ("guest", 6, True)
    assert accounts.check_password(guests[0].name, PASSWORD) is None
    with pytest.raises(PasswordRefused):
        accounts.set_password(guests[0].name, PASSWORD)


def test_a_guests_name_that_is_taken_is_drawn_again(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["guest-aaaaaa", "guest-aaaaaa", "guest-bbbbbb"])
    monkeypatch.setattr("casinowar.web.accounts.accounts.guest_name", lambda: next(drawn))
    assert [accounts.new_guest().name for _ in range(2)] == ["guest-aaaaaa", "guest-bbbbbb"]


# Passwords


@pytest.mark.parametrize("password", ["a" * 8, "12345678", " " * 8, "ключ ключ", "x" * 128])
def test_a_password_of_any_characters(accounts: Accounts, password: str) -> None:
    accounts.register("ana", password)
    assert accounts.check_password("ana", password) is not None
    assert accounts.check_password("ana", password + "x") is None


@pytest.mark.parametrize("password", ["", "a" * 7, "x" * 129, "secret-\ud800", "MatildaW"])
def test_a_password_that_is_refused_is_not_repeated(accounts: Accounts, password: str) -> None:
    with pytest.raises(PasswordRefused) as refused:
        accounts.register("matildaw", password)
    assert not password or password not in f"{refused.value} {refused.value!r}"
    assert accounts.everybody() == []


def test_the_parameters_of_the_hash_are_those_of_owasp(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "accounts.db")
    accounts.register("ana", PASSWORD)
    accounts.register("bob", PASSWORD)
    stored = [str(row[0]) for row in reading(tmp_path).execute("SELECT password_hash FROM accounts").fetchall()]
    assert all(one.startswith("$argon2id$v=19$m=19456,t=2,p=1$") for one in stored)
    assert len(set(stored)) == 2, "each has a salt of its own"


@in_a_file
def test_nothing_in_the_folder_holds_a_password_or_a_token(accounts: Accounts, tmp_path: Path) -> None:
    accounts.register("ana", PASSWORD)
    token = accounts.open_login("ana")
    raw = base64.urlsafe_b64decode(token + "=")
    held = everything_in(tmp_path)
    assert len(raw) == 32
    assert hashlib.sha256(token.encode()).digest() in held
    for secret in (PASSWORD.encode(), token.encode(), raw, raw.hex().encode()):
        assert secret not in held


def test_a_letter_typed_as_two_characters_is_the_same_letter(accounts: Accounts) -> None:
    accounts.register("ana", unicodedata.normalize("NFC", "motörhead"))
    assert accounts.check_password("ana", unicodedata.normalize("NFD", "motörhead")) is not None


def test_a_hash_of_other_parameters_is_made_again_at_the_next_login(tmp_path: Path, clock: Clock) -> None:
    opening(tmp_path, clock, CountingHasher(passes=1)).register("ana", PASSWORD)
    later = opening(tmp_path, clock, CountingHasher(passes=3))
    sql = "SELECT password_hash FROM accounts"
    assert later.check_password("ana", "wrong password") is None
    assert ",t=1," in str(reading(tmp_path).execute(sql).fetchall())
    assert later.check_password("ana", PASSWORD) is not None
    assert ",t=3," in str(reading(tmp_path).execute(sql).fetchall())
    assert later.check_password("ana", PASSWORD) is not None


def test_a_password_changed_during_the_check_is_not_the_old_one(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = opening(tmp_path, clock)
    operator.register("ana", PASSWORD)
    for passes in (1, 2):
        hasher = CountingHasher(passes)
        accounts = opening(tmp_path, clock, hasher)
        checked = hasher.verify

        def changed_meanwhile(hash: str | bytes, password: str | bytes) -> bool:
            is_right = checked(hash, password)  # noqa: B023
            operator.set_password("ana", "another password")
            return is_right

        monkeypatch.setattr(hasher, "verify", changed_meanwhile)
        assert accounts.check_password("ana", PASSWORD) is None
        operator.set_password("ana", PASSWORD)


def test_the_same_work_is_done_whether_or_not_there_is_such_an_account(tmp_path: Path, clock: Clock) -> None:
    hasher = CountingHasher()
    accounts = opening(tmp_path, clock, hasher)
    accounts.register("ana", PASSWORD)
    guest = accounts.new_guest().name
    for name, password in [
        ("ana", "wrong password"),
        ("nobody", "wrong password"),
        (guest, "wrong password"),
        ("ana", "short"),
        ("ana", "x" * 5000),
        ("no name\ud800", "\ud800"),
    ]:
        before = hasher.checks
        assert accounts.check_password(name, password) is None
        assert hasher.checks == before + 1, name


# Too many failures


@pytest.mark.parametrize("name", ["ana", "nobody"])
def test_after_five_failures_a_name_waits_longer_and_longer(accounts: Accounts, clock: Clock, name: str) -> None:
    accounts.register("ana", PASSWORD)
    for _ in range(5):
        assert accounts.check_password(name, "wrong password") is None
    for seconds in (1, 2, 4):
        for password in ("wrong password", PASSWORD):
            with pytest.raises(MustWait) as told:
                accounts.check_password(name.upper(), password)
            assert (told.value.seconds, str(told.value)) == (seconds, f"too many failures: wait {seconds} s")
        clock.ms += seconds * 1000
        assert accounts.check_password(name, "wrong password") is None


def test_a_login_ends_the_wait_of_a_name(accounts: Accounts, clock: Clock) -> None:
    accounts.register("ana", PASSWORD)
    for _ in range(3):
        for _ in range(4):
            assert accounts.check_password("ana", "wrong password") is None
        assert accounts.check_password("ana", PASSWORD) is not None


def test_an_address_that_tries_many_names_waits_too(accounts: Accounts) -> None:
    accounts.register("mallory", PASSWORD)
    for number in range(5):
        assert accounts.check_password(f"name{number}", "wrong password", "192.0.2.7") is None
        if number < 4:
            assert accounts.check_password("mallory", PASSWORD, "192.0.2.7") is not None
    with pytest.raises(MustWait):
        accounts.check_password("mallory", PASSWORD, "192.0.2.7")
    assert accounts.check_password("mallory", PASSWORD, "192.0.2.8") is not None


def test_a_name_that_waits_costs_the_address_nothing(accounts: Accounts) -> None:
    accounts.register("bob", PASSWORD)
    for number in range(5):
        assert accounts.check_password("ana", "wrong password", f"192.0.2.{number}") is None
    for _ in range(10):
        with pytest.raises(MustWait):
            accounts.check_password("ana", "wrong password", "192.0.2.9")
    assert accounts.check_password("bob", PASSWORD, "192.0.2.9") is not None


# Sessions


def test_a_session_is_whose_it_is_until_logout(accounts: Accounts) -> None:
    ended: list[str] = []
    accounts.on_login_ended(ended.append)
    accounts.register("Ana", PASSWORD)
    token, other = accounts.open_login("ana"), accounts.open_login("ana")
    assert accounts.account_of(token) == accounts.account("Ana")
    accounts.close_login(token)
    accounts.close_login(token)
    assert ended == [login_key(token)]
    assert accounts.account_of(token) is None
    assert accounts.account_of(other) is not None
    for forged in ("", "x", login_key(other), other[:-1], "\ud800", "é" * 100):
        assert accounts.account_of(forged) is None


@pytest.mark.parametrize(("is_guest", "idle"), [(False, 12 * HOUR), (True, 30 * DAY)])
def test_a_session_that_is_not_used_ends(accounts: Accounts, clock: Clock, is_guest: bool, idle: int) -> None:
    name = accounts.new_guest().name if is_guest else accounts.register("ana", PASSWORD).name
    token = accounts.open_login(name)
    clock.ms += idle - 1
    assert accounts.account_of(token) is not None
    clock.ms += idle - 1
    assert accounts.use_login(login_key(token)) is not None
    clock.ms += idle
    assert accounts.use_login(login_key(token)) is None
    assert accounts.account_of(token) is None


def test_after_thirty_days_the_password_is_asked_for_again_but_a_guest_has_none(
    accounts: Accounts, clock: Clock
) -> None:
    accounts.register("ana", PASSWORD)
    token, guest = accounts.open_login("ana"), accounts.open_login(accounts.new_guest().name)
    for step in [6 * HOUR] * (4 * 30 - 1) + [6 * HOUR - 1]:
        clock.ms += step
        assert accounts.account_of(token) is not None
        assert accounts.known("ana").seen_at == clock.ms
        assert accounts.account_of(guest) is not None
    clock.ms += 1
    assert accounts.account_of(token) is None
    assert accounts.account_of(guest) is not None


def test_two_sessions_of_one_account_both_last_while_they_are_used(accounts: Accounts, clock: Clock) -> None:
    accounts.register("ana", PASSWORD)
    tokens = [accounts.open_login("ana") for _ in range(2)]
    for _ in range(20):
        clock.ms += 6 * HOUR
        assert all(accounts.account_of(token) for token in tokens)


def test_a_login_gives_a_new_token_and_ends_the_one_it_came_with(accounts: Accounts) -> None:
    ended: list[str] = []
    accounts.on_login_ended(ended.append)
    accounts.register("ana", PASSWORD)
    guest = accounts.open_login(accounts.new_guest().name)
    token = accounts.open_login("ana", instead_of=guest)
    assert token != guest
    assert accounts.account_of(guest) is None
    assert accounts.account_of(token) is not None
    assert ended == [login_key(guest)]


@in_a_file
def test_expired_sessions_are_not_kept(accounts: Accounts, clock: Clock, tmp_path: Path) -> None:
    accounts.register("ana", PASSWORD)
    for _ in range(3):
        accounts.open_login("ana")
        clock.ms += 12 * HOUR
    assert reading(tmp_path).execute("SELECT count(*) FROM sessions").fetchall() == [(1,)]


def test_all_sessions_of_an_account_end_at_once(accounts: Accounts) -> None:
    for name in ("ana", "bob"):
        accounts.register(name, PASSWORD)
    anas, bobs = [accounts.open_login("ana") for _ in range(3)], accounts.open_login("bob")
    ended: set[str] = set()
    accounts.on_login_ended(ended.add)
    accounts.set_password("ANA", "another password")
    assert ended == {login_key(token) for token in anas}
    assert accounts.account_of(bobs) is not None


def test_a_new_password_ends_the_sessions_and_the_old_password(accounts: Accounts) -> None:
    ended: list[str] = []
    accounts.on_login_ended(ended.append)
    accounts.register("ana", PASSWORD)
    token = accounts.open_login("ana")
    accounts.set_password("ana", "another password")
    assert accounts.account_of(token) is None
    assert ended == [login_key(token)]
    assert accounts.check_password("ana", PASSWORD) is None
    assert accounts.check_password("ana", "another password") is not None
    with pytest.raises(NameUnknown):
        accounts.set_password("nobody", PASSWORD)


@in_a_file
def test_what_another_program_or_time_has_ended_is_told_when_asked(
    accounts: Accounts, tmp_path: Path, clock: Clock
) -> None:
    ended: list[str] = []
    accounts.on_login_ended(ended.append)
    for name in ("ana", "bob", "eve"):
        accounts.register(name, PASSWORD)
    eve = login_key(accounts.open_login("eve"))
    clock.ms += 11 * HOUR
    ana, bob = (login_key(accounts.open_login(name)) for name in ("ana", "bob"))
    operator = opening(tmp_path, clock)
    operator.lock("ana", BY, WHY)
    accounts.sweep([ana, bob, eve])
    assert ended == [ana]
    clock.ms += HOUR
    accounts.sweep([bob, eve])
    assert ended == [ana, eve]


@in_a_file
def test_a_login_in_use_ends_with_the_act_of_another_program_though_it_is_kept_in_memory(
    accounts: Accounts, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.register("ana", PASSWORD)
    accounts.register("bob", PASSWORD)
    ana, bob = (login_key(accounts.open_login(name)) for name in ("ana", "bob"))
    read: list[str] = []
    real = Logins._read

    def noted(self: Logins, key: str) -> Login | None:
        read.append(key)
        return real(self, key)

    monkeypatch.setattr(Logins, "_read", noted)
    clock.ms += HOUR  # The first use is noted, and what is known of the other stays.
    for key in (ana, bob, ana, bob):
        assert accounts.use_login(key) is not None
    assert read == [ana, bob]
    opening(tmp_path, clock).lock("ana", BY, WHY)
    # So long it takes at most until it is known.
    accounts._file._looked_at -= accounts_file.LOOK_S  # type: ignore[attr-defined]
    assert accounts.use_login(ana) is None
    assert accounts.use_login(bob) is not None


def test_a_login_in_use_ends_at_once_with_an_act_of_this_program(accounts: Accounts) -> None:
    accounts.register("ana", PASSWORD)
    ana = login_key(accounts.open_login("ana"))
    assert accounts.use_login(ana) is not None
    accounts.lock("ana", BY, WHY)
    assert accounts.use_login(ana) is None


def test_a_listener_that_looks_finds_the_session_ended(accounts: Accounts) -> None:
    found: list[object] = []
    accounts.on_login_ended(lambda key: found.append(accounts.use_login(key)))
    accounts.register("ana", PASSWORD)
    accounts.open_login("ana", instead_of=accounts.open_login("ana"))
    accounts.lock("ana", BY, WHY)
    assert found == [None, None]


def test_last_seen_is_known_to_the_minute(accounts: Accounts, clock: Clock) -> None:
    accounts.register("ana", PASSWORD)
    token, began = accounts.open_login("ana"), clock.ms
    for seconds, seen in [(59, 0), (60, 60), (90, 60), (121, 121)]:
        clock.ms = began + seconds * 1000
        accounts.account_of(token)
        assert accounts.known("ana").seen_at == began + seen * 1000


# Locks and roles


def test_a_locked_account_is_shut_out_and_only_its_owner_is_told(accounts: Accounts) -> None:
    accounts.register("ana", PASSWORD)
    token = accounts.open_login("ana")
    accounts.lock("ANA", BY, WHY)
    assert accounts.is_locked("ana")
    assert accounts.account_of(token) is None
    assert accounts.check_password("ana", "wrong password") is None
    with pytest.raises(AccountLocked):
        accounts.check_password("ana", PASSWORD)
    with pytest.raises(AccountLocked):
        accounts.open_login("ana")
    accounts.unlock("ana", BY, WHY)
    assert accounts.check_password("ana", PASSWORD) is not None
    assert accounts.account_of(accounts.open_login("ana")) is not None
    assert accounts.account_of(token) is None


def test_a_guest_can_be_locked_and_gets_no_role(accounts: Accounts) -> None:
    guest = accounts.new_guest().name
    token = accounts.open_login(guest)
    accounts.lock(guest, BY, WHY)
    assert accounts.account_of(token) is None
    with pytest.raises(RequestRefused):
        accounts.request_staff_role(guest, "dealer", True, BY, WHY)


def test_what_was_asked_for_is_numbered_and_kept(accounts: Accounts, clock: Clock) -> None:
    accounts.register("Ana", PASSWORD)
    assert accounts.last_request() == 0
    assert accounts.request_staff_role("ana", "dealer", True, BY, WHY) == 1
    assert accounts.request_staff_role("ana", "auditor", True, BY, WHY) == 2
    clock.ms += 5
    assert accounts.lock("ana", BY, "left the building") == 3
    assert accounts.request_staff_role("ana", "dealer", False, "admin:else", "moved on") == 4
    last = accounts.role_requests(after=3)
    assert [(one.number, one.account, one.role, one.is_granted, one.by, one.reason, one.at) for one in last] == [
        (4, "Ana", "dealer", False, "admin:else", "moved on", clock.ms)
    ]
    assert [one.role for one in accounts.role_requests()] == ["dealer", "auditor", "player", "dealer"]
    assert staff_roles(accounts.role_requests()) == {"Ana": {"auditor"}}
    assert accounts.last_request() == 4


@pytest.mark.parametrize(
    ("name", "role", "by", "why", "refused"),
    [
        ("nobody", "dealer", BY, WHY, NameUnknown),
        ("ana", "king", BY, WHY, RequestRefused),
        ("ana", "player", BY, WHY, RequestRefused),
        ("ana", "Dealer", BY, WHY, RequestRefused),
        ("ana", "dealer", "", WHY, RequestRefused),
        ("ana", "dealer", BY, "no", RequestRefused),
        ("ana", "dealer", BY, "      ", RequestRefused),
        ("ana", "dealer", BY, "x" * 201, RequestRefused),
        ("ana", "dealer", BY, "two\nlines", RequestRefused),
        ("ana", "dealer", BY, "bad \ud800 text", RequestRefused),
    ],
)
def test_a_request_that_is_refused_leaves_nothing(
    accounts: Accounts, name: str, role: str, by: str, why: str, refused: type[AccountRefused]
) -> None:
    accounts.register("ana", PASSWORD)
    with pytest.raises(refused):
        accounts.request_staff_role(name, role, True, by, why)
    assert accounts.role_requests() == []


def test_a_lock_without_a_reason_leaves_the_sessions(accounts: Accounts) -> None:
    accounts.register("ana", PASSWORD)
    token = accounts.open_login("ana")
    with pytest.raises(RequestRefused):
        accounts.lock("ana", BY, "")
    assert accounts.account_of(token) is not None


# The file


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE role_requests SET is_granted = 1",
        "DELETE FROM role_requests",
        "INSERT OR REPLACE INTO role_requests VALUES (1, 'ana', 'operator', 1, 'me', 'because', 0)",
        "INSERT INTO role_requests VALUES (3, 'ana', 'operator', 1, 'me', 'because', 0)",
        "UPDATE accounts SET name = 'eve'",
        "DELETE FROM accounts",
        "INSERT OR REPLACE INTO accounts VALUES ('ana', 'x', 0, 0)",
        "INSERT INTO accounts VALUES ('eve', NULL, 0, 0)",
        "INSERT INTO accounts VALUES ('guest-1', 'x', 0, 0)",
        "INSERT INTO sessions VALUES (zeroblob(32), 'nobody', 0, 0)",
    ],
)
@in_a_file
def test_the_file_itself_refuses_what_must_not_be(accounts: Accounts, sql: str) -> None:
    accounts.register("ana", PASSWORD)
    accounts.request_staff_role("ana", "dealer", False, BY, WHY)
    before = accounts.everybody(), accounts.role_requests()
    with pytest.raises(StoreFault):
        accounts._file.execute(sql)
    assert (accounts.everybody(), accounts.role_requests()) == before


def test_the_file_and_what_lies_beside_it_are_for_the_owner_alone(tmp_path: Path, clock: Clock) -> None:
    accounts = opening(tmp_path / "new" / "data", clock)
    accounts.new_guest()
    held = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "new" / "data").iterdir()}
    assert held == {"accounts.db": 0o600, "accounts.db-wal": 0o600, "accounts.db-shm": 0o600}
    assert stat.S_IMODE((tmp_path / "new" / "data").stat().st_mode) == 0o700
    accounts.close()
    (tmp_path / "new" / "data" / "accounts.db").chmod(0o644)
    opening(tmp_path / "new" / "data", clock).close()
    assert stat.S_IMODE((tmp_path / "new" / "data" / "accounts.db").stat().st_mode) == 0o600


@in_a_file
def test_every_commit_waits_for_the_disk(accounts: Accounts) -> None:
    assert accounts._file.execute("PRAGMA journal_mode") == [("wal",)]
    assert accounts._file.execute("PRAGMA synchronous") == [(2,)]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("PRAGMA user_version = 99", "newer program"),
        ("DROP TRIGGER role_requests_stay", "trigger role_requests_stay"),
        ("CREATE TABLE extra (x)", "table extra"),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, clock: Clock, damage: str, says: str) -> None:
    opening(tmp_path, clock).close()
    altered = reading(tmp_path)
    altered.execute(damage).fetchall()
    altered.close()
    with pytest.raises(StoreFault, match=says) as fault:
        opening(tmp_path, clock)
    assert str(fault.value).startswith(str(tmp_path / "accounts.db"))


def test_a_file_from_before_there_were_managers_keeps_its_grants(tmp_path: Path, clock: Clock) -> None:
    """The table of requests is made anew with every request in it, and takes the new role then."""
    db = reading(tmp_path)
    for statement in accounts_file.scripts()[:1]:
        db.execute(statement).fetchall()
    db.execute("INSERT INTO accounts VALUES ('ana', 'x', 1, 1)").fetchall()
    for number, role, is_granted in ((1, "supervisor", 1), (2, "operator", 1), (3, "operator", 0), (4, "player", 0)):
        row = f"({number}, 'ana', '{role}', {is_granted}, '{BY}', '{WHY}', {number})"
        db.execute(f"INSERT INTO role_requests VALUES {row}").fetchall()
    before = db.execute("SELECT * FROM role_requests").fetchall()
    db.execute("PRAGMA user_version = 1").fetchall()
    db.close()
    accounts = opening(tmp_path, clock)
    assert accounts._file.execute("SELECT * FROM role_requests") == before
    assert staff_roles(accounts.role_requests()) == {"ana": {"supervisor"}}
    assert accounts.request_staff_role("ana", "manager", True, BY, WHY) == 5
    assert staff_roles(accounts.role_requests()) == {"ana": {"supervisor", "manager"}}
    with pytest.raises(StoreFault):
        accounts._file.execute("DELETE FROM role_requests")
    accounts.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "accounts.db").write_text("my shopping list\n" * 100)
    with pytest.raises(StoreFault, match=r"accounts\.db: .*not a database"):
        opening(tmp_path, clock)


@in_a_file
def test_a_file_that_another_holds_too_long_is_told_as_busy(accounts: Accounts, tmp_path: Path) -> None:
    accounts._file._db.set_busy_timeout(50)  # type: ignore[attr-defined]
    other = reading(tmp_path)
    other.execute("BEGIN IMMEDIATE").fetchall()
    with pytest.raises(StoreInUse, match="try again"):
        accounts.new_guest()
    other.execute("ROLLBACK").fetchall()
    assert accounts.new_guest().is_guest


@in_a_file
def test_a_medium_that_fails_is_told_as_such(accounts: Accounts) -> None:
    accounts._file._db.execute("PRAGMA query_only = 1").fetchall()  # type: ignore[attr-defined]
    with pytest.raises(StoreFailed, match=r"accounts\.db: "):
        accounts.new_guest()


def asking(path: str, count: int) -> None:
    accounts = Accounts(path, hasher=CountingHasher())
    accounts.new_guest()
    for number in range(count):
        accounts.request_staff_role("ana", "dealer", number % 2 == 0, f"admin:{number}", WHY)
    accounts.close()


def test_several_programs_at_once_lose_nothing(tmp_path: Path, clock: Clock) -> None:
    accounts = opening(tmp_path, clock)
    accounts.register("ana", PASSWORD)
    path = str(tmp_path / "accounts.db")
    spawning = multiprocessing.get_context("spawn")
    others = [spawning.Process(target=asking, args=(path, 25)) for _ in range(3)]
    for other in others:
        other.start()
    asking(path, 25)
    for other in others:
        other.join(60)
    assert [other.exitcode for other in others] == [0, 0, 0]
    requests = accounts.role_requests()
    assert [one.number for one in requests] == list(range(1, 101))
    assert sorted(one.by for one in requests) == sorted(f"admin:{number}" for number in range(25) for _ in range(4))
    assert sum(one.is_guest for one in accounts.everybody()) == 4


def making(path: str, go: float) -> None:
    time.sleep(max(0.0, go - time.time()))
    Accounts(path, hasher=CountingHasher()).new_guest()


def test_several_programs_may_make_the_file_at_once(tmp_path: Path, clock: Clock) -> None:
    spawning = multiprocessing.get_context("spawn")
    go = time.time() + 2
    others = [spawning.Process(target=making, args=(str(tmp_path / "accounts.db"), go)) for _ in range(4)]
    for other in others:
        other.start()
    for other in others:
        other.join(60)
    assert [other.exitcode for other in others] == [0, 0, 0, 0]
    assert len(opening(tmp_path, clock).everybody()) == 4


def test_a_log_that_is_refused_without_waiting_is_asked_for_again(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [apsw.BusyError(), apsw.BusyError()]

    def connect_later(path: Path) -> apsw.Connection:
        if refusals:
            raise refusals.pop()
        return connect(path)

    monkeypatch.setattr("casinowar.web.accounts.file.connect", connect_later)
    assert opening(tmp_path, clock).new_guest().is_guest
    assert refusals == []
    refusals += [apsw.BusyError()] * 100
    monkeypatch.setattr("casinowar.web.accounts.file.BUSY_MS", 50)
    with pytest.raises(StoreInUse):
        opening(tmp_path, clock)


# With the house


def test_the_house_takes_in_each_request_once_and_a_lock_leaves_an_event(accounts: Accounts) -> None:
    accounts.register("ana", PASSWORD)
    house = House(MemoryStore(), HouseSettings())

    def take_in() -> None:
        house.import_roles(
            RoleRequest(one.number, one.account, one.role, one.is_granted, one.by, one.reason)
            for one in accounts.role_requests(after=house.last_request)
        )

    accounts.request_staff_role("ana", "supervisor", True, BY, WHY)
    accounts.request_staff_role("ana", "dealer", True, BY, WHY)
    take_in()
    assert house.roles("ana") == {"supervisor", "dealer"} == staff_roles(accounts.role_requests())["ana"]
    accounts.request_staff_role("ana", "supervisor", False, BY, "moved on")
    accounts.lock("ana", BY, "left")
    take_in()
    take_in()
    assert house.roles("ana") == {"dealer"}
    assert house.last_request == accounts.last_request() == 4
    told = [one.event for one in house.store.read("house")]
    assert told[-4:] == [
        RoleGranted("ana", "supervisor", BY, WHY),
        RoleGranted("ana", "dealer", BY, WHY),
        RoleRevoked("ana", "supervisor", BY, "moved on"),
        RoleRevoked("ana", "player", BY, "left"),
    ]
