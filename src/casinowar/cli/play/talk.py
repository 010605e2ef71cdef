"""Talk at the table: what has happened in words, questions, and the words that work at every question."""

from collections.abc import Callable, Mapping, Sequence

from casinowar.cli.play.teller import Teller
from casinowar.cli.terminal.bets import BetError, parse_amount
from casinowar.cli.terminal.screen import Screen
from casinowar.dealers import Session
from casinowar.engine import DEALER, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.commands import Limit
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.state import Bank, Spot
from casinowar.rulebooks import SILENT, load_clauses
from casinowar.rulebooks.wagers import FIRST_DEAL
from casinowar.words.phrases import limit_for_player
from casinowar.words.refusals import is_silent_reason, refuse_player
from casinowar.words.silence import is_silent

YOU = "player"
RULINGS = (
    e.WagerSettled
    | e.WarOffered
    | e.WarDeclared
    | e.WagerLimited
    | e.LimitsAdvised
    | e.CutCardDrawn
    | e.CutMade
    | e.CutDeclined
    | e.BankAccepted
    | e.BankDeclined
    | e.BankRelinquished
    | e.BankReturned
    | e.MatchLimited
    | e.MeterPaid
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


BANK_HELP = """
The players bank in turn. Whoever banks plays the dealer's card against all others, and pays and collects with the \
stake; no more than that can be won from them in a round.\
"""
COVERED_HELP = """
When the dealer comes to a wager, only what the bank has left to pay is in play: the rest of it goes back, won or lost.\
"""


class Leave(Exception):
    """The player gets up."""


class Talk:
    """The talk between the session and the person at the screen. `rulings` are the last ones, with their clauses.

    The third of each is whether the book is silent on it.
    """

    def __init__(self, session: Session, screen: Screen, bank: int) -> None:
        self.session = session
        self.screen = screen
        self.bank = bank
        self.rules = session.rules
        self.teller = Teller(session.rules, screen, YOU)
        self.rulings: list[tuple[str, tuple[str, ...], bool]] = []
        self.last_stake = 0
        self.choice = ""
        """What can be answered to the question that is open, told first by `?`."""
        kinds = (kind for kind in FIRST_DEAL if is_offered(self.rules, kind))
        self.names: dict[str, str] = {kind: self.teller.name(kind) for kind in kinds}

    @property
    def balance(self) -> int:
        return self.session.table.players[YOU]

    def limit_of(self, wager: str) -> Limit:
        """The limit of a wager: the progressive goes by its own unit, all others by the table's limits."""
        if wager == "progressive":
            unit = self.rules.progressive.unit
            return Limit(minimum=unit, unit=unit)
        return self.session.table.limit_of(wager)

    def do_offered(self, command: c.Command) -> list[e.Event]:
        """Do a command that the engine has just offered."""
        done = self.session.do(command)
        if isinstance(done, Refusal):
            raise RuntimeError(f"{command} was offered and then refused: {done.reason}")
        return done

    def say(self, text: str = "", hang: int = 2) -> None:
        self.screen.line(text, hang)

    def tell(self, events: Sequence[e.Event]) -> None:
        for line in self.teller.tell(events):
            self.say(line)
        for event in events:
            if isinstance(event, RULINGS) and getattr(event, "player", YOU) in (YOU, None):
                tie = "The cards tie: you choose war or surrender." if isinstance(event, e.WarOffered) else ""
                words = self.teller.line(event) or tie
                self.rulings.append((words, event.clauses, is_silent(event)))

    def show_hands(self, boxes: set[int], lying: Mapping[Spot, int], bank: Bank | None = None) -> None:
        """Show the boxes with their cards and the chips that lie there, the dealer or the bank last."""
        round_ = self.session.table.round
        for box in sorted(boxes - {DEALER}):
            stacks = {player: "" for at, _, player in lying if at == box}
            for (at, wager, player), amount in lying.items():
                if at == box:
                    stacks[player] += f", {self.teller.name(wager)} {amount}"
            chips = "; ".join(f"{self.teller.who(player)}: {stack[2:]}" for player, stack in stacks.items())
            self.say(f"  Box {box}   {self.screen.cards(round_.hands[box]):<8} {chips}", hang=8)
        cards = self.screen.cards(round_.hands[DEALER])
        if bank is None:
            self.say(f"  Dealer  {cards}")
        else:
            self.say(f"  Bank    {cards:<8} {self.bank_words(bank)}", hang=8)

    def bank_words(self, bank: Bank) -> str:
        """The bank in words: who banks, with how much, and what of it can still be paid out."""
        left = "" if bank.left == bank.stake else f", {bank.left} left to pay with"
        return f"{self.teller.who(bank.player)}: {bank.stake}{left}"

    def show_table(self) -> None:
        table = self.session.table
        for box in range(1, self.rules.table.boxes + 1):
            player = table.seats.get(box)
            seat = "empty" if player is None else f"{self.teller.who(player)}, {table.players[player]} chips"
            self.say(f"  Box {box}   {seat}")
        if table.bank is not None:
            self.say(f"  Bank    {self.bank_words(table.bank)}")
        if self.rules.wager.progressive:
            self.say(f"  Meter   {table.meter}")
        if not table.round.is_over and table.round.hands:
            self.say("On the layout:")
            lying = {spot: laid.amount for spot, laid in table.round.wagers.items()}
            self.show_hands(set(table.round.boxes), lying, table.bank)

    def prompt(self, question: str) -> str:
        """An answer that is not one of the words that work everywhere."""
        while (answer := self.prompt_once(question)) is None:
            continue
        return answer

    def prompt_once(self, question: str) -> str | None:
        """The answer, or none where it was one of the words that work everywhere, which has then been done."""
        answer = self.screen.prompt(question).lower()
        words = answer.split()
        done = self.anywhere().get(words[0]) if words else None
        if done is None:
            return answer
        done(" ".join(words[1:]))
        return None

    def anywhere(self) -> dict[str, Callable[[str], None]]:
        help_words = dict.fromkeys(("?", "help", "h"), self.show_help)
        odds_words = dict.fromkeys(("odds", "rules", "payouts"), self.show_odds)
        quit_words = dict.fromkeys(("quit", "q", "exit", "leave"), self.leave)
        others = {"why": self.show_why, "limits": self.show_limits, "buy": self.buy}
        return {**help_words, **odds_words, **quit_words, **others, "table": lambda _: self.show_table()}

    def leave(self, _: str) -> None:
        raise Leave

    def show_help(self, _: str) -> None:
        if self.choice:
            self.say(f"Now: {self.choice}")
        main, *others = self.names.values()
        side = f"1000 {others[0].lower()} 500: and 500 on {others[0]}\n  " if others else ""
        order = [rank.replace("T", "10") for rank in self.rules.cards.ranks]
        ranks = f"The higher card wins, from {order[0]} up to {order[-1]}"
        for line in HELP.format(main=main, side=side, ranks=ranks).strip().splitlines():
            self.say(line)
        if self.rules.bank.by != "house":
            self.say(BANK_HELP.strip())
            if self.rules.bank.model == "covered":
                self.say(COVERED_HELP.strip())
        self.say(f"Wagers here: {', '.join(self.names.values())}.")

    def show_odds(self, _: str) -> None:
        for line in self.teller.odds():
            self.say(line)

    def show_limits(self, _: str) -> None:
        for kind, name in self.names.items():
            self.say(f"  {name}: {limit_for_player(self.limit_of(kind))}")
        self.say(f"You have {self.balance}.")

    def show_why(self, _: str) -> None:
        """Show the clauses behind the last ruling, each in a sentence."""
        if not self.rulings:
            self.say("There is no ruling yet: place a bet first.")
        known = load_clauses()
        for words, clauses, is_house_default in self.rulings:
            self.say(words)
            for clause in clauses:
                text = self.rules.notes[clause].text if clause in self.rules.notes else known[clause].text
                self.say(f"  {clause}: {text}")
            if is_house_default:
                self.say(f"  {SILENT.capitalize()}.")
            elif not clauses:
                self.say("  The table's own rule: no clause of the book is needed for it.")

    def buy(self, text: str) -> None:
        """Buy chips; without an amount it is asked for."""
        text = text or self.prompt(f"How much do you buy? E.g. {self.bank}; Enter for nothing. >")
        if not text:
            return
        try:
            amount = parse_amount(text)
        except BetError as error:
            self.say(str(error))
            return
        self.session.buy_in(YOU, amount)
        self.say(f"You buy chips for {amount} and have {self.balance}.")

    def refuse(self, refusal: Refusal, wager: str = "initial") -> None:
        words = refuse_player(self.rules, refusal, self.limit_of(wager), self.teller.name(wager))
        if refusal.reason == "insufficient_funds":
            words += f" You have {self.balance}; `buy` gets you more."
        self.rulings = [(words, refusal.clauses, is_silent_reason(refusal.reason, refusal.clauses))]
        self.say(words)
