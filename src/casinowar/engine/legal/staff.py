"""What staff may do now: each command in its plainest form, asked of the engine for each hand and person it names."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from casinowar.cards import DECK
from casinowar.engine import commands as c
from casinowar.engine.decide import TWO_SIGNED, step
from casinowar.engine.decide.draw_order import burn_draws, is_shuffle_due
from casinowar.engine.decide.floor import LONGEST, players_present
from casinowar.engine.decide.incidents import report_wager
from casinowar.engine.decide.limits import limited_amount, partners_room, refuse_together
from casinowar.engine.decide.preparation import steps_due
from casinowar.engine.events import Refusal
from casinowar.engine.legal.amounts import ENDLESS, accepted_ranges
from casinowar.engine.legal.legal import Legal
from casinowar.engine.legal.players import is_accepted
from casinowar.engine.state import NOWHERE, Spot, Table
from casinowar.rulebooks import Rulebook

ANY = DECK[0]
"""A face, where some face is needed to ask at all."""

PLAIN: tuple[tuple[c.Command, tuple[str, ...]], ...] = (
    (c.OpenBetting(), ()),
    (c.NoMoreBets(), ()),
    (c.EndRound(), ()),
    (c.VerifyCards(), ()),
    (c.Wash(), ()),
    (c.Shuffle(before_load=True), ("steps",)),
    (c.SwapBatch(), ()),
    (c.IdleSpread(), ()),
    (c.ShowCutCard(), ()),
    (c.RotateBank(), ()),
    (c.CloseTable(), ()),
    (c.ReportFaceUpCard(), ("card",)),
    (c.ReportForgottenBurn(), ()),
    (c.ReportMissingCutCard(), ()),
    (c.ReportMissedShuffle(), ()),
    (c.ReportExposedBeforeShoe(), ()),
    (c.ReportDamagedCard(), ("card",)),
    (c.InspectCards(), ()),
    (c.VoidRound(), ("reason",)),
    (c.ReplaceCards(), ("cards",)),
    (c.ChangeDealer(dealer="dealer"), ("dealer",)),
    (c.AnnounceLimits(minimum=1), ("minimum", "maximum", "unit")),
    *((c.SupervisorShuffle(reason=why), ()) for why in ("vacant", "suspect", "discretion")),
    *((c.SpreadForInspection(batch=batch), ("players",)) for batch in (1, 2)),
    *(
        (c.Rule(action=action, reason="ruled"), ("reason", "box"))
        for action in ("void_round", "reconstruct", "stand", "reshuffle", "shuffle_discards")
    ),
)
"""Commands that name nobody, with the fields that may hold something else."""


def staff_commands(rules: Rulebook, table: Table, players: tuple[str, ...], own: Iterable[Legal]) -> list[Legal]:
    """The commands that staff may give now; those about a player for these players, of whom `own` are theirs."""
    if table.is_closed:
        return []
    candidates = (
        *(Legal(command, free=free) for command, free in PLAIN),
        *_about_cards(rules, table),
        *_about_limits(rules, table),
        *_about_hands(rules, table),
        *(one for player in players for one in _about_player(rules, table, player)),
    )
    legal = [one for one in candidates if is_open(rules, table, one.command)]
    if rules.wager.called:
        bets = ((one, one.command) for one in own if isinstance(one.command, c.PlaceWager))
        legal += [replace(one, command=replace(bet, called=True)) for one, bet in bets]
    legal += [one for player in players for one in _wrong_wagers(rules, table, player)]
    return legal


def is_open(rules: Rulebook, table: Table, command: c.Command) -> bool:
    """Whether the engine would do it. What takes back settled chips is tried to the end: they may be gone."""
    if isinstance(command, c.Deal) or type(command) in TWO_SIGNED:
        return not isinstance(step(rules, table, command), Refusal)
    return is_accepted(rules, table, command)


def _about_cards(rules: Rulebook, table: Table) -> Iterator[Legal]:
    """The dealer's way with the cards. Faces are what comes out of the shoe, and stand here for any."""
    for call in (c.Deal(), c.Deal(cards=(table.held or ANY,), hold=True), c.Deal(cards=(None,), hold=True)):
        if table.incident is None and table.phase != "deciding" and is_open(rules, table, call):
            yield Legal(call, free=("cards", "hold"))
            break
    if burn_draws(rules, table):
        for burn in (c.InitialBurn(), c.InitialBurn(cards=(None,)), c.InitialBurn(cards=(ANY,))):
            if is_accepted(rules, table, burn):
                yield Legal(burn, free=("cards",))
                break
    yield Legal(c.Settle(wagers=1), "wagers", range(1, ENDLESS))
    yield Legal(c.Settle())
    if table.last is not None:
        seen = table.round.hands[table.last][-1] if table.last != NOWHERE else table.rack[-1][1][0]
        yield Legal(c.CorrectCard(card=ANY if seen != ANY else DECK[1]), free=("card",))
    if is_shuffle_due(table):
        least, most = rules.marker_bounds
        depth = rules.shoe.cut_depth
        full = 52 * rules.shoe.decks
        yield Legal(c.Shuffle(steps=steps_due(rules, table)), free=("steps",))
        yield Legal(c.Cut(position=depth), "position", range(depth, full - depth + 1))
        yield Legal(c.PlaceMarker(from_back=least), "from_back", range(least, most + 1))
        for presumed in (False, True):
            yield Legal(c.LoadShoe(cards=1, presumed=presumed), "cards", range(1, full + 1), ("cut_card",))
    yield Legal(c.ReportExtraDraw(exposed=False))
    yield Legal(c.ReportExtraDraw(exposed=False, card=ANY), free=("card",))
    for action in (None, "forward", "dealer_next", "burn"):
        delivery: c.Delivery | None = action
        yield Legal(c.ReportExtraDraw(exposed=True, card=ANY, action=delivery), free=("card",))


def _about_limits(rules: Rulebook, table: Table) -> Iterator[Legal]:
    """Time, limits and decks; the opening of a table at which nothing has been done yet."""
    everything = ("limit", "limits", "meter")
    if not table.players:
        yield Legal(c.OpenTable(), free=everything)
    if not table.round.number:
        yield Legal(c.ResumeTable(), free=tuple(c.ResumeTable.__struct_fields__))
    yield Legal(c.BuyIn(player=next(iter(table.players), "player"), amount=0), "amount", range(ENDLESS), ("player",))
    yield Legal(c.Tick(seconds=1), "seconds", range(1, LONGEST + 1))
    yield Legal(c.AnnounceClosing())
    least = rules.notice.close
    yield Legal(c.AnnounceClosing(minutes=least), "minutes", range(least, LONGEST // 60 + 1))
    terms = ("minimum", "maximum", "unit")
    if not table.has_wagers:
        present = tuple(sorted(players_present(rules, table)))
        yield Legal(c.ChangeLimits(minimum=1, basis="empty"), free=(*terms, "consents"))
        yield Legal(c.ChangeLimits(minimum=1, basis="agreed", consents=present), free=(*terms, "consents"))
        if table.floor.limits_notice is not None:
            told = table.floor.limits_notice[0]
            yield Legal(
                c.ChangeLimits(minimum=told.minimum, maximum=told.maximum, unit=told.unit, basis="notice"),
                free=("consents",),
            )
        top = ENDLESS if table.limit.maximum is None else table.limit.maximum + 1
        yield Legal(c.DirectBoxMax(amount=0), "amount", range(top))
        yield Legal(c.DirectPlayerMax(amount=0), "amount", range(top))
        most = rules.table.bettors_per_area
        fewest = 1 if most else 0
        yield Legal(c.SetBettorsPerArea(bettors=fewest), "bettors", range(fewest, most + 1 if most else ENDLESS))
    if rules.notice.decks:
        pays = {decks: pairs if rules.wager.perfect_pairs else (None,) for decks, pairs in rules.deck_choices.items()}
        for decks, pairs in pays.items():
            for one in pairs:
                yield Legal(c.AnnounceDecks(decks=decks, perfect_pairs=one))


def _about_hands(rules: Rulebook, table: Table) -> Iterator[Legal]:
    """What went wrong with cards of a hand, and what is done about a hand or the round."""
    round_ = table.round
    for box in round_.boxes if table.phase != "betting" else ():
        yield Legal(c.VoidHand(box=box), free=("decided", "reason"))
        yield Legal(c.Rule(action="void_hand", reason="ruled", box=box), free=("reason",))
        if box in table.queue:
            yield Legal(c.ReportMissedHand(box=box))
        if box == table.last:
            for action in ("forward", "dealer_next", "burn"):
                delivery: c.Delivery = action
                yield Legal(c.ReportMisdelivered(box=box, action=delivery))
    if table.incident is not None and table.incident.box:
        yield Legal(c.Rule(action="void_hand", reason="ruled"), free=("reason",))
    for faulty in ((), round_.boxes[:1]):
        fault = c.ReportShufflerFault(boxes=faulty)
        if is_open(rules, table, fault):
            yield Legal(fault, free=("boxes",))
            break
    for cause in rules.irreg.invalidate[:1]:
        yield Legal(c.InvalidateRound(cause=cause), free=("cause",))  # type: ignore[arg-type]
    if table.phase == "dealing" and round_.hands:
        yield Legal(c.Reconstruct(moves=_moves(table)), free=("moves",))


def _moves(table: Table) -> tuple[c.Move, ...]:
    """What there is too much goes to the rack, or where there is nothing too much, one card does."""
    round_ = table.round
    full = 2 if round_.at_war else 1
    lying = {place: len(hand) for place, hand in round_.hands.items() if place not in round_.collected}
    excess = [place for place, count in lying.items() for _ in range(count - full)]
    places = excess or [place for place, count in lying.items() if count >= full][:1]
    return tuple(c.Move(origin=place, to=NOWHERE) for place in places)


def _about_player(rules: Rulebook, table: Table, player: str) -> Iterator[Legal]:
    if rules.leaves["table.multi_box"].allowed:
        most = rules.table.max_boxes_per_player
        if most > 1:
            yield Legal(c.GrantMultiBox(player=player, boxes=2), "boxes", range(2, most + 1))
    if player in table.grants:
        yield Legal(c.RevokeMultiBox(player=player))
    if rules.bank.by == "player":
        yield Legal(c.OfferBank(player=player))
    if is_shuffle_due(table):
        yield Legal(c.OfferCut(player=player))
    for box, wager, who in table.round.wagers:
        if who == player and wager == "war":
            yield Legal(c.ConfirmWarWager(player=player, box=box))
            yield from _missed_offer(rules, table, player, box)
    for box, who in table.round.asked:
        if who == player:
            yield from _missed_offer(rules, table, player, box)
    reason = ("reason",)
    if rules.irreg.contravention != "none":
        yield Legal(c.VoidPlayer(player=player), free=reason)
        yield Legal(c.ReportContravention(player=player, reason="reported"), free=reason)
        yield Legal(c.ExcludePlayer(player=player), free=reason)
    if rules.irreg.release:
        yield Legal(c.ReleasePlayers(players=(player,)), free=("players",))
    others = [other for other in table.players if other != player]
    if others:
        yield Legal(c.FlagPartnership(players=(player, others[0])), free=("players",))


def _missed_offer(rules: Rulebook, table: Table, player: str, box: int) -> Iterator[Legal]:
    """The numbers of cards that can have been dealt since: any at all, up to the most, or exactly those that were."""
    cards = [
        count
        for count in range(2 * len(table.round.boxes) + rules.war.burn + rules.war.burn_before_banker + 3)
        if is_accepted(rules, table, c.ReportMissedOffer(player=player, box=box, cards=count))
    ]
    if not cards:
        return
    is_any = not is_accepted(rules, table, c.ReportMissedOffer(player=player, box=box, cards=10**9))
    bounds = range(cards[0], cards[-1] + 1) if is_any else range(cards[0], ENDLESS)
    yield Legal(c.ReportMissedOffer(player=player, box=box, cards=cards[0]), "cards", bounds, ("faces",))


def _wrong_wagers(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    """Wagers that may be found to be another amount than was noted."""
    legal: list[Legal] = []
    if table.round.is_over or table.phase == "betting":
        return legal
    for (box, kind, who), laid in table.round.wagers.items():
        if who != player or laid.outcome is not None or kind == "war":
            continue
        wager: c.WagerName = kind  # type: ignore[assignment]
        found = c.ReportWager(player=player, box=box, wager=wager, amount=1)

        def accepts(amount: int, found: c.ReportWager = found) -> bool:
            return not isinstance(report_wager(rules, table, replace(found, amount=amount)), Refusal)

        limit, top = table.limit_of(kind), laid.amount + table.players[player]
        cuts = [limit.minimum, limit.minimum + limit.unit, limit.unit, laid.coupon, rules.progressive.unit]
        cuts += [] if limit.maximum is None else [limit.maximum, limit.maximum + 1]
        cuts.append(_least_refused_together(rules, table, (box, kind, player), top))
        for amounts in accepted_ranges(accepts, top, cuts, (1,)):
            legal.append(Legal(replace(found, amount=amounts[0]), "amount", amounts))
    return legal


def _least_refused_together(rules: Rulebook, table: Table, spot: Spot, top: int) -> int:
    """The least amount up to `top` of which too much would be in play beside what else lies there, or the one above."""
    if not rules.has_shared_limits and table.floor.is_plain:
        return top + 1
    limit, room = table.limit_of(spot[1]), partners_room(rules, table, spot)

    def is_refused(amount: int) -> bool:
        played = limited_amount(rules, spot[1], amount, limit)
        return refuse_together(rules, table, spot, played if room is None else min(room, played)) is not None

    return 1 + bisect_left(range(1, top + 1), True, key=is_refused)
