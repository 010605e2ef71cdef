"""A child process for the crash tests: commits commands one after the other and acknowledges each on its output.

It plays: it funds a purse, buys chips, bets, settles. `--early` is the twin that must fail: it acknowledges before the
commit, and does not wait for the disk. `--together N` commits N commands together and then acknowledges them; its twins
`--hasty`, which acknowledges each member at once, and `--parting`, which commits each by itself, must fail.
"""

import argparse
from contextlib import suppress
from pathlib import Path

import msgspec

from casinowar.engine import events as e
from casinowar.store import Proposal, PurseFunded, Recorded, SqliteStore, VersionConflict
from casinowar.store.sqlite.connection import execute

OWN = 1_000
"""What each command moves out of issuance: so many commands, so many times this."""


def events_of(number: int) -> tuple[Recorded, ...]:
    """A bet that is lost and one that is won in turn; each command brings its own chips."""
    won = number % 2
    settled = e.WagerSettled("ana", 1, "initial", OWN, "win" if won else "lose", None, OWN * won, OWN * won)
    return (
        PurseFunded("ana", OWN, "operator:o1", "guest purse"),
        e.BoughtIn("ana", OWN),
        e.WagerPlaced("ana", 1, "initial", OWN),
        settled,
        e.RoundEnded(number, ()),
    )


def proposal(number: int, version: int) -> Proposal:
    return Proposal(
        stream="t1",
        expected=version,
        actor="player:ana",
        command=f"bet-{number}",
        body=b"bet %d" % number,
        answer=f"answer {number}",
        events=events_of(number),
    )


class Parting(SqliteStore):
    """A store that commits each member of a group by itself."""

    def begin_together(self) -> None:
        pass

    def finish_together(self) -> None:
        pass


def send_group(store: SqliteStore, numbers: range, *, hasty: bool = False) -> None:
    """Commit commands together. Between them one is refused, and must harm none of them."""
    store.begin_together()
    for number in numbers:
        store.commit(proposal(number, store.version("t1")))
        if hasty:
            print(number, flush=True)
        with suppress(VersionConflict):
            store.commit(refused(number))
    store.finish_together()


def refused(number: int) -> Proposal:
    """A command that comes too late."""
    return msgspec.structs.replace(proposal(number, 0), command=f"late-{number}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("--early", action="store_true")
    parser.add_argument("--together", type=int, default=0)
    parser.add_argument("--hasty", action="store_true")
    parser.add_argument("--parting", action="store_true")
    options = parser.parse_args()
    store = (Parting if options.parting else SqliteStore)(options.file)
    if options.early:
        execute(store._db, "PRAGMA synchronous = off")
    store.stopped("t1")  # Reads the stream, so that the kill comes upon commits and not upon reading.
    print("ready", flush=True)
    if options.together:
        for first in range(options.first, options.first + 1_000_000, options.together):
            numbers = range(first, first + options.together)
            send_group(store, numbers, hasty=options.hasty)
            if not options.hasty:
                print(*numbers, sep="\n", flush=True)
    for number in range(options.first, options.first + 1_000_000):
        if options.early:
            print(number, flush=True)
        store.commit(proposal(number, store.version("t1")))
        if not options.early:
            print(number, flush=True)


if __name__ == "__main__":
    main()
