"""The output of a command: data to standard output, talk to standard error. A closed pipe is no error."""

import io
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO, cast


def put(text: str) -> None:
    """Write data. A reader that has had enough, such as `head`, does not change how the command ends."""
    _write(sys.stdout, text)


def json_text(format: str, data: Mapping[str, Any]) -> str:
    """The data as JSON; `format` comes first and says what it is."""
    import json  # Help starts without it.

    return json.dumps({"format": format, **data}, indent=1)


def say(text: str) -> None:
    """Write talk: progress, notes and errors."""
    _write(sys.stderr, text)


def complete_streams() -> None:
    """Replace a standard stream that was closed before the start: input at its end, output that goes nowhere.

    Input that is no text is shown with its bytes spelled out, and never stops a command.
    """
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")


def _nowhere(mode: str) -> TextIO:
    return cast(TextIO, open(os.devnull, mode, encoding="utf-8"))


def settle_streams() -> None:
    """Drop what could not be written, which has been told by now: the interpreter's last flush would tell it again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _silence(stream)


def _write(stream: TextIO, text: str) -> None:
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
