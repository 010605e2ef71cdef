"""The audit of the money after every command: nobody owed, nothing came from nowhere, no account is missing."""

from collections.abc import Iterator

import msgspec

from casinowar.audit.findings import Finding, Findings
from casinowar.store import Store
from casinowar.store.contract import CommandRecord
from casinowar.store.ledger import BOUND, may_overdraw


def find_money_faults(store: Store) -> Findings:
    """An account has a row from the first command on that left it with more or less than before."""
    held: dict[str, int] = {}
    for number, last, moved in _moves(store):
        where = f"command {number}, event {last}"
        if sum(moved.values()):
            yield Finding(where, f"its postings sum to {sum(moved.values())}, not to zero")
        for account, amount in moved.items():
            held[account] = held.get(account, 0) + amount
            if held[account] < 0 and not may_overdraw(account):
                yield Finding(where, f"{account} owes {-held[account]}")
            if abs(held[account]) >= BOUND:
                yield Finding(where, f"{account} holds more than can be counted safely")
    kept = store.balances()
    for account in sorted(held.keys() - kept.keys()):
        yield Finding(account, f"has no balance, and its postings sum to {held[account]}")
    for account in sorted(kept.keys() - held.keys()):
        yield Finding(account, "has a balance, and no command ever moved anything to it")


def _moves(store: Store) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Every command with what it moved in all, accounts that it left as they were excluded."""
    postings = store.posting_rows()
    coming = next(postings, None)
    for row in store.command_rows():
        record = msgspec.json.decode(row.entry, type=CommandRecord)
        moved: dict[str, int] = {}
        while coming is not None and coming[0] <= record.last:
            moved[coming[2]] = moved.get(coming[2], 0) + coming[3]
            coming = next(postings, None)
        yield record.number, record.last, {account: amount for account, amount in moved.items() if amount}
