"""The server's own log: each line an event with its fields, as text or as JSON, on standard error or in a file of days.

What is logged is a standard record with constant words, and its fields in `extra`; structlog makes the line. So the
layers below need no structlog, and uvicorn's lines come out in the same form.
"""

import json
import logging
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import structlog

from casinowar.web.day_file import DayFile

Form = Literal["text", "json"]
FORMS: tuple[Form, ...] = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")
OURS, ACCESS = "casinowar", "casinowar.access"
SECRETS = frozenset(
    ("password", "token", "ticket", "cookie", "authorization", "secret", "seed", "salt", "entropy", "key", "card")
)
"""A field whose name has one of these words in it is not written, whoever logs it."""

LEFT_OUT = "(left out)"
UNWANTED = ("is_count", "color_message", "websocket", "_record", "_from_structlog")
HEAD = ("at", "level", "logger", "event")
Fields = MutableMapping[str, Any]


def open_log(form: Form, level: str, file: Path | None, *, requests: bool = False) -> None:
    """Let the process log in this form from this level on; libraries log warnings and worse.

    Raises OSError where the file cannot be written.
    """
    handler: logging.Handler = logging.StreamHandler(sys.stderr) if file is None else DayFile(file)
    handler.setFormatter(line_maker(form))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level.upper())
    logging.getLogger(ACCESS).setLevel(logging.INFO if requests else logging.WARNING)


def day_files() -> list[DayFile]:
    """The files that the process logs to."""
    return [one for one in logging.getLogger().handlers if isinstance(one, DayFile)]


def line_maker(form: Form) -> logging.Formatter:
    """The formatter that makes one line of a record, with a traceback inside it or indented below."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            _stamp,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
        ],
        processors=[structlog.processors.format_exc_info, _clean, _as_json if form == "json" else _as_text],
    )


def _stamp(logger: object, method: str, fields: Fields) -> Fields:
    """Note when the record was made, and not when it is written."""
    made = datetime.fromtimestamp(fields["_record"].created, UTC)
    fields["at"] = made.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return fields


def _clean(logger: object, method: str, fields: Fields) -> Fields:
    """Put the fields in order; leave out what may be secret, and write no object that might have more in it."""
    rest = {key: value for key, value in fields.items() if key not in HEAD and key not in UNWANTED}
    plain = {key: LEFT_OUT if is_secret(key) else _plain(value) for key, value in rest.items()}
    return {**{key: str(fields.get(key, "")) for key in HEAD}, **plain}


def is_secret(name: str) -> bool:
    """Whether a field's name has a word for something that nobody may read in a log, in the singular or plural."""
    return any(word.removesuffix("s") in SECRETS for word in name.lower().split("_"))


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | None) else type(value).__name__


def _as_json(logger: object, method: str, fields: Fields) -> str:
    return json.dumps(fields)


def _as_text(logger: object, method: str, fields: Fields) -> str:
    """`2026-05-01 20:00:00.000Z ERROR casinowar.web.app: the clock stumbled table=nz`, and the traceback below."""
    trace = str(fields.pop("exception", ""))
    at, level, logger_name, event = (fields.pop(key) for key in HEAD)
    words = [_one_line(event), *(f"{key}={_quoted(value)}" for key, value in fields.items())]
    head = f"{at.replace('T', ' ')} {level.upper()} {logger_name}: {' '.join(words)}"
    return "\n".join([head, *(f"  {_one_line(line)}" for line in trace.splitlines())])


def _quoted(value: object) -> str:
    text = str(value)
    is_bare = text.isascii() and text.isprintable() and not set(text) & set(" \"'=\\") and text != ""
    return text if is_bare else json.dumps(text, ensure_ascii=False) if text.isprintable() else json.dumps(text)


def _one_line(text: str) -> str:
    """The text without anything that could look like another line."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
