"""One sentence for each event of a table, as a person there would say it.

Each function tells one group of events and gives none for the others. The voice says how amounts, cards and signatures
are written; clauses are the caller's to add.
"""

import msgspec

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.words.phrases import join_names, place, plain, words
from casinowar.words.settlements import tell_reversed, tell_settlement
from casinowar.words.voice import Voice

BURNS = {
    "opening": "Opening burn",
    "opening_value": "Burned for the value of that card",
    "midround": "Burn of the new stack",
    "new_dealer": "New dealer's burn",
    "round": "Burn before the round",
    "war": "Burned before the war",
    "war_banker": "Burned before the bank's card",
}

PREPARED = {
    "inspect": "The decks are sorted and checked",
    "verify": "The inspection is verified",
    "spread": "The cards are spread for inspection",
    "wash": "The cards are washed and stacked",
    "pre_load": "Before they go into the machine the cards are taken through",
    "shuffle": "The cards are shuffled",
    "swap_batch": "The used batch goes into the shuffler, and the other comes out",
}
"""What is done with cards on their way into the shoe."""

LIMITS_BASIS = {
    "empty": "with nobody at the table",
    "agreed": "with everybody's agreement",
    "notice": "after notice",
}

SHUFFLE_TIME = {"now": "shuffle at once", "after_round": "shuffle after this round", "none": "play goes on"}


def tell_event(voice: Voice, event: e.Event) -> str:
    """The sentence of one event, without its clauses."""
    groups = (_wager, _card, _shoe, _preparation, _floor, _seat, _bank, _incident, _ruling)
    return next((told for group in groups if (told := group(voice, event))), None) or in_fields(event)


def _wager(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.WagerPlaced():
            return (
                f"{plain(event.player)} bets {voice.amount(event.amount)} "
                f"on {voice.wager(event.wager)}, box {event.box}"
            )
        case e.WagerAmended():
            return (
                f"{plain(event.player)} changes {voice.wager(event.wager)}, box {event.box}, "
                f"to {voice.amount(event.amount)} in all"
            )
        case e.WagerWithdrawn():
            what = f"{voice.wager(event.wager)} {voice.amount(event.amount)}, box {event.box}"
            if event.gives_way_to:
                right = f"{plain(event.gives_way_to)}, who has first right to the place"
                return f"{plain(event.player)} gives way to {right}, and has {what}, back"
            return f"{plain(event.player)} takes back {what}"
        case e.WagerLimited():
            return (
                f"{plain(event.player)}'s {voice.wager(event.wager)} of {voice.amount(event.placed)}, box {event.box}, "
                f"plays for {voice.amount(event.amount)}; {voice.amount(event.placed - event.amount)} goes back"
            )
        case e.WagerFound():
            return (
                f"{plain(event.player)}'s {voice.wager(event.wager)} on box {event.box} is found to be "
                f"{voice.amount(event.amount)}, not {voice.amount(event.noted)}, by {voice.signer(event.by)}"
            )
        case e.LimitsAdvised():
            return f"{plain(event.player)} is told the limits of {voice.wager(event.wager)}: {voice.limit(event.limit)}"
        case e.BettingClosed():
            stacks = (
                f"; on box {box} {join_names(who)} in that order" for box, who in event.bettors.items() if who[1:]
            )
            return f"Betting closes: cards for {join_names(f'box {box}' for box in event.boxes)}{''.join(stacks)}"
        case e.WarOffered():
            return f"{plain(event.player)} ties on box {event.box}: war or surrender?"
        case e.WarDeclared():
            beside = f"; the {voice.dealer} puts {voice.amount(event.match)} beside it" if event.match else ""
            return f"{plain(event.player)} goes to war on box {event.box} with {voice.amount(event.amount)}{beside}"
        case e.WarWagerConfirmed():
            return (
                f"The dealer confirms {plain(event.player)}'s war wager of {voice.amount(event.amount)} "
                f"on box {event.box}"
            )
        case e.WagerSettled(outcome="surrender"):
            return (
                f"{plain(event.player)} surrenders on box {event.box}, "
                f"{voice.amount(event.returned)} of {voice.amount(event.amount)} back"
            )
        case e.WagerSettled():
            told = tell_settlement(voice, event)
            return told[:1].upper() + told[1:]
        case e.WagerReversed():
            return tell_reversed(voice, event)
        case e.MatchLimited():
            return (
                f"The bank can match {voice.amount(event.amount)} of {plain(event.player)}'s {voice.wager('initial')} "
                f"of {voice.amount(event.placed)}, box {event.box}: "
                f"{voice.amount(event.placed - event.amount)} goes back"
            )
        case _:
            return None


def _card(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.CardDealt():
            return f"{place(event.box, f'The {voice.dealer}').capitalize()} receives {voice.card(event.card)}"
        case e.CardBurned():
            shown = "face down" if event.card is None else f"{voice.card(event.card)}, face up"
            beside = f", beside the {voice.dealer}'s card" if event.beside_dealer else ""
            return f"{BURNS[event.burn]}: one card, {shown}{beside}"
        case e.BurnSkipped():
            return f"{BURNS[event.burn]}: left out, too few cards"
        case e.CardsCollected() | e.RoundEnded():
            return f"To the rack: {voice.hands(event.hands, voice.dealer)}"
        case e.RoundInvalidated():
            return f"The round is invalid, by {voice.signer(event.by, event.second)}: {words(event.cause)}"
        case e.RoundVoided():
            by = f", by {voice.signer(event.by, event.second)}" if event.by else ""
            return f"All hands are void{by}: {plain(words(event.reason))}"
        case e.RoundAmended():
            return f"Round {event.number} now has another result"
        case e.FaceUpFound():
            count = f", as number {event.count}" if event.count > 1 else ""
            return f"It lay face up in the shoe{count}{_says(voice, event.by)}"
        case e.CardDiscarded():
            return f"Out of play: {voice.card(event.card)}{_says(voice, event.by)}"
        case e.CardHeld():
            return f"Drawn in error, to be used next: {voice.card(event.card)}{_says(voice, event.by)}"
        case _:
            return None


def _says(voice: Voice, by: str | None) -> str:
    return f", says {voice.signer(by)}" if by else ""


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _shoe(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.CutMade():
            who = plain(event.player) if event.player else voice.signer(event.by or "staff")
            return f"{who} cuts {_cards(event.position)} from the front"
        case e.CutDeclined():
            return f"{plain(event.player)} does not want to cut"
        case e.MarkerPlaced():
            return f"The cutting card goes in with {_cards(event.from_back)} behind it"
        case e.ShoeLoaded():
            marker = "no cutting card" if event.cut_card is None else f"the cutting card after {event.cut_card}"
            return f"Shuffled, cut and in the shoe: {event.cards} cards, {marker}"
        case e.CutCardDrawn():
            where = f"where box {event.box}'s card is due" if event.box else "where the dealer is to draw"
            return f"The cutting card shows {where}: {SHUFFLE_TIME[event.shuffle]}"
        case e.CutCardReached():
            return "The cutting card lies at the mouth of the shoe"
        case e.MeterFed():
            return (
                f"The meter {'gives back' if event.amount < 0 else 'takes'} {voice.amount(abs(event.amount))} "
                f"of {plain(event.player)}'s wager on box {event.box}"
            )
        case e.MeterPaid():
            return f"The meter has paid {voice.amount(event.amount)} and starts again at {voice.amount(event.seed)}"
        case e.CardsReplaced():
            which = voice.cards(event.cards) or (voice.unseen if event.damaged else "all")
            return f"Cards replaced, by {voice.signer(event.by)}: {which}"
        case e.ShuffleOrdered():
            return f"A shuffle is ordered, by {voice.signer(event.by)}: {words(event.reason)}"
        case e.DealerChanged():
            return f"{plain(event.dealer)} is the dealer now"
        case _:
            return None


def _preparation(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.CardsPrepared():
            how = f" ({', '.join(event.steps)})" if event.steps else ""
            batch = f", batch {event.batch}" if event.batch > 1 else ""
            seen = f"; {join_names(event.players)} may look" if event.players else ""
            return f"{PREPARED[event.step]}{how}{batch}, by {voice.signer(event.by, event.second)}{seen}"
        case e.CutOffered():
            return f"The cut is offered to {plain(event.player)}"
        case e.InspectionRequested():
            return f"{plain(event.player)} asks to see the cards that came shuffled"
        case e.FullShuffleRequired():
            return f"{plain(event.player)} wants the cards inspected, shuffled and cut in full"
        case e.SpreadRequested():
            return f"{plain(event.player)} wants to see the batch that waited in the shuffler"
        case e.BurnViewed():
            return f"{plain(event.player)} is shown the burned card"
        case e.DiscardsReturned():
            return f"{event.cards} discards go back into the shuffler"
        case _:
            return None


def _floor(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.TimePassed():
            minutes, seconds = divmod(event.seconds, 60)
            return f"{minutes} min {seconds} s pass" if minutes else f"{seconds} s pass"
        case e.LimitsAnnounced():
            return f"A sign with new limits goes up, by {voice.signer(event.by)}: {voice.limit(event.limit)}"
        case e.LimitsChanged():
            return (
                f"The limits are now {voice.limit(event.limit)}, "
                f"by {voice.signer(event.by)}, {LIMITS_BASIS[event.basis]}"
            )
        case e.ClosingAnnounced():
            when = "" if not event.minutes else f" in {event.minutes} minute{'s' if event.minutes > 1 else ''}"
            return f"A sign says that the table will close{when}, by {voice.signer(event.by)}"
        case e.TableClosed():
            return f"The table is closed, by {voice.signer(event.by)}"
        case e.DecksAnnounced():
            return f"A sign says that {event.decks} decks are to come, by {voice.signer(event.by)}"
        case e.DecksChanged():
            return f"From now on there are {event.decks} decks"
        case e.BoxMaxDirected():
            return f"{_most(voice, event.amount)} on one area, by {voice.signer(event.by)}"
        case e.PlayerMaxDirected():
            return f"{_most(voice, event.amount)} by one player on a box, by {voice.signer(event.by)}"
        case e.BettorsPerAreaSet():
            many = "any number of" if not event.bettors else str(event.bettors)
            return f"{voice.signer(event.by)} allows {many} {'bettor' if event.bettors == 1 else 'bettors'} an area"
        case _:
            return None


def _most(voice: Voice, amount: int) -> str:
    return f"At most {voice.amount(amount)}" if amount else "No further maximum"


def _seat(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.PlayerSeated():
            others = [f"box {box}" for box in event.leaves if box != event.box]
            left = f", leaving {join_names(others)}" if others else ""
            return f"{plain(event.player)} sits at box {event.box}{left}"
        case e.BoughtIn():
            return f"{plain(event.player)} buys chips for {voice.amount(event.amount)}"
        case e.SeatVacated():
            return f"{plain(event.player)} leaves {join_names(f'box {box}' for box in event.boxes)}"
        case e.RoundSatOut():
            rounds = "round" if event.rounds == 1 else "rounds in a row"
            return f"{plain(event.player)} sits without a wager, {event.rounds} {rounds}"
        case e.AbstentionNoted():
            return f"{plain(event.player)} may be asked for the seat"
        case e.MultiBoxGranted():
            return f"{voice.signer(event.by)} grants {plain(event.player)} {event.boxes} boxes"
        case e.MultiBoxRevoked():
            return f"{voice.signer(event.by)} takes back {plain(event.player)}'s grant of several boxes"
        case e.SurrenderRuled():
            return (
                f"{voice.signer(event.by)} surrenders for {plain(event.player)}, box {event.box}: {plain(event.reason)}"
            )
        case e.BettingOpened():
            return "The dealer invites wagers"
        case e.BettingCalled():
            return "The dealer calls for last bets"
        case e.DecisionsClosed():
            return "Everybody has chosen"
        case _:
            return None


def _bank(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.BankAccepted():
            return f"{plain(event.player)} banks from box {event.box} with {voice.amount(event.stake)}"
        case e.BankDeclined():
            return f"{plain(event.player)} does not want to bank"
        case e.BankRelinquished():
            return f"{plain(event.player)} gives up the bank"
        case e.BankReturned():
            counted = "" if event.counted else "; the round does not count for the turn"
            return f"{plain(event.player)} takes back what lies in the bank, {voice.amount(event.amount)}{counted}"
        case e.BankOffered():
            return f"The bank is offered to {plain(event.player)}"
        case e.BankRotated():
            return f"The bank passes on from {plain(event.player)} to {plain(event.to)}"
        case _:
            return None


def _incident(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.CardMoved():
            to = "out of play" if event.to < 0 else f"to {place(event.to, 'the dealer')}"
            return f"{voice.card(event.card)} was not due at box {event.box}: it goes {to}, by {voice.signer(event.by)}"
        case e.CardPlacedAhead():
            return f"Drawn in error, and {place(event.box, 'the dealer')}'s next card: {voice.card(event.card)}"
        case e.CardCorrected():
            where = "burned" if event.box < 0 else f"at {place(event.box, 'the dealer')}"
            return (
                f"The card {where} is {voice.card(event.card)} and not {voice.card(event.was)}, "
                f"by {voice.signer(event.by)}"
            )
        case e.RoundReconstructed():
            left = f"; left over: {voice.cards(event.discards)}" if event.discards else ""
            return (
                f"The cards are put as they would lie without the error, by {voice.signer(event.by)}: "
                f"{voice.hands(event.hands, 'dealer')}{left}"
            )
        case e.HandMissed():
            return f"Box {event.box} was passed over and gets its card in order, by {voice.signer(event.by)}"
        case e.OfferMissed():
            return (
                f"{plain(event.player)} was not asked on box {event.box} and chooses now; "
                f"cards dealt meanwhile: {voice.cards(event.cards) or 'none'}"
            )
        case e.CardsReturned():
            return f"{event.cards} cards are the next of the shoe again"
        case e.DecisionReopened():
            return (
                f"{plain(event.player)} chooses again on box {event.box}, "
                f"{voice.amount(event.amount)} of war wager back"
            )
        case e.BurnForgotten():
            burn = BURNS[event.burn].lower() if event.burn else "the burn that was due"
            return f"Forgotten, and left out: {burn}"
        case e.CutCardMissed():
            return "There is no cutting card in the stack"
        case e.DamageFound():
            return f"Damaged, and to be replaced after the round: {voice.card(event.card)}"
        case e.ShufflerFailed():
            boxes = f", affecting {join_names(f'box {box}' for box in event.boxes)}" if event.boxes else ""
            return f"The shuffler fails{boxes}{_says(voice, event.by)}"
        case _:
            return None


def _ruling(voice: Voice, event: e.Event) -> str | None:
    match event:
        case e.HandVoided():
            return (
                f"The hand on box {event.box} is void, by {voice.signer(event.by, event.second)}: "
                f"{plain(words(event.reason))}"
            )
        case e.PlayerVoided():
            return (
                f"{plain(event.player)} is out of the round, by {voice.signer(event.by, event.second)}: "
                f"{plain(words(event.reason))}"
            )
        case e.IncidentReported():
            where = f" on box {event.box}" if event.box else ""
            waits_for = voice.rules.roles.supervisor if event.waits_for == "pit_boss" else "floor"
            return f"Reported by {voice.signer(event.by)}: {words(event.incident)}{where}; it waits for the {waits_for}"
        case e.RulingGiven():
            what = f" on {words(event.incident)}" if event.incident else ""
            return (
                f"Ruling{what}, by {voice.signer(event.by, event.second)}: {words(event.action)}, {plain(event.reason)}"
            )
        case e.ContraventionReported():
            return f"{plain(event.player)} has broken a rule{_says(voice, event.by)}: {plain(event.reason)}"
        case e.PlayerExcluded():
            return (
                f"{plain(event.player)} is excluded from the game, by {voice.signer(event.by)}: {plain(event.reason)}"
            )
        case e.PartnershipFlagged():
            return f"{join_names(event.players)} bet together{_says(voice, event.by)}"
        case _:
            return None


def in_fields(struct: msgspec.Struct) -> str:
    """A command, or an event without its own sentence, in words: its name and its fields without defaults."""
    fields = msgspec.to_builtins(struct)
    unsaid = {"clauses", *(one.name for one in msgspec.structs.fields(struct) if fields[one.name] == one.default)}
    name = str(fields.pop("name", None) or fields.pop("do", ""))
    keys = sorted(fields, key=c.SIGNATURES.__contains__)
    said = [f"{words(key)} {_field(fields[key])}" for key in keys if key not in unsaid and _is_said(fields[key])]
    return f"{words(name)} ({', '.join(said)})" if said else words(name)


def _is_said(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [], {})


def _field(value: object) -> str:
    return " ".join(plain(str(one)) for one in value) if isinstance(value, list | tuple) else plain(str(value))
