"""Compilation of the kernel: numba's, with a cache that also works where the home folder cannot be written.

Numba looks at one file to see whether what it has kept is still right, and the kernel has several. So the folder of the
cache bears a digest of all of them.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba

NUMBERS = ("outcome_cells", "parameters", "table_memory", "tallies")
"""Modules beside the kernel whose numbers are compiled into it."""

Function = TypeVar("Function", bound=Callable[..., Any])


def _choices() -> Iterator[Path]:
    """Where compiled functions may be kept: as told, in the user's cache, or in the system's temporary folder."""
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(told)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    yield Path(home) / "casinowar" / "numba"
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"casinowar-numba-{owner}"


def _is_own(folder: Path) -> bool:
    """Whether the folder is this user's, and nobody else can lay code there that we would run."""
    there = folder.stat()
    return not hasattr(os, "getuid") or (there.st_uid == os.getuid() and not there.st_mode & 0o022)


def cache_folder() -> Path | None:
    """The first folder for compiled functions that can be written; none where there is none."""
    kernel = Path(__file__).parent
    sources = [*sorted(kernel.glob("*.py")), *(kernel.parent / f"{name}.py" for name in NUMBERS)]
    digest = sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    for choice in _choices():
        folder = choice / digest
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                if _is_own(folder):
                    return folder
        except OSError:
            continue
    return None


_folder = cache_folder()
_numba: Any = numba
"""Its types differ from version to version."""

if _folder is not None:
    _numba.config.CACHE_DIR = str(_folder)


def compiled(function: Function) -> Function:
    """Compile a function for the kernel: it holds no interpreter lock, and is kept where a folder can be written.

    It may not make arrays: references to them would be counted at every call, which costs ten times the work itself.
    """
    made: Function = _numba.njit(cache=_folder is not None, nogil=True, error_model="numpy", _nrt=False)(function)
    return made


def inlined(function: Function) -> Function:
    """Compile a function that is written into each that calls it, so that loops over it can become lanes."""
    made: Function = _numba.njit(inline="always", nogil=True, error_model="numpy", _nrt=False)(function)
    return made
