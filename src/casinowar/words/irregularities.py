"""One sentence for each event of an irregularity: what was found, who ruled, and what follows."""

from casinowar.engine import events as e
from casinowar.words.phrases import BURNS, listed, place, plain, words


def tell_irregular(event: e.Event) -> str | None:
    match event:
        case e.CardMoved():
            return f"{event.card} was not due at box {event.box}: it goes {_to(event.to)}, by {plain(words(event.by))}"
        case e.CardPlacedAhead():
            return f"Drawn in error, and {place(event.box, 'the dealer')}'s next card: {event.card}"
        case e.CardCorrected():
            where = "burned" if event.box < 0 else f"at {place(event.box, 'the dealer')}"
            return f"The card {where} is {event.card} and not {event.was}, by {plain(event.by)}"
        case e.RoundReconstructed():
            lie = ", ".join(f"{place(box, 'dealer')} {' '.join(hand)}" for box, hand in event.hands)
            left = f"; left over: {' '.join(event.discards)}" if event.discards else ""
            return f"The cards are put as they would lie without the error, by {plain(event.by)}: {lie}{left}"
        case e.HandMissed():
            return f"Box {event.box} was passed over and gets its card in order, by {plain(words(event.by))}"
        case e.OfferMissed():
            seen = " ".join(card or "xx" for card in event.cards) or "none"
            who = f"{plain(event.player)} was not asked on box {event.box}"
            return f"{who} and chooses now; cards dealt meanwhile: {seen}"
        case e.CardsReturned():
            return f"{event.cards} cards are the next of the shoe again"
        case e.DecisionReopened():
            back = f"{event.amount:,} of war wager back"
            return f"{plain(event.player)} chooses again on box {event.box}, {back}"
        case e.BurnForgotten():
            burn = BURNS[event.burn].lower() if event.burn else "the burn that was due"
            return f"Forgotten, and left out: {burn}"
        case e.CutCardMissed():
            return "There is no cutting card in the stack"
        case e.DamageFound():
            return f"Damaged, and to be replaced after the round: {event.card or 'a card nobody saw'}"
        case e.ShufflerFailed():
            boxes = f", affecting {listed(f'box {box}' for box in event.boxes)}" if event.boxes else ""
            return f"The shuffler fails{boxes}, says {plain(event.by)}"
        case _:
            return _ruled(event)


def _to(box: int) -> str:
    return "out of play" if box < 0 else f"to {place(box, 'the dealer')}"


def _ruled(event: e.Event) -> str | None:
    match event:
        case e.HandVoided():
            return f"The hand on box {event.box} is void, by {_signed(event.by, event.second)}: {_why(event.reason)}"
        case e.PlayerVoided():
            return (
                f"{plain(event.player)} is out of the round, by {_signed(event.by, event.second)}: {_why(event.reason)}"
            )
        case e.IncidentReported():
            where = f" on box {event.box}" if event.box else ""
            return f"Reported by {plain(event.by)}: {words(event.incident)}{where}; it waits for the {event.waits_for}"
        case e.RulingGiven():
            what = f" on {words(event.incident)}" if event.incident else ""
            return f"Ruling{what}, by {_signed(event.by, event.second)}: {words(event.action)}, {plain(event.reason)}"
        case e.ContraventionReported():
            return f"{plain(event.player)} has broken a rule, says {plain(event.by)}: {plain(event.reason)}"
        case e.PlayerExcluded():
            return f"{plain(event.player)} is excluded from the game, by {plain(event.by)}: {plain(event.reason)}"
        case e.PartnershipFlagged():
            return f"{listed(event.players)} bet together, says {plain(event.by)}"
        case _:
            return None


def _signed(by: str, second: str | None) -> str:
    return listed([words(by), words(second)]) if second else plain(words(by))


def _why(reason: str) -> str:
    return plain(words(reason))
