"""The store: events, ledger and command ids in one transaction, append-only, chained, with signed checkpoints.

It needs the extra `server`, which brings apsw and cryptography.
"""

import os
import sys
from pathlib import Path

from casinowar.extras import require

require("casinowar.store", "server", "apsw", "cryptography")

from casinowar.store.checkpoints import Checkpoint, dump_checkpoint, load_checkpoint, load_key, public_key
from casinowar.store.contract import (
    Answer,
    CommandReused,
    Imbalance,
    LeaseLost,
    Overdrawn,
    Proposal,
    Recalled,
    Store,
    StoreError,
    StoreFailed,
    StoreFault,
    StoreInUse,
    StreamStopped,
    ValueRefused,
    VersionConflict,
)
from casinowar.store.events import (
    OWN,
    BookResolved,
    BotDismissed,
    BotSeated,
    BreakTaken,
    CashedOut,
    CommandTaken,
    EntropyAdded,
    EntropyPromised,
    FloorCalled,
    FloorCallEnded,
    FloorCallTaken,
    LeaveCancelled,
    LeavePlanned,
    PlayerLimitsSet,
    PurseDrained,
    PurseFunded,
    Recorded,
    RoleGranted,
    RoleRevoked,
    SeatGivenUp,
    ShoeCommitted,
    ShoeCut,
    ShoeEvent,
    ShoeOpened,
    ShoeSealed,
    SignatureAsked,
    SignatureClosed,
    StaffActed,
    TableCleared,
    TableListed,
    TableStopped,
    cash_out,
    name_of,
    stand,
)
from casinowar.store.ledger import Posting, post
from casinowar.store.memory import MemoryStore
from casinowar.store.snapshots import Snapshot
from casinowar.store.sqlite.store import SqliteStore
from casinowar.store.stored_rules import BookChanged, resolved, rules_of
from casinowar.store.verify import audit, kind_of_chains, make_checkpoint

__all__ = [
    "OWN",
    "Answer",
    "BookChanged",
    "BookResolved",
    "BotDismissed",
    "BotSeated",
    "BreakTaken",
    "CashedOut",
    "Checkpoint",
    "CommandReused",
    "CommandTaken",
    "EntropyAdded",
    "EntropyPromised",
    "FloorCallEnded",
    "FloorCallTaken",
    "FloorCalled",
    "Imbalance",
    "LeaseLost",
    "LeaveCancelled",
    "LeavePlanned",
    "MemoryStore",
    "Overdrawn",
    "PlayerLimitsSet",
    "Posting",
    "Proposal",
    "PurseDrained",
    "PurseFunded",
    "Recalled",
    "Recorded",
    "RoleGranted",
    "RoleRevoked",
    "SeatGivenUp",
    "ShoeCommitted",
    "ShoeCut",
    "ShoeEvent",
    "ShoeOpened",
    "ShoeSealed",
    "SignatureAsked",
    "SignatureClosed",
    "Snapshot",
    "SqliteStore",
    "StaffActed",
    "Store",
    "StoreError",
    "StoreFailed",
    "StoreFault",
    "StoreInUse",
    "StreamStopped",
    "TableCleared",
    "TableListed",
    "TableStopped",
    "ValueRefused",
    "VersionConflict",
    "audit",
    "cash_out",
    "data_folder",
    "dump_checkpoint",
    "kind_of_chains",
    "load_checkpoint",
    "load_key",
    "make_checkpoint",
    "name_of",
    "post",
    "public_key",
    "resolved",
    "rules_of",
    "stand",
]


def data_folder() -> Path:
    """The folder for a user's data, unless the user names another."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "casinowar"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "casinowar"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "casinowar"
