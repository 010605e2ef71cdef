"""Tell whoever looks at the pit, at once, when something begins or ceases to wait for the floor at a table."""

import msgspec

from casinowar import protocol as f
from casinowar.house.house import House
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import can_look
from casinowar.web.socket.outlet import Outlet


class FloorWatch:
    """It tells which table, and no more: what waits there is asked for, so that each sees what is theirs to see."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._outlets: set[Outlet] = set()
        self._waits: dict[str, object] = {}

    def __len__(self) -> int:
        """Of how many tables it is kept what waits there."""
        return len(self._waits)

    def join(self, outlet: Outlet) -> None:
        self._outlets.add(outlet)

    def part(self, outlet: Outlet) -> None:
        self._outlets.discard(outlet)

    def note(self, table: str) -> None:
        """Something has happened at a table: the floor hears of it where it changes what waits for the floor."""
        waits = _waits(self._house.tables[table])
        if self._waits.get(table) == waits:
            return
        if table not in self._waits:
            self._forget_gone()
        self._waits[table] = waits
        frame = msgspec.json.encode(f.FloorChanged(table))
        for outlet in self._outlets:
            if can_look(self._house.roles(outlet.name), "auditor"):
                outlet.put(frame)

    def _forget_gone(self) -> None:
        """Private tables come and go under names of their own."""
        for table in self._waits.keys() - self._house.tables.keys():
            del self._waits[table]


def _waits(live: LiveTable) -> object:
    """What the pit shows on top: signatures, an incident, a stop, a call, and who is away.

    Who comes and goes at a private table is no matter for the floor: anybody could hurry the pit with it.
    """
    is_private = live.settings.owner is not None
    away = () if is_private else tuple(player for player in live.humans if player not in live.present)
    return tuple(live.pending.waiting), live.table.incident, live.stopped, live.calls.open, away, live.table.is_closed
