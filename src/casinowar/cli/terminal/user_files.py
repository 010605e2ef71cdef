"""Files that a user names: read up to a limit, and the record of a session, written anew and read back."""

import os
import sys
from itertools import count
from pathlib import Path
from typing import Any

import click

from casinowar.rulebooks.files import is_path
from casinowar.rulebooks.toml_files import read_regular

MOST_MIB = 64
MOST = MOST_MIB * 2**20


def read_file(path: str, what: str) -> bytes:
    """The whole content of a file, a pipe or a device. `what` it should be is for the error where it is too large."""
    if Path(path).is_file():
        return _check_size(read_regular(Path(path), MOST), what)
    with open(path, "rb") as stream:
        return _check_size(stream.read(MOST + 1), what)


def _check_size(content: bytes, what: str) -> bytes:
    if len(content) > MOST:
        raise ValueError(f"larger than {what} can be ({MOST_MIB} MiB)")
    return content


def read_text(path: str, what: str) -> str:
    """The text of a file, or of standard input for `-`. ValueError says in one line why there is none."""
    try:
        content = _check_size(sys.stdin.buffer.read(MOST + 1), what) if path == "-" else read_file(path, what)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None


def name_of(path: str) -> str:
    """The name of a file for people."""
    return "standard input" if path == "-" else path


def book_path_from(save: Path, book: str) -> str:
    """A house rulebook's path as the record will name it: from the record's own folder."""
    if not is_path(book):
        return book
    path = os.path.relpath(Path(book).resolve(), save.resolve().parent).replace(os.sep, "/")
    return path if is_path(path) else f"./{path}"


def check_target(save: Path) -> None:
    """Refuse a place where no record can go, before anything is played."""
    if save.suffix not in (".toml", ".json"):
        raise click.BadParameter("name a file that ends in .toml or .json", param_hint="--save")
    if not save.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {save.parent}", param_hint="--save")
    if os.path.lexists(save):
        raise click.BadParameter(f"{save} is there already: name a new file", param_hint="--save")


def reserve(save: Path) -> Path:
    """Reserve a new, empty file. One that somebody made in the meantime is left alone: the new one lies beside it."""
    for number in count(1):
        path = save if number == 1 else save.with_stem(f"{save.stem}-{number}")
        try:
            path.open("x").close()
            return path
        except FileExistsError:
            continue
    raise AssertionError("the numbers have no end")


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write a record over the one before, which stays whole until this one lies on the disk and reads the same."""
    from casinowar.records.write import is_record_in  # Commands that only read start without the engine.

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
    from casinowar.records.write import format_record

    try:
        return format_record(record, path.suffix).encode("utf-8")
    except ValueError as error:
        raise click.ClickException(f"{path}: {error}") from None


def write_new(path: Path, content: bytes) -> None:
    """Write a file that was not there; one that somebody made in the meantime is left alone."""
    place = reserve(path)
    with place.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
