"""TOML that anybody may have written: read with limits, and every mistake told in one line that names the file."""

import re
import tomllib
from pathlib import Path
from typing import Any

from casinowar.errors import CasinoWarError

LARGEST = 1 << 20
"""Bytes of a rulebook file."""

MOST_DOTS = 32
_PART = r"""(?:(?<![\w-])[\w-]++|(?<!\\)"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?:{_PART}[ \t]*+\.[ \t]*+){{{MOST_DOTS + 1}}}", re.ASCII)
"""A key with more dots than any file needs. Each is a level that the parser walks down again for every key below it."""


class RulebookError(CasinoWarError, ValueError):
    """A rulebook, or an option set on it, says something that cannot be played.

    >>> import casinowar
    >>> try:
    ...     rules = casinowar.load_rulebook("nz", {"shoe.decks": 99})
    ... except casinowar.RulebookError as error:
    ...     print(error)
    nz does not allow shoe.decks = 99 (NZ-3.4a): allowed 4, 5, 6, 7, 8
    """


def parse_toml(text: str) -> dict[str, Any]:
    """The data of a TOML text that anybody may have written; a ValueError where it is broken."""
    if LONG_KEY.search(text):
        raise ValueError(f"a key has more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # What Python says of it is for programmers.
        raise ValueError("a number in it has too many digits") from None


def read_regular(path: Path, most: int) -> bytes:
    """A file as long as it says it is, and at most one byte over `most`. A pipe or a device may never come to an end,
    and a file of the kernel's, which says that it is empty, may not either."""
    size = path.stat().st_size
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError("not a regular file")
    with path.open("rb") as stream:
        return stream.read(min(size, most + 1))


def read_toml_file(path: Path) -> dict[str, Any]:
    try:
        read = read_regular(path, LARGEST)
        if len(read) > LARGEST:
            raise RulebookError(f"{path}: larger than a rulebook can be")
        data = parse_toml(read.decode("utf-8-sig"))
    except OSError as error:
        raise RulebookError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise RulebookError(f"{path}: not UTF-8 at byte {error.start}") from None
    except RulebookError:
        raise
    except (ValueError, RecursionError) as error:
        raise RulebookError(f"{path}: broken TOML: {error}") from None
    if not data:
        raise RulebookError(f"{path}: the file is empty")
    return data
