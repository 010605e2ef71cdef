"""Second signatures: what waits for another person at a table, and what comes of it."""

import msgspec
from msgspec.structs import replace

from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.signatures import FLOOR
from casinowar.store import StaffActed
from casinowar.table import frames as f
from casinowar.table.draft import Draft
from casinowar.table.live import LiveTable

MOST_WAITING = 10
ANYBODY = "operator:?"
"""A second person whoever it may be, also where the book wants the operator's hand: no account has this name."""


class Pending(msgspec.Struct, frozen=True):
    """A command that waits for a second person, the round and the time at which it was asked for.

    One that is passed on was not whoever asked's to decide: the floor gives it in their place.
    """

    command: c.Command
    reason: str
    round: int
    at: int
    is_passed_on: bool = False


class Signatures:
    """What waits is forgotten with the process, or once its round is over: then it has to be asked for again."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._pending: dict[str, Pending] = {}
        self._count = 0

    def ask(self, command: c.Command, reason: str, is_passed_on: bool = False) -> str:
        """The request under which a command waits. Who asks twice for the same has asked once."""
        for request, one in self._waiting().items():
            if one.command == command:
                return request
        self._count += 1
        request = f"s{self._count}"
        pending = Pending(command, reason, self._round, self._live.store.now(), is_passed_on)
        kept = list(self._waiting().items())[1 - MOST_WAITING :]
        self._pending = {**dict(kept), request: pending}
        self._live.tell([])
        return request

    def refuse(self, command: c.Command, is_passed_on: bool) -> Refusal | None:
        """Why it could not be done whoever signed it."""
        signed = {"by": ANYBODY} if is_passed_on else {"second": ANYBODY}
        refusal = Draft(self._live.rules, self._live.table).do(replace(command, **signed))
        is_signed_on = is_passed_on and refusal is not None and refusal.reason == "second_signature_due"
        return None if is_signed_on else refusal

    def due(self) -> tuple[f.SignatureDue, ...]:
        return tuple(
            f.SignatureDue(
                request, msgspec.to_builtins(one.command), str(one.command.by), one.reason, one.at, one.is_passed_on
            )
            for request, one in self._waiting().items()
        )

    def countersign(self, ask: f.Ask, request: str, draft: Draft, by: str) -> Refusal | None:
        waiting = self._waiting().get(request)
        if ask.part not in FLOOR:
            return Refusal("not_allowed")
        if waiting is None:
            return Refusal("no_such_request")
        signed = {"by": by} if waiting.is_passed_on else {"second": by}
        return draft.do(replace(waiting.command, **signed), f"{waiting.reason} / {ask.reason}")

    def waiting(self, request: str) -> c.Command:
        return self._waiting()[request].command

    def turn_down(self, ask: f.Ask, request: str, draft: Draft, by: str) -> Refusal | None:
        """The floor's to do; whoever asked may take it back."""
        waiting = self._waiting().get(request)
        if waiting is None:
            return Refusal("no_such_request")
        if ask.part not in FLOOR and by != waiting.command.by:
            return Refusal("not_allowed")
        draft.note(StaffActed("refuse_signature", by, ask.reason))
        return None

    def forget(self, request: str) -> dict[str, Pending]:
        """What waited until now, to be put back if nothing comes of it."""
        before = self._pending
        self._pending = {name: one for name, one in before.items() if name != request}
        return before

    def put_back(self, before: dict[str, Pending]) -> None:
        self._pending = before

    @property
    def _round(self) -> int:
        return self._live.table.round.number

    def _waiting(self) -> dict[str, Pending]:
        """What was asked for in this round and has not been done or become impossible."""
        return {
            request: one
            for request, one in self._pending.items()
            if one.round == self._round and self.refuse(one.command, one.is_passed_on) is None
        }
