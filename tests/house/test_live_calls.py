"""The dealer calls the floor: who may, what stays in the log, and what the pit is told of it, at once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from casinowar.engine import Refusal, step
from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.house.table.command_kinds import ACTS, kinds_of
from casinowar.house.table.table_snapshots import save_table
from casinowar.house.table.visibility import live_view, seen_event
from casinowar.protocol import Done
from casinowar.rulebooks import BOOKS
from casinowar.store import FloorCalled, FloorCallEnded, FloorCallTaken
from casinowar.web.socket.hub import FloorWatch
from tests.support.live_night import Night, table
from tests.support.live_server import Caller, LiveServer, running

MINUTE = 60_000


def dealt_by_hand() -> Night:
    there = Night(table(dealer="human", timers={"card": 0, "pause": 0, "entropy": 0, "cut": 0}))
    there.sit("ann")
    return there


def test_a_call_is_taken_and_over_and_every_part_of_it_is_in_the_log() -> None:
    there = dealt_by_hand()
    there.must("dora", "dealer", do="call_floor", about="ann is away")
    assert there.refusal("dora", "dealer", do="call_floor").code == "called_already"
    there.wait(42_000)
    call = live_view(there.live, Viewer("dealer")).call
    assert call is not None
    assert (call.by, call.about, call.waited, call.taken_by) == ("dealer:dora", "ann is away", 42_000, None)
    there.must("sue", "supervisor", do="take_call")
    assert there.refusal("sam", "supervisor", do="take_call").code == "call_taken"
    there.must("dora", "dealer", do="end_call")
    assert there.refusal("dora", "dealer", do="end_call").code == "no_call"
    assert live_view(there.live, Viewer("supervisor")).call is None
    told = [one.event for one in there.log() if isinstance(one.event, FloorCalled | FloorCallTaken | FloorCallEnded)]
    assert told == [
        FloorCalled("dealer:dora", "ann is away"),
        FloorCallTaken("supervisor:sue"),
        FloorCallEnded("dealer:dora"),
    ]
    [kept] = there.live.calls.kept
    assert (kept.answered, kept.is_over) == (42_000, True)
    there.check()


def test_who_calls_and_who_comes() -> None:
    there = dealt_by_hand()
    for name, part in (("ann", "player"), ("sue", "supervisor")):
        assert there.refusal(name, part, do="call_floor").code == "not_allowed"  # type: ignore[arg-type]
    assert there.refusal("sue", "supervisor", do="take_call").code == "no_call"
    there.must("dora", "dealer", do="call_floor")
    assert there.refusal("ann", do="take_call").code == "not_allowed"
    assert there.refusal("dora", "dealer", do="take_call").code == "not_allowed"
    assert there.refusal("ann", do="end_call").code == "not_allowed"
    there.must("oz", "operator", do="end_call")
    automatic = Night()
    automatic.come("ann")
    assert automatic.refusal("dora", "dealer", do="call_floor").code == "dealer_is_automatic"


@pytest.mark.parametrize("is_kept", [False, True], ids=["from-all-events", "from-a-snapshot"])
def test_a_call_outlives_a_restart_with_the_time_that_it_has_waited(is_kept: bool) -> None:
    there = dealt_by_hand()
    there.must("dora", "dealer", do="call_floor", about="help")
    there.wait(MINUTE)
    if is_kept:
        save_table(there.live, there.store)
    there.house = there.open()
    there.clock.pass_(MINUTE)
    call = live_view(there.live, Viewer("supervisor")).call
    assert call is not None
    assert call.waited == 2 * MINUTE
    assert (there.live.saved > 0) == is_kept


def test_players_are_not_told_that_the_floor_was_called() -> None:
    there = dealt_by_hand()
    there.must("dora", "dealer", do="call_floor", about="ann is drunk")
    called = there.log()[-1]
    assert seen_event(called, Viewer("player", "ann"), there.live) is None
    assert live_view(there.live, Viewer("player", "ann")).call is None
    staff = seen_event(called, Viewer("supervisor"), there.live)
    assert staff is not None
    assert staff["says"] == "The floor is called, by dealer dora: ann is drunk"


def test_who_is_away_is_told_with_the_time_from_when_they_were_seen_last() -> None:
    there = dealt_by_hand()
    [seat] = live_view(there.live, Viewer("dealer")).seats
    assert seat.away is None
    there.house.present("ann", "t", False)
    there.wait(40_000)
    [seat] = live_view(there.live, Viewer("dealer")).seats
    assert (seat.is_present, seat.away) == (False, 40_000)


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_unlisted_is_what_the_book_refuses_and_nothing_else(book: str) -> None:
    """Each act is really asked for at a table where somebody sits."""
    there = Night(table(rulebook=book, timers={"card": 0, "pause": 0, "entropy": 0, "cut": 0}))
    there.sit("somebody")
    unlisted = live_view(there.live, Viewer("supervisor")).unlisted
    refused = Counter[str]()
    kinds = Counter[str]()
    for act in (one for kind in ACTS for one in kinds_of(kind)):
        answer = step(there.live.rules, there.live.table, act)
        name = str(type(act).__struct_config__.tag)
        kinds[name] += 1
        refused[name] += isinstance(answer, Refusal) and answer.reason == "not_in_the_book"
    assert {name for name in kinds if refused[name] == kinds[name]} == set(unlisted) - {"revoke_multi_box"}
    assert live_view(there.live, Viewer("player", "somebody")).unlisted == ()


def test_what_some_books_do_not_know() -> None:
    """NZ has no notice of decks and no exclusion, players bank in California alone, Crown Perth announces decks."""
    unlisted = {
        book: live_view(Night(table(rulebook=book)).live, Viewer("dealer")).unlisted
        for book in ("nz", "wa", "ca", "ma")
    }
    assert {"announce_decks", "exclude_player", "rotate_bank"} <= set(unlisted["nz"])
    assert "announce_decks" not in unlisted["wa"]
    assert "exclude_player" not in unlisted["wa"]
    assert "rotate_bank" not in unlisted["ca"]
    assert "release_players" not in unlisted["ma"]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house")) as live:
        yield live


def test_the_pit_is_told_at_once_and_only_of_what_waits_for_it(live: LiveServer) -> None:
    sue, dora = live.staff("sue", "supervisor"), live.staff("dora", "dealer")
    socket = sue.socket()
    socket.send({"type": "watch_floor"})
    socket.send({"type": "ping"})
    socket.next_of("pong")
    guest = live.staff("gus")
    assert guest.command("hand", {"do": "buy_chips", "amount": 500}).status == 409
    assert dora.command("hand", {"do": "call_floor", "about": "look"}, **{"as": "dealer"}).status == 200
    assert socket.next_of("floor", "events") == {"type": "floor", "table": "hand"}
    pit = {one["name"]: one for one in sue.ask("GET", "/api/pit").json["tables"]}
    assert pit["hand"]["call"]["about"] == "look"
    assert pit["nz"]["call"] is None
    assert sue.command("hand", {"do": "take_call"}, **{"as": "supervisor"}).status == 200
    assert socket.next_of("floor")["table"] == "hand"
    [call] = sue.ask("GET", "/api/pit").json["calls"]
    assert (call["table"], call["taken_by"], call["is_over"]) == ("hand", "supervisor:sue", False)
    socket.close()


def test_the_floor_does_not_hear_who_comes_and_goes_at_a_private_table(live: LiveServer) -> None:
    """Of a table of the house it does."""
    sally, ann = live.staff("sally", "supervisor"), Caller(live).guest()
    answer = ann.ask("POST", "/api/tables/private", {"id": "p", "rulebook": "nz", "bots": 1})
    private = answer.json["table"]
    flapping = ann.socket()
    for name in (private, "hand"):
        flapping.send({"type": "watch", "table": name})
        assert ann.command(name, {"do": "sit", "box": 1}).status == 200
    socket = sally.socket()
    socket.send({"type": "watch_floor"})
    socket.send({"type": "ping"})
    socket.next_of("pong")
    for _ in range(3):
        flapping.send({"type": "unwatch", "table": private})
        flapping.send({"type": "watch", "table": private})
    flapping.send({"type": "unwatch", "table": "hand"})
    assert socket.next_of("floor")["table"] == "hand"
    socket.close()
    flapping.close()


def test_what_waited_at_a_table_that_has_gone_is_not_kept() -> None:
    there = Night(private_tables=100, private_tables_each=100)
    there.come("ann")
    floor = FloorWatch(there.house)
    there.house.on_commit = lambda name, _: floor.note(name)
    for turn in range(5):
        answer = there.house.open_private("ann", f"p{turn}", "nz", ())
        assert isinstance(answer, Done)
        there.sit("ann", table=answer.table)
        del there.house.tables[answer.table]
    assert len(floor) <= 2


def test_the_floor_is_watched_by_the_floor_alone(live: LiveServer) -> None:
    socket = live.staff("gil").socket()
    socket.send({"type": "watch_floor"})
    assert socket.next()["code"] == "not_allowed"
    socket.close()


def dry(folder: Path, **timers: float) -> Night:
    """An automatic table of one deck whose shoe has just run dry in a round; every seat bets until it does."""
    rules = folder / "few.toml"
    shoe = "[shoe]\ndecks = 1\ncut_depth = 5\nmarker_from_back = 0\n"
    rules.write_text(f'extends = "ctg"\ntitle = "Few cards"\nversion = "1"\n{shoe}', encoding="utf-8")
    quick = {"card": 0, "pause": 0, "entropy": 0, "cut": 0, **timers}
    there = Night(table(rulebook=str(rules), timers=quick, bots=[{"strategy": "war"}] * 4))
    there.sit("ann")
    for _ in range(60):
        there.until_ready()
        there.bet("ann")
        there.until(lambda: there.live.table.round.is_over or there.live.table.incident is not None)
        if there.live.table.incident is not None:
            return there
    raise AssertionError("the shoe never ran dry")


@pytest.mark.clause("CTG-G6")
def test_the_automatic_dealer_calls_the_floor_for_a_dry_shoe_and_the_pit_rules(tmp_path: Path) -> None:
    there = dry(tmp_path)
    assert there.live.table.shoe_left == 0
    seen = live_view(there.live, Viewer("supervisor"))
    assert (seen.view.incident, seen.view.procedure[0].act) == ("short_shoe", "rule")
    assert seen.call is not None
    assert (seen.call.by, seen.call.about, seen.call.clauses) == ("dealer:house", "the shoe has run dry", ("CTG-G6",))
    assert seen.timer is not None
    assert seen.timer.waits_for == "ruling"
    there.must("sue", "supervisor", do="take_call")
    before = len(there.told(e.CardDealt))
    there.wait(30_000)
    assert len(there.told(e.CardDealt)) == before, "no card comes before the ruling"
    rule = {"do": "rule", "action": "stand", "reason": "go on"}
    assert there.refusal("sue", "supervisor", "go on", **rule).code == "shoe_is_short"
    there.must("sue", "supervisor", "as pit boss", **{**rule, "action": "shuffle_discards"})
    there.until(lambda: there.live.table.round.is_over)
    [ruled] = there.told(e.RulingGiven)
    assert (ruled.action, ruled.incident, ruled.by) == ("shuffle_discards", "short_shoe", "supervisor:sue")
    assert there.live.calls.open is None
    assert [one.by for one in there.told(FloorCallEnded)] == ["dealer:house"]
    there.check()


@pytest.mark.clause("CTG-G6")
def test_where_nobody_rules_on_a_dry_shoe_in_time_the_house_does(tmp_path: Path) -> None:
    there = dry(tmp_path, ruling=45)
    began = there.clock.ticks
    there.wait(44_999)
    assert there.live.table.incident is not None
    there.until_over()
    assert there.clock.ticks - began < 60_000
    [ruled] = there.told(e.RulingGiven)
    assert (ruled.action, ruled.by) == ("shuffle_discards", "operator:house")
    assert "nobody ruled in time" in ruled.reason
    assert there.live.calls.open is None
    there.check()
