"""Second signatures: how a command comes to wait for another person at a table, and what comes of it."""

import msgspec
from msgspec.structs import replace

from casinowar import protocol as f
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.roles import FLOOR
from casinowar.engine.signatures import SIGNED, is_entitled
from casinowar.house.signatures import kept_chips
from casinowar.house.signatures.pending_signatures import Pending, person
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from casinowar.store import SignatureAsked, StaffActed

MOST_WAITING = 10


class Countersignatures:
    """The commands that wait for a second signature at one table.

    They are in the log: they outlive the process, and lapse when nobody has answered in time.
    """

    def __init__(self, live: LiveTable) -> None:
        self._live = live

    def find(self, command: c.Command) -> str | None:
        """The request under which the same command waits already: who asks twice has asked once."""
        return next(
            (request for request, one in kept_chips.waiting(self._live).items() if one.command == command), None
        )

    def request(self, draft: Draft, command: c.Command, reason: str, is_passed_on: bool = False) -> str | Refusal:
        """Note in the draft that a command waits; give its request, or why no signature could help."""
        live, by = self._live, str(command.by)
        done = kept_chips.trial(live.rules, live.table, command, is_passed_on)
        if isinstance(done, Refusal):
            return done
        if len(kept_chips.waiting(live)) >= MOST_WAITING:
            return Refusal("too_many_requests")
        lapses, moves = live.timer("signature"), kept_chips.moves_chips(live.table, done.table)
        if moves:
            lapses = live.pending.left(live.table.round.number, command, lapses, live.now())
        if not lapses:
            return Refusal("void_answered")
        request = f"s{live.pending.asked + 1}"
        asked = SignatureAsked(request, live.table.round.number, command, by, reason, lapses, is_passed_on, moves)
        draft.note(asked)
        return request

    def due(self, frame: f.CommandFrame, command: f.AnyCommand, refusal: Refusal | None, by: str) -> Refusal | None:
        """The refusal of a command. Where two must sign, one of them in a higher role than whoever of the floor asks,
        it says that a second signature is due: the command waits for that one."""
        if refusal is None or refusal.reason != "not_entitled" or not isinstance(command, SIGNED):
            return refusal
        live = self._live
        alone = Draft(live.rules, live.table).do(replace(command, by=kept_chips.ANYBODY))
        takes_two = alone is not None and alone.reason == "second_signature_due"
        if not takes_two or frame.part not in FLOOR:
            return refusal
        still = Draft(live.rules, live.table).do(self._signed_by_two(command, by))
        return still or Refusal("second_signature_due", refusal.clauses, refusal.takes)

    def is_passed_on(self, frame: f.CommandFrame, command: f.AnyCommand, refusal: Refusal, by: str) -> bool:
        """Whether the dealer has reported rightly what the book leaves to the floor: it waits there as it was told."""
        if frame.part != "dealer" or isinstance(command, f.LiveCommand):
            return False
        rules = self._live.rules
        if refusal.reason == "second_signature_due":
            refusal = Draft(rules, self._live.table).do(self._signed_by_two(command, by)) or refusal
        return refusal.reason == "not_entitled" and is_entitled(rules, command, by)

    def _signed_by_two(self, command: c.Command, by: str) -> c.Command:
        return replace(command, by=by, second=kept_chips.anybody_second(self._live.rules, command))

    def countersign(self, frame: f.CommandFrame, request: str, draft: Draft, by: str) -> Refusal | None:
        """Sign a command that waits, and do it in the draft."""
        waiting = kept_chips.waiting(self._live).get(request)
        if frame.part not in FLOOR:
            return Refusal("not_allowed")
        if waiting is None:
            return Refusal("no_such_request")
        signed = {"by": by} if waiting.is_passed_on else {"second": by}
        refusal = draft.do(replace(waiting.command, **signed), f"{waiting.reason} / {frame.reason}")
        if refusal is None:
            self._close(draft, request, waiting, "signed", by)
        return refusal

    def request_anew(self, draft: Draft, request: str, by: str, reason: str) -> str | Refusal:
        """Let a command that was passed on wait again: it takes one more person than the one who signs it now."""
        waiting = kept_chips.waiting(self._live)[request]
        self._close(draft, request, waiting, "asked_anew", by)
        return self.request(draft, replace(waiting.command, by=by), reason)

    def turn_down(self, frame: f.CommandFrame, request: str, draft: Draft, by: str) -> Refusal | None:
        """Refuse a signature: the floor's to do; whoever asked may take it back."""
        waiting = kept_chips.waiting(self._live).get(request)
        if waiting is None:
            return Refusal("no_such_request")
        is_own = person(by) == person(waiting.by)
        if frame.part not in FLOOR and not is_own:
            return Refusal("not_allowed")
        draft.note(StaffActed("refuse_signature", by, frame.reason))
        self._close(draft, request, waiting, "taken_back" if is_own else "refused", by)
        return None

    def _close(self, draft: Draft, request: str, one: Pending, how: str, by: str) -> None:
        draft.note(kept_chips.closing_event(self._live, request, one, how, by))


def signatures_due(live: LiveTable) -> tuple[f.SignatureDue, ...]:
    """The commands that wait at the table for a second person, as the floor is shown them."""
    return tuple(
        f.SignatureDue(
            request,
            msgspec.to_builtins(one.command),
            one.by,
            one.reason,
            one.at,
            one.is_passed_on,
            max(0, one.until - live.now()),
            live.pending.unsigned[person(one.by)],
        )
        for request, one in kept_chips.waiting(live).items()
    )
