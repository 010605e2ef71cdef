"""What is told to those who watch a table: once, together where it comes fast, and nothing where nothing changed."""

import asyncio
from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocket

from casinowar.client.proofs import ProofNotes
from casinowar.client.table import merge
from casinowar.engine import Table
from casinowar.engine.view import View, Viewer, view
from casinowar.house import lobby
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.house.table import visibility
from casinowar.house.table.visibility import MOST_TOLD, Change, live_view, seen_event, so_far
from casinowar.protocol import Happened, LiveView
from casinowar.rulebooks import Rulebook
from casinowar.store import Recalled
from casinowar.web.http.limits import Limits
from casinowar.web.http.operations import REFUSED_S
from casinowar.web.metrics import Metrics
from casinowar.web.socket.frame_reader import FrameReader
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet
from tests.support.live_night import FAST, Night, table
from tests.support.live_server import QUICK, ROOMY, Caller, LiveServer, fresh_id, running

SLOW = msgspec.structs.replace(ROOMY, tells_per_second=1, tells_at_once=1)
QUIET = HouseSettings(tables=(TableSettings(name="hand", rulebook="nz", dealer="human", timers=QUICK),))
SHUFFLERS = ("manual", "continuous")
VIEWERS = (Viewer("player", "ann"), Viewer("watcher"), Viewer("supervisor"))


def ready(*players: str) -> Night:
    there = Night()
    there.sit(*players)
    there.until_ready()
    return there


def told_by(there: Night) -> list[list[Recalled]]:
    """Everything that is told from now on."""
    heard: list[list[Recalled]] = []
    there.house.on_commit = lambda table, recalled: heard.append(recalled)
    return heard


# Nothing is told where nothing changed.


def test_ready_is_for_those_who_are_waited_for_and_twice_is_once() -> None:
    there = ready("ann", "ben")
    there.come("eve")
    heard = told_by(there)
    assert there.refusal("eve", do="ready").code == "not_seated"
    assert heard == []
    there.must("ann", do="ready")
    there.must("ann", do="ready")
    assert heard == [[]]
    assert {seat.player: seat.is_ready for seat in live_view(there.live, VIEWERS[1]).seats} == {
        "ann": True,
        "ben": False,
    }


def test_of_one_without_a_seat_nobody_is_told_that_they_look_on() -> None:
    there = ready("ann")
    heard = told_by(there)
    for is_present in (True, False, True):
        there.house.present("eve", there.table, is_present)
    assert heard == []
    there.house.present("ann", there.table, False)
    assert heard == [[]]


def test_a_command_that_changes_nothing_is_told_to_nobody() -> None:
    there = ready("ann")
    heard = told_by(there)
    there.must("ann", do="sit", box=1)
    there.must("sue", "supervisor", "none is here", do="dismiss_bots")
    assert heard == []


# Several changes in one frame.


def frames_of(changes: list[Change], viewer: Viewer) -> list[Happened]:
    """The frames as they come over the wire."""
    frames = visibility.frames_of(changes, viewer)
    return [msgspec.json.decode(msgspec.json.encode(frame), type=Happened) for frame in frames]


def eventful_night(shuffler: str) -> tuple[Night, list[Change], list[dict[Viewer, LiveView]]]:
    """A night with ends of rounds and a change of the signs: its changes, and the views after each.

    A continuous shuffler has a new shoe for every round.
    """
    there = Night(table(timers=FAST, options={"shoe.shuffler": shuffler}))
    there.sit("ann", "ben")
    there.until_ready()
    changes: list[Change] = []
    views = [{viewer: live_view(there.live, viewer) for viewer in VIEWERS}]

    def noted(table: str, recalled: list[Recalled]) -> None:
        changes.append(Change.of(there.live, len(changes), recalled))
        views.append({viewer: live_view(there.live, viewer) for viewer in VIEWERS})

    there.house.on_commit = noted
    for _ in range(3):
        for player in ("ann", "ben"):
            there.bet(player)
            there.must(player, do="ready")
        there.until_ready()
    assert there.live.rounds_done == 3
    limit = {"minimum": 1_000, "maximum": 40_000, "unit": 500}
    there.must("sue", "supervisor", "late", do="change_limits", basis="agreed", consents=["ann", "ben"], **limit)
    there.must("ann", do="buy_chips", amount=100)
    there.house.present("ben", there.table, False)
    return there, changes, views


def as_told(view: LiveView) -> dict[str, Any]:
    """Without the time that is left, which goes on by itself."""
    whole: dict[str, Any] = msgspec.to_builtins(view, str_keys=True)
    del whole["timer"]
    return whole


def after(view: LiveView, frames: list[Happened]) -> LiveView:
    for frame in frames:
        view = merge(view, frame)
    return view


@pytest.mark.parametrize("shuffler", SHUFFLERS)
def test_whatever_was_not_told_yet_leads_to_the_view_as_it_is(shuffler: str) -> None:
    there, changes, views = eventful_night(shuffler)
    for viewer in VIEWERS:
        now = as_told(live_view(there.live, viewer))
        for first in range(len(changes)):
            frames = frames_of(changes[first:], viewer)
            assert as_told(after(views[first][viewer], frames)) == now, first
            assert [frame.version for frame in frames] == sorted(frame.version for frame in frames)


def test_the_twin_that_drops_what_a_later_frame_follows_loses_parts() -> None:
    """Signs, layout and rounds are told only where they changed: the last frame alone does not hold them."""
    there, changes, views = eventful_night("manual")
    viewer, lost = VIEWERS[0], set()
    for first in range(len(changes)):
        found = as_told(after(views[first][viewer], frames_of(changes[-1:], viewer)))
        now = as_told(live_view(there.live, viewer))
        lost |= {part for part in now if found[part] != now[part]}
        lost |= {part for part in now["view"] if found["view"][part] != now["view"][part]}
    assert {"rounds", "signs"} <= lost


@pytest.mark.parametrize("shuffler", SHUFFLERS)
def test_no_event_and_no_proof_is_lost_in_one_frame_or_told_twice(shuffler: str) -> None:
    _, changes, _ = eventful_night(shuffler)
    for viewer in VIEWERS:
        single = [frame for change in changes for frame in frames_of([change], viewer)]
        joined = frames_of(changes, viewer)
        assert len(joined) < len(single)
        assert [one for frame in joined for one in frame.events] == [one for frame in single for one in frame.events]
        proofs = [one for frame in joined for one in frame.proofs]
        assert proofs == [one for frame in single for one in frame.proofs]
        assert proofs


@pytest.mark.parametrize("shuffler", SHUFFLERS)
def test_no_card_is_told_with_the_seal_of_another_shoe(shuffler: str) -> None:
    """Else whoever checks the cards of a frame against its seal would take them for false ones."""
    _, changes, views = eventful_night(shuffler)
    viewer = VIEWERS[0]
    for first in range(len(changes)):
        seal, notes = views[first][viewer].seal, ProofNotes()
        notes.read_view(seal)
        for frame in frames_of(changes[first:], viewer):
            seal = msgspec.convert(frame.view["seal"], type(seal))
            notes.read_events(frame.events)
            notes.read_view(seal)
            notes.read_proofs(frame.events, frame.proofs)
            assert {proof.shoe for proof in frame.proofs} <= {seal.shoe}
        assert notes.findings == []


def test_a_burst_within_one_turn_is_one_frame_and_ends_nobody() -> None:
    """Two hundred changes, more than any queue holds, before anybody could read one."""
    there = ready("ann")

    async def night() -> tuple[Outlet, Happened]:
        hub = Hub(there.house, Metrics(), Limits(), there.clock.tick)
        outlet = Outlet("ben", "key", "127.0.0.1", 64)
        hub.join(outlet)
        hub.watch(outlet, there.table, Viewer("watcher"))
        for _ in range(200):
            there.must("ann", do="buy_chips", amount=1)
        frames = [frame for _ in range(2) for frame in await hub.next(outlet) or ()]
        assert len(frames) == 2
        assert b'"type":"snapshot"' in frames[0]
        return outlet, msgspec.json.decode(frames[1], type=Happened)

    outlet, frame = asyncio.run(night())
    assert outlet.ended is None
    assert frame.version == there.live.version


def test_who_does_not_read_their_answers_is_not_heard_meanwhile() -> None:
    async def night() -> None:
        outlet = Outlet("x", "key", "127.0.0.1", 64)
        for _ in range(64):
            await asyncio.wait_for(outlet.room(), 5)
            outlet.put(b"{}")
        assert outlet.ended is None
        waiting = asyncio.ensure_future(outlet.room())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        assert await outlet.next() == b"{}"
        await asyncio.wait_for(waiting, 5)

    asyncio.run(night())


def test_between_two_buffered_frames_everybody_else_has_a_turn(tmp_path: Path) -> None:
    """Fifty frames lie in the buffer, so that reading one never waits; another task counts its own turns."""
    taken: list[int] = []
    turns = 0

    class Buffered(WebSocket):
        left = 50

        async def receive(self) -> dict[str, Any]:
            self.left -= 1
            return {"type": "websocket.receive", "text": "{}"} if self.left >= 0 else {"type": "websocket.disconnect"}

    class Noting(FrameReader):
        def take(self, text: str | None) -> None:
            taken.append(turns)

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def night(live: LiveServer) -> None:
        other = asyncio.create_task(count())
        scope = {"type": "websocket", "headers": [], "path": "/"}
        websocket = Buffered(scope, receive=None, send=None)  # type: ignore[arg-type]
        await Noting(live.server, Outlet("x", "key", "127.0.0.1", 64)).run(websocket)
        other.cancel()

    with running(tmp_path, QUIET) as live:
        asyncio.run(night(live))
    assert len(taken) == 50
    assert all(later > earlier for earlier, later in pairwise(taken))


def test_frames_that_come_fast_are_joined_and_hold_every_event(tmp_path: Path) -> None:
    with running(tmp_path, QUIET, SLOW) as live:
        caller, watcher = Caller(live).guest(), Caller(live).guest().socket()
        watcher.watch("hand", "watcher")
        for turn in range(12):
            caller.command("hand", {"do": "leave"} if turn % 2 else {"do": "sit", "box": 1})
        version = live.version("hand")
        frames = [watcher.next()]
        while frames[-1]["version"] < version:
            frames.append(watcher.next())
        names = [event["name"] for frame in frames for event in frame["events"]]
        seats = [name for name in names if name in ("player_seated", "seat_vacated")]
        assert seats == ["player_seated", "seat_vacated"] * 6
        assert len(frames) < 12


def test_what_a_command_did_comes_before_its_answer_also_where_others_wait(tmp_path: Path) -> None:
    with running(tmp_path, QUIET, SLOW) as live:
        socket = Caller(live).guest().socket()
        seen = socket.watch("hand")["view"]["version"]
        for turn in range(8):
            do: dict[str, Any] = {"do": "leave"} if turn % 2 else {"do": "sit", "box": 1}
            socket.send({"type": "command", "id": fresh_id(), "table": "hand", "expected": 0, "command": do})
            while (frame := socket.next())["type"] == "events":
                seen = frame["version"]
            assert frame["type"] == "done"
            assert seen >= frame["version"], "what the dealer did behind it may be told with it"


def test_a_snapshot_reads_no_more_than_it_tells() -> None:
    """However often somebody has bet and taken it back since the last round."""
    there = ready("ann", "ben")
    there.bet("ben")
    for _ in range(120):
        there.bet("ann")
        there.must("ann", do="withdraw_wager", player="ann", box=1, wager="initial")
    live, viewer = there.live, Viewer("watcher")
    assert not live.table.round.is_over
    last = deque(live.store.read(live.stream), maxlen=MOST_TOLD)
    read, whole = [], live.store.read

    def counted(stream: str, after: int = 0, before: int | None = None) -> Any:
        found = list(whole(stream, after))
        read.append(len(found))
        return found

    live.store.read = counted  # type: ignore[method-assign]
    assert so_far(live, viewer) == [seen for one in last if (seen := seen_event(one, viewer, live)) is not None]
    assert read == [MOST_TOLD]


def test_the_lobby_makes_a_view_only_where_a_table_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Night(table("one", timers=FAST), table("two", timers=FAST))
    there.sit("ann")
    there.until_ready()
    made: list[str] = []

    def counted(rules: Rulebook, table: Table, viewer: Viewer) -> View:
        made.append(viewer.role)
        return view(rules, table, viewer)

    monkeypatch.setattr(lobby, "view", counted)
    before = there.house.lobby()
    assert there.house.lobby() == before
    assert len(made) == 2
    there.bet("ann")
    assert there.house.lobby()[0].version > before[0].version
    assert len(made) == 3


# Paces that several sockets share.


def kinds(frames: list[Any]) -> list[str]:
    return [frame.get("code", frame["type"]) for frame in frames]


def test_the_sockets_of_one_account_share_its_pace(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, messages_per_second=1, messages_at_once=6)
    with running(tmp_path, QUIET, limits) as live:
        caller, other = Caller(live).guest(), Caller(live).guest().socket()
        sockets = [caller.socket() for _ in range(3)]
        answers = []
        for turn in range(9):
            sockets[turn % 3].send({"type": "ping"})
            answers.append(sockets[turn % 3].next())
        assert kinds(answers)[:6] == ["pong"] * 6
        assert "too_fast" in kinds(answers)
        other.send({"type": "ping"})
        assert other.next() == {"type": "pong"}


def test_all_of_one_address_share_its_pace_over_http_too(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, address_messages_per_second=1, address_messages_at_once=6)
    with running(tmp_path, QUIET, limits) as live:
        callers = [Caller(live).guest() for _ in range(3)]
        answers = []
        for caller in callers:
            socket = caller.socket()
            for _ in range(3):
                socket.send({"type": "ping"})
                answers.append(socket.next())
        assert kinds(answers)[:6] == ["pong"] * 6
        assert "too_fast" in kinds(answers)
        asked = [callers[0].command("hand", {"do": "sit", "box": 1}) for _ in range(3)]
        assert 429 in {answer.status for answer in asked}


def test_whole_views_are_given_out_at_a_pace(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, snapshots_per_second=1, snapshots_at_once=3)
    with running(tmp_path, QUIET, limits) as live:
        caller = Caller(live).guest()
        socket = caller.socket()
        answers = [socket.watch("hand") for _ in range(6)]
        assert kinds(answers)[:3] == ["snapshot"] * 3
        assert "too_fast" in kinds(answers)
        assert 429 in {caller.ask("GET", "/api/tables/hand").status for _ in range(3)}
        socket.send({"type": "ping"})
        assert socket.next() == {"type": "pong"}, "the connection goes on, and still watches"


def test_a_request_that_comes_too_fast_waits_for_its_refusal(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, requests_per_second=1, requests_at_once=3)
    with running(tmp_path, QUIET, limits) as live:
        loop_time, took = asyncio.new_event_loop().time, []
        for _ in range(5):
            begin = loop_time()
            status = Caller(live).ask("GET", "/healthz").status
            took.append((status, loop_time() - begin))
        assert {status for status, _ in took} == {200, 429}
        assert all(seconds >= REFUSED_S for status, seconds in took if status == 429)
