"""The progressive: which line a hand makes, what it is paid, and what becomes of the meter."""

from fractions import Fraction

from msgspec.structs import replace

from casinowar.cards import Card, rank, suit
from casinowar.engine import events as e
from casinowar.engine.state import DEALER, Table
from casinowar.rulebooks import Rulebook

JACKPOT = "on_suited_four_of_a_kind"
Hand = tuple[Card, ...]


def lines(rules: Rulebook, hand: Hand, dealer: Hand) -> tuple[str, ...]:
    """The lines that a hand makes with the dealer's, the best first; two cards each where there was a war."""
    pairs = list(zip(hand, dealer, strict=True))
    ties = [mine for mine, theirs in pairs if rank(mine) == rank(theirs)]
    suited = [mine for mine, theirs in pairs if mine == theirs]
    if rank(hand[0]) != rank(dealer[0]):
        return ()
    reading = rules.progressive
    is_double = len(ties) == 2
    is_four = is_double and rank(ties[0]) == rank(ties[1])
    is_one_suit = len({suit(card) for card in (*hand, *dealer)}) == 1
    is_suited_double = is_double and (is_one_suit if reading.suited_double == "one_suit" else len(suited) == 2)
    is_jackpot = is_four and len(suited) == 2 and (reading.suited_four == "suited_ties" or is_one_suit)
    made = {
        JACKPOT: is_jackpot,
        "on_suited_double_tie": is_suited_double,
        "on_four_of_a_kind": is_four,
        "on_double_tie": is_double,
        "on_suited_tie": hand[0] == dealer[0],
        "on_tie": True,
    }
    return tuple(line for line, is_made in made.items() if is_made)


def increment(rules: Rulebook, amount: int) -> int:
    return amount * rules.progressive.increment_bp // 10_000


def increments(rules: Rulebook, table: Table) -> list[e.MeterFed]:
    """What each progressive wager adds to the meter when the betting closes, rounded down."""
    clauses = rules.clauses.get("progressive.increment_bp", ())
    return [
        e.MeterFed(player, box, increment(rules, laid.amount), clauses=clauses)
        for (box, wager, player), laid in table.round.wagers.items()
        if wager == "progressive"
    ]


def unfeed(rules: Rulebook, table: Table, box: int | None = None, player: str | None = None) -> list[e.Event]:
    """Take out of the meter what void wagers fed into it: those of the round, or of one hand or player."""
    if not (rules.wager.progressive and table.round.boxes):
        return []
    return [
        replace(fed, amount=-fed.amount)
        for fed in increments(rules, table)
        if box in (None, fed.box)
        and player in (None, fed.player)
        and table.round.wagers[fed.box, "progressive", fed.player].outcome != "void"
    ]


def unpay(rules: Rulebook, table: Table) -> list[e.Event]:
    """A jackpot of a round that is invalidated goes back on the meter."""
    paid = [item.amount for laid in table.round.wagers.values() for item in laid.items if item.item == "meter"]
    if not paid:
        return []
    prize = sum(paid) if rules.progressive.hitters == "split" else max(paid)
    return [e.MeterPaid(-prize, -rules.progressive.seed, clauses=rules.clauses["progressive.meter_share"])]


def settle_progressive(rules: Rulebook, table: Table) -> list[e.Event]:
    """The last pass of the round, from the dealer's right: odds, the meter and envy in one line for each wager."""
    round_ = table.round
    bets = [
        (box, player, round_.wagers[box, "progressive", player].amount)
        for box in reversed(round_.boxes)
        for player in round_.bettors[box]
        if (box, "progressive", player) in round_.wagers
    ]
    if not bets:
        return []
    made = {box: _lines_paid(rules, table, box) for box, _, _ in bets}
    hitters = [(box, player, amount) for box, player, amount in bets if JACKPOT in made[box]]
    shares = _meter_shares(rules, table.meter, len(hitters))
    events: list[e.Event] = []
    for box, player, amount in bets:
        items = [_odds_item(rules, line, amount) for line in made[box]]
        if JACKPOT in made[box]:
            items.append(e.Item("meter", shares[[hitter[0] for hitter in hitters].index(box)]))
        items += [_envy_item(rules, amount, hit) for hit in hitters if hit[1] != player]
        if round_.wagers[box, "progressive", player].outcome is None:
            events.append(_settle_wager(rules, box, player, amount, tuple(items), bool(made[box])))
    if hitters:
        prize = _prize(rules, table.meter)
        events.append(e.MeterPaid(prize, rules.progressive.seed, clauses=rules.clauses["progressive.meter_share"]))
    return events


def _lines_paid(rules: Rulebook, table: Table, box: int) -> tuple[str, ...]:
    round_ = table.round
    hand = round_.hands[box]
    dealer = round_.hands[DEALER][: len(hand)]
    is_surrendered = any(where[0] == box and laid.outcome == "surrender" for where, laid in round_.wagers.items())
    if is_surrendered and rules.progressive.on_surrender == "lost":
        return ()
    made = lines(rules, hand, dealer)
    if rules.progressive.lines == "cumulative":
        return made
    return (max(made, key=lambda line: (line == JACKPOT, _pays(rules, line))),) if made else ()


def _pays(rules: Rulebook, line: str) -> Fraction:
    odds = rules.cells["progressive", line].odds
    return Fraction(0) if odds is None else Fraction(odds.numerator, odds.denominator)


def _prize(rules: Rulebook, meter: int) -> int:
    """What a hit takes off the meter, however many share it."""
    numerator, _, denominator = rules.progressive.meter_share.partition(":")
    return meter * int(numerator) // int(denominator)


def _meter_shares(rules: Rulebook, meter: int, hitters: int) -> list[int]:
    if not hitters:
        return []
    prize = _prize(rules, meter)
    if rules.progressive.hitters == "full_each":
        return [prize] * hitters
    share, odd = divmod(prize, hitters)
    return [share + odd, *[share] * (hitters - 1)]


def _odds_item(rules: Rulebook, line: str, amount: int) -> e.Item:
    cell = rules.cells["progressive", line]
    assert cell.odds is not None
    return e.Item(
        "odds", amount * cell.odds.numerator // cell.odds.denominator, line.removeprefix("on_"), str(cell.odds)
    )


def _envy_item(rules: Rulebook, amount: int, hit: tuple[int, str, int]) -> e.Item:
    units = (amount if rules.progressive.envy_base == "recipient" else hit[2]) // rules.progressive.unit
    return e.Item("envy", units * rules.progressive.envy, hit[1])


def _settle_wager(
    rules: Rulebook, box: int, player: str, amount: int, items: tuple[e.Item, ...], has_line: bool
) -> e.WagerSettled:
    paid = sum(item.amount for item in items)
    is_back = rules.progressive.stake_returned if has_line else rules.cells["progressive", "on_loss"].outcome == "push"
    returned = amount if is_back else 0
    odds = next((item.odds for item in items if item.odds), None)
    lines_ = [f"on_{item.of}" for item in items if item.item == "odds"] or ["on_loss"]
    clauses = tuple(dict.fromkeys(one for line in lines_ for one in rules.cells["progressive", line].clauses))
    if any(item.item == "envy" for item in items):
        clauses += tuple(one for one in rules.clauses["progressive.envy"] if one not in clauses)
    outcome: e.Outcome = "win" if paid else "push" if returned else "lose"
    return e.WagerSettled(
        player, box, "progressive", amount, outcome, odds, paid, returned, clauses=clauses, items=items
    )
