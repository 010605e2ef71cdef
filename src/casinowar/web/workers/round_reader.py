"""A round of a live table out of its log, read beside the thread that deals."""

from collections.abc import Callable
from typing import TypeVar

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.history.log_walk import Moment, moments
from casinowar.rulebooks import Rulebook
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ApiRequest
from casinowar.web.workers.round_index import RoundIndex

T = TypeVar("T")


async def read(request: ApiRequest, work: Callable[[], T]) -> T:
    return await request.server.log_reader.read(request.address, work)


def round_moments(index: RoundIndex, table: str, number: int) -> list[Moment]:
    """Every event of a round that is over, with the table after it."""
    span = index.spans(table).get(number)
    if span is None:
        raise WebError("no_such_round")
    start = index.start(table, span)
    return list(moments(index.log(table, start.version), span.first, span.last, start))


def round_over_at(index: RoundIndex, table: str, number: int) -> int:
    """The version at which the round was over. It changes if the round is voided or amended later."""
    span = index.spans(table).get(number)
    if span is None:
        raise WebError("no_such_round")
    return span.last


def last_round(story: list[Moment]) -> tuple[Rulebook, Table]:
    """The rules and the table as the round stood at its own end."""
    ends = [(rules, table) for rules, event, table in story if isinstance(event, e.RoundEnded)]
    return ends[-1] if ends else (story[-1][0], story[-1][2])
