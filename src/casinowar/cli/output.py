"""Where a command's words go: data to standard output, talk to standard error, neither troubled by a closed pipe."""

import os
import sys
from typing import TextIO


def put(text: str) -> None:
    """Data. A reader that has had enough, such as `head`, does not change how the command ends."""
    _write(sys.stdout, text)


def say(text: str) -> None:
    """Talk: progress, notes and errors."""
    _write(sys.stderr, text)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    line = (text + "\n").encode(encoding, "backslashreplace").decode(encoding)
    try:
        stream.write(line)
        stream.flush()
    except BrokenPipeError:
        _silence(stream)


def _silence(stream: TextIO) -> None:
    """Let the interpreter's last flush, and all that follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
