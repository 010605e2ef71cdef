"""The databases that earlier versions have written are audited, replayed and gone on with."""

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.engine import Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.history.round_record import told_round
from casinowar.house.table.followed_table import FollowedTable
from casinowar.house.table.table_snapshots import TableBody, body_of, resume_table
from casinowar.records import parse_record, replay, result
from casinowar.store import (
    BookResolved,
    BotSeated,
    CashedOut,
    CommandTaken,
    EntropyAdded,
    Recalled,
    ShoeCommitted,
    ShoeCut,
    SqliteStore,
    TableListed,
    stand,
)
from casinowar.store.sqlite.connection import execute
from tests.golden.facts import facts_of, numbers_of
from tests.golden.kept import HOUSES, Golden, unpack
from tests.golden.night import PEOPLE, GoldenNight, one_round, settings_in
from tests.golden.real_cards import PLAYERS, RealDealer
from tests.golden.write import signing_key
from tests.support.edited_rows import Editor
from tests.support.live_night import HOUR


@pytest.fixture(scope="module", params=HOUSES, ids="/".join)
def golden(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Golden:
    """For reading only."""
    version, book = request.param
    return unpack(version, book, tmp_path_factory.mktemp(book))


def test_the_audit_finds_nothing_wrong(golden: Golden) -> None:
    status, verdict = golden.audit()
    assert (status, verdict["findings"], verdict["notes"]) == (0, [], [])
    streams = golden.facts["streams"]
    rounds = sum(len(one["rounds"]) for one in streams.values())
    shoes = sum(one["kinds"].get("shoe_committed", 0) for one in streams.values())
    head = golden.facts["head"]
    told = ("events", "commands", "tables", "rounds", "replayed", "shoes")
    expected = (head["events"], head["commands"], len(streams) - 1, rounds, rounds, shoes)
    assert tuple(verdict["counts"][name] for name in told) == expected


def test_every_account_round_and_event_is_read_as_it_was_written(golden: Golden) -> None:
    with closing(SqliteStore(golden.database, for_reading=True)) as store:
        read = json.loads(json.dumps(facts_of(store)))
    assert read == {key: golden.facts[key] for key in read}
    assert sum(read["balances"].values()) == 0


def test_every_round_is_told_as_a_record_that_replays_to_the_same_money(golden: Golden) -> None:
    replayed = 0
    for stream, recalled in golden.read().items():
        for number in numbers_of(recalled):
            record = told_round(recalled, number).record
            told = result(replay(parse_record(record), is_strict=True))
            expected = golden.facts["streams"][stream]["rounds"][str(number)]["net"]
            had = _carried(record)
            assert {player: told["balances"][player] - had[player] for player in expected} == expected, (stream, number)
            replayed += 1
    assert replayed == sum(len(one["rounds"]) for one in golden.facts["streams"].values()) >= 25


def _carried(record: dict[str, Any]) -> dict[str, int]:
    """The chips with which each player began the round, and what was bought and carried away in it."""
    chips = dict(record["players"])
    for act in record["acts"]:
        if act["do"] in ("buy_in", "cash_out"):
            signed = act["amount"] if act["do"] == "buy_in" else -act["amount"]
            chips[act["player"]] = chips.get(act["player"], 0) + signed
    return chips


@pytest.mark.parametrize("is_rechained", [False, True])
def test_one_altered_byte_of_an_event_is_found(golden: Golden, tmp_path: Path, is_rechained: bool) -> None:
    """The twin: somebody makes one settlement another by a digit, without and with the hashes worked out anew."""
    altered = Path(shutil.copy(golden.database, tmp_path / "war.db"))
    editor = Editor(altered, random.Random(0))
    settled = "SELECT position, entry FROM events WHERE name = 'wager_settled' ORDER BY position"
    position, entry = execute(editor.db, settled)[0]
    assert isinstance(entry, bytes)
    at = entry.rindex(b'"amount":') + len(b'"amount":')
    changed = entry[:at] + (b"3" if entry[at : at + 1] == b"2" else b"2") + entry[at + 1 :]
    execute(editor.db, "UPDATE events SET entry = ? WHERE position = ?", (changed, position))
    editor.close(is_rechained=is_rechained)
    status, verdict = golden.audit(altered)
    assert status == 1
    assert verdict["findings"]


@contextmanager
def gone_on(golden: Golden, folder: Path) -> Iterator[GoldenNight]:
    """The house is opened again with the program of today, six hours later."""
    database = Path(shutil.copy(golden.database, folder / "war.db"))
    night = GoldenNight(database, settings_in(golden.data), signing_key(), "later", ids="later", after=6 * HOUR)
    try:
        yield night
    finally:
        night.house.close()
        assert isinstance(night.store, SqliteStore)
        night.store.close()


def test_a_house_goes_on_where_it_was_left(golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The round that was on is played to its end, by the automatic dealer and with real cards, and another one."""
    monkeypatch.chdir(golden.data)
    with gone_on(golden, tmp_path) as night:
        left = golden.facts["restarts"][-1]
        live, real = night.at("main"), night.at("real")
        assert night.house.notes == []
        assert (live.version, live.table.phase) == (left["version"], left["phase"])
        assert real.table.round.hands
        before = live.rounds_done, real.rounds_done
        night.come(*PEOPLE)
        for box, player in live.table.round.asked:
            if player in PEOPLE:
                night.act(player, do="go_to_war", player=player, box=box)
        night.until(lambda: live.table.round.is_over)
        one_round(night)
        night.come(*PLAYERS, table="real")
        dealer = RealDealer(night, "real", random.Random(1))
        dealer.finish()
        dealer.begin()
        dealer.finish()
        assert (live.rounds_done, real.rounds_done) == (before[0] + 2, before[1] + 2)
    status, verdict = golden.audit(tmp_path / "war.db")
    assert (status, verdict["findings"]) == (0, [])


def test_a_table_kept_after_any_command_is_taken_up_as_it_was(golden: Golden) -> None:
    """Hand-dealt tables, real cards, signatures and pauses are among them."""
    lists = {one.stream: one.settings["dealer"] for one in events_of(golden, TableListed)}
    met: set[str] = set()
    for stream, dealer in lists.items():
        followed, recalled = FollowedTable(stream, dealer), golden.read()[stream]
        for one, following in zip(recalled, [*recalled[1:], None], strict=True):
            followed.follow(one)
            if following is None or (following.actor, following.command) != (one.actor, one.command):
                followed.end_command()
                body = body_of(followed)
                met |= {name for name in body.__struct_fields__ if getattr(body, name)}
                kept, other = msgspec.msgpack.encode(body), FollowedTable(stream, dealer)
                resume_table(other, one.version, msgspec.msgpack.decode(kept, type=TableBody), (), followed.rules)
                assert body_of(other) == body
    assert {"bots", "is_paused", "shoe_end", "piles", "is_card_last", "signatures"} <= met


# What the nights hold, so that none of it goes untested without anybody's knowledge.


def events_of(golden: Golden, kind: type[Any]) -> list[Any]:
    return [one.event for recalled in golden.read().values() for one in recalled if isinstance(one.event, kind)]


def commands_of(golden: Golden) -> list[c.Command]:
    return [one.command for one in events_of(golden, CommandTaken)]


def folded(recalled: list[Recalled], version: int) -> Table:
    table = Table()
    for one in recalled[:version]:
        table = stand(table, one.event)
    return table


def test_incidents_of_several_kinds_were_reported_and_ruled_on(golden: Golden) -> None:
    tags = {str(type(one).__struct_config__.tag) for one in commands_of(golden)}
    assert len([tag for tag in tags if tag.startswith("report_")]) >= 7
    assert events_of(golden, e.RulingGiven)
    assert events_of(golden, e.CardCorrected)


def test_hands_and_rounds_were_voided_by_two_persons(golden: Golden) -> None:
    assert any(one.second for one in events_of(golden, e.HandVoided))
    assert any(one.second for one in events_of(golden, e.RoundVoided))
    assert any(isinstance(one, c.VoidHand) and one.second for one in commands_of(golden))
    assert any(isinstance(one, c.VoidRound) and one.second for one in commands_of(golden))


def test_players_added_entropy_and_cut_carried_chips_away_and_played_with_bots(golden: Golden) -> None:
    assert events_of(golden, EntropyAdded)
    assert any(one.player for one in events_of(golden, ShoeCut))
    assert events_of(golden, CashedOut)
    bots = {one.player for one in events_of(golden, BotSeated)}
    assert bots & {one.player for one in events_of(golden, e.WagerPlaced)}


def test_the_house_was_restarted_in_the_middle_of_a_round_and_played_it_out(golden: Golden) -> None:
    streams = golden.read()
    for left in golden.facts["restarts"]:
        table = folded(streams[left["table"]], left["version"])
        assert (table.phase, table.has_wagers) == (left["phase"], True)
    first, *_, last = golden.facts["restarts"]
    assert first["phase"] == "deciding"
    assert last["version"] == len(streams["main"]) > first["version"]


def test_one_table_had_a_house_rulebook_and_one_real_cards(golden: Golden) -> None:
    streams = golden.read()
    books = [one.event for one in streams["home"] if isinstance(one.event, BookResolved)]
    assert [one.extends for one in books] == [golden.book]
    assert any(isinstance(one.event, e.RoundEnded) for one in streams["home"])
    dealers = {one.table: one.settings["dealer"] for one in events_of(golden, TableListed)}
    assert dealers["real"] == "real"
    assert not any(isinstance(one.event, ShoeCommitted) for one in streams["real"])
    assert sum(isinstance(one.event, e.CardDealt) for one in streams["real"]) > 30


def test_what_only_one_book_has_happened_there(golden: Golden) -> None:
    match golden.book:
        case "nz":
            kinds = {one.kind for one in events_of(golden, ShoeCommitted)}
            assert kinds == {"shoe", "continuous"}
            assert [one.stream for one in events_of(golden, TableListed) if one.table == "late"] == ["late", "late.2"]
        case "wa":
            assert any(one.second for one in events_of(golden, e.RoundInvalidated))
            assert [one.decks for one in events_of(golden, e.DecksChanged)] == [8]
            assert any(sum(one.counts) == 8 * 52 for one in events_of(golden, ShoeCommitted))
        case "ctg":
            assert len({one.incident for one in events_of(golden, e.IncidentReported)}) >= 4
        case "ca":
            assert {one.player for one in events_of(golden, e.BankAccepted)} & set(PEOPLE)
            assert events_of(golden, e.BankRelinquished)
        case "ma":
            assert any(one.amount > 0 for one in events_of(golden, e.MeterPaid))
            items = [item for one in events_of(golden, e.WagerSettled) for item in one.items]
            assert {"meter", "envy"} <= {item.item for item in items if item.amount}


def test_most_events_and_commands_that_there_are_stand_in_the_nights(tmp_path: Path) -> None:
    """Tags that were read in the nights of the first version; they can become more only with another version."""
    seen: set[str] = set()
    for version, book in HOUSES:
        facts = unpack(version, book, tmp_path).facts
        seen |= {kind for stream in facts["streams"].values() for kind in stream["kinds"]}
    assert len(seen) >= 90, sorted(seen)
