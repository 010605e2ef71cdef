"""The plan of a simulation: a rulebook with the choices of a table, compiled into numbers for the kernel."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from casinowar.cards import RANKS
from casinowar.errors import CasinoWarError
from casinowar.extras import require
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.frozen import FrozenBook, freeze, thaw
from casinowar.sim import parameters as at
from casinowar.sim.flat_plan import (
    CHUNK_ROUNDS,
    can_run_dry,
    cut_of,
    first_stakes,
    flatten,
    opening_burn,
    renewal,
    round_need,
)
from casinowar.sim.leaf_account import unplayed
from casinowar.sim.outcome_cells import WAGER_ORDER

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

Choice = Literal["war", "surrender"]
Strategy = Choice | Mapping[str, Choice]
"""What a tied player does: the same always, or by the rank of the tie. Best play is such a table of the caller's."""

DryShoe = Literal["shuffle_discards", "void"]
DEFAULT_STAKE = 100
"""What lies on a wager in minor units unless told otherwise; on the progressive it is its own unit."""

MOST_AMOUNT = 3 * 10**9
"""More than this nothing may come to, so that its square is within 63 bits."""

MOST_BINS = 1 << 20
ON_WAR = ("war_tie", "war_perfect_pairs")


class PlanRefused(CasinoWarError, ValueError):
    """A plan that cannot be played as asked: the message names the leaf or the choice."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be simulated: what the rulebook says and what the people at it do. `make_plan` makes it.

    `boxes` is how many boxes play, one player at each; where a player banks, one of them banks in each round.
    `wagers` has every wager that is placed with its stake in minor units, `counted` those of them that are placed only
    when the cards that nobody has seen make a unit of it worth more than so much. `strategy` has the answer to a tie by
    its rank, for each box. `meter` is where the progressive's meter stands, which moves only with `meter_runs`.
    `fresh` is a new shoe for every round. With a `session` of so many rounds, every table is a night on box 1 with
    `bankroll`, which ends early when the stakes of a round are no longer there; who cannot pay for a war surrenders.
    `bank_stake` is what a player banks with, none being enough for every wager.
    """

    rules: Rulebook
    boxes: int
    wagers: dict[str, int]
    counted: dict[str, Fraction]
    strategy: tuple[dict[str, Choice], ...]
    dry_shoe: DryShoe
    fresh: bool
    meter: int
    meter_runs: bool
    session: int
    bankroll: int
    bank_stake: int | None

    @property
    def flat(self) -> "NDArray[int64]":
        """All that the kernel needs, as `parameters.py` lays it out. A copy can be sent anywhere."""
        require("casinowar.sim", "sim", "numpy")
        import numpy as np

        return np.array(self.numbers, np.int64)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The flat parameters as plain numbers."""
        return _numbers(self)

    @property
    def book_hash(self) -> str:
        """SHA-256 of every leaf of the rulebook, in hexadecimal digits."""
        leaves = {key: leaf.value for key, leaf in self.rules.leaves.items()}
        return sha256(msgspec.json.encode([self.rules.id, leaves], order="sorted")).hexdigest()

    @property
    def hash(self) -> str:
        """SHA-256 of the flat parameters and the rulebook: results are of the same plan only where it is equal."""
        return sha256(msgspec.json.encode([self.book_hash, self.numbers])).hexdigest()

    @property
    def chunk_rounds(self) -> int:
        """How many rounds a whole chunk of this plan has: `CHUNK_ROUNDS`, or as many nights as fit into it."""
        return max(1, CHUNK_ROUNDS // self.session) * self.session if self.session else CHUNK_ROUNDS

    def to_json(self) -> bytes:
        """The plan as JSON, with the rulebook leaf by leaf; amounts and bars as they are."""
        told: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        told["rules"] = freeze(self.rules)
        told["counted"] = {wager: str(bar) for wager, bar in self.counted.items()}
        return msgspec.json.encode(told)

    @classmethod
    def from_json(cls, data: bytes) -> "Plan":
        """The plan that `to_json` wrote, checked as `make_plan` checks it."""
        told = msgspec.json.decode(data)
        rules = thaw(msgspec.convert(told.pop("rules"), FrozenBook))
        counted = {wager: Fraction(bar) for wager, bar in told.pop("counted").items()}
        return make_plan(rules, counted=counted, **told)


_flattened: dict[bytes, tuple[int, ...]] = {}
MOST_KEPT = 16


def _numbers(plan: Plan) -> tuple[int, ...]:
    """The flat parameters of a plan, which take some milliseconds to make and are kept."""
    key = plan.to_json()
    if key not in _flattened:
        if len(_flattened) >= MOST_KEPT:
            _flattened.clear()
        _flattened[key] = tuple(flatten(plan))
    return _flattened[key]


def offered_wagers(rules: Rulebook) -> tuple[str, ...]:
    """The wagers that the book has, `war` apart, which is part of `initial`."""
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
    """
    for told in unplayed(rules):
        raise PlanRefused(told)
    plan = Plan(
        rules=rules,
        boxes=boxes,
        wagers=_stakes(rules, wagers),
        counted={} if counted is None else {wager: Fraction(bar) for wager, bar in counted.items()},
        strategy=_answers(strategy, boxes),
        dry_shoe=dry_shoe,
        fresh=fresh,
        meter=rules.progressive.seed if meter is None else meter,
        meter_runs=meter_runs,
        session=session,
        bankroll=bankroll,
        bank_stake=bank_stake,
    )
    for refuse in (_refuse_table, _refuse_wagers, _refuse_shoe, _refuse_meter, _refuse_session, _refuse_bank):
        refuse(plan)
    _refuse_size(plan)
    return plan


def _stakes(rules: Rulebook, wagers: Mapping[str, int] | Iterable[str] | None) -> dict[str, int]:
    """The wagers with their stakes, in the order of the layout."""
    if wagers is None:
        wagers = offered_wagers(rules)
    if not isinstance(wagers, Mapping):
        usual = {"progressive": rules.progressive.unit}
        wagers = {wager: usual.get(wager, DEFAULT_STAKE) for wager in wagers}
    offered = offered_wagers(rules)
    for wager, stake in wagers.items():
        if wager not in offered:
            raise PlanRefused(f"the book has no wager {wager!r}: it has {', '.join(offered)}")
        if stake < 1:
            raise PlanRefused(f"{wager} = {stake}: a stake is one minor unit or more")
    if not wagers:
        raise PlanRefused(f"no wager is placed: the book has {', '.join(offered)}")
    return {wager: wagers[wager] for wager in offered if wager in wagers}


def _answers(strategy: Strategy | Sequence[Strategy], boxes: int) -> tuple[dict[str, Choice], ...]:
    """The answer to a tie of each rank, for each box."""
    each = [strategy] * boxes if isinstance(strategy, str | Mapping) else list(strategy)
    if len(each) != boxes:
        raise PlanRefused(f"{len(each)} strategies are given for {boxes} boxes")
    answers: list[dict[str, Choice]] = []
    for one in each:
        table: dict[str, Choice] = dict.fromkeys(RANKS, one) if isinstance(one, str) else {**one}
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
    if plan.meter_runs and "progressive" not in plan.wagers:
        raise PlanRefused("meter_runs: there is no progressive wager on the table")


def _refuse_session(plan: Plan) -> None:
    if plan.session < 0 or plan.bankroll < 0:
        raise PlanRefused("session and bankroll are 0 or more")
    if bool(plan.session) != bool(plan.bankroll):
        raise PlanRefused("a session has a bankroll, and a bankroll a session")
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
    most = max(map(abs, flat[at.TABLES :])) + plan.meter
    fed = plan.boxes * flat[at.METER_FEED] * flat[at.TABLE_ROUNDS]
    if plan.boxes * (most + fed) > MOST_AMOUNT or plan.bankroll + plan.session * (most + fed) > MOST_AMOUNT:
        raise PlanRefused(f"stakes of {plan.wagers}, meter, session: more than {MOST_AMOUNT} minor units could be won")
