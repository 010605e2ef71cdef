"""Reading what a user names: a file, a pipe or a device, none of them without end."""

from typing import BinaryIO

MOST_MIB = 64


def read_file(path: str, what: str) -> bytes:
    """The whole of a file. `what` it should be is for the error where it is too large for that."""
    with open(path, "rb") as stream:
        return read_stream(stream, what)


def read_stream(stream: BinaryIO, what: str) -> bytes:
    content = stream.read(MOST_MIB * 2**20 + 1)
    if len(content) > MOST_MIB * 2**20:
        raise ValueError(f"larger than {what} can be ({MOST_MIB} MiB)")
    return content
