"""Replay and dispute: a round under another book, and any record, step by step."""

from typing import Annotated

import msgspec

from casinowar.rulebooks import load_rulebook
from casinowar.web.http.operations import PLAYER, ApiRequest, Reply, get, post
from casinowar.web.http.replies import NumberPath, check_book, reply_about_round, table_in_path
from casinowar.web.workers.reckoner import Sum
from casinowar.web.workers.replays import Replayed, replay_under
from casinowar.web.workers.round_index import last_round

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
    """The round of the path under another book."""
    there, index, path = table_in_path(request), request.server.index, request.path
    check_book(request.query.rulebook)
    other, digits = load_rulebook(request.query.rulebook), request.server.house.settings.minor_digits

    def tell() -> Replayed:
        return replay_under(other, *last_round(index.moments(path.table, path.number)), digits)

    return await reply_about_round(request, there, ("under", other.id, other.edition), tell)


async def replay_record(request: ApiRequest) -> Reply:
    """A record replay_record, in a process of its own, since a stranger's record may hold anything."""
    body = request.body
    if body.rulebook is not None:
        check_book(body.rulebook)
    wanted = Sum("record", {"text": body.record, "rulebook": body.rulebook})
    return Reply(await request.server.replayer.work_out(wanted, request.address))


OPERATIONS = (
    get(
        "/api/tables/{table}/rounds/{number}/under",
        "The cards, wagers and choices of one round under another book",
        PLAYER,
        under,
        Replayed,
        path=NumberPath,
        query=OtherBook,
        faults=("no_such_table", "no_such_round", "no_such_rulebook", "not_playable"),
    ),
    post(
        "/api/replay",
        "A round record, step by step",
        PLAYER,
        replay_record,
        Replayed,
        body=RecordText,
        most_bytes=MOST_BYTES,
        faults=("no_such_rulebook", "record_refused", "not_playable", "too_long"),
        example_body={
            "record": '{"format": "casinowar-record/1", "rulebook": "nz", "shoe": "Kh 9s", "players": {"ana": 100}, '
            '"before": {"shoe_loaded": true}, "acts": [{"do": "place_wager", "player": "ana", "box": 1, '
            '"wager": "initial", "amount": 10}, {"do": "deal"}]}'
        },
    ),
)
