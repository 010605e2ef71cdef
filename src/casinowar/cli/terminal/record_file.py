"""The file of a session's record: made once, and replaced only by a record that has been read back."""

import os
from itertools import count
from pathlib import Path
from typing import Any

import click

from casinowar.records.write import format_record, is_record_in


def reserve(save: Path) -> Path:
    """A new, empty file there. One that somebody made in the meantime is left alone: the new one lies beside it."""
    for number in count(1):
        path = save if number == 1 else save.with_stem(f"{save.stem}-{number}")
        try:
            path.open("x").close()
            return path
        except FileExistsError:
            continue
    raise AssertionError("the numbers have no end")


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Replace the record before, which stays whole until this one lies on the disk and reads the same."""
    fresh = path.with_name(f".casinowar-{os.getpid()}.new")
    try:
        with fresh.open("wb") as file:
            file.write(_bytes_of(path, record))
            file.flush()
            os.fsync(file.fileno())
        if not is_record_in(fresh.read_text(encoding="utf-8"), path.suffix, record):
            raise click.ClickException(f"{path}: the record does not read back as it was written; nothing was replaced")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _bytes_of(path: Path, record: dict[str, Any]) -> bytes:
    try:
        return format_record(record, path.suffix).encode("utf-8")
    except ValueError as error:
        raise click.ClickException(f"{path}: {error}") from None
