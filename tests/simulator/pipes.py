"""Connections between the processes of a world: bytes arrive in order, late, in pieces, or never any more."""

import asyncio
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from casinowar.web.peers.messages import MessageParser, Tell, dump_message

if TYPE_CHECKING:
    from tests.simulator.world import Actor, World

Factory = Callable[[], asyncio.Protocol]
QUICK_S, SLOW_S = 0.004, 0.8
SLOW_SHARE, PIECES_SHARE, TWICE_SHARE = 0.02, 0.05, 0.5
NOTICED_S = 2.0


def doubled(data: bytes) -> bytes:
    """Messages between processes with each of them twice, but for what clients are shown: that would be shown twice."""
    found = b""
    for message in MessageParser().feed(data):
        found += dump_message(message) * (1 if isinstance(message, Tell) else 2)
    return found


class End(asyncio.Transport):
    """One end of a connection."""

    def __init__(self, actor: "Actor", protocol: asyncio.Protocol, net: "Pipes") -> None:
        super().__init__()
        self.actor, self.protocol, self._net = actor, protocol, net
        self.other: End
        self.is_lost = False
        self._arrives = 0.0

    def write(self, data: Any) -> None:
        if self.is_lost:
            return
        chance, data = self._net.chance, bytes(data)
        if self._net.world.seconds < self._net.twice_until and chance.random() < TWICE_SHARE:
            data = doubled(data)
        cut = chance.randrange(1, len(data)) if len(data) > 1 and chance.random() < PIECES_SHARE else len(data)
        for piece in (data[:cut], data[cut:]):
            if piece:
                self._arrives = self._net.arrival(self._arrives)
                self.other.actor.post(self.other._take, piece, after=self._arrives - self._net.world.seconds)

    def _take(self, data: bytes) -> None:
        if not self.is_lost:
            self.protocol.data_received(data)

    def abort(self) -> None:
        """Cut the connection; the other end notices later."""
        self._end()
        self.other.actor.post(self.other._end, after=self._net.chance.uniform(0, NOTICED_S))

    close = abort

    def _end(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.actor.post(self.protocol.connection_lost, None)

    def is_closing(self) -> bool:
        return self.is_lost

    def get_write_buffer_size(self) -> int:
        return 0


class Entrance:
    """A place where a process takes connections."""

    def __init__(self, net: "Pipes", address: str) -> None:
        self._net, self._address = net, address

    def close(self) -> None:
        self._net.entrances.pop(self._address, None)


class Pipes:
    """All connections between processes. Until a moment nothing comes through, or what is sent together comes twice."""

    def __init__(self, world: "World", chance: random.Random) -> None:
        self.world, self.chance = world, chance
        self.entrances: dict[str, tuple[Actor, Factory]] = {}
        self.ends: list[End] = []
        self.silent_until = self.twice_until = 0.0

    def open_entrance(self, actor: "Actor", factory: Factory, address: str) -> Entrance:
        self.entrances[address] = (actor, factory)
        return Entrance(self, address)

    async def connect(self, actor: "Actor", factory: Factory, address: str) -> tuple[End, asyncio.Protocol]:
        await asyncio.sleep(self.arrival(0.0) - self.world.seconds)
        there = self.entrances.get(address)
        if there is None or there[0].is_over:
            raise ConnectionRefusedError(address)
        mine, theirs = End(actor, factory(), self), End(there[0], there[1](), self)
        mine.other, theirs.other = theirs, mine
        self.ends = [one for one in self.ends if not one.is_lost] + [mine, theirs]
        there[0].post(theirs.protocol.connection_made, theirs)
        mine.protocol.connection_made(mine)
        return mine, mine.protocol

    def cut(self) -> None:
        """Cut all connections."""
        for end in self.ends:
            if not end.is_lost and not end.actor.is_over:
                end.abort()

    def end_all_of(self, actor: "Actor") -> None:
        """End the connections of a process that is gone."""
        for end in self.ends:
            if end.actor is actor and not end.is_lost:
                end.is_lost = True
                end.other.actor.post(end.other._end, after=self.chance.uniform(0, NOTICED_S))

    def arrival(self, last: float) -> float:
        took = self.chance.uniform(0, SLOW_S if self.chance.random() < SLOW_SHARE else QUICK_S)
        return max(last, self.silent_until, self.world.seconds) + took
