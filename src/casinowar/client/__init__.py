"""The typed client of a server of live tables: asyncio, over HTTP and one WebSocket.

It needs `websockets` and nothing else of the extra `server`.
"""

from casinowar.extras import require

require("casinowar.client", "client", "websockets")

from casinowar.client.client import Arrived, Client
from casinowar.client.errors import Ended, Refused
from casinowar.client.table import Live
from casinowar.protocol import Done, Happened, LiveView

__all__ = ["Arrived", "Client", "Done", "Ended", "Happened", "Live", "LiveView", "Refused"]
