"""Checkpoints that an auditor kept elsewhere, and the public key that signs them."""

import click
import msgspec

from casinowar.cli.terminal.user_files import read_file
from casinowar.store import Checkpoint, public_key

# isort: split
# The store says which extra is missing.
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

DIGITS = frozenset("0123456789abcdef")


def read_checkpoints(name: str) -> list[Checkpoint]:
    """The checkpoints in a file: one to a line, as they are given away, or a list."""
    try:
        content = read_file(name, "a file of checkpoints").strip()
        if content.startswith(b"["):
            found = msgspec.json.decode(content, type=list[Checkpoint])
        else:
            found = msgspec.json.Decoder(Checkpoint).decode_lines(content)
    except OSError as error:
        raise click.ClickException(f"{name}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{name}: no checkpoint: {error}") from None
    if not found:
        raise click.ClickException(f"{name}: there is no checkpoint in it")
    return found


def public_keys(key: str) -> tuple[str, str]:
    """The public keys that 64 digits, typed or in a file, can mean: a public key, or that of the house's own key.

    The two look alike; a checkpoint tells which is meant.
    """
    text = key.lower()
    if not _is_key(text):
        text = _key_in(key)
    return text, public_key(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text)))


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
