"""A player at the table in line mode: show it, ask, send commands. Every rule is the engine's."""

from collections.abc import Callable, Sequence

from casinowar.cli.bets import BetError, Stake, parse_amount, parse_bet
from casinowar.cli.screen import Screen
from casinowar.cli.telling import Teller, tell_limit, tell_refusal
from casinowar.engine import DEALER, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.betting import FIRST_DEAL, WAR_DEAL, is_offered
from casinowar.engine.dealing import is_shuffle_due
from casinowar.rulebooks import load_clauses
from casinowar.table import Bot, Session

YOU = "you"
class Game:
    """One human, some bots and the automatic dealer."""

    def __init__(self, session: Session, screen: Screen, box: int, bots: Sequence[Bot], bank: int) -> None:
        self.session = session
        self.screen = screen
        self.rules = session.rules
        self.teller = Teller(session.rules, screen, YOU)
        self.box = box
        self.bots = {bot.name: bot for bot in bots}
        self.bank = bank
        self.last_bet: list[Stake] = []
        self.rulings: list[tuple[str, tuple[str, ...]]] = []
        self.names = {kind: self.teller.name(kind) for kind in FIRST_DEAL if is_offered(self.rules, kind)}

    @property
    def balance(self) -> int:
        return self.session.table.players[YOU]

    def sit_down(self) -> None:
        """Chips for everybody, and seats: yours first."""
        for player, box in ((YOU, self.box), *((bot.name, bot.box) for bot in self.bots.values())):
            self.session.buy_in(player, self.bank)
            self.session.do(c.SeatPlayer(player=player, box=box))

    def play(self) -> None:
        """Rounds until the player leaves."""
        self.tell(self.session.opening)
        while True:
            self.offer_chips()
            self.screen.line()
            self.shuffle_if_due()
            self.bet()
            self.play_round()

    def play_round(self) -> None:
        before = self.balance + self.staked()
        self.rulings = []
        self.deal()
        while self.session.table.phase == "deciding":
            self.decide(*self.session.table.round.asked[0])
        if not self.session.table.round.is_over:
            self.bet_on_war()
            self.deal()
        self.screen.line(
            f"Round {self.session.table.round.number}: {self.balance - before:+d}. You have {self.balance}."
        )

    def staked(self) -> int:
        """Your chips on the layout."""
        round_ = self.session.table.round
        if round_.is_over:
            return 0
        return sum(laid.amount for spot, laid in round_.wagers.items() if spot[2] == YOU and laid.outcome is None)

    def deal(self) -> None:
        open_spots = [spot for spot, laid in self.session.table.round.wagers.items() if laid.outcome is None]
        while True:
            events = self.session.deal()
            if isinstance(events, Refusal):
                raise RuntimeError(f"the deal was refused: {events.reason}")
            dealt = [n for n, event in enumerate(events) if isinstance(event, e.CardDealt)]
            laid_out = dealt[-1] + 1 if dealt else len(events)
            self.tell(events[:laid_out])
            if dealt:
                self.show_hands({event.box for event in events if isinstance(event, e.CardDealt)}, open_spots)
            self.tell(events[laid_out:])
            if not self.session.is_deal_unfinished:
                return
            self.shuffle_if_due()

    def offer_chips(self) -> None:
        """Chips for a player who cannot bet the minimum; without any, there is nothing left to play with."""
        minimum = self.session.table.limit.minimum
        if self.balance >= minimum:
            return
        left = f"You have {self.balance} left, and the minimum is {minimum}" if self.balance else "You are out of chips"
        self.screen.line(f"{left}.")
        while self.balance < minimum:
            match self.ask(f"Buy chips for {self.bank}? yes or no: "):
                case "y" | "yes":
                    self.buy("")
                case "n" | "no" if self.balance:
                    return
                case "n" | "no":
                    raise Leave
                case _:
                    self.screen.line("Please answer yes or no.")

    def shuffle_if_due(self) -> None:
        """The dealer shuffles, and the cut goes to whom the book names."""
        if is_shuffle_due(self.session.table) and not self.session.table.cut_made:
            self.screen.line(f"The dealer shuffles {self.rules.shoe.decks} decks.")
        while self.session.is_cut_due:
            if self.session.cutter == YOU:
                self.cut()
            else:
                self.tell(self.session.cut_in_the_middle())

    def cut(self) -> None:
        least = self.rules.shoe.cut_depth
        most = 52 * self.rules.shoe.decks - least
        while True:
            answer = self.ask(f"Your cut: {least} to {most} cards, Enter for the middle, no to pass: ")
            if answer in ("n", "no", "pass"):
                return self.tell(self.accepted(c.DeclineCut(player=YOU)))
            if not answer:
                return self.tell(self.session.cut_in_the_middle())
            try:
                done = self.session.do(c.Cut(player=YOU, position=parse_amount(answer)))
            except BetError:
                self.screen.line(f"Please type a number from {least} to {most}, Enter, or no.")
                continue
            if not isinstance(done, Refusal):
                return self.tell(done)
            self.refuse(done)

    def accepted(self, command: c.Command) -> list[e.Event]:
        done = self.session.do(command)
        if isinstance(done, Refusal):
            raise RuntimeError(f"{command} was offered and then refused: {done.reason}")
        return done

    def bet(self) -> None:
        """Your bet, then the bots'."""
        while True:
            stakes = self.read_bet()
            if stakes and self.place(stakes):
                break
        self.last_bet = stakes
        for bot in self.bots.values():
            if self.session.table.players[bot.name] < self.session.table.limit.minimum:
                self.session.buy_in(bot.name, self.bank)
                self.screen.line(f"{bot.name} buys chips for {self.bank}.")
            if not bot.bet(self.session):
                self.screen.line(f"{bot.name} sits this round out.")

    def read_bet(self) -> list[Stake]:
        least = self.session.table.limit.minimum
        if self.last_bet:
            question = f"Your bet? Enter: {self.bet_words(self.last_bet)}. "
        else:
            side = next(iter(list(self.names.values())[1:]), None)
            example = f", or {least} {side.lower()} {least}" if side else ""
            self.screen.line(f"Bet e.g. {least}{example}. ? help, why, odds, quit.")
            question = "Your bet? "
        answer = self.ask(question)
        if not answer and self.last_bet:
            return self.last_bet
        try:
            return parse_bet(answer, self.names, self.box)
        except BetError as error:
            self.screen.line(str(error))
            return []

    def bet_words(self, stakes: Sequence[Stake]) -> str:
        """The stakes as they could be typed again."""
        words, box = [], self.box
        for stake in stakes:
            words += [f"box {stake.box}"] if stake.box != box else []
            words += [self.names[stake.wager].lower()] if stake.wager != next(iter(self.names)) else []
            words.append(str(stake.amount))
            box = stake.box
        return " ".join(words)

    def place(self, stakes: Sequence[Stake]) -> bool:
        """All of the stakes, or none."""
        commands = [_wager(stake) for stake in stakes]
        for n, stake in enumerate(stakes):
            refused = self.session.preview(*commands[: n + 1])
            if isinstance(refused, Refusal):
                self.refuse(refused, stake.wager)
                return False
        events = self.session.do(*commands)
        assert not isinstance(events, Refusal)
        self.tell(events)
        return True

    def decide(self, box: int, player: str) -> None:
        bot = self.bots.get(player)
        if bot is not None:
            return self.tell(self.accepted(bot.choice(self.session)))
        war, surrender = c.GoToWar(player=YOU, box=box), c.Surrender(player=YOU, box=box)
        self.screen.line(f"War! {self.tie_words(box)} {self.choice_words(war, surrender)}")
        while True:
            answer = self.ask("War or surrender? ").removeprefix("go to ").removeprefix("go ")
            if answer and "surrender".startswith(answer):
                return self.tell(self.accepted(surrender))
            if answer and "war".startswith(answer):
                done = self.session.do(war)
                if not isinstance(done, Refusal):
                    return self.tell(done)
                self.refuse(done)
                self.screen.line("Buy chips with `buy`, or surrender.")
            else:
                self.screen.line("Please type w for war or s for surrender; ? is for help.")

    def tie_words(self, box: int) -> str:
        hands = self.session.table.round.hands
        mine, dealers = (self.screen.card(hands[at][0]) for at in (box, DEALER))
        return f"Your {mine} on box {box} ties the dealer's {dealers}."

    def choice_words(self, war: c.GoToWar, surrender: c.Surrender) -> str:
        """What each choice costs, as the engine would do it."""
        declared, given_up = self.session.preview(war), self.session.preview(surrender)
        words = []
        if isinstance(declared, Refusal):
            refusal = tell_refusal(self.rules, declared, self.session.table.limit)
            words.append(f"War is not open to you yet: {refusal} `buy` gets you chips.")
        else:
            more = next(event.amount for event in declared if isinstance(event, e.WarDeclared))
            words.append(f"War costs {more} more.")
        if not isinstance(given_up, Refusal):
            back = next(event.returned for event in given_up if isinstance(event, e.WagerSettled))
            words.append(f"Surrender gives you {back} back.")
        return " ".join(words)

    def bet_on_war(self) -> None:
        """The wagers that the book offers for the war deal, on your boxes where they can be placed."""
        boxes = dict.fromkeys(spot[0] for spot in self.session.table.round.wagers if spot[2] == YOU)
        for box in boxes:
            names = {kind: self.teller.name(kind) for kind in WAR_DEAL if self.is_open(kind, box)}
            while names:
                least = self.session.table.limit_of(next(iter(names))).minimum
                what = " or ".join(names.values())
                answer = self.ask(f"{what} on the war cards of box {box}? e.g. {least}; Enter for none: ")
                if not answer or answer in ("n", "no", "none"):
                    break
                try:
                    stakes = parse_bet(answer, names, box)
                except BetError as error:
                    self.screen.line(str(error))
                    continue
                if self.place(stakes):
                    break

    def is_open(self, wager: str, box: int) -> bool:
        stake = Stake(box, wager, self.session.table.limit_of(wager).minimum)
        return not isinstance(self.session.preview(_wager(stake)), Refusal)


def _wager(stake: Stake) -> c.PlaceWager:
    return c.PlaceWager(player=YOU, box=stake.box, wager=stake.wager, amount=stake.amount)  # type: ignore[arg-type]
