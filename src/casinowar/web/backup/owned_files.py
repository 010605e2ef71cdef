"""Files of a copy: readable by their owner alone, and on the disk before anybody is told of them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PIECE = 1 << 20
OWNER_ONLY, OWNER_FOLDER = 0o600, 0o700


@contextmanager
def owned(path: Path) -> Iterator[IO[bytes]]:
    """A new file that its owner alone can read, on the disk when it is closed."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_owned(source: IO[bytes], target: Path) -> None:
    with owned(target) as out:
        shutil.copyfileobj(source, out, PIECE)


def sync_file(file: Path) -> None:
    """Have what was written to a file on the disk, whoever has written it."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can do that."""
    if os.name != "nt":
        sync_file(folder)


def clear(path: Path) -> None:
    """Remove what was begun and not ended, a file or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
