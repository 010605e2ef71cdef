"""Commands to a live table by kind: what only the server or only hands do, and what each command says."""

from typing import Any, Union, get_args

from casinowar import protocol as f
from casinowar.engine import commands as c
from casinowar.engine.roles import DEALERS

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


def is_staffs_cut(frame: f.CommandFrame, command: c.Command) -> bool:
    return isinstance(command, c.Cut) and (command.player is None or frame.part != "player")


def texts_in(command: f.AnyCommand) -> list[str]:
    return [told for field in command.__struct_fields__ if isinstance(told := getattr(command, field), str)]


def is_line(text: str) -> bool:
    """A text that others will read: not long, and nothing in it that moves their screen."""
    return len(text) <= MOST_TEXT and text.isprintable()


def cards_in(command: f.AnyCommand) -> list[str]:
    """The faces that somebody tells."""
    told = [getattr(command, field, None) for field in ("card", "cards", "faces")]
    faces = [face for one in told for face in (one if isinstance(one, tuple) else (one,))]
    return [face for face in faces if isinstance(face, str)]


def needs_reason(frame: f.CommandFrame, command: f.AnyCommand) -> bool:
    """The floor says why, and a dealer for all that is not the procedure itself.

    A call for the floor and the answer to it need none.
    """
    if frame.part == "player" or isinstance(command, CALLS):
        return False
    is_procedure = isinstance(command, (f.Next, f.Enter, *DEALERS))
    return not (frame.part == "dealer" and is_procedure)
