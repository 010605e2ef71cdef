"""The client of a server of live tables: login, lobby, and tables to follow."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal
from urllib.parse import quote
from uuid import uuid4

import msgspec

from casinowar import protocol as f
from casinowar.client.connection import Connection, ConnectionCallback
from casinowar.client.errors import Ended
from casinowar.client.http import HttpSite
from casinowar.client.proofs import Contribution
from casinowar.client.table import Live
from casinowar.fairness import ExportedShoe, ListedShoe, load_shoe

Role = Literal["player", "watcher", "dealer", "supervisor", "auditor"]
Views = Literal["whole", "parts"]


class Arrived(msgspec.Struct, frozen=True):
    """The player of a login, as the server answers; fields that this client does not know are ignored.

    Only programs get the token, which is as good as a password.

    >>> from casinowar.client import Arrived
    >>> Arrived("guest-1", is_guest=True)
    <guest-1>
    """

    player: str
    is_guest: bool
    roles: tuple[str, ...] = ()
    token: str | None = None

    def __repr__(self) -> str:
        return f"<{self.player}>"


class Client:
    """The client of one player or member of staff: a login over HTTP, and one WebSocket for all tables it follows.

    Its player adds entropy to each shoe unless told not to.

    >>> import asyncio
    >>> from casinowar import protocol
    >>> from casinowar.testing.scripted_server import live_view, say, scripted
    >>> async def script(socket, frame):
    ...     if isinstance(frame, protocol.Watch):
    ...         await say(socket, protocol.Snapshot("nz", live_view()))
    ...     elif isinstance(frame, protocol.Command):
    ...         await say(socket, protocol.Done(frame.id, "nz", 8))
    >>> from casinowar.client import Client, commands
    >>> async def sit_down():
    ...     async with scripted(script) as server, Client.connect(server.url) as client:
    ...         me = await client.guest()
    ...         live = await client.watch("nz")
    ...         return me.player, (await live.do(commands.Sit(box=1))).version
    >>> asyncio.run(sit_down())
    ('guest-1', 8)
    """

    def __init__(self, site: HttpSite, connection: Connection, adds_entropy: bool) -> None:
        self.site = site
        self.connection = connection
        self._adds_entropy = adds_entropy
        self.player: str | None = None

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        url: str,
        token: str | None = None,
        *,
        patience: float = 60,
        adds_entropy: bool = True,
        source: str | None = None,
        on_connection: ConnectionCallback | None = None,
    ) -> AsyncIterator["Client"]:
        """A client of the server at this address; with the token of an earlier login it is the same player.

        `patience` is for how many seconds a lost connection is tried again. `source` is the machine's own address to
        come from, where it has several. `on_connection` is called with `connected`, `lost` and `connected_again`.
        """
        site = HttpSite(url, token, source)
        client = cls(site, Connection(site, patience, on_connection), adds_entropy)
        try:
            if token is not None:
                await client.me()
            yield client
        finally:
            await client.connection.close()

    @property
    def ended(self) -> Ended | None:
        """The reason why the WebSocket is gone for good, if it is."""
        return self.connection.ended

    async def guest(self) -> Arrived:
        """Begin a login as a new guest, without a password."""
        return await self._arrive("/api/guest", {})

    async def login(self, name: str, password: str) -> Arrived:
        """Begin a login of an account."""
        return await self._arrive("/api/login", {"name": name, "password": password})

    async def register(self, name: str, password: str) -> Arrived:
        """Make an account, and begin a login of it."""
        return await self._arrive("/api/register", {"name": name, "password": password})

    async def logout(self) -> None:
        """End the login; the server then closes this client's connection."""
        await self.site.call("POST", "/api/logout")
        self.site.token = self.player = None

    async def me(self) -> f.PlayerView:
        """The player's purse, chips at each table, own limits, and what is left of them."""
        told = msgspec.json.decode(await self.site.call("GET", "/api/me"), type=f.PlayerView)
        self.player = told.player
        return told

    async def lobby(self) -> list[f.LobbyLine]:
        """The tables of the house, one line for each."""
        return msgspec.json.decode(await self.site.call("GET", "/api/tables"), type=list[f.LobbyLine])

    async def look(self, table: str, role: Role = "player") -> f.LiveView:
        """The table as it stands at the server now, which is also what `Live.view` holds once all news has come."""
        told = await self.site.call("GET", f"/api/tables/{quote(table)}?role={role}")
        return msgspec.json.decode(told, type=f.LiveView)

    async def open_private(self, rulebook: str, bots: int = 0) -> str:
        """Open a table of one's own with so many players of the house, and give its name."""
        body = {"id": str(uuid4()), "rulebook": rulebook, "bots": bots}
        return msgspec.json.decode(await self.site.call("POST", "/api/tables/private", body), type=f.Done).table

    async def watch(self, table: str, role: Role = "player", advice: bool = False, views: Views = "parts") -> Live:
        """Follow a table; its view is there when this returns.

        `Live.view` is whole however it comes over the wire: in the parts that have changed, or whole each time.
        """
        contribution = Contribution() if self._adds_entropy else None
        watch = f.Watch(table=table, role=role, advice=advice, views=views)
        live = Live(self.connection, watch, self.player or "", contribution)
        await self.connection.watch(live)
        return live

    async def unwatch(self, live: Live) -> None:
        """Follow a table no more: its iteration ends, and the server sends no more of it."""
        await self.connection.unwatch(live)

    def drop(self) -> None:
        """Break the WebSocket off, as a lost line does: it is opened again, and everything goes on from there."""
        self.connection.drop()

    async def shoe(self, table: str, number: int) -> ExportedShoe:
        """A shoe of the table as far as it is public now; hold it against what `Live.noted` has."""
        return load_shoe((await self.site.call("GET", f"/api/tables/{quote(table)}/shoes/{number}")).decode())

    async def shoes(self, table: str) -> tuple[ListedShoe, ...]:
        """Every shoe committed to under the table's name, and what became of it."""
        told = await self.site.call("GET", f"/api/tables/{quote(table)}/shoes")
        return msgspec.json.decode(told, type=tuple[ListedShoe, ...])

    async def _arrive(self, path: str, body: dict[str, str]) -> Arrived:
        arrived = msgspec.json.decode(await self.site.call("POST", path, body), type=Arrived)
        self.site.token, self.player = arrived.token, arrived.player
        return arrived
