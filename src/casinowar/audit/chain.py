"""The audit of how shoes follow each other under a table's name, through all openings of the table."""

from casinowar.audit.findings import Finding, Findings, place_of
from casinowar.store import Recalled, ShoeCommitted


class ChainAudit:
    """The audit of the chain of shoes, one for a whole store. Walk the tables in the order of their list.

    A shoe without a number is of a log from before they were numbered: it names the one before it in its own opening,
    and the first of an opening names none. Once a shoe has a number every later one has, so that nobody passes a new
    one off as old. `anew` and `early` count what an older program wrote and a newer one does not.
    """

    def __init__(self) -> None:
        self.anew = self.early = 0
        self._commitments: dict[str, list[str]] = {}
        self._unopened: dict[str, str] = {}
        self._own: dict[str, list[str]] = {}
        self._older: list[tuple[int, str]] = []
        self._numbered_from: int | None = None

    def begin(self, table: str, one: Recalled, event: ShoeCommitted) -> Findings:
        """What is wrong with the name and the predecessor of a shoe that is committed to."""
        where = f"{place_of(one)}, shoe {event.shoe}"
        chain, own = self._commitments.setdefault(table, []), self._own.setdefault(one.stream, [])
        before, due = (chain, len(chain) + 1) if event.number else (own, len(own) + 1)
        if event.shoe != f"{one.stream}/{due}" or event.number not in (0, due):
            yield Finding(where, f"is the shoe {due} of {one.stream}")
        if event.previous != (before[-1] if before else None):
            yield Finding(where, "does not name the commitment before it")
        if table in self._unopened:
            yield Finding(where, f"shoe {self._unopened.pop(table)} was not opened before")
        if event.number:
            self._numbered_from = min(self._numbered_from or one.position, one.position)
        else:
            self._older.append((one.position, where))
            self.anew += bool(chain) and not own
        chain.append(event.commitment)
        own.append(event.commitment)
        self._unopened[table] = event.shoe

    def open(self, table: str) -> None:
        self._unopened.pop(table, None)

    def findings(self) -> Findings:
        """Findings that only the whole store shows."""
        for position, where in self._older:
            if self._numbered_from is not None and position > self._numbered_from:
                yield Finding(where, "has no number, and shoes were numbered before it was committed to")

    @property
    def remarks(self) -> list[str]:
        said = []
        if self.anew:
            said.append(f"a chain of shoes began anew at {self.anew} openings, before shoes were numbered through all")
        if self.early:
            said.append(
                f"{self.early} shoes are called finished before their cutting card, as an older program did when a"
                " table closed"
            )
        return said
