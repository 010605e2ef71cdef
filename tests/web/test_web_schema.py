"""schemathesis over the whole API, as a guest and as staff: what the document says is what the server does."""

import os
from collections.abc import Callable, Iterator
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.core.failures import FailureGroup
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import ignored_auth

from tests.support.live_server import Caller, LiveServer, running

pytestmark = [pytest.mark.slow, pytest.mark.first]

EXAMPLES = int(os.environ.get("EXAMPLES", "1"))
QUICKLY = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house")) as live:
        yield live


@pytest.fixture(scope="module")
def staff(live: LiveServer) -> Callable[[], str]:
    """A token with every role: a logout that is tried ends it, and then there is another."""
    live.staff("sonja", "dealer", "supervisor", "operator", "auditor")
    accounts, token = live.server.accounts, ""

    def hold() -> str:
        nonlocal token
        if accounts.account_of(token) is None:
            token = accounts.open_login("sonja")
        return token

    return hold


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """One for all calls: to make one, and to look for proxies, takes long. It keeps no cookie of a login."""
    with requests.Session() as session:
        session.trust_env = False
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        yield session


@pytest.fixture(scope="module")
def api(live: LiveServer) -> BaseSchema:
    return schemathesis.openapi.from_url(f"{live.address}/api/openapi.json")


schema = schemathesis.pytest.from_fixture("api")


@schemathesis.hook
def filter_body(context: schemathesis.HookContext, body: Any) -> bool:
    """JSON Schema takes 5.0 for a whole number; here one is written without a point."""
    return not is_pointed(body)


def is_pointed(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(is_pointed, value.values()))
    if isinstance(value, list):
        return any(map(is_pointed, value))
    return isinstance(value, float) and value.is_integer()


def is_public(context: Any) -> bool:
    return "security" not in context.operation.definition.raw


@schema.include(is_public).parametrize()
@QUICKLY
def test_what_is_for_anyone_is_as_documented(case: "Case[Any]", session: requests.Session) -> None:
    case.call_and_validate(session=session)


@schema.exclude(is_public).parametrize()
@QUICKLY
def test_what_is_for_players_and_staff_is_as_documented(
    case: "Case[Any]", staff: Callable[[], str], session: requests.Session
) -> None:
    """Whether a session is needed is tested by the matrix of roles: here it is always there."""
    bearer = {"Authorization": f"Bearer {staff()}"}
    case.call_and_validate(session=session, headers=bearer, excluded_checks=[ignored_auth])


def test_an_answer_that_is_not_as_documented_is_found(live: LiveServer) -> None:
    """The twin: a document that promises another answer than the server gives."""
    document = Caller(live).ask("GET", "/api/openapi.json").json
    (told,) = document["paths"]["/healthz"]["get"]["responses"]["200"]["content"].values()
    honest = schemathesis.openapi.from_dict(document)["/healthz"]["GET"]
    honest.Case().call_and_validate(base_url=live.address)
    told["schema"] = {"type": "integer"}
    forged = schemathesis.openapi.from_dict(document)["/healthz"]["GET"]
    with pytest.raises(FailureGroup):
        forged.Case().call_and_validate(base_url=live.address)


def test_nothing_of_it_was_a_mistake_of_the_server(live: LiveServer) -> None:
    """Comes last: all that was sent has been refused or done, and the books still sum to nothing."""
    assert live.metric("casinowar_faults_total") == 0
    assert live.metric("casinowar_trial_balance") == 0
