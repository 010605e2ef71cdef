"""A draft: what an act will have done, tried on the side, so that a refusal leaves nothing behind."""

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.records.piles import DRAWN
from casinowar.rulebooks import Rulebook
from casinowar.store import CommandTaken, Recorded, stand


class Draft:
    """Events to be committed together, the table after them, and the rules by which it goes on."""

    def __init__(self, rules: Rulebook, table: Table) -> None:
        self.rules = rules
        self.table = table
        self.events: list[Recorded] = []
        self.seeds: list[tuple[str, bytes]] = []

    def do(self, command: c.Command, reason: str = "") -> Refusal | None:
        """Have the engine decide the command; its events stand behind it in the log."""
        done = step(self.rules, self.table, command)
        if isinstance(done, Refusal):
            return done
        self.events += [CommandTaken(command, reason), *done[0]]
        self.table = done[1]
        return None

    def must(self, command: c.Command, reason: str = "") -> None:
        """Do the dealer's own act, which the procedure has called for."""
        refusal = self.do(command, reason)
        if refusal:
            raise RuntimeError(f"the dealer's own {type(command).__name__} was refused: {refusal.reason}")

    def note(self, event: Recorded) -> None:
        """Note an event that the engine does not decide."""
        self.table = stand(self.table, event)
        self.events.append(event)

    def note_unless_refused(self, event: Recorded | Refusal) -> Refusal | None:
        """Note the event, or give the refusal that stands in its place."""
        if isinstance(event, Refusal):
            return event
        self.note(event)
        return None

    @property
    def drawn(self) -> int:
        """The number of cards that leave the shoe with this."""
        return sum(isinstance(event, DRAWN) for event in self.events)
