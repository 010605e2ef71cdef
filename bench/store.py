"""Commits a second of the SQLite store, every one on the disk before it is answered, with rounds as they are played.

Three players play whole rounds of a book; each command is one commit, with its events, postings, answer and the table
that the accounts must match. The rounds are played beforehand, so that what is timed is the store alone. It is done
with few accounts in the store and with many: a commit must cost the same. With `--together N` N commands are committed
together and each is answered once all of them are on the disk.

The same pages written and synced by hand, in the same folder, say what the disk itself allows.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time

import apsw

from casinowar.dealers import Session
from casinowar.engine import Event, Refusal
from casinowar.engine import commands as c
from casinowar.fairness import practice_shuffles
from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.store import Proposal, PurseFunded, Recorded, SqliteStore, resolved

PLAYERS = ("ana", "ben", "cat")
CHIPS = 10**9
ACCOUNTS = (0, 1_000, 10_000, 100_000)
GROWTH = 1.5
"""With the most accounts a commit may take so many times as long as with the fewest."""


class Night:
    """A table at which rounds are played; `proposals` are what it writes, one for each command."""

    def __init__(self, book: str) -> None:
        rules = load_rulebook(book)
        self.session = Session(rules, practice_shuffles("bench"))
        self.version = self.number = 0
        purses = [PurseFunded(player, CHIPS, "operator:o1", "bench") for player in PLAYERS]
        bought = [event for player in PLAYERS for event in taken(self.session.buy_in(player, CHIPS))]
        self.opening = self.proposal([resolved(rules), *self.session.opening, *purses, *bought])

    def proposal(self, events: list[Recorded]) -> Proposal:
        self.number += 1
        self.version += len(events)
        return Proposal(
            stream="t1", expected=self.version - len(events), actor="table", command=str(self.number),
            body=b'{"command":%d}' % self.number, answer='{"ok":true}', events=tuple(events), table=self.session.table,
        )  # fmt: skip

    def proposals(self) -> Iterator[Proposal]:
        while True:
            for box, player in enumerate(PLAYERS, 1):
                wager = c.PlaceWager(player=player, box=box, wager="initial", amount=1000)
                yield self.proposal([*taken(self.session.do(wager))])
            while not self.session.table.round.is_over:
                yield self.proposal([*self.go_on()])

    def go_on(self) -> list[Event]:
        table = self.session.table
        if table.phase == "deciding":
            box, player = table.round.asked[0]
            return taken(self.session.do(c.GoToWar(player=player, box=box)))
        if self.session.is_cut_due and self.session.is_deal_unfinished:
            return self.session.cut_in_the_middle()
        return taken(self.session.deal())


def taken(done: list[Event] | Refusal) -> list[Event]:
    if isinstance(done, Refusal):
        raise RuntimeError(f"refused: {done.reason}")
    return done


def fill(store: SqliteStore, accounts: int) -> None:
    """So many purses of people who are not here tonight."""
    for first in range(0, accounts, 1_000):
        names = [f"p{number}" for number in range(first, min(first + 1_000, accounts))]
        store.commit(
            Proposal(
                stream="house",
                expected=first,
                actor="operator:o1",
                command=f"fill-{first}",
                body=b"",
                answer="",
                events=tuple(PurseFunded(name, 1_000, "operator:o1", "bench") for name in names),
            )
        )


def measure(folder: Path, book: str, accounts: int, commits: int, together: int) -> dict[str, object]:
    night = Night(book)
    following = night.proposals()
    played = [next(following) for _ in range(commits)]
    with closing(SqliteStore(folder / f"war-{accounts}.db")) as store:
        fill(store, accounts)
        store.commit(night.opening)
        times = []
        worked = process_time()
        for first in range(0, commits, together):
            begin = perf_counter()
            group = played[first : first + together]
            if together > 1:
                store.begin_together()
            for proposal in group:
                store.commit(proposal)
            if together > 1:
                store.finish_together()
            times += [1000 * (perf_counter() - begin) / len(group)] * len(group)
        worked = process_time() - worked
        held = len(store.balances())
    return {
        "accounts": held,
        "commits": commits,
        "events": sum(len(proposal.events) for proposal in played),
        "per_second": round(1000 * commits / sum(times)),
        "median_ms": round(median(times), 3),
        "p99_ms": round(quantiles(times, n=100)[98], 3),
        "cpu_us": round(1e6 * worked / commits),
    }


def syncs(folder: Path, times: int = 200) -> float:
    """How often a second eight pages can be appended to a file and synced here, with nothing else around it."""
    with (folder / "pages").open("wb", buffering=0) as file:
        begin = perf_counter()
        for _ in range(times):
            file.write(bytes(8 * 4096))
            os.fdatasync(file.fileno())
        return times / (perf_counter() - begin)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the commits of the SQLite store.")
    parser.add_argument("--rulebook", choices=BOOKS, default="nz")
    parser.add_argument(
        "--accounts", type=int, nargs="+", default=ACCOUNTS, metavar="N", help="accounts beside the few"
    )
    parser.add_argument("--commits", type=int, default=2_000, metavar="K")
    parser.add_argument("--together", type=int, default=1, metavar="N", help="commands committed together")
    parser.add_argument("--folder", type=Path, help="where to write: the disk makes the difference")
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        disk = round(syncs(Path(folder)))
        rows = [
            measure(Path(folder), options.rulebook, accounts, options.commits, options.together)
            for accounts in options.accounts
        ]
    versions = f"Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}"
    if options.json:
        print(json.dumps({"versions": versions, "syncs_per_second": disk, "rows": rows}))
    else:
        print(f"{versions}, synchronous=FULL, one core; the disk alone: {disk:,} syncs of eight pages a second")
        print("accounts  commits  events  commits/s  median ms  p99 ms  cpu us")
        for row in rows:
            counts = f"{row['accounts']:8,}  {row['commits']:7,}  {row['events']:6,}  {row['per_second']:9,}"
            print(f"{counts}  {row['median_ms']:9.3f}  {row['p99_ms']:6.3f}  {row['cpu_us']:6}")
    least, most = float(str(rows[0]["median_ms"])), float(str(rows[-1]["median_ms"]))
    if most > GROWTH * least:
        sys.exit(f"a commit takes {most / least:.1f} times as long with the most accounts as with the fewest")


if __name__ == "__main__":
    main()
