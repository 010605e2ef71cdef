"""A child process for the crash tests: commits commands one after the other and acknowledges each on its output.

It plays: it funds a purse, buys chips, bets, settles. `--early` is the twin that must fail: it acknowledges before the
commit, and does not wait for the disk.
"""

import sys
from pathlib import Path

from casinowar.engine import events as e
from casinowar.store import Proposal, PurseFunded, Recorded, SqliteStore
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


def main(path: Path, first: int, early: bool) -> None:
    store = SqliteStore(path)
    if early:
        execute(store._db, "PRAGMA synchronous = off")
    store.stopped("t1")  # Reads the stream, so that the kill comes upon commits and not upon reading.
    print("ready", flush=True)
    for number in range(first, first + 1_000_000):
        if early:
            print(number, flush=True)
        store.commit(proposal(number, store.version("t1")))
        if not early:
            print(number, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), "--early" in sys.argv)
