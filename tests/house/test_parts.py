"""Views in parts: whoever puts them together has what the server shows, and what is the same is made once for all."""

import random

import msgspec
import pytest

from casinowar.client.table import merge
from casinowar.engine.view import View, Viewer
from casinowar.house.table import parts
from casinowar.house.table.parts import FRESH_MS, Followed, TableParts, Told
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import Change, frames_of, live_view
from casinowar.protocol import Happened, LiveView
from casinowar.store import Recalled
from tests.house.test_live_voids import ask_void, won
from tests.support.live_night import FAST, Night, table

ANN, BEN, WATCHER = Viewer("player", "ann"), Viewer("player", "ben"), Viewer("watcher")
VIEWERS = (
    ANN,
    BEN,
    Viewer("player", "ann", asks_advice=True),
    Viewer("player", "eve"),
    WATCHER,
    Viewer("dealer"),
    Viewer("supervisor"),
    Viewer("auditor"),
)
OPTIONS = {"ma": {"wager.progressive": True}, "nz": {"table.bettors_per_area": 2}}
wire = msgspec.json.Encoder().encode


def shown(live: LiveTable, viewer: Viewer) -> LiveView:
    """The view as it comes over the wire."""
    return msgspec.json.decode(wire(live_view(live, viewer)), type=LiveView)


class Follower:
    """One who watches in parts: a snapshot first, then what has changed, now and then or at once."""

    def __init__(self, kept: TableParts, live: LiveTable, viewer: Viewer) -> None:
        self.kept, self.live, self.viewer = kept, live, viewer
        self.view = shown(live, viewer)
        self.told: Told = kept.begin(viewer)
        self.news: list[Change] = []
        self.frames: list[bytes] = []

    def read(self) -> None:
        frames, self.told = self.kept.frames(self.news, self.viewer, self.told)
        for frame in frames:
            self.view = merge(self.view, msgspec.json.decode(frame, type=Happened))
        self.frames += frames
        self.news = []


class Watched:
    """A night at one table with followers of every kind, who read at different times."""

    def __init__(self, there: Night, viewers: tuple[Viewer, ...] = VIEWERS) -> None:
        self.there = there
        self.kept = TableParts(there.live)
        self.followers = [Follower(self.kept, there.live, viewer) for viewer in viewers]
        self.changes: list[Change] = []
        self.chance = random.Random("parts")
        there.house.on_commit = self.note

    def note(self, name: str, recalled: list[Recalled]) -> None:
        change = Change.of(self.there.live, len(self.changes), recalled)
        self.changes.append(change)
        for follower in self.followers:
            follower.news.append(change)
        for follower in self.followers:
            if self.chance.random() < 0.4:
                follower.read()
                assert follower.view == shown(self.there.live, follower.viewer), (follower.viewer, change.number)


def play(there: Night, watched: Watched, turns: int) -> None:
    chance = random.Random("play")
    for _ in range(turns):
        for player in ("ann", "ben"):
            there.take_part(player, chance)
            if chance.random() < 0.1:
                there.act(player, do="buy_chips", amount=500)
            if chance.random() < 0.05:
                there.house.present(player, there.table, chance.random() < 0.5)
        if chance.random() < 0.1:
            there.house.present("eve", there.table, True)
            there.act("eve", do=chance.choice(["wait_for_seat", "leave"]))
        if chance.random() < 0.04:
            there.act("sue", "supervisor", "a test", do=chance.choice(["pause", "resume"]))
        due = there.house.advance()
        there.clock.pass_(500 if due is None else min(max(due, 1), 5_000))
    there.act("sue", "supervisor", "a test", do="resume")


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ca", "ma"])
def test_whoever_puts_the_parts_together_sees_what_the_server_shows(book: str) -> None:
    there = Night(table(rulebook=book, timers=FAST, options=OPTIONS.get(book, {})))
    there.sit("ann", "ben")
    there.come("eve")
    watched = Watched(there)
    play(there, watched, 120)
    assert there.live.rounds_done > 3
    there.live.tell([])
    for follower in watched.followers:
        if follower.news:
            follower.read()
        assert follower.view == shown(there.live, follower.viewer)
        events = [event for frame in follower.frames for event in msgspec.json.decode(frame, type=Happened).events]
        whole = [event for frame in frames_of(watched.changes, follower.viewer) for event in frame.events]
        assert events == msgspec.json.decode(wire(whole))


def test_the_twin_that_forgets_how_far_it_has_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts since the last change, and not since the last frame: who reads later misses some."""
    monkeypatch.setattr(Followed, "since", lambda self, stamp, since=Followed.since: since(self, self.stamp - 1))
    there = Night(table(timers=FAST))
    there.sit("ann", "ben")
    there.come("eve")
    with pytest.raises(AssertionError):
        play(there, Watched(there), 120)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Viewer]:
    """Every view that is made whole, by its viewer."""
    viewers: list[Viewer] = []

    def counted(live: LiveTable, viewer: Viewer, *seen: View) -> LiveView:
        viewers.append(viewer)
        return live_view(live, viewer, *seen)

    monkeypatch.setattr(parts, "live_view", counted)
    return viewers


def test_a_view_is_made_once_for_players_and_watchers_and_they_share_its_bytes(made: list[Viewer]) -> None:
    there = Night(table(timers=FAST))
    there.sit("ann", "ben")
    there.until_ready()
    kept = TableParts(there.live)
    watchers = [Follower(kept, there.live, WATCHER) for _ in range(100)]
    players = [Follower(kept, there.live, viewer) for viewer in (ANN, BEN)]
    changes: list[Change] = []
    there.house.on_commit = lambda name, recalled: changes.append(Change.of(there.live, len(changes), recalled))
    there.act("ann", do="ready")
    assert len(changes) == 1
    made.clear()
    for follower in (*watchers, *players):
        follower.news = list(changes)
        follower.read()
    assert made == [WATCHER]
    assert len({id(follower.frames[0]) for follower in (*watchers, *players)}) == 1, "the same bytes, not a copy"


def test_what_is_a_players_own_is_told_to_that_player_alone() -> None:
    there = Night(table(timers=FAST))
    there.sit("ann", "ben")
    there.until_ready()
    there.must("ann", do="buy_chips", amount=12_345)
    watched = Watched(there, (ANN, BEN, WATCHER))
    watched.chance = random.Random()
    there.must("ann", do="buy_chips", amount=777)
    there.bet("ann", 1_000)
    for follower in watched.followers:
        if follower.news:
            follower.read()
    ann, ben, watcher = watched.followers
    assert b"bought_in" in b"".join(ann.frames)
    assert ann.view.view.balance == 12_345 + 777 - 1_000
    for other in (ben, watcher):
        text = b"".join(other.frames)
        assert b"bought_in" not in text
        assert b"12122" not in text
    assert b'"purse":' not in b"".join(watcher.frames)


def test_a_wager_in_parts_is_a_fraction_of_a_whole_view() -> None:
    there = Night(table(timers=FAST))
    there.sit(*"abcdefg")
    there.until_ready()
    watched = Watched(there, (Viewer("player", "b"),))
    watched.chance = random.Random()
    there.act("a", do="place_wager", player="a", box=1, wager="initial", amount=1_000)
    (follower,) = watched.followers
    if follower.news:
        follower.read()
    in_parts = sum(len(frame) for frame in follower.frames)
    whole = sum(len(wire(frame)) for frame in frames_of(watched.changes, follower.viewer))
    assert in_parts < whole / 3


def test_nothing_is_kept_of_a_player_who_looks_no_more() -> None:
    there = Night(table(timers=FAST))
    kept = TableParts(there.live)
    for number in range(50):
        kept.begin(Viewer("player", f"p{number}"))
    assert len(kept) == 50
    for number in range(50):
        kept.forget(Viewer("player", f"p{number}"))
    assert len(kept) == 0


def test_who_is_told_late_of_a_change_is_told_the_time_that_is_left_then() -> None:
    there = Night(table(timers=FAST))
    there.sit("ann", "ben")
    there.until_ready()
    kept = TableParts(there.live)
    quick, slow = (Follower(kept, there.live, WATCHER) for _ in range(2))
    changes: list[Change] = []
    there.house.on_commit = lambda name, recalled: changes.append(Change.of(there.live, len(changes), recalled))
    there.act("ann", do="place_wager", player="ann", box=1, wager="initial", amount=1_000)
    quick.news = list(changes)
    quick.read()
    there.clock.pass_(6_000)
    slow.news = list(changes)
    slow.read()
    assert slow.view == shown(there.live, WATCHER)
    assert quick.view.timer is not None
    assert slow.view.timer is not None
    assert quick.view.timer.left - slow.view.timer.left == 6_000


def test_what_a_void_would_take_of_a_player_is_not_lost_where_others_are_told_the_time_that_is_left() -> None:
    """The look that all share is some milliseconds old when ann is told; the next one falls into the same moment."""
    there = won()
    ask_void(there, do="void_round", reason="seen")
    kept = TableParts(there.live)
    ann, watcher = (Follower(kept, there.live, viewer) for viewer in (ANN, WATCHER))
    first, second = (Change.of(there.live, number, []) for number in (1, 2))
    watcher.news = [first]
    watcher.read()
    there.clock.pass_(FRESH_MS // 2)
    for change in (first, second):
        ann.news = [change]
        ann.read()
        assert ann.view.void == live_view(there.live, ANN).void
    assert ann.view.void is not None
    assert ann.view.void.kept > 0


def test_a_seal_that_is_again_what_it_was_is_told_behind_another() -> None:
    there = Night(table(timers=FAST))
    there.sit("ann")
    kept = TableParts(there.live)
    follower = Follower(kept, there.live, WATCHER)
    there.house.on_commit = lambda name, recalled: follower.news.append(
        Change.of(there.live, len(follower.news), recalled)
    )
    there.until_ready()
    before = there.live.seal
    other = msgspec.structs.replace(before, stage="cutting")
    follower.read()
    there.act("ann", do="buy_chips", amount=1)
    there.act("ann", do="buy_chips", amount=1)
    first, *rest = follower.news
    follower.news = [msgspec.structs.replace(first, seal=other), *rest]
    follower.read()
    assert follower.view.seal == before
