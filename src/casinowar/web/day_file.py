"""A log file that begins anew each day, by UTC; what is older than so many days is deleted."""

import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

OWNER_ONLY = 0o600
TELL_EVERY_S = 60.0


class DayFile(logging.Handler):
    """The handler of one file. `server.log` is of today; that of an earlier day is called `server.2026-05-01.log`.

    A disk that takes no line stops no table: the line is lost, and standard error is told of it once a minute.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.path = path
        self._now = now
        self._file: int | None = None
        self._day = date.min
        self._is_torn = False
        self._lost, self._told_at = 0, -TELL_EVERY_S
        self._turn()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
        except Exception:
            self.handleError(record)
            return
        try:
            self._write(line)
        except OSError as error:
            self._lost += 1
            self._tell(error)

    def _write(self, line: bytes) -> None:
        if self._file is None or self._today() != self._day:
            self._turn()
        assert self._file is not None
        whole = b"\n" + line if self._is_torn else line
        self._is_torn = True
        self._is_torn = os.write(self._file, whole) != len(whole)

    def _tell(self, error: OSError) -> None:
        now = time.monotonic()
        if now - self._told_at >= TELL_EVERY_S:
            print(f"{self.path}: {error.strerror}: {self._lost} lines are lost so far", file=sys.stderr)
            self._told_at = now

    def _today(self) -> date:
        return datetime.fromtimestamp(self._now(), UTC).date()

    def _turn(self) -> None:
        """Put the file of an earlier day aside, and open that of today."""
        self._let_go()
        today = self._today()
        if self.path.exists():
            changed = datetime.fromtimestamp(self.path.stat().st_mtime, UTC).date()
            written = changed if self._day == date.min else self._day
            if written < today:
                self.path.rename(self._free_name(written))
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, OWNER_ONLY)
        self._day = today

    def _free_name(self, day: date) -> Path:
        """The name of an earlier day; with a number where the day has one already."""
        for number in count(1):
            more = "" if number == 1 else f".{number}"
            name = self.path.with_name(f"{self.path.stem}.{day}{more}{self.path.suffix}")
            if not name.exists():
                return name
        raise AssertionError("numbers do not end")

    def reopen(self) -> None:
        """Open the file again with the next line: another program may have moved it."""
        with self._alone():
            self._let_go()

    def sweep(self, days: int) -> list[Path]:
        """Delete the files of days that are longer than so many days past, and give their names."""
        with self._alone():
            if self._today() != self._day:
                self._turn()
            oldest = self._today() - timedelta(days=days)
            pattern = re.compile(
                re.escape(self.path.stem) + r"\.(\d{4}-\d\d-\d\d)(\.\d+)?" + re.escape(self.path.suffix)
            )
            there = [(file, pattern.fullmatch(file.name)) for file in self.path.parent.iterdir() if file.is_file()]
            old = [file for file, named in there if named and (_day(named[1]) or oldest) < oldest]
            for file in old:
                file.unlink(missing_ok=True)
            return old

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """The lock that the handler holds while it writes a line."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def close(self) -> None:
        self._let_go()
        super().close()


def _day(text: str) -> date | None:
    """The day that a name has; none where it only looks like one, and the file is not ours to delete."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
