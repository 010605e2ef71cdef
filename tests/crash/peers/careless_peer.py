"""A server that takes a command of the race for done where another was first: the twin that the race must find."""

from collections.abc import Iterable

from casinowar.cli import main
from casinowar.house.journal import STREAM, Journal
from casinowar.protocol import Done, Refused
from casinowar.store import Recorded, VersionConflict

commit = Journal.commit


def commit_or_not(
    journal: Journal, actor: str, id: str, body: object, events: Iterable[Recorded], table: str = STREAM
) -> Done | Refused:
    try:
        return commit(journal, actor, id, body, events, table)
    except VersionConflict:
        if not id.startswith("race-"):
            raise
        return Done(id, table, journal.version + 1)


if __name__ == "__main__":
    Journal.commit = commit_or_not  # type: ignore[method-assign,assignment]
    main()
