"""The visibility of a live table for one viewer: a snapshot, then what happened, and never more than the view holds."""

from collections.abc import Sequence, Set
from itertools import groupby
from typing import Any

import msgspec

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.roles import FLOOR, STAFF
from casinowar.engine.view import STAFF_VIEWS, OwnView, View, Viewer, own_view, view, view_event
from casinowar.history.log_walk import ENDS
from casinowar.house.signatures import kept_chips
from casinowar.house.signatures.countersignatures import signatures_due
from casinowar.house.table import dealer, seats
from casinowar.house.table.chips import least_stake
from casinowar.house.table.command_kinds import unlisted_acts
from casinowar.house.table.table import LiveTable
from casinowar.protocol import (
    CallView,
    CardShown,
    Happened,
    LiveView,
    SealView,
    SeatView,
    Snapshot,
    Timer,
    VoidWaits,
)
from casinowar.store import (
    BookResolved,
    CashedOut,
    CommandTaken,
    FloorCalled,
    FloorCallEnded,
    FloorCallTaken,
    Recalled,
    Recorded,
    SignatureAsked,
    SignatureClosed,
    StaffActed,
)
from casinowar.store.events import is_engines
from casinowar.words.live_events import say_event

MOST_TOLD = 200
"""Events of a round that whoever comes into it is told, the last of them."""

STEADY = ("signs", "layout")
"""Parts of the view that are the same for everybody and seldom change."""

_encode = msgspec.json.Encoder().encode
CONSOLE = STAFF[:-1]
"""Who has the dealer's console: the operator is not at the table."""

MAY_LOOK: dict[str, frozenset[str]] = {
    "dealer": frozenset(CONSOLE),
    "supervisor": frozenset(FLOOR),
    "auditor": frozenset({"auditor", *FLOOR}),
}


def can_look(roles: Set[str], role: str) -> bool:
    """Whether an account with these roles may look at a table in this one; players and watchers need none."""
    return role not in MAY_LOOK or bool(MAY_LOOK[role] & roles)


def live_view(live: LiveTable, viewer: Viewer, seen: View | None = None) -> LiveView:
    """The live table as this viewer sees it. Who has the engine's view of it already can hand it in."""
    is_player = viewer.role == "player" and viewer.player
    is_floor = viewer.role in ("supervisor", "dealer")
    seen = seen or view(live.rules, live.table, viewer, own_view_of(live, viewer), live.posted)
    return LiveView(
        table=live.name,
        title=live.settings.called,
        version=live.version,
        turn=live.turn,
        view=seen,
        dealer_kind=live.settings.dealer,
        timeout=live.settings.timeout if live.settings.dealer == "automatic" else "wait",
        timer=timer(live),
        is_paused=live.is_paused,
        stopped=live.stopped,
        seal=live.seal,
        seats=_seats(live),
        rounds=tuple(live.rounds),
        currency=live.currency,
        minor_digits=live.minor_digits,
        owner=live.settings.owner,
        signatures=signatures_due(live) if is_floor else (),
        bank_least=least_stake(live.settings, live.table) if live.rules.bank.by == "player" else None,
        waiting=len(live.line.claims),
        call=call_view(live, seen) if is_floor else None,
        unlisted=_unlisted(live) if is_floor else (),
        **(own_parts(live, viewer.player) if is_player else {"void": _void(live, viewer.player)}),
    )


def own_view_of(live: LiveTable, viewer: Viewer) -> OwnView:
    """The viewer's own part of the engine's view. Before the shoe is ready nothing is put down and nobody banks."""
    own = own_view(live.rules, live.table, viewer)
    if not live.is_ready:
        own = msgspec.structs.replace(own, open_wagers=(), places=())
    if live.is_sealed and live.keeper.stage != "dealing":
        own = msgspec.structs.replace(own, can_bank=False)
    return own


def own_parts(live: LiveTable, player: str) -> dict[str, Any]:
    """The parts of the live view that are one player's alone."""
    return {
        "purse": live.store.known_balance(f"purse:{player}"),
        "can_view_burn": _can_view_burn(live, player),
        "claim": seats.place(live, player),
        "seat_left": seats.left(live, player),
        "void": _void(live, player),
    }


def snapshot(live: LiveTable, viewer: Viewer) -> Snapshot:
    return Snapshot(live.name, live_view(live, viewer), so_far(live, viewer))


def _unlisted(live: LiveTable) -> tuple[str, ...]:
    """The acts that the book does not know, looked up once for each book of the table."""
    if live.unlisted is None or live.unlisted[0] is not live.rules:
        live.unlisted = (live.rules, unlisted_acts(live.rules))
    return live.unlisted[1]


def call_view(live: LiveTable, seen: View) -> CallView | None:
    call = live.calls.open
    if call is None:
        return None
    clauses = seen.procedure[0].clauses if seen.incident is not None and seen.procedure else ()
    return CallView(call.by, call.about, call.at, max(0, live.now() - call.since), call.taken_by, clauses)


def _void(live: LiveTable, player: str) -> VoidWaits | None:
    waits = kept_chips.standstill(live)
    left = 0 if waits is None else max(0, waits.until - live.now())
    return None if waits is None else VoidWaits(waits.round, left, kept_chips.kept(live, player))


def _can_view_burn(live: LiveTable, player: str) -> bool:
    """Whether a player may look at the burned card: once, and again at a table of real cards."""
    is_there = live.rules.burn.visibility == "viewable" and live.table.opening_burned and player in live.table.players
    return is_there and not (live.is_sealed and player in live.burn_viewers)


def timer(live: LiveTable) -> Timer | None:
    due = dealer.awaited(live)
    left = 0 if due is None else due.at - live.now()
    return None if due is None or left <= 0 else Timer(due.what, left)


def _seats(live: LiveTable) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            box,
            player,
            is_present=player in live.bots or live.is_here(player),
            is_leaving=player in live.leaving,
            is_ready=player in live.ready,
            strategy=live.bots[player].strategy if player in live.bots else None,
            away=away(live, player),
        )
        for box, player in sorted(live.table.seats.items())
    )


def away(live: LiveTable, player: str) -> int | None:
    """The milliseconds since a player was last seen who is waited for no more."""
    if player in live.bots or live.is_here(player):
        return None
    return live.now() - live.seen.get(player, live.started)


PERSONAL = (e.BoughtIn, CashedOut, e.BurnViewed)
"""Events that their player sees otherwise than somebody who only looks on."""

WATCHER = Viewer("watcher")


class Change(msgspec.Struct, frozen=True):
    """A change of a table to be told: what was committed, and what is known only at that moment.

    Several in a row can be told together. `players` see an event of it in their own way. `said` keeps its events as
    they are told, for each kind of viewer once.
    """

    live: LiveTable
    number: int
    version: int
    recalled: tuple[Recalled, ...]
    proofs: tuple[CardShown, ...]
    seal: SealView
    are_signs_steady: bool
    players: frozenset[str]
    said: dict[Viewer, list[msgspec.Raw]] = {}

    @classmethod
    def of(cls, live: LiveTable, number: int, recalled: list[Recalled]) -> "Change":
        proofs = tuple(live.proofs[one.version] for one in recalled if one.version in live.proofs)
        players = frozenset(
            [str(getattr(one.event, "player", "")) for one in recalled if isinstance(one.event, PERSONAL)]
        )
        return cls(live, number, live.version, tuple(recalled), proofs, live.seal, live.are_signs_steady, players)

    def events_for(self, viewer: Viewer) -> list[msgspec.Raw]:
        """The events as this viewer is told them; those who see the same share the bytes."""
        if viewer.role == "player" and viewer.player not in self.players:
            viewer = WATCHER
        if viewer not in self.said:
            seen = (seen_event(one, viewer, self.live) for one in self.recalled)
            self.said[viewer] = [msgspec.Raw(_encode(one)) for one in seen if one is not None]
        return self.said[viewer]


def frames_of(changes: Sequence[Change], viewer: Viewer) -> list[Happened]:
    """The frames of what happened, for one viewer: one frame, with the view as it is now.

    A card is proved by the seal that stood when it was turned. Where a shoe was committed to, sealed, cut or opened
    between the changes, what came before has a frame of its own, with its seal and no more of the view.
    """
    *before, last = by_seal(changes)
    frames = [frame_of(together, viewer, seal_alone(together[-1])) for together in before]
    return [*frames, frame_of(last, viewer, _parts(changes[-1].live, changes, viewer))]


def by_seal(changes: Sequence[Change]) -> list[list[Change]]:
    """The changes in groups, each under one seal."""
    return [list(together) for _, together in groupby(changes, lambda change: change.seal)]


def seal_alone(change: Change) -> dict[str, Any]:
    return {"version": change.version, "seal": change.seal, "view": {}}


def frame_of(changes: Sequence[Change], viewer: Viewer, part: dict[str, Any]) -> Happened:
    """The frame of these changes; events and parts of the view are such as can be encoded."""
    events: list[Any] = [event for change in changes for event in change.events_for(viewer)]
    proofs = tuple(proof for change in changes for proof in change.proofs)
    return Happened(changes[0].live.name, part["version"], events, proofs, part)


def _parts(live: LiveTable, changes: Sequence[Change], viewer: Viewer) -> dict[str, Any]:
    """The view without the parts that seldom change, where none of the changes touched them."""
    whole = live_view(live, viewer)
    part = msgspec.structs.asdict(whole)
    part["view"] = msgspec.structs.asdict(whole.view)
    if all(change.are_signs_steady for change in changes):
        for name in STEADY:
            del part["view"][name]
        del part["unlisted"]
    recalled = [one for change in changes for one in change.recalled]
    if not any(isinstance(one.event, ENDS) for one in recalled):
        del part["rounds"]
    return part


def so_far(live: LiveTable, viewer: Viewer) -> list[dict[str, Any]]:
    """The events of the round that is on, for whoever comes into the middle of it."""
    if live.table.round.is_over:
        return []
    after = live.rounds[-1].version if live.rounds else 0
    recalled = live.store.read(live.stream, max(after, live.version - MOST_TOLD))
    return [told for one in recalled if (told := seen_event(one, viewer, live)) is not None]


def seen_event(one: Recalled, viewer: Viewer, live: LiveTable | None = None) -> dict[str, Any] | None:
    """One event for one viewer; none where it is not theirs to see. With its table, it is told in a sentence too."""
    event = _visible(one.event, viewer)
    if event is None:
        return None
    told: dict[str, Any] = {"version": one.version, "at": one.at}
    told.update(msgspec.to_builtins(event, str_keys=True))
    if live is not None and (says := say_event(live.rules, event, live.minor_digits)):
        told["says"] = says
    return told


def _visible(event: Recorded, viewer: Viewer) -> Recorded | None:
    """The event as a viewer may see it.

    Money that others buy and carry away is staff's to know, and so is who asked for what; a burned face is nobody's but
    the player's who may look at it.
    """
    is_staff = viewer.role in STAFF_VIEWS
    is_own = viewer.role == "player" and getattr(event, "player", None) == viewer.player
    match event:
        case BookResolved():
            return None
        case e.BoughtIn() | CashedOut():
            return event if is_staff or is_own else None
        case CommandTaken():
            return _seen_command(event) if is_staff else None
        case StaffActed() | FloorCalled() | FloorCallTaken() | FloorCallEnded():
            return event if is_staff else None
        case SignatureAsked() | SignatureClosed():
            return event if is_staff else _seen_signature(event)
        case _:
            return view_event(event, viewer) if is_engines(event) else event


def _seen_signature(event: SignatureAsked | SignatureClosed) -> Recorded | None:
    """The signature event for everybody: that a void waits and what came of it; who asked, and why, is for staff."""
    if not event.moves_chips:
        return None
    if isinstance(event, SignatureClosed):
        return msgspec.structs.replace(event, asked_by="", by="")
    return msgspec.structs.replace(event, command=None, by="", reason="")


def _seen_command(taken: CommandTaken) -> CommandTaken:
    if isinstance(taken.command, c.ViewInitialBurn):
        return CommandTaken(msgspec.structs.replace(taken.command, card=None), taken.reason)
    return taken
