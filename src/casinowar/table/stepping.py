"""The cards that leave a live table's shoe, and the dealer's next step as a command."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.dealing import draws_due, is_burned_face_up
from casinowar.engine.draws import is_shuffle_due
from casinowar.engine.procedure import procedure
from casinowar.table import shoemaking
from casinowar.table.draft import Draft
from casinowar.table.real import CHOICES

if TYPE_CHECKING:
    from casinowar.table.live import LiveTable


def deal(live: "LiveTable", draft: Draft) -> None:
    """Deal on until somebody must choose, the shoe is dry, or the round is over."""
    while not is_shuffle_due(draft.table) and draft.table.incident is None:
        draft.must(c.Deal(cards=_faces(live, draft)))
        if draft.table.round.is_over or draft.table.phase in ("betting", "deciding", "war_betting"):
            return


def _faces(live: "LiveTable", draft: Draft, most: int | None = None) -> tuple[Card | None, ...]:
    """The next cards with the faces that are turned up; a card burned unseen has none in any command."""
    draws = draws_due(draft.rules, draft.table)[:most]
    faces = live.keeper.faces(draft.drawn, len(draws))
    is_seen = (isinstance(draw, int) or is_burned_face_up(draft.rules, draw) for draw in draws)
    return tuple(face if seen else None for face, seen in zip(faces, is_seen, strict=True))


def next_command(live: "LiveTable", draft: Draft) -> c.Command | Refusal:
    """The next step of the procedure as a command, with the card that it turns, or why it cannot be taken alone."""
    steps = procedure(draft.rules, draft.table)
    if not steps:
        return Refusal("table_closed")
    following = steps[0]
    if following.turns_card:
        return _turn(live, draft, following.clauses)
    is_others = following.role is not None or (following.waits_for and following.act not in ("invite", "offer_bank"))
    if following.command is None or is_others:
        return Refusal(CHOICES.get(following.act, "nothing_due"), following.clauses)
    if isinstance(following.command, c.LoadShoe):
        shoemaking.change_decks(draft)
        load = procedure(draft.rules, draft.table)[-1].command
        assert isinstance(load, c.LoadShoe)
        return replace(load, cut_card=None)
    return following.command


def _turn(live: "LiveTable", draft: Draft, clauses: tuple[str, ...]) -> c.Command | Refusal:
    """One card out of the shoe: out of the sealed one, or a real one that stays unseen or was seen before its time."""
    if live.script is None:
        return c.Deal(cards=_faces(live, draft, 1), hold=True)
    face = next(iter(live.script.coming), None)
    if face is None and is_next_turned_up(draft):
        return Refusal("card_unseen", clauses)
    return c.Deal(cards=(face,), hold=True)


def is_next_turned_up(draft: Draft) -> bool:
    """Whether the card that comes next is one that everybody sees."""
    draws = draws_due(draft.rules, draft.table)
    return bool(draws) and (isinstance(draws[0], int) or is_burned_face_up(draft.rules, draws[0]))
