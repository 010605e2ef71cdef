"""A child process for the disk tests: it commits until the medium fails, and then sees whether anything is still taken.

Each acknowledged number is a line of its output; then comes the error, and what each further attempt meets. `--pages`
makes it copy its log early. `--swallow` is the twin that must fail: it takes an error of the disk for a success.
"""

import argparse
from contextlib import suppress
from pathlib import Path

import apsw

from casinowar.store import SqliteStore, StoreError, StoreFailed
from tests.crash.store_writer import proposal

LIMIT = 5_000
"""So many commands at the most, if nothing fails."""


class Swallowing(SqliteStore):
    """A store that goes on as if nothing had happened."""

    def _seal(self) -> None:
        with suppress(apsw.Error):
            super()._seal()


def write(store: SqliteStore) -> int:
    """The number of the command that failed."""
    for number in range(1, LIMIT):
        try:
            store.commit(proposal(number, 5 * (number - 1)))
        except (StoreError, StoreFailed) as error:
            print(type(error).__name__, flush=True)
            return number
        print(number, flush=True)
    return LIMIT


def insist(store: SqliteStore, number: int) -> None:
    """The command once more, and others behind it, as a client would send them that knows no better."""
    for again in (number, number, number + 1):
        try:
            store.commit(proposal(again, 5 * (again - 1)))
            print(again, flush=True)
        except (StoreError, StoreFailed) as error:
            print(type(error).__name__, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--swallow", action="store_true")
    options = parser.parse_args()
    try:
        store = (Swallowing if options.swallow else SqliteStore)(options.file)
    except StoreFailed as error:
        print(type(error).__name__, flush=True)
        return
    store._log_pages = options.pages
    insist(store, write(store))
    try:
        store.close()
    except StoreFailed as error:
        print(type(error).__name__, flush=True)


if __name__ == "__main__":
    main()
