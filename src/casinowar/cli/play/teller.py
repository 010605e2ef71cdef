"""Events of a game at a terminal, told to the player in the second person. Nothing here decides anything."""

from collections.abc import Iterator, Sequence
from itertools import groupby, starmap

from casinowar.cli.terminal.bets import off_in_words
from casinowar.cli.terminal.off_wagers import off_wagers
from casinowar.cli.terminal.screen import Screen
from casinowar.engine import events as e
from casinowar.engine.decide.betting import is_offered
from casinowar.rulebooks import Odds, Rulebook, citation
from casinowar.words.phrases import limit_for_player, situation_in_words
from casinowar.words.silence import cite_event


def cited(clauses: Sequence[str]) -> str:
    return f" [{citation(clauses)}]"


class Teller:
    """Tells events from one player's seat."""

    def __init__(self, rules: Rulebook, screen: Screen, you: str) -> None:
        self.rules = rules
        self.screen = screen
        self.you = you
        self.banker = "dealer" if rules.bank.by == "house" else "bank"

    def name(self, wager: str) -> str:
        """What the layout calls the wager."""
        return str(getattr(self.rules.names, wager) or wager.replace("_", " ").capitalize())

    def who(self, player: str, box: int | None = None) -> str:
        """The player; with the box where one player may have several."""
        name = "You" if player == self.you else player
        return f"{name} (box {box})" if box is not None and self.rules.table.multi_box else name

    def cutter(self, by: str | None) -> str:
        """The member of staff who cuts: whom the book names, or else the dealer."""
        return "The dealer" if by in (None, "staff", "dealer") else f"The {getattr(self.rules.roles, str(by), by)}"

    def tell(self, events: Sequence[e.Event]) -> Iterator[str]:
        """A line for each event that a player at the table would notice; cards on the layout are left to the table."""
        for kind, group in groupby(events, key=self._run):
            if kind is e.CardBurned:
                yield from self._burns([event for event in group if isinstance(event, e.CardBurned)])
                continue
            last = None
            for event in group:
                line = self.line(event)
                if line:
                    yield line
                last = event
            if isinstance(last, e.WagerSettled) and last.bank_left is not None:
                yield f"The bank has {last.bank_left or 'nothing'} left to pay with."

    def _run(self, event: e.Event) -> type:
        """The kind of an event, by which events are told in one go: what a bank does not cover goes back while it
        settles."""
        is_of_bank = isinstance(event, e.WagerLimited) and self.rules.bank.by == "player"
        return e.WagerSettled if is_of_bank else type(event)

    def _burns(self, burns: list[e.CardBurned]) -> Iterator[str]:
        for card, group in groupby(burns, key=lambda burn: burn.card):
            count = len(list(group))
            if card is not None:
                yield f"The dealer turns up {self.screen.card(card)} and burns it."
            else:
                yield f"The dealer burns {'a card' if count == 1 else f'{count} cards'} face down."

    def line(self, event: e.Event) -> str | None:
        match event:
            case e.BettingClosed():
                return "No more bets."
            case e.WagerSettled():
                return self.settlement(event)
            case e.WarDeclared():
                match_ = f"; the {self.banker} puts {event.match} beside it" if event.match else ""
                return f"{self._acts(event.player, 'go', 'goes', event.box)} to war with {event.amount} more{match_}."
            case _:
                return self._notice(event)

    def _notice(self, event: e.Event) -> str | None:
        match event:
            case e.WagerLimited():
                back = event.placed - event.amount
                name = self.name(event.wager)
                plays = f"{self.who(event.player, event.box)}: {name} plays at {event.amount}; {back} goes back"
                return f"{plays}, not covered by the bank." if self.rules.bank.by == "player" else f"{plays}."
            case e.LimitsAdvised():
                to = "you" if event.player == self.you else event.player
                limits = f"{self.name(event.wager)}: {limit_for_player(event.limit)}"
                return f"The dealer reminds {to} of the limits for {limits}."
            case e.PlayerEdgeNoted():
                return f"Note: with these payouts going to war favours the player.{cite_event(self.rules, event)}"
            case e.LimitsOffUnitNoted():
                return f"Note: the limits are no multiples of the unit.{cite_event(self.rules, event)}"
            case e.MatchLimited():
                name, back = self.name("initial"), event.placed - event.amount
                plays = f"{self.who(event.player, event.box)}: {name} plays at {event.amount}; {back} goes back"
                return f"The bank can match no more than {event.amount}. {plays}."
            case e.MeterPaid():
                return f"The jackpot is hit: {event.amount} leaves the meter, which starts again at {event.seed}."
            case _:
                return self._bank(event)

    def _bank(self, event: e.Event) -> str | None:
        match event:
            case e.BankAccepted():
                who = self._acts(event.player, "bank", "banks")
                return f"{who} with {event.stake}: no more than that can be paid this round."
            case e.BankDeclined():
                return f"{self._acts(event.player, 'pass', 'passes')}: the bank goes on to the next player."
            case e.BankRelinquished():
                return f"{self._acts(event.player, 'give', 'gives')} up the bank."
            case e.BankReturned():
                return (
                    f"{self._acts(event.player, 'take', 'takes')} {event.amount} back from the bank ({event.net:+d})."
                )
            case _:
                return self._shoe(event)

    def _shoe(self, event: e.Event) -> str | None:
        match event:
            case e.CutCardDrawn(shuffle="now"):
                return "The cutting card comes out first: the cards are shuffled before this round."
            case e.CutCardDrawn(shuffle="after_round"):
                return "The cutting card shows: the cards are shuffled after this round."
            case e.CutMade():
                player = event.player
                who = self._acts(player, "cut", "cuts") if player else f"{self.cutter(event.by)} cuts"
                return f"{who} the cards, {event.position} from the front."
            case e.CutDeclined():
                return "You pass the cut on." if event.player == self.you else f"{event.player} passes the cut on."
            case e.BurnSkipped():
                return "Too few cards are left for the burn: it is left out."
            case _:
                return None

    def settlement(self, event: e.WagerSettled) -> str:
        wager = f"{self.who(event.player, event.box)}: {self.name(event.wager)} {event.amount}"
        match event.outcome:
            case "win" if event.items:
                kept = "" if event.returned else "; the stake is not returned"
                return f"{wager} wins {event.paid}: {', '.join(self._item(item) for item in event.items)}{kept}."
            case "win":
                all_left = ", all that the bank has left" if self._is_cut_short(event) else ""
                return f"{wager} wins {event.paid} ({event.odds}){all_left}."
            case "lose":
                return f"{wager} loses."
            case "push":
                return f"{wager} stands: {event.returned} back."
            case "surrender":
                return f"{wager} is surrendered for {event.returned}."
            case _:
                return f"{wager} is {event.outcome}: {event.returned} back."

    def _item(self, item: e.Item) -> str:
        match item.item:
            case "odds":
                return f"{item.of.replace('_', ' ')} {item.amount} ({item.odds})"
            case "meter":
                return f"the meter {item.amount}"
            case "envy":
                whose = "your" if item.of == self.you else f"{item.of}'s"
                return f"envy {item.amount} for {whose} jackpot"

    def _acts(self, player: str, you: str, other: str, box: int | None = None) -> str:
        """A player and a verb: `You go` or `ana goes`."""
        return f"{self.who(player, box)} {you if player == self.you else other}"

    def _is_cut_short(self, event: e.WagerSettled) -> bool:
        """Whether the bank paid less than the odds say."""
        numerator, _, denominator = (event.odds or "0:1").partition(":")
        return event.bank_left == 0 and event.paid * int(denominator) < event.amount * int(numerator)

    def odds(self) -> Iterator[str]:
        """Every wager of the layout and what it pays, with the clauses; of those that are off, how to turn them on."""
        blocks: dict[str, list[str]] = {}
        for (wager, situation), cell in self.rules.cells.items():
            if wager != "war" and not is_offered(self.rules, wager):
                continue
            pays = f"pays {cell.odds}" if cell.odds else "stands" if cell.outcome == "push" else "loses"
            blocks.setdefault(wager, [self.name(wager)]).append(
                f"  {situation_in_words(wager, situation)}: {pays}{cited(cell.clauses)}"
            )
        for wager, block in blocks.items():
            is_for_war = wager.startswith("war_")
            if is_for_war and blocks.get(wager.removeprefix("war_")) == block:
                continue
            is_repeated = blocks.get(f"war_{wager}") == block
            deals = ", and again for the war deal" if is_repeated else ", for the war deal" if is_for_war else ""
            yield f"{block[0]}{deals}:"
            yield from block[1:]
        if self.rules.wager.progressive:
            yield from self._meter()
        yield from self._choices()
        yield from starmap(off_in_words, off_wagers(self.rules).items())

    def _meter(self) -> Iterator[str]:
        """The lines on what a jackpot brings, to whom it falls and to the others who bet on the progressive."""
        rules = self.rules
        share = "all of" if rules.progressive.meter_share == "1:1" else f"{rules.progressive.meter_share} of"
        yield f"  the best line also wins {share} the meter{cited(rules.clauses['progressive.meter_share'])}"
        each = f"{rules.progressive.envy} for each {rules.progressive.unit} bet"
        yield f"  envy, when another wins the meter: {each}{cited(rules.clauses['progressive.envy'])}"

    def _choices(self) -> Iterator[str]:
        """The lines on what war costs and surrender gives up, as the book's leaves say."""
        stake, forfeit = self.rules.war_stake, self.rules.forfeit
        main = self.rules.names.initial
        yield "When the first cards tie:"
        yield f"  war costs {_share(stake)} {main} on top{cited(self.rules.clauses['war.stake'])}"
        yield f"  surrender gives up {_share(forfeit)} {main}{cited(self.rules.clauses['surrender.forfeit'])}"


def _share(odds: Odds) -> str:
    return "as much as" if odds.numerator == odds.denominator else f"{odds.numerator}/{odds.denominator} of"
