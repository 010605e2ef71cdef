"""Replay and dispute: a round under another book, and any record, step by step."""

from typing import Annotated

import msgspec

from casinowar.rulebooks import Rulebook, is_known, load_rulebook
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ApiRequest, Operation, Reply
from casinowar.web.http.replies import NumberPath, table_in_path
from casinowar.web.workers.reckoner import Sum
from casinowar.web.workers.replays import Replayed, replay_under
from casinowar.web.workers.round_reader import last_round, read, round_moments, round_over_at

MOST_BYTES = 65_536
"""A record may hold its whole book."""

BookId = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class OtherBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: BookId


class RecordText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round record, as JSON or TOML; with a rulebook its last round is told under that one."""

    record: Annotated[str, msgspec.Meta(min_length=2, max_length=50_000)]
    rulebook: BookId | None = None


async def under(request: ApiRequest) -> Reply:
    stream = table_in_path(request).stream
    table, number = request.path.table, request.path.number
    other, digits = _book(request.query.rulebook), request.server.house.settings.minor_digits
    server = request.server

    def replayed_round() -> Replayed:
        return replay_under(other, *last_round(round_moments(server.index, table, number)), digits)

    def reply() -> Reply:
        key = ("under", stream, number, round_over_at(server.index, table, number), other.id, other.edition)
        return Reply(server.log_reader.kept(key, lambda: msgspec.json.encode(replayed_round())))

    return await read(request, reply)


async def replayed(request: ApiRequest) -> Reply:
    """A record replayed, in a process of its own, since a stranger's record may hold anything."""
    body, server = request.body, request.server
    if body.rulebook is not None:
        _book(body.rulebook)
    wanted = Sum("record", {"text": body.record, "rulebook": body.rulebook})
    return Reply(await server.replayer.work_out(wanted, request.address))


def _book(id: str) -> Rulebook:
    if not is_known(id):
        raise WebError("no_such_rulebook")
    return load_rulebook(id)


OPERATIONS = (
    Operation(
        method="GET",
        at="/api/tables/{table}/rounds/{number}/under",
        says="The cards, wagers and choices of one round under another book",
        roles=("player",),
        run=under,
        path=NumberPath,
        query=OtherBook,
        gives=Replayed,
        faults=("no_such_table", "no_such_round", "no_such_rulebook", "not_playable"),
    ),
    Operation(
        method="POST",
        at="/api/replay",
        says="A round record, step by step",
        roles=("player",),
        run=replayed,
        body=RecordText,
        most_bytes=MOST_BYTES,
        gives=Replayed,
        faults=("no_such_rulebook", "record_refused", "not_playable", "too_long"),
        example_body={
            "record": '{"format": "casinowar-record/1", "rulebook": "nz", "shoe": "Kh 9s", "players": {"ana": 100}, '
            '"before": {"shoe_loaded": true}, "acts": [{"do": "place_wager", "player": "ana", "box": 1, '
            '"wager": "initial", "amount": 10}, {"do": "deal"}]}'
        },
    ),
)
