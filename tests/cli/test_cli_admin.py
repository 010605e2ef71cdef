"""`casinowar admin`: accounts and roles from the command line, beside a server that has the same file open."""

import json
import os
import pty
import pwd
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from casinowar.web.accounts.accounts import Accounts
from casinowar.web.accounts.logins import login_key
from casinowar.web.accounts.role_requests import staff_roles
from tests.support.commandline import Ran, run, spawn

PASSWORD = "correct horse"
ME = f"admin:{pwd.getpwuid(os.getuid()).pw_name}"
WHY = ("--reason", "opening night")


def admin(folder: Path, *args: str, stdin: str | bytes = "") -> Ran:
    return run("admin", *args, "--data", str(folder), stdin=stdin)


def add(folder: Path, name: str) -> None:
    file = folder / "accounts.db"
    told = "" if file.exists() else f"casinowar admin: {file} is new\n"
    done = admin(folder, "add", name, "--password-stdin", stdin=PASSWORD + "\n")
    assert (done.status, done.out, done.err) == (0, f"{name} added\n", told)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Accounts]:
    """What a running server has open."""
    accounts = Accounts(tmp_path / "accounts.db")
    yield accounts
    accounts.close()


@pytest.mark.parametrize("line", [PASSWORD, PASSWORD + "\n", PASSWORD + "\r\n", PASSWORD + "\nmore\n"])
def test_an_account_that_was_added_can_log_in(tmp_path: Path, line: str) -> None:
    assert admin(tmp_path / "new", "add", "ana", "--password-stdin", stdin=line).status == 0
    assert Accounts(tmp_path / "new" / "accounts.db").check_password("ana", PASSWORD) is not None


def test_without_a_folder_it_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run("admin", "add", "ana", "--password-stdin", stdin=PASSWORD).status == 0
    assert (tmp_path / "casinowar" / "accounts.db").exists()


def test_a_role_is_asked_for_and_a_running_server_finds_it_at_once(tmp_path: Path, server: Accounts) -> None:
    add(tmp_path, "ana")
    done = admin(tmp_path, "grant", "ANA", "supervisor", *WHY)
    assert (done.status, done.err) == (0, "")
    assert done.out == "request 1: ana gets supervisor; a running server takes it in within a second\n"
    (request,) = server.role_requests(after=0)
    assert (request.number, request.account, request.role) == (1, "ana", "supervisor")
    assert (request.is_granted, request.by, request.reason) == (True, ME, "opening night")
    assert admin(tmp_path, "revoke", "ana", "supervisor", "--reason", "moved on").status == 0
    assert [one.is_granted for one in server.role_requests(after=1)] == [False]
    assert staff_roles(server.role_requests()) == {}


def test_a_manager_is_granted(tmp_path: Path, server: Accounts) -> None:
    add(tmp_path, "mia")
    assert admin(tmp_path, "grant", "mia", "manager", *WHY).status == 0
    assert staff_roles(server.role_requests()) == {"mia": {"manager"}}


def test_a_lock_and_a_new_password_end_sessions_of_a_running_server(tmp_path: Path, server: Accounts) -> None:
    ended: list[str] = []
    server.on_login_ended(ended.append)
    add(tmp_path, "ana")
    first = server.open_login("ana")
    assert admin(tmp_path, "password", "ana", "--password-stdin", stdin="another password").status == 0
    assert server.account_of(first) is None
    second = server.open_login("ana")
    assert admin(tmp_path, "lock", "ana", *WHY).status == 0
    assert server.account_of(second) is None
    server.sweep([login_key(first), login_key(second)])
    assert set(ended) == {login_key(first), login_key(second)}
    assert server.is_locked("ana")
    assert admin(tmp_path, "unlock", "ana", *WHY).status == 0
    assert server.check_password("ana", "another password") is not None


def test_the_list_of_accounts(tmp_path: Path, server: Accounts) -> None:
    for name in ("bob", "ana"):
        add(tmp_path, name)
    guest = server.new_guest().name
    for role in ("supervisor", "dealer"):
        admin(tmp_path, "grant", "ana", role, *WHY)
    admin(tmp_path, "lock", "bob", *WHY)
    lines = admin(tmp_path, "accounts").out.splitlines()
    assert lines[0].split() == ["name", "roles", "last", "seen", "state"]
    assert [line.split()[0] for line in lines[1:]] == ["ana", "bob"]
    assert lines[1].split()[1:3] == ["dealer", "supervisor"]
    assert lines[1].endswith("open")
    assert lines[2].endswith("locked")
    listed = json.loads(admin(tmp_path, "accounts", "--guests", "--json").out)
    assert [(one["name"], one["roles"], one["state"]) for one in listed] == [
        ("ana", ["dealer", "supervisor"], "open"),
        ("bob", [], "locked"),
        (guest, [], "guest"),
    ]
    today = time.strftime("%Y-%m-%d", time.gmtime())
    assert all(one["seen"].startswith(today) for one in listed)


def test_the_log_tells_who_asked_for_what_and_why(tmp_path: Path) -> None:
    add(tmp_path, "ana")
    assert admin(tmp_path, "log").out == "nothing was asked for\n"
    admin(tmp_path, "grant", "ana", "auditor", "--reason", "yearly audit")
    admin(tmp_path, "revoke", "ana", "auditor", "--reason", "audit done")
    admin(tmp_path, "lock", "ana", "--reason", "left")
    admin(tmp_path, "unlock", "ana", "--reason", "came back")
    told = admin(tmp_path, "log").out.splitlines()
    assert [line.split("  ")[0] for line in told] == ["1", "2", "3", "4"]
    assert [line.partition(f"{ME} ")[2] for line in told] == [
        "granted auditor to ana: yearly audit",
        "revoked auditor of ana: audit done",
        "locked ana: left",
        "unlocked ana: came back",
    ]
    assert [one["number"] for one in json.loads(admin(tmp_path, "log", "--json").out)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("add", "1x"), "a name has 2 to 24 letters a-z, digits, _ or -, and begins with a letter"),
        (("add", "Bot-1"), "this name is reserved: take another"),
        (("add", "ANA"), "this name is taken: take another"),
        (("add", "bob"), "there is no terminal to ask for the password: use --password-stdin"),
        (("add", "bob", "--password-stdin"), "a password has 8 to 128 characters"),
        (("password", "bob"), "no account has the name 'bob'"),
        (("password", "b\nb"), "no account has the name 'b\\nb'"),
        (("grant", "bob", "dealer", *WHY), "no account has the name 'bob'"),
        (("grant", "ana", "king", *WHY), "there is no such role: dealer, supervisor, manager, operator or auditor"),
        (("grant", "ana", "player", *WHY), "there is no such role: dealer, supervisor, manager, operator or auditor"),
        (("grant", "ana", "dealer", "--reason", "x"), "give a reason of 3 to 200 printable characters"),
        (("lock", "ana", "--reason", ""), "give a reason of 3 to 200 printable characters"),
        (("unlock", "bob", *WHY), "no account has the name 'bob'"),
    ],
)
def test_what_is_wrong_is_one_line_and_changes_nothing(tmp_path: Path, args: tuple[str, ...], says: str) -> None:
    add(tmp_path, "ana")
    assert admin(tmp_path, *args).error == f"casinowar: {says}"
    assert [one["name"] for one in json.loads(admin(tmp_path, "accounts", "--json").out)] == ["ana"]
    assert admin(tmp_path, "log").out == "nothing was asked for\n"


@pytest.mark.parametrize("command", ["grant ana dealer", "revoke ana dealer", "lock ana", "unlock ana"])
def test_staff_requests_need_a_reason(tmp_path: Path, command: str) -> None:
    add(tmp_path, "ana")
    assert "Missing option '--reason'" in admin(tmp_path, *command.split()).error


@pytest.mark.parametrize("command", ["accounts", "log", "password ana", "lock ana --reason because"])
def test_a_folder_without_accounts_is_told_and_not_made(tmp_path: Path, command: str) -> None:
    told = admin(tmp_path / "typo", *command.split()).error
    assert told == f"casinowar: {tmp_path / 'typo' / 'accounts.db'}: there are no accounts yet"
    assert not (tmp_path / "typo").exists()


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "accounts.db").write_text("my shopping list\n" * 100)
    assert "not a database" in admin(tmp_path, "accounts").error


def test_a_password_that_is_no_text_is_refused_and_not_repeated(tmp_path: Path) -> None:
    told = admin(tmp_path, "add", "ana", "--password-stdin", stdin=b"hunter2\xff\xfe\n").error
    assert told == "casinowar: the password on standard input is not UTF-8"


def test_no_argument_takes_a_password(tmp_path: Path) -> None:
    assert "unexpected extra argument" in admin(tmp_path, "add", "ana", PASSWORD).error
    assert "No such option" in admin(tmp_path, "add", "ana", "--password", PASSWORD).error


def typed_at_a_terminal(folder: Path, *lines: str) -> tuple[int, str]:
    """Run `admin add ana` at a terminal of its own and type the lines at the prompts; all that was shown."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "casinowar", "admin", "add", "ana", "--data", str(folder)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as running:
        os.close(theirs)
        shown = b""
        for line, prompt in zip(lines, (b"Password: ", b"Again: "), strict=True):
            while prompt not in shown:
                shown += os.read(ours, 1024)
            os.write(ours, line.encode() + b"\n")
        with suppress(OSError):
            while more := os.read(ours, 1024):
                shown += more
        os.close(ours)
    return running.returncode, shown.decode()


def test_at_a_terminal_the_password_is_asked_for_twice_and_never_shown(tmp_path: Path) -> None:
    status, shown = typed_at_a_terminal(tmp_path, PASSWORD, PASSWORD)
    assert (status, shown.split()[:4]) == (0, ["Password:", "Again:", "ana", "added"])
    assert Accounts(tmp_path / "accounts.db").check_password("ana", PASSWORD) is not None


def test_two_passwords_that_differ_are_none(tmp_path: Path) -> None:
    status, shown = typed_at_a_terminal(tmp_path, PASSWORD, "correct house")
    assert status == 2
    assert shown.splitlines()[-1] == "casinowar: the two passwords differ: nothing was changed"
    assert Accounts(tmp_path / "accounts.db").everybody() == []


def test_the_environment_does_not_say_who_asks(tmp_path: Path) -> None:
    add(tmp_path, "ana")
    said = {"LOGNAME": "somebody", "USER": "somebody", "USERNAME": "somebody"}
    assert spawn("admin", "lock", "ana", *WHY, "--data", str(tmp_path), env=said).status == 0
    assert Accounts(tmp_path / "accounts.db").role_requests()[0].by == ME
