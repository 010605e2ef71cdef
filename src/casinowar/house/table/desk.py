"""What people ask of a live table: who may, whether it still fits the game they saw, and what is then done."""

import msgspec
from msgspec.structs import replace

from casinowar import protocol as f
from casinowar.cards import DECK
from casinowar.dealers.real_table import refuse_faces, turned
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.betting import boxes_allowed
from casinowar.engine.roles import DEALERS, FLOOR, takes_words
from casinowar.engine.signatures import SIGNED, is_entitled
from casinowar.engine.view.procedure import procedure
from casinowar.house.shoes import steps
from casinowar.house.signatures import kept_chips
from casinowar.house.signatures.countersignatures import Countersignatures
from casinowar.house.signatures.kept_chips import ANYBODY, anybody_second
from casinowar.house.table import dealer, departures, seat_claims
from casinowar.house.table.bot_strategies import seat_bots
from casinowar.house.table.chips import least_stake, price, war_stake
from casinowar.house.table.command_kinds import (
    CARDS,
    STAKES,
    THE_SERVERS,
    TIMELESS,
    cards_in,
    is_line,
    is_staffs_cut,
    needs_reason,
    texts_in,
)
from casinowar.house.table.draft import Draft
from casinowar.house.table.next_step import is_next_turned_up, next_command
from casinowar.house.table.table import LiveTable
from casinowar.store import CommandReused, LeaveCancelled, LeavePlanned, StaffActed, cash_out
from casinowar.store.envelope import canonical
from casinowar.words.phrases import money_words
from casinowar.words.refusals import refused

_commands: msgspec.json.Decoder[f.AnyCommand] = msgspec.json.Decoder(f.AnyCommand)


class Who(msgspec.Struct, frozen=True):
    """Who acts, the roles that the operator has granted to that account, and the address by which it is counted."""

    name: str
    roles: frozenset[str] = frozenset()
    address: str = ""


def body_of(frame: f.CommandFrame) -> bytes:
    """What the id stands for, however the JSON was written."""
    asked = (frame.table, frame.expected, msgspec.json.decode(frame.command), frame.part, frame.reason)
    return canonical(asked)


class Desk:
    """Where the asks for one table come in."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.signatures = Countersignatures(live)

    def act(self, who: Who, frame: f.CommandFrame) -> f.Answer:
        """The answer to one ask. A repetition gets the first answer; a refusal changes nothing."""
        live = self.live
        try:
            body = body_of(frame)
            command = _commands.decode(frame.command)
        except (msgspec.DecodeError, UnicodeError, OverflowError, RecursionError) as error:
            return refused(frame.id, Refusal("malformed_command"), detail=str(error)[:200])
        if any(card not in DECK for card in cards_in(command)):
            return refused(frame.id, Refusal("malformed_command"), detail="there is no such card")
        live.seen[who.name] = live.now()
        try:
            stored = live.store.answer_to(who.name, frame.id, body)
        except CommandReused:
            return refused(frame.id, Refusal("id_reused"))
        if stored is not None:
            return msgspec.json.decode(stored.answer, type=f.Done)
        refusal = self.refuse(who, frame, command)
        if refusal:
            return refused(frame.id, refusal, detail=self.detail(who, command, refusal))
        if isinstance(command, f.Clear):
            return self._clear(who, frame, body)
        if isinstance(command, f.Ready) and frame.part == "player":
            return self._ready(who, frame)
        if isinstance(command, f.WaitForSeat | f.StopWaiting) and frame.part == "player":
            return self._wait(who, frame, command)
        draft = Draft(live.rules, live.table)
        refusal = self.signature_due(who, frame, command, self.perform(who, frame, command, draft))
        if refusal is not None and self._is_passed_on(who, frame, command, refusal):
            return self._wait_for_second(who, frame, command, Refusal("not_entitled", refusal.clauses, refusal.takes))
        if refusal is not None and refusal.reason == "second_signature_due":
            return self._wait_for_second(who, frame, command, refusal)
        if refusal:
            return refused(frame.id, refusal, detail=self.detail(who, command, refusal))
        return live.commit(draft, who.name, frame.id, body)

    def refuse(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand) -> Refusal | None:
        """The ladder before anything is tried."""
        live = self.live
        if frame.part != "player" and frame.part not in who.roles:
            return Refusal("not_allowed")
        if frame.part != "player" and live.is_in_play(who.name):
            return Refusal("plays_here")
        if live.stopped is not None and not isinstance(command, f.Clear):
            return Refusal("table_stopped")
        if frame.expected > live.version:
            return Refusal("unknown_version")
        if frame.expected < live.turn and not isinstance(command, TIMELESS):
            return Refusal("stale")
        if needs_reason(frame, command) and not (len(frame.reason.strip()) >= 3 and frame.reason.isprintable()):
            return Refusal("reason_due")
        if getattr(command, "by", None) is not None or getattr(command, "second", None) is not None:
            return Refusal("by_is_the_servers")
        if not all(is_line(text) for text in texts_in(command)):
            return Refusal("malformed_command")
        return kept_chips.refuse(live, frame, command)

    def _ready(self, who: Who, frame: f.CommandFrame) -> f.Answer:
        """It hurries the dealer and changes nothing that must outlive the process, so that it is not written.

        It is for those who are waited for, and to say it again says nothing new.
        """
        live = self.live
        if not live.is_in_play(who.name):
            return refused(frame.id, Refusal("not_seated"))
        if who.name not in live.ready:
            live.ready.add(who.name)
            live.tell([])
        return f.Done(frame.id, live.name, live.version)

    def _wait(self, who: Who, frame: f.CommandFrame, command: f.WaitForSeat | f.StopWaiting) -> f.Answer:
        """The line is not written either; everybody is told of it when the table next looks at what is due."""
        live = self.live
        refusal = (seat_claims.wait if isinstance(command, f.WaitForSeat) else seat_claims.stop_waiting)(live, who.name)
        return refused(frame.id, refusal) if refusal else f.Done(frame.id, live.name, live.version)

    def _clear(self, who: Who, frame: f.CommandFrame, body: bytes) -> f.Answer:
        """A table whose accounts are still wrong is stopped again at once."""
        live, by = self.live, f"{frame.part}:{who.name}"
        if frame.part not in FLOOR:
            return refused(frame.id, Refusal("not_allowed"))
        if live.stopped is None:
            return refused(frame.id, Refusal("not_stopped"))
        live.store.clear(live.stream, by, frame.reason)
        live.reload()
        draft = Draft(live.rules, live.table)
        draft.note(StaffActed("clear", by, frame.reason))
        return live.commit(draft, who.name, frame.id, body)

    def detail(self, who: Who, command: f.AnyCommand, refusal: Refusal) -> str:
        """How many boxes it may be where it was one too many; where a void stands in the way, how long it can wait, and
        whose chips are gone."""
        if refusal.takes:
            return takes_words(self.live.rules, refusal.takes)
        if refusal.reason == "void_waits":
            return kept_chips.how_long(self.live)
        if refusal.reason == "chips_gone" and not isinstance(command, f.LiveCommand):
            return kept_chips.missing_words(self.live, command, is_passed_on=True)
        if refusal.reason == "chips_are_kept":
            return kept_chips.how_long(self.live, kept_chips.kept(self.live, who.name))
        if refusal.reason == "bank_below_minimum":
            return money_words(least_stake(self.live.settings, self.live.table), self.live.minor_digits)
        if refusal.reason != "too_many_boxes" or not isinstance(command, c.PlaceWager):
            return ""
        most = boxes_allowed(self.live.rules, self.live.table, command.player)
        return "one each" if most == 1 else f"at most {most} each"

    def signature_due(
        self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, refusal: Refusal | None
    ) -> Refusal | None:
        """Where two must sign, one of them in a higher role than whoever of the floor asks, it waits for that one."""
        if refusal is None or refusal.reason != "not_entitled" or not isinstance(command, SIGNED):
            return refusal
        live, by = self.live, f"{frame.part}:{who.name}"
        alone = Draft(live.rules, live.table).do(replace(command, by=ANYBODY))
        takes_two = alone is not None and alone.reason == "second_signature_due"
        if not takes_two or frame.part not in FLOOR:
            return refusal
        signed = replace(command, by=by, second=anybody_second(live.rules, command))
        still = Draft(live.rules, live.table).do(signed)
        return still or Refusal("second_signature_due", refusal.clauses, refusal.takes)

    def _is_passed_on(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, refusal: Refusal) -> bool:
        """Whether the dealer has reported rightly what the book leaves to the floor: it waits there as it was told."""
        by = f"{frame.part}:{who.name}"
        if frame.part != "dealer" or isinstance(command, f.LiveCommand):
            return False
        if refusal.reason == "second_signature_due":
            signed = replace(command, by=by, second=anybody_second(self.live.rules, command))
            refusal = Draft(self.live.rules, self.live.table).do(signed) or refusal
        return refusal.reason == "not_entitled" and is_entitled(self.live.rules, command, by)

    def _wait_for_second(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, refusal: Refusal) -> f.Answer:
        """What is signed is a command of the game: of a dealer's `next` the step that it takes, and of a signature
        under what was passed on that command, which takes another one still."""
        live, by = self.live, f"{frame.part}:{who.name}"
        draft = Draft(live.rules, live.table)
        if isinstance(command, f.Countersign):
            request = self.signatures.request_anew(draft, command.request, by, frame.reason)
        else:
            asked = next_command(live, Draft(live.rules, live.table)) if isinstance(command, f.Next) else command
            assert not isinstance(asked, f.LiveCommand | Refusal)
            asked, is_passed_on = replace(asked, by=by), refusal.reason == "not_entitled"
            there = self.signatures.find(asked)
            if there is not None:
                return refused(frame.id, refusal, there)
            request = self.signatures.request(draft, asked, frame.reason, is_passed_on)
        if isinstance(request, Refusal):
            return refused(frame.id, request, detail=self.detail(who, command, request))
        written = live.commit(draft, "house", f"{live.stream}.{live.version + 1}")
        is_named = refusal.reason == "second_signature_due" and refusal.takes
        detail = takes_words(live.rules, refusal.takes) if is_named else ""
        return refused(frame.id, refusal, request, detail) if isinstance(written, f.Done) else written

    def perform(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, draft: Draft) -> Refusal | None:
        """Do the command in the draft."""
        live, by = self.live, f"{frame.part}:{who.name}"
        if frame.part == "player":
            match command:
                case f.Sit():
                    return self._sit(who.name, command.box, draft)
                case f.Leave():
                    return self._leave(who.name, draft)
                case f.BuyChips():
                    return self._buy(who.name, command.amount, draft)
                case f.CashChips():
                    return self._cash(who.name, command.amount, draft)
                case f.PromiseEntropy():
                    return steps.promise(live, draft, who.name, command.promise)
                case f.AddEntropy():
                    return steps.add_entropy(live, draft, who.name, command.entropy)
        match command:
            case f.SeatBots() | f.DismissBots():
                return self._bots(who, frame, command, draft)
            case f.Next() | f.Enter():
                return self._step(frame, command, draft, by)
            case f.Pause() | f.Resume():
                if frame.part not in FLOOR:
                    return Refusal("not_allowed")
                draft.note(StaffActed("pause" if isinstance(command, f.Pause) else "resume", by, frame.reason))
                return None
            case f.Countersign():
                return self.signatures.countersign(frame, command.request, draft, by)
            case f.RefuseSignature():
                return self.signatures.turn_down(frame, command.request, draft, by)
            case f.CallFloor() | f.TakeCall() | f.EndCall():
                return self._call(frame, command, draft, by)
        if isinstance(command, f.LiveCommand):
            return Refusal("not_allowed")
        return self._game(who, frame, replace(command, by=by), draft)

    def _sit(self, player: str, box: int, draft: Draft) -> Refusal | None:
        live = self.live
        if draft.table.is_closed:
            return Refusal("table_closed")
        refusal = live.restraint.refuse(player, 0) or self._refuse_seat(player)
        if refusal is None and player not in draft.table.players:
            refusal = draft.do(c.BuyIn(player=player, amount=0))
        if refusal:
            return refusal
        if player in live.leaving:
            draft.note(LeaveCancelled(player))
        if live.box_of(player) == box:
            return None
        return draft.do(c.SeatPlayer(player=player, box=box, by=f"player:{player}"))

    def _refuse_seat(self, player: str) -> Refusal | None:
        """Who sits here already may take another box."""
        return seat_claims.refuse_seat(self.live, player) if self.live.box_of(player) is None else None

    def _leave(self, player: str, draft: Draft) -> Refusal | None:
        live = self.live
        chips = draft.table.players.get(player, 0)
        is_in_play = not departures.can_leave(live, player)
        if live.box_of(player) is None and not chips and not is_in_play:
            return Refusal("not_seated")
        if is_in_play:
            draft.note(LeavePlanned(player))
        else:
            departures.leave(live, draft, player)
        return None

    def _buy(self, player: str, amount: int, draft: Draft) -> Refusal | None:
        if player not in draft.table.players:
            return Refusal("not_seated")
        return draft.do(c.BuyIn(player=player, amount=amount))

    def _cash(self, player: str, amount: int, draft: Draft) -> Refusal | None:
        cashed = cash_out(draft.table, player, amount)
        if isinstance(cashed, Refusal):
            return cashed
        if draft.table.players[player] - amount < kept_chips.kept(self.live, player):
            return Refusal("chips_are_kept")
        draft.note(cashed)
        return None

    def _bots(
        self, who: Who, frame: f.CommandFrame, command: f.SeatBots | f.DismissBots, draft: Draft
    ) -> Refusal | None:
        """The floor's to do, and at a private table its owner's."""
        live = self.live
        is_owner = frame.part == "player" and live.settings.owner == who.name
        if not is_owner and frame.part not in FLOOR:
            return Refusal("not_allowed")
        if isinstance(command, f.SeatBots):
            taken = {*live.bots, *live.leaving}
            return seat_bots(draft, taken, command.count, command.strategy, f"{frame.part}:{who.name}")
        for name in live.bots:
            if departures.can_leave(live, name):
                departures.leave(live, draft, name)
            else:
                draft.note(LeavePlanned(name))
        return None

    def _step(self, frame: f.CommandFrame, command: f.Next | f.Enter, draft: Draft, by: str) -> Refusal | None:
        live = self.live
        if frame.part != "dealer":
            return Refusal("not_allowed")
        if live.settings.dealer == "automatic":
            return Refusal("dealer_is_automatic")
        if isinstance(command, f.Enter):
            if live.is_sealed:
                return Refusal("cards_are_sealed")
            turning = next(iter(procedure(draft.rules, draft.table)), None)
            if turning is None or not turning.turns_card:
                return Refusal("too_many_cards")
            if not is_next_turned_up(draft):
                return Refusal("burn_sealed", turning.clauses)
            return self._enter(replace(turned(turning, command.card), by=by), draft)
        if live.is_sealed and not live.is_ready:
            return Refusal("shoe_not_ready")
        following = next_command(live, draft)
        return following if isinstance(following, Refusal) else self._enter(replace(following, by=by), draft)

    def _call(
        self, frame: f.CommandFrame, command: f.CallFloor | f.TakeCall | f.EndCall, draft: Draft, by: str
    ) -> Refusal | None:
        if self.live.settings.dealer == "automatic" and isinstance(command, f.CallFloor):
            return Refusal("dealer_is_automatic")
        told = self.live.calls.answer(frame, command, by)
        if isinstance(told, Refusal):
            return told
        draft.note(told)
        return None

    def _enter(self, command: c.Command, draft: Draft) -> Refusal | None:
        """A command to a table of real cards: faces that cannot be are refused."""
        piles = self.live.piles
        if piles is not None:
            refusal = refuse_faces(draft.rules, draft.table, piles.out, piles.coming, command)
            if refusal:
                return refusal
        return draft.do(command)

    def _game(self, who: Who, frame: f.CommandFrame, command: c.Command, draft: Draft) -> Refusal | None:
        """A command of the game itself."""
        live = self.live
        if frame.part == "player":
            if isinstance(command, c.SeatPlayer | c.VacateSeat):
                return Refusal("not_by_hand")
            is_anothers = getattr(command, "player", None) not in (who.name, None)
            if is_anothers or (isinstance(command, c.Surrender) and command.reason):
                return Refusal("not_entitled")
        if isinstance(command, THE_SERVERS) or (live.is_sealed and is_staffs_cut(frame, command)):
            return Refusal("not_by_hand")
        if live.is_sealed and isinstance(command, CARDS):
            return Refusal("cards_are_sealed")
        if live.is_sealed and isinstance(command, c.Cut | c.DeclineCut) and live.keeper.stage != "cutting":
            return Refusal("no_cut", live.rules.clauses["shoe.cutter_rule"])
        if live.settings.dealer == "automatic" and isinstance(command, DEALERS):
            return Refusal("dealer_is_automatic")
        if isinstance(command, STAKES) and (refusal := self._refuse_stake(command)):
            return refusal
        if isinstance(command, c.CorrectCard) and not live.is_card_last:
            return Refusal("no_card_to_correct")
        if isinstance(command, c.ViewInitialBurn):
            return self._view_burn(command, draft)
        if live.piles is not None:
            refusal = refuse_faces(draft.rules, draft.table, live.piles.out, live.piles.coming, command)
            if refusal:
                return refusal
        is_own = frame.part == "player"
        refusal = live.do_funded(draft, command, frame.reason) if is_own else draft.do(command, frame.reason)
        if refusal is None and is_own:
            refusal = self._refuse_place(who.name, command, draft)
        if refusal is None and isinstance(command, c.Cut) and live.is_sealed:
            steps.cut(live, draft, str(command.player), command.position)
        if refusal is None and isinstance(command, c.DeclineCut) and live.is_sealed:
            dealer.offer_cut(draft)
        return refusal

    def _refuse_place(self, player: str, command: c.Command, draft: Draft) -> Refusal | None:
        """Why the house lets nobody have the place that a wager or a bank has just taken in the draft.

        Whoever bets on a free box, or banks there, sits down by it, and is held to what holds for a seat. Whoever bets
        on the box of somebody else leaves that player the last place on each area.
        """
        if any(isinstance(event, e.PlayerSeated) for event in draft.events):
            return self._refuse_seat(player)
        if not isinstance(command, c.PlaceWager) or command.wager != "initial":
            return None
        holder = draft.table.seats.get(command.box)
        if holder in (None, player):
            return None
        their = c.PlaceWager(player=holder, box=command.box, wager=command.wager, amount=command.amount)
        left = Draft(draft.rules, draft.table).do(their)
        return Refusal("place_is_kept") if left is not None and left.reason == "area_full" else None

    def _refuse_stake(self, command: c.Command) -> Refusal | None:
        """No wager before the shoe is sealed, no bank below the least, nothing beyond what the player has set.

        A war is counted before it.
        """
        live = self.live
        if not live.is_ready and not isinstance(command, c.AcceptBank):
            return Refusal("shoe_not_ready")
        if isinstance(command, c.AcceptBank) and command.stake < least_stake(live.settings, live.table):
            return Refusal("bank_below_minimum")
        risk = price(live.rules, live.table, command)
        if isinstance(command, c.PlaceWager | c.AmendWager) and command.wager == "initial" and risk > 0:
            risk += war_stake(live.rules, risk)
        player: str = getattr(command, "player", "")
        return live.restraint.refuse(player, risk) if risk > 0 else None

    def _view_burn(self, command: c.ViewInitialBurn, draft: Draft) -> Refusal | None:
        """The face goes to the player who asked, and into nobody else's view."""
        live, shoe = self.live, self.live.keeper.shoe
        if live.is_sealed:
            if shoe is None or live.keeper.stage != "dealing":
                return Refusal("no_burn", live.rules.clauses["burn.visibility"])
            if command.player in live.burn_viewers:
                return Refusal("step_done", live.rules.clauses["burn.visibility"])
            face = shoe.peek(0, 1)[0] if draft.table.opening_burned else None
            return draft.do(replace(command, card=face))
        return draft.do(replace(command, card=None))
