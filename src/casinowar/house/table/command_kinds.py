"""Commands to a live table by kind: what only the server or only hands do, and what a book does not know."""

from typing import Any, Union, get_args, get_type_hints

import msgspec

from casinowar import protocol as f
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.roles import DEALERS
from casinowar.rulebooks import Rulebook

THE_SERVERS = (c.OpenTable, c.ResumeTable, c.BuyIn, c.Tick)
"""What no client sends: the server does it."""

ClientCommand: Any = Union[tuple(kind for kind in get_args(f.AnyCommand) if kind not in THE_SERVERS)]  # noqa: UP007

CARDS = (
    c.Deal,
    c.InitialBurn,
    c.CorrectCard,
    c.PlaceMarker,
    c.LoadShoe,
    c.ShowCutCard,
    c.InspectCards,
    c.VerifyCards,
    c.SpreadForInspection,
    c.Wash,
    c.Shuffle,
    c.SwapBatch,
    c.OfferCut,
    *c.CARD_REPORTS,
    c.ReportShufflerFault,
    c.Reconstruct,
)
"""What only hands can do to cards, or do wrong: no sealed shoe knows it."""

MOST_TEXT = 200
STAKES = (c.PlaceWager, c.AmendWager, c.AcceptBank)
CALLS = (f.CallFloor, f.TakeCall, f.EndCall)
TIMELESS = (
    f.Sit,
    f.Leave,
    f.BuyChips,
    f.CashChips,
    f.Ready,
    f.WaitForSeat,
    f.StopWaiting,
    f.PromiseEntropy,
    f.AddEntropy,
    f.SeatBots,
    f.DismissBots,
    f.Pause,
    f.Resume,
    f.Countersign,
    f.RefuseSignature,
    f.Clear,
    *CALLS,
)
"""What means the same whatever has happened at the table since the player looked."""

SOMEBODY = "somebody"
CHOICES = {c.ChangeLimits: "basis", c.InvalidateRound: "cause", c.SupervisorShuffle: "reason"}
"""Of these a book may know some kinds and not others."""

WITHOUT = {"grant_multi_box": "revoke_multi_box"}
"""What makes no sense without the other."""

ACTS: tuple[c.Command, ...] = (
    c.RotateBank(),
    c.OfferBank(player=SOMEBODY),
    c.ChangeLimits(minimum=1, basis="empty"),
    c.AnnounceDecks(decks=8),
    c.DirectBoxMax(amount=1),
    c.DirectPlayerMax(amount=1),
    c.SetBettorsPerArea(bettors=1),
    c.IdleSpread(),
    c.Reconstruct(moves=(c.Move(origin=1, to=2),)),
    c.ReportContravention(player=SOMEBODY, reason="broken"),
    c.ExcludePlayer(player=SOMEBODY, reason="broken"),
    c.FlagPartnership(players=(SOMEBODY,)),
    c.GrantMultiBox(player=SOMEBODY, boxes=2),
    c.SupervisorShuffle(reason="discretion"),
    c.VoidPlayer(player=SOMEBODY, reason="broken"),
    c.ReleasePlayers(players=(SOMEBODY,)),
    c.InvalidateRound(cause="fire"),
)
"""Acts of staff that some books do not know."""


def is_staffs_cut(frame: f.CommandFrame, command: c.Command) -> bool:
    """Whether a member of staff cuts the cards."""
    return isinstance(command, c.Cut) and (command.player is None or frame.part != "player")


def texts_in(command: f.AnyCommand) -> list[str]:
    """The texts in the fields of a command."""
    return [told for field in command.__struct_fields__ if isinstance(told := getattr(command, field), str)]


def is_line(text: str) -> bool:
    """Whether a text is one that others can read: not long, and nothing in it that moves their screen."""
    return len(text) <= MOST_TEXT and text.isprintable()


def cards_in(command: f.AnyCommand) -> list[str]:
    """The faces of cards in the fields of a command."""
    told = [getattr(command, field, None) for field in ("card", "cards", "faces")]
    faces = [face for one in told for face in (one if isinstance(one, tuple) else (one,))]
    return [face for face in faces if isinstance(face, str)]


def needs_reason(frame: f.CommandFrame, command: f.AnyCommand) -> bool:
    """Whether a command needs a reason: the floor says why, and a dealer for all that is not the procedure itself.

    A call for the floor and the answer to it need none.
    """
    if frame.part == "player" or isinstance(command, CALLS):
        return False
    is_procedure = isinstance(command, (f.Next, f.Enter, *DEALERS))
    return not (frame.part == "dealer" and is_procedure)


def unlisted_acts(rules: Rulebook) -> tuple[str, ...]:
    """The commands that the book refuses as none of its own, whatever they say, by their `do`."""
    unlisted = [
        str(type(act).__struct_config__.tag) for act in ACTS if all(_is_unlisted(rules, one) for one in kinds_of(act))
    ]
    return (*unlisted, *(WITHOUT[name] for name in unlisted if name in WITHOUT))


def kinds_of(act: c.Command) -> list[c.Command]:
    """The act in each kind that a book may know or not."""
    field = CHOICES.get(type(act))
    if field is None:
        return [act]
    hints: dict[str, Any] = get_type_hints(type(act))
    return [msgspec.structs.replace(act, **{field: kind}) for kind in get_args(hints[field])]


def _is_unlisted(rules: Rulebook, act: c.Command) -> bool:
    answer = step(rules, Table(players={SOMEBODY: 0}), act)
    return isinstance(answer, Refusal) and answer.reason == "not_in_the_book"
