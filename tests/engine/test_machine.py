"""State machines: any command, legal or not, at a table of each book, with a witness that keeps its own accounts."""

import os
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from casinowar.cards import DECK, Card
from casinowar.engine import Refusal, Table, evolve
from casinowar.engine import commands as c
from casinowar.engine.decide.bank import candidates
from casinowar.engine.decide.betting import refuse_place
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import burn_draws, is_shuffle_due
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.legal import legal_commands
from casinowar.engine.view import Viewer, view
from casinowar.rulebooks import WAGERS, Rulebook, load_rulebook
from tests.support.legal_universe import check_listing, universe
from tests.support.witness import Witness, sound

pytestmark = pytest.mark.slow

PLAYERS = ("ana", "ben", "cat", "dan")
ANYBODY = st.sampled_from((*PLAYERS, "zoe"))
BANKERS = st.sampled_from((*PLAYERS, "zoe", "house"))
BOXES = st.one_of(st.integers(1, 3), st.integers(1, 7), st.sampled_from((0, -1, 8, 10**30)))
AMOUNTS = st.one_of(
    st.integers(1, 12).map(lambda units: units * 500),
    st.integers(1, 3000),
    st.sampled_from((0, -1, -500, 50_000, 10**9, 10**30)),
)
SIGNERS = st.one_of(
    st.none(),
    st.builds("{}:{}".format, st.sampled_from(c.ROLES), st.sampled_from((*PLAYERS, "s1"))),
)
SEEDS = st.integers(0, 2**32 - 1)
CAUSES = ("fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud")

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "nz": {
        "table.boxes": (7, 3, 1),
        "table.bettors_per_area": (3, 2, 1),
        "table.multi_box": (True, False),
        "limits.require_even": (False, True),
        "limits.area_total_max": (0, 3000),
        "limits.player_box_max": (0, 2500),
        "surrender.odd_unit": ("player", "house"),
        "war.burn": (3, 0),
        "war.method": ("B", "A"),
        "shoe.decks": (4, 5, 6, 7, 8),
        "shoe.cut_cards": (1, 2),
        "shoe.cut_offered": (True, False),
        "shoe.initial_burn": ("one_down", "none"),
    },
    "wa": {
        "table.boxes": (7, 3, 1),
        "table.bettors_per_area": (3, 2, 1),
        "table.multi_box": (True, False),
        "limits.require_even": (False, True),
        "wager.tie": (True, False),
        "wager.a_bomb": (True, False),
        "wager.perfect_pairs": (True, False),
        "surrender.odd_unit": ("player", "house"),
        "shoe.decks": (4, 6, 8),
        "shoe.round_burn": (0, 1),
        "shoe.midround_burn": ("as_opening", "none"),
    },
    "ctg": {
        "table.boxes": (7, 3, 1),
        "limits.require_even": (False, True),
        "surrender.odd_unit": ("player", "house"),
        "payout.war_odds": ("literal", "standard"),
        "shoe.cutter_rule": ("any_seated", "first_seated", "last_cut_card"),
        "shoe.short": ("pit_boss", "shuffle_discards"),
        "burn.due": ("when_loaded", "at_deal"),
    },
    "ma": {
        "table.boxes": (7, 3, 1),
        "limits.require_even": (False, True),
        "wager.progressive": (True, True, False),
        "wager.match_play": (False, True),
        "wager.locked": ("when_placed", "at_close"),
        "surrender.odd_unit": ("player", "house"),
        "war.exempt": (True, False),
        "progressive.seed": (1_000_000, 0, 777),
        "progressive.increment_bp": (1000, 33, 0, 10_000),
        "progressive.envy_base": ("recipient", "hitter"),
        "progressive.stake_returned": (False, True),
        "progressive.suited_four": ("identical", "suited_ties"),
        "progressive.suited_double": ("suited_ties", "one_suit"),
        "progressive.lines": ("highest", "cumulative"),
        "progressive.on_surrender": ("first_cards", "lost"),
        "progressive.hitters": ("split", "full_each"),
        "shoe.decks": (6, 7, 8),
        "shoe.shuffler": ("manual", "batch_auto"),
        "shoe.cut_by": ("players", "dealer"),
        "shoe.cut_first_card": ("finish_round", "shuffle_now"),
        "shoe.short_discharges": (True, False),
        "ma.face_up_scope": ("round", "shoe"),
    },
    "ca": {
        "table.bettors_per_area": (0, 3, 2, 1),
        "table.backline": (True, False),
        "limits.require_even": (False, True),
        "wager.war_tie": (False, True),
        "surrender.odd_unit": ("player", "house"),
        "war.burn_before_banker": (0, 3),
        "war.exempt": (True, False),
        "bank.model": ("covered", "payoff_cap", "revolving", "action_cap"),
        "bank.after_exhaustion": ("return_all", "collect_losers"),
        "shoe.decks": (6, 7, 8),
        "shoe.cut_first_card": ("finish_round", "shuffle_now"),
        "shoe.short_discharges": (True, False),
    },
}
LIMITS = (
    c.Limit(),
    c.Limit(minimum=500, maximum=5000, unit=500),
    c.Limit(minimum=300, maximum=5000, unit=250),
)


@cache
def book_with(book: str, *options: tuple[str, Any]) -> Rulebook:
    return load_rulebook(book, sound(dict(options)))


def stack_of(seed: int, length: int, ranks: int) -> tuple[Card, ...]:
    """A stack of few ranks, so that wars are frequent, with a last card that lies nowhere else in it."""
    chance = random.Random(seed)
    chosen = chance.sample("23456789TJQK", ranks)
    pool = [card for card in DECK if card[0] in chosen] * 2
    return (*chance.sample(pool, min(length, len(pool))), Card("A" + chance.choice("cdhs")))


STACKS = st.builds(
    stack_of,
    SEEDS,
    st.one_of(st.integers(0, 10), st.integers(10, 60)),
    st.integers(1, 8),
)
CUTS = st.one_of(st.none(), st.integers(0, 12), st.integers(0, 60))


SPOTS: dict[str, st.SearchStrategy[Any]] = {"player": ANYBODY, "box": BOXES, "wager": st.sampled_from(WAGERS)}
COMMANDS: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.PlaceWager, **SPOTS, amount=AMOUNTS, called=st.booleans(), by=SIGNERS),
    st.builds(c.AmendWager, **SPOTS, amount=AMOUNTS, by=SIGNERS),
    st.builds(c.WithdrawWager, **SPOTS, by=SIGNERS),
    st.builds(c.NoMoreBets, by=SIGNERS),
    st.builds(c.GoToWar, player=ANYBODY, box=BOXES, by=SIGNERS),
    st.builds(c.Surrender, player=ANYBODY, box=BOXES, reason=st.sampled_from(("", "absent")), by=SIGNERS),
    st.builds(c.Cut, player=st.one_of(st.none(), ANYBODY), position=st.integers(-5, 420), by=SIGNERS),
    st.builds(c.DeclineCut, player=ANYBODY, by=SIGNERS),
    st.builds(c.SeatPlayer, player=ANYBODY, box=BOXES, by=SIGNERS),
    st.builds(c.VacateSeat, player=ANYBODY, by=SIGNERS),
    st.builds(c.GrantMultiBox, player=ANYBODY, boxes=BOXES, by=SIGNERS),
    st.builds(c.RevokeMultiBox, player=ANYBODY, by=SIGNERS),
    st.builds(c.BuyIn, player=ANYBODY, amount=st.sampled_from((0, -1, 500, 25_000)), by=SIGNERS),
    st.builds(c.SupervisorShuffle, reason=st.sampled_from(("vacant", "suspect", "discretion")), by=SIGNERS),
    st.builds(c.ReplaceCards, cards=st.lists(st.sampled_from(DECK), max_size=2).map(tuple), by=SIGNERS),
    st.builds(c.ChangeDealer, dealer=st.just("d2"), by=SIGNERS),
    st.builds(c.InvalidateRound, cause=st.sampled_from(CAUSES), by=SIGNERS),
    st.builds(c.AcceptBank, player=BANKERS, box=BOXES, stake=AMOUNTS, by=SIGNERS),
    st.builds(c.DeclineBank, player=BANKERS, by=SIGNERS),
    st.builds(c.RelinquishBank, player=BANKERS, by=SIGNERS),
)


class TableMachine(RuleBasedStateMachine):
    """Chance, players and staff at one table. Every command goes through the witness, who checks what comes of it."""

    book = ""

    @initialize(data=st.data(), limit=st.sampled_from(LIMITS), tie=st.sampled_from((None, *LIMITS)))
    def open(self, data: st.DataObject, limit: c.Limit, tie: c.Limit | None) -> None:
        options = [(key, data.draw(st.sampled_from(values), key)) for key, values in OPTIONS[self.book].items()]
        self.witness = Witness(book_with(self.book, *options))
        self.do(c.OpenTable(limit=limit, limits={"tie": tie} if tie else {}))
        for player, balance in zip(PLAYERS, (100_000, 20_000, 2_000, 0), strict=True):
            self.do(c.BuyIn(player=player, amount=balance))
        if data.draw(st.booleans(), "in the middle of a shoe"):
            stack = data.draw(STACKS)
            cut = data.draw(st.one_of(st.none(), st.integers(0, len(stack))))
            self.witness.do(c.ResumeTable(rounds=3, shoe_left=len(stack), cut_in=cut, dealer_burns=1), stack)

    @property
    def table(self) -> Table:
        return self.witness.table

    @property
    def rulebook(self) -> Rulebook:
        return self.witness.rules

    def do(self, command: c.Command) -> bool:
        return not isinstance(self.witness.do(command), Refusal)

    def teardown(self) -> None:
        """The whole story, folded from an empty table, gives the live table."""
        if hasattr(self, "witness"):
            table = Table()
            for event in self.witness.log:
                table = evolve(table, event)
            assert table == self.table

    @invariant()
    def show_places(self) -> None:
        """A player is shown a place for an open wager where it is refused at most for the want of an initial wager."""
        for player in PLAYERS if hasattr(self, "witness") else ():
            seen = view(self.rulebook, self.table, Viewer("player", player))
            wagers: tuple[Any, ...] = seen.open_wagers
            for box in seen.boxes:
                placed = [c.PlaceWager(player=player, box=box.box, wager=w, amount=1) for w in wagers]
                refusals = [refuse_place(self.rulebook, self.table, command) for command in placed]
                assert box.open_wagers == tuple(
                    command.wager
                    for command, refusal in zip(placed, refusals, strict=True)
                    if refusal is None or refusal.reason == "initial_required"
                )

    @rule(
        roll=st.integers(0, 99),
        player=st.sampled_from(PLAYERS[:3]),
        box=st.integers(1, 7),
        wager=st.sampled_from(("initial", "initial", "initial", "tie", "a_bomb", "perfect_pairs")),
        units=st.integers(1, 6),
        stack=STACKS,
        cut=CUTS,
        stop=st.one_of(st.none(), st.none(), st.integers(1, 9)),
    )
    def go_on(
        self,
        roll: int,
        player: str,
        box: int,
        wager: Any,
        units: int,
        stack: tuple[Card, ...],
        cut: int | None,
        stop: int | None,
    ) -> None:
        """What usually comes next at a table."""
        box = 1 + box % self.rulebook.table.boxes
        if self.rulebook.bank.by == "player" and self.table.phase == "betting" and self.table.bank is None:
            self.offer_bank(roll, player, box, 350 * units)
        if self.table.bank and self.table.bank.player == player:
            player = next(other for other in PLAYERS if other != player)
        match self.table.phase:
            case "betting" if roll < 50 or self.table.round.is_over:
                self.do(c.PlaceWager(player=player, box=box, wager=wager, amount=500 * units))
            case "betting" if roll < 60:
                self.change(roll, None if units == 1 else 500 * units)
            case "deciding" if roll < 75:
                self.choose(roll, goes=units > 2)
            case "deciding" | "war_betting" if roll < 90:
                war_deal: Any = "war_tie" if self.rulebook.wager.war_tie else "war_perfect_pairs"
                self.do(c.PlaceWager(player=player, box=box, wager=war_deal, amount=500 * units))
            case _:
                self.deal(stack, cut, stop, sealed=roll)

    def offer_bank(self, roll: int, player: str, box: int, stake: int) -> None:
        """To whoever is next, who mostly takes it: at their seat, with a stake that is soon used up."""
        offered = candidates(self.rulebook, self.table)
        if self.table.bank_turn is None:
            self.do(c.AcceptBank(player=player, box=box, stake=stake))
        elif offered:
            seat = next(at for at, who in self.table.seats.items() if who == offered[0])
            is_declined = roll < 15 or not self.do(c.AcceptBank(player=offered[0], box=seat, stake=stake))
            if is_declined:
                self.do(c.DeclineBank(player=offered[0]))
        else:
            self.do(c.SeatPlayer(player=player, box=box))

    def deal(self, stack: tuple[Card, ...], cut: int | None, stop: int | None, sealed: int) -> None:
        """Go on as far as the cards reach, with a new stack where one is due. Some card nobody looks at."""
        if is_shuffle_due(self.table) and not self.load(stack, cut):
            return
        count = cards_due(self.rulebook, self.table)
        count = count if stop is None else min(count, stop)
        cards = tuple(None if sealed % 16 == i else card for i, card in enumerate(self.witness.left[:count]))
        if not self.do(c.Deal(cards=cards, hold=stop is not None)):
            self.do(c.Deal(cards=self.witness.left[:count], hold=stop is not None))

    def load(self, stack: tuple[Card, ...], cut: int | None) -> bool:
        if self.rulebook.shoe.cut_offered and not self.table.cut_made:
            assert self.do(c.Cut(player=cutter(self.rulebook, self.table), position=26 * self.rulebook.shoe.decks))
        stack = self.witness.possible(stack)
        cut = None if cut is None else min(cut, len(stack))
        load = c.LoadShoe(cards=len(stack), cut_card=cut, presumed=True)
        return not isinstance(self.witness.do(load, stack), Refusal)

    def choose(self, index: int, *, goes: bool) -> None:
        asked = self.table.round.asked
        box, player = asked[index % len(asked)]
        self.do(c.GoToWar(player=player, box=box) if goes else c.Surrender(player=player, box=box))

    def change(self, index: int, amount: int | None) -> None:
        spots: list[tuple[int, Any, str]] = sorted(self.table.round.wagers)
        if spots:
            box, wager, player = spots[index % len(spots)]
            spot = {"player": player, "box": box, "wager": wager}
            self.do(c.WithdrawWager(**spot) if amount is None else c.AmendWager(**spot, amount=amount))

    @rule(command=COMMANDS)
    def ask(self, command: c.Command) -> None:
        """What people try, whether it is theirs to do or not."""
        self.do(command)

    @rule(seed=st.integers(0, 999))
    def list_what_is_legal(self, seed: int) -> None:
        """All that is listed is accepted at both bounds of its amount, and nothing else of many commands is."""
        listed = legal_commands(self.rulebook, self.table, staff=True)
        check_listing(self.rulebook, self.table, listed, universe(self.rulebook, self.table, seed, each=1))

    @rule(exposed=st.booleans(), by=SIGNERS)
    def draw_in_error(self, exposed: bool, by: str | None) -> None:
        card = self.witness.left[0] if exposed and self.witness.left else None
        self.do(c.ReportExtraDraw(exposed=exposed, card=card, by=by))

    @rule(count=st.integers(0, 20), hold=st.booleans(), by=SIGNERS)
    def deal_some(self, count: int, hold: bool, by: str | None) -> None:
        self.do(c.Deal(cards=self.witness.left[:count], hold=hold, by=by))

    @rule(count=st.integers(0, 12), by=SIGNERS)
    def burn_some(self, count: int, by: str | None) -> None:
        burns = burn_draws(self.rulebook, self.table)
        self.do(c.InitialBurn(cards=self.witness.left[: min(count, len(burns))], by=by))

    @rule(stack=STACKS, cut=CUTS, by=SIGNERS)
    def load_some(self, stack: tuple[Card, ...], cut: int | None, by: str | None) -> None:
        stack = self.witness.possible(stack)
        self.witness.do(c.LoadShoe(cards=len(stack), cut_card=cut, by=by), stack)

    @rule(stack=STACKS)
    def open_again(self, stack: tuple[Card, ...]) -> None:
        assert not self.do(c.OpenTable())
        if self.table.round.number:
            assert isinstance(self.witness.do(c.ResumeTable(shoe_left=len(stack)), stack), Refusal)


class NewZealand(TableMachine):
    book = "nz"


class WesternAustralia(TableMachine):
    book = "wa"


class CasinoToGo(TableMachine):
    book = "ctg"


class Massachusetts(TableMachine):
    """With the progressive or without, coupons beside initial wagers, and cards that lie face up."""

    book = "ma"

    @rule(
        player=st.sampled_from(PLAYERS[:3]),
        box=st.integers(1, 3),
        units=st.integers(1, 4),
        coupon=st.sampled_from((0, 0, 300, -1)),
        off=st.sampled_from((0, 0, 0, 1)),
    )
    def bet_on_the_progressive(self, player: str, box: int, units: int, coupon: int, off: int) -> None:
        self.do(c.PlaceWager(player=player, box=box, wager="initial", amount=500 * units, coupon=coupon))
        self.do(c.PlaceWager(player=player, box=box, wager="progressive", amount=500 * units + off))

    @rule(stack=st.sampled_from(("Kh", "Kh Ks", "7h Kh")), boxes=st.integers(1, 3), cut=CUTS, seed=SEEDS)
    def play_for_a_jackpot(self, stack: str, boxes: int, cut: int | None, seed: int) -> None:
        """A round from a stack of one or two cards, with everybody going to war: many of them win the meter."""
        for box, player in enumerate(PLAYERS[:boxes], 1):
            self.bet_on_the_progressive(player, box, 1, 0, 0)
        pool = [Card(card) for card in stack.split()] * self.rulebook.shoe.decks
        cards = tuple(random.Random(seed).sample(pool, len(pool)))
        for _ in range(12):
            if self.table.phase == "deciding":
                self.choose(0, goes=True)
            elif not self.table.round.is_over:
                self.deal((*cards, Card("As")), cut, None, sealed=99)

    @rule(by=SIGNERS)
    def find_a_card_face_up(self, by: str | None) -> None:
        self.do(c.ReportFaceUpCard(card=self.witness.left[0] if self.witness.left else None, by=by))


class California(TableMachine):
    book = "ca"


IS_SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
PROFILE = settings(
    max_examples=3000 if IS_SOAK else 60,
    stateful_step_count=150 if IS_SOAK else 60,
    deadline=None,
    derandomize=not IS_SOAK,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.target, Phase.shrink),
)
TestNewZealand = NewZealand.TestCase
TestNewZealand.settings = PROFILE
TestWesternAustralia = WesternAustralia.TestCase
TestWesternAustralia.settings = PROFILE
TestCasinoToGo = CasinoToGo.TestCase
TestCasinoToGo.settings = PROFILE
TestMassachusetts = Massachusetts.TestCase
TestMassachusetts.settings = PROFILE
TestCalifornia = California.TestCase
TestCalifornia.settings = PROFILE


# Cases that the machines came upon, told out.


def table_of(book: str, *steps: tuple[c.Command, tuple[Card, ...]]) -> Witness:
    witness = Witness(load_rulebook(book))
    witness.do(c.OpenTable())
    witness.do(c.BuyIn(player="ana", amount=100_000))
    for command, stack in steps:
        assert not isinstance(witness.do(command, stack), Refusal), command
    return witness


ACE = (Card("As"),)
BET: tuple[c.Command, tuple[Card, ...]] = (c.PlaceWager(player="ana", box=1, wager="initial", amount=500), ())


@pytest.mark.parametrize("cut_card", [-1, 2])
def test_no_cutting_card_outside_the_stack(cut_card: int) -> None:
    witness = table_of("nz", (c.Cut(position=156), ()))
    assert isinstance(witness.do(c.LoadShoe(cards=1, cut_card=cut_card), ACE), Refusal)


@pytest.mark.clause("NZ-7.1c", "NZ-9.3-i")
def test_a_discard_from_behind_the_cutting_card_shows_it() -> None:
    """The card drawn in error lay behind the cutting card: that one is out too, and the cards are shuffled."""
    stack = (Card("2c"), Card("3c"))
    witness = table_of("nz", (c.ResumeTable(shoe_left=2, cut_in=0), stack))
    witness.do(c.ReportExtraDraw(exposed=True, card=Card("2c")))
    assert (witness.table.cut_in, witness.table.shoe_left) == (None, 1)
    assert is_shuffle_due(witness.table)


def test_a_card_held_from_the_old_shoe_is_forgotten_with_it() -> None:
    """It was next in a shoe that was then shuffled away, so its face must not wait for the new one."""
    witness = table_of(
        "wa",
        (c.ResumeTable(shoe_left=1), ACE),
        (c.ReplaceCards(), ()),
        (c.ReportExtraDraw(exposed=True, card=ACE[0]), ()),
        (c.Cut(position=156), ()),
        (c.PlaceMarker(from_back=78), ()),
        (c.LoadShoe(cards=2, presumed=True), (Card("2c"), Card("3c"))),
    )
    assert witness.table.held is None


@pytest.mark.clause("NZ-7.1b")
def test_the_betting_opens_again_when_the_cutting_card_comes_first() -> None:
    """The wagers stay where they are, and until the next call they may be changed (AMB-21)."""
    stack = (Card("2c"), Card("3c"))
    witness = table_of("nz", (c.ResumeTable(shoe_left=2, cut_in=0), stack), BET, (c.NoMoreBets(), ()), (c.Deal(), ()))
    assert is_shuffle_due(witness.table)
    assert witness.table.escrow == 500
    assert not isinstance(witness.do(c.WithdrawWager(player="ana", box=1, wager="initial")), Refusal)
    assert witness.table.escrow == 0


def test_a_table_whose_only_wager_was_withdrawn_is_between_rounds() -> None:
    withdrawn: tuple[c.Command, tuple[Card, ...]] = (c.WithdrawWager(player="ana", box=1, wager="initial"), ())
    witness = table_of("nz", (c.ResumeTable(shoe_left=1), ACE), BET, withdrawn)
    assert not isinstance(witness.do(c.SupervisorShuffle(reason="suspect")), Refusal)
    assert is_shuffle_due(witness.table)
