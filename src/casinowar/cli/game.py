"""A player at the table in line mode: show it, ask, send commands. Every rule is the engine's."""

from collections.abc import Callable, Sequence

from casinowar.cli.bets import BetError, Stake, parse_amount, parse_bet
from casinowar.cli.screen import Screen
from casinowar.cli.telling import Teller, cited, tell_limit, tell_refusal
from casinowar.engine import DEALER, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.betting import SPOTS_BEFORE, WAR_DEAL, is_offered
from casinowar.engine.dealing import is_shuffle_due
from casinowar.rulebooks import load_clauses
from casinowar.table import Bot, Session

YOU = "you"
RULINGS = (
    e.WagerSettled
    | e.WarOffered
    | e.WarDeclared
    | e.WagerLimited
    | e.LimitsAdvised
    | e.CutCardDrawn
    | e.CutMade
    | e.CutDeclined
)
HELP = """
Bet, and one card goes to each box and one to the dealer. {ranks}. On a tie you choose: go to war with a second wager, \
or surrender. `odds` says what everything pays here.
  1000: bet 1000 on {main}
  {side}box 3 1000: bet on box 3
  Enter: the same bet again
  why: the clauses behind the last ruling
  odds (or rules): what each wager pays, with its clauses
  table: the boxes and who sits there
  limits: the least and the most you can bet
  buy 1000: buy chips
  quit: leave, with your balance
"""


class Leave(Exception):
    """The player gets up."""


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
        self.names = {kind: self.teller.name(kind) for kind in SPOTS_BEFORE if is_offered(self.rules, kind)}

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

    def tell(self, events: Sequence[e.Event]) -> None:
        for line in self.teller.tell(events):
            self.screen.line(line)
        for event in events:
            if isinstance(event, RULINGS) and getattr(event, "player", YOU) in (YOU, None):
                self.rulings.append((self.teller.line(event) or self.offer_words(event), event.clauses))

    def offer_words(self, event: e.Event) -> str:
        return "The cards tie: you choose war or surrender." if isinstance(event, e.WarOffered) else ""

    def show_hands(self, boxes: set[int], spots: Sequence[tuple[int, str, str]]) -> None:
        """The boxes with their cards and the chips that lie there, the dealer last."""
        round_ = self.session.table.round
        for box in sorted(boxes - {DEALER}):
            stacks = {player: "" for at, _, player in spots if at == box}
            for spot, laid in round_.wagers.items():
                if spot in spots and spot[0] == box:
                    stacks[spot[2]] += f", {self.teller.name(spot[1])} {laid.amount}"
            chips = "; ".join(f"{self.teller.who(player)}: {stack[2:]}" for player, stack in stacks.items())
            self.screen.line(f"  Box {box}   {self.screen.cards(round_.hands[box]):<8} {chips}", hang=8)
        self.screen.line(f"  Dealer  {self.screen.cards(round_.hands[DEALER])}")

    def show_table(self) -> None:
        table = self.session.table
        for box in range(1, self.rules.table.boxes + 1):
            player = table.seats.get(box)
            seat = "empty" if player is None else f"{self.teller.who(player)}, {table.players[player]} chips"
            self.screen.line(f"  Box {box}   {seat}")
        if not table.round.is_over and table.round.hands:
            self.screen.line("On the layout:")
            self.show_hands(set(table.round.boxes), list(table.round.wagers))

    # Asking

    def ask(self, question: str) -> str:
        """An answer that is not one of the words that work everywhere."""
        while True:
            answer = self.screen.ask(question).lower()
            words = answer.split()
            done = self.anywhere().get(words[0]) if words else None
            if done is None:
                return answer
            done(" ".join(words[1:]))

    def anywhere(self) -> dict[str, Callable[[str], None]]:
        help_words = dict.fromkeys(("?", "help", "h"), self.show_help)
        odds_words = dict.fromkeys(("odds", "rules", "payouts"), self.show_odds)
        quit_words = dict.fromkeys(("quit", "q", "exit", "leave"), self.leave)
        others = {"why": self.show_why, "limits": self.show_limits, "buy": self.buy}
        return {**help_words, **odds_words, **quit_words, **others, "table": lambda _: self.show_table()}

    def leave(self, _: str) -> None:
        raise Leave

    def show_help(self, _: str) -> None:
        main, *others = self.names.values()
        side = f"1000 {others[0].lower()} 500: and 500 on {others[0]}\n  " if others else ""
        order = [rank.replace("T", "10") for rank in self.rules.cards.ranks]
        ranks = f"The higher card wins, from {order[0]} up to {order[-1]}"
        for line in HELP.format(main=main, side=side, ranks=ranks).strip().splitlines():
            self.screen.line(line)
        self.screen.line(f"Wagers here: {', '.join(self.names.values())}.")

    def show_odds(self, _: str) -> None:
        for line in self.teller.odds():
            self.screen.line(line)

    def show_limits(self, _: str) -> None:
        table = self.session.table
        for kind, name in self.names.items():
            self.screen.line(f"  {name}: {tell_limit(table.limit_of(kind))}")
        self.screen.line(f"You have {self.balance}.")

    def show_why(self, _: str) -> None:
        """The clauses behind the last ruling, each in a sentence."""
        if not self.rulings:
            self.screen.line("There is no ruling yet: place a bet first.")
        known = load_clauses()
        for words, clauses in self.rulings:
            self.screen.line(words)
            for clause in clauses:
                self.screen.line(f"  {clause}: {known[clause].text}")
            if not clauses:
                self.screen.line("  The table's own rule: no clause of the book is needed for it.")

    def buy(self, text: str) -> None:
        try:
            amount = parse_amount(text or str(self.bank))
        except BetError as error:
            self.screen.line(str(error))
            return
        self.session.buy_in(YOU, amount)
        self.screen.line(f"You buy chips for {amount} and have {self.balance}.")

    def refuse(self, refusal: Refusal, wager: str = "initial") -> None:
        words = tell_refusal(self.rules, refusal, self.session.table.limit_of(wager))
        self.rulings = [(words, refusal.clauses)]
        self.screen.line(words)

    # The round, from your seat

    def offer_chips(self) -> None:
        """Chips for a player who cannot bet the minimum; without any, there is nothing left to play with."""
        minimum = self.session.table.limit.minimum
        if self.balance >= minimum:
            return
        left = f"You have {self.balance} left, and the minimum is {minimum}" if self.balance else "You are out of chips"
        self.screen.line(f"{left}.")
        while True:
            answer = self.ask(f"Buy chips for {self.bank}? yes or no: ")
            if self.balance >= minimum:
                return
            if answer in ("y", "yes"):
                return self.buy("")
            if answer in ("n", "no"):
                if not self.balance:
                    raise Leave
                return None
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
