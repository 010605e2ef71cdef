"""The key by which the servers of one house know each other: whoever reads or writes their database does not have it.

It is made of the key that signs checkpoints, which all of them have in a file.
"""

import hashlib
import hmac

from casinowar.store.servers import ServerLine

USE = b"casinowar/peers/key/v1\0"
SEALED = b"casinowar/peers/server/v1\0"
WORD = b"casinowar/peers/word/v1\0"
PROOF = b"casinowar/peers/proof/v1\0"
NONCE = 32
"""The digits with which a secret begins, which are another at each start."""


class PeerKey:
    """The key. The secret of a server is sealed for its number and its address, and it opens nothing by itself."""

    def __init__(self, house_key: bytes) -> None:
        self._key = hmac.digest(house_key, USE, hashlib.sha256)

    def seal(self, number: int, address: str, nonce: str) -> str:
        """The secret with which a server enters itself in the database."""
        return nonce + self._mark(SEALED, f"{nonce} {number} {address}")

    def is_sealed(self, line: ServerLine) -> bool:
        """Whether a server of this house has entered itself at this address."""
        there = self.seal(line.number, line.address, line.secret[:NONCE])
        return hmac.compare_digest(there.encode(), line.secret.encode("utf-8", "replace"))

    def word(self, secret: str) -> str:
        """What a server says to the one that has this secret, before anything else."""
        return self._mark(WORD, secret)

    def proof(self, secret: str, challenge: str) -> str:
        """What the server with this secret answers to a challenge.

        Its entry in the database may be put back when it has ended, by somebody who listens at its address by then.
        """
        return self._mark(PROOF, f"{secret} {challenge}")

    def _mark(self, use: bytes, text: str) -> str:
        return hmac.digest(self._key, use + text.encode("utf-8", "replace"), hashlib.sha256).hex()
