"""The dealer's console at a table of real cards: the next step in words, and whatever the dealer types."""

import re
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from casinowar.cli.deal.arguments import OrderError, Words, parse_face
from casinowar.cli.deal.orders import READERS
from casinowar.cli.deal.step_text import invitation, tell_next
from casinowar.cli.deal.table_text import tell_happened, tell_state
from casinowar.cli.deal.troubles import TROUBLES, read_ruling, read_trouble
from casinowar.cli.terminal.screen import Screen
from casinowar.dealers import RealTable
from casinowar.engine import Event, Refusal
from casinowar.engine import commands as c
from casinowar.engine.decide.shoe import cut_bounds
from casinowar.words.phrases import limit_in_words
from casinowar.words.refusals import tell_refusal

HELP = """
Enter: take the step shown, and say what it waits for
go: take steps until a card or a choice is needed
kh, 10d, 2c: the card just turned; several in a row may stand in one line
fix kd: the last card was entered wrongly, and this is the one that lies there
buy NAME AMOUNT, seat NAME BOX, leave NAME
bet NAME BOX AMOUNT; bet NAME BOX tie AMOUNT; bet NAME BOX 50 tie 10
amend NAME BOX [WAGER] AMOUNT, withdraw NAME BOX [WAGER]
war NAME BOX, surrender NAME BOX
cut NAME [DEPTH], pass NAME: the cut; cut card: the cutting card shows, before the next card
bank NAME BOX STAKE, decline NAME, relinquish NAME: where the players bank
wrong ...: something went wrong (wrong alone lists what); ruling ...: the last word on it
dealer NAME, time MINUTES, marker CARDS, load CARDS, act NAME FIELD=VALUE ...: the table itself
Any line may end in: by ROLE:NAME, and second ROLE:NAME
state, log, help, quit
"""

ADVICE = {
    "card_unseen": "type its face, such as kh",
    "burn_sealed": "press Enter to burn it unseen",
    "card_exhausted": "look at the card again, and type it as it lies; or fix the one entered wrongly before",
    "another_card_next": "press Enter to use it",
    "too_many_cards": "take the step shown first",
    "no_card_to_correct": "a card can be fixed until the next act; after that, type wrong",
    "unknown_player": "buy NAME AMOUNT brings a player to the table",
    "insufficient_funds": "buy NAME AMOUNT gets chips",
    "no_wager": "bet NAME BOX AMOUNT",
    "decision_open": "war NAME BOX, or surrender NAME BOX",
    "cut_due": "cut NAME, or pass NAME",
    "ruling_due": "ruling stand REASON, or another ruling",
    "reason_due": "type the reason behind it",
    "no_bank": "bank NAME BOX STAKE",
    "second_signature_due": "end the line with second supervisor:NAME",
    "same_person": "end the line with second supervisor:NAME, another person",
    "reconstruct_instead": "wrong rebuild 1>2, or wrong void BOX REASON",
    "betting_closed": "it can be bet on the next round",
    "table_closed": "quit",
}
"""What the dealer can do about a refusal."""

LIMITED = ("wager_above_maximum", "wager_below_minimum", "wager_odd", "wager_off_unit")
"""Refusals that the table's limits explain."""


class Quit(Exception):
    """The dealer ends the night."""


class Console:
    """The console between the table and the person who deals. `keep` is called after each thing that happened."""

    def __init__(self, real: RealTable, screen: Screen, keep: Callable[[], None] = lambda: None) -> None:
        self.real = real
        self.screen = screen
        self.keep = keep
        self.words: dict[str, Callable[[Words], None]] = {
            "go": lambda _: self.tell_taken(self.real.go_on()),
            "wrong": self.wrong,
            "ruling": lambda words: self.order(read_ruling, words),
            "state": lambda _: self.show(tell_state(self.real)),
            "log": lambda _: self.show(tell_happened(self.real, self.real.log)),
            "help": lambda _: self.show_help(),
            "?": lambda _: self.show_help(),
            "quit": self.quit,
            "exit": self.quit,
        }

    def run(self) -> None:
        """Run until the dealer quits, or the input is at its end."""
        while True:
            self.obey(self.screen.prompt(f"Next: {tell_next(self.real)} >"))

    def obey(self, line: str) -> None:
        """Obey one line. What cannot be read or done is told in a line, and nothing changes."""
        first, *words = line.split() or [""]
        verb = first.lower()
        try:
            if not first or verb == "xx":
                self.tell_taken(self.real.step())
            elif verb in self.words:
                self.words[verb](words)
            elif verb in READERS:
                self.order(READERS[verb], words)
            elif re.search(r"[cdhs♣♦♥♠]$", verb) and len(verb) <= 3:
                self.enter([first, *words])
            else:
                self.say(f"{first!r} is not understood: type help, a card such as kh, or Enter for the next step.")
        except OrderError as error:
            self.say(str(error))

    def enter(self, texts: Words) -> None:
        """Enter faces one after the other, until one is refused."""
        for face in [parse_face(text) for text in texts]:
            if not self.tell(self.real.enter(face)):
                return

    def order(self, read: Callable[[RealTable, Words], list[c.Command]], words: Words) -> None:
        words, signatures = _signatures(words)
        for command in read(self.real, words):
            if not all(hasattr(command, key) for key in signatures):
                raise OrderError("One signature is enough for that: leave out second.")
            if isinstance(command, c.Cut | c.DeclineCut | c.OfferCut) and _is_cut_later(self.real):
                raise OrderError(f"The cut comes later. First: {tell_next(self.real)}")
            if not self.tell(self.real.do(replace(command, **signatures))):
                return

    def tell_taken(self, done: list[Event] | Refusal) -> None:
        """Tell what a step did. Where it waits for somebody, nothing is wrong: what to type is told again."""
        following = self.real.next_step
        if isinstance(done, Refusal) and following is not None and self.real.waits_for is not None:
            advice = invitation(self.real)[1] if following.act in ("invite", "offer_bank") else ADVICE[done.reason]
            self.say(f"This step waits: {advice}.")
        else:
            self.tell(done)

    def wrong(self, words: Words) -> None:
        if words:
            self.order(read_trouble, words)
            return
        for kind, trouble in TROUBLES.items():
            self.say(f"  wrong {kind} {trouble.usage}".rstrip() + f": {trouble.meaning}", hang=4)

    def tell(self, done: list[Event] | Refusal) -> bool:
        """Tell what has happened, or why nothing has; give whether it did."""
        if isinstance(done, Refusal):
            advice = ADVICE.get(done.reason, "")
            if done.reason in LIMITED:
                advice = f"the limits are {limit_in_words(self.real.table.limit)}"
            elif done.reason == "cut_out_of_bounds":
                least, most = cut_bounds(self.real.rules)
                advice = f"it can be {least} to {most} deep"
            self.say(f"No: {tell_refusal(self.real.rules, done)}{f'; {advice}' if advice else ''}.")
            return False
        self.show(tell_happened(self.real, done))
        self.keep()
        return True

    def say(self, text: str, hang: int = 2) -> None:
        self.screen.line(text, hang)

    def show(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def show_help(self) -> None:
        for line in HELP.strip().splitlines():
            self.say(f"  {line}", hang=4)

    def quit(self, words: Words) -> None:
        raise Quit


def _is_cut_later(real: RealTable) -> bool:
    """Whether the cards are to be shuffled, or looked at, before they are cut. The engine leaves that to the table."""
    acts = [step.act for step in real.procedure]
    return "cut" in acts[1:] and acts[0] != "cut"


def _signatures(words: Words) -> tuple[Words, dict[str, str]]:
    """The line without its signatures, and those by name: `by supervisor:s1 second supervisor:s2`."""
    signatures: dict[str, str] = {}
    while len(words) > 1 and words[-2].lower() in ("by", "second") and ":" in words[-1]:
        role, _, person = words[-1].partition(":")
        if role not in c.ROLES or not person:
            raise OrderError(f"{words[-1]!r} is nobody: sign as ROLE:NAME, with a role of {', '.join(c.ROLES)}.")
        signatures[words[-2].lower()] = words[-1]
        words = words[:-2]
    return words, signatures
