"""The shoe runs dry at each card of a round in which seven boxes go to war: the discards come back and the round ends.

The dealer does what the procedure says. The same cards from one long shoe tell what the settlement must be.
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from casinowar.cards import Card, composition, parse_card
from casinowar.engine import Event, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import Rulebook, load_rulebook
from tests.support.witness import Witness

pytestmark = pytest.mark.slow

BOXES = 7


def parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split()))


FIRST = parse_cards("Kh Ks Kd Kc Kh Ks Kd Kc")
BURNS = parse_cards("2c 3c 4c")
WAR = parse_cards("Ah 5s 9d Jc 2h As 9h 9s")
"""Against the dealer's nine: win, lose, tie, win, lose, win, tie."""
ROUND = FIRST + BURNS + WAR
LOSERS = ("p2", "p5")
DISCARDS_SHUFFLED = {
    "nz": "NZ-9.5-i",
    "wa": "WA-5.5",
    "ctg": "CTG-G6",
    "ma@1": "MA-2d6",
    "ca@1": "CA-DECK-3e",
}
"""Massachusetts and California are silent; in their first edition the leaf still named the clause that bears on it."""
BEARS_ON_IT = {"ma": "MA-2d6", "ca": "CA-DECK-3e"}
TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nz", {}),
    ("nz", {"shoe.shuffler": "batch_auto"}),
    ("nz", {"shoe.decks": 4, "war.method": "A", "shoe.cut_offered": False}),
    ("wa", {}),
    ("wa", {"shoe.midround_burn": "none"}),
    ("ctg", {}),
    ("ctg", {"shoe.short": "shuffle_discards"}),
    ("ma", {"wager.progressive": False}),
    ("ma", {"shoe.shuffler": "batch_auto", "shoe.short_discharges": False}),
    ("ca", {}),
    ("ca", {"bank.model": "revolving"}),
    ("ma@1", {"wager.progressive": False}),
    ("ca@1", {}),
)


class Dealer:
    """Deals the round from a shoe that holds so many of its cards, and then from the discards."""

    def __init__(self, rules: Rulebook, cards: int) -> None:
        self.rules = rules
        self.witness = Witness(rules)
        self.rest = ROUND[cards:]
        self.on_layout: list[Counter[Card]] = []
        self.do(c.OpenTable())
        players = [f"p{box}" for box in range(1, BOXES + 1)]
        for player in (*players, "bank"):
            self.do(c.BuyIn(player=player, amount=100_000))
        shoe = ROUND[:cards] if cards < len(ROUND) else (*ROUND, Card("6d"))
        self.do(c.ResumeTable(rounds=1, shoe_left=len(shoe)), shoe)
        if rules.bank.by == "player":
            self.do(c.AcceptBank(player="bank", box=8, stake=50_000))
        for box, player in enumerate(players, 1):
            self.do(c.PlaceWager(player=player, box=box, wager="initial", amount=1000))

    def do(self, command: c.Command, stack: tuple[Card, ...] = ()) -> list[Event]:
        done = self.witness.do(command, stack)
        assert not isinstance(done, Refusal), (command, done)
        return done

    def play(self) -> "Dealer":
        for _ in range(120):
            table = self.witness.table
            if table.round.is_over:
                return self
            if table.phase == "deciding":
                box, player = table.round.asked[0]
                self.do(c.GoToWar(player=player, box=box))
                continue
            step = procedure(self.rules, table)[0]
            if step.act == "rule":
                self.do(c.Rule(action="shuffle_discards", reason="the Pit Boss says so"))
                continue
            assert step.command is not None
            if isinstance(step.command, c.LoadShoe):
                self.do(step.command, self.discards())
            else:
                is_turned = step.turns_card
                self.do(c.Deal(cards=self.witness.left[:1], hold=True) if is_turned else step.command)
        raise AssertionError("the round does not end")

    def discards(self) -> tuple[Card, ...]:
        """All that is not in play, shuffled so that the rest of the round comes next; a deuce is burned first."""
        table = self.witness.table
        layout = Counter(
            card for box, hand in self.witness.hands.items() if box not in table.round.collected for card in hand
        )
        self.on_layout.append(layout)
        burned = (Card("2d"), Card("6c"), Card("7c")) if self.rules.shoe.midround_burn == "as_opening" else ()
        first = (*burned, *self.rest)
        others = composition(self.rules.shoe.decks) - layout
        assert Counter(first) <= others
        return (*first, *(others - Counter(first)).elements())

    @property
    def settlements(self) -> list[Event]:
        return [event for event in self.witness.log if isinstance(event, e.WagerSettled)]

    def told(self, kind: type) -> list[Any]:
        return [event for event in self.witness.log if isinstance(event, kind)]


@cache
def long_round(table: int) -> Dealer:
    """The round dealt from one long shoe, under the book and options of that place in the list."""
    book, options = TABLES[table]
    return Dealer(load_rulebook(book, options), len(ROUND)).play()


def _ids(one: object) -> str:
    return ",".join(map(str, one.values())) or "as printed" if isinstance(one, dict) else str(one)


@pytest.mark.clause(*DISCARDS_SHUFFLED.values())
@pytest.mark.parametrize("cards", range(1, len(ROUND)))
@pytest.mark.parametrize(("book", "options"), TABLES, ids=_ids)
def test_the_discards_come_back_and_the_round_goes_on(book: str, options: dict[str, Any], cards: int) -> None:
    rules = load_rulebook(book, options)
    long, dry = long_round(TABLES.index((book, options))), Dealer(rules, cards).play()
    assert not long.told(e.ShoeLoaded)
    (loaded,) = dry.told(e.ShoeLoaded)
    if book in BEARS_ON_IT:
        assert loaded.clauses == ()
    else:
        assert DISCARDS_SHUFFLED[book] in loaded.clauses
    assert loaded.cards == 52 * rules.shoe.decks - dry.on_layout[0].total()
    assert dry.settlements == long.settlements
    assert dry.witness.table.players == long.witness.table.players
    assert dry.told(e.RoundEnded)[0].hands == long.told(e.RoundEnded)[0].hands


@pytest.mark.parametrize(("book", "clause"), BEARS_ON_IT.items())
def test_where_the_book_is_silent_a_clause_is_only_seen_beside(book: str, clause: str) -> None:
    leaf = load_rulebook(book).leaves["shoe.short"]
    assert (leaf.supplied, leaf.clauses, leaf.see) == (True, (), (clause,))


@pytest.mark.parametrize(("book", "options"), TABLES, ids=_ids)
def test_who_loses_a_war_dealt_from_two_shoes_loses_both_wagers(book: str, options: dict[str, Any]) -> None:
    """1000 at first and 1000 for the war, whatever the book pays the winners."""
    dry = Dealer(load_rulebook(book, options), 10).play()
    assert [dry.witness.table.players[player] for player in LOSERS] == [98_000, 98_000]
    assert dry.witness.table.players["p1"] > 100_000


@pytest.mark.parametrize(("book", "options"), TABLES, ids=_ids)
@pytest.mark.parametrize("cards", [3, 8, 13, 18])
def test_cards_in_play_are_not_in_the_new_stack(book: str, options: dict[str, Any], cards: int) -> None:
    """All that was dealt lies on the layout; what was burned for the war lies in the rack."""
    dry = Dealer(load_rulebook(book, options), cards).play()
    dealt = ROUND[: min(cards, 8)] + ROUND[11:cards]
    assert dry.on_layout == [Counter(dealt)]


@pytest.mark.clause("WA-5.5", "WA-4.6")
@pytest.mark.parametrize("cards", range(1, len(ROUND)))
def test_wa_burns_from_the_new_stack_as_from_the_first(cards: int) -> None:
    """The card turned up is a deuce, so two more are burned."""
    dry = Dealer(load_rulebook("wa"), cards).play()
    loaded = next(at for at, event in enumerate(dry.witness.log) if isinstance(event, e.ShoeLoaded))
    after = [event for event in dry.witness.log[loaded + 1 :] if isinstance(event, e.CardBurned | e.CardDealt)]
    burns = [(event.burn, event.card) for event in after[:3] if isinstance(event, e.CardBurned)]
    assert burns == [("midround", "2d"), ("opening_value", None), ("opening_value", None)]
    war_burns = [event for event in dry.told(e.CardBurned) if event.burn == "war"]
    assert len(war_burns) == 3


@pytest.mark.clause("WA-5.5")
def test_wa_leaves_the_burn_out_where_too_few_cards_would_be_left() -> None:
    """Six boxes and the dealer wait, and of nine discards a queen is turned: her ten would leave too few."""
    rules = load_rulebook("wa")
    dealer = Dealer(rules, 1)
    dealer.do(c.Deal(cards=ROUND[:1]))
    dealer.do(c.Cut(player=cutter(rules, dealer.witness.table), position=26 * rules.shoe.decks))
    stack = (Card("Qd"), *ROUND[1:8], Card("6c"))
    dealer.do(c.LoadShoe(cards=len(stack), presumed=True), stack)
    dealer.do(c.Deal(cards=stack[:8]))
    assert [event.burn for event in dealer.told(e.BurnSkipped)] == ["opening_value"]
    assert dealer.witness.table.phase == "deciding"
