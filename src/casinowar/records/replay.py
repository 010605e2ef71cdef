"""Replay: play a record through the engine, act by act. A refused act changes nothing."""

import msgspec

from casinowar.cards import Card, parse_written_card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide import step
from casinowar.engine.decide.dealing import cards_due, is_cut_card_first, refuse_deal
from casinowar.engine.decide.draw_order import (
    burn_draws,
    is_short_ruling_due,
    is_shuffle_due,
    pending_burn,
    stack_clauses,
)
from casinowar.engine.decide.floor import decks_due, rules_due
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.events import Refusal
from casinowar.engine.evolve.table import carry_chips_away
from casinowar.engine.roles import person_of, role_of
from casinowar.engine.state import Table
from casinowar.records import format as a
from casinowar.records.opening_state import restore_table
from casinowar.records.parse import Record, RecordError
from casinowar.rulebooks import Rulebook

NOBODY: dict[str, int] = {}


class Refused(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refused act, by its number. `takes` is the role that it takes, where whoever acts may not."""

    act: int
    reason: str
    clauses: tuple[str, ...]
    takes: str = ""


class Told(msgspec.Struct, frozen=True):
    """An event, the table after its command, and the face of the card that left the shoe with it, which the record
    knows even of a sealed burn."""

    event: e.Event
    table: Table
    face: Card | None = None


class Replay(msgspec.Struct, frozen=True):
    """What came of a record: the table at the end, every event, and what was refused.

    `rulebook` is the record's own, and `rules` is what was played by at the end.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> replayed = casinowar.replay(casinowar.parse_record(session.record()))
    >>> replayed.table.players, replayed.refusals
    ({'ana': 10001}, ())
    """

    rulebook: Rulebook
    rules: Rulebook
    table: Table
    story: tuple[Told, ...]
    refusals: tuple[Refused, ...]


class _Progress(msgspec.Struct, frozen=True):
    """Where the replay stands: the book, the table, how many stacks are loaded, and how much of the last is out."""

    rules: Rulebook
    table: Table
    stacks: int = 0
    out: int = 0
    burned: Card | None = None
    story: tuple[Told, ...] = ()
    keeps_balances: bool = False


def replay(record: Record, *, is_strict: bool = False, keeps_balances: bool = False) -> Replay:
    """Run every act; with `is_strict`, stop at the first that is refused.

    Without `keeps_balances` the tables of the story have no players: a long night would hold everybody's chips as often
    as anybody's changed. The table at the end always has them.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> casinowar.replay(casinowar.parse_record(session.record())).table == session.table
    True
    """
    if not isinstance(record, Record):
        raise TypeError(f"what is replayed is what `records.parse` gives, and not {record!r}"[:200])
    at = _open(record, keeps_balances)
    story: list[Told] = list(at.story)
    refusals: list[Refused] = []
    for number, act in enumerate(record.acts):
        is_alone = number in record.self_signed
        done = Refusal("same_person") if is_alone else _do(record, msgspec.structs.replace(at, story=()), act)
        if isinstance(done, Refusal):
            refusals.append(Refused(number, done.reason, done.clauses, done.takes))
            if is_strict:
                break
            continue
        at = done
        story += at.story
    return Replay(record.rulebook, at.rules, at.table, tuple(story), tuple(refusals))


def _open(record: Record, keeps_balances: bool) -> _Progress:
    at = _Progress(record.rulebook, Table(), keeps_balances=keeps_balances)
    opening: list[c.Command] = [c.OpenTable(limit=record.limit, limits=record.limits, meter=record.meter)]
    opening += [c.BuyIn(player=player, amount=amount) for player, amount in record.players.items()]
    if record.before:
        opening.append(_resume(record))
    for command in opening:
        done = _step(record, at, command)
        if isinstance(done, Refusal):
            raise RecordError("", f"the table cannot be opened: {done.reason} ({', '.join(done.clauses)})")
        at = done
    if record.before is None:
        return at
    return msgspec.structs.replace(
        at, table=restore_table(at.table, record.before), stacks=1 if record.before.shoe_loaded else 0
    )


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
    """Take one command through the engine, and note the faces of the cards that left the shoe."""
    result = step(at.rules, at.table, command)
    if isinstance(result, Refusal):
        return result
    events, table = result
    stacks, out, burned = at.stacks, at.out, at.burned
    told = []
    kept = table if at.keeps_balances else msgspec.structs.replace(table, players=NOBODY)
    for event in events:
        face = None
        match event:
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                stacks, out = _next_stack(record, stacks, out)
                face = record.stacks[stacks - 1].cards[out]
                out += 1
                if isinstance(event, e.CardBurned) and event.burn == "opening":
                    burned = face
            case e.CardsReturned():
                stacks, out = _take_back(record, stacks, out - event.cards)
        told.append(Told(event, kept, face))
    return _Progress(at.rules, table, stacks, out, burned, (*at.story, *told), at.keeps_balances)


def _next_stack(record: Record, stacks: int, out: int) -> tuple[int, int]:
    """A continuous shuffler goes on with the record's next stack when one is used up."""
    while _is_continuous(record) and out >= len(record.stacks[stacks - 1].cards) and stacks < len(record.stacks):
        stacks, out = stacks + 1, 0
    return stacks, out


def _take_back(record: Record, stacks: int, out: int) -> tuple[int, int]:
    while out < 0:
        stacks -= 1
        out += len(record.stacks[stacks - 1].cards)
    return stacks, out


def _is_continuous(record: Record) -> bool:
    return record.rulebook.shoe.shuffler == "continuous"


def _upcoming(record: Record, at: _Progress) -> tuple[Card | None, ...]:
    """The faces of the cards that come next."""
    if not at.stacks:
        return ()
    left = record.stacks[at.stacks - 1].cards[at.out :]
    if _is_continuous(record):
        left += tuple(card for stack in record.stacks[at.stacks :] for card in stack.cards)
    return left


def _do(record: Record, at: _Progress, act: a.Act) -> _Progress | Refusal:
    match act:
        case a.DealAct():
            return _deal(record, at, act) if act.hold is None else _deal_step(record, at, act)
        case a.CallAct():
            return _call(record, at, act)
        case a.DealWarAct():
            is_war = at.table.phase == "war_betting" or bool(at.table.round.at_war)
            deal = a.DealAct(cards=act.cards, by=act.by)
            return _deal(record, at, deal) if is_war else Refusal("no_war_wager", at.rules.clauses["deal.war"])
        case a.InitialBurnAct():
            return _burn_opening(record, at, act)
        case a.SettleWarAct():
            is_out = len(at.table.round.hands.get(e.DEALER, ())) > 1
            settle = c.Settle(wagers=act.wagers, by=act.by)
            return _step(record, at, settle) if is_out else Refusal("cards_due", at.rules.clauses["settle.war"])
        case a.LoadAct():
            return _load(record, at, act, is_presumed=not at.table.prepared)
        case a.ChangeDecksAct():
            changed = _with_decks_due(record, at)
            return Refusal("no_shuffle_due", at.rules.clauses["shoe.decks"]) if changed is at else changed
        case a.CashOutAct():
            return _cash_out(at, act)
        case c.Rule(action="shuffle_discards") if is_short_ruling_due(at.rules, at.table) and at.stacks == len(
            record.stacks
        ):
            return Refusal("no_shoe", at.rules.clauses["shoe.short"])
        case a.ExtraDrawAct() | a.FaceUpAct() if not at.stacks:
            # A record's first shoe counts as loaded.
            loaded = _load(record, at, is_presumed=not at.table.prepared)
            return loaded if isinstance(loaded, Refusal) else _do(record, loaded, act)
        case _:
            command = _command(record, at, act)
            return command if isinstance(command, Refusal) else _step(record, at, command)


def _command(record: Record, at: _Progress, act: a.Act) -> c.Command | Refusal:
    """The act as a command, with the faces that the record's shoe holds."""
    coming = _upcoming(record, at)
    match act:
        case a.ExtraDrawAct():
            card = coming[0] if act.exposed and coming else None
            return c.ReportExtraDraw(exposed=act.exposed, card=card, action=act.action, by=act.by)
        case a.FaceUpAct():
            return c.ReportFaceUpCard(card=coming[0] if coming else None, by=act.by)
        case a.MissedOfferAct():
            faces = coming[: max(act.cards, 0)] if at.table.phase == "deciding" else ()
            return c.ReportMissedOffer(player=act.player, box=act.box, cards=act.cards, faces=faces, by=act.by)
        case a.DamagedAct():
            if act.card is not None:
                card = None if act.card == "xx" else parse_written_card(act.card)
            else:
                hand = at.table.round.hands.get(at.table.last, ()) if at.table.last is not None else ()
                card = next(iter((*hand[-1:], *coming)), None)
            return c.ReportDamagedCard(card=card, by=act.by)
        case a.ReconstructAct():
            moves = tuple(c.Move(origin=_place(move.origin), to=_place(move.to)) for move in act.moves)
            return c.Reconstruct(moves=moves, by=act.by, second=act.second)
        case a.ViewBurnAct():
            return c.ViewInitialBurn(player=act.player, card=at.burned, by=act.by)
        case a.ReplaceAct():
            cards = () if act.cards == "all" else tuple(parse_written_card(text) for text in act.cards)
            return c.ReplaceCards(cards=cards, by=act.by)
        case a.ReplaceAllAct():
            return c.ReplaceCards(by=act.by)
        case a.DealAct() | a.CallAct() | a.DealWarAct() | a.InitialBurnAct() | a.SettleWarAct() | a.LoadAct():
            raise TypeError(f"not one command: {act!r}")
        case a.ChangeDecksAct() | a.CashOutAct():
            raise TypeError(f"no command of the game: {act!r}")
        case _:
            return act


def _place(text: str | int) -> int:
    place = a.place_of(text)
    assert place is not None
    return place


def _call(record: Record, at: _Progress, act: a.CallAct) -> _Progress | Refusal:
    refusal = refuse_deal(at.rules, at.table)
    if refusal:
        return refusal
    if at.table.phase == "dealing" and not is_cut_card_first(at.rules, at.table):
        return Refusal("cards_due", at.rules.clauses["deal.to"])
    return _step(record, at, c.Deal(by=act.by))


def _burn_opening(record: Record, at: _Progress, act: a.InitialBurnAct) -> _Progress | Refusal:
    """Burn the opening cards. A record's first shoe counts as loaded; a later one is loaded by an act of its own."""
    if at.rules.burn.due == "at_deal":
        return _burn_with_deal(record, at, act.by)
    if act.cards is not None and act.cards < 1:
        return Refusal("amount_not_positive")
    if not at.stacks:
        loaded = _load(record, at, is_presumed=not at.table.prepared)
        if isinstance(loaded, Refusal):
            return loaded
        at = loaded
    return _burn(record, at, act.cards, act.by)


def _burn(record: Record, at: _Progress, left: int | None, by: str | None) -> _Progress | Refusal:
    """Burn what is due of the opening burn, at most so many cards."""
    while True:
        due = min(len(burn_draws(at.rules, at.table)), at.table.shoe_left)
        faces = _upcoming(record, at)[:due][:left]
        done = _step(record, at, c.InitialBurn(cards=faces, by=by))
        if isinstance(done, Refusal):
            return done
        at, left = done, None if left is None else left - len(faces)
        if not burn_draws(at.rules, at.table) or left == 0:
            return at


def _burn_with_deal(record: Record, at: _Progress, by: str | None) -> _Progress | Refusal:
    """Burn as part of the deal, where the book has it so: the burn then closes the betting."""
    if pending_burn(at.rules, at.table) != "opening":
        return Refusal("no_burn_due", at.rules.clauses["shoe.initial_burn"])
    done = _deal(record, at, a.DealAct(cards=1, by=by))
    while not isinstance(done, Refusal) and done.table.queue[:1] == ("opening_value",):
        done = _deal(record, done, a.DealAct(cards=1, by=by))
    return done


def _deal(record: Record, at: _Progress, act: a.DealAct) -> _Progress | Refusal:
    """Deal on until a decision, the end of the round or the given number of cards, loading stacks as they are due."""
    if act.cards is not None and act.cards < 1:
        return Refusal("amount_not_positive")
    refusal = refuse_deal(at.rules, at.table)
    if refusal and refusal.reason != "shuffle_due":
        return refusal
    left = act.cards
    while True:
        if is_shuffle_due(at.table):
            loaded = _load(record, at)
            if isinstance(loaded, Refusal):
                return loaded
            at = loaded
        due = cards_due(at.rules, at.table)
        count = due if left is None else min(due, left)
        cards = _upcoming(record, at)[:count]
        if len(cards) < count and not cards:
            return _no_shoe(at)
        left = None if left is None else left - len(cards)
        done = _step(record, at, c.Deal(cards=cards, hold=left is not None, by=act.by))
        if isinstance(done, Refusal):
            return done
        at = done
        if at.table.round.is_over or at.table.phase == "deciding" or at.table.incident is not None or left == 0:
            return at


def _no_shoe(at: _Progress) -> Refusal:
    return Refusal("no_shoe", stack_clauses(at.rules, at.table))


def _deal_step(record: Record, at: _Progress, act: a.DealAct) -> _Progress | Refusal:
    """One step of the dealer, exactly as it was taken."""
    count = act.cards or 0
    if count < 0:
        return Refusal("amount_not_positive")
    cards = _upcoming(record, at)[:count]
    if len(cards) < count:
        return _no_shoe(at)
    return _step(record, at, c.Deal(cards=cards, hold=bool(act.hold), by=act.by))


def _cash_out(at: _Progress, act: a.CashOutAct) -> _Progress | Refusal:
    """Carry away chips that lie before the player and nowhere else. No other player can do it."""
    table = at.table
    if act.by is not None and role_of(act.by) == "player" and person_of(act.by) != act.player:
        return Refusal("not_entitled")
    if act.player not in table.players:
        return Refusal("unknown_player")
    if act.amount <= 0:
        return Refusal("amount_not_positive")
    if act.amount > table.players[act.player]:
        return Refusal("insufficient_funds")
    return msgspec.structs.replace(at, table=carry_chips_away(table, act.player, act.amount))


PRESUMED = a.LoadAct()
"""A load that the record does not tell."""


def _load(record: Record, at: _Progress, act: a.LoadAct = PRESUMED, *, is_presumed: bool = True) -> _Progress | Refusal:
    """Load the record's next stack, cut by whoever is entitled unless an act has said so."""
    if at.stacks == len(record.stacks):
        return _no_shoe(at)
    stack = record.stacks[at.stacks]
    at = _with_decks_due(record, at)
    if is_presumed and is_cut_due(at.rules, at.table):
        cut = _step(record, at, c.Cut(player=cutter(at.rules, at.table), position=26 * at.rules.shoe.decks))
        if isinstance(cut, Refusal):
            return cut
        at = cut
    at = msgspec.structs.replace(at, stacks=at.stacks + 1, out=0)
    cards = (act.cards or 52 * at.rules.shoe.decks) if _is_continuous(record) else len(stack.cards)
    return _step(record, at, c.LoadShoe(cards=cards, cut_card=stack.cut_card, presumed=is_presumed, by=act.by))


def _with_decks_due(record: Record, at: _Progress) -> _Progress:
    """The progress with the rules for the decks of a notice that has stood, from the record or from the named book."""
    decks, notice = decks_due(at.rules, at.table), at.table.floor.decks_notice
    if decks == at.rules.shoe.decks or notice is None or not is_shuffle_due(at.table):
        return at
    held = (book for book in record.later_books if (book.shoe.decks, book.perfect_pairs.table) == (decks, notice[1]))
    return msgspec.structs.replace(at, rules=next(held, None) or rules_due(at.rules, at.table))
