"""Commands about the cards: cut, load, shuffle, replace, and who deals them."""

from typing import Literal

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct, PlayerCommand


class Cut(CommandStruct, frozen=True, kw_only=True):
    """`position` is how many cards lie in front of the cutting card. Without a player, staff cut.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.SeatPlayer(player="ana", box=1))
    >>> [casinowar.name(event) for event in session.must(casinowar.Cut(player="ana", position=100))][-1]
    'cut_made'
    """

    position: int
    player: str | None = None


class DeclineCut(PlayerCommand, frozen=True, kw_only=True):
    """The player does not want to cut.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.SeatPlayer(player="ana", box=1))
    >>> [casinowar.name(event) for event in session.must(casinowar.DeclineCut(player="ana"))][-1]
    'cut_declined'
    """


class PlaceMarker(CommandStruct, frozen=True, kw_only=True):
    """The dealer puts the cutting card into the cut stack, with `from_back` cards behind it."""

    from_back: int


class LoadShoe(CommandStruct, frozen=True, kw_only=True):
    """A shuffled and cut stack goes into the shoe; `cut_card` is how many cards lie in front of the cutting card.

    `presumed` is for a record, which need not tell how the cutting card was put in.
    """

    cards: int
    cut_card: int | None = None
    presumed: bool = False


class InitialBurn(CommandStruct, frozen=True, kw_only=True):
    """The cards that are burned when a shoe is opened, before the wagers; `None` is one whose face nobody sees.

    Where the first face says how many more are burned, those come with a command of their own.
    """

    cards: tuple[Card | None, ...] = ()


class SupervisorShuffle(CommandStruct, frozen=True, kw_only=True):
    reason: Literal["vacant", "suspect", "discretion"]


class ReplaceCards(CommandStruct, frozen=True, kw_only=True):
    """Some cards change one for one; with none named, all do, and the new ones are shuffled and cut."""

    cards: tuple[Card, ...] = ()


class ChangeDealer(CommandStruct, frozen=True, kw_only=True):
    dealer: str


class ShowCutCard(CommandStruct, frozen=True, kw_only=True):
    """The cutting card shows now, before the next card: with real cards nobody knows earlier where it lies."""


ShoeCommand = (
    Cut
    | DeclineCut
    | PlaceMarker
    | LoadShoe
    | InitialBurn
    | SupervisorShuffle
    | ReplaceCards
    | ChangeDealer
    | ShowCutCard
)
