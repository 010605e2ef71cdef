"""The preview of a command to a live table: what it would do, tried on the side and committed nowhere."""

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from casinowar import protocol as f
from casinowar.cards import DECK
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.roles import STAFF, at_least, signature_words
from casinowar.engine.signatures import seconds
from casinowar.engine.state import Table, Wager
from casinowar.engine.view import View, Viewer, view
from casinowar.engine.view.procedure import procedure
from casinowar.house.table.command_kinds import cards_in
from casinowar.house.table.desk import Desk, Who
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from casinowar.store import Recorded
from casinowar.store.events import OWN
from casinowar.words.live_events import say_event
from casinowar.words.refusals import refused
from casinowar.words.settlements import preview_reversed
from casinowar.words.voice import live_voice

UNSEEN = (
    c.ViewInitialBurn,
    c.Cut,
    c.DeclineCut,
    f.PromiseEntropy,
    f.AddEntropy,
    f.Clear,
    f.RefuseSignature,
)
"""What shows a face or moves the sealed shoe: it can be done, and not tried."""

SECOND = "a second person"
REASON = "preview"


class Preview(msgspec.Struct, frozen=True):
    """The events that a command would bring, each with a sentence, and the table after them as its sender would see it.

    `needs_second` says that they come about with a second person's signature, by these clauses. Where the command would
    be refused there are no events; where that is for who asks, `may` are the roles that could, and the roles of the
    second where that must be a higher one. `moved` is whose chips would change by how much, as far as they are the
    sender's to know; the house has no name. `others` is where else chips come from or go to: the layout, the bank, the
    purses. What staff are told of both sums to nothing.
    """

    events: list[dict[str, Any]]
    view: View | None
    refused: f.Refused | None
    needs_second: bool = False
    clauses: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    moved: tuple[tuple[str | None, int], ...] = ()
    others: tuple[tuple[Literal["layout", "bank", "purses"], int], ...] = ()


def preview(desk: Desk, who: Who, frame: f.CommandFrame, command: f.AnyCommand) -> Preview:
    """Try a command on the side: its checks, and then its effect. No card of a sealed shoe is turned for it."""
    live = desk.live
    refusal = _refuse(desk, who, frame, command)
    if refusal is not None:
        return Preview([], None, refused(frame.id, refusal, detail=desk.detail(who, command, refusal)))
    draft = Draft(live.rules, live.table)
    refusal, second = desk.try_command(who, frame, command, draft), None
    if refusal is not None and refusal.reason == "second_signature_due":
        second, draft = refusal, Draft(live.rules, live.table)
        refusal = _signed(who, frame, command, draft)
    if refusal is None and live.is_sealed and draft.drawn:
        refusal = Refusal("cards_are_sealed")
    if refusal is None and second is not None:
        refusal = _refuse_waiting(desk, who, frame, command)
    if refusal is not None:
        may = _may(desk, who, frame, command) if refusal.reason == "not_entitled" else ()
        named = " or the ".join(getattr(live.rules.roles, role) for role in may)
        detail = desk.detail(who, command, refusal) or (f"it is for the {named}" if may else "")
        return Preview([], None, refused(frame.id, refusal, detail=detail), may=may)
    seen = view(draft.rules, draft.table, _viewer(who, frame.part))
    events = [_describe(live, draft, event) for event in draft.events if not isinstance(event, OWN)]
    only = who.name if frame.part == "player" else None
    return Preview(
        events,
        seen,
        None,
        second is not None,
        second.clauses if second else (),
        may=at_least(second.takes) if second and second.takes in STAFF else (),
        moved=_change_of_chips(live.table, draft.table, only),
        others=_others(live.table, draft.table) if only is None else (),
    )


def _refuse_waiting(desk: Desk, who: Who, frame: f.CommandFrame, command: f.AnyCommand) -> Refusal | None:
    """Why this person's request for a signature would not even wait."""
    if isinstance(command, f.LiveCommand):
        return None
    signed, live = replace(command, by=f"{frame.part}:{who.name}"), desk.live
    if desk.signatures.find(signed) is not None:
        return None
    asked = desk.signatures.request(Draft(live.rules, live.table), signed, frame.reason)
    return asked if isinstance(asked, Refusal) else None


def _refuse(desk: Desk, who: Who, frame: f.CommandFrame, command: f.AnyCommand) -> Refusal | None:
    live = desk.live
    if any(face not in DECK for face in cards_in(command)):
        return Refusal("malformed_command")
    refusal = desk.refuse(who, frame, command)
    if refusal is not None:
        return refusal
    turns = isinstance(command, f.Next) and any(step.turns_card for step in procedure(live.rules, live.table)[:1])
    return Refusal("cards_are_sealed") if isinstance(command, UNSEEN) or (live.is_sealed and turns) else None


def _change_of_chips(before: Table, after: Table, only: str | None) -> tuple[tuple[str | None, int], ...]:
    """The change of each player's chips and of the house's, or of one player's only."""
    names = [only] if only is not None else list(dict.fromkeys((*before.players, *after.players)))
    chips = [(name, after.players.get(name, 0) - before.players.get(name, 0)) for name in names]
    house = [] if only is not None else [(None, after.house - before.house)]
    return tuple((name, amount) for name, amount in (*chips, *house) if amount)


def _others(before: Table, after: Table) -> tuple[tuple[Literal["layout", "bank", "purses"], int], ...]:
    """The change of chips on the layout and in a bank, and of what came out of purses or goes into them."""
    bank = [0 if table.bank is None else table.bank.chips for table in (before, after)]
    others: list[tuple[Literal["layout", "bank", "purses"], int]] = [
        ("layout", after.escrow - before.escrow),
        ("bank", bank[1] - bank[0]),
        ("purses", before.bought_in - after.bought_in),
    ]
    return tuple((where, amount) for where, amount in others if amount)


def _may(desk: Desk, who: Who, frame: f.CommandFrame, command: f.AnyCommand) -> tuple[str, ...]:
    """The roles of staff in which the same command would not be refused."""
    live, may = desk.live, []
    for part in STAFF:
        trial = replace(frame, part=part)
        refusal = desk.try_command(who, trial, command, Draft(live.rules, live.table))
        if refusal is not None and refusal.reason == "second_signature_due":
            refusal = _signed(who, trial, command, Draft(live.rules, live.table))
        if refusal is None or refusal.reason not in ("not_entitled", "not_allowed"):
            may.append(part)
    return tuple(may)


def _signed(who: Who, frame: f.CommandFrame, command: f.AnyCommand, draft: Draft) -> Refusal | None:
    """Do the command as if a second person of the floor had signed."""
    step = procedure(draft.rules, draft.table)[0].command if isinstance(command, f.Next) else command
    if step is None or isinstance(step, f.LiveCommand):
        return Refusal("nothing_due")
    signed = replace(step, by=f"{frame.part}:{who.name}", second=f"{seconds(draft.rules, step)[-1]}:{SECOND}")
    return draft.do(signed, frame.reason)


def _viewer(who: Who, part: str) -> Viewer:
    """The viewer that the sender of a command is; the whole floor sees what a supervisor does."""
    if part == "player":
        return Viewer("player", who.name)
    return Viewer("dealer" if part == "dealer" else "supervisor")


def _laid(live: LiveTable, event: Recorded) -> Wager | None:
    """The wager, as it stands now, that would be void."""
    if not isinstance(event, e.WagerReversed):
        return None
    return live.table.round.wagers.get((event.box, event.wager, event.player))


def _describe(live: LiveTable, draft: Draft, event: Recorded) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    says = say_event(draft.rules, event, live.minor_digits)
    laid = _laid(live, event)
    if laid is not None and isinstance(event, e.WagerReversed):
        says = preview_reversed(live_voice(draft.rules, live.minor_digits), event, laid)
    for role in STAFF:
        signature = signature_words(draft.rules, f"{role}:{SECOND}").replace(":", " ")
        says = says and says.replace(signature, SECOND)
    return {**told, "says": says} if says else told
