"""A night with real cards for tests: a dealer with a shoe of its own, whom chance makes err now and then."""

import random
from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from casinowar.cards import DECK, Card, composition
from casinowar.dealers import RealTable
from casinowar.engine import Event, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.rulebooks import Rulebook

PLAYERS = ("ana", "ben", "cleo")


class Night:
    """Plays rounds with the cards of a shoe that the table does not know, and lets things go wrong.

    The faces that the dealer types come from that shoe, so every one of them must be accepted.
    """

    def __init__(self, rules: Rulebook, chance: random.Random, *, trouble: float) -> None:
        self.real = RealTable(rules, c.Limit(minimum=10, maximum=500, unit=10))
        self.chance = chance
        self.trouble = trouble
        self.shoe: list[Card] = []
        self.out: list[Card] = []
        self.marker: int | None = None
        for box, player in enumerate(PLAYERS, start=1):
            self.must(c.BuyIn(player=player, amount=100_000))
            self.must(c.SeatPlayer(player=player, box=box))

    def must(self, command: c.Command) -> list[Event]:
        done = self.real.do(command)
        assert not isinstance(done, Refusal), (command, done)
        self.follow(done)
        return done

    def may(self, command: c.Command) -> bool:
        done = self.real.do(command)
        if isinstance(done, Refusal):
            return False
        self.follow(done)
        return True

    def play(self, steps: int) -> None:
        for _ in range(steps):
            if self.real.next_step is None:
                return
            if self.chance.random() < self.trouble:
                self.go_wrong()
            self.next()

    def next(self) -> None:
        following = self.real.next_step
        assert following is not None
        if following.turns_card and self.marker == 0:
            self.marker = None
            self.must(c.ShowCutCard())
            return
        match self.real.waits_for:
            case "card":
                self.turn()
            case None:
                done = self.real.step()
                assert not isinstance(done, Refusal), (following, done)
                self.follow(done)
            case _:
                self.choose()

    def turn(self) -> None:
        """Sometimes a wrong face is typed first, and put right."""
        card = self.shoe[0]
        wrong = self.chance.choice(DECK)
        if self.chance.random() < 0.2 and wrong != card:
            done = self.real.enter(wrong)
            if not isinstance(done, Refusal):
                self.follow(done)
                self.must(c.CorrectCard(card=card))
                return
        done = self.real.enter(card)
        assert not isinstance(done, Refusal), (card, done)
        self.follow(done)

    def choose(self) -> None:
        following = self.real.next_step
        assert following is not None
        table, rules = self.real.table, self.real.rules
        if following.act == "cut":
            assert following.command is not None
            declined = following.player is not None and self.chance.random() < 0.3
            self.must(c.DeclineCut(player=following.player or "") if declined else following.command)
        elif following.act == "rule":
            action = self.chance.choice(("stand", "void_hand", "void_round", "reconstruct", "reshuffle"))
            if not self.may(c.Rule(action=action, reason="as it is done here")):  # type: ignore[arg-type]
                self.must(c.Rule(action="stand", reason="as it is done here"))
        elif following.act == "decide":
            box, player = table.round.asked[0]
            war = self.chance.random() < 0.7 and self.may(c.GoToWar(player=player, box=box))
            if not war:
                self.must(c.Surrender(player=player, box=box))
        else:
            if rules.bank.by == "player" and table.bank is None:
                banks = [c.AcceptBank(player=player, box=box, stake=1000) for box, player in table.seats.items()]
                assert any(self.may(bank) for bank in banks)
            self.bet()

    def bet(self) -> None:
        for box, player in self.real.table.seats.items():
            for wager in ("initial", "tie", "a_bomb", "perfect_pairs"):
                if wager == "initial" or self.chance.random() < 0.3:
                    amount = 10 * self.chance.randint(1, 6)
                    self.may(c.PlaceWager(player=player, box=box, wager=wager, amount=amount))

    def go_wrong(self) -> None:
        box = self.chance.randint(1, 3)
        player = PLAYERS[box - 1]
        action = self.chance.choice(("forward", "dealer_next", "burn"))
        troubles: list[c.Command] = [
            c.ReportMisdelivered(box=box, action=action),  # type: ignore[arg-type]
            c.ReportMissedHand(box=box),
            c.ReportForgottenBurn(),
            c.ReportDamagedCard(card=self.chance.choice(DECK)),
            c.VoidHand(box=box),
            c.VoidRound(),
            c.ReportWager(player=player, box=box, wager="initial", amount=30),
            c.ReportExposedBeforeShoe(),
            c.Reconstruct(moves=(c.Move(origin=box, to=box % 3 + 1),)),
            c.Reconstruct(moves=(c.Move(origin=box, to=-1),)),
            c.ReleasePlayers(players=(player,)),
            c.ChangeDealer(dealer="dee"),
            c.SupervisorShuffle(reason="discretion"),
            c.InvalidateRound(cause="fire"),
        ]
        if self.shoe and self.marker != 0 and self.real.table.shoe_left:
            troubles += [
                c.ReportFaceUpCard(card=self.shoe[0]),
                c.ReportExtraDraw(exposed=True, card=self.shoe[0]),
                c.ReportExtraDraw(exposed=False),
                c.ReportMissedOffer(player=player, box=box, cards=2, faces=tuple(self.shoe[:2])),
            ]
            cards = len(self.real.table.queue)
            troubles += [c.ReportMissedOffer(player=player, box=box, cards=count) for count in range(cards + 5)]
        self.may(self.chance.choice(troubles))

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case e.ShoeLoaded():
                    self.load(event.cards)
                case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                    self.out.append(self.shoe.pop(0))
                    self.marker = None if self.marker is None else self.marker - 1
                case e.CardsReturned():
                    self.shoe = self.out[len(self.out) - event.cards :] + self.shoe
                    del self.out[len(self.out) - event.cards :]
                    self.marker = None if self.marker is None else self.marker + event.cards
                case e.DiscardsReturned():
                    self.shoe += self.out
                    self.out = []
                    self.chance.shuffle(self.shoe)

    def load(self, cards: int) -> None:
        table, rules = self.real.table, self.real.rules
        in_play: Counter[Card] = Counter()
        if table.round.is_reloaded and not table.round.is_over and table.queue:
            hands = table.round.hands.items()
            in_play = Counter(card for box, hand in hands if box not in table.round.collected for card in hand)
        self.shoe = list((composition(rules.shoe.decks) - in_play).elements())
        self.chance.shuffle(self.shoe)
        assert len(self.shoe) == cards
        self.out = []
        self.marker = None if rules.shoe.shuffler == "continuous" else self.chance.randint(0, 40)


def as_told(events: Iterable[Event]) -> list[Event]:
    """What a record can tell of events: faces as corrected, and the cutting card's place only once it has shown.

    Cards that were dealt before a choice was offered have faces in the record, even where the dealer told none then.
    """
    told: list[Event] = []
    for event in events:
        match event:
            case e.CardCorrected():
                last = told.pop()
                assert isinstance(last, e.CardDealt | e.CardBurned)
                more = {"more": event.more} if isinstance(last, e.CardBurned) else {}
                told.append(replace(last, card=event.card, **more))
            case e.CutCardReached() | e.BoughtIn() | e.TableOpened():
                continue
            case e.ShoeLoaded():
                told.append(replace(event, cut_card=None))
            case e.OfferMissed():
                told.append(replace(event, cards=()))
            case _:
                told.append(event)
    return told


def net_of(events: Iterable[Event]) -> list[tuple[str, int, str, str, int]]:
    """Settlements as (player, box, wager, outcome, net)."""
    return [
        (one.player, one.box, one.wager, one.outcome, one.paid + one.returned - one.amount)
        for one in events
        if isinstance(one, e.WagerSettled)
    ]
