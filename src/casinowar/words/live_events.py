"""One sentence for each event of a live table: the engine's events, and what the house does around the game."""

from casinowar.engine import events as e
from casinowar.rulebooks import Rulebook
from casinowar.store import (
    OWN,
    BotDismissed,
    BotSeated,
    CashedOut,
    FloorCalled,
    FloorCallEnded,
    FloorCallTaken,
    Recorded,
    SeatGivenUp,
    SignatureAsked,
    SignatureClosed,
    StaffActed,
)
from casinowar.words.events import tell_event
from casinowar.words.phrases import plain, words
from casinowar.words.silence import is_silent, silence
from casinowar.words.voice import Voice, live_voice

VOID_ANSWERS = {
    "refused": "was refused",
    "taken_back": "was taken back",
    "lapsed": "was not signed in time and has lapsed",
}


def say_event(rules: Rulebook, event: Recorded, digits: int) -> str | None:
    """The sentence of an event without its clauses, or with a note that the book is silent.

    Events that say nothing to a person have no sentence.
    """
    voice = live_voice(rules, digits)
    if isinstance(event, OWN):
        return _house_sentence(voice, event)
    told = _table_sentence(voice, event)
    return f"{told} ({silence(rules, event)})" if told and is_silent(event) else told


def _house_sentence(voice: Voice, event: Recorded) -> str | None:
    match event:
        case BotSeated():
            return f"{plain(event.player)}, of the house, plays at box {event.box}"
        case BotDismissed():
            return f"{plain(event.player)}, of the house, goes"
        case CashedOut():
            return f"{plain(event.player)} takes {voice.amount(event.amount)} from the table"
        case SeatGivenUp():
            unused = f"{event.rounds} rounds" if event.rounds > 1 else f"{event.seconds} seconds"
            return f"{plain(event.player)} gives up the seat: no wager for {unused}, and somebody waits for one"
        case StaffActed():
            return f"{words(event.act).capitalize()}, by {voice.signer(event.by)}: {plain(event.reason)}"
        case FloorCalled():
            about = f": {plain(event.about)}" if event.about else ""
            return f"The floor is called, by {voice.signer(event.by)}{about}"
        case FloorCallTaken():
            return f"{voice.signer(event.by)} is coming"
        case FloorCallEnded():
            return f"The call for the floor is over, by {voice.signer(event.by)}"
        case SignatureAsked() if event.moves_chips:
            minutes = -(-event.lapses // 60_000)
            return f"A void of round {event.round} waits for its second signature, for at most {minutes} minutes"
        case SignatureClosed() if event.moves_chips and event.how in VOID_ANSWERS:
            return f"The void of round {event.round} {VOID_ANSWERS[event.how]}: what came of the round stands"
        case _:
            return None


def _table_sentence(voice: Voice, event: e.Event) -> str | None:
    shoe = voice.rules.shoe
    match event:
        case e.DealStarted() | e.TableOpened() | e.TableResumed() | e.PlayerEdgeNoted() | e.LimitsOffUnitNoted():
            return None
        case e.BoughtIn():
            return f"{plain(event.player)} brings {voice.amount(event.amount)} to the table" if event.amount else None
        case e.RoundEnded():
            return "Cards to the rack"
        case e.ShoeLoaded() if event.cut_card is None and shoe.cut_cards and shoe.shuffler != "continuous":
            # Of real cards nobody counts how many lie before it.
            return f"Shuffled, cut and in the shoe: {event.cards} cards, the cutting card where it was put"
        case _:
            return tell_event(voice, event)
