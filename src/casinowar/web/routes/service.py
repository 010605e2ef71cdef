"""Service operations for who runs the server: health, readiness, metrics and documentation."""

from typing import Any

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST

from casinowar.web.docs.doc_page import DOC_STYLE_HASH
from casinowar.web.http.errors import WebError
from casinowar.web.http.headers import policy
from casinowar.web.http.operations import ANYONE, ApiRequest, Reply, check_service, get

HTML = "text/html"


class State(msgspec.Struct, frozen=True):
    state: str


def healthz(request: ApiRequest) -> State:
    return State("alive")


def readyz(request: ApiRequest) -> State:
    check_service(request.server)
    if request.server.is_leaving:
        raise WebError("draining")
    return State("ready")


def metrics(request: ApiRequest) -> Reply:
    return Reply(request.server.metrics.text(), media=CONTENT_TYPE_LATEST)


def openapi(request: ApiRequest) -> Reply:
    return Reply(request.http.app.state.openapi_json)


def docs(request: ApiRequest) -> Reply:
    headers = {"content-security-policy": policy(DOC_STYLE_HASH)}
    return Reply(request.http.app.state.doc_page(), media=HTML, headers=headers)


OPERATIONS = (
    get("/healthz", "The process answers", ANYONE, healthz, State, example={"state": "alive"}),
    get(
        "/readyz",
        "The server takes commands",
        ANYONE,
        readyz,
        State,
        faults=("draining", "out_of_service"),
        example={"state": "ready"},
    ),
    get("/metrics", "Counts for Prometheus, without any name", ANYONE, metrics, str, media=(CONTENT_TYPE_LATEST,)),
    get("/api/openapi.json", "This document", ANYONE, openapi, dict[str, Any]),
    get("/api/docs", "This document as a page", ANYONE, docs, str, media=(HTML,)),
)
