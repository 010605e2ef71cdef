"""The log under noise: a message that strangers can cause again and again is written once a minute, with a count."""

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

MINUTE_S = 60.0
MOST_KINDS = 200
"""Beyond so many kinds of messages all others count as one, so that a flood of new ones costs no memory and no disk."""

ACCESS = "casinowar.access"
"""The log of every request, which the operator has switched on: it is not noise."""

PLAIN_LOG = "casinowar.store.postgres.medium"
"""What it tells no stranger can cause, and it is told when it happens: that the database went, or came back."""

WITH_FIELDS = ("casinowar.house.shared_tables", "casinowar.web.http.certificate")
"""Of these the fields count at every level: which table went over, or which file is wrong."""

CLIENTS_FAULTS = ("ASGI callable returned without completing handshake", "Invalid UTF-8 sequence received")
"""What uvicorn writes as an error, some with a traceback, though nothing is wrong with the server."""

PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}
"""What every record has; the rest are the fields of its event."""

log = logging.getLogger(__name__)
Kind = tuple[str, int, str]


class _Noise(msgspec.Struct):
    """When a kind was last written, its words and fields then, and how often it was left out since."""

    at: float
    words: str
    fields: dict[str, Any]
    left_out: int = 0


class NoiseFilter(logging.Filter):
    """Lets each kind of message through once a minute. A kind is a logger, a level and a message less its numbers."""

    def __init__(self, tick: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._tick = tick
        self._kinds: dict[Kind, _Noise] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name in (ACCESS, PLAIN_LOG) or getattr(record, "is_count", False):
            return True
        words = record.getMessage().partition("\n")[0]
        if words.startswith(CLIENTS_FAULTS):
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        now = self._tick()
        with self._lock:
            kind = self._kind(record, words)
            known = self._kinds.get(kind)
            if known is not None and now - known.at < MINUTE_S:
                known.left_out += 1
                return False
            if known is not None and known.left_out:
                record.msg, record.args = f"{record.getMessage()} ({_more(known.left_out)})", ()
                record.more = known.left_out
            self._kinds[kind] = _Noise(now, words, _fields_of(record))
        return True

    def _kind(self, record: logging.LogRecord, words: str) -> Kind:
        """The kind of a message. Of an error words and fields count: two that are worded alike may be two faults."""
        is_error = record.levelno >= logging.ERROR or not isinstance(record.msg, str)
        told = f"{words} {_fields_of(record)}" if is_error or record.name in WITH_FIELDS else record.msg
        template = told.partition("\n")[0]
        kind = (record.name, record.levelno, re.sub(r"0x[0-9a-f]+|\d+", "#", template)[:200])
        return kind if kind in self._kinds or len(self._kinds) < MOST_KINDS else ("", record.levelno, "")

    def tell_counts(self) -> None:
        """Write how often each kind was left out in a minute that is over; forget those that have been quiet."""
        now, due = self._tick(), []
        with self._lock:
            self._kinds = {
                kind: noise for kind, noise in self._kinds.items() if noise.left_out or now - noise.at < MINUTE_S
            }
            for (name, level, _), noise in self._kinds.items():
                if noise.left_out and now - noise.at >= MINUTE_S:
                    fields = {**noise.fields, "more": noise.left_out, "is_count": True}
                    due.append((name, level, f"{noise.words} ({_more(noise.left_out)})", fields))
                    noise.at, noise.left_out = now, 0
        for name, level, words, fields in due:
            logging.getLogger(name).log(level, "%s", words, extra=fields)


def _fields_of(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in record.__dict__.items() if key not in PLAIN and key != "more"}


def _more(count: int) -> str:
    return f"and {count:,} more like it within a minute"


def keep_log_quiet(loop: asyncio.AbstractEventLoop) -> None:
    """Put the filter before every handler of the process, and have the counts told as long as the loop runs."""
    noise = NoiseFilter()
    for handler in logging.getLogger().handlers:
        handler.addFilter(noise)

    def tell_counts() -> None:
        noise.tell_counts()
        loop.call_later(MINUTE_S / 10, tell_counts)

    def tell_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "accept" in str(context.get("message", "")):
            log.error("no connection can be taken", extra={"error": str(context.get("exception"))})
        else:
            loop.default_exception_handler(context)

    tell_counts()
    loop.set_exception_handler(tell_fault)
