"""Incidents at every point of a round, at a table of each book: the round ends, and no chip and no card is lost.

A plan is drawn: who bets what, from which stacks, and what goes wrong after how many acts. Playing it is then
determined, and the details of an incident (which box, which signature) come from its own seed.
"""

import os
import random
from collections.abc import Callable
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casinowar.cards import DECK, Card
from casinowar.engine import Refusal, Table, evolve
from casinowar.engine import commands as c
from casinowar.engine.commands import incidents as trouble
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import burn_draws, is_shuffle_due
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.shoe import cutter
from casinowar.rulebooks import Rulebook, load_rulebook
from tests.support.witness import Witness, sound

pytestmark = pytest.mark.slow

PLAYERS = ("ana", "ben", "cat", "dan")
BALANCES = (100_000, 20_000, 6_000, 3_000)
WAGERS: tuple[c.WagerName, ...] = get_args(c.WagerName)
MOST_ACTS = 250
"""No round needs more: three wars' worth of single cards and single payments at seven boxes."""

READINGS: dict[str, dict[str, tuple[Any, ...]]] = {
    "nz": {
        "shoe.shuffler": ("manual", "batch_auto", "continuous"),
        "shoe.decks": (4, 6),
        "table.multi_box": (True, False),
        "war.method": ("B", "A"),
        "war.burn": (3, 0),
        "irreg.missed_offer": ("rewind", "discard"),
        "irreg.void_scope": ("open", "all"),
        "shoe.initial_burn": ("one_down", "none"),
    },
    "wa": {
        "shoe.shuffler": ("manual", "continuous"),
        "shoe.decks": (4, 8),
        "table.multi_box": (True, False),
        "wager.a_bomb": (True, False),
        "wager.perfect_pairs": (True, False),
        "shoe.round_burn": (0, 1),
        "shoe.midround_burn": ("as_opening", "none"),
        "irreg.void_scope": ("open", "all"),
        "irreg.contravention": ("refund", "forfeit"),
        "irreg.contravention_scope": ("all", "open"),
        "irreg.wrong_wager_until": ("settlement", "war"),
        "limits.partnership": ("area", "layout"),
        "priority.full": ("gives_way", "refused"),
        "irreg.invalidate_scope": ("all", "open"),
    },
    "ctg": {
        "payout.war_odds": ("literal", "standard"),
        "shoe.cut_first_card": ("finish_round", "shuffle_now"),
        "irreg.void_scope": ("open", "all"),
    },
    "ma": {
        "shoe.shuffler": ("manual", "batch_auto"),
        "wager.progressive": (True, False),
        "wager.match_play": (False, True),
        "progressive.hitters": ("split", "full_each"),
        "progressive.on_surrender": ("first_cards", "lost"),
        "shoe.cut_first_card": ("finish_round", "shuffle_now"),
        "shoe.short_discharges": (True, False),
        "ma.face_up_scope": ("round", "shoe"),
        "irreg.exposed_extra": ("burn", "forward", "dealer_next"),
        "irreg.void_scope": ("open", "all"),
    },
    "ca": {
        "wager.war_tie": (False, True),
        "war.burn_before_banker": (0, 3),
        "bank.model": ("covered", "payoff_cap", "revolving", "action_cap"),
        "bank.after_exhaustion": ("return_all", "collect_losers"),
        "shoe.cut_first_card": ("finish_round", "shuffle_now"),
        "irreg.void_scope": ("open", "all"),
    },
}


class Bet(msgspec.Struct, frozen=True):
    player: str
    box: int
    wager: Any
    amount: int


class Trouble(msgspec.Struct, frozen=True):
    """What goes wrong after so many acts of the dealer and the players."""

    after: int
    kind: str
    seed: int


class Plan(msgspec.Struct, frozen=True):
    options: tuple[tuple[str, Any], ...]
    bets: tuple[Bet, ...]
    troubles: tuple[Trouble, ...]
    stake: int
    ranks: int
    cards: int
    cut: int | None
    seed: int


def _signed(kind: Any, w: Witness, chance: random.Random, **fields: Any) -> c.Command:
    """The command, mostly with the entitled people presumed or named; now and then by somebody who may not."""
    by = chance.choice((*(None,) * 6, "supervisor:s1", "operator:o1", "operator:o1", "dealer:d1", "player:ana"))
    names = {field.name for field in msgspec.structs.fields(kind)}
    if "second" in names:
        fields["second"] = chance.choice((None, None, "supervisor:s2", "operator:o2", "supervisor:s1", "player:ben"))
    command: c.Command = kind(**fields, by=by)
    return command


def _box(w: Witness, chance: random.Random) -> int:
    boxes = w.table.round.boxes
    return chance.choice(boxes) if boxes and chance.random() < 0.9 else chance.randint(0, w.rules.table.boxes + 1)


def _player(w: Witness, chance: random.Random) -> str:
    who = sorted({player for _, _, player in w.table.round.wagers})
    return chance.choice(who) if who and chance.random() < 0.9 else chance.choice((*PLAYERS, "zoe"))


def _next_card(w: Witness) -> Card | None:
    return w.left[0] if w.left else None


def _extra_draw(w: Witness, chance: random.Random) -> c.Command:
    exposed = chance.random() < 0.6
    action = chance.choice((None, None, *get_args(c.Delivery)))
    card = _next_card(w) if exposed else None
    return _signed(c.ReportExtraDraw, w, chance, exposed=exposed, card=card, action=action)


def _misdelivered(w: Witness, chance: random.Random) -> c.Command:
    last = w.table.last
    box = last if last and chance.random() < 0.8 else _box(w, chance)
    return _signed(c.ReportMisdelivered, w, chance, box=box, action=chance.choice(get_args(c.Delivery)))


def _missed_hand(w: Witness, chance: random.Random) -> c.Command:
    due = [draw for draw in w.table.queue if isinstance(draw, int)]
    return _signed(c.ReportMissedHand, w, chance, box=chance.choice(due) if due else _box(w, chance))


def _missed_offer(w: Witness, chance: random.Random) -> c.Command:
    round_ = w.table.round
    if w.table.phase == "deciding":
        box, player = chance.choice(round_.asked)
        cards = chance.randint(0, min(3, len(w.left)))
        return _signed(c.ReportMissedOffer, w, chance, player=player, box=box, cards=cards, faces=w.left[:cards])
    wars = [(box, player) for box, wager, player in round_.wagers if wager == "war"] or [(1, "ana")]
    box, player = chance.choice(wars)
    burns, boxes = w.rules.war.burn + w.rules.war.burn_before_banker, len(round_.at_war) + 1
    cards = max(0, burns + boxes - len(w.table.queue)) if chance.random() < 0.8 else chance.randint(0, 5)
    return _signed(c.ReportMissedOffer, w, chance, player=player, box=box, cards=cards)


def _wrong_wager(w: Witness, chance: random.Random) -> c.Command:
    spots: list[tuple[int, Any, str]] = list(w.table.round.wagers) or [(1, "initial", "ana")]
    box, wager, player = chance.choice(spots)
    amount = chance.choice((100, 500, 750, 1000, 1501, 2500, 50_000))
    return _signed(c.ReportWager, w, chance, player=player, box=box, wager=wager, amount=amount)


def _reconstruct(w: Witness, chance: random.Random) -> c.Command:
    places = [*w.table.round.hands] or [1]
    moves = [
        c.Move(origin=chance.choice(places), to=chance.choice((*places, -1, *w.table.round.boxes)))
        for _ in range(chance.randint(1, 2))
    ]
    return _signed(c.Reconstruct, w, chance, moves=tuple(moves))


def _rule(w: Witness, chance: random.Random) -> c.Command:
    box = chance.choice((None, None, _box(w, chance)))
    reason = chance.choice(("as the camera shows", "as the camera shows", ""))
    return _signed(c.Rule, w, chance, action=chance.choice(get_args(c.Action)), reason=reason, box=box)


def _correct_card(w: Witness, chance: random.Random) -> c.Command:
    return _signed(c.CorrectCard, w, chance, card=chance.choice(DECK))


def _damaged(w: Witness, chance: random.Random) -> c.Command:
    on_layout = [card for hand in w.table.round.hands.values() for card in hand]
    return _signed(c.ReportDamagedCard, w, chance, card=chance.choice((None, *on_layout)))


def _simple(kind: Any) -> Callable[[Witness, random.Random], c.Command]:
    return lambda w, chance: _signed(kind, w, chance)


def _void_hand(w: Witness, chance: random.Random) -> c.Command:
    reason = chance.choice(("", "two cards on the box"))
    return _signed(c.VoidHand, w, chance, box=_box(w, chance), decided=chance.random() < 0.5, reason=reason)


def _war_bet(w: Witness, chance: random.Random) -> c.Command:
    """Somebody, at war or not, bets on the cards of a war, or changes what lies there."""
    wager: Any = "war_tie" if w.rules.wager.war_tie else "war_perfect_pairs"
    spots = [where for where in w.table.round.wagers if where[1] == wager]
    if spots and chance.random() < 0.4:
        box, _, player = chance.choice(spots)
        if chance.random() < 0.5:
            return c.WithdrawWager(player=player, box=box, wager=wager)
        return c.AmendWager(player=player, box=box, wager=wager, amount=500 * chance.randint(1, 25))
    box, player = chance.choice([*w.table.round.at_war, 1]), chance.choice(PLAYERS)
    return c.PlaceWager(player=player, box=box, wager=wager, amount=500 * chance.randint(1, 25))


TROUBLES: dict[str, Callable[[Witness, random.Random], c.Command]] = {
    "face_up": lambda w, chance: _signed(c.ReportFaceUpCard, w, chance, card=_next_card(w)),
    "extra_draw": _extra_draw,
    "misdelivered": _misdelivered,
    "missed_hand": _missed_hand,
    "missed_offer": _missed_offer,
    "forgotten_burn": _simple(c.ReportForgottenBurn),
    "missing_cut_card": _simple(c.ReportMissingCutCard),
    "missed_shuffle": _simple(c.ReportMissedShuffle),
    "exposed_before_shoe": _simple(c.ReportExposedBeforeShoe),
    "shuffler_fault": lambda w, chance: _signed(
        c.ReportShufflerFault, w, chance, boxes=tuple({_box(w, chance) for _ in range(chance.randint(0, 2))})
    ),
    "damaged": _damaged,
    "wrong_wager": _wrong_wager,
    "reconstruct": _reconstruct,
    "void_hand": _void_hand,
    "void_player": lambda w, chance: _signed(c.VoidPlayer, w, chance, player=_player(w, chance), reason="a sleeve"),
    "void_round": lambda w, chance: _signed(c.VoidRound, w, chance, reason=chance.choice(("", "cards on the floor"))),
    "invalidate": lambda w, chance: _signed(
        c.InvalidateRound,
        w,
        chance,
        cause=chance.choice(("fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud")),
    ),
    "release": lambda w, chance: _signed(
        c.ReleasePlayers, w, chance, players=tuple({_player(w, chance) for _ in range(2)})
    ),
    "rule": _rule,
    "contravention": lambda w, chance: _signed(
        c.ReportContravention, w, chance, player=_player(w, chance), reason="a late wager"
    ),
    "exclude": lambda w, chance: _signed(c.ExcludePlayer, w, chance, player=_player(w, chance)),
    "partnership": lambda w, chance: _signed(c.FlagPartnership, w, chance, players=("ana", "ben")),
    "correct_card": _correct_card,
    "change_dealer": lambda w, chance: _signed(c.ChangeDealer, w, chance, dealer="d2"),
    "tick": lambda w, chance: _signed(c.Tick, w, chance, seconds=chance.choice((1, 700, 1800))),
    "supervisor_shuffle": lambda w, chance: _signed(
        c.SupervisorShuffle, w, chance, reason=chance.choice(("vacant", "suspect", "discretion"))
    ),
    "replace_cards": lambda w, chance: _signed(c.ReplaceCards, w, chance, cards=chance.choice(((), (Card("2c"),)))),
    "show_cut_card": _simple(c.ShowCutCard),
    "vacate_seat": lambda w, chance: c.VacateSeat(player=_player(w, chance)),
    "end_round": _simple(c.EndRound),
    "settle": lambda w, chance: _signed(c.Settle, w, chance, wagers=chance.choice((None, 1))),
    "war_bet": _war_bet,
}
RARE = (
    "void_player",
    "correct_card",
    "misdelivered",
    "misdelivered",
    "missed_offer",
    "missed_offer",
    "reconstruct",
    "reconstruct",
)
"""What needs the right moment is tried more often."""
VOIDS = (c.VoidHand, c.VoidPlayer, c.VoidRound, c.InvalidateRound, c.ReleasePlayers)


def test_every_command_of_an_incident_is_among_the_troubles() -> None:
    witness = Witness(load_rulebook("nz"))
    kinds = {type(make(witness, random.Random(0))) for make in TROUBLES.values()}
    told = {kind for kind in vars(trouble).values() if isinstance(kind, type) and kind.__module__ == trouble.__name__}
    assert len(told) > 15
    assert told - {c.Move} <= kinds


@cache
def _book(book: str, options: tuple[tuple[str, Any], ...]) -> Rulebook:
    return load_rulebook(book, dict(options))


def plans(book: str) -> st.SearchStrategy[Plan]:
    keys = tuple(READINGS[book])
    drawn = st.tuples(*map(st.sampled_from, READINGS[book].values()))
    options = drawn.map(lambda found: tuple(sound(dict(zip(keys, found, strict=True))).items()))
    sides = [wager for wager in WAGERS if wager not in ("initial", "war")]
    bet = st.builds(
        Bet,
        player=st.sampled_from(PLAYERS),
        box=st.integers(1, 4),
        wager=st.sampled_from(["initial"] * 6 + sides),
        amount=st.sampled_from(range(500, 3001, 500)),
    )
    troubles = st.builds(
        Trouble,
        after=st.integers(0, 16),
        kind=st.sampled_from((*sorted(TROUBLES), *RARE, "release")),
        seed=st.integers(0, 2**20),
    )
    return st.builds(
        Plan,
        options=options,
        bets=st.lists(bet, min_size=1, max_size=9).map(tuple),
        troubles=st.lists(troubles, min_size=1, max_size=4).map(tuple),
        stake=st.sampled_from((4000, 1500, 20_000)),
        ranks=st.integers(1, 4),
        cards=st.one_of(st.integers(1, 14), st.integers(20, 60)),
        cut=st.one_of(st.none(), st.integers(0, 12)),
        seed=st.integers(0, 2**20),
    )


class Floor:
    """A table where a plan is played: the dealer, the players, and whoever rules."""

    def __init__(self, book: str, plan: Plan) -> None:
        self.plan = plan
        self.chance = random.Random(plan.seed)
        self.witness = Witness(_book(book, plan.options))
        self.do(c.OpenTable(limit=c.Limit(minimum=500, maximum=10_000, unit=250)))
        for player, balance in zip(PLAYERS, BALANCES, strict=True):
            self.do(c.BuyIn(player=player, amount=balance))

    @property
    def table(self) -> Table:
        return self.witness.table

    def do(self, command: c.Command, stack: tuple[Card, ...] = ()) -> bool:
        return not isinstance(self.witness.do(command, stack), Refusal)

    def stack(self) -> tuple[Card, ...]:
        """Few ranks, so that there are wars, from as many decks as the table has, less what lies on the layout."""
        rules = self.witness.rules
        ranks = self.chance.sample("23456789TJQKA", self.plan.ranks)
        cards = [card for card in DECK if card[0] in ranks] * rules.shoe.decks
        others = [card for card in DECK if card[0] not in ranks]
        stack = (*self.chance.sample(cards, min(len(cards), self.plan.cards)), *self.chance.sample(others, 4))
        return self.witness.possible(stack)

    def bet(self) -> None:
        """The wagers of a round; where a player banks, somebody first takes the bank."""
        if self.witness.rules.bank.by == "player":
            for box, player in enumerate(PLAYERS, 1):
                if player not in self.table.seats.values():
                    self.do(c.SeatPlayer(player=player, box=box + 4))
            for box, player in list(self.table.seats.items()):
                is_taken = self.table.bank is not None
                is_taken = is_taken or self.do(c.AcceptBank(player=player, box=box, stake=self.plan.stake))
                if not is_taken:
                    self.do(c.DeclineBank(player=player))
        for one in self.plan.bets:
            self.do(c.PlaceWager(player=one.player, box=one.box, wager=one.wager, amount=one.amount))

    @property
    def is_over(self) -> bool:
        return self.table.phase == "betting" and (self.table.round.is_over or not self.table.round.wagers)

    def go_on(self) -> None:
        """The next act of the round. It is never refused."""
        table, rules = self.table, self.witness.rules
        if table.incident is not None:
            assert self._rule()
        elif table.phase == "deciding":
            if self.table.round.at_war and self.chance.random() < 0.3:
                self._bet_on_the_war()
            assert self._choose()
        elif is_shuffle_due(table):
            assert self._load()
        elif burns := burn_draws(rules, table):
            assert self.do(c.InitialBurn(cards=self.witness.left[: len(burns)]))
        elif table.phase == "dealing" and not table.queue and self.chance.random() < 0.5:
            assert self.do(c.Settle(wagers=1)) or self.do(c.EndRound())
        elif table.phase == "war_betting" and self.chance.random() < 0.3 and self._bet_on_the_war():
            pass
        else:
            count = cards_due(rules, table)
            is_whole = self.chance.random() < 0.2
            cards = self.witness.left[: count if is_whole else min(count, 1)]
            assert self.do(c.Deal(cards=cards, hold=not is_whole))

    @property
    def usual_ruling(self) -> c.Action:
        """What lets the round go on."""
        is_dry = self.table.incident is not None and self.table.incident.kind == "short_shoe"
        return "shuffle_discards" if is_dry else "stand"

    def _rule(self) -> bool:
        usual = self.usual_ruling
        voids: tuple[c.Action, ...] = ("void_round", "void_hand")
        action = self.chance.choice(voids) if self.chance.random() < 0.3 else usual
        box = next(iter(self.table.round.boxes), None)
        return self.do(c.Rule(action=action, reason="seen by all", box=box)) or self.do(
            c.Rule(action=usual, reason="nothing to void")
        )

    def _choose(self) -> bool:
        is_in_turn = self.witness.rules.decision.order != "any"
        asked = self.table.round.asked
        box, player = asked[0] if is_in_turn else self.chance.choice(asked)
        wants_war = self.chance.random() < 0.7
        return (wants_war and self.do(c.GoToWar(player=player, box=box))) or self.do(
            c.Surrender(player=player, box=box)
        )

    def _bet_on_the_war(self) -> bool:
        return self.do(_war_bet(self.witness, self.chance))

    def _load(self) -> bool:
        rules = self.witness.rules
        if is_cut_due(rules, self.table):
            assert self.do(c.Cut(player=cutter(rules, self.table), position=26 * rules.shoe.decks))
        stack = self.stack()
        is_marked = rules.shoe.shuffler != "continuous" and not self.table.batch
        cut = min(self.plan.cut, len(stack)) if is_marked and self.plan.cut is not None else None
        return self.do(c.LoadShoe(cards=len(stack), cut_card=cut, presumed=True), stack)

    def go_wrong(self, one: Trouble) -> None:
        """The incident; where it was a void, the same void again, which changes nothing."""
        command = TROUBLES[one.kind](self.witness, random.Random(one.seed))
        if self.do(command) and isinstance(command, VOIDS):
            assert not self.do(command), "the same void was done twice"

    def finish(self, troubles: tuple[Trouble, ...] = ()) -> None:
        """Play on to the end of the round, with what goes wrong on the way and after it."""
        acts = 0
        for acts in range(MOST_ACTS):
            for one in troubles:
                if one.after == acts and not self.is_over:
                    self.go_wrong(one)
            if self.is_over:
                break
            self.go_on()
        assert self.is_over, "the round does not end"
        assert self.table.escrow == 0
        for one in troubles:
            if one.after >= acts:
                self.go_wrong(one)


def play(book: str, plan: Plan) -> Floor:
    """A round in which things go wrong, whatever went wrong after it, and one more in which nothing does."""
    floor = Floor(book, plan)
    floor.bet()
    floor.finish(plan.troubles)
    if floor.table.incident is not None:
        assert floor.do(c.Rule(action="stand", reason="nothing to do"))
    floor.bet()
    floor.finish()
    assert floor.table.escrow == 0
    table = Table()
    for event in floor.witness.log:
        table = evolve(table, event)
    assert table == floor.table
    return floor


IS_SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
PROFILE = settings(
    max_examples=int(os.environ.get("EXAMPLES", "20000")) if IS_SOAK else 180,
    deadline=None,
    derandomize=not IS_SOAK,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.target, Phase.shrink),
)


@pytest.mark.parametrize("book", READINGS)
def test_a_round_in_which_things_go_wrong_ends(book: str) -> None:
    @PROFILE
    @given(plan=plans(book))
    def ends(plan: Plan) -> None:
        play(book, plan)

    ends()


AT_WAR = ("war_bet", "war_bet", "war_bet", "void_player", "void_player", "missed_offer", "partnership", "void_hand")


def war_of_many(seed: int) -> Plan:
    """Every card ties, three bet on two boxes, and the trouble is about the war and who bets on it."""
    chance = random.Random(seed)
    keys = (
        "irreg.contravention",
        "irreg.contravention_scope",
        "irreg.void_scope",
        "priority.full",
        "limits.partnership",
    )
    options = {key: chance.choice(READINGS["wa"][key]) for key in keys}
    bets = tuple(Bet(player, box, "initial", 1000) for box in (1, 2) for player in PLAYERS[:3])
    troubles = tuple(Trouble(chance.randint(3, 16), chance.choice(AT_WAR), chance.randrange(2**20)) for _ in range(6))
    return Plan(tuple({"table.multi_box": True, **options}.items()), bets, troubles, 4000, 1, 60, None, seed)


def test_nothing_is_lost_or_given_twice_of_wagers_on_a_war() -> None:
    for seed in range(20_000 if IS_SOAK else 120):
        play("wa", war_of_many(seed))


# Cases that the machine came upon, told out.

SHOE = tuple(card for card in DECK if card[0] in "23456") * 2


def seen(
    book: str, faces: str, *commands: c.Command, cut: int | None = None, options: dict[str, Any] | None = None
) -> Witness:
    """A table in the middle of a shoe whose next cards are these, after the commands."""
    witness = Witness(load_rulebook(book, options or {}))
    shoe = (*(Card(card) for card in faces.split()), *SHOE)
    witness.do(c.OpenTable())
    for player in PLAYERS:
        witness.do(c.BuyIn(player=player, amount=100_000))
    witness.do(c.ResumeTable(rounds=1, shoe_left=len(shoe), cut_in=cut), shoe)
    if witness.rules.bank.by == "player":
        witness.do(c.AcceptBank(player="dan", box=8, stake=50_000))
    for command in commands:
        accepted(witness, command)
    return witness


def accepted(witness: Witness, command: c.Command) -> None:
    done = witness.do(command)
    assert not isinstance(done, Refusal), (command, done)


def refused(witness: Witness, command: c.Command) -> str | None:
    done = witness.do(command)
    return done.reason if isinstance(done, Refusal) else None


def bet(player: str, box: int, amount: int = 1000) -> c.PlaceWager:
    return c.PlaceWager(player=player, box=box, wager="initial", amount=amount)


def cards(witness: Witness, count: int, *, hold: bool = False) -> None:
    accepted(witness, c.Deal(cards=witness.left[:count], hold=hold))


def test_a_face_is_not_corrected_after_war_was_offered_on_it() -> None:
    """The offer followed from the face; before it the dealer can still say that it was another card."""
    witness = seen("nz", "Kh Kd", bet("ana", 1))
    cards(witness, 2, hold=True)
    before = witness.table
    assert refused(witness, c.CorrectCard(card=Card("2d"))) is None
    witness = seen("nz", "Kh Kd", bet("ana", 1))
    cards(witness, 2)
    assert refused(witness, c.CorrectCard(card=Card("2d"))) == "no_card_to_correct"
    assert before.phase == "dealing"
    assert witness.table.phase == "deciding"


def test_the_war_is_not_taken_back_over_a_card_that_was_discarded_in_it() -> None:
    """The card between the two that were dealt lies in the rack, so the last two out are not those two."""
    witness = seen("nz", "Kh Kd 8h 9h Th", bet("ana", 1), options={"war.burn": 0})
    cards(witness, 2)
    accepted(witness, c.GoToWar(player="ana", box=1))
    cards(witness, 1, hold=True)
    accepted(witness, c.ReportFaceUpCard(card=Card("9h")))
    cards(witness, 1, hold=True)
    witness.do(c.ReportMissedOffer(player="ana", box=1, cards=2))


@pytest.mark.parametrize("book", ["ctg", "ca"])
def test_a_hand_that_is_void_has_no_card_to_move(book: str) -> None:
    witness = seen(book, "Kh Kd Ks", bet("ana", 1), bet("ben", 2))
    cards(witness, 1, hold=True)
    accepted(witness, c.ReportMisdelivered(box=1, action="dealer_next"))
    accepted(witness, c.VoidHand(box=1))
    assert refused(witness, c.Rule(action="reconstruct", reason="as it should be")) is not None
    assert witness.table.queue == (2, 0)


def test_nothing_is_rebuilt_after_a_wager_was_taken() -> None:
    """Box 2 lost against the nine; another card for the dealer would leave it settled against none."""
    witness = seen("nz", "Kh 2s 9d", bet("ana", 1), bet("ben", 2))
    cards(witness, 3, hold=True)
    accepted(witness, c.Settle(wagers=1))
    assert refused(witness, c.Reconstruct(moves=(c.Move(origin=0, to=-1),))) == "result_known"


def test_nobody_chooses_while_a_ruling_is_due() -> None:
    witness = seen("ctg", "Kh Kd", bet("ana", 1))
    cards(witness, 2)
    accepted(witness, c.ReportMissedOffer(player="ana", box=1, cards=0))
    assert refused(witness, c.Surrender(player="ana", box=1)) == "ruling_due"
    assert refused(witness, c.GoToWar(player="ana", box=1)) == "ruling_due"
    accepted(witness, c.Rule(action="stand", reason="it is offered now"))
    accepted(witness, c.Surrender(player="ana", box=1))
    assert witness.table.round.is_over


def test_winnings_that_bank_the_next_round_are_not_taken_back() -> None:
    """The round is closed to voids once the next has begun with its bank; nobody is left with less than nothing."""
    witness = seen("ca", "Kh 2d", bet("ana", 1, 40_000))
    cards(witness, 2)
    assert witness.table.players["ana"] == 140_000
    accepted(witness, c.RelinquishBank(player="dan"))
    accepted(witness, c.AcceptBank(player="ana", box=1, stake=140_000))
    witness.do(c.VoidRound(reason="late"))
    assert min(witness.table.players.values()) >= 0


@pytest.mark.parametrize("book", ["ca", "ma"])
def test_a_void_hand_is_put_away_once(book: str) -> None:
    """Before the war the hands that are out go to the rack; the void one lies there already."""
    witness = seen(book, "Kh 9s Kd", bet("ana", 1), bet("ben", 2))
    cards(witness, 3)
    accepted(witness, c.VoidHand(box=2))
    accepted(witness, c.GoToWar(player="ana", box=1))
    assert [hand for hand in witness.table.rack if hand[0] == 2] == [(2, (Card("9s"),))]


def test_cards_discarded_for_a_missed_offer_pass_the_cutting_card() -> None:
    """One card, the cutting card, another card: all three are out, and the cards are shuffled after the round."""
    witness = seen("nz", "Kh Kd", bet("ana", 1), cut=3, options={"irreg.missed_offer": "discard"})
    cards(witness, 2)
    accepted(witness, c.ReportMissedOffer(player="ana", box=1, cards=2, faces=witness.left[:2]))
    assert witness.table.cut_in is None
    assert witness.table.shuffle == "cut_card"


@pytest.mark.parametrize(
    ("model", "left"), [(model, 50_000) for model in ("covered", "revolving", "payoff_cap", "action_cap")]
)
def test_a_bank_has_no_more_to_pay_with_after_a_void_than_before_the_wager(model: str, left: int) -> None:
    """Ben surrenders 500 of 1000 and his hand is then void: the bank has what it had, less ana's match of 1000."""
    options = {"bank.model": model, "irreg.void_scope": "all"}
    witness = seen("ca", "Kh Ks Kd", bet("ana", 1), bet("ben", 2), options=options)
    cards(witness, 3)
    accepted(witness, c.GoToWar(player="ana", box=1))
    accepted(witness, c.Surrender(player="ben", box=2))
    accepted(witness, c.VoidHand(box=2))
    bank = witness.table.bank
    assert bank is not None
    assert (bank.chips, bank.left) == (49_000, left - 1000)


def test_a_card_on_which_war_was_offered_is_not_moved_away() -> None:
    witness = seen("ma", "Th Td Tc", bet("ben", 1), bet("ana", 3))
    cards(witness, 2, hold=True)
    accepted(witness, c.ReportMisdelivered(box=3, action="dealer_next"))
    cards(witness, 1)
    assert witness.table.phase == "deciding"
    assert refused(witness, c.ReportMisdelivered(box=3, action="burn")) == "not_the_last_card"


def test_the_log_names_who_found_the_cards_face_up() -> None:
    witness = seen("ma", "9h 9s", bet("ana", 1))
    for face in ("9h", "9s"):
        accepted(witness, c.ReportFaceUpCard(card=Card(face), by="supervisor:s1"))
    assert witness.table.round.is_over
    assert witness.table.shuffle == "face_up_cards"
