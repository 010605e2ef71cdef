"""The desk of a live table, where commands come in: who may, whether one still fits the game, and what is then done."""

import msgspec
from msgspec.structs import replace

from casinowar import protocol as f
from casinowar.cards import DECK
from casinowar.dealers.real_table import refuse_faces, turned
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.betting import boxes_allowed
from casinowar.engine.legal.amounts import refuse_limits
from casinowar.engine.roles import DEALERS, FLOOR, takes_words
from casinowar.engine.view.procedure import procedure
from casinowar.house.shoes import steps
from casinowar.house.signatures import kept_chips
from casinowar.house.signatures.countersignatures import Countersignatures
from casinowar.house.table import dealer, seats
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
from casinowar.store import CommandReused, StaffActed, cash_out
from casinowar.store.envelope import canonical
from casinowar.words.phrases import money_words
from casinowar.words.refusals import refused

_commands: msgspec.json.Decoder[f.AnyCommand] = msgspec.json.Decoder(f.AnyCommand)


class Who(msgspec.Struct, frozen=True):
    """The person who acts, the roles granted to that account, and the address by which it is counted."""

    name: str
    roles: frozenset[str] = frozenset()
    address: str = ""


class Desk:
    """Takes the commands to one table, tries each on a draft, and has the table commit what came of it."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.signatures = Countersignatures(live)

    def act(self, who: Who, frame: f.CommandFrame) -> f.Answer:
        """Answer one command. A repetition gets the first answer; a refusal changes nothing."""
        live = self.live
        try:
            told = msgspec.json.decode(frame.command)  # However it was written, the id stands for the same.
            body = canonical((frame.table, frame.expected, told, frame.part, frame.reason))
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
        refusal, by = self.try_command(who, frame, command, draft), f"{frame.part}:{who.name}"
        if refusal is not None and self.signatures.is_passed_on(frame, command, refusal, by):
            return self._wait_for_second(who, frame, command, Refusal("not_entitled", refusal.clauses, refusal.takes))
        if refusal is not None and refusal.reason == "second_signature_due":
            return self._wait_for_second(who, frame, command, refusal)
        if refusal:
            return refused(frame.id, refusal, detail=self.detail(who, command, refusal))
        return live.commit(draft, who.name, frame.id, body)

    def refuse(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand) -> Refusal | None:
        """Why a command is refused before it is tried."""
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
        """Note that a player is ready, which hurries the dealer. It is not written: it need not outlive the process.

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
        """Let a player wait for a seat, or no more. The line is not written; everybody is told of it a moment later."""
        live = self.live
        refusal = (seats.wait if isinstance(command, f.WaitForSeat) else seats.stop_waiting)(live, who.name)
        return refused(frame.id, refusal) if refusal else f.Done(frame.id, live.name, live.version)

    def _clear(self, who: Who, frame: f.CommandFrame, body: bytes) -> f.Answer:
        """Clear a table that was stopped. If its accounts are still wrong it is stopped again at once."""
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
        """What a refusal adds to its reason: how many boxes it may be; how long a void can wait, and whose chips are
        gone; the least stake of a bank."""
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

    def _wait_for_second(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, refusal: Refusal) -> f.Answer:
        """Let a command wait for a second signature. It is always a command of the game: of a dealer's `next` the step
        that it takes, and of a signature under what was passed on that command, which takes another one still."""
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

    def try_command(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, draft: Draft) -> Refusal | None:
        """Do the command in the draft; the refusal says whether a second signature would help."""
        refusal = self.perform(who, frame, command, draft)
        return self.signatures.due(frame, command, refusal, f"{frame.part}:{who.name}")

    def perform(self, who: Who, frame: f.CommandFrame, command: f.AnyCommand, draft: Draft) -> Refusal | None:
        """Do the command in the draft."""
        live, by = self.live, f"{frame.part}:{who.name}"
        if frame.part == "player":
            match command:
                case f.Sit():
                    return seats.sit(live, draft, who.name, command.box)
                case f.Leave():
                    return seats.plan_to_leave(live, draft, who.name)
                case f.BuyChips() if who.name not in draft.table.players:
                    return Refusal("not_seated")
                case f.BuyChips():
                    return draft.do(c.BuyIn(player=who.name, amount=command.amount))
                case f.CashChips():
                    return self._cash(who.name, command.amount, draft)
                case f.PromiseEntropy():
                    return steps.promise(live, draft, who.name, command.promise)
                case f.AddEntropy():
                    return steps.add_entropy(live, draft, who.name, command.entropy)
        match command:
            case f.SeatBots() | f.DismissBots():
                return seats.change_bots(live, draft, who.name, frame.part, command)
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
            case f.CallFloor() if live.settings.dealer == "automatic":
                return Refusal("dealer_is_automatic")
            case f.CallFloor() | f.TakeCall() | f.EndCall():
                return draft.note_unless_refused(live.calls.answer(frame, command, by))
        if isinstance(command, f.LiveCommand):
            return Refusal("not_allowed")
        return self._game(who, frame, replace(command, by=by), draft)

    def _cash(self, player: str, amount: int, draft: Draft) -> Refusal | None:
        cashed = cash_out(draft.table, player, amount)
        if isinstance(cashed, Refusal):
            return cashed
        if draft.table.players[player] - amount < kept_chips.kept(self.live, player):
            return Refusal("chips_are_kept")
        draft.note(cashed)
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
            following: c.Command | Refusal = turned(turning, command.card)
        elif live.is_sealed and not live.is_ready:
            return Refusal("shoe_not_ready")
        else:
            following = next_command(live, draft)
        if isinstance(following, Refusal):
            return following
        following = replace(following, by=by)
        return self._refuse_faces(following, draft) or draft.do(following)

    def _refuse_faces(self, command: c.Command, draft: Draft) -> Refusal | None:
        """Why the faces of real cards in a command cannot be."""
        piles = self.live.piles
        return refuse_faces(draft.rules, draft.table, piles.out, piles.coming, command) if piles is not None else None

    def _game(self, who: Who, frame: f.CommandFrame, command: c.Command, draft: Draft) -> Refusal | None:
        """Do a command of the game itself."""
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
        if refusal := refuse_limits(draft.rules, command):
            return refusal
        if isinstance(command, c.CorrectCard) and not live.is_card_last:
            return Refusal("no_card_to_correct")
        if isinstance(command, c.ViewInitialBurn):
            return self._view_burn(command, draft)
        if refusal := self._refuse_faces(command, draft):
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
            return seats.refuse_seat(self.live, player)
        if not isinstance(command, c.PlaceWager) or command.wager != "initial":
            return None
        holder = draft.table.seats.get(command.box)
        if holder in (None, player):
            return None
        their = c.PlaceWager(player=holder, box=command.box, wager=command.wager, amount=command.amount)
        left = Draft(draft.rules, draft.table).do(their)
        return Refusal("place_is_kept") if left is not None and left.reason == "area_full" else None

    def _refuse_stake(self, command: c.Command) -> Refusal | None:
        """Why a stake is refused: the shoe is not sealed, the bank is too small, or the player has set a limit.

        What a war would cost is counted with the wager.
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
        """Show the burned card. Its face goes to the player who asked, and into nobody else's view."""
        live, shoe, face = self.live, self.live.keeper.shoe, None
        if live.is_sealed:
            if shoe is None or live.keeper.stage != "dealing":
                return Refusal("no_burn", live.rules.clauses["burn.visibility"])
            if command.player in live.burn_viewers:
                return Refusal("step_done", live.rules.clauses["burn.visibility"])
            face = shoe.peek(0, 1)[0] if draft.table.opening_burned else None
        return draft.do(replace(command, card=face))
