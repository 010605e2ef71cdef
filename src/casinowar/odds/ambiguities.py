"""The ambiguities that change money, as data: which leaves or which price each reading has.

Those that leave every edge as it is are here with the reason. The readings are told in full in the register.
"""

from collections.abc import Mapping

import msgspec

from casinowar.odds.bank_settlement import TAKEN, Terms
from casinowar.odds.pricing import (
    UNIT,
    Price,
    among_others,
    at_stake,
    edge,
    half_bank,
    of_box,
    short_bank,
    short_bank_surrender,
    short_bank_under,
    tens_pair,
    with_coupon,
    with_war_tie,
)
from casinowar.rulebooks import BOOKS

DECKS = "shoe.decks"


class Case(msgspec.Struct, frozen=True):
    """One reading: its letter in the register, what it says, and the leaves that make the book read so.

    A book has the reading if its leaves are those of `known_by`, or else of `settings`. Where there are neither,
    `is_taken` says what is played as long as no other reading is known by its leaves.
    """

    reading: str
    says: str
    settings: Mapping[str, object] = {}
    is_taken: bool = False
    price: Price | None = None
    known_by: Mapping[str, object] = {}
    beside: Mapping[str, Price] = {}


class Ambiguity(msgspec.Struct, frozen=True, kw_only=True):
    """What is unclear in which books, the wager that it prices, and its readings. `given` narrows the price."""

    id: str
    about: str
    books: tuple[str, ...]
    wager: str
    cases: tuple[Case, ...]
    price: Price | None = None
    given: str = ""


LITERAL = {"payout.war_odds": "literal"}
TAKEN_FIRST = {"payout.initial.on_war_win": "lose", "payout.initial.on_war_tie": "lose"}
KEPT = {"payout.initial.on_war_win": "push", "payout.initial.on_war_tie": "push"}
STANDARD = {"payout.war.on_win": "1:1", "payout.war.on_tie": "2:1"}
ONE_MORE = {"payout.war.on_win": "2:1", "payout.war.on_tie": "3:1"}
ON_WAR = {"payout.initial.on_war_tie": "push", "payout.war.on_tie": "2:1"}
ON_BOTH = {"payout.initial.on_war_tie": "1:1", "payout.war.on_tie": "1:1"}
PAIRS = {"P6a": "25:1, 12:1, 5:1", "P6b": "30:1, 12:1, 5:1", "P6c": "30:1, 10:1, 5:1", "P6d": "25:1, 12:1, 6:1"}
LISTED = {(4, "P6b"), (6, "P6a"), (6, "P6b"), (6, "P6c"), (6, "P6d"), (8, "P6a"), (8, "P6d")}
"""Pay tables of pairs go by the names that they have with six decks; other decks have the same odds by other names."""

CAP: dict[str, object] = {"bank.model": "payoff_cap"}
RETURNED: dict[str, object] = {"bank.after_exhaustion": "return_all"}
COLLECTED: dict[str, object] = {"bank.after_exhaustion": "collect_losers"}
"""Of losers that come after the stake is used up; a covered bank leaves no such question."""

STAKE = 5
ODD, EVEN = "surrender.odd_unit", "limits.require_even"
SHORT = "three boxes at war on every tie, a bank of one unit"


def _bank_model(reading: str, says: str, model: str) -> Case:
    """A way to count a stake: with one unit, and with half a unit, which covers no wager whole."""
    return Case(reading, says, {"bank.model": model}, model == "covered", beside={"half a unit": half_bank})


def _settlement_order(reading: str, says: str, terms: Terms = TAKEN) -> Case:
    """An order in which a short bank settles: for all boxes together, and for the first and the last of them."""
    beside = {"first box": of_box(0, terms, UNIT), "last box": of_box(-1, terms, UNIT)}
    return Case(reading, says, is_taken=terms == TAKEN, price=short_bank_under(terms, UNIT), beside=beside)


def _pays(odds: str) -> dict[str, object]:
    kinds = ("perfect", "coloured", "mixed")
    return {f"payout.perfect_pairs.on_{kind}": paid for kind, paid in zip(kinds, odds.split(", "), strict=True)}


PRICED = (
    Ambiguity(
        id="AMB-1",
        about="what a won or tied war pays",
        books=("ctg",),
        wager="initial",
        cases=(
            Case("a", "2:1 and 3:1 on the second wager, first back", LITERAL, is_taken=True),
            Case("b", "the figures include the stake: 1:1 and 2:1", {"payout.war_odds": "standard"}),
            Case("c", "first wager taken, second paid 2:1 and 3:1", LITERAL | TAKEN_FIRST),
        ),
    ),
    Ambiguity(
        id="AMB-2",
        about="the primary wager that is collected before a war",
        books=("ca",),
        wager="initial",
        cases=(
            Case("a", "it moves into the pot of three units", is_taken=True, known_by=KEPT | STANDARD),
            Case("b", "the bank keeps it, the war wager is paid", dict(TAKEN_FIRST)),
            Case("c", "three units are profit", {"payout.war.on_win": "3:1", "payout.war.on_tie": "4:1"}),
        ),
    ),
    Ambiguity(
        id="AMB-3",
        about="on which wager a tied war is paid",
        books=("nz",),
        wager="initial",
        cases=(
            Case("a", "first back, 2:1 on the war wager", ON_WAR, is_taken=True),
            Case("b", "1:1 on both wagers", ON_BOTH),
        ),
    ),
    Ambiguity(
        id="AMB-3",
        about="on which wager a tied war is paid",
        books=("wa",),
        wager="initial",
        cases=(
            Case("a", "1:1 on both wagers", ON_BOTH, is_taken=True),
            Case("b", "first back, 2:1 on the war wager", ON_WAR),
        ),
    ),
    Ambiguity(
        id="AMB-4",
        about="whether a winning progressive wager goes back",
        books=("ma",),
        wager="progressive",
        cases=(
            Case("a", "it is taken on every line", {"progressive.stake_returned": False}, is_taken=True),
            Case("b", "it goes back", {"progressive.stake_returned": True}),
            Case(
                "c",
                "it is taken on the meter's line alone",
                {"progressive.stake_returned": True, "payout.progressive.on_suited_four_of_a_kind": "999:1"},
            ),
        ),
    ),
    Ambiguity(
        id="AMB-6",
        about="whether the tie may be wagered again on a war",
        books=("ca",),
        wager="initial",
        given="with one unit on the tie of each war where it can be placed",
        cases=(
            Case("b", "no: there is no such wager", {"wager.war_tie": False}, is_taken=True),
            Case("a", "yes", {"wager.war_tie": True}, price=with_war_tie),
        ),
    ),
    Ambiguity(
        id="AMB-11",
        about="how far a bank's stake reaches",
        books=("ca",),
        wager="initial",
        given=SHORT,
        price=short_bank,
        cases=(
            _bank_model("d", "as (a), and only what it covers is lost", "covered"),
            _bank_model("a", "payoffs end at the stake", "payoff_cap"),
            _bank_model("b", "collected wagers refill it", "revolving"),
            _bank_model("c", "every wager acted on uses it up", "action_cap"),
        ),
    ),
    Ambiguity(
        id="AMB-12",
        about="the order in which a short bank takes and pays",
        books=("ca",),
        wager="initial",
        given=f"{SHORT}, one unit on each tie wager too; all boxes, and the first and the last from the dealer's left",
        cases=(
            _settlement_order("a", "seat by seat, initial ahead of tie"),
            _settlement_order("b", "all losers, then winners", Terms(order="losers")),
            _settlement_order("c", "tie wagers ahead of initial wagers", Terms(order="ties")),
            _settlement_order("d", "from the left of a bank beside box 1", Terms(order="bank")),
        ),
    ),
    Ambiguity(
        id="AMB-12",
        about="losing wagers after the stake is used up",
        books=("ca",),
        wager="initial",
        given=f"{SHORT}, under payoff_cap",
        price=short_bank,
        cases=(
            Case("a", "they go back", CAP | RETURNED, is_taken=True, known_by=RETURNED),
            Case("-", "they are collected", CAP | COLLECTED, known_by=COLLECTED),
        ),
    ),
    Ambiguity(
        id="AMB-13",
        about="what a short bank puts beside a war wager",
        books=("ca",),
        wager="initial",
        given=SHORT,
        cases=(
            Case("a", "its match is set aside as war is chosen", is_taken=True, price=short_bank),
            Case("-", "a tied war's extra unit is set aside too", price=short_bank_under(Terms(match="with_bonus"))),
            Case("-", "nothing is set aside: it is found when paid", price=short_bank_under(Terms(match="paid"))),
        ),
    ),
    Ambiguity(
        id="AMB-13",
        about="a tied player for whom nothing is left",
        books=("ca",),
        wager="initial",
        given=SHORT,
        cases=(
            Case("a", "the wager goes back unasked", is_taken=True, price=short_bank),
            Case("-", "war all the same, unmatched", price=short_bank_under(Terms(when_empty="war"))),
            Case("-", "only surrender: half is collected", price=short_bank_under(Terms(when_empty="surrender"))),
        ),
    ),
    Ambiguity(
        id="AMB-13",
        about="what a surrender to a short bank is about",
        books=("ca",),
        wager="initial",
        given="three boxes that surrender every tie, a bank of half a unit",
        cases=(
            Case(
                "a", "the part that is covered", {"bank.model": "covered"}, is_taken=True, price=short_bank_surrender()
            ),
            Case("-", "the whole initial wager", price=short_bank_surrender(Terms(forfeit="whole")), is_taken=True),
        ),
    ),
    Ambiguity(
        id="AMB-28",
        about=f"half of an odd amount, at a stake of {STAKE} minor units",
        books=BOOKS,
        wager="initial",
        given="always surrendering; war is not touched by it",
        cases=(
            Case(
                "a",
                "the odd unit goes to the player",
                is_taken=True,
                price=at_stake(STAKE, "player"),
                known_by={ODD: "player", EVEN: False},
            ),
            Case(
                "b",
                "the odd unit goes to the house",
                price=at_stake(STAKE, "house"),
                known_by={ODD: "house", EVEN: False},
            ),
            Case(
                "c",
                f"odd stakes are refused; at {STAKE + 1} units",
                price=at_stake(STAKE + 1, "player"),
                known_by={EVEN: True},
            ),
        ),
    ),
    Ambiguity(
        id="AMB-30",
        about="whether the war wager counts towards the maximum",
        books=BOOKS,
        wager="initial",
        given="for a wager of more than half the maximum",
        cases=(
            Case("a", "no: war can be chosen", {"war.exempt": True}, is_taken=True),
            Case("b", "yes: only surrender is left", {"war.exempt": False}, price=edge("initial", "surrender")),
        ),
    ),
    Ambiguity(
        id="AMB-32",
        about="match-play coupons",
        books=("ma",),
        wager="initial",
        given="with a coupon as large as the wager beside it",
        cases=(
            Case("-", "off: the wager alone", {"wager.match_play": False}, is_taken=True),
            Case("-", "on: paid with a win on the first cards", {"wager.match_play": True}, price=with_coupon),
        ),
    ),
    Ambiguity(
        id="AMB-41",
        about="which hands the progressive pays",
        books=("ma",),
        wager="progressive",
        cases=(
            Case(
                "a",
                "identical four, suited ties, highest line",
                is_taken=True,
                known_by={
                    "progressive.suited_four": "identical",
                    "progressive.suited_double": "suited_ties",
                    "progressive.lines": "highest",
                },
            ),
            Case("b", "suited four: both ties suited", {"progressive.suited_four": "suited_ties"}),
            Case("b", "suited double: four cards of one suit", {"progressive.suited_double": "one_suit"}),
            Case("b", "every line reached is paid", {"progressive.lines": "cumulative"}),
        ),
    ),
    Ambiguity(
        id="AMB-41",
        about="the progressive of a hand that is surrendered",
        books=("ma",),
        wager="progressive",
        price=edge("progressive", "surrender"),
        given="always surrendering",
        cases=(
            Case("a", "the first cards count", {"progressive.on_surrender": "first_cards"}, is_taken=True),
            Case("b", "it is lost", {"progressive.on_surrender": "lost"}),
        ),
    ),
    Ambiguity(
        id="AMB-42",
        about="with whose wager the envy pay grows",
        books=("ma",),
        wager="progressive",
        given="two units beside six bettors of one, at the seed, with envy",
        price=among_others(2),
        cases=(
            Case("a", "the recipient's", {"progressive.envy_base": "recipient"}, is_taken=True),
            Case("b", "the hitter's", {"progressive.envy_base": "hitter"}),
        ),
    ),
    Ambiguity(
        id="AMB-43",
        about="several hitters at once",
        books=("ma",),
        wager="progressive",
        given="one unit beside six bettors of one, at the seed, with envy",
        price=among_others(1),
        cases=(
            Case("a", "they share the meter", {"progressive.hitters": "split"}, is_taken=True),
            Case("b", "each is paid all of it", {"progressive.hitters": "full_each"}),
        ),
    ),
    Ambiguity(
        id="AMB-45",
        about="whether king and queen are a pair",
        books=("wa",),
        wager="perfect_pairs",
        cases=(
            Case("a", "no: one denomination", is_taken=True),
            Case("b", "yes: both are worth ten", price=tens_pair),
        ),
    ),
    Ambiguity(
        id="AMB-47",
        about="which odds of pairs go with how many decks",
        books=("wa",),
        wager="perfect_pairs",
        cases=tuple(
            Case(
                "a" if (decks, table) in LISTED else "b",
                f"{decks} decks, {odds}" + ("" if (decks, table) in LISTED else ", not listed"),
                {DECKS: decks, "perfect_pairs.table": table},
                is_taken=(decks, table) in LISTED,
                known_by={DECKS: decks, **_pays(odds)},
            )
            for decks in (4, 6, 8)
            for table, odds in PAIRS.items()
        ),
    ),
    Ambiguity(
        id="AMB-48",
        about="the house's own stake in method B",
        books=("nz",),
        wager="initial",
        cases=(
            Case("a", "a payment shown ahead of time", {"war.method": "B"}, is_taken=True, known_by=STANDARD),
            Case(
                "b",
                "a further win of one unit",
                {"war.method": "B", **ONE_MORE},
                known_by=ONE_MORE,
            ),
        ),
    ),
    Ambiguity(
        id="AMB-61",
        about="the tie wager of a player who surrenders",
        books=BOOKS,
        wager="tie",
        given="always surrendering",
        cases=(
            Case("a", "it stays paid", is_taken=True),
            Case("b", "it is given up with the hand", {"payout.tie.on_win": "lose"}),
        ),
    ),
)

ACCEPTED = "it decides which wagers are accepted, and those have the same edge under each reading"
AMOUNT = "it decides for how much a wager plays, not at what odds"
INCIDENT = "it rules on an incident; a round that is dealt rightly has the same edge under each reading"

NO_EFFECT: dict[str, tuple[tuple[str, ...], str]] = {
    "AMB-14": (("ca",), "it decides who banks; bettors and bank have the same edge under each reading"),
    "AMB-15": (("ca",), ACCEPTED),
    "AMB-26": (BOOKS, ACCEPTED),
    "AMB-31": (BOOKS, ACCEPTED),
    "AMB-33": (BOOKS, AMOUNT),
    "AMB-35": (("ma",), INCIDENT),
    "AMB-36": (("ma",), INCIDENT),
    "AMB-46": (("wa",), ACCEPTED),
    "AMB-50": (("wa",), INCIDENT),
    "AMB-51": (("wa",), INCIDENT),
    "AMB-67": (BOOKS, INCIDENT),
    "AMB-69": (("ma",), ACCEPTED),
    "AMB-70": (("nz",), ACCEPTED),
    "AMB-71": (("ca",), "no fee is told; one of f per wager would add f to the edge of that wager"),
    "AMB-73": (("ma",), INCIDENT),
    "AMB-76": (("wa",), AMOUNT),
    "AMB-77": (("nz", "wa"), ACCEPTED),
    "AMB-78": (("ca",), ACCEPTED),
}
"""Ambiguities of money that change no edge: the books they are about, and why."""
