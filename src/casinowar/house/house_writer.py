"""The writing of a house: each act by itself or many together, checkpoints, and the end once the disk has failed."""

import logging
from collections.abc import Callable

from casinowar.engine import Refusal
from casinowar.protocol import Answer
from casinowar.store import Checkpoint, Store, StoreError, StoreFailed, StoreInUse, VersionConflict, make_checkpoint
from casinowar.words.refusals import refused

# isort: split
# The store says which extra is missing.
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

log = logging.getLogger(__name__)
CHECKPOINT_MS = 60_000


class HouseWriter:
    """Whoever writes to the store of a house. After a failure of the medium nothing more is written.

    While it `is_gathering`, what is done is written together and is not on the disk yet, so that nobody may be told of
    it. Where the house itself has acted it is asked to `settle_soon`. It `is_uncertain` where such a group could not be
    brought to the disk: the tables may be ahead of the log.
    """

    def __init__(self, store: Store, tick: Callable[[], int], key: Ed25519PrivateKey | None) -> None:
        self.store = store
        self.out_of_service: str | None = None
        self.is_gathering = self.is_uncertain = False
        self.on_settled: Callable[[], None] = lambda: None
        self.settle_soon: Callable[[], None] = self.settle
        self._tick, self._key = tick, key
        self._checked_at, self._checked = tick(), -1

    def guard(self, id: str, do: Callable[[], Answer]) -> Answer:
        """Do what writes to the store. If the medium fails, nobody knows what was written, and the server stops."""
        try:
            return do()
        except StoreFailed as error:
            self.fail(error)
            return refused(id, Refusal("out_of_service"))
        except StoreInUse as error:
            log.warning("another server was in the way", extra={"error": str(error)})
            return refused(id, Refusal("not_written"))

    def attempt(self, do: Callable[[], object]) -> None:
        """Do what writes to the store and has no answer, since nobody has sent a command."""
        try:
            do()
        except StoreFailed as error:
            self.fail(error)

    def gather(self) -> None:
        """Write together whatever is done until `settle`; each by itself where the store cannot begin now."""
        if self.is_gathering or self.out_of_service is not None:
            return
        try:
            self.store.begin_together()
        except StoreError as error:
            log.error("nothing is written together", extra={"error": str(error)})
        except StoreFailed as error:
            self.fail(error)
        else:
            self.is_gathering = True

    def settle(self) -> None:
        """Bring to the disk what has been done since `gather`; then it may be told."""
        if self.is_gathering:
            self.is_gathering, self.is_uncertain = False, True
            if self.out_of_service is None:
                self.attempt(self.store.finish_together)
            self.is_uncertain = self.out_of_service is not None
            self.on_settled()
            self.attempt(self.check)

    def fail(self, error: StoreFailed) -> None:
        """Take no more commands, since the medium has failed somewhere."""
        log.critical("out of service", extra={"error": str(error)})
        self.out_of_service = str(error)

    def check(self) -> None:
        if (
            self.out_of_service is None
            and self._tick() - self._checked_at >= CHECKPOINT_MS
            and self.store.head().commands != self._checked
        ):
            self.checkpoint()

    def checkpoint(self) -> Checkpoint | None:
        """Sign a checkpoint of the store as it stands."""
        if self._key is None:
            return None
        self._checked_at, self._checked = self._tick(), self.store.head().commands
        try:
            return make_checkpoint(self.store, self._key)
        except VersionConflict:  # Another server has just made one.
            return None
        except StoreInUse as error:
            log.warning("no checkpoint yet", extra={"error": str(error)})
            self._checked = -1  # It is due again in a minute, also where nothing is done meanwhile.
            return None

    def hasten_checkpoint(self) -> None:
        """Have the next look find that a checkpoint is due."""
        self._checked_at = self._tick() - CHECKPOINT_MS

    def last_checkpoint(self) -> None:
        """Sign a checkpoint, unless nothing has happened since the last one."""
        if self.store.head().commands != self._checked:
            self.checkpoint()
