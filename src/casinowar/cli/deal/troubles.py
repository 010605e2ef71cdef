"""`wrong ...` and `ruling ...`: what went wrong at the table, as a dealer types it, and the last word on it."""

import re
from collections.abc import Callable
from typing import cast

import msgspec

from casinowar.cli.deal.arguments import OrderError, Words, find_player, parse_box, parse_face, parse_laid
from casinowar.cli.deal.step_text import RULINGS
from casinowar.dealers import RealTable
from casinowar.engine import commands as c

CAUSES = ("fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud")
DELIVERIES: dict[str, c.Delivery] = {"forward": "forward", "dealer": "dealer_next", "burn": "burn"}
PLACES = {"dealer": 0, "out": -1}


class Trouble(msgspec.Struct, frozen=True):
    """One kind of trouble: what to type after its name, what it is, how it is read, and how many words it takes."""

    usage: str
    meaning: str
    read: Callable[[RealTable, Words], c.Command]
    least: int = 0
    most: int = 1_000


def _extra(real: RealTable, words: Words) -> c.Command:
    if not words:
        return c.ReportExtraDraw(exposed=False)
    action = _delivery(words[1]) if len(words) > 1 else None
    return c.ReportExtraDraw(exposed=True, card=parse_face(words[0]), action=action)


def _delivery(text: str) -> c.Delivery:
    if text.lower() not in DELIVERIES:
        raise OrderError(f"{text!r} is no way for the card: type {', '.join(DELIVERIES)}.")
    return DELIVERIES[text.lower()]


def _offer(real: RealTable, words: Words) -> c.Command:
    faces = tuple(None if word.lower() == "xx" else parse_face(word) for word in words[3:])
    cards = parse_box(words[2])
    return c.ReportMissedOffer(player=find_player(real, words[0]), box=parse_box(words[1]), cards=cards, faces=faces)


def _alone(meaning: str, command: c.Command) -> Trouble:
    """A trouble that is told without another word."""
    return Trouble("", meaning, lambda real, words: command, 0, 0)


def _wager(real: RealTable, words: Words) -> c.Command:
    stakes = parse_laid(real, words, "wrong wager NAME BOX [WAGER] AMOUNT")
    if len(stakes) != 1:
        raise OrderError("One wager at a time: wrong wager NAME BOX [WAGER] AMOUNT.")
    player, box, wager, amount = stakes[0]
    return c.ReportWager(player=player, box=box, wager=wager, amount=amount)


def _rebuild(real: RealTable, words: Words) -> c.Command:
    moves = []
    for word in words:
        origin, arrow, to = word.lower().partition(">")
        if not arrow:
            raise OrderError(f"{word!r} is no move: type 1>2 for the card of box 1 to box 2, 2>dealer, or 3>out.")
        moves.append(c.Move(origin=_place(origin), to=_place(to)))
    return c.Reconstruct(moves=tuple(moves))


def _place(text: str) -> int:
    return PLACES[text] if text in PLACES else parse_box(text)


def _invalid(real: RealTable, words: Words) -> c.Command:
    if len(words) != 1 or words[0].lower() not in CAUSES:
        raise OrderError(f"What ended the round? wrong invalid, and one of {', '.join(CAUSES)}.")
    return msgspec.convert({"do": "invalidate_round", "cause": words[0].lower()}, c.InvalidateRound)


TROUBLES = {
    "face-up": Trouble(
        "CARD",
        "the next card lies face up in the shoe",
        lambda real, words: c.ReportFaceUpCard(card=parse_face(words[0])),
        1,
        1,
    ),
    "extra": Trouble(
        "[CARD [forward|dealer|burn]]", "a card too many was drawn; its face if it was seen", _extra, 0, 2
    ),
    "misdealt": Trouble(
        "BOX forward|dealer|burn",
        "the card just dealt was not due at the box",
        lambda real, words: c.ReportMisdelivered(box=parse_box(words[0]), action=_delivery(words[1])),
        2,
        2,
    ),
    "missed": Trouble(
        "BOX", "the box was passed over", lambda real, words: c.ReportMissedHand(box=parse_box(words[0])), 1, 1
    ),
    "offer": Trouble("NAME BOX CARDS [FACES]", "war or surrender was not offered, and cards were dealt on", _offer, 3),
    "burn": _alone("the burn now due was forgotten", c.ReportForgottenBurn()),
    "no-cut-card": _alone("no cutting card was put in", c.ReportMissingCutCard()),
    "no-shuffle": _alone("the cutting card had shown, and no shuffle followed", c.ReportMissedShuffle()),
    "exposed": _alone("a card was seen before the stack was in the shoe", c.ReportExposedBeforeShoe()),
    "machine": Trouble(
        "[BOXES]",
        "the shuffler failed; the hands that it spoilt",
        lambda real, words: c.ReportShufflerFault(boxes=tuple(parse_box(word) for word in words)),
    ),
    "damaged": Trouble(
        "[CARD]",
        "a card is damaged",
        lambda real, words: c.ReportDamagedCard(card=parse_face(words[0]) if words else None),
        0,
        1,
    ),
    "wager": Trouble("NAME BOX [WAGER] AMOUNT", "another amount lies there than was noted", _wager),
    "rebuild": Trouble("1>2 2>dealer 3>out", "put misdealt cards where they belong", _rebuild),
    "void": Trouble(
        "BOX REASON",
        "the hand is void",
        lambda real, words: c.VoidHand(box=parse_box(words[0]), reason=" ".join(words[1:])),
        1,
    ),
    "void-player": Trouble(
        "NAME REASON",
        "the player is out of the round",
        lambda real, words: c.VoidPlayer(player=find_player(real, words[0]), reason=" ".join(words[1:])),
        1,
    ),
    "void-round": Trouble("REASON", "the round is void", lambda real, words: c.VoidRound(reason=" ".join(words))),
    "invalid": Trouble("CAUSE", f"the round is broken off: {', '.join(CAUSES)}", _invalid),
    "release": Trouble(
        "NAMES",
        "players are let out of the hand after your error",
        lambda real, words: c.ReleasePlayers(players=tuple(find_player(real, word) for word in words)),
    ),
    "broke": Trouble(
        "NAME REASON",
        "a player broke a rule",
        lambda real, words: c.ReportContravention(player=find_player(real, words[0]), reason=" ".join(words[1:])),
        2,
    ),
    "exclude": Trouble(
        "NAME REASON",
        "a player is excluded from the game",
        lambda real, words: c.ExcludePlayer(player=find_player(real, words[0]), reason=" ".join(words[1:])),
        1,
    ),
}


def read_trouble(real: RealTable, words: Words) -> list[c.Command]:
    kind = words[0].lower() if words else ""
    if kind not in TROUBLES:
        raise OrderError(f"What went wrong? Type wrong and one of {', '.join(TROUBLES)}.")
    trouble = TROUBLES[kind]
    if not trouble.least <= len(words) - 1 <= trouble.most:
        raise OrderError(f"Type wrong {kind} {trouble.usage}".rstrip() + ".")
    return [trouble.read(real, words[1:])]


def read_ruling(real: RealTable, words: Words) -> list[c.Command]:
    """`ruling void-hand 2 wrong card`: the action, the box where it needs one, and the reason."""
    if not words or words[0].lower() not in RULINGS:
        raise OrderError(f"Type ruling, one of {', '.join(RULINGS)}, the box if there is one, and the reason.")
    action = cast(c.Action, words[0].lower().replace("-", "_"))
    box = int(words[1]) if len(words) > 1 and re.fullmatch(r"[0-9]{1,3}", words[1]) else None
    reason = " ".join(words[1 if box is None else 2 :])
    if not reason:
        raise OrderError(f"Give the reason: ruling {words[0]} REASON.")
    return [c.Rule(action=action, reason=reason, box=box)]
