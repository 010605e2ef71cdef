"""Commands of a round: wagers, the deal, war or surrender."""

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct, HandCommand, SpotCommand


class PlaceWager(SpotCommand, frozen=True, kw_only=True):
    """Chips on a spot; `called` where the player calls it out and the dealer puts the chips down.

    `coupon` is the worth of a match-play coupon laid beside an initial wager.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=500))
    >>> session.table.players, session.table.escrow
    ({'ana': 9500}, 500)
    """

    amount: int
    called: bool = False
    coupon: int = 0


class AmendWager(SpotCommand, frozen=True, kw_only=True):
    """`amount` is the new total on the spot.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=500))
    >>> events = session.must(casinowar.AmendWager(player="ana", box=1, wager="initial", amount=700))
    >>> session.table.escrow
    700
    """

    amount: int


class WithdrawWager(SpotCommand, frozen=True, kw_only=True):
    """The player takes the wager back.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=500))
    >>> events = session.must(casinowar.WithdrawWager(player="ana", box=1, wager="initial"))
    >>> session.table.escrow
    0
    """


class NoMoreBets(CommandStruct, frozen=True, kw_only=True):
    """The dealer calls the end of the betting."""


class Deal(CommandStruct, frozen=True, kw_only=True):
    """Go on with the procedure as far as these cards reach; `None` is a card whose face nobody sees.

    With `hold` the dealer stops after the last of them, even where a settlement is due.

    >>> import casinowar
    >>> rules, table = casinowar.load_rulebook("nz"), casinowar.Table()
    >>> casinowar.decide(rules, table, casinowar.Deal(cards=(casinowar.parse_card("Kh"),))).reason
    'no_wager'
    """

    cards: tuple[Card | None, ...] = ()
    hold: bool = False


class GoToWar(HandCommand, frozen=True, kw_only=True):
    """The tied player lays a war wager, equal to the initial wager.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="zulu", players={"ana": 10_000})
    >>> events = session.must(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=500))
    >>> events = session.go_on()
    >>> session.to_move
    'ana'
    >>> [casinowar.name(event) for event in session.must(casinowar.GoToWar(player="ana", box=1))]
    ['war_declared', 'decisions_closed']
    """


class Surrender(HandCommand, frozen=True, kw_only=True):
    """The tied player gives up half; a supervisor does it for one who is absent or cannot fund the war, with a reason.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="zulu", players={"ana": 10_000})
    >>> events = session.must(casinowar.PlaceWager(player="ana", box=1, wager="initial", amount=500))
    >>> events = session.go_on()
    >>> events = session.must(casinowar.Surrender(player="ana", box=1))
    >>> session.table.players
    {'ana': 9750}
    """

    reason: str = ""


class OpenBetting(CommandStruct, frozen=True, kw_only=True):
    """The dealer invites wagers."""


class Settle(CommandStruct, frozen=True, kw_only=True):
    """Take and pay in the book's order, as far as no card and no choice is needed; `wagers` stops after so many."""

    wagers: int | None = None


class EndRound(CommandStruct, frozen=True, kw_only=True):
    """Everything is settled: the cards go to the rack."""


class ConfirmWarWager(HandCommand, frozen=True, kw_only=True):
    """The dealer has seen that the war wager equals the initial wager."""


class CorrectCard(CommandStruct, frozen=True, kw_only=True):
    """The face just entered was wrong; this is the card that lies there."""

    card: Card


PlayCommand = (
    PlaceWager
    | AmendWager
    | WithdrawWager
    | NoMoreBets
    | Deal
    | GoToWar
    | Surrender
    | OpenBetting
    | Settle
    | EndRound
    | ConfirmWarWager
    | CorrectCard
)
