"""A child process for the crash tests on PostgreSQL: commits bets and acknowledges each on its output.

Other than the child over a file it is not killed itself: its database is, and it goes on. `--early` is the twin that
must fail: it acknowledges a group before it is on the disk. `--leased` writes by a lease, `--unfenced` by one that
nobody checks. `--race` bets, `--unlocked` without a lock of the purse.
"""

import argparse
import itertools
import sys

from casinowar.engine import events as e
from casinowar.store import Overdrawn, Proposal, StoreError, StoreFailed
from casinowar.store.postgres.leases import Leases
from casinowar.store.postgres.store import PostgresStore
from tests.crash.store_writer import events_of, proposal

SIZE, EVENTS = 3, len(events_of(1))


def write_groups(store: PostgresStore, first: int, *, is_early: bool) -> None:
    """Commit groups of bets for ever. After a failure the store is gone, and what had no answer is never told."""
    store.stopped("t1")
    print("ready", flush=True)
    for start in itertools.count(first, SIZE):
        numbers = range(start, start + SIZE)
        version = store.version("t1")
        store.begin_together()
        for place, number in enumerate(numbers):
            store.commit(proposal(number, version + place * EVENTS))
        if is_early:
            print(*numbers, sep="\n", flush=True)
        store.finish_together()
        if not is_early:
            print(*numbers, sep="\n", flush=True)


def write_leased(store: PostgresStore, first: int) -> None:
    """Write one bet for each line of the input, and say whether it was written."""
    store.take_lease("t1")
    print("ready", flush=True)
    for number, _ in zip(itertools.count(first), sys.stdin):
        try:
            store.commit(proposal(number, store.version("t1")))
            print(number, flush=True)
        except StoreError as error:
            print(f"- {type(error).__name__}", flush=True)


def race(store: PostgresStore, name: str, bets: int) -> None:
    """For each purse that the input names: bet all of it at a table of one's own, again and again; say how many bets
    were accepted."""
    print("ready", flush=True)
    for line in sys.stdin:
        purse, accepted = line.strip(), 0
        stream = f"race-{purse}-{name}"
        for number in range(bets):
            events = (e.BoughtIn(purse, 1000), e.WagerPlaced(purse, 1, "initial", 1000))
            one = Proposal(
                stream=stream, expected=store.version(stream), actor=f"player:{name}", command=f"{purse}-{number}",
                body=b"", answer="", events=events,
            )  # fmt: skip
            try:
                store.commit(one)
                accepted += 1
            except Overdrawn:
                continue
        print(accepted, flush=True)


def unfence() -> None:
    """The twin: a store that trusts that it still has its lease."""
    Leases._check_lease = lambda self, stream, fence, owner: None  # type: ignore[method-assign]


def unlock() -> None:
    """The twin: a store that looks at purses without keeping others away."""
    PostgresStore._purses = lambda self, proposal: []  # type: ignore[method-assign]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("first", type=int)
    parser.add_argument("--early", action="store_true")
    parser.add_argument("--leased", action="store_true")
    parser.add_argument("--unfenced", action="store_true")
    parser.add_argument("--unlocked", action="store_true")
    parser.add_argument("--race", metavar="NAME")
    parser.add_argument("--bets", type=int, default=100)
    options = parser.parse_args()
    store = PostgresStore(options.url)
    if options.unfenced:
        unfence()
    if options.unlocked:
        unlock()
    try:
        if options.race:
            race(store, options.race, options.bets)
        elif options.leased:
            store.lease_ms = 300
            write_leased(store, options.first)
        else:
            write_groups(store, options.first, is_early=options.early)
    except StoreFailed as error:
        print(f"failed: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
