"""A view that cannot be made for one viewer ends the connection of that one, and harms nobody else at the table."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from casinowar.engine.view import OwnView, Viewer
from casinowar.house.table import parts, visibility
from casinowar.house.table.table import LiveTable
from casinowar.web.http.limits import Limits
from casinowar.web.metrics import Metrics
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet
from tests.support.live_night import FAST, Night, table
from tests.support.live_server import HOUSE, Caller, running

OFTEN = Limits(tells_per_second=1_000, tells_at_once=1_000)
VIEWERS = (Viewer("player", "ann"), Viewer("player", "ben"), Viewer("watcher"), Viewer("dealer"))
OTHERS = VIEWERS[1:]


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The players whose own view cannot be made from now on."""
    names: set[str] = set()
    right = visibility.own_view_of

    def own_view_of(live: LiveTable, viewer: Viewer) -> OwnView:
        if viewer.player in names:
            raise RuntimeError("a mistake")
        return right(live, viewer)

    monkeypatch.setattr(visibility, "own_view_of", own_view_of)
    monkeypatch.setattr(parts, "own_view_of", own_view_of)
    right_parts = visibility.own_parts

    def own_parts(live: LiveTable, player: str) -> dict[str, Any]:
        """These are made at each look, also where nothing but chips has moved."""
        if player in names:
            raise RuntimeError("a mistake")
        return right_parts(live, player)

    monkeypatch.setattr(parts, "own_parts", own_parts)
    return names


class Crowd:
    """Everybody who looks at the one table of a house, each with a connection that notes what it is sent."""

    def __init__(self, there: Night, *, is_in_parts: bool) -> None:
        self.there, self.metrics = there, Metrics()
        self.hub = Hub(there.house, self.metrics, OFTEN, there.clock.tick)
        self.sent: dict[Viewer, list[str]] = {viewer: [] for viewer in VIEWERS}
        self.outlets = {viewer: Outlet(viewer.player or viewer.role, "key", "127.0.0.1", 64) for viewer in VIEWERS}
        for viewer, outlet in self.outlets.items():
            self.hub.join(outlet)
            self.hub.watch(outlet, there.table, viewer, is_in_parts=is_in_parts)
        self.senders = {viewer: asyncio.create_task(self._send(viewer)) for viewer in VIEWERS}

    async def _send(self, viewer: Viewer) -> None:
        while (frames := await self.hub.next(self.outlets[viewer])) is not None:
            self.sent[viewer] += [msgspec.json.decode(frame)["type"] for frame in frames]

    async def turn(self) -> None:
        for _ in range(4):
            await asyncio.sleep(0)

    def end(self) -> None:
        for sender in self.senders.values():
            sender.cancel()


@pytest.mark.parametrize("is_together", [False, True])
@pytest.mark.parametrize("is_in_parts", [False, True])
def test_all_others_are_told_what_happens(unseen: set[str], is_in_parts: bool, is_together: bool) -> None:
    there = Night(table(timers=FAST))
    there.sit("ann", "ben")
    there.until_ready()

    async def night() -> None:
        crowd = Crowd(there, is_in_parts=is_in_parts)
        await crowd.turn()
        unseen.add("ann")
        for number in (1, 2):
            there.act("ben", do="buy_chips", amount=1)
            if is_together:  # Everybody's turn comes while something is not on the disk yet.
                there.house.gather()
                await crowd.turn()
                there.act("ben", do="buy_chips", amount=1)
                there.house.settle()
            await crowd.turn()
            told = ["snapshot", *["events"] * number]
            assert [crowd.sent[viewer] for viewer in OTHERS] == [told] * len(OTHERS)
        assert crowd.sent[VIEWERS[0]] == ["snapshot"]
        with pytest.raises(RuntimeError, match="a mistake"):
            await crowd.senders[VIEWERS[0]]
        crowd.end()

    asyncio.run(night())


@pytest.mark.parametrize("is_in_parts", [False, True])
def test_all_others_are_shown_a_table_that_opens_again(unseen: set[str], is_in_parts: bool) -> None:
    there = Night(table(timers=FAST))
    there.come("ann", "ben")

    async def night() -> None:
        crowd = Crowd(there, is_in_parts=is_in_parts)
        await crowd.turn()
        there.must("sue", "supervisor", "late", do="close_table")
        await crowd.turn()
        before = {viewer: list(sent) for viewer, sent in crowd.sent.items()}
        unseen.add("ann")
        there.house._open._list(there.settings.tables[0], "house", "in the settings")
        await crowd.turn()
        assert {viewer: crowd.sent[viewer] for viewer in OTHERS} == {
            viewer: [*before[viewer], "snapshot"] for viewer in OTHERS
        }
        assert crowd.sent[VIEWERS[0]] == [*before[VIEWERS[0]], "goodbye"]
        assert crowd.outlets[VIEWERS[0]].ended == "internal"
        assert crowd.metrics.registry.get_sample_value("casinowar_faults_total") == 1
        crowd.end()

    asyncio.run(night())


@pytest.mark.parametrize("views", ["whole", "parts"])
def test_the_connection_of_that_one_ends_and_the_others_go_on(tmp_path: Path, unseen: set[str], views: str) -> None:
    with running(tmp_path, HOUSE) as live:
        ann, ben, acting = (Caller(live).guest() for _ in range(3))
        watch = {"type": "watch", "table": "hand", "role": "player", "views": views}
        sockets = [one.socket() for one in (ann, ben)]
        for socket in sockets:
            socket.send(watch)
            assert socket.next()["type"] == "snapshot"
        unseen.add(ann.name)
        for command, name in (({"do": "sit", "box": 1}, "player_seated"), ({"do": "leave"}, "seat_vacated")):
            assert acting.command("hand", command).status == 200
            while name not in [event["name"] for event in sockets[1].next()["events"]]:
                pass
        with pytest.raises(ConnectionClosed):
            sockets[0].next()
        assert live.metric("casinowar_faults_total") == 1
        for socket in sockets:
            socket.close()
