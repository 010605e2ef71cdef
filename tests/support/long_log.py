"""A house with a long log, written as fast as the machine can: `python -m tests.support.long_log FOLDER EVENTS`.

Six people play at one table of New Zealand's book until the log has so many events; a purse is given to as many
accounts again as are wanted, so that the ledger is long too.
"""

import random
import sys
from pathlib import Path

from casinowar.fairness import practice_bytes
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.store import SqliteStore
from casinowar.web.run import STORE_FILE
from tests.support.live_night import Clock, Night, table

PEOPLE = tuple(f"player{number}" for number in range(6))
TABLE: TableSettings = table(
    "long", "nz", timers={"betting": 60, "decision": 60, "cut": 0, "entropy": 0, "pause": 0, "card": 0, "absent": 600}
)
HOUSE = HouseSettings(tables=(TABLE,), guest_purse=10**12)


def write_log(folder: Path, events: int, accounts: int = 0) -> None:
    """The store of such a house. Its disk may lie about syncing: nobody plays for these chips."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = Clock()
    store = SqliteStore(folder / STORE_FILE, clock.now)
    store._db.execute("PRAGMA synchronous=OFF").fetchall()
    night = Night(TABLE, store=store, clock=clock, source=practice_bytes("long"), guest_purse=HOUSE.guest_purse)
    night.sit(*PEOPLE)
    chance = random.Random(5)
    while night.live.version < events:
        night.play(10, PEOPLE, chance)
    for number in range(accounts):
        night.house.welcome(f"account{number}")
    night.house.close()
    store.close()


if __name__ == "__main__":
    write_log(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[2]) // 25)
