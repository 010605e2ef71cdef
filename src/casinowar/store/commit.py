"""The part of a commit that every store does alike, on no medium: a proposal becomes rows, chained in its stream."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

import msgspec

from casinowar.store import contract as k
from casinowar.store.chains import COMMAND, EVENT, StreamHead, chain_link
from casinowar.store.envelope import canonical, enclose, event_in, open_envelope, seal
from casinowar.store.events import Recorded, TableCleared, name_of
from casinowar.store.ledger import BOUND, Layout, Posting, accounts_of, chips, find_imbalance, may_overdraw, post

Clock = Callable[[], int]
Method = TypeVar("Method", bound=Callable[..., Any])
SYSTEM = "system"
"""Who acts where the store itself writes."""


def locked(method: Method) -> Method:
    """The method of a store, which holds the store's lock while it runs."""

    @wraps(method)
    def run(store: Any, *args: Any, **named: Any) -> Any:
        with store._lock:
            return method(store, *args, **named)

    return cast(Method, run)


def wall_clock() -> int:
    return time.time_ns() // 1_000_000


class Rows(msgspec.Struct, frozen=True):
    """The rows that one commit writes, and its events as they are read back."""

    events: tuple[k.EventRow, ...]
    recalled: tuple[k.Recalled, ...]
    postings: tuple[tuple[int, int, str, int], ...]
    deltas: dict[str, int]
    command: k.CommandRow
    record: k.CommandRecord
    head: StreamHead
    layout: Layout
    seeds: tuple[tuple[str, bytes], ...]


def find_answer(row: k.CommandRow | None, body: bytes) -> k.Answer | None:
    """Find the answer that this command already got. Its id must not have been used for another command."""
    if row is None:
        return None
    record = msgspec.json.decode(row.entry, type=k.CommandRecord)
    if record.fingerprint != k.fingerprint(body):
        raise k.CommandReused(f"{record.actor} used the id {record.command} for another command")
    return record.to_answer(is_repeated=True)


def check(proposal: k.Proposal, version: int, layout: Layout) -> None:
    """Check a proposal before it is written. The checks have a fixed order."""
    if not k.STREAM.fullmatch(proposal.stream):
        raise k.StoreError(f"{proposal.stream!r} is no name of a stream")
    if not proposal.command or not proposal.actor:
        raise k.StoreError("a command needs an actor and an id")
    if proposal.expected != version:
        raise k.VersionConflict(f"{proposal.stream} is at version {version}, not {proposal.expected}")
    if layout.stopped is not None and not all(isinstance(event, TableCleared) for event in proposal.events):
        raise k.StreamStopped(f"{proposal.stream} is stopped: {layout.stopped}")


def check_held(proposal: k.Proposal, known: Mapping[str, int]) -> None:
    """Check that purses hold what they held when the proposal was decided, where it rests on that."""
    for account, held in proposal.held.items():
        if known[account] != held:
            raise k.VersionConflict(f"{account} holds {known[account]}, not {held}")


def check_end(position: int | None, head: k.Head) -> None:
    """Check that the log ends where somebody says, if they do."""
    if position is not None and position != head.events:
        raise k.VersionConflict(f"the log ends at {head.events}, not at {position}")


def prepare(proposal: k.Proposal, head: k.Head, chains: StreamHead, layout: Layout, at: int) -> Rows:
    """The rows of the proposal, chained to what was written last to its stream."""
    events: list[k.EventRow] = []
    recalled: list[k.Recalled] = []
    postings: list[tuple[int, int, str, int]] = []
    deltas: dict[str, int] = {}
    previous, position = chains.events_head, head.events
    for version, event in enumerate(proposal.events, start=proposal.expected + 1):
        position += 1
        layout, posted = post_event(layout, event)
        for line, one in enumerate(posted):
            postings.append((position, line, one.account, one.amount))
            deltas[one.account] = deltas.get(one.account, 0) + one.amount
        envelope = enclose(
            event, position=position, stream=proposal.stream, version=version, at=at,
            actor=proposal.actor, command=proposal.command, postings=posted,
        )  # fmt: skip
        entry = seal(envelope)
        previous = chain_link(EVENT, previous, entry)
        events.append(k.EventRow(position, proposal.stream, version, envelope.name, entry, previous))
        recalled.append(
            k.Recalled(position, proposal.stream, version, at, proposal.actor, proposal.command, posted, event)
        )
    record = k.CommandRecord(
        number=head.commands + 1,
        actor=proposal.actor,
        command=proposal.command,
        fingerprint=k.fingerprint(proposal.body),
        stream=proposal.stream,
        version=proposal.expected + len(events),
        first=head.events + 1,
        last=position,
        at=at,
        answer=proposal.answer,
    )
    entry = canonical(record)
    command = k.CommandRow(
        record.number, record.actor, record.command, entry, chain_link(COMMAND, chains.commands_head, entry)
    )
    return Rows(
        tuple(events),
        tuple(recalled),
        tuple(postings),
        {account: amount for account, amount in deltas.items() if amount},
        command,
        record,
        StreamHead(proposal.stream, record.version, previous, chains.commands + 1, command.hash),
        layout,
        proposal.seeds,
    )


def post_event(layout: Layout, event: Recorded) -> tuple[Layout, tuple[Posting, ...]]:
    """Post one event.

    An event about chips that are not there is an imbalance, as are postings that do not sum to zero.
    """
    try:
        layout, posted = post(layout, event)
    except KeyError as error:
        raise k.Imbalance(f"{layout.stream}: {name_of(event)} is about {error}, where nothing lies") from None
    if sum(one.amount for one in posted):
        raise k.Imbalance(f"{layout.stream}: the postings of {name_of(event)} do not sum to zero: {posted}")
    return layout, posted


def accounts_of_table(proposal: k.Proposal) -> dict[str, int]:
    """The balances that the accounts of the proposal's table must have after it."""
    return {} if proposal.table is None else accounts_of(proposal.stream, proposal.table)


def accounts_to_check(proposal: k.Proposal, moved: Mapping[str, int], checked: Mapping[str, int]) -> dict[str, int]:
    """The same, of players only those whose chips are moved, or are not what they were when they were last `checked`.

    Of everybody who has ever sat at a table most are gone, and none of them could differ.
    """
    table, prefix = proposal.table, chips(proposal.stream, "")
    if table is None:
        return {}
    holders = [account.removeprefix(prefix) for account in moved if account.startswith(prefix)]
    players = {player: table.players[player] for player in holders if player in table.players}
    if {**checked, **players} != table.players:  # A comparison costs far less than a walk over them all.
        players |= {player: held for player, held in table.players.items() if checked.get(player) != held}
    return accounts_of(proposal.stream, msgspec.structs.replace(table, players=players))


def add_up(moves: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """What several commits have moved, by account; one that comes and goes is there with nothing."""
    total: dict[str, int] = {}
    for moved in moves:
        for account, amount in moved.items():
            total[account] = total.get(account, 0) + amount
    return total


def check_accounts(
    stream: str, expected: Mapping[str, int], touched: Mapping[str, int], held: Mapping[str, int], total: int
) -> None:
    """Check the accounts after a commit: their sum, each that moved, and each that the table knows."""
    for account in touched:
        if held[account] < 0 and not may_overdraw(account):
            raise k.Overdrawn(f"{account} would stand at {held[account]}")
        if abs(held[account]) >= BOUND:
            raise k.Overdrawn(f"{account} would hold more than can be counted safely")
    fault = find_imbalance(held, expected, total)
    if fault:
        raise k.Imbalance(f"{stream}: {fault}")


def stop(stream: str, version: int, number: int, event: Recorded) -> k.Proposal:
    """The proposal with which the store itself records that a table is stopped or goes on."""
    body = canonical(event)
    return k.Proposal(
        stream=stream, expected=version, actor=SYSTEM, command=f"stop-{stream}-{number}", body=body,
        answer=body.decode(), events=(event,),
    )  # fmt: skip


def recall_all(stream: str, after: int, entries: Iterable[bytes]) -> Iterator[k.Recalled]:
    """The events in these entries, which must follow each other without a gap."""
    for version, entry in enumerate(entries, start=after + 1):
        envelope = open_envelope(entry)
        if (envelope.stream, envelope.version) != (stream, version):
            raise k.StoreFault(f"{stream}: version {version} is missing: found {envelope.stream} {envelope.version}")
        yield k.Recalled(
            envelope.position,
            envelope.stream,
            envelope.version,
            envelope.at,
            envelope.actor,
            envelope.command,
            envelope.postings,
            event_in(envelope),
        )


def recall(row: k.EventRow) -> k.Recalled:
    """The event of a row."""
    return next(recall_all(row.stream, row.version - 1, [row.entry]))


def catch_up(layout: Layout, entries: Iterable[bytes]) -> Layout:
    """The ledger's layout of a stream after further entries of it."""
    for entry in entries:
        layout, _ = post(layout, event_in(open_envelope(entry)))
    return layout
