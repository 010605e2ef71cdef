"""Checkpoints that an auditor kept elsewhere, and the public key that signs them."""

import re
from pathlib import Path

import click
import msgspec

from casinowar.cli.terminal.user_files import read_file
from casinowar.store import Checkpoint, public_key

# isort: split
# The store says which extra is missing.
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

DIGITS = frozenset("0123456789abcdef")
KEY_FILE = "checkpoints.key"
"""The file in which the server keeps the private key; no other file is ever read as one."""

VERDICT = "casinowar-verdict/1"
PLACE = re.compile(r"`\$\[(\d+)\]")
"""The place of a checkpoint in its file, as msgspec tells it, counted from nought."""

WANTED = "a checkpoint is what GET /api/checkpoints/latest gives, or what verify URL --json prints"


class _Told(msgspec.Struct):
    """A document that may say what it is."""

    format: str = ""


class _Verdict(msgspec.Struct):
    """What `verify URL --json` prints: the last checkpoint of the house beside the shoes of a table."""

    checkpoint: Checkpoint | None = None


def read_checkpoints(name: str) -> list[Checkpoint]:
    """The checkpoints in a file: one to a line, as they are given away, a list, or the one beside a verdict."""
    try:
        content = read_file(name, "a file of checkpoints").strip()
        if _is_key(content.decode("ascii", "replace").lower()):
            raise click.ClickException(f"{name}: this is a key, for --key; {WANTED}")
        found = _parse(content)
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        told = PLACE.sub(lambda found: f"`checkpoint {int(found[1]) + 1}", str(error))
        raise click.ClickException(f"{name}: no checkpoint: {told}; {WANTED}") from None
    if not found:
        raise click.ClickException(f"{name}: there is no checkpoint in it; {WANTED}")
    return found


def _parse(content: bytes) -> list[Checkpoint]:
    if content.startswith(b"["):
        return msgspec.json.decode(content, type=list[Checkpoint])
    if _format_of(content) == VERDICT:
        kept = msgspec.json.decode(content, type=_Verdict).checkpoint
        return [] if kept is None else [kept]
    return msgspec.json.Decoder(Checkpoint).decode_lines(content)


def _format_of(content: bytes) -> str:
    """What one document says that it is; nothing where there are several lines."""
    try:
        return msgspec.json.decode(content, type=_Told).format
    except msgspec.DecodeError:
        return ""


def signing_key(key: str) -> str:
    """The public key that was typed or is in a file; for the server's own key file, the one that belongs to it.

    A private key looks like a public one. So only the name of the file tells which it is: whoever took a public key for
    a private one would believe everybody who signs with what everybody knows.
    """
    if _is_key(key.lower()):
        return key.lower()
    digits = _key_in(key)
    if Path(key).name != KEY_FILE:
        return digits
    return public_key(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(digits)))


def _key_in(name: str) -> str:
    try:
        text = read_file(name, "a key").decode("ascii").strip().lower()
    except OSError as error:
        said = f"neither 64 hexadecimal digits nor a file: {error.strerror or error}"
        raise click.ClickException(f"--key {name}: {said}") from None
    except ValueError:
        text = ""
    if not _is_key(text):
        raise click.ClickException(f"--key {name}: a key is 64 hexadecimal digits")
    return text


def _is_key(text: str) -> bool:
    return len(text) == 64 and set(text) <= DIGITS
