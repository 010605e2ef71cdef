"""Replay and dispute over the web: a round step by step, the same cards under another book, any record, previews."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.cards import Card
from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.engine.state import Bank
from casinowar.engine.view import Viewer, view
from casinowar.house.settings import BotSettings, HouseSettings, TableSettings
from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.web.http.errors import WebError
from casinowar.web.http.limits import USUAL
from casinowar.web.workers import reckoner
from casinowar.web.workers.log_reader import MOST_KEPT, LogReader
from casinowar.words.live_events import say_event
from tests.support.live_server import QUICK, Caller, LiveServer, running

BOTS = tuple(BotSettings(strategy="tie") for _ in range(3))
HOUSE = HouseSettings(
    tables=(
        TableSettings(name="nz", rulebook="nz", timers=QUICK, bots=BOTS),
        TableSettings(name="two", rulebook="nz", timers=QUICK),
        TableSettings(name="hand", rulebook="nz", dealer="human", timers=QUICK),
        TableSettings(name="real", rulebook="nz", dealer="real", timers=QUICK),
    )
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house"), HOUSE) as live:
        yield live


@pytest.fixture(scope="module")
def ana(live: LiveServer) -> Caller:
    return Caller(live).guest()


@pytest.fixture(scope="module")
def round_number(live: LiveServer, ana: Caller) -> int:
    """A round at `nz` with a guest and three bots, played to its end."""
    socket = ana.socket()
    socket.watch("nz")
    until = time.monotonic() + 30
    ana.command("nz", {"do": "sit", "box": 1})
    while time.monotonic() < until:
        place = {"do": "place_wager", "player": ana.name, "box": 1, "wager": "initial", "amount": 1_000}
        ana.command("nz", place)
        ana.command("nz", {"do": "ready"})
        ana.command("nz", {"do": "surrender", "player": ana.name, "box": 1})
        rounds = ana.ask("GET", "/api/tables/nz/rounds").json
        if rounds:
            socket.close()
            return int(rounds[-1]["number"])
        time.sleep(0.2)
    raise AssertionError("no round came to its end")


def record(acts: list[dict[str, Any]], shoe: str, **more: Any) -> str:
    whole = {"format": "casinowar-record/1", "rulebook": "nz", "shoe": shoe, "players": {"ana": 1_000}, "acts": acts}
    return json.dumps({**whole, "before": {"shoe_loaded": True}, **more})


BET: dict[str, Any] = {"do": "place_wager", "player": "ana", "box": 1, "wager": "initial", "amount": 10}
WAR = [BET, {"do": "deal"}, {"do": "go_to_war", "player": "ana", "box": 1}, {"do": "deal"}]


def test_a_round_is_told_step_by_step_with_the_table_after_each(
    live: LiveServer, ana: Caller, round_number: int
) -> None:
    told = ana.ask("GET", f"/api/tables/nz/rounds/{round_number}").json
    names = [step["event"]["name"] for step in told["steps"]]
    assert names[-1] == "round_ended"
    assert names.count("card_dealt") >= 5
    assert not {"bought_in", "command_taken", "deal_started"} & set(names)
    assert all(step["says"] for step in told["steps"])
    dealt = next(step for step in told["steps"] if step["event"]["name"] == "card_dealt")
    box = next(box for box in dealt["view"]["boxes"] if box["box"] == dealt["event"]["box"])
    assert box["cards"] == [dealt["event"]["card"]]
    assert sum(line["net"] for line in told["settlements"]) == sum(one["net"] for one in told["totals"])
    assert told["shoes"] == [1]
    assert f"{ana.name} bets 10 on Casino War, box 1" in [step["says"] for step in told["steps"]]


def test_its_own_book_gives_the_same_money_again(live: LiveServer, ana: Caller, round_number: int) -> None:
    told = ana.ask("GET", f"/api/tables/nz/rounds/{round_number}").json
    again = ana.ask("GET", f"/api/tables/nz/rounds/{round_number}/under?rulebook=nz").json
    assert again["totals"] == told["totals"]
    text = ana.ask("GET", f"/api/tables/nz/rounds/{round_number}/record?format=toml").body.decode()
    assert ana.ask("POST", "/api/replay", {"record": text}).json["totals"] == told["totals"]


@pytest.mark.parametrize(
    ("second", "nets"),
    [("Kh 2c", {"nz": 10, "wa": 10, "ctg": 20, "ca": 10, "ma": 10}), ("Kh Kc", {"nz": 20, "wa": 20, "ctg": 30})],
)
@pytest.mark.clause("NZ-5.13c")
def test_the_same_cards_come_to_what_each_book_pays(ana: Caller, second: str, nets: dict[str, int]) -> None:
    """A war won: the first wager pushes and the war pays 1:1, in `ctg` 2:1. A war tied: 2:1 on the war, in `wa` 1:1 on
    both, in `ctg` 3:1."""
    text = record(WAR, f"9h 9s xx xx xx {second}")
    for book, net in nets.items():
        told = ana.ask("POST", "/api/replay", {"record": text, "rulebook": book}).json
        assert told["totals"] == [{"box": 1, "player": "ana", "net": net}], book
        assert told["steps"][-1]["event"]["name"] == "round_ended"


def test_a_wager_without_a_place_in_the_other_book_is_left_out_and_said_to_be(ana: Caller) -> None:
    bomb = {**BET, "wager": "a_bomb"}
    text = record([BET, bomb, {"do": "deal"}], "Kh 9s", rulebook="wa")
    told = ana.ask("POST", "/api/replay", {"record": text, "rulebook": "nz"}).json
    assert [line["wager"] for line in told["settlements"]] == ["initial"]
    assert "A Bomb is left out: this wager is not offered." in told["says"]
    pairs = {**BET, "wager": "perfect_pairs"}
    text = record([BET, bomb, pairs, {"do": "deal"}], "Kh 9s", rulebook="wa")
    told = ana.ask("POST", "/api/replay", {"record": text, "rulebook": "nz"}).json
    assert "ana's A Bomb and ana's Perfect Pairs are left out, each because this wager is not offered." in told["says"]


def test_the_amounts_of_an_exported_round_are_read_again_with_their_point(ana: Caller, round_number: int) -> None:
    told = ana.ask("GET", f"/api/tables/nz/rounds/{round_number}").json
    text = ana.ask("GET", f"/api/tables/nz/rounds/{round_number}/record").body.decode()
    assert json.loads(text)["minor_digits"] == 2
    again = ana.ask("POST", "/api/replay", {"record": text}).json
    assert again["minor_digits"] == 2
    placed = [step["says"] for step in again["steps"] if step["event"]["name"] == "wager_placed"]
    assert placed
    assert all(any(line in one["says"] for one in told["steps"]) for line in placed)


def test_a_player_sees_no_chips_of_others_in_the_record_of_a_round(live: LiveServer) -> None:
    """What others hold is staff's to see; what they put down lay on the felt."""
    supervisor = live.staff("sandra", "supervisor")
    people = {box: Caller(live).guest() for box in (3, 4)}
    chips = {3: 12_345, 4: 54_321}
    sockets = [caller.socket() for caller in people.values()]
    for socket in sockets:
        socket.watch("two")
    for box, caller in people.items():
        assert caller.command("two", {"do": "sit", "box": box}).status == 200
        assert caller.command("two", {"do": "buy_chips", "amount": chips[box]}).status == 200
    until = time.monotonic() + 30
    path = "/api/tables/two/rounds"
    while not (rounds := supervisor.ask("GET", path).json) and time.monotonic() < until:
        for box, caller in people.items():
            bet = {"do": "place_wager", "player": caller.name, "box": box, "wager": "initial", "amount": 500}
            if not any(who == caller.name for who, *_ in wagers_at(caller, "two", box)):
                caller.command("two", bet)
        for box, caller in people.items():
            caller.command("two", {"do": "surrender", "player": caller.name, "box": box})
            if all(wagers_at(caller, "two", at) for at in people):
                caller.command("two", {"do": "ready"})
        time.sleep(0.1)
    for socket in sockets:
        socket.close()
    record = f"{path}/{rounds[-1]['number']}/record"
    seen, whole = people[3].ask("GET", record), supervisor.ask("GET", record)
    assert str(chips[4]) in whole.body.decode()
    assert str(chips[4]) not in seen.body.decode()
    assert seen.json["players"][people[4].name] == 500, "the wager that all could see"
    again = [people[3].ask("POST", "/api/replay", {"record": one.body.decode()}).json for one in (seen, whole)]
    assert again[0]["totals"] == again[1]["totals"]


def wagers_at(caller: Caller, table: str, box: int) -> list[tuple[str, str, int]]:
    boxes = caller.ask("GET", f"/api/tables/{table}").json["view"]["boxes"]
    wagers: list[tuple[str, str, int]] = boxes[box - 1]["wagers"]
    return wagers


def test_a_burned_face_is_in_no_step(ana: Caller) -> None:
    """The record knows the faces under a burn; whoever watched the table does not."""
    told = ana.ask("POST", "/api/replay", {"record": record(WAR, "9h 9s 7c 7d 7h Kh 2c")})
    assert told.status == 200
    burned = [step for step in told.json["steps"] if step["event"]["name"] == "card_burned"]
    assert len(burned) == 3
    assert not any(face in told.body for face in (b"7c", b"7d", b"7h"))
    assert burned[-1]["view"]["burned"] == 0
    assert burned[-1]["view"]["war_burn"] == 3


@pytest.mark.parametrize(
    "text",
    [
        "{ ",
        "this is no TOML",
        record([BET], "Kh 9s", rulebook="/etc/hostname"),
        record([BET], "Kh 9s", rulebook="../../secret"),
        record([BET], "Kh Kh Kh Kh Kh Kh Kh"),
        json.dumps({"a": [[[[[[[[[[[[[1]]]]]]]]]]]]]}),
        record([BET], "Kh 9s", book={"id": "nz"}, later_books=5),
        record([BET], "Kh 9s", book={"id": "nz"}, later_books=True),
        f"[{'.'.join('a' * 12_000)}]\n" + "k=1\n" * 4_000,
        f"a = {{{'.'.join('b' * 20_000)} = 1}}",
    ],
)
def test_what_is_no_record_is_refused_and_no_file_is_looked_for(ana: Caller, text: str) -> None:
    answer = ana.ask("POST", "/api/replay", {"record": text})
    assert (answer.status, answer.json["code"]) == (409, "record_refused")


def test_a_record_that_takes_long_holds_nobody_up_and_is_given_up(
    live: LiveServer, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read in a process that can be ended, apart from the readings of the pit and of history."""
    with monkeypatch.context() as patch:
        patch.setattr(reckoner, "SECONDS", 0)
        answer = ana.ask("POST", "/api/replay", {"record": record([BET], "Kh 9s")})
        assert (answer.status, answer.json["code"]) == (503, "too_long")
    hold = threading.Event()
    live.server.log_reader._thread.submit(hold.wait, 20)
    try:
        assert ana.ask("POST", "/api/replay", {"record": record([BET, {"do": "deal"}], "Kh 9s")}).status == 200
    finally:
        hold.set()


def test_a_rulebook_on_the_servers_disk_is_not_read(ana: Caller, tmp_path: Path) -> None:
    """Not even one that could be: whoever sends a record must not learn what lies there."""
    house = tmp_path / "house.toml"
    house.write_text('id = "house"\ntitle = "House"\nversion = "1"\nextends = "nz"\n[war]\nburn = 1\n')
    load_rulebook(str(house))
    answer = ana.ask("POST", "/api/replay", {"record": record([BET], "Kh 9s", rulebook=str(house))})
    assert (answer.status, answer.json["code"]) == (409, "record_refused")
    assert "one of nz" in answer.json["says"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_surrender_stays_one(ana: Caller, book: str) -> None:
    """It costs half in every book."""
    text = record([BET, {"do": "deal"}, {"do": "surrender", "player": "ana", "box": 1}], "9h 9s")
    told = ana.ask("POST", "/api/replay", {"record": text, "rulebook": book}).json
    assert told["totals"] == [{"box": 1, "player": "ana", "net": -5}]


def test_a_round_that_was_void_is_not_played_again(ana: Caller) -> None:
    void = {"do": "void_round", "reason": "dispute", "by": "supervisor:s1", "second": "supervisor:s2"}
    text = record([BET, {"do": "deal", "cards": 1}, void], "Kh 9s")
    answer = ana.ask("POST", "/api/replay", {"record": text, "rulebook": "wa"})
    assert (answer.status, answer.json["code"]) == (409, "not_playable")


def test_a_preview_shows_what_would_happen_and_does_nothing(live: LiveServer, ana: Caller) -> None:
    before = live.version("hand")
    told = ana.ask("POST", "/api/tables/hand/preview", {"command": {"do": "sit", "box": 4}}).json
    assert told["events"][-1]["says"] == f"{ana.name} sits at box 4"
    assert next(box for box in told["view"]["boxes"] if box["box"] == 4)["player"] == ana.name
    assert live.version("hand") == before
    assert live.call(lambda: live.server.house.tables["hand"].box_of(ana.name)) is None


def test_a_preview_is_for_those_who_could_do_it(live: LiveServer, ana: Caller) -> None:
    void = {"command": {"do": "void_round", "reason": "dispute"}, "as": "supervisor"}
    refused = ana.ask("POST", "/api/tables/nz/preview", void).json
    assert (refused["events"], refused["refused"]["code"]) == ([], "not_allowed")
    other = {"command": {"do": "surrender", "player": "bot-wren", "box": 7}}
    assert ana.ask("POST", "/api/tables/nz/preview", other).json["refused"] is not None


def test_no_card_of_a_sealed_shoe_is_turned_for_a_preview(live: LiveServer, ana: Caller) -> None:
    """The dealer of `hand` could otherwise look at every card before it is dealt."""
    dealer = live.staff("dora", "dealer")
    socket = ana.socket()
    socket.watch("hand")
    ana.command("hand", {"do": "sit", "box": 1})
    until = time.monotonic() + 20
    said = ""
    while time.monotonic() < until and said != "cards_are_sealed":
        ana.command("hand", {**BET, "player": ana.name, "amount": 1_000})
        told = dealer.ask("POST", "/api/tables/hand/preview", {"command": {"do": "next"}, "as": "dealer"})
        assert b"card_dealt" not in told.body
        said = (told.json["refused"] or {"code": ""})["code"]
        if said != "cards_are_sealed":
            dealer.command("hand", {"do": "next"}, **{"as": "dealer"})
            time.sleep(0.1)
    socket.close()
    assert said == "cards_are_sealed"


def test_a_command_for_two_signatures_is_shown_as_if_signed(live: LiveServer) -> None:
    """An inspection that the book has two people make."""
    dealer = live.staff("dirk", "dealer")
    told = dealer.ask("POST", "/api/tables/real/preview", {"command": {"do": "next"}, "as": "dealer"}).json
    assert told["refused"] is None
    assert told["needs_second"] is True
    assert told["events"][0]["name"] == "cards_prepared"


def test_a_countersigned_request_is_gone_with_the_frame_that_tells_of_it(live: LiveServer) -> None:
    dealer, supervisor = live.staff("dan", "dealer"), live.staff("sam", "supervisor")
    socket = supervisor.socket()
    socket.watch("real", "supervisor")
    asked = dealer.command("real", {"do": "next"}, **{"as": "dealer"}).json
    assert asked["code"] == "second_signature_due"
    assert socket.next_of("events")["view"]["signatures"][0]["request"] == asked["request"]
    signed = {"do": "countersign", "request": asked["request"]}
    assert supervisor.command("real", signed, **{"as": "supervisor"}, reason="looked myself").status == 200
    assert socket.next_of("events")["view"]["signatures"] == []
    socket.close()


def test_nobody_is_asked_to_bet_before_there_is_a_bank() -> None:
    """Where players bank, a wager needs one, and the bank does not bet against itself."""
    rules = load_rulebook("ca")
    table = Table(players={"ana": 100, "ben": 100}, seats={1: "ana", 2: "ben"}, arrivals=("ana", "ben"))
    assert view(rules, table, Viewer("player", "ana")).open_wagers == ()
    banked = msgspec.structs.replace(table, bank=Bank("ben", 2, 100, 100, 100))
    assert view(rules, banked, Viewer("player", "ana")).open_wagers == ("initial", "tie")
    assert view(rules, banked, Viewer("player", "ben")).open_wagers == ()


def test_a_card_is_told_by_its_suit_and_a_player_by_name() -> None:
    rules = load_rulebook("nz")
    collected = e.CardsCollected(((6, (Card("Jc"),)), (7, (Card("Ts"),))), clauses=("NZ-8.10",))
    assert say_event(rules, collected, 2) == "To the rack: box 6 J♣, box 7 10♠"
    assert say_event(rules, e.WarOffered("As", 1, clauses=("NZ-8.5.2c",)), 2) == "As ties on box 1: war or surrender?"


def test_one_account_holds_up_nobody_elses_reading() -> None:
    async def night() -> None:
        most = USUAL.readings_per_address
        readings, gate = LogReader(most), threading.Event()
        try:
            tasks = [asyncio.ensure_future(readings.read("ana", gate.wait)) for _ in range(most)]
            await asyncio.sleep(0)
            with pytest.raises(WebError, match="wait"):
                await readings.read("ana", lambda: 1)
            other = asyncio.ensure_future(readings.read("ben", lambda: 2))
            gate.set()
            await asyncio.gather(*tasks)
            assert await other == 2
            assert await readings.read("ana", lambda: 3) == 3
        finally:
            gate.set()
            readings.close()

    asyncio.run(night())


def test_an_answer_is_made_once_and_the_oldest_is_forgotten() -> None:
    readings = LogReader(1)
    made: list[int] = []

    def make(number: int) -> int:
        made.append(number)
        return number

    for number in (*range(MOST_KEPT), 0, 0, MOST_KEPT, 1):
        assert readings.recall(("told", number), lambda number=number: make(number)) == number  # type: ignore[misc]
    readings.close()
    assert made == [*range(MOST_KEPT), MOST_KEPT, 1]


def test_of_real_cards_the_cutting_card_lies_where_it_was_put() -> None:
    """NZ-7.7a-i: it goes in at its place, and how many cards lie before it nobody has counted."""
    rules = load_rulebook("nz")
    said = {at: say_event(rules, e.ShoeLoaded(312, at, True, clauses=("NZ-7.7a-iii",)), 2) for at in (None, 234)}
    assert said[None] == "Shuffled, cut and in the shoe: 312 cards, the cutting card where it was put"
    assert said[234] == "Shuffled, cut and in the shoe: 312 cards, the cutting card after 234"
    endless = load_rulebook("nz", {"shoe.shuffler": "continuous"})
    assert (
        say_event(endless, e.ShoeLoaded(312, None, True, clauses=("NZ-7.7b-i",)), 2)
        == "Shuffled, cut and in the shoe: 312 cards, no cutting card"
    )
