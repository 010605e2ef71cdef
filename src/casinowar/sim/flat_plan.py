"""The plan made flat: every parameter of the kernel from the rulebook and the choices, as `parameters.py` has them."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from casinowar.cards import RANKS
from casinowar.rulebooks import Cell, Rulebook
from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim.leaf_account import has_cutting_card
from casinowar.sim.night_bins import night_bins
from casinowar.sim.outcome_cells import WAGER_ORDER
from casinowar.sim.pay_table import PayTable
from casinowar.sim.table_plan import TABLE_ROUNDS, Plan

MOST_POINTS = 20
MODELS = ("payoff_cap", "revolving", "action_cap", "covered")
SITUATIONS = (
    *(("initial", one) for one in ("on_win", "on_loss", "on_war_win", "on_war_tie", "on_war_loss")),
    *(("war", one) for one in ("on_win", "on_tie", "on_loss")),
    *((wager, one) for wager in ("tie", "war_tie", "a_bomb") for one in ("on_win", "on_loss")),
    *(
        (wager, one)
        for wager in ("perfect_pairs", "war_perfect_pairs")
        for one in ("on_mixed", "on_coloured", "on_perfect", "on_loss")
    ),
)
"""The situations of the table ODDS in their order."""


def flatten(plan: Plan) -> list[int]:
    """The flat parameters of a plan."""
    rules, wagers = plan.rules, plan.wagers
    shoe = rules.shoe
    has = {wager: int(wager in wagers) for wager in WAGER_ORDER}
    pays = PayTable(rules, wagers, tuple(plan.counted))
    envies = plan.boxes if has["progressive"] else 1
    indexes = cells.CELLS * (1 << len(plan.counted)) * envies
    is_counted = bool(plan.counted)
    flat = [0] * at.TABLES
    head = {
        at.FORMAT: at.FORMAT_NUMBER,
        at.BOXES: plan.boxes,
        at.DECKS: shoe.decks,
        at.SIZE: 52 * shoe.decks,
        at.TABLE_ROUNDS: plan.session or TABLE_ROUNDS,
        at.RENEWAL: renewal(plan),
        at.CUT: cut_of(rules),
        at.FROM_BACK: shoe.marker_from_back if has_cutting_card(rules) else -1,
        at.CUT_FIRST: shoe.cut_first_card == "shuffle_now",
        at.CUT_MID: shoe.cut_mid_round == "finish_round",
        at.DRY: shoe.short == "pit_boss" and plan.dry_shoe == "void",
        at.DISCHARGES: shoe.short_discharges,
        at.OPENING: ("none", "one_down", "face_up_plus_value").index(shoe.initial_burn),
        at.MIDROUND: shoe.midround_burn == "as_opening",
        at.ROUND_BURN: shoe.round_burn,
        at.WAR_BURN: rules.war.burn,
        at.BANKER_BURN: rules.war.burn_before_banker,
        at.FIRST_RIGHT: rules.deal.first == "from_right",
        at.WAR_RIGHT: rules.deal.war == "from_right",
        at.DEALER_FIRST: rules.deal.dealer == "first",
        at.WAR_DEALER_FIRST: rules.deal.war_dealer == "first",
        at.COLLECT: ("at_end", "when_surrendered", "before_war").index(rules.discard.timing),
        at.ACE: rules.cards.ranks.index("A"),
        at.HAS_INITIAL: has["initial"],
        at.TELLS_ACE: has["a_bomb"],
        at.TELLS_PAIR: has["perfect_pairs"] or has["progressive"],
        at.TELLS_SECOND_PAIR: has["war_perfect_pairs"] or has["progressive"],
        at.TELLS_LINES: has["progressive"],
        at.WORDS: (bettors(plan) + 2) // 2,
        at.COUNTED: len(plan.counted),
        at.INDEXES: indexes,
        at.ENVIES: envies,
        at.WAGERS: len(wagers),
        at.NET_AT: at.TABLES,
    }
    if plan.fresh and not is_counted and head[at.OPENING] == 2:
        # Who does not count has no use for its face, and a fresh shoe is never dealt to its marker.
        head[at.OPENING] = 1
    for part in (head, _progressive(plan), _night(plan, pays), _bank(plan, pays)):
        for place, value in part.items():
            flat[place] = int(value)
    for place, wager in enumerate(wager for wager in WAGER_ORDER if wager in wagers):
        flat[at.KIND + place] = WAGER_ORDER.index(wager)
    if shoe.initial_burn == "face_up_plus_value":
        flat[at.BURN_VALUE : at.BURN_VALUE + 13] = burn_values(rules)
    for box, answers in enumerate(plan.strategy):
        ranks = (1 << place for place, rank in enumerate(rules.cards.ranks) if answers[rank] == "war")
        flat[at.WAR_RANKS + box] = sum(ranks)
    for row, (wager, bar) in enumerate(plan.counted.items()):
        flat[at.WORTH + 8 * row : at.WORTH + 8 * row + 6] = _worth(rules, wager, bar)
    nets = [list(_net_row(pays, wager, envies)) for wager in WAGER_ORDER]
    flat += [net or 0 for row in nets for net in row]
    flat += [int(net is not None) for row in nets for net in row]
    return flat


def _net_row(pays: PayTable, wager: str, envies: int) -> Iterator[int | None]:
    """What a wager nets at each index: what others hit matters to the progressive alone, bits to what is counted."""
    each = 1 << len(pays.counted)
    bit = 1 << pays.counted.index(wager) if wager in pays.counted else 0
    for others in range(envies):
        if others == 0 or wager == "progressive":
            row = [pays.net(wager, cell + cells.CELLS * (each - 1 + each * others)) for cell in range(cells.CELLS)]
        for bits in range(each):
            yield from row if bits & bit == bit else [None] * cells.CELLS


def bettors(plan: Plan) -> int:
    """How many boxes bet in a round: all, but for one that banks."""
    return plan.boxes - (plan.rules.bank.by == "player")


def renewal(plan: Plan) -> int:
    if plan.rules.shoe.shuffler == "continuous":
        return at.CONTINUOUS
    return at.FRESH if plan.fresh else at.SHOE


def cut_of(rules: Rulebook) -> int:
    """How many cards lie before the cutting card in a full stack."""
    if not has_cutting_card(rules):
        return at.NO_CUT
    return max(0, 52 * rules.shoe.decks - rules.shoe.marker_from_back)


def burn_values(rules: Rulebook) -> list[int]:
    """How many more cards a burned card has burned, by the order of the ranks."""
    plain = {rank: place + 2 for place, rank in enumerate(RANKS[:9])}
    return [rules.shoe.burn_value.get(rank) or plain[rank] for rank in rules.cards.ranks]


def opening_burn(rules: Rulebook) -> int:
    """The most cards that are burned when a shoe is opened."""
    kind = rules.shoe.initial_burn
    return 0 if kind == "none" else 1 if kind == "one_down" else 1 + max(burn_values(rules))


def round_need(plan: Plan) -> int:
    """The most cards that a round takes."""
    war = plan.rules.war
    return plan.rules.shoe.round_burn + war.burn + war.burn_before_banker + 2 * (bettors(plan) + 1)


def can_run_dry(plan: Plan) -> bool:
    """Whether a round can begin with fewer cards in the shoe than it may take."""
    rules = plan.rules
    size, cut = 52 * rules.shoe.decks, cut_of(rules)
    if renewal(plan) != at.SHOE:
        return opening_burn(rules) + round_need(plan) > size
    last = size - 1
    if cut <= size and rules.shoe.cut_mid_round == "finish_round":
        last = min(last, cut - (rules.shoe.cut_first_card == "shuffle_now"))
    return last + round_need(plan) > size


def _progressive(plan: Plan) -> dict[int, int]:
    if "progressive" not in plan.wagers:
        return {}
    reading = plan.rules.progressive
    numerator, denominator = map(int, reading.meter_share.split(":"))
    return {
        at.SUITED_FOUR: reading.suited_four == "suited_ties",
        at.METER: plan.meter,
        at.METER_NUMERATOR: numerator,
        at.METER_DENOMINATOR: denominator,
        at.METER_RUNS: plan.meter_runs,
        at.METER_FEED: plan.wagers["progressive"] * reading.increment_bp // 10_000 if plan.meter_runs else 0,
        at.METER_SEED: reading.seed if plan.meter_runs else 0,
        at.FULL_EACH: reading.hitters == "full_each",
    }


def _night(plan: Plan, pays: PayTable) -> dict[int, int]:
    if not plan.session:
        return {}
    points = min(plan.session, MOST_POINTS)
    on_war = sum(stake for wager, stake in plan.wagers.items() if wager.startswith("war_"))
    held = sum(stake for wager, stake in plan.wagers.items() if wager in ("initial", "progressive"))
    bins = night_bins(plan, pays)
    return {
        at.SESSION: plan.session,
        at.BANKROLL: plan.bankroll,
        at.NIGHT_STAKE: first_stakes(plan),
        at.WAR_NEED: pays.war_stake + on_war,
        at.HELD_STAKE: held,
        at.BIN: bins.width,
        at.BIN_BEGIN: bins.begin,
        at.POINTS: points,
    } | {at.POINT + place: plan.session * (place + 1) // points for place in range(points)}


def first_stakes(plan: Plan) -> int:
    """What lies on a box before the first card."""
    return sum(stake for wager, stake in plan.wagers.items() if not wager.startswith("war_"))


def _bank(plan: Plan, pays: PayTable) -> dict[int, int]:
    rules = plan.rules
    if rules.bank.by == "house":
        return {}
    order = rules.decision.order
    lows, highs = _bounds(plan, pays)
    found = {
        at.BANK: 1 + MODELS.index(rules.bank.model),
        at.BANK_STAKE: plan.bank_stake or 4 * bettors(plan) * (sum(highs) + sum(lows)),
        at.BANK_TURNS: rules.bank.max_consecutive,
        at.BANK_CCW: rules.bank.rotation == "ccw",
        at.COLLECTS_LOSERS: rules.bank.after_exhaustion == "collect_losers",
        at.ASKS_ANY: order == "any",
        at.ASKS_RIGHT: rules.asks_from_right if order == "any" else order == "from_right",
        at.SETTLES_WAR_RIGHT: rules.settle.war == "from_right",
        at.MATCHES: rules.war.method == "B",
        at.FORFEIT_NUMERATOR: rules.forfeit.numerator,
        at.FORFEIT_DENOMINATOR: rules.forfeit.denominator,
        at.ODD_UNIT_HOUSE: rules.surrender.odd_unit == "house",
        at.STAKE_NUMERATOR: rules.war_stake.numerator,
        at.STAKE_DENOMINATOR: rules.war_stake.denominator,
        at.LEAST_NET: -max(lows),
        at.NET_BINS: max(lows) + max(highs) + 1,
        at.BANK_LEAST: -bettors(plan) * sum(highs),
        at.BANK_BINS: bettors(plan) * (sum(highs) + sum(lows)) + 1,
        at.PASS: len(rules.passes),
    }
    for place, one in enumerate(rules.passes):
        kinds = sum(WAGER_ORDER.index(wager) << (8 + 3 * step) for step, wager in enumerate(one.wagers))
        found[at.PASS + 1 + place] = one.from_right + 2 * one.takes_first + 4 * len(one.wagers) + kinds
    for place, situation in enumerate(SITUATIONS):
        found |= _odds(place, rules.cells.get(situation))
    for place, wager in enumerate((*WAGER_ORDER, "war")):
        paying = [cell for (kind, _), cell in rules.cells.items() if kind == wager and cell.odds]
        best = max(paying, key=lambda cell: Fraction(cell.odds.numerator, cell.odds.denominator), default=None)  # type: ignore[union-attr]
        found |= _odds(24 + place, best)
    for place, wager in enumerate(WAGER_ORDER):
        found[at.AMOUNT + place] = plan.wagers.get(wager, 0)
    found[at.AMOUNT + 7] = pays.war_stake
    return found


def _odds(place: int, cell: Cell | None) -> dict[int, int]:
    """Two numbers of the table ODDS: -1 for a loss, 0 for a push."""
    if cell is None or (cell.odds is None and cell.outcome == "push"):
        numerator, denominator = 0, 1
    elif cell.odds is None:
        numerator, denominator = -1, 1
    else:
        numerator, denominator = cell.odds.numerator, cell.odds.denominator
    return {at.ODDS + 2 * place: numerator, at.ODDS + 2 * place + 1: denominator}


def _bounds(plan: Plan, pays: PayTable) -> tuple[list[int], list[int]]:
    """The most that each wager can lose and win, whatever the bank covers of it."""
    lows, highs = [], []
    for wager, stake in plan.wagers.items():
        parts = {wager: stake} | ({"war": pays.war_stake} if wager == "initial" else {})
        lows.append(sum(parts.values()))
        highs.append(
            sum(
                max((_pays(cell, amount) for (kind, _), cell in plan.rules.cells.items() if kind == part), default=0)
                for part, amount in parts.items()
            )
        )
    return lows, highs


def _pays(cell: Cell, amount: int) -> int:
    return 0 if cell.odds is None else amount * cell.odds.numerator // cell.odds.denominator


def _worth(rules: Rulebook, wager: str, bar: Fraction) -> list[int]:
    """A row of the table WORTH."""
    names = ("on_perfect", "on_coloured", "on_mixed") if wager.endswith("perfect_pairs") else ("on_win",)
    values = [_per_unit(rules.cells[wager, name]) for name in names]
    values += [Fraction(0)] * (3 - len(values))
    values += [_per_unit(rules.cells[wager, "on_loss"]), Fraction(bar)]
    whole = lcm(*(value.denominator for value in values))
    return [WAGER_ORDER.index(wager), *(int(value * whole) for value in values)]


def _per_unit(cell: Cell) -> Fraction:
    if cell.odds is not None:
        return Fraction(cell.odds.numerator, cell.odds.denominator)
    return Fraction(0) if cell.outcome == "push" else Fraction(-1)
