"""What one viewer may see of a live table: a snapshot, then what happened, and never more than the view holds."""

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.signs import layout, signs
from casinowar.engine.view import STAFF, Viewer, view, view_event
from casinowar.store import (
    BookResolved,
    CashedOut,
    CommandTaken,
    Recalled,
    Recorded,
    StaffActed,
)
from casinowar.store.recorded import OWN
from casinowar.table import automatic
from casinowar.table.frames import Happened, LiveView, SealView, SeatView, Timer
from casinowar.table.saying import say_event

if TYPE_CHECKING:
    from casinowar.table.live import LiveTable

__all__ = ["OWN", "happened", "live_view", "seen_event", "so_far"]
MOST_TOLD = 200
"""Events of a round that whoever comes into it is told, the last of them."""

STEADY = ("signs", "layout")
"""Parts of the view that are the same for everybody and seldom change."""

NOTHING_SEALED = "Real cards are dealt by hand here, so that nothing is sealed and no shuffle can be proved."


def live_view(live: "LiveTable", viewer: Viewer) -> LiveView:
    is_player = viewer.role == "player" and viewer.player
    is_floor = viewer.role in ("supervisor", "dealer")
    seen = view(live.rules, live.table, viewer)
    if not live.is_ready:
        closed = tuple(msgspec.structs.replace(box, open_wagers=()) for box in seen.boxes)
        seen = msgspec.structs.replace(seen, open_wagers=(), boxes=closed)
    if live.is_sealed and live.keeper.stage != "dealing":
        seen = msgspec.structs.replace(seen, can_bank=False)
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
        seal=_seal(live),
        seats=_seats(live),
        rounds=tuple(live.rounds),
        currency=live.currency,
        minor_digits=live.minor_digits,
        owner=live.settings.owner,
        purse=live.store.balance(f"purse:{viewer.player}") if is_player else None,
        signatures=live.signatures() if is_floor else (),
        can_view_burn=bool(is_player) and _can_view_burn(live, viewer.player),
    )


def _can_view_burn(live: "LiveTable", player: str) -> bool:
    """A face that is seen once is known; at a table of real cards it may be looked at again."""
    is_there = live.rules.burn.visibility == "viewable" and live.table.opening_burned and player in live.table.players
    return is_there and not (live.is_sealed and player in live.burn_viewers)


def timer(live: "LiveTable") -> Timer | None:
    if live.stopped is not None or live.is_paused or live.table.is_closed:
        return None
    due = automatic.dealers_act(live)
    left = 0 if due is None else due.at - live.now()
    return None if due is None or left <= 0 else Timer(due.what, left)


def _seal(live: "LiveTable") -> SealView:
    if not live.is_sealed:
        return SealView("nothing_sealed", says=NOTHING_SEALED)
    shoe = live.keeper.shoe
    if shoe is None:
        return SealView("none_yet")
    header = shoe.header
    return SealView(
        live.keeper.stage,
        header.shoe,
        header.size,
        shoe.commitment.hex(),
        None if shoe.root is None else shoe.root.hex(),
        None if shoe.seal_digest is None else shoe.seal_digest.hex(),
        header.cut_bounds,
        shoe.cut_made.position if shoe.cut_made else None,
    )


def _seats(live: "LiveTable") -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            box,
            player,
            is_present=player in live.bots or live.is_here(player),
            is_leaving=player in live.leaving,
            is_ready=player in live.ready,
            strategy=live.bots[player].strategy if player in live.bots else None,
        )
        for box, player in sorted(live.table.seats.items())
    )


def happened(live: "LiveTable", recalled: list[Recalled], viewer: Viewer) -> Happened:
    """The events as this viewer may see them, the proofs of cards turned, and the view without its steady parts."""
    events = [told for one in recalled if (told := seen_event(one, viewer, live)) is not None]
    whole = live_view(live, viewer)
    part: dict[str, Any] = msgspec.to_builtins(whole, str_keys=True)
    if live.are_signs_steady:
        for name in STEADY:
            del part["view"][name]
    if not any(isinstance(one.event, e.RoundEnded | e.RoundVoided | e.RoundInvalidated) for one in recalled):
        del part["rounds"]
    proofs = tuple(live.proofs[one.version] for one in recalled if one.version in live.proofs)
    return Happened(live.name, live.version, events, proofs, part)


def so_far(live: "LiveTable", viewer: Viewer) -> list[dict[str, Any]]:
    """What was told of the round that is on, for whoever comes into the middle of it."""
    if live.table.round.is_over:
        return []
    after = live.rounds[-1].version if live.rounds else 0
    recalled = deque(live.store.read(live.stream, after), maxlen=MOST_TOLD)
    return [told for one in recalled if (told := seen_event(one, viewer, live)) is not None]


def seen_event(one: Recalled, viewer: Viewer, live: "LiveTable | None" = None) -> dict[str, Any] | None:
    """One event for one viewer; none where it is not theirs to see. With its table, it is told in a sentence too."""
    event = _seen(one.event, viewer)
    if event is None:
        return None
    told: dict[str, Any] = {"version": one.version, "at": one.at}
    told.update(msgspec.to_builtins(event, str_keys=True))
    if live is not None and (says := say_event(live.rules, event, live.minor_digits)):
        told["says"] = says
    return told


def _seen(event: Recorded, viewer: Viewer) -> Recorded | None:
    """Money that others buy and carry away is staff's to know, and so is who asked for what; a burned face is nobody's
    but the player's who may look at it."""
    is_staff = viewer.role in STAFF
    is_own = viewer.role == "player" and getattr(event, "player", None) == viewer.player
    match event:
        case BookResolved():
            return None
        case e.BoughtIn() | CashedOut():
            return event if is_staff or is_own else None
        case CommandTaken():
            return _seen_command(event) if is_staff else None
        case StaffActed():
            return event if is_staff else None
        case _:
            return event if isinstance(event, OWN) else view_event(event, viewer)


def _seen_command(taken: CommandTaken) -> CommandTaken:
    if isinstance(taken.command, c.ViewInitialBurn):
        return CommandTaken(msgspec.structs.replace(taken.command, card=None), taken.reason)
    return taken


def steady_parts(live: "LiveTable") -> tuple[object, object]:
    return signs(live.rules, live.table), layout(live.rules, live.table)
