"""The cards that leave a live table's shoe, and the dealer's next step as a command."""

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.dealers.real_table import CHOICES, turned
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import draws_due, is_burned_face_up
from casinowar.engine.decide.draw_order import burn_draws, is_shuffle_due
from casinowar.engine.events import Draw
from casinowar.engine.view.procedure import Step, procedure
from casinowar.house.shoes import steps as shoemaking
from casinowar.house.table.draft import Draft
from casinowar.house.table.floor_calls import DEALER_CALLS
from casinowar.house.table.table import LiveTable
from casinowar.store import FloorCalled

DRY = "the shoe has run dry"


def deal(live: LiveTable, draft: Draft) -> None:
    """Deal on until somebody must choose, the shoe is dry, or the round is over."""
    burn(live, draft)
    while not is_shuffle_due(draft.table) and draft.table.incident is None:
        draft.must(c.Deal(cards=_faces(live, draft)))
        _call_floor(live, draft)
        if draft.table.round.is_over or draft.table.phase in ("betting", "deciding", "war_betting"):
            return


def _call_floor(live: LiveTable, draft: Draft) -> None:
    """Call somebody of the floor where the deal waits for a ruling."""
    if draft.table.incident is not None and live.calls.open is None:
        draft.note(FloorCalled(DEALER_CALLS, DRY))


def burn(live: LiveTable, draft: Draft) -> None:
    """Burn the opening cards, before the wagers."""
    while burn_draws(draft.rules, draft.table):
        draft.must(c.InitialBurn(cards=_faces(live, draft)))


def _draws(draft: Draft) -> tuple[Draw, ...]:
    return burn_draws(draft.rules, draft.table) or draws_due(draft.rules, draft.table)


def _faces(live: LiveTable, draft: Draft, most: int | None = None) -> tuple[Card | None, ...]:
    """The next cards with the faces that are turned up; a card burned unseen has none in any command."""
    draws = _draws(draft)[:most]
    faces = live.keeper.faces(draft.drawn, len(draws))
    is_seen = (isinstance(draw, int) or is_burned_face_up(draft.rules, draw) for draw in draws)
    return tuple(face if seen else None for face, seen in zip(faces, is_seen, strict=True))


def next_command(live: LiveTable, draft: Draft) -> c.Command | Refusal:
    """The next step of the procedure as a command, with the card that it turns, or why it cannot be taken alone."""
    steps = procedure(draft.rules, draft.table)
    if not steps:
        return Refusal("table_closed")
    following = steps[0]
    if following.turns_card:
        return _turn(live, draft, following)
    is_others = following.role is not None or (following.waits_for and following.act not in ("invite", "offer_bank"))
    if following.command is None or is_others:
        return Refusal(CHOICES.get(following.act, "nothing_due"), following.clauses)
    if isinstance(following.command, c.LoadShoe):
        shoemaking.change_decks(draft)
        load = procedure(draft.rules, draft.table)[-1].command
        assert isinstance(load, c.LoadShoe)
        return replace(load, cut_card=None)
    return following.command


def _turn(live: LiveTable, draft: Draft, following: Step) -> c.Command | Refusal:
    """Turn one card out of the shoe: out of the sealed one, or a real one that stays unseen or was seen before its
    time."""
    if live.piles is None:
        return turned(following, *_faces(live, draft, 1))
    face = next(iter(live.piles.coming), None)
    if face is None and is_next_turned_up(draft):
        return Refusal("card_unseen", following.clauses)
    return turned(following, face)


def is_next_turned_up(draft: Draft) -> bool:
    """Whether the card that comes next is one that everybody sees."""
    draws = _draws(draft)
    return bool(draws) and (isinstance(draws[0], int) or is_burned_face_up(draft.rules, draws[0]))
