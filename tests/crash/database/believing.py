"""A server that takes its last group for written when the database has gone away: the twin that must be found.

Its groups wait before they are written, so that there nearly always is one when the database is killed.
"""

import time

from casinowar.cli import main
from casinowar.store.postgres.group import Group

WAITS_S = 0.03
finish = Group._finish


def finish_late(group: Group) -> None:
    if group._members:
        time.sleep(WAITS_S)
    finish(group)


if __name__ == "__main__":
    Group._finish = finish_late  # type: ignore[assignment, method-assign]
    Group._is_written = lambda self: bool(self._members)  # type: ignore[method-assign]
    main()
