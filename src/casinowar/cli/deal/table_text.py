"""A table of real cards in lines of text: one for each event with its clauses, and the whole table at a glance."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from casinowar.dealers import RealTable
from casinowar.engine import DEALER
from casinowar.engine import events as e
from casinowar.words.events import BURNS, tell_event
from casinowar.words.phrases import dealer_name, format_gain, plain, wager_name, words
from casinowar.words.settlements import tell_reversed
from casinowar.words.silence import cite_event
from casinowar.words.voice import Voice

UNTOLD = (e.DealStarted, e.DecisionsClosed)


def tell_happened(real: RealTable, events: Sequence[e.Event]) -> Iterator[str]:
    """Tell events of the table, a line for each that people notice."""
    for place, event in enumerate(events, start=1):
        if not isinstance(event, UNTOLD):
            yield f"  {_line(real, event)}{cite_event(real.rules, event, events[place : place + 1])}"


def _line(real: RealTable, event: e.Event) -> str:
    voice = Voice(real.rules)
    match event:
        case e.CardDealt():
            where = voice.dealer.capitalize() if event.box == DEALER else f"Box {event.box}"
            return f"{where}: {event.card}"
        case e.CardBurned():
            more = f", and {event.more} more are burned" if event.more else ""
            return f"{BURNS[event.burn]}: {event.card or 'unseen'}{more}"
        case e.WagerReversed():
            # The log before this very event: an earlier round may have an equal one.
            place = next(place for place, one in enumerate(real.log) if one is event)
            return tell_reversed(voice, event, real.log[:place])
        case e.ShoeLoaded():
            return f"In the shoe: {event.cards} cards"
        case e.RoundEnded():
            return f"Round {event.number} is over: {_result(nets_of(real.log, event.number))}"
        case e.RoundAmended():
            nets: Counter[str] = Counter()
            for (_, _, player), laid in real.table.round.wagers.items():
                nets[player] += laid.paid + laid.returned - laid.amount
            return f"Round {event.number} has come to: {_result(nets)}"
        case e.RoundVoided():
            return f"Round {event.number} is void{_by(voice, event)}: {plain(words(event.reason))}"
        case e.RoundInvalidated():
            return f"Round {event.number} is broken off{_by(voice, event)}: {words(event.cause)}"
        case e.TableOpened():
            return "The table is open"
        case e.PlayerEdgeNoted():
            return "Note: with these payouts going to war favours the player"
        case _:
            return tell_event(voice, event)


def _result(nets: Mapping[str, int]) -> str:
    return ", ".join(f"{plain(player)} {format_gain(net)}" for player, net in nets.items()) or "nobody had a wager"


def _by(voice: Voice, event: e.RoundVoided | e.RoundInvalidated) -> str:
    """The signatures, where somebody ruled and not the book alone."""
    return f", by {voice.signer(event.by, event.second)}" if event.by else ""


def nets_of(log: Iterable[e.Event], number: int) -> dict[str, int]:
    """What the numbered round brought to each player whose wagers were settled in it, and to the bank."""
    settled: dict[tuple[int, str, str], int] = {}
    bank: dict[str, int] = {}
    for event in log:
        match event:
            case e.WagerSettled():
                settled[event.box, event.wager, event.player] = event.paid + event.returned - event.amount
            case e.WagerReversed():
                settled[event.box, event.wager, event.player] = 0
            case e.BankReturned():
                bank = {event.player: event.net}
            case (
                e.RoundEnded(number=ended)
                | e.RoundVoided(number=ended)
                | e.RoundInvalidated(number=ended)
                | e.RoundAmended(number=ended)
            ):
                if ended == number:
                    break
                settled, bank = {}, {}
    nets: dict[str, int] = {}
    for (_, _, player), net in settled.items():
        nets[player] = nets.get(player, 0) + net
    return nets | bank


def tell_state(real: RealTable) -> Iterator[str]:
    """Tell the table at a glance: chips and seats, what lies on the layout, and what is left in the shoe."""
    table = real.table
    for player, chips in table.players.items():
        boxes = [str(box) for box, seated in table.seats.items() if seated == player]
        seat = f"box {' and '.join(boxes)}" if boxes else "not seated"
        yield f"  {plain(player)}: {chips:,} chips, {seat}"
    if table.bank is not None:
        yield f"  Bank: {plain(table.bank.player)} with {table.bank.stake:,}, {table.bank.left:,} to pay with"
    if real.rules.wager.progressive:
        yield f"  Meter: {table.meter:,}"
    if not table.round.is_over:
        yield from _layout(real)
    shown = ", the cutting card has shown" if table.shuffle == "cut_card" or table.cut_in == 0 else ""
    yield f"  {table.shoe_left or 'No'} cards in the shoe{shown}."


def _layout(real: RealTable) -> Iterator[str]:
    round_ = real.table.round
    for (box, wager, player), laid in round_.wagers.items():
        settled = f", {laid.outcome}" if laid.outcome else ""
        yield f"  Box {box}: {plain(player)} has {laid.amount:,} on {wager_name(real.rules, wager)}{settled}"
    for box, hand in round_.hands.items():
        where = dealer_name(real.rules).capitalize() if box == DEALER else f"Box {box}"
        yield f"  {where}: {' '.join(hand)}"
