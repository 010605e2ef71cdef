"""A server process of a simulated night: the shipped store, house and server on a loop of its own."""

import asyncio
import random
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.engine import Table
from casinowar.house.house import House
from casinowar.store.postgres.registry import DatabaseRegistry
from casinowar.store.postgres.store import PostgresStore
from casinowar.web.app import Clock
from casinowar.web.peers.peer_key import PeerKey
from casinowar.web.peers.peers import Peers
from casinowar.web.server import Server
from tests.simulator.doors import DOORS, Door
from tests.simulator.network import Line

if TYPE_CHECKING:
    from tests.simulator.night import Night

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


class Guests:
    """The accounts of the night: everybody is let in by name."""

    def __init__(self) -> None:
        self.table_names: object = tuple
        self.last_request = 0

    def on_login_ended(self, listener: object) -> None: ...

    def use_login(self, key: str) -> object:
        return key

    def tickets(self) -> None: ...

    def role_requests(self, after: int = 0) -> list[object]:
        return []

    def sweep(self, in_use: object) -> None: ...

    def forget(self, before: int) -> tuple[int, int]:
        return 0, 0


class Process:
    """A server process from its start to its end. When it has been killed, nothing that it still does counts."""

    def __init__(self, night: "Night", name: str, number: int) -> None:
        self.night = night
        self.name = name
        self.number = number
        self.url = f"postgresql://{name}-{number}@simulated/house"
        self.door = DOORS[self.url] = Door(night.database, random.Random(f"door {night.plan.seed} {number}"))
        self.store: PostgresStore | None = None
        self.house: House | None = None
        self.server: Server | None = None
        self.lines: list[Line] = []
        self._leaving: asyncio.Task[None] | None = None
        self.actor = night.world.start(name, self._serve)
        self.door.actor = self.actor

    async def _serve(self) -> None:
        night = self.night
        self.store = store = PostgresStore(self.url, night.now, is_shared=True)
        registry = DatabaseRegistry(self.url, store.owner)
        self.house = house = House(
            store, night.settings, tick=night.tick, source=night.source, key=KEY, registry=registry
        )
        server = Server(house, Guests(), night.limits, tick=night.tick)  # type: ignore[arg-type]
        key, address = PeerKey(bytes(32)), f"{self.name}:{self.number}"
        secret = key.seal(store.owner, address, f"{self.number:032}")
        registry.join(address, secret, store.lease_ms)
        assert house.shared is not None
        server.peers = Peers(server, house.shared, key, secret, registry.listen)
        server.peers.on_failed = lambda: night.world.call_later(0, lambda: night.crash(self))
        night.promises.watch(self)
        await server.peers.start(_no_application, address)
        self.server = server
        await Clock(server).run()

    @property
    def is_serving(self) -> bool:
        return not self.actor.is_over and self.server is not None and not self.has_failed

    @property
    def has_failed(self) -> bool:
        """Whether somebody must start it again."""
        return self.actor.is_over or (self.house is not None and self.house.out_of_service is not None)

    async def open_line(self, name: str, line: Line) -> None:
        """Have this process serve a line; called by the people."""
        let_in: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lines.append(line)
        self.actor.post(self._let_in, name, line, let_in, after=0.005)
        async with asyncio.timeout(30):
            await let_in

    def _let_in(self, name: str, line: Line, let_in: "asyncio.Future[None]") -> None:
        assert self.house is not None
        assert self.server is not None
        if name not in self.night.welcomed:
            self.house.welcome(name)
            self.server.settle()
            if self.house.out_of_service is None:
                self.night.welcomed.add(name)
        line.serve(self.server, self.server.tickets.issue(name, f"login {name}"))
        self.night.people_actor.post(_tell, let_in, after=0.005)

    def leave(self) -> None:
        """Hand the tables over and end, as for an upgrade; it is started again."""
        if self.server is not None and self._leaving is None:
            self._leaving = self.actor.loop.create_task(self._leave(self.server))

    async def _leave(self, server: Server) -> None:
        assert server.peers is not None
        await server.peers.hand_over()
        server.hub.end_all("draining", is_silent=True)
        self.night.world.call_later(0.1, lambda: self.night.crash(self))

    def kill(self) -> None:
        self.actor.kill()
        for line in self.lines:
            line.cut()
        self.door.leave()
        self.night.world.pipes.end_all_of(self.actor)

    def tables(self) -> dict[str, Table]:
        return {} if self.house is None else {name: live.table for name, live in self.house.tables.items()}


async def _no_application(scope: object, receive: object, send: object) -> None:
    """The people of a night come by sockets alone."""


def _tell(let_in: "asyncio.Future[None]") -> None:
    if not let_in.done():
        let_in.set_result(None)
