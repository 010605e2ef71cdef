"""One sentence for each event of a table, as a person there would say it."""

from collections.abc import Sequence

import msgspec

from casinowar.engine import events as e
from casinowar.engine.roles import signature_words
from casinowar.rulebooks import Rulebook
from casinowar.words.irregularities import tell_irregular
from casinowar.words.phrases import BURNS, PREPARED, limit_in_words, listed, plain, rack, words
from casinowar.words.silence import cite_event


def tell_settled(rules: Rulebook, event: e.Event) -> str:
    if isinstance(event, e.WagerLimited):
        what = f"box {event.box}, {plain(event.player)}: {wager_name(rules, event.wager)} {event.placed:,}"
        back = event.placed - event.amount
        return f"{what} is covered for {event.amount:,}, and {back:,} goes back{cite_event(rules, event)}"
    assert isinstance(event, e.WagerSettled)
    what = f"box {event.box}, {plain(event.player)}: {wager_name(rules, event.wager)} {event.amount:,}"
    match event.outcome:
        case "win" if event.items:
            how = f"wins {event.paid:,}: {listed(map(_item, event.items))}"
            how += f", {event.returned:,} of the stake back" if event.returned else ", stake not returned"
        case "win":
            how = f"wins {event.paid:,}{_at(event)}"
            how += "" if event.returned == event.amount else f", {event.returned:,} of the stake back"
        case "lose":
            how = f"loses all but {event.returned:,}" if event.returned else "loses"
            how = f"is forfeit: the {event.taken_back:,} that it brought is taken back" if event.taken_back else how
        case "push":
            how = "pushes, stake back"
        case "returned" if event.bank_left is None:
            how = "goes back"
        case "returned":
            left = f"the {event.bank_left:,} that the bank has left cover none of it" if event.bank_left else ""
            how = f"goes back: {left or 'the bank has nothing left to cover it'}"
        case _:
            how = f"is {event.outcome}, {event.returned:,} back"
    return f"{what} {how}{cite_event(rules, event)}"


def _at(event: e.WagerSettled) -> str:
    """At which odds, and where a player banks, whether that is all that was due and what is left to pay others with."""
    if event.odds is None:
        return ""
    if event.bank_left is None:
        return f" at {event.odds}"
    numerator, denominator = map(int, event.odds.split(":"))
    due = event.amount * numerator // denominator
    short = f" of the {due:,} due" if event.paid < due else ""
    left = f"has {event.bank_left:,} left to pay with" if event.bank_left else "is used up"
    return f"{short} at {event.odds}, and the bank {left}"


def _item(item: e.Item) -> str:
    match item.item:
        case "odds":
            return f"{item.amount:,} at {item.odds} for {words(item.of)}"
        case "meter":
            return f"{item.amount:,} of the meter"
        case "envy":
            return f"{item.amount:,} envy for {plain(item.of)}'s hand"


def tell_event(rules: Rulebook, event: e.Event) -> str:
    """One event that stands for itself, without its clauses."""
    event = in_roles(rules, event)
    match event:
        case e.WagerPlaced():
            return f"{plain(event.player)} bets {event.amount:,} on {wager_name(rules, event.wager)}, box {event.box}"
        case e.WagerAmended():
            whose = f"{plain(event.player)} changes {wager_name(rules, event.wager)}, box {event.box},"
            return f"{whose} to {event.amount:,} in all"
        case e.WagerWithdrawn():
            what = f"{wager_name(rules, event.wager)} {event.amount:,}, box {event.box}"
            if event.gives_way_to:
                right = f"{plain(event.gives_way_to)}, who has first right to the place"
                return f"{plain(event.player)} gives way to {right}, and has {what}, back"
            return f"{plain(event.player)} takes back {what}"
        case e.WagerLimited():
            whose = f"{plain(event.player)}'s {wager_name(rules, event.wager)} of {event.placed:,}, box {event.box},"
            return f"{whose} plays for {event.amount:,}; {event.placed - event.amount:,} goes back"
        case e.WagerFound():
            what = f"{plain(event.player)}'s {wager_name(rules, event.wager)} on box {event.box}"
            return f"{what} is found to be {event.amount:,}, not {event.noted:,}, by {plain(event.by)}"
        case e.LimitsAdvised():
            limits = f"{wager_name(rules, event.wager)}: {limit_in_words(event.limit)}"
            return f"{plain(event.player)} is told the limits of {limits}"
        case e.BettingClosed():
            stacks = (f"; on box {box} {listed(who)} in that order" for box, who in event.bettors.items() if who[1:])
            return f"Betting closes: cards for {listed(f'box {box}' for box in event.boxes)}{''.join(stacks)}"
        case e.WarOffered():
            return f"{plain(event.player)} ties on box {event.box}: war or surrender?"
        case e.WarDeclared():
            beside = f"; the {dealer_name(rules)} puts {event.match:,} beside it" if event.match else ""
            return f"{plain(event.player)} goes to war on box {event.box} with {event.amount:,}{beside}"
        case e.WagerSettled():
            back = f"{event.returned:,} of {event.amount:,} back"
            return f"{plain(event.player)} surrenders on box {event.box}, {back}"
        case e.WagerReversed():
            what = f"{plain(event.player)}'s {wager_name(rules, event.wager)} of {event.amount:,}, box {event.box},"
            return f"{what} is void: the stake goes back, and anything that it had won is taken back"
        case e.CardsCollected():
            return f"To the rack: {rack(event.hands, dealer_name(rules))}"
        case e.MatchLimited():
            what = f"{event.amount:,} of {plain(event.player)}'s {wager_name(rules, 'initial')} of {event.placed:,}"
            return f"The bank can match {what}, box {event.box}: {event.placed - event.amount:,} goes back"
        case _:
            return _shoe_sentence(event)


def tell_reversed(rules: Rulebook, void: e.WagerReversed, before: Sequence[e.Event]) -> str:
    """What a void takes back, after these events: of a wager that was open or lost, nothing but the stake moves."""
    paid = _paid(void, before)
    won = f"{paid:,} that it won is taken back, and " if paid else ""
    return f"{tell_event(rules, void).partition(' is void: ')[0]} is void: {won}the stake goes back"


def _paid(void: e.WagerReversed, before: Sequence[e.Event]) -> int:
    """What the wager had won, which is not what one laid there in an earlier round had."""
    spot = (void.player, void.box, void.wager)
    for event in reversed(before):
        match event:
            case e.WagerSettled() if (event.player, event.box, event.wager) == spot:
                return event.paid
            case e.WagerPlaced() if (event.player, event.box, event.wager) == spot:
                return 0
            case e.WarDeclared() if (event.player, event.box, "war") == spot:
                return 0
    return 0


def signed_by(rules: Rulebook, by: str, second: str | None = None) -> str:
    """`Table Inspector sue and Casino Operator olga`."""
    return " and ".join(plain(signature_words(rules, one)) for one in (by, second) if one)


def in_roles(rules: Rulebook, event: e.Event) -> e.Event:
    """The event with those who signed it, and whom it waits for, called as the book calls their roles."""
    signed = {name: getattr(event, name, None) for name in ("by", "second")}
    changed = {name: signature_words(rules, one) for name, one in signed.items() if one}
    if isinstance(event, e.IncidentReported):
        changed["waits_for"] = rules.roles.supervisor if event.waits_for == "pit_boss" else "floor"
    return msgspec.structs.replace(event, **changed) if changed else event


def _shoe_sentence(event: e.Event) -> str:
    match event:
        case e.CutMade():
            return f"{plain(event.player or event.by or 'staff')} cuts {event.position} cards from the front"
        case e.MarkerPlaced():
            return f"The cutting card goes in with {event.from_back} cards behind it"
        case e.ShoeLoaded():
            marker = "no cutting card" if event.cut_card is None else f"the cutting card after {event.cut_card}"
            return f"Shuffled, cut and in the shoe: {event.cards} cards, {marker}"
        case e.CutCardDrawn():
            where = f"where box {event.box}'s card is due" if event.box else "where the dealer is to draw"
            when = {"now": "shuffle at once", "after_round": "shuffle after this round", "none": "play goes on"}
            return f"The cutting card shows {where}: {when[event.shuffle]}"
        case e.CutCardReached():
            return "The cutting card lies at the mouth of the shoe"
        case e.MeterFed():
            whose = f"{plain(event.player)}'s wager on box {event.box}"
            if event.amount < 0:
                return f"The meter gives back {-event.amount:,} of {whose}"
            return f"The meter takes {event.amount:,} of {whose}"
        case e.MeterPaid():
            return f"The meter has paid {event.amount:,} and starts again at {event.seed:,}"
        case e.FaceUpFound():
            count = f", as number {event.count}" if event.count > 1 else ""
            return f"It lay face up in the shoe{count}{_says(event.by)}"
        case e.CardDiscarded():
            return f"Out of play: {event.card or 'a card nobody saw'}{_says(event.by)}"
        case e.CardHeld():
            return f"Drawn in error, to be used next: {event.card or 'a card nobody saw'}{_says(event.by)}"
        case e.BurnSkipped():
            return f"{BURNS[event.burn]}: left out, too few cards"
        case e.CardsReplaced():
            which = " ".join(event.cards) or ("a card nobody saw" if event.damaged else "all")
            return f"Cards replaced, by {plain(event.by)}: {which}"
        case e.ShuffleOrdered():
            return f"A shuffle is ordered, by {plain(event.by)}: {words(event.reason)}"
        case e.DealerChanged():
            return f"{plain(event.dealer)} is the dealer now"
        case _:
            return _floor_sentence(event)


def _says(by: str | None) -> str:
    return f", says {plain(by)}" if by else ""


def _floor_sentence(event: e.Event) -> str:
    match event:
        case e.TimePassed():
            minutes, seconds = divmod(event.seconds, 60)
            return f"{minutes} min {seconds} s pass" if minutes else f"{seconds} s pass"
        case e.LimitsAnnounced():
            return f"A sign with new limits goes up, by {plain(event.by)}: {limit_in_words(event.limit)}"
        case e.LimitsChanged():
            return (
                f"The limits are now {limit_in_words(event.limit)}, by {plain(event.by)}, {LIMITS_BASIS[event.basis]}"
            )
        case e.ClosingAnnounced():
            when = "" if not event.minutes else f" in {event.minutes} minute{'s' if event.minutes > 1 else ''}"
            return f"A sign says that the table will close{when}, by {plain(event.by)}"
        case e.RoundAmended():
            return f"Round {event.number} now has another result"
        case e.TableClosed():
            return f"The table is closed, by {plain(event.by)}"
        case e.RoundSatOut():
            rounds = "round" if event.rounds == 1 else "rounds in a row"
            return f"{plain(event.player)} sits without a wager, {event.rounds} {rounds}"
        case e.AbstentionNoted():
            return f"{plain(event.player)} may be asked for the seat"
        case e.DecksAnnounced():
            return f"A sign says that {event.decks} decks are to come, by {plain(event.by)}"
        case e.DecksChanged():
            return f"From now on there are {event.decks} decks"
        case e.BoxMaxDirected():
            return f"{_most(event.amount)} on one area, by {plain(event.by)}"
        case e.PlayerMaxDirected():
            return f"{_most(event.amount)} by one player on a box, by {plain(event.by)}"
        case e.BettorsPerAreaSet():
            many = "any number of" if not event.bettors else str(event.bettors)
            return f"{plain(event.by)} allows {many} {'bettor' if event.bettors == 1 else 'bettors'} an area"
        case _:
            return _seat_sentence(event)


def _most(amount: int) -> str:
    return f"At most {amount:,}" if amount else "No further maximum"


LIMITS_BASIS = {
    "empty": "with nobody at the table",
    "agreed": "with everybody's agreement",
    "notice": "after notice",
}


def _seat_sentence(event: e.Event) -> str:
    match event:
        case e.PlayerSeated():
            others = [f"box {box}" for box in event.leaves if box != event.box]
            left = f", leaving {listed(others)}" if others else ""
            return f"{plain(event.player)} sits at box {event.box}{left}"
        case e.BoughtIn():
            return f"{plain(event.player)} buys chips for {event.amount:,}"
        case e.SeatVacated():
            return f"{plain(event.player)} leaves {listed(f'box {box}' for box in event.boxes)}"
        case e.CutDeclined():
            return f"{plain(event.player)} does not want to cut"
        case e.MultiBoxGranted():
            return f"{plain(event.by)} grants {plain(event.player)} {event.boxes} boxes"
        case e.MultiBoxRevoked():
            return f"{plain(event.by)} takes back {plain(event.player)}'s grant of several boxes"
        case e.SurrenderRuled():
            return f"{plain(event.by)} surrenders for {plain(event.player)}, box {event.box}: {plain(event.reason)}"
        case e.BettingCalled():
            return "The dealer calls for last bets"
        case e.DecisionsClosed():
            return "Everybody has chosen"
        case _:
            return _bank_sentence(event)


def _bank_sentence(event: e.Event) -> str:
    match event:
        case e.BankAccepted():
            return f"{plain(event.player)} banks from box {event.box} with {event.stake:,}"
        case e.BankDeclined():
            return f"{plain(event.player)} does not want to bank"
        case e.BankRelinquished():
            return f"{plain(event.player)} gives up the bank"
        case e.BankReturned():
            counted = "" if event.counted else "; the round does not count for the turn"
            return f"{plain(event.player)} takes back what lies in the bank, {event.amount:,}{counted}"
        case e.BankOffered():
            return f"The bank is offered to {plain(event.player)}"
        case e.BankRotated():
            return f"The bank passes on from {plain(event.player)} to {plain(event.to)}"
        case _:
            return _opening_sentence(event)


def _opening_sentence(event: e.Event) -> str:
    match event:
        case e.CardsPrepared():
            who = listed([event.by, event.second]) if event.second else plain(event.by)
            how = f" ({', '.join(event.steps)})" if event.steps else ""
            batch = f", batch {event.batch}" if event.batch > 1 else ""
            seen = f"; {listed(event.players)} may look" if event.players else ""
            return f"{PREPARED[event.step]}{how}{batch}, by {who}{seen}"
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
        case e.BettingOpened():
            return "The dealer invites wagers"
        case e.WarWagerConfirmed():
            return f"The dealer confirms {plain(event.player)}'s war wager of {event.amount:,} on box {event.box}"
        case _:
            return tell_irregular(event) or in_fields(event)


def in_fields(event: msgspec.Struct) -> str:
    """Whatever has no sentence of its own: its name, and what it says of whom."""
    fields = msgspec.to_builtins(event)
    unsaid = {
        "clauses",
        *(field.name for field in msgspec.structs.fields(event) if fields[field.name] == field.default),
    }
    name = str(fields.pop("name", None) or fields.pop("do", ""))
    told = [f"{words(key)} {_field(value)}" for key, value in fields.items() if key not in unsaid and _is_said(value)]
    return f"{words(name)} ({', '.join(told)})" if told else words(name)


def _is_said(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [], {})


def _field(value: object) -> str:
    return " ".join(plain(str(one)) for one in value) if isinstance(value, list | tuple) else plain(str(value))


def dealer_name(rules: Rulebook) -> str:
    """Whose the card is that everybody plays against."""
    return "bank" if rules.bank.by == "player" else "dealer"


def wager_name(rules: Rulebook, wager: str) -> str:
    """The wager's name on the layout; where a war-deal wager shares it, the deal is added."""
    name: str = getattr(rules.names, wager, None) or words(wager)
    first = wager.removeprefix("war_")
    return f"{name} on the war" if first != wager and name == getattr(rules.names, first) else name
