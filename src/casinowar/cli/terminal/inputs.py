"""Input that a user names: a file, a pipe or a device, read up to a limit."""

from pathlib import Path
from typing import BinaryIO

from casinowar.rulebooks.toml_files import read_regular

MOST_MIB = 64
MOST = MOST_MIB * 2**20


def read_file(path: str, what: str) -> bytes:
    """The whole of a file. `what` it should be is for the error where it is too large for that."""
    if Path(path).is_file():
        return _checked(read_regular(Path(path), MOST), what)
    with open(path, "rb") as stream:
        return read_stream(stream, what)


def read_stream(stream: BinaryIO, what: str) -> bytes:
    return _checked(stream.read(MOST + 1), what)


def _checked(content: bytes, what: str) -> bytes:
    if len(content) > MOST:
        raise ValueError(f"larger than {what} can be ({MOST_MIB} MiB)")
    return content
