"""Settlement: which cell of the rulebook each wager falls into, and the dealer's passes along the boxes."""

from msgspec.structs import replace

from casinowar.cards import Card, colour, rank, suit
from casinowar.engine import events as e
from casinowar.engine.state import DEALER, Round, Table, Wager
from casinowar.rulebooks import Cell, Rulebook
from casinowar.rulebooks.wagers import WAR_DEAL

WAR_PASS = ("initial", "war", *WAR_DEAL)


def first_cell(rules: Rulebook, wager: str, card: Card, dealer: Card) -> Cell | None:
    """The cell of a wager on the first cards; none where the player must first choose war or surrender."""
    cells, ranks = rules.cells, rules.ranks
    mine, theirs = ranks[card], ranks[dealer]
    match wager:
        case "initial":
            return None if mine == theirs else cells["initial", "on_win" if mine > theirs else "on_loss"]
        case "tie":
            return cells["tie", "on_win"] if mine == theirs else rules.lost_ties["tie", mine > theirs]
        case "a_bomb":
            return cells["a_bomb", "on_win" if rank(card) == "A" else "on_loss"]
        case "perfect_pairs":
            return cells["perfect_pairs", pair(card, dealer)]
        case _:
            raise ValueError(f"{wager} is not settled on the first cards")


def war_cell(rules: Rulebook, wager: str, card: Card, dealer: Card) -> Cell:
    """The cell of a wager on the second cards."""
    cells, ranks = rules.cells, rules.ranks
    mine, theirs = ranks[card], ranks[dealer]
    result = "win" if mine > theirs else "tie" if mine == theirs else "loss"
    match wager:
        case "initial":
            return cells["initial", f"on_war_{result}"]
        case "war":
            return cells["war", f"on_{result}"]
        case "war_tie":
            return cells["war_tie", "on_win"] if result == "tie" else rules.lost_ties["war_tie", result == "win"]
        case "war_perfect_pairs":
            return cells["war_perfect_pairs", pair(card, dealer)]
        case _:
            raise ValueError(f"{wager} is not settled on the second cards")


def pair(card: Card, dealer: Card) -> str:
    """Which pair two cards make: of one denomination, then by suit and colour."""
    if rank(card) != rank(dealer):
        return "on_loss"
    if suit(card) == suit(dealer):
        return "on_perfect"
    return "on_coloured" if colour(card) == colour(dealer) else "on_mixed"


def settle_wager(box: int, wager: str, player: str, laid: Wager, cell: Cell) -> e.WagerSettled:
    amount = laid.amount
    odds = cell.odds
    if odds is not None:
        paid = amount * odds.numerator // odds.denominator
        return e.WagerSettled(player, box, wager, amount, "win", str(odds), paid, amount, clauses=cell.clauses)
    returned = amount if cell.outcome == "push" else 0
    return e.WagerSettled(player, box, wager, amount, cell.outcome, None, 0, returned, clauses=cell.clauses)


def with_coupon(event: e.WagerSettled, laid: Wager, cell: Cell) -> e.WagerSettled:
    """A match-play coupon is paid like the wager beside it when that wins on the first cards; it never comes back."""
    if cell.odds is None:
        return event
    return replace(event, paid=event.paid + laid.coupon * cell.odds.numerator // cell.odds.denominator)


def settle_surrender(rules: Rulebook, box: int, player: str, laid: Wager) -> e.WagerSettled:
    """Settle a surrender: half is forfeited, and the odd unit of an odd wager goes as the rulebook says."""
    amount, share = laid.amount, rules.forfeit
    forfeit = amount * share.numerator // share.denominator
    if rules.surrender.odd_unit == "house" and amount * share.numerator % share.denominator:
        forfeit += 1
    clauses = rules.clauses["surrender.forfeit"]
    return e.WagerSettled(player, box, "initial", amount, "surrender", None, 0, amount - forfeit, clauses=clauses)


def settle_first(rules: Rulebook, table: Table) -> tuple[list[e.Event], bool]:
    """The passes after the first deal, and whether some initial wager waits for war or surrender.

    Where the book asks in the middle of a pass, the events end at the first player who must be asked.
    """
    round_ = table.round
    wagers, hands = round_.wagers, round_.hands
    dealer = hands[DEALER][0]
    events: list[e.Event] = []
    is_tied = False
    kinds = {wager for _, wager, _ in wagers}
    for one in rules.passes:
        if kinds.isdisjoint(one.wagers):
            continue
        pays: list[e.Event] = []
        for box in reversed(round_.boxes) if one.from_right else round_.boxes:
            card = hands[box][0]
            for player in round_.bettors[box]:
                for wager in one.wagers:
                    laid = wagers.get((box, wager, player))
                    if laid is None or laid.outcome is not None:
                        continue
                    cell = first_cell(rules, wager, card, dealer)
                    if cell is None:
                        is_tied = True
                        if rules.decision.timing == "in_pass" and (box, "war", player) not in wagers:
                            return events, True
                        continue
                    event = settle_wager(box, wager, player, laid, cell)
                    if laid.coupon:
                        event = with_coupon(event, laid, cell)
                    (pays if one.takes_first and cell.outcome != "lose" else events).append(event)
        events += pays
    return events, is_tied


def offers(rules: Rulebook, round_: Round) -> list[e.Event]:
    """Who still has to choose between war and surrender: everybody, or the next one where the book asks in turn."""
    dealer = rules.ranks[round_.hands[DEALER][0]]
    order = rules.decision.order
    from_right = rules.asks_from_right if order == "any" else order == "from_right"
    boxes = reversed(round_.boxes) if from_right else round_.boxes
    asked: list[e.Event] = [
        e.WarOffered(player, box, clauses=rules.clauses["decision.timing"])
        for box in boxes
        if rules.ranks[round_.hands[box][0]] == dealer
        for player in round_.bettors[box]
        if (laid := round_.wagers.get((box, "initial", player))) is not None
        and laid.outcome is None
        and (box, "war", player) not in round_.wagers
    ]
    return asked[:1] if rules.decision.timing == "in_pass" else asked


def is_fought(round_: Round, box: int) -> bool:
    """Whether the second cards of the box and of the dealer lie there."""
    hands = round_.hands
    return box in round_.boxes and len(hands.get(box, ())) > 1 and len(hands.get(DEALER, ())) > 1


def return_unfought(rules: Rulebook, table: Table) -> list[e.Event]:
    """Wagers on the cards of a war that nobody fights any more go back."""
    round_ = table.round
    return [
        e.WagerSettled(
            player, box, wager, laid.amount, "returned", None, 0, laid.amount, clauses=rules.clauses[f"wager.{wager}"]
        )
        for (box, wager, player), laid in round_.wagers.items()
        if wager in WAR_DEAL and laid.outcome is None and box not in round_.at_war and not is_fought(round_, box)
    ]


def settle_war(rules: Rulebook, table: Table) -> list[e.Event]:
    """The pass after the war deal. Who bets on second cards is settled too where whoever was at war is out."""
    round_ = table.round
    dealer = round_.hands[DEALER][1]
    events: list[e.Event] = []
    waiting: dict[int, list[str]] = {}
    for (box, _, player), laid in round_.wagers.items():
        if laid.outcome is None:
            waiting.setdefault(box, []).append(player)
    fought = [box for box in waiting if is_fought(round_, box)]
    for box in sorted(fought, reverse=rules.settle.war == "from_right"):
        card = round_.hands[box][1]
        for player in dict.fromkeys((*round_.bettors[box], *waiting[box])):
            for wager in WAR_PASS:
                found = round_.wagers.get((box, wager, player))
                if found is not None and found.outcome is None:
                    events.append(settle_wager(box, wager, player, found, war_cell(rules, wager, card, dealer)))
    return events
