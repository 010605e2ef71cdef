"""Second signatures: how something comes to wait for another person at a table, and what comes of it."""

import msgspec
from msgspec.structs import replace

from casinowar import protocol as f
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.roles import FLOOR
from casinowar.house.signatures import kept_chips
from casinowar.house.signatures.pending_signatures import Pending, person
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from casinowar.store import SignatureAsked, StaffActed

MOST_WAITING = 10


class Countersignatures:
    """What waits is in the log: it outlives the process, and lapses when nobody has answered in time."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live

    def find(self, command: c.Command) -> str | None:
        """Under which request the same waits already: who asks twice has asked once."""
        return next(
            (request for request, one in kept_chips.waiting(self._live).items() if one.command == command), None
        )

    def request(self, draft: Draft, command: c.Command, reason: str, is_passed_on: bool = False) -> str | Refusal:
        """Have the draft tell that a command waits; its request, or why no signature could help."""
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

    def countersign(self, frame: f.CommandFrame, request: str, draft: Draft, by: str) -> Refusal | None:
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
        """What was passed on takes one more person than the one who signs it now."""
        waiting = kept_chips.waiting(self._live)[request]
        self._close(draft, request, waiting, "asked_anew", by)
        return self.request(draft, replace(waiting.command, by=by), reason)

    def turn_down(self, frame: f.CommandFrame, request: str, draft: Draft, by: str) -> Refusal | None:
        """The floor's to do; whoever asked may take it back."""
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
        draft.note(kept_chips.closed(self._live, request, one, how, by))


def signatures_due(live: LiveTable) -> tuple[f.SignatureDue, ...]:
    """What waits at the table for a second person, as the floor is shown it."""
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
