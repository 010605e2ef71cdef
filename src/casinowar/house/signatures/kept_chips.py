"""Kept chips: those that a void which waits for its second signature would take, and how they stay at the table.

While such a void waits the table stands still, since a wager of the next round would carry the chips away as well.
"""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec.structs import replace

from casinowar import protocol as f
from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine.roles import DEALERS
from casinowar.engine.signatures import seconds
from casinowar.house.signatures.pending_signatures import Feasible, Pending
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from casinowar.rulebooks import Rulebook
from casinowar.store import SignatureClosed
from casinowar.words.phrases import money_words

ANYBODY, ANOTHER = "operator:?", "operator:??"
"""Two persons whoever they may be, also where the book wants the operator's hand: no account has these names."""

MINUTE_MS = 60_000
PLENTY = 2**52
"""More than anybody can have at a table."""


def anybody_second(rules: Rulebook, command: c.Command) -> str:
    """Somebody whose signature would do as the second one, whoever it may be."""
    return f"{seconds(rules, command)[-1]}:?"


def trial(rules: Rulebook, table: Table, command: c.Command, is_passed_on: bool) -> Draft | Refusal:
    """What the command would do if it were signed, or why it could not be done whoever signed it."""
    signed = {"by": ANYBODY} if is_passed_on else {"second": anybody_second(rules, command)}
    draft = Draft(rules, table)
    refusal = draft.do(replace(command, **signed))
    if is_passed_on and refusal is not None and refusal.reason == "second_signature_due":
        draft = Draft(rules, table)
        refusal = draft.do(replace(command, by=ANYBODY, second=ANOTHER))
    return refusal or draft


def missing(live: LiveTable, command: c.Command, is_passed_on: bool) -> dict[str, int]:
    """The chips that somebody would have to give back and has carried away, by player."""
    plenty = {player: held + PLENTY for player, held in live.table.players.items()}
    done = trial(live.rules, replace(live.table, players=plenty), command, is_passed_on)
    if isinstance(done, Refusal):
        return {}
    return {player: PLENTY - held for player, held in done.table.players.items() if held < PLENTY}


def moves_chips(before: Table, after: Table) -> bool:
    return _chips(before) != _chips(after)


def _chips(table: Table) -> tuple[object, ...]:
    return table.players, table.house, table.escrow, table.bank


def waiting(live: LiveTable) -> dict[str, Pending]:
    """The commands that were asked for in this round and can still be done."""
    return _feasible(live).waiting if live.pending.waiting else {}


def _feasible(live: LiveTable) -> Feasible:
    """The commands that can be done, tried once for each state of the table, since every view asks for them."""
    pending, known = live.pending, live.pending.feasible
    key = (pending.asked, len(pending.waiting))
    is_so = known is not None and known.table is live.table and known.rules is live.rules
    if known is None or not is_so or (known.asked, known.open) != key:
        known = pending.feasible = Feasible(live.table, live.rules, *key, *_try_all(live))
    return known


def _try_all(live: LiveTable) -> tuple[dict[str, Pending], tuple[Table, ...]]:
    there: dict[str, Pending] = {}
    after: list[Table] = []
    for request, one in live.pending.waiting.items():
        alone = trial(live.rules, live.table, one.command, one.is_passed_on)
        if one.round != live.table.round.number or isinstance(alone, Refusal):
            continue
        too = trial(live.rules, after[-1], one.command, one.is_passed_on) if after else alone
        there[request] = one
        after += [alone.table, (too if isinstance(too, Draft) else alone).table]
    return there, tuple(after)


def standstill(live: LiveTable) -> Pending | None:
    """The void for which the table stands still; of several the one that waits longest."""
    if not live.pending.waiting:
        return None
    voids = [one for one in waiting(live).values() if one.moves_chips]
    return max(voids, key=lambda one: one.until, default=None)


def kept(live: LiveTable, player: str) -> int:
    """The chips before this player that cannot be carried away now: what the voids that wait would take, one or all."""
    held = live.table.players.get(player, 0)
    if not held or not live.pending.waiting:
        return 0
    return held - max(0, min([held, *(table.players.get(player, 0) for table in _feasible(live).after)]))


def refuse(live: LiveTable, frame: f.CommandFrame, command: f.AnyCommand) -> Refusal | None:
    """Why a command is refused while the table stands still: nothing is bet, chosen or dealt; staff may rule."""
    is_the_tables = isinstance(command, f.Next | f.Enter | c.CloseTable)
    is_games = not isinstance(command, f.LiveCommand) and (frame.part == "player" or isinstance(command, DEALERS))
    if (is_the_tables or is_games) and standstill(live) is not None:
        return Refusal("void_waits")
    return None


def how_long(live: LiveTable, amount: int = 0) -> str:
    """The round of the void in words, how much it would take of whoever asks, and how long it can wait."""
    void = standstill(live)
    if void is None:
        return ""
    minutes = max(1, -(-(void.until - live.now()) // MINUTE_MS))
    much = f"{money_words(amount, live.minor_digits)} from round" if amount else "round"
    return f"{much} {void.round}, for at most {minutes} more minute{'s' if minutes > 1 else ''}"


def missing_words(live: LiveTable, command: c.Command, is_passed_on: bool) -> str:
    """The players who lack chips that a command would take, and how much."""
    short = missing(live, command, is_passed_on)
    return ", ".join(f"{player} lacks {money_words(amount, live.minor_digits)}" for player, amount in short.items())


def closing_event(live: LiveTable, request: str, one: Pending, how: str, by: str) -> SignatureClosed:
    waited = min(one.lapses, max(0, one.lapses - (one.until - live.now())))
    return SignatureClosed(request, one.round, how, one.by, by, waited, one.is_passed_on, one.moves_chips)


def lapses(live: LiveTable) -> Iterator[tuple[int, Callable[[Draft], None]]]:
    """The moment when each command stops waiting, and what the log is told then.

    With the next round, or when the table closes, it is overtaken. So it is where its time is up and it could not be
    done then: only what somebody could have signed lapses.
    """
    there = waiting(live)
    for request, one in live.pending.waiting.items():
        is_past = request not in there and (one.round != live.table.round.number or live.table.is_closed)
        how = "lapsed" if request in there else "overtaken"
        yield live.now() if is_past else one.until, partial(_close, live, request, one, how)


def _close(live: LiveTable, request: str, one: Pending, how: str, draft: Draft) -> None:
    draft.note(closing_event(live, request, one, how, "house"))
