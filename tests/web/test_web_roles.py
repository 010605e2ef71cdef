"""The role matrix, generated from the OpenAPI document: every operation has roles, and is refused to all others."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from casinowar.web.app import OPERATIONS, make_app
from casinowar.web.docs.openapi import document
from casinowar.web.http.errors import CODES
from casinowar.web.routes import page
from tests.support.live_server import Caller, LiveServer, fresh_id, running

DOCUMENT = document(OPERATIONS)
STAFF = ("dealer", "supervisor", "manager", "operator", "auditor")
VALUES = {"table": "nz", "number": "1", "player": "anybody", "rulebook": "nz", "clause": "NZ-5.13c", "run": "none"}
QUERIES = {"/api/tables/{table}/rounds/{number}/under": "?rulebook=wa"}
METHODS = ("get", "post", "put")
DESCRIBED = [(path, method, told) for path, methods in DOCUMENT["paths"].items() for method, told in methods.items()]
NAMES = [f"{method} {path}" for path, method, _ in DESCRIBED]

EXPECTED = {
    "post /api/tables": {"supervisor", "manager", "operator"},
    "get /api/tables/{table}/log": {"supervisor", "manager", "auditor"},
    "get /api/tables/{table}/acts": {"dealer", "supervisor", "manager"},
    "post /api/players/{player}/fund": {"operator"},
    "get /api/players/{player}": {"supervisor", "manager", "operator", "auditor"},
    "get /api/pit": {"supervisor", "manager", "operator", "auditor"},
    "post /api/pit/audit": {"supervisor", "manager", "operator", "auditor"},
}
"""What the plan of the house gives to staff alone, written by hand."""

ANYONE = {
    "get /",
    "get /healthz",
    "get /readyz",
    "get /metrics",
    "get /api/docs",
    "get /api/openapi.json",
    "get /api/house",
    "get /api/session",
    "get /api/key",
    "get /api/checkpoints",
    "get /api/checkpoints/latest",
    "get /api/felts.css",
    "get /api/rulebooks",
    "get /api/rulebooks/{rulebook}",
    "get /api/clauses/{clause}",
    "get /api/differences",
    "get /api/odds",
    "get /api/odds/session",
    "get /api/odds/night",
    "post /api/nights",
    "get /api/nights/{run}",
    "post /api/nights/{run}",
    "get /api/par",
    "get /api/tables",
    "get /api/tables/{table}/shoes",
    "get /api/tables/{table}/shoes/{number}",
    "post /api/guest",
    "post /api/register",
    "post /api/login",
}
"""What needs no session, written by hand."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house")) as live:
        yield live


@pytest.fixture(scope="module")
def callers(live: LiveServer) -> dict[str, Caller]:
    staff = {role: live.staff(f"{role}-1", role) for role in STAFF}
    return {"anyone": Caller(live), "player": Caller(live).guest(), **staff}


def ask(caller: Caller, path: str, method: str, told: dict[str, Any]) -> int:
    """The operation with its own example for a body."""
    body = None
    if "requestBody" in told:
        body = {**told["requestBody"]["content"]["application/json"]["example"]}
        if "id" in body:
            body["id"] = fresh_id()
    return caller.ask(method.upper(), path.format(**VALUES) + QUERIES.get(path, ""), body).status


@pytest.mark.parametrize(("path", "method", "told"), DESCRIBED, ids=NAMES)
def test_every_operation_has_roles_and_they_are_the_planned_ones(path: str, method: str, told: dict[str, Any]) -> None:
    name = f"{method} {path}"
    roles = set(told["x-roles"])
    assert roles
    assert roles <= {"anyone", "player", *STAFF}
    assert roles == EXPECTED.get(name, {"anyone"} if name in ANYONE else {"player"})
    assert ("security" in told) == ("anyone" not in roles)


@pytest.mark.parametrize(
    ("described", "role"),
    [
        pytest.param(one, role, id=f"{name} as {role}")
        for (one, name), role in product(zip(DESCRIBED, NAMES, strict=True), ("anyone", "player", *STAFF))
    ],
)
def test_an_operation_is_refused_to_those_without_its_role(
    callers: dict[str, Caller], described: tuple[str, str, dict[str, Any]], role: str
) -> None:
    path, method, told = described
    if path in ("/api/guest", "/api/register", "/api/login", "/api/logout") and role != "anyone":
        return
    callers["anyone"].cookie = None
    status = ask(callers[role], path, method, told)
    roles = set(told["x-roles"])
    if "anyone" in roles or ("player" in roles and role != "anyone") or role in roles:
        assert status not in (401, 403, 405, 415, 422, 500)
    else:
        assert status == (401 if role == "anyone" else 403)


def test_there_is_no_route_beside_the_operations(live: LiveServer) -> None:
    routes = {
        (getattr(route, "path", ""), method)
        for route in make_app(live.server).routes
        for method in getattr(route, "methods", None) or {"WS"}
    }
    described = {(path, method.upper()) for path, method, _ in DESCRIBED}
    heads = {(path, "HEAD") for path, method in described if method == "GET"}
    pages = {(one.at, method) for one in page.UNDOCUMENTED for method in ("GET", "HEAD")}
    assert routes == described | heads | pages | {("/api/socket", "WS")}


def test_the_pages_own_places_are_for_anyone_and_only_read() -> None:
    assert {(one.method, one.roles) for one in page.UNDOCUMENTED} == {("GET", ("anyone",))}


@pytest.mark.parametrize(("path", "method", "told"), DESCRIBED, ids=NAMES)
def test_every_operation_is_described_whole(path: str, method: str, told: dict[str, Any]) -> None:
    assert told["summary"]
    assert told["responses"]["200"]["content"]
    named = {code for one in told["responses"].values() for code in one.get("x-codes", ())}
    for status, one in told["responses"].items():
        if status == "200":
            continue
        for code in one["x-codes"]:
            assert " " in code or str(CODES[code][0]) == status
    assert "internal" in named
    assert ("{" in path) == any(parameter["in"] == "path" for parameter in told["parameters"])
    if "requestBody" in told:
        assert "example" in told["requestBody"]["content"]["application/json"]
        assert {"malformed", "invalid", "too_large", "not_json", "foreign_origin"} <= named


def test_staff_say_why(callers: dict[str, Caller]) -> None:
    """Every operation for staff alone that changes something asks for a reason."""
    for path, method, told in DESCRIBED:
        if method == "get" or set(told["x-roles"]) & {"anyone", "player"}:
            continue
        body = {**told["requestBody"]["content"]["application/json"]["example"]}
        del body["reason"]
        answer = callers["operator"].ask(method.upper(), path.format(**VALUES), body)
        assert (answer.status, answer.json["code"]) == (422, "invalid")


def test_the_codes_of_the_documentation_are_those_of_the_server() -> None:
    from pathlib import Path

    text = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    rows = {
        code.strip(" `"): (int(status), says.strip())
        for line in text.splitlines()
        if line.startswith("| `") and line.count("|") == 4
        for _, code, status, says, _ in [line.split("|")]
        if status.strip().isdigit()
    }
    assert rows == CODES
