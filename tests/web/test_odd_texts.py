"""Values that no database holds, in every place of the API where one can be: each refuses its own request alone."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from casinowar.engine.commands.values import SIGNATURES
from casinowar.house.table.command_kinds import ClientCommand
from casinowar.store import ValueRefused
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.accounts.refusals import AccountRefused
from casinowar.web.app import OPERATIONS
from casinowar.web.docs.openapi import document
from tests.support.live_server import Caller, LiveServer, running
from tests.web.test_accounts import CountingHasher

NUL, HALF, GREAT = "a\0", "\ud800", 2**70
ODD: tuple[str | int, ...] = (NUL, HALF, GREAT)
IN_ADDRESS = ("a%00", "%ED%A0%80", "%C3%A9%00", "9" * 30)
VALUES = {"table": "nz", "number": "1", "player": "sonja", "rulebook": "nz", "clause": "NZ-5.13c", "run": "none"}
LAST = "/api/logout"
PARTS = ("player", "supervisor")


@pytest.fixture(scope="module", params=["file", "database"])
def place(request: pytest.FixtureRequest) -> str | None:
    """The URL of a database, or None for a file."""
    return request.getfixturevalue("cluster").new_house() if request.param == "database" else None


@pytest.fixture(scope="module")
def live(place: str | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house"), database=place) as live:
        yield live


@pytest.fixture(scope="module")
def staff(live: LiveServer) -> Caller:
    return live.staff("sonja", "dealer", "supervisor", "manager", "operator", "auditor")


def varied(value: Any, odd: str | int) -> Iterator[Any]:
    """The value with something odd in the place of each of its parts in turn, and as a key."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from ({**value, key: one} for one in varied(part, odd))
        if isinstance(odd, str):
            yield {**value, odd: 1}
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from ([*value[:at], one, *value[at + 1 :]] for one in varied(part, odd))
    elif type(value) is type(odd):
        yield odd


def asked() -> Iterator[tuple[str, str, Any]]:
    """Each operation with something odd in its address, in its query and in its body."""
    for at, methods in document(OPERATIONS)["paths"].items():
        for method, told in methods.items():
            plain = at.format(**VALUES)
            body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
            queries = [one["name"] for one in told.get("parameters", ()) if one["in"] == "query"]
            for text in IN_ADDRESS:
                for name in VALUES:
                    if f"{{{name}}}" in at:
                        yield method.upper(), at.format(**{**VALUES, name: text}), body
                for name in queries:
                    yield method.upper(), f"{plain}?{name}={text}", body
            for odd in ODD:
                for one in varied(body, odd):
                    yield method.upper(), plain, one


def sample(field: msgspec.structs.FieldInfo) -> Any:
    kind = str(field.type)
    if "tuple[str" in kind:
        return ["ana"]
    if "tuple[int" in kind:
        return [1]
    return "ana" if "str" in kind or "Literal" in kind else 1 if "int" in kind else None


def commands() -> Iterator[dict[str, Any]]:
    """Each command with something odd in each of its fields."""
    for kind in get_args(ClientCommand):
        fields = [one for one in msgspec.structs.fields(kind) if one.name not in SIGNATURES]
        usual = {one.encode_name: sample(one) for one in fields}
        for odd in ODD:
            yield from ({"do": kind.__struct_config__.tag, **one} for one in varied(usual, odd))


def is_up(live: LiveServer) -> bool:
    return Caller(live).ask("GET", "/readyz").status == 200


def test_a_name_with_a_nul_is_an_unknown_one_and_the_server_goes_on(live: LiveServer) -> None:
    before = live.metric("casinowar_faults_total")
    for name in (NUL, "\0", "é\0"):
        answer = Caller(live).ask("POST", "/api/login", {"name": name, "password": "correct horse"})
        assert (answer.status, answer.json["code"]) == (401, "wrong_login")
    assert Caller(live).ask("POST", "/api/login", {"name": HALF, "password": "correct horse"}).status == 400
    assert is_up(live)
    assert live.metric("casinowar_faults_total") == before


def test_no_request_with_an_odd_value_harms_another(live: LiveServer, staff: Caller) -> None:
    before = live.metric("casinowar_faults_total")
    for method, path, body in asked():
        if path != LAST:
            answer = staff.ask(method, path, body)
            assert answer.status < 500, (method, path, body, answer)
    assert is_up(live)
    assert live.metric("casinowar_faults_total") == before


def test_no_command_with_an_odd_value_harms_another(live: LiveServer, staff: Caller) -> None:
    before = live.metric("casinowar_faults_total")
    for command in commands():
        for part in PARTS:
            for table in ("nz", "hand"):
                answer = staff.command(table, command, reason="it is odd", **{"as": part})
                assert answer.status < 500, (part, command, answer)
    assert is_up(live)
    assert live.metric("casinowar_faults_total") == before


def test_no_odd_value_over_a_socket_or_in_a_token_harms_another(live: LiveServer, staff: Caller) -> None:
    before = live.metric("casinowar_faults_total")
    socket = staff.socket()
    act = {"type": "command", "id": "a", "table": "nz", "expected": 0, "command": {"do": "ready"}, "reason": "a"}
    for frame in (act, {"type": "watch", "table": "nz"}, {"type": "unwatch", "table": "nz"}):
        for odd in ODD:
            for one in varied(frame, odd):
                socket.send(one)
                socket.send({"type": "ping"})
                socket.next_of("pong")
    socket.close()
    for token in ("a%00", "\xff\xfe", "é"):
        for headers in ({"Authorization": f"Bearer {token}"}, {"Cookie": f"casinowar_session_{live.port}={token}"}):
            assert Caller(live).ask("GET", "/api/me", headers=headers).status == 401
        assert Caller(live).ask("GET", f"/api/socket?ticket={token.encode('latin-1').hex()}%00").status < 500
    assert is_up(live)
    assert live.metric("casinowar_faults_total") == before


@pytest.mark.parametrize("odd", [NUL, HALF, "é\0", f"ana{HALF}"])
def test_the_accounts_refuse_it_or_know_nobody(place: str | None, tmp_path: Path, odd: str) -> None:
    hasher = CountingHasher()
    with closing(Accounts(place or tmp_path / "accounts.db", hasher=hasher, failures_per_address=99)) as accounts:
        assert accounts.account(odd) is None
        for address in (None, "127.0.0.1", "::1"):
            assert accounts.check_password(odd, "a long enough one", address) is None
        assert hasher.checks == 3, "it takes the work that any name takes"
        assert accounts.account_of(odd) is None
        guest = accounts.new_guest().name
        refused: list[Callable[[], object]] = [
            lambda: accounts.register(odd, "a long enough one"),
            lambda: accounts.set_password(odd, "a long enough one"),
            lambda: accounts.open_login(odd),
            lambda: accounts.lock(odd, "ana", "reason"),
            lambda: accounts.lock(guest, odd, "reason"),
            lambda: accounts.lock(guest, "ana", odd + "reason"),
            lambda: accounts.request_staff_role(odd, "dealer", True, "ana", "reason"),
        ]
        for act in refused:
            with pytest.raises((AccountRefused, ValueRefused)):
                act()
        assert accounts.account(guest) is not None
