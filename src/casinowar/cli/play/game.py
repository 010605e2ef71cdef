"""The game of a player in line mode: show the table, prompt, send commands. Every rule is the engine's."""

from collections.abc import Mapping, Sequence

from casinowar.cli.play.talk import YOU, Leave, Talk
from casinowar.cli.terminal.bets import BetError, Stake, example, parse_amount, parse_bet
from casinowar.cli.terminal.off_wagers import off_wagers
from casinowar.dealers import Bot
from casinowar.engine import DEALER, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.legal.amounts import least_wager
from casinowar.engine.state import Spot
from casinowar.rulebooks.wagers import WAR_DEAL
from casinowar.words.refusals import refuse_player


class Game:
    """The game of one human, some bots and the automatic dealer."""

    def __init__(self, talk: Talk, box: int, bots: Sequence[Bot]) -> None:
        self.talk = talk
        self.session = talk.session
        self.rules = talk.rules
        self.names = talk.names
        self.box = box
        self.bots = {bot.name: bot for bot in bots}
        self.last_bet: list[Stake] = []

    def sit_down(self) -> None:
        """Give everybody chips and a seat: yours first."""
        for player, box in ((YOU, self.box), *((bot.name, bot.box) for bot in self.bots.values())):
            self.session.buy_in(player, self.talk.bank)
            self.session.do(c.SeatPlayer(player=player, box=box))

    def play(self) -> None:
        """Play rounds until the player leaves."""
        self.talk.tell(self.session.opening)
        while True:
            self.offer_chips()
            self.talk.say()
            self.shuffle_if_due()
            if self.rules.bank.by == "player":
                fill_bank(self.talk, self.box, self.bots)
            self.bet()
            if self.session.table.has_wagers:
                self.play_round()
            else:
                self.talk.say("Nobody bets, so there is no round, and the bank passes on.")
                self.talk.tell(self.talk.do_offered(c.RelinquishBank(player=YOU)))

    def play_round(self) -> None:
        before = self.gain()
        self.talk.rulings = []
        is_bank = self.is_bank
        laid = self.deal()
        if not is_bank:
            self.last_bet = [
                Stake(box, wager, amount) for (box, wager, player), amount in laid.items() if player == YOU
            ]
        while self.session.table.phase == "deciding":
            self.decide(*self.session.table.round.asked[0])
        if not self.session.table.round.is_over:
            self.bet_on_war()
            self.deal()
        self.talk.say(
            f"Round {self.session.table.round.number}: {self.gain() - before:+d}. You have {self.talk.balance}."
        )
        if self.rules.wager.progressive:
            self.talk.say(f"The meter stands at {self.session.table.meter}.")

    @property
    def is_bank(self) -> bool:
        """Whether you bank the round that is coming or played."""
        return self.session.table.bank is not None and self.session.table.bank.player == YOU

    def gain(self) -> int:
        """The chips you have won or lost so far; those on the layout are still yours."""
        return self.talk.balance + self.staked() - self.session.chips[YOU]

    def staked(self) -> int:
        """Your chips on the layout, and those before you when you bank."""
        bank, round_ = self.session.table.bank, self.session.table.round
        lying = [] if round_.is_over else [(spot[2], laid) for spot, laid in round_.wagers.items() if not laid.outcome]
        mine = sum(laid.amount for player, laid in lying if player == YOU)
        if bank is None or bank.player != YOU:
            return mine
        return mine + bank.chips + sum(laid.match for _, laid in lying)

    def deal(self) -> dict[Spot, int]:
        """Deal the cards; give the wagers as they lay when the cards came, with what was above a limit
        gone and what a bank does not cover still there."""
        round_ = self.session.table.round
        lying = {spot: laid.amount for spot, laid in round_.wagers.items() if laid.outcome is None}
        while True:
            bank = self.session.table.bank
            events = self.session.deal()
            if isinstance(events, Refusal):
                raise RuntimeError(f"the deal was refused: {events.reason}")
            dealt = [n for n, event in enumerate(events) if isinstance(event, e.CardDealt)]
            laid_out = dealt[-1] + 1 if dealt else len(events)
            for event in events[:laid_out]:
                if isinstance(event, e.WagerLimited):
                    lying[event.box, event.wager, event.player] = event.amount
            self.talk.tell(events[:laid_out])
            if dealt:
                boxes = {event.box for event in events if isinstance(event, e.CardDealt)}
                self.talk.show_hands(boxes, lying, bank)
            self.talk.tell(events[laid_out:])
            if not self.session.is_deal_unfinished:
                return lying
            self.shuffle_if_due()

    def offer_chips(self) -> None:
        """Offer chips to a player who cannot bet the minimum; without any, there is nothing left to play with."""
        minimum = least_bet(self.talk, "initial")
        if self.talk.balance >= minimum:
            return
        left = (
            f"You have {self.talk.balance} left, and the minimum is {minimum}"
            if self.talk.balance
            else "You are out of chips"
        )
        self.talk.say(f"{left}.")
        while self.talk.balance < minimum:
            match self.talk.prompt_once(f"Buy chips for {self.talk.bank}? yes or no > "):
                case None:
                    continue
                case "y" | "yes":
                    self.talk.buy(str(self.talk.bank))
                case "n" | "no" if self.talk.balance:
                    return
                case "n" | "no":
                    raise Leave
                case _:
                    self.talk.say("Please answer yes or no.")

    def shuffle_if_due(self) -> None:
        """Have the dealer shuffle if it is due; the cut goes to whom the book names."""
        if is_shuffle_due(self.session.table) and not self.session.table.cut_made:
            who = "The dealer shuffles" if self.rules.shoe.shuffler == "manual" else "The machine has shuffled"
            self.talk.say(f"{who} {self.rules.shoe.decks} decks.")
        while self.session.is_cut_due:
            if self.session.cutter == YOU:
                self.cut()
            else:
                self.talk.tell(self.session.cut_in_the_middle())
        self.talk.tell(self.session.prepare())

    def cut(self) -> None:
        least = self.rules.shoe.cut_depth
        most = 52 * self.rules.shoe.decks - least
        while True:
            answer = self.talk.prompt(f"Cut the cards? {least} to {most} deep, Enter for the middle, no to pass. > ")
            if answer in ("n", "no", "pass"):
                return self.talk.tell(self.talk.do_offered(c.DeclineCut(player=YOU)))
            if not answer:
                return self.talk.tell(self.session.cut_in_the_middle())
            try:
                done = self.session.do(c.Cut(player=YOU, position=parse_amount(answer)))
            except BetError:
                self.talk.say(f"Please type a number from {least} to {most}, Enter, or no.")
                continue
            if not isinstance(done, Refusal):
                return self.talk.tell(done)
            self.talk.refuse(done)

    def bet(self) -> None:
        """Take your bet, then the bots'; whoever banks does not bet."""
        while not self.is_bank:
            stakes = self.read_bet()
            if stakes and self.place(stakes):
                break
        bank = self.session.table.bank
        for bot in self.bots.values():
            if bank is not None and bank.player == bot.name:
                continue
            if self.session.table.players[bot.name] < least_bet(self.talk, "initial"):
                self.session.buy_in(bot.name, self.talk.bank)
                self.talk.say(f"{bot.name} buys chips for {self.talk.bank}.")
            if not bot.bet(self.session):
                self.talk.say(f"{bot.name} sits this round out.")

    def read_bet(self) -> list[Stake]:
        least = least_bet(self.talk, "initial")
        can_repeat = bool(self.last_bet) and not isinstance(self.session.preview(*map(_wager, self.last_bet)), Refusal)
        if can_repeat:
            question = f"Your bet? Enter: {self.bet_words(self.last_bet)}; ? help. > "
        else:
            question = f"Your bet? {example(self.names, least)} Also: ? (help), odds, why, quit. > "
        answer = self.talk.prompt(question)
        if not answer and can_repeat:
            return self.last_bet
        try:
            return parse_bet(answer, self.names, self.box, least, off_wagers(self.rules))
        except BetError as error:
            self.talk.say(str(error))
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
        """Place all of the stakes, or none."""
        commands = [_wager(stake) for stake in stakes]
        for n, stake in enumerate(stakes):
            refused = self.session.preview(*commands[: n + 1])
            if isinstance(refused, Refusal):
                self.talk.refuse(refused, stake.wager)
                return False
        events = self.session.do(*commands)
        assert not isinstance(events, Refusal)
        self.talk.tell(events)
        return True

    def decide(self, box: int, player: str) -> None:
        bot = self.bots.get(player)
        if bot is not None:
            return self.talk.tell(self.talk.do_offered(bot.choice(self.session)))
        war, surrender = c.GoToWar(player=YOU, box=box), c.Surrender(player=YOU, box=box)
        costs = self.choice_words(war, surrender)
        self.talk.say(f"War! {self.tie_words(box)} {costs}")
        self.talk.choice = f"w goes to war, s surrenders. {costs}"
        while True:
            answer = self.talk.prompt("War or surrender? > ").removeprefix("go to ").removeprefix("go ")
            if answer and "surrender".startswith(answer):
                self.talk.choice = ""
                return self.talk.tell(self.talk.do_offered(surrender))
            if answer and "war".startswith(answer):
                done = self.session.do(war)
                if not isinstance(done, Refusal):
                    self.talk.choice = ""
                    return self.talk.tell(done)
                self.talk.refuse(done)
            else:
                self.talk.say("Please type w for war or s for surrender; ? is for help.")

    def tie_words(self, box: int) -> str:
        hands = self.session.table.round.hands
        mine, dealers = (self.talk.screen.card(hands[at][0]) for at in (box, DEALER))
        return f"Your {mine} on box {box} ties the {self.talk.teller.banker}'s {dealers}."

    def choice_words(self, war: c.GoToWar, surrender: c.Surrender) -> str:
        """The cost of each choice in words, as the engine would do it."""
        declared, given_up = self.session.preview(war), self.session.preview(surrender)
        words = []
        if isinstance(declared, Refusal):
            refusal = refuse_player(self.rules, declared, self.session.table.limit)
            buy = " `buy` gets you chips." if declared.reason == "insufficient_funds" else ""
            words.append(f"War is not open to you yet: {refusal}{buy}")
        else:
            more = next(event.amount for event in declared if isinstance(event, e.WarDeclared))
            is_cut = any(isinstance(event, e.MatchLimited) for event in declared)
            words.append(f"War costs {more} more{', all that the bank can match' if is_cut else ''}.")
        if not isinstance(given_up, Refusal):
            back = next(event.returned for event in given_up if isinstance(event, e.WagerSettled))
            words.append(f"Surrender gives you {back} back.")
        return " ".join(words)

    def bet_on_war(self) -> None:
        """Take wagers that the book offers for the war deal, on your boxes where they can be placed."""
        boxes = dict.fromkeys(spot[0] for spot in self.session.table.round.wagers if spot[2] == YOU)
        for box in boxes:
            kinds = (kind for kind in WAR_DEAL if self.is_open(kind, box))
            names: dict[str, str] = {kind: self.talk.teller.name(kind) for kind in kinds}
            while names:
                least = least_bet(self.talk, next(iter(names)))
                what = " or ".join(names.values())
                answer = self.talk.prompt(f"{what} on the war cards of box {box}? E.g. {least}; Enter for none. > ")
                if not answer or answer in ("n", "no", "none"):
                    break
                try:
                    stakes = parse_bet(answer, names, box, least)
                except BetError as error:
                    self.talk.say(str(error))
                    continue
                if self.place(stakes):
                    break

    def is_open(self, wager: str, box: int) -> bool:
        stake = Stake(box, wager, least_bet(self.talk, wager))
        return not isinstance(self.session.preview(_wager(stake)), Refusal)


def least_bet(talk: Talk, wager: str) -> int:
    """The least that can be bet."""
    limit = talk.limit_of(wager)
    return least_wager(talk.rules, limit, wager) or limit.minimum


def _wager(stake: Stake) -> c.PlaceWager:
    return c.PlaceWager(player=YOU, box=stake.box, wager=stake.wager, amount=stake.amount)  # type: ignore[arg-type]


def fill_bank(talk: Talk, box: int, bots: Mapping[str, Bot]) -> None:
    """Offer the bank to who is next: you, or a bot, which takes it with its declared stake."""
    session = talk.session
    while session.table.bank is None:
        player = session.bank_offers[0]
        if player == YOU:
            _offer(talk, box)
            continue
        if session.table.players[player] < least_bet(talk, "initial"):
            session.buy_in(player, talk.bank)
            talk.say(f"{player} buys chips for {talk.bank}.")
        talk.tell(talk.do_offered(bots[player].take_bank(session)))


def _offer(talk: Talk, box: int) -> None:
    """Offer you the bank. If nobody else can bank there is no round without you, and it is offered again."""
    turn = talk.session.table.bank_turn
    has_it = turn is not None and turn.player == YOU
    again = min(talk.last_stake, talk.balance) if has_it else 0
    words = "The bank is yours for another round." if has_it else "The bank is offered to you."
    usual = f"Enter: {again}" if again else f"E.g. {talk.bank // 2}"
    talk.choice = f"type how many of your {talk.balance} chips you bank with, or no to pass the bank on."
    answer = talk.prompt(f"{words} Stake? {usual}; no to pass. > ")
    talk.choice = ""
    if answer in ("n", "no", "pass"):
        passed = talk.session.do(c.RelinquishBank(player=YOU) if has_it else c.DeclineBank(player=YOU))
        if isinstance(passed, Refusal):
            talk.refuse(passed)
            return
        talk.tell(passed)
        if talk.session.bank_offers[0] == YOU:
            talk.say("Nobody else can bank now, and without a bank there is no round.")
        return
    try:
        stake = again if again and not answer else parse_amount(answer.removeprefix("bank "))
    except BetError:
        talk.say(f"Please type how many of your {talk.balance} chips you bank with, or no.")
        return
    done = talk.session.do(c.AcceptBank(player=YOU, box=box, stake=stake))
    if isinstance(done, Refusal):
        talk.refuse(done)
        return
    talk.last_stake = stake
    talk.tell(done)
