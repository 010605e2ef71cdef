"""The ledger beside the engine: postings of every event sum to zero, and after every command both count alike."""

import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casinowar.cards import Card
from casinowar.dealers import Session
from casinowar.engine import Event, Refusal, Table, evolve
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.fairness import practice_shuffles
from casinowar.records import parse_record, replay
from casinowar.rulebooks import BOOKS, WAGERS, load_rulebook
from casinowar.store import (
    MemoryStore,
    Overdrawn,
    Proposal,
    PurseFunded,
    Recorded,
    audit,
    cash_out,
    post,
    resolved,
    rules_of,
    stand,
)
from casinowar.store.events import OWN, BookResolved
from casinowar.store.ledger import RULES, Layout, accounts_of
from tests.engine import test_incident_machine as machine
from tests.support.witness import Witness

pytestmark = pytest.mark.slow

PLAYERS = ("ana", "ben", "cat", "dan")
STREAM = "t1"
HERE = Path(__file__).parents[1]
PROFILE = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.target, Phase.shrink),
)
VOIDS = {e.RoundVoided, e.RoundInvalidated, e.HandVoided, e.PlayerVoided}
OPTIONS: dict[str, dict[str, object]] = {"ma": {"wager.progressive": True}, "ca": {"wager.war_tie": True}}
NEED_FACES = {"face_up", "extra_draw", "missed_offer", "change_dealer"}
"""Troubles in which somebody must name the next card of the shoe, which a session keeps to itself."""
TROUBLES = [kind for kind in sorted(machine.TROUBLES) if kind not in NEED_FACES]


class Account:
    """A ledger kept in a dictionary: it knows nothing but the events."""

    def __init__(self) -> None:
        self.layout = Layout(STREAM)
        self.balances: Counter[str] = Counter()

    def follow(self, events: list[Event], table: Table) -> None:
        for event in events:
            self.layout, postings = post(self.layout, event)
            assert sum(one.amount for one in postings) == 0, event
            assert all(type(one.amount) is int and one.amount for one in postings)
            assert len({one.account for one in postings}) == len(postings)
            for one in postings:
                self.balances[one.account] += one.amount
        assert sum(self.balances.values()) == 0
        expected = accounts_of(STREAM, table)
        assert {account: self.balances[account] for account in expected} == expected
        purses = {account for account in self.balances if account.startswith("purse:")}
        assert -sum(self.balances[purse] for purse in purses) == table.bought_in
        assert {account for account, held in self.balances.items() if held} <= {*expected, *purses}


class AccountedWitness(Witness):
    """The witness of the incident machine, with the ledger looking over its shoulder."""

    def do(self, command: c.Command, stack: tuple[Card, ...] = ()) -> list[Event] | Refusal:
        if not hasattr(self, "account"):
            self.account = Account()
        done = super().do(command, stack)
        if not isinstance(done, Refusal):
            self.account.follow(done, self.table)
        return done


def void_plans() -> Iterator[machine.Plan]:
    """Plans with a void in each: what Hypothesis draws hangs on the modules that happen to be loaded."""
    for seed in range(12):
        bets = tuple(machine.Bet(PLAYERS[box % 4], box, "initial", 1000) for box in (1, 2, 3))
        trouble = machine.Trouble(after=seed, kind="void_round", seed=seed)
        yield machine.Plan(
            options=(), bets=bets, troubles=(trouble,), stake=20_000, ranks=2, cards=60, cut=None, seed=seed
        )


@pytest.mark.parametrize("book", machine.READINGS)
def test_the_ledger_follows_every_incident_and_void(book: str) -> None:
    seen: Counter[type] = Counter()

    @PROFILE
    @given(plan=machine.plans(book))
    def follows(plan: machine.Plan) -> None:
        with patch.object(machine, "Witness", AccountedWitness):
            floor = machine.play(book, plan)
        seen.update(type(event) for event in floor.witness.log)

    follows()
    for plan in void_plans():
        with patch.object(machine, "Witness", AccountedWitness):
            seen.update(type(event) for event in machine.play(book, plan).witness.log)
    assert {e.WagerReversed, e.WagerSettled, e.WarDeclared, e.RoundEnded} <= set(seen)
    assert VOIDS & set(seen)


class Night(msgspec.Struct, frozen=True):
    """What people do at a table, as draws of chance: each is turned into whatever fits the moment."""

    seed: int
    rounds: int
    troubles: tuple[tuple[int, str], ...]
    stake: int


NIGHTS = st.builds(
    Night,
    seed=st.integers(0, 2**32),
    rounds=st.integers(1, 4),
    troubles=st.lists(st.tuples(st.integers(0, 12), st.sampled_from(TROUBLES)), max_size=4).map(tuple),
    stake=st.sampled_from((2000, 8000, 40_000)),
)


class Kept:
    """A session whose every accepted command is committed to a store, with the table it led to."""

    def __init__(self, book: str, night: Night) -> None:
        self.night = night
        self.chance = random.Random(night.seed)
        rules = load_rulebook(book, OPTIONS.get(book))
        self.session = Session(
            rules, practice_shuffles(str(night.seed)), c.Limit(minimum=500, maximum=10_000, unit=250)
        )
        self.store = MemoryStore(clock=lambda: 1)
        self.ids = 0
        self.write([resolved(rules), *self.session.opening])
        for player in PLAYERS:
            bought = self.session.buy_in(player, 60_000)
            assert not isinstance(bought, Refusal)
            self.write([PurseFunded(player, 75_000, "operator:o1", "guest purse"), *bought])

    @property
    def table(self) -> Table:
        return self.session.table

    def write(self, events: list[Any]) -> None:
        self.ids += 1
        done: list[Recorded] = list(events)
        version = self.store.version(STREAM)
        proposal = Proposal(
            stream=STREAM, expected=version, actor="table", command=str(self.ids), body=b"", answer="done",
            events=tuple(done), table=self.table,
        )  # fmt: skip
        assert self.store.commit(proposal).version == version + len(done)

    def do(self, *commands: c.Command) -> bool:
        done = self.session.do(*commands)
        if isinstance(done, Refusal):
            return False
        self.write(done)
        return True

    def bet(self) -> None:
        for player in self.chance.sample(PLAYERS, self.chance.randint(1, 4)):
            box, units = self.chance.randint(1, 5), self.chance.randint(2, 12)
            self.do(c.PlaceWager(player=player, box=box, wager="initial", amount=250 * units))
            for wager in WAGERS:
                if wager not in ("initial", "war") and self.chance.random() < 0.4:
                    self.do(c.PlaceWager(player=player, box=box, wager=cast("Any", wager), amount=500))
            if self.chance.random() < 0.2:
                self.do(c.AmendWager(player=player, box=box, wager="initial", amount=1000))
            if self.chance.random() < 0.1:
                self.do(c.WithdrawWager(player=player, box=box, wager="tie"))

    def bank(self) -> None:
        for box, player in enumerate(PLAYERS, start=1):
            self.do(c.SeatPlayer(player=player, box=box))
        for player in self.session.bank_offers:
            self.do(c.OfferBank(player=player))
            box = next((box for box, who in self.table.seats.items() if who == player), 1)
            if self.do(c.AcceptBank(player=player, box=box, stake=min(self.night.stake, self.table.players[player]))):
                if self.chance.random() < 0.1:
                    self.do(c.RelinquishBank(player=player))
                return
            self.do(c.RotateBank())

    def go_on(self) -> None:
        if self.table.incident is not None:
            assert self.do(c.Rule(action="stand", reason="nothing to do")) or self.do(
                c.VoidRound(reason="no way on", second="supervisor:s2")
            )
        elif self.table.phase == "deciding":
            box, player = self.table.round.asked[0]
            war = c.GoToWar(player=player, box=box)
            if self.chance.random() < 0.3 or not self.do(war):
                assert self.do(c.Surrender(player=player, box=box)) or self.do(war)
        elif self.session.is_cut_due and self.session.is_deal_unfinished:
            self.write(self.session.cut_in_the_middle())
        else:
            dealt = self.session.deal()
            if isinstance(dealt, Refusal):
                self.do(c.VoidRound(reason=dealt.reason, second="supervisor:s2"))
            elif dealt:
                self.write(dealt)

    def trouble(self, kind: str) -> None:
        place = cast("Any", type("Place", (), {"table": self.table, "rules": self.session.rules, "left": ()}))
        self.do(machine.TROUBLES[kind](place, self.chance))

    def void(self) -> None:
        """By whoever may: before a result is known one person is enough, after it there are two."""
        box = self.chance.choice(self.table.round.boxes or (1,))
        player = next((player for at, _, player in self.table.round.wagers if at == box), PLAYERS[0])
        for by, second in (
            ("supervisor:s1", "supervisor:s2"),
            ("operator:o1", "supervisor:s2"),
            ("supervisor:s1", None),
        ):
            hand = c.VoidHand(box=box, reason="two cards on the box", by=by, second=second)
            round_ = c.VoidRound(reason="cards on the floor", by=by, second=second)
            cheat = c.VoidPlayer(player=player, reason="a sleeve", by=by, second=second)
            fire = c.InvalidateRound(cause="fire", by=by, second=second)
            commands: tuple[c.Command, ...] = (hand, round_, cheat, fire)
            for command in self.chance.sample(commands, 2):
                self.do(command)

    def cash(self) -> None:
        player = self.chance.choice(PLAYERS)
        done = cash_out(self.table, player, self.chance.randint(-1, self.table.players[player] + 1))
        if not isinstance(done, Refusal):
            self.session.table = stand(self.table, done)
            self.write([done])

    def play(self) -> None:
        acts = 0
        for _ in range(self.night.rounds):
            self.bank()
            self.bet()
            for _ in range(60):
                for after, kind in self.night.troubles:
                    if after == acts:
                        self.trouble(kind)
                acts += 1
                if self.table.round.is_over or not self.table.round.wagers:
                    break
                if self.chance.random() < 0.05:
                    self.void()
                self.go_on()
            if self.chance.random() < 0.3:
                self.void()
            self.cash()


@pytest.mark.parametrize("book", BOOKS)
def test_a_session_and_its_accounts_agree_after_every_command(book: str) -> None:
    kinds: Counter[type] = Counter()

    @PROFILE
    @given(night=NIGHTS)
    def agree(night: Night) -> None:
        kept = Kept(book, night)
        kept.play()
        store = kept.store
        assert audit(store) == []
        table = Table()
        for one in store.read(STREAM):
            table = stand(table, one.event)
            kinds[type(one.event)] += 1
        assert table == kept.table
        opening = next(store.read(STREAM)).event
        assert isinstance(opening, BookResolved)
        assert rules_of(opening) == load_rulebook(book, OPTIONS.get(book))
        assert sum(store.balances().values()) == 0
        assert store.balance("issuance") == -75_000 * len(PLAYERS)
        for account, held in store.balances().items():
            assert sum(amount for _, amount in store.statement(account)) == held

    agree()
    played = {e.WagerSettled, e.WarDeclared, e.RoundEnded, e.WagerReversed, e.BoughtIn}
    assert played <= set(kinds)
    banked = {e.BankAccepted, e.BankReturned} if load_rulebook(book).bank.max_consecutive else set()
    assert banked <= set(kinds)


RECORDS = [*sorted(HERE.glob("records/*/*.toml")), *sorted(HERE.glob("transcripts/*.toml"))]


AMENDED: dict[str, Any] = {
    "format": "casinowar-record/1",
    "rulebook": "nz",
    "shoe": "2c Kh 5d",
    "players": {"ana": 100_000},
    "acts": [
        {"do": "place_wager", "player": "ana", "box": 1, "wager": "initial", "amount": 1000},
        {"do": "amend_wager", "player": "ana", "box": 1, "wager": "initial", "amount": 2500},
        {"do": "deal"},
    ],
}


def test_every_rule_of_posting_is_met_in_a_record_and_agrees_after_every_single_event() -> None:
    """The scenarios of all incidents in all books, event by event."""
    met: set[type] = set()
    for data in [AMENDED, *(tomllib.loads(file.read_text(encoding="utf-8")) for file in RECORDS)]:
        account, table = Account(), Table()
        data.pop("expect", None)
        for told in replay(parse_record(data)).story:
            table = evolve(table, told.event)
            account.follow([told.event], table)
            met.add(type(told.event))
    assert len(RECORDS) > 150
    engine = {kind for kind in RULES if kind not in OWN}
    assert engine - met == set()


def money_in(kind: Any) -> Iterator[str]:
    """The fields of an event that could hold an amount."""
    for field in msgspec.structs.fields(kind):
        if field.name in ("amount", "paid", "returned", "stake", "placed", "match", "meter", "seed"):
            yield field.name


def test_every_event_that_names_an_amount_is_posted_or_is_known_to_move_nothing() -> None:
    still = {e.WarWagerConfirmed, e.BoxMaxDirected, e.PlayerMaxDirected}
    union = Event.__args__
    assert {kind for kind in union if any(money_in(kind))} - set(RULES) == still


@pytest.mark.parametrize("amount", [0, -1, 60_001])
def test_more_than_lies_there_is_not_cashed_out(amount: int) -> None:
    table = Table(players={"ana": 60_000}, bought_in=60_000)
    assert isinstance(cash_out(table, "ana", amount), Refusal)
    assert isinstance(cash_out(table, "zoe", 1), Refusal)


def test_a_war_by_hand() -> None:
    """Ana stakes 1,000, goes to war for another 1,000 and wins it at 1:1: the float loses 1,000."""
    account = Account()
    players = {"ana": 10_000}
    bought = Table(players=players, bought_in=10_000)
    account.follow([e.BoughtIn("ana", 10_000)], bought)
    placed = Table(players={"ana": 9000}, escrow=1000, bought_in=10_000)
    account.follow([e.WagerPlaced("ana", 1, "initial", 1000)], placed)
    at_war = Table(players={"ana": 8000}, escrow=2000, bought_in=10_000)
    account.follow([e.WarDeclared("ana", 1, 1000)], at_war)
    won: list[Event] = [
        e.WagerSettled("ana", 1, "initial", 1000, "push", None, 0, 1000),
        e.WagerSettled("ana", 1, "war", 1000, "win", "1:1", 1000, 1000),
    ]
    account.follow(won, Table(players={"ana": 11_000}, house=-1000, bought_in=10_000))
    account.follow([e.WagerReversed("ana", 1, "war", 1000)], bought)


def test_chips_put_down_twice_are_taken_together() -> None:
    account = Account()
    events: list[Event] = [e.BoughtIn("ana", 5000), *[e.WagerPlaced("ana", 1, "initial", 500)] * 2]
    account.follow(events, Table(players={"ana": 4000}, escrow=1000, bought_in=5000))
    lost = e.WagerSettled("ana", 1, "initial", 1000, "lose", None, 0, 0)
    account.follow([lost], Table(players={"ana": 4000}, house=1000, bought_in=5000))


def test_the_meter_counts_on_from_where_it_stands() -> None:
    account = Account()
    account.follow([e.TableOpened(c.Limit(), {}, 700)], Table(meter=700))
    account.follow([e.MeterFed("ana", 1, 50), e.MeterFed("ben", 2, 30)], Table(meter=780))
    account.follow([e.MeterPaid(780, 400)], Table(meter=400))


def test_a_bank_that_won_is_carried_away_whole() -> None:
    account = Account()
    events: list[Event] = [
        e.BoughtIn("ana", 5000),
        e.BoughtIn("ben", 5000),
        e.BankAccepted("ana", 1, 2000),
        e.WagerPlaced("ben", 2, "initial", 500),
        e.WagerSettled("ben", 2, "initial", 500, "lose", None, 0, 0),
        e.BankRelinquished("ana"),
    ]
    account.follow(events, Table(players={"ana": 5500, "ben": 4500}, bought_in=10_000))


def test_no_account_holds_more_than_every_reader_of_json_can_count() -> None:
    """RFC 8259, section 6: integers interoperate up to 2^53 - 1."""
    store = MemoryStore(clock=lambda: 1)

    def fund(amount: int, version: int) -> None:
        events = (PurseFunded("ana", amount, "operator:o1", "bank of the night"),)
        wanted = Proposal(
            stream=STREAM, expected=version, actor="o1", command=str(version), body=b"", answer="", events=events
        )
        store.commit(wanted)

    fund(2**53 - 1, 0)
    with pytest.raises(Overdrawn):
        fund(1, 1)
    assert store.balance("purse:ana") == 9_007_199_254_740_991


def test_chips_that_were_withdrawn_do_not_count_when_others_are_put_down() -> None:
    """Of 1,000 withdrawn and 400 placed on the same spot the house takes 400."""
    account = Account()
    events: list[Event] = [
        e.BoughtIn("ana", 5000),
        e.WagerPlaced("ana", 1, "initial", 1000),
        e.WagerWithdrawn("ana", 1, "initial", 1000),
        e.WagerPlaced("ana", 1, "initial", 400),
        e.WagerSettled("ana", 1, "initial", 400, "lose", None, 0, 0),
    ]
    account.follow(events, Table(players={"ana": 4600}, house=400, bought_in=5000))


def test_a_war_wager_that_went_back_lies_nowhere() -> None:
    account = Account()
    placed: list[Event] = [e.BoughtIn("ana", 5000), e.WagerPlaced("ana", 1, "initial", 1000)]
    account.follow([*placed, e.WarDeclared("ana", 1, 1000)], Table(players={"ana": 3000}, escrow=2000, bought_in=5000))
    account.follow([e.DecisionReopened("ana", 1, 1000)], Table(players={"ana": 4000}, escrow=1000, bought_in=5000))
    with pytest.raises(KeyError):
        post(account.layout, e.WagerReversed("ana", 1, "war", 1000))


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_wager_is_reversed_once(is_settled: bool) -> None:
    """A second reversal finds the stake with its owner and moves nothing."""
    account = Account()
    placed: list[Event] = [e.BoughtIn("ana", 5000), e.WagerPlaced("ana", 1, "initial", 1000)]
    lost: list[Event] = [e.WagerSettled("ana", 1, "initial", 1000, "lose", None, 0, 0)] if is_settled else []
    reversal = e.WagerReversed("ana", 1, "initial", 1000)
    account.follow([*placed, *lost, reversal], Table(players={"ana": 5000}, bought_in=5000))
    assert post(account.layout, reversal)[1] == ()


def test_a_bank_that_gives_back_other_than_it_holds_is_seen() -> None:
    """The event's amount is posted, so that what is left over, here 500, lies open on the bank's account."""
    account = Account()
    for event in (e.BoughtIn("ana", 5000), e.BankAccepted("ana", 1, 2000), e.BankReturned("ana", 1500, -500)):
        account.layout, postings = post(account.layout, event)
        account.balances.update({one.account: one.amount for one in postings})
    assert account.balances["bank:t1"] == 500


def test_a_banker_who_is_owed_by_himself_moves_nothing() -> None:
    """The round is over and the bank gone: the banker's own lost wager would go from his chips to his chips."""
    layout = Layout(STREAM)
    events: list[Event] = [
        e.BankAccepted("ana", 1, 2000),
        e.WagerPlaced("ana", 1, "initial", 1000),
        e.BettingClosed((1,), {1: ("ana",)}),
        e.WagerSettled("ana", 1, "initial", 1000, "lose", None, 0, 0),
        e.RoundEnded(1, ()),
        e.BankReturned("ana", 3000, 1000),
    ]
    for event in events:
        layout, _ = post(layout, event)
    assert post(layout, e.WagerReversed("ana", 1, "initial", 1000))[1] == ()


def test_a_table_that_was_resumed_knows_no_earlier_wager() -> None:
    layout, _ = post(Layout(STREAM), e.WagerPlaced("ana", 1, "initial", 1000))
    layout, _ = post(layout, e.TableResumed(7, 100, None, None, 0, {}, ()))
    with pytest.raises(KeyError):
        post(layout, e.WagerReversed("ana", 1, "initial", 1000))
