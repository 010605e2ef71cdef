"""Service operations for who runs the server: health, readiness, metrics and documentation."""

from typing import Any

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST

from casinowar.web.docs.doc_page import DOC_STYLE_HASH
from casinowar.web.http.errors import WebError
from casinowar.web.http.headers import policy
from casinowar.web.http.operations import ApiRequest, Operation, Reply

HTML = "text/html"


class State(msgspec.Struct, frozen=True):
    state: str


def healthz(request: ApiRequest) -> State:
    return State("alive")


def readyz(request: ApiRequest) -> State:
    if request.server.is_closing:
        raise WebError("draining")
    if request.server.house.out_of_service is not None:
        raise WebError("out_of_service")
    return State("ready")


def metrics(request: ApiRequest) -> Reply:
    return Reply(request.server.metrics.text(), media=CONTENT_TYPE_LATEST)


def openapi(request: ApiRequest) -> Reply:
    return Reply(request.http.app.state.openapi_json)


def docs(request: ApiRequest) -> Reply:
    page = request.http.app.state.doc_page()
    own = policy(DOC_STYLE_HASH)
    return Reply(page, media=HTML, dress=lambda response: response.headers.update({"content-security-policy": own}))


OPERATIONS = (
    Operation(
        method="GET",
        at="/healthz",
        says="The process answers",
        roles=("anyone",),
        run=healthz,
        gives=State,
        example={"state": "alive"},
    ),
    Operation(
        method="GET",
        at="/readyz",
        says="The server takes commands",
        roles=("anyone",),
        run=readyz,
        gives=State,
        faults=("draining", "out_of_service"),
        example={"state": "ready"},
    ),
    Operation(
        method="GET",
        at="/metrics",
        says="Counts for Prometheus, without any name",
        roles=("anyone",),
        run=metrics,
        gives=str,
        media=(CONTENT_TYPE_LATEST,),
    ),
    Operation(
        method="GET",
        at="/api/openapi.json",
        says="This document",
        roles=("anyone",),
        run=openapi,
        gives=dict[str, Any],
    ),
    Operation(
        method="GET",
        at="/api/docs",
        says="This document as a page",
        roles=("anyone",),
        run=docs,
        gives=str,
        media=(HTML,),
    ),
)
