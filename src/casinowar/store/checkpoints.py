"""Signed checkpoints of where the chains of a store stood, and the key that signs them."""

import os
import re
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from casinowar.store.envelope import canonical

CHECKPOINT = b"casinowar/store/checkpoint/v1\0"
SIGNATURE = re.compile("[0-9a-f]{128}")


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signed note of where both chains of a store stood.

    Whoever keeps it can detect a later change to what was before it.
    """

    identity: str
    number: int
    events: int
    events_head: str
    commands: int
    commands_head: str
    at: int
    key: str
    signature: str = ""


def _signed_bytes(checkpoint: Checkpoint) -> bytes:
    return CHECKPOINT + canonical(msgspec.structs.replace(checkpoint, signature=""))


def public_key(key: Ed25519PrivateKey) -> str:
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
    """The signing key in the file; a new one, readable by its owner alone, where there is none."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    key = Ed25519PrivateKey.generate()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key.private_bytes_raw().hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def dump_checkpoint(checkpoint: Checkpoint) -> bytes:
    """The checkpoint as it is given away: one line of JSON."""
    return canonical(checkpoint) + b"\n"


def load_checkpoint(text: bytes) -> Checkpoint:
    return msgspec.json.decode(text, type=Checkpoint)
