"""The procedure: from any state a dealer who does what it says is never refused and comes to the end of the round.

And the same round by the automatic dealer, by a record of it, and by a dealer who does every act by hand.
"""

import os
import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casinowar.cards import Card, composition
from casinowar.dealers import Session, record_of
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.view.procedure import Step, procedure
from casinowar.records import parse_record, replay
from casinowar.rulebooks import Rulebook, load_rulebook
from tests.engine.test_incident_machine import MOST_ACTS, READINGS, Floor, Plan, plans

pytestmark = pytest.mark.slow

IS_SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
PROFILE = settings(
    max_examples=10_000 if IS_SOAK else 180,
    deadline=None,
    derandomize=not IS_SOAK,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.target, Phase.shrink),
)
SILENT_ACTS: dict[str, tuple[str, ...]] = {
    "nz": (),
    "wa": (),
    "ctg": ("offer_cut", "cut"),
    "ca": ("offer_cut", "cut", "marker", "shuffle"),
    "ma": ("shuffle",),
}
"""Steps that a book leaves open: who cuts and where the cutting card goes in, and a shoe that runs short."""

EVENT_OF: dict[str, tuple[type, ...]] = {
    "cut": (e.CutMade,),
    "marker": (e.MarkerPlaced,),
    "load": (e.ShoeLoaded,),
    "call": (e.BettingClosed, e.DealStarted),
    "show_cut_card": (e.CutCardDrawn,),
    "burn": (e.CardBurned,),
    "draw": (e.CardDealt,),
    "take": (e.WagerSettled,),
    "pay": (e.WagerSettled,),
    "give_back": (e.WagerSettled, e.MatchLimited),
    "offer": (e.WarOffered,),
    "end_round": (e.RoundEnded,),
}


class Apprentice(Floor):
    """Knows no rule: does the first thing on the list, again and again."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return procedure(self.witness.rules, self.table)

    def perform(self, one: Step) -> list[Event]:
        """The act, with the card that lies next in the shoe; a stack has all cards that are not in play."""
        command = one.command
        stack: tuple[Card, ...] = ()
        assert command is not None
        if one.turns_card:
            command = msgspec.structs.replace(command, cards=self.witness.left[:1])
        if isinstance(command, c.LoadShoe):
            stack = self.full_stack()
        done = self.witness.do(command, stack)
        assert not isinstance(done, Refusal), (one, done)
        self.check(one, done)
        return done

    def full_stack(self) -> tuple[Card, ...]:
        on_layout: Counter[Card] = Counter()
        if self.table.queue:
            hands = self.table.round.hands.items()
            on_layout = Counter(card for box, hand in hands if box not in self.table.round.collected for card in hand)
        cards = list((composition(self.witness.rules.shoe.decks) - on_layout).elements())
        self.chance.shuffle(cards)
        return tuple(cards)

    def check(self, one: Step, done: list[Event]) -> None:
        """What the list said is what happened, with its amounts."""
        assert one.clauses or one.act in SILENT_ACTS[self.witness.rules.id], f"{one} has no clause"
        if one.act not in EVENT_OF:
            return
        event: Any = next((event for event in done if isinstance(event, EVENT_OF[one.act])), None)
        assert event is not None, f"{one} came to {done}"
        match event:
            case e.WagerSettled():
                assert (event.box, event.player, event.wager) == (one.box, one.player, one.wager)
                taken = event.amount - event.returned
                uncovered = sum(cut.placed - cut.amount for cut in done if isinstance(cut, e.WagerLimited))
                assert one.returned == event.returned + uncovered
                assert one.amount == (event.paid if one.act == "pay" else taken)
                assert (one.act == "take") == (event.paid == 0 and taken > 0)
            case e.MatchLimited():
                assert (event.box, event.player, "initial") == (one.box, one.player, one.wager)
                assert (one.amount, one.returned) == (0, event.placed - event.amount)
            case e.CardDealt() | e.WarOffered():
                assert event.box == one.box
            case e.CardBurned():
                assert event.burn == one.burn
            case e.ShoeLoaded():
                assert event.cards == one.amount

    def answer(self, one: Step) -> None:
        """Somebody else's turn: a player chooses, or whoever rules has the round go on."""
        if one.act == "rule":
            assert self.do(c.Rule(action=self.usual_ruling, reason="seen by all"))
        else:
            assert one.act == "decide"
            assert one.player
            assert self._choose()

    def follow(self) -> None:
        for _ in range(MOST_ACTS):
            first = self.steps[0]
            if self.is_over or first.act in ("invite", "offer_bank"):
                return
            if first.command is None:
                self.answer(first)
            else:
                self.perform(first)
        raise AssertionError("the round does not end")


def at_some_point(book: str, plan: Plan, acts: int) -> Apprentice:
    """A table in the middle of a round, after some acts and whatever went wrong until then."""
    floor = Apprentice(book, plan)
    floor.bet()
    for done in range(acts):
        for one in plan.troubles:
            if one.after == done:
                floor.go_wrong(one)
        if floor.is_over:
            break
        floor.go_on()
    return floor


@pytest.mark.parametrize("book", READINGS)
def test_doing_the_first_thing_again_and_again_ends_the_round(book: str) -> None:
    @PROFILE
    @given(plan=plans(book), acts=st.integers(0, 30))
    def ends(plan: Plan, acts: int) -> None:
        floor = at_some_point(book, plan, acts)
        floor.follow()
        if floor.is_over:
            assert floor.table.escrow == 0
            assert floor.table.phase == "betting"

    ends()


@pytest.mark.parametrize("book", READINGS)
def test_the_list_can_be_done_to_its_end(book: str) -> None:
    """Item by item, until a turned-up burn changes what is due, a stack, the cutting card or a ruling comes between,
    or a tie."""

    @PROFILE
    @given(plan=plans(book), acts=st.integers(0, 30))
    def done(plan: Plan, acts: int) -> None:
        floor = at_some_point(book, plan, acts)
        for one in floor.steps:
            if one.command is None or floor.is_over or floor.table.phase == "deciding":
                break
            is_stack = one.act not in (
                "call",
                "draw",
                "burn",
                "settle",
                "take",
                "pay",
                "give_back",
                "offer",
                "end_round",
            )
            is_other = floor.steps[0].act in (
                "show_cut_card",
                "inspect",
                "shuffle",
                "cut",
                "swap_batch",
                "load",
                "marker",
                "rule",
            )
            if is_other and not is_stack:
                break
            events = floor.perform(one)
            if any(isinstance(event, e.CardBurned) and event.more for event in events):
                break

    done()


@pytest.mark.parametrize("book", READINGS)
def test_every_step_of_every_list_has_its_clauses(book: str) -> None:
    @PROFILE
    @given(plan=plans(book), acts=st.integers(0, 30))
    def cited(plan: Plan, acts: int) -> None:
        floor = at_some_point(book, plan, acts)
        prefix = f"{book.upper()}-"
        for one in floor.steps:
            assert one.clauses or one.act in SILENT_ACTS[book], f"{one} has no clause"
            assert all(clause.startswith(prefix) for clause in one.clauses)

    cited()


def test_what_is_taken_and_paid_stands_in_the_list_before_it_is_done() -> None:
    """1000 on each of three boxes against a nine: the jack is paid 1000, the four loses 1000, the nine is asked."""
    rules, table = load_rulebook("nz"), Table()
    bets = [c.PlaceWager(player=player, box=box, wager="initial", amount=1000) for box, player in enumerate("abc", 1)]
    players = [c.BuyIn(player=player, amount=5000) for player in "abc"]
    dealt = c.Deal(cards=(Card("Jh"), Card("4s"), Card("9c"), Card("9d")), hold=True)
    commands: list[c.Command] = [c.OpenTable(), *players, c.ResumeTable(shoe_left=50), *bets, dealt]
    for command in commands:
        answer = step(rules, table, command)
        assert not isinstance(answer, Refusal)
        table = answer[1]
    told = [(one.act, one.player, one.wager, one.amount, one.returned) for one in procedure(rules, table)]
    assert sorted(told[:2]) == [("pay", "a", "initial", 1000, 1000), ("take", "b", "initial", 1000, 0)]
    assert [one[:2] for one in told[2:]] == [("offer", "c")]


def test_a_closed_table_has_no_procedure() -> None:
    rules, table = load_rulebook("nz"), Table()
    for command in (c.OpenTable(), c.CloseTable()):
        answer = step(rules, table, command)
        assert not isinstance(answer, Refusal)
        table = answer[1]
    assert procedure(rules, table) == ()


# The same rounds by three dealers.

DEALERS_OWN = (e.CardsPrepared, e.MarkerPlaced)
"""What a dealer does with the cards on their way into the shoe; a record does not tell it, and presumes it done."""

CHIPS = {"ana": 40_000, "ben": 30_000, "cat": 20_000}


def chooses_war(box: int, number: int) -> bool:
    return (box + number) % 3 > 0


class ByHand:
    """A dealer who turns each card, takes and pays each wager and clears the table by an act of its own.

    The stacks are those of the automatic dealer; that they were inspected, shuffled and marked is presumed.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.rules: Rulebook = load_rulebook(session.rules.id, dict(session.rules.options))
        self.table = Table()
        self.log: list[Event] = []
        self.stacks = list(session.stacks)
        self.cards: list[Card | None] = []
        self.do(c.OpenTable(limit=session.limit, meter=session.meter))
        for player, amount in CHIPS.items():
            self.do(c.BuyIn(player=player, amount=amount))

    def may(self, command: c.Command) -> bool:
        answer = step(self.rules, self.table, command)
        if isinstance(answer, Refusal):
            return False
        self.log += answer[0]
        self.table = answer[1]
        return True

    def do(self, command: c.Command) -> None:
        answer = step(self.rules, self.table, command)
        assert not isinstance(answer, Refusal), (command, answer)
        assert self.may(command)

    def play(self, commands: list[c.Command]) -> None:
        for command in commands:
            self.do(command)
        while not self.table.round.is_over:
            self.act()

    def act(self) -> None:
        table = self.table
        if table.phase == "deciding":
            self.do(choice(self.table))
        elif is_shuffle_due(table):
            self.load()
        elif table.queue:
            self.do(c.Deal(cards=(self.cards.pop(0),), hold=True))
        elif table.phase == "dealing":
            assert self.may(c.Settle(wagers=1)) or self.may(c.EndRound())
        else:
            self.do(c.Deal())

    def load(self) -> None:
        if is_cut_due(self.rules, self.table):
            self.do(c.Cut(player=cutter(self.rules, self.table), position=26 * self.rules.shoe.decks))
        cards, cut_card = self.stacks[0].cards, self.stacks[0].cut_card
        if self.rules.shoe.shuffler == "continuous":
            self.cards = [card for stack in self.stacks for card in stack.cards]
            cards = tuple(self.session.rules.shoe.decks * 52 * [Card("2c")])
        else:
            self.cards = list(cards)
        self.stacks = self.stacks[1:]
        self.do(c.LoadShoe(cards=len(cards), cut_card=cut_card, presumed=True))


def choice(table: Table) -> c.Command:
    box, player = table.round.asked[0]
    is_war = chooses_war(box, table.round.number)
    return c.GoToWar(player=player, box=box) if is_war else c.Surrender(player=player, box=box)


class Automatic:
    """The session's dealer, with every event it tells."""

    def __init__(self, rules: Rulebook, seed: int, ranks: int) -> None:
        chance = random.Random(seed)
        favoured = chance.sample("23456789TJQKA", ranks)

        def shuffle(cards: Any) -> tuple[Any, ...]:
            """With a few ranks in front, so that there are wars."""
            mixed = chance.sample(list(cards), len(list(cards)))
            front = [card for card in mixed if isinstance(card, str) and card[0] in favoured]
            return (*front, *(card for card in mixed if not (isinstance(card, str) and card[0] in favoured)))

        self.session = Session(rules, shuffle, c.Limit(minimum=500, maximum=5000, unit=500))
        self.log: list[Event] = list(self.session.opening)
        for player, amount in CHIPS.items():
            self.log += _accepted(self.session.buy_in(player, amount))

    def play(self, bets: list[c.Command]) -> list[c.Command]:
        """The round, and those of its wagers that were accepted."""
        done = []
        for bet in bets:
            events = self.session.do(bet)
            if not isinstance(events, Refusal):
                self.log += events
                done.append(bet)
        if not self.session.table.has_wagers:
            return done
        while not self.session.table.round.is_over:
            if self.session.table.phase == "deciding":
                self.log += _accepted(self.session.do(choice(self.session.table)))
            elif self.session.is_cut_due and not self.session.table.queue:
                self.log += _accepted(self.session.deal())
                self.log += self.session.cut_in_the_middle()
            else:
                self.log += _accepted(self.session.deal())
        return done


def _accepted(done: list[Event] | Refusal) -> list[Event]:
    assert not isinstance(done, Refusal), done
    return done


def without_preparation(log: list[Event]) -> list[Event]:
    return [event for event in log if not isinstance(event, DEALERS_OWN)]


def rounds_of(book: str, plan: Plan, rounds: int) -> list[list[c.Command]]:
    """The plan's wagers, one box further along in each round; where a player banks, the bank goes round first."""
    told: list[list[c.Command]] = []
    for number in range(rounds):
        bank: list[c.Command] = []
        if book == "ca":
            bank = [
                c.AcceptBank(player=player, box=box, stake=2000 + plan.stake) for box, player in enumerate(CHIPS, 5)
            ]
        bets: list[c.Command] = [
            c.PlaceWager(player=one.player, box=1 + (one.box + number) % 4, wager=one.wager, amount=one.amount)
            for one in plan.bets
        ]
        told.append([*bank, *bets])
    return told


@pytest.mark.parametrize("book", READINGS)
def test_three_dealers_tell_the_same_story(book: str) -> None:
    """The automatic dealer also tells how the cards were prepared; beyond that no event differs, the cut included."""

    @settings(PROFILE, max_examples=600 if IS_SOAK else 80)
    @given(plan=plans(book), rounds=st.integers(1, 3))
    def same(plan: Plan, rounds: int) -> None:
        rules = load_rulebook(book, dict(plan.options))
        automatic = Automatic(rules, plan.seed, plan.ranks)
        played = [automatic.play(bets) for bets in rounds_of(book, plan, rounds)]
        story = without_preparation(automatic.log)
        replayed = replay(parse_record(record_of(automatic.session)))
        assert not replayed.refusals
        assert [told.event for told in replayed.story] == story
        by_hand = ByHand(automatic.session)
        for bets in played:
            by_hand.play(bets)
        assert by_hand.log == story
        prepared = [event for event in automatic.log if isinstance(event, DEALERS_OWN)]
        is_by_machine = rules.shoe.shuffler == "continuous"
        assert is_by_machine or bool(prepared) == any(isinstance(event, e.ShoeLoaded) for event in story)

    same()


def test_a_record_of_incidents_tells_the_same_story() -> None:
    """The faces that an incident showed are in the record's shoe, and not told again."""
    automatic = Automatic(load_rulebook("nz"), 1, 2)
    session = automatic.session
    automatic.play([c.PlaceWager(player="ana", box=1, wager="initial", amount=500)])
    automatic.log += _accepted(session.do(c.ReportFaceUpCard(card=_next_card(session))))
    automatic.log += _accepted(session.do(c.ReportExtraDraw(exposed=True, card=_next_card(session))))
    automatic.log += _accepted(session.do(c.ReportDamagedCard(card=Card("2c"))))
    automatic.play([c.PlaceWager(player="ana", box=1, wager="initial", amount=500)])
    replayed = replay(parse_record(record_of(session)))
    assert [told.event for told in replayed.story] == without_preparation(automatic.log)


def _next_card(session: Session) -> Card:
    """What lies next in the shoe: the record will hold it there."""
    cards = session.stacks[-1].cards
    card = cards[len(cards) - session.table.shoe_left]
    assert card is not None
    return card


def test_a_wager_placed_while_the_cards_wait_for_the_cut_is_recorded() -> None:
    """The betting is still open then, so the record has the wager before the deal."""
    automatic = Automatic(load_rulebook("nz"), 1, 2)
    session = automatic.session
    automatic.log += _accepted(session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=500)))
    automatic.log += _accepted(session.deal())
    assert session.is_deal_unfinished
    automatic.play([c.PlaceWager(player="ben", box=2, wager="initial", amount=1000)])
    replayed = replay(parse_record(record_of(session)))
    assert not replayed.refusals
    assert replayed.table.players == session.table.players
    assert {player for _, _, player in replayed.table.round.wagers} == {"ana", "ben"}
