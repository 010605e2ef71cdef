"""The planner: a rulebook and the choices of a table become a plan, or a refusal that names what cannot be honoured."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec.structs import replace

from casinowar.cards import RANKS
from casinowar.errors import require_whole
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.frozen import FrozenBook, thaw
from casinowar.sim import parameters as at
from casinowar.sim.flat_plan import can_run_dry, cut_of, first_stakes, flatten, opening_burn, renewal, round_need
from casinowar.sim.leaf_account import unplayed
from casinowar.sim.outcome_cells import WAGER_ORDER
from casinowar.sim.table_plan import CHUNK_ROUNDS, DEFAULT_STAKE, Choice, DryShoe, Plan, PlanRefused, Strategy

MOST_AMOUNT = 3 * 10**9
"""More than this nothing may come to, so that its square is within 63 bits."""

MOST_BINS = 1 << 20
MOST_WORTH = 1 << 62
"""More than this the count of a wager may not come to: pairs of all cards, by its weights."""

Bar = Annotated[str, msgspec.Meta(pattern=r"^-?[0-9]{1,40}(/[0-9]{1,40})?$")]
"""What a counted wager must be worth, as it is written."""

ON_WAR = ("war_tie", "war_perfect_pairs")


def offered_wagers(rules: Rulebook) -> tuple[str, ...]:
    """The wagers that the book has, `war` apart, which is part of `initial`.

    >>> from casinowar import load_rulebook, sim
    >>> sim.offered_wagers(load_rulebook("nz"))
    ('initial', 'tie')
    """
    there = {wager for wager in WAGER_ORDER[1:] if getattr(rules.wager, wager)}
    if not rules.wager.perfect_pairs:
        there.discard("war_perfect_pairs")
    return ("initial", *(wager for wager in WAGER_ORDER if wager in there))


def make_plan(
    rules: Rulebook,
    *,
    boxes: int = 1,
    wagers: Mapping[str, int] | Iterable[str] | None = None,
    counted: Mapping[str, Fraction] | None = None,
    strategy: Strategy | Sequence[Strategy] = "war",
    dry_shoe: DryShoe = "shuffle_discards",
    fresh: bool = False,
    meter: int | None = None,
    meter_runs: bool = False,
    session: int = 0,
    bankroll: int = 0,
    bank_stake: int | None = None,
) -> Plan:
    """Compile a rulebook and the choices of a table; `PlanRefused` names what the kernel cannot honour.

    Without `wagers`, every wager of the book is placed. A side wager that is never wanted is left out of `wagers`, one
    that is always wanted stands there, and one in `counted` stands in both. `dry_shoe` is the ruling where a book
    leaves it to somebody what becomes of a round for which the shoe has too few cards.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("wa"), boxes=3, wagers={"initial": 100, "tie": 25}, fresh=True)
    >>> plan.boxes, plan.wagers
    (3, {'initial': 100, 'tie': 25})
    """
    if not isinstance(rules, Rulebook):
        raise TypeError(f"a plan is of a Rulebook, such as load_rulebook('nz') gives, and not of {rules!r}")
    for told in unplayed(rules):
        raise PlanRefused(told)
    stakes = _stakes(rules, wagers)
    chosen = {"meter": meter, "bank_stake": bank_stake}
    require_whole(boxes=boxes, session=session, bankroll=bankroll)
    require_whole(**{name: amount for name, amount in chosen.items() if amount is not None})
    if "progressive" not in stakes:
        if meter or meter_runs:
            raise PlanRefused("meter: there is no progressive wager on the table")
        meter = 0
    plan = Plan(
        rules=rules,
        boxes=boxes,
        wagers=stakes,
        counted={} if counted is None else {wager: Fraction(bar) for wager, bar in counted.items()},
        strategy=_answers(strategy, boxes),
        dry_shoe=dry_shoe,
        fresh=fresh,
        meter=rules.progressive.seed if meter is None else meter,
        meter_runs=meter_runs,
        session=session,
        bankroll=bankroll,
        bank_stake=bank_stake,
        numbers=(),
    )
    for refuse in (_refuse_table, _refuse_wagers, _refuse_shoe, _refuse_meter, _refuse_nights, _refuse_bank):
        refuse(plan)
    plan = replace(plan, numbers=tuple(flatten(plan)))
    _refuse_size(plan)
    return plan


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    """A plan as it is written; the rulebook leaf by leaf."""

    rules: FrozenBook
    boxes: int
    wagers: dict[str, int]
    counted: dict[str, Bar]
    strategy: list[dict[str, Choice]]
    dry_shoe: DryShoe
    fresh: bool
    meter: int
    meter_runs: bool
    session: int
    bankroll: int
    bank_stake: int | None


def load_plan(data: bytes) -> Plan:
    """The plan that `Plan.to_json` wrote, checked as `make_plan` checks it.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"))
    >>> sim.load_plan(plan.to_json()).hash == plan.hash
    True
    """
    told = msgspec.json.decode(data, type=_Stored)
    return make_plan(
        thaw(told.rules),
        boxes=told.boxes,
        wagers=told.wagers,
        counted={wager: Fraction(bar) for wager, bar in told.counted.items()},
        strategy=told.strategy,
        dry_shoe=told.dry_shoe,
        fresh=told.fresh,
        meter=told.meter,
        meter_runs=told.meter_runs,
        session=told.session,
        bankroll=told.bankroll,
        bank_stake=told.bank_stake,
    )


def _stakes(rules: Rulebook, wagers: Mapping[str, int] | Iterable[str] | None) -> dict[str, int]:
    """The wagers with their stakes, in the order of the layout."""
    if wagers is None:
        wagers = offered_wagers(rules)
    if isinstance(wagers, str):
        wagers = (wagers,)
    if not isinstance(wagers, Iterable):
        raise TypeError(f"wagers are names, or names with their stakes, and not {wagers!r}")
    if not isinstance(wagers, Mapping):
        usual = {"progressive": rules.progressive.unit}
        wagers = {wager: usual.get(wager, DEFAULT_STAKE) for wager in wagers}
    offered = offered_wagers(rules)
    for wager, stake in wagers.items():
        if wager not in offered:
            raise PlanRefused(f"the book has no wager {wager!r}: it has {', '.join(offered)}")
        require_whole(**{wager: stake})
        if stake < 1:
            raise PlanRefused(f"{wager} = {stake}: a stake is one minor unit or more")
    if not wagers:
        raise PlanRefused(f"no wager is placed: the book has {', '.join(offered)}")
    return {wager: wagers[wager] for wager in offered if wager in wagers}


def _answers(strategy: Strategy | Sequence[Strategy], boxes: int) -> tuple[dict[str, Choice], ...]:
    """The answer to a tie of each rank, for each box."""
    each = list(strategy) if isinstance(strategy, Sequence) and not isinstance(strategy, str) else [strategy] * boxes
    if len(each) != boxes:
        raise PlanRefused(f"{len(each)} strategies are given for {boxes} boxes")
    answers: list[dict[str, Choice]] = []
    for one in each:
        table: dict[str, Choice] = {**one} if isinstance(one, Mapping) else dict.fromkeys(RANKS, one)
        wrong = [rank for rank in RANKS if table.get(rank) not in ("war", "surrender")]
        if wrong or len(table) != len(RANKS):
            raise PlanRefused(f"a strategy is war, surrender, or one of them for each rank: {one!r}")
        answers.append(table)
    return tuple(answers)


def _refuse_table(plan: Plan) -> None:
    most = min(plan.rules.table.boxes, at.MOST_BOXES)
    least = max(2, plan.rules.bank.least_seated) if plan.rules.bank.by == "player" else 1
    if not least <= plan.boxes <= most:
        told = " with the one that banks" if plan.rules.bank.by == "player" else ""
        raise PlanRefused(f"{plan.boxes} boxes: the book has {least} to {most}{told} (table.boxes)")


def _refuse_wagers(plan: Plan) -> None:
    rules, wagers = plan.rules, plan.wagers
    if "initial" not in wagers and (not rules.wager.tie_only or rules.deal.to == "initial"):
        raise PlanRefused("wager.tie_only, deal.to: the book has no side wager without an initial one")
    for wager in ON_WAR:
        if wager in wagers and "initial" not in wagers:
            raise PlanRefused(f"{wager} is placed on a war, and without an initial wager there is none")
    if rules.limits.require_even and wagers.get("initial", 0) % 2:
        raise PlanRefused(f"limits.require_even: {wagers['initial']} on the initial wager is odd")
    for key in ("area_total_max", "player_box_max"):
        most = getattr(rules.limits, key)
        if most and first_stakes(plan) > most:
            raise PlanRefused(f"limits.{key} = {most}: {first_stakes(plan)} on a box is more")
    if "initial" in wagers and wagers["initial"] * rules.war_stake.numerator < rules.war_stake.denominator:
        raise PlanRefused(f"war.stake = {rules.war_stake}: nothing would lie on a war of {wagers['initial']}")
    if wagers.get("progressive", 0) % rules.progressive.unit:
        raise PlanRefused(f"progressive.unit = {rules.progressive.unit}: the progressive takes multiples of it")
    for wager in plan.counted:
        if wager in ("initial", "progressive") or wager not in wagers:
            raise PlanRefused(f"{wager} cannot be counted: that is for side wagers on the table, the progressive apart")


def _refuse_shoe(plan: Plan) -> None:
    shoe = plan.rules.shoe
    if plan.dry_shoe not in ("shuffle_discards", "void"):
        raise PlanRefused(f"dry_shoe = {plan.dry_shoe}: the rulings are shuffle_discards and void")
    if plan.dry_shoe == "void" and shoe.short != "pit_boss":
        raise PlanRefused(f"dry_shoe = void: shoe.short = {shoe.short} leaves nothing to rule on")
    if cut_of(plan.rules) <= opening_burn(plan.rules):
        raise PlanRefused(
            f"shoe.marker_from_back = {shoe.marker_from_back}: the cutting card would lie among the cards of the "
            "opening burn"
        )
    if can_run_dry(plan) and (shoe.short == "none" or renewal(plan) != at.SHOE):
        raise PlanRefused(
            f"shoe.short = {shoe.short}, shoe.decks = {shoe.decks}: a round may take {round_need(plan)} cards, and "
            "the shoe would run dry"
        )


def _refuse_meter(plan: Plan) -> None:
    if plan.meter < 0:
        raise PlanRefused(f"meter = {plan.meter}: it is 0 or more")


def _refuse_nights(plan: Plan) -> None:
    if plan.session < 0 or plan.bankroll < 0:
        raise PlanRefused("session and bankroll are 0 or more")
    if bool(plan.session) != bool(plan.bankroll):
        raise PlanRefused("a session has a bankroll, and a bankroll a session")
    if plan.session and plan.bankroll < first_stakes(plan):
        raise PlanRefused(
            f"bankroll = {plan.bankroll}: the wagers of a round take {first_stakes(plan)} minor units, and no night "
            "would begin"
        )
    if plan.session > CHUNK_ROUNDS:
        raise PlanRefused(f"session = {plan.session}: a night has at most {CHUNK_ROUNDS} rounds")
    if plan.session and plan.rules.bank.by == "player":
        raise PlanRefused("bank.by = player: nights are simulated where the house banks")


def _refuse_bank(plan: Plan) -> None:
    if plan.bank_stake is None:
        return
    if plan.rules.bank.by == "house":
        raise PlanRefused("bank_stake: bank.by = house, which covers every wager")
    if plan.bank_stake < 1:
        raise PlanRefused(f"bank_stake = {plan.bank_stake}: a bank is one minor unit or more")


def _refuse_size(plan: Plan) -> None:
    """Refuse what would overflow within a chunk, or would not find room in the tallies."""
    flat = plan.numbers
    if flat[at.BANK_BINS] + 7 * flat[at.NET_BINS] > MOST_BINS:
        raise PlanRefused(
            f"stakes of {plan.wagers}: a bank is counted to the minor unit, so that stakes must be smaller"
        )
    weights = max(map(abs, flat[at.WORTH : at.PASS]))
    if 2 * flat[at.SIZE] ** 2 * weights > MOST_WORTH:
        raise PlanRefused(f"counted = {_told_bars(plan)}: a bar needs a number with fewer digits")
    most = max(map(abs, flat[at.TABLES :])) + plan.meter
    fed = plan.boxes * flat[at.METER_FEED] * flat[at.TABLE_ROUNDS]
    if plan.boxes * (most + fed) > MOST_AMOUNT or plan.bankroll + plan.session * (most + fed) > MOST_AMOUNT:
        raise PlanRefused(f"stakes of {plan.wagers}, meter, session: more than {MOST_AMOUNT} minor units could be won")


def _told_bars(plan: Plan) -> str:
    return ", ".join(f"{wager} {str(bar)[:40]}" for wager, bar in plan.counted.items())
