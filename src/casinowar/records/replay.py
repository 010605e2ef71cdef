"""Replay: play a record through the engine, act by act. A refused act changes nothing."""

import msgspec

from casinowar.cards import Card, parse_card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.dealing import cards_due, is_shuffle_due, refuse_deal
from casinowar.engine.decide import step
from casinowar.engine.events import Refusal
from casinowar.engine.shoe import cutter
from casinowar.engine.state import Table
from casinowar.records.parse import Act, DealAct, ExtraDrawAct, FaceUpAct, Record, RecordError, ReplaceAct
from casinowar.rulebooks import Rulebook


class Refused(msgspec.Struct, frozen=True):
    """A refused act, by its number."""

    act: int
    reason: str
    clauses: tuple[str, ...]


class Told(msgspec.Struct, frozen=True):
    """An event, and the face of the card that left the shoe with it, which the record knows even of a sealed burn."""

    event: e.Event
    table: Table
    face: Card | None = None


class Replay(msgspec.Struct, frozen=True):
    """What came of a record: the table at the end, every event, and what was refused."""

    rulebook: Rulebook
    table: Table
    story: tuple[Told, ...]
    refusals: tuple[Refused, ...]


class _Progress(msgspec.Struct, frozen=True):
    """Where the replay stands: the table, the number of stacks loaded, and how much of the last one is out."""

    table: Table
    stacks: int = 0
    out: int = 0
    story: tuple[Told, ...] = ()


def replay(record: Record, *, is_strict: bool = False) -> Replay:
    """Run every act; with `is_strict`, stop at the first that is refused."""
    at = _open(record)
    story: list[Told] = list(at.story)
    refusals: list[Refused] = []
    for number, act in enumerate(record.acts):
        done = _do(record, msgspec.structs.replace(at, story=()), act)
        if isinstance(done, Refusal):
            refusals.append(Refused(number, done.reason, done.clauses))
            if is_strict:
                break
            continue
        at = done
        story += at.story
    return Replay(record.rulebook, at.table, tuple(story), tuple(refusals))


def _open(record: Record) -> _Progress:
    at = _Progress(Table())
    opening: list[c.Command] = [c.OpenTable(limit=record.limit, limits=record.limits, meter=record.meter)]
    opening += [c.BuyIn(player=player, amount=amount) for player, amount in record.players.items()]
    if record.before:
        opening.append(_resume(record))
    for command in opening:
        done = _step(record, at, command)
        if isinstance(done, Refusal):
            raise RecordError("", f"the table cannot be opened: {done.reason} ({', '.join(done.clauses)})")
        at = done
    if record.before and record.before.shoe_loaded:
        at = msgspec.structs.replace(at, stacks=1)
    return at


def _resume(record: Record) -> c.ResumeTable:
    before, stack = record.before, record.stacks[0]
    assert before is not None
    is_open, turn = before.shoe_loaded, before.bank_turn
    return c.ResumeTable(
        rounds=before.rounds,
        shoe_left=len(stack.cards) if is_open else 0,
        cut_in=stack.cut_card if is_open else None,
        shuffle="cut_card" if before.cut_card_seen else None if is_open else "start",
        dealer_burns=before.dealer_burns,
        seats={int(box): player for box, player in before.seats.items()},
        reminded=tuple(before.reminded),
        bank_turn=(turn.player, turn.box, turn.rounds) if turn else None,
    )


def _step(record: Record, at: _Progress, command: c.Command) -> _Progress | Refusal:
    """One command through the engine, with the faces of the cards that left the shoe."""
    result = step(record.rulebook, at.table, command)
    if isinstance(result, Refusal):
        return result
    events, table = result
    out = at.out
    told = []
    for event in events:
        face = None
        if isinstance(event, e.CardDealt | e.CardBurned | e.CardDiscarded):
            face = record.stacks[at.stacks - 1].cards[out]
            out += 1
        told.append(Told(event, table, face))
    return _Progress(table, at.stacks, out, (*at.story, *told))


def _do(record: Record, at: _Progress, act: Act) -> _Progress | Refusal:
    match act:
        case DealAct():
            return _deal(record, at, act)
        case ExtraDrawAct():
            left = record.stacks[at.stacks - 1].cards[at.out :] if at.stacks else ()
            card = left[0] if act.exposed and left else None
            return _step(record, at, c.ReportExtraDraw(exposed=act.exposed, card=card, by=act.by))
        case FaceUpAct():
            left = record.stacks[at.stacks - 1].cards[at.out :] if at.stacks else ()
            return _step(record, at, c.ReportFaceUpCard(card=left[0] if left else None, by=act.by))
        case ReplaceAct():
            cards = () if act.cards == "all" else tuple(parse_card(text) for text in act.cards)
            return _step(record, at, c.ReplaceCards(cards=cards, by=act.by))
        case _:
            return _step(record, at, act)


def _deal(record: Record, at: _Progress, act: DealAct) -> _Progress | Refusal:
    """Deal on until a decision, the end of the round or the given number of cards, loading stacks as they are due."""
    rules = record.rulebook
    if act.cards is not None and act.cards < 1:
        return Refusal("amount_not_positive")
    refusal = refuse_deal(rules, at.table)
    if refusal and refusal.reason != "shuffle_due":
        return refusal
    left = act.cards
    while True:
        if is_shuffle_due(at.table):
            loaded = _load(record, at)
            if isinstance(loaded, Refusal):
                return loaded
            at = loaded
        count = cards_due(rules, at.table)
        if left is not None:
            count = min(count, left)
            left -= count
        stack = record.stacks[at.stacks - 1].cards[at.out : at.out + count]
        done = _step(record, at, c.Deal(cards=stack, hold=left is not None, by=act.by))
        if isinstance(done, Refusal):
            return done
        at = done
        if at.table.round.is_over or at.table.phase == "deciding" or left == 0:
            return at


def _load(record: Record, at: _Progress) -> _Progress | Refusal:
    """The next stack of the record, cut by whoever is entitled unless an act has said so."""
    if at.stacks == len(record.stacks):
        return Refusal("no_shoe", record.rulebook.clauses["shoe.cut_mid_round"])
    stack = record.stacks[at.stacks]
    if record.rulebook.shoe.cut_offered and not at.table.cut_made:
        middle = 26 * record.rulebook.shoe.decks
        cut = _step(record, at, c.Cut(player=cutter(record.rulebook, at.table), position=middle))
        if isinstance(cut, Refusal):
            return cut
        at = cut
    at = msgspec.structs.replace(at, stacks=at.stacks + 1, out=0)
    return _step(record, at, c.LoadShoe(cards=len(stack.cards), cut_card=stack.cut_card, presumed=True))
