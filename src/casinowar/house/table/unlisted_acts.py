"""Unlisted acts: what staff could ask for and this book does not know, so that nobody is offered it."""

from typing import Any, get_args, get_type_hints

import msgspec

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.rulebooks import Rulebook

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


def unlisted_acts(rules: Rulebook) -> tuple[str, ...]:
    """The commands that the book refuses as none of its own, whatever they say, by their `do`."""
    unlisted = [_name(act) for act in ACTS if all(_is_unlisted(rules, one) for one in kinds_of(act))]
    return (*unlisted, *(WITHOUT[name] for name in unlisted if name in WITHOUT))


def _name(act: c.Command) -> str:
    return str(type(act).__struct_config__.tag)


def kinds_of(act: c.Command) -> list[c.Command]:
    field = CHOICES.get(type(act))
    if field is None:
        return [act]
    hints: dict[str, Any] = get_type_hints(type(act))
    return [msgspec.structs.replace(act, **{field: kind}) for kind in get_args(hints[field])]


def _is_unlisted(rules: Rulebook, act: c.Command) -> bool:
    answer = step(rules, Table(players={SOMEBODY: 0}), act)
    return isinstance(answer, Refusal) and answer.reason == "not_in_the_book"
