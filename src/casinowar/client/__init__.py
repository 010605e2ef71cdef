"""The typed client of a server of live tables, over HTTP and one WebSocket: for asyncio, and without it.

It needs `websockets` and nothing else of the extra `server`.
"""

from casinowar.extras import require

require("casinowar.client", "client", "websockets")

from casinowar.client import commands
from casinowar.client.client import Arrived, Client
from casinowar.client.errors import Ended, Refused
from casinowar.client.sync_client import SyncClient, SyncLive
from casinowar.client.table import Live
from casinowar.client.typed_events import HouseEvent, TypedEvent, typed_events
from casinowar.protocol import Done, Happened, LiveView

__all__ = [
    "Arrived",
    "Client",
    "Done",
    "Ended",
    "Happened",
    "HouseEvent",
    "Live",
    "LiveView",
    "Refused",
    "SyncClient",
    "SyncLive",
    "TypedEvent",
    "commands",
    "typed_events",
]
