"""A player's own entropy for each shoe: promised while promises are due, shown once all promises are published."""

import secrets
from collections.abc import Callable

from casinowar import protocol as f
from casinowar.fairness import promise

ENTROPY_BYTES = 32


class Contribution:
    """Entropy for the present shoe. It stays in memory between promise and showing, also over a lost connection."""

    def __init__(self, source: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._source = source
        self._commitment: str | None = None
        self._entropy = b""
        self._is_shown = False

    def due(self, seal: f.SealView, box: int | None) -> f.PromiseEntropy | f.AddEntropy | None:
        """What the player at this box has to send now, each once for a shoe; nothing without a seat.

        What was not promised is not shown: the table would refuse it.
        """
        if seal.commitment is None:
            return None
        if seal.stage == "promising" and box is not None and seal.commitment != self._commitment:
            self._commitment = seal.commitment
            self._entropy = self._source(ENTROPY_BYTES)
            self._is_shown = False
            promised = promise(bytes.fromhex(seal.commitment), box, self._entropy)
            return f.PromiseEntropy(promise=promised.hex())
        if seal.stage == "showing" and seal.commitment == self._commitment and not self._is_shown:
            self._is_shown = True
            return f.AddEntropy(entropy=self._entropy.hex())
        return None
