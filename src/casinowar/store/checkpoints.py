"""Signed checkpoints of where the chains of a store stood, and the key that signs them.

A checkpoint signs the root of a tree over the heads of all streams. One of an earlier program signs the heads of the
two chains over the whole store.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from casinowar.store.envelope import canonical

CHECKPOINT = b"casinowar/store/checkpoint/v2\0"
OLD_CHECKPOINT = b"casinowar/store/checkpoint/v1\0"
DIGEST = re.compile("[0-9a-f]{64}")
SIGNATURE = re.compile("[0-9a-f]{128}")


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signed note of where the chains of a store stood.

    Whoever keeps it can detect a later change to what was before it. It has either the number of `leaves` and the
    `root` of the tree over them, or the heads of the two chains over the whole store.
    """

    identity: str
    number: int
    events: int
    commands: int
    at: int
    key: str
    leaves: int | msgspec.UnsetType = msgspec.UNSET
    root: str | msgspec.UnsetType = msgspec.UNSET
    events_head: str | msgspec.UnsetType = msgspec.UNSET
    commands_head: str | msgspec.UnsetType = msgspec.UNSET
    signature: str = ""

    def __post_init__(self) -> None:
        has_tree = [field is not msgspec.UNSET for field in (self.leaves, self.root)]
        has_heads = [field is not msgspec.UNSET for field in (self.events_head, self.commands_head)]
        if has_tree + has_heads not in ([True, True, False, False], [False, False, True, True]):
            raise ValueError("a checkpoint has leaves and root, or the heads of two chains")
        if isinstance(self.root, str) and not DIGEST.fullmatch(self.root):
            raise ValueError("a root is 64 hexadecimal digits")

    @property
    def tree(self) -> tuple[int, bytes] | None:
        """The size and the root of the tree; none for a checkpoint of an earlier program."""
        if not isinstance(self.leaves, int) or not isinstance(self.root, str):
            return None
        return self.leaves, bytes.fromhex(self.root)


def _signed_bytes(checkpoint: Checkpoint) -> bytes:
    words = OLD_CHECKPOINT if checkpoint.tree is None else CHECKPOINT
    return words + canonical(msgspec.structs.replace(checkpoint, signature=""))


def public_key(key: Ed25519PrivateKey) -> str:
    """The public half of the key in hexadecimal, as verifiers take it."""
    return key.public_key().public_bytes_raw().hex()


def sign(checkpoint: Checkpoint, key: Ed25519PrivateKey) -> Checkpoint:
    """The checkpoint with the key that signed it and the signature."""
    keyed = msgspec.structs.replace(checkpoint, key=public_key(key))
    return msgspec.structs.replace(keyed, signature=key.sign(_signed_bytes(keyed)).hex())


def is_signed(checkpoint: Checkpoint, key: str) -> bool:
    """Whether the holder of this public key signed the checkpoint as it stands, which is written in one way only."""
    if checkpoint.key != key or not SIGNATURE.fullmatch(checkpoint.signature):
        return False
    try:
        verifier = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        verifier.verify(bytes.fromhex(checkpoint.signature), _signed_bytes(checkpoint))
    except (InvalidSignature, ValueError):
        return False
    return True


def load_key(path: Path) -> Ed25519PrivateKey:
    """The signing key in the file; a new one, readable by its owner alone, where there is none.

    The file comes whole or not at all: another server may read it at any moment, and this one may die.
    """
    if not path.exists():
        _write_new_key(path)
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    except ValueError:
        raise ValueError(f"{path} is no key of checkpoints: put back the one that the house has had") from None


def _write_new_key(path: Path) -> None:
    with TemporaryDirectory(prefix=".key-", dir=path.parent) as folder, suppress(FileExistsError):
        new = Path(folder, path.name)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(new, path)


def dump_checkpoint(checkpoint: Checkpoint) -> bytes:
    """The checkpoint as it is given away: one line of JSON."""
    return canonical(checkpoint) + b"\n"


def load_checkpoint(text: bytes) -> Checkpoint:
    """Read a checkpoint from its JSON; the signature is not checked here."""
    return msgspec.json.decode(text, type=Checkpoint)
