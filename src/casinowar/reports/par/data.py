"""A PAR sheet as data: one rulebook over a fresh shoe, with every figure exact, for whatever shows it."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, cast

import msgspec

from casinowar.odds.composition import fresh
from casinowar.odds.data import rational, wagers_held
from casinowar.odds.figures import Figures, Strategy, Study, study
from casinowar.odds.progressive import Progressive, progressive
from casinowar.odds.wagers import net
from casinowar.reports.par import labels
from casinowar.reports.par.luck import Band, Detection, bands, detections, volatility
from casinowar.reports.par.register import Entry, load_register
from casinowar.rulebooks import Cell, Leaf, Rulebook
from casinowar.rulebooks.resolve import show


class Pay(msgspec.Struct, frozen=True):
    """What a wager pays in one situation, with the clauses that say so."""

    wager: str
    name: str
    situation: str
    pays: str
    clauses: tuple[str, ...]


class LeafValue(msgspec.Struct, frozen=True):
    """A leaf and its value on this sheet."""

    leaf: str
    value: str


class Reading(LeafValue, frozen=True):
    """A leaf that decides an ambiguity: what it is here, and what the register says of it.

    `is_set` is whether the operator set it; if so, the value may be another than the reading which the book takes.
    """

    is_set: bool
    clauses: tuple[str, ...]
    ambiguity: str
    register: Entry


class Outcome(msgspec.Struct, frozen=True):
    """One line of a wager: what happens, how often, what it gains for one unit and what it adds to the return."""

    name: str
    net: Fraction
    probability: Fraction
    contribution: Fraction

    @property
    def rounds_between(self) -> float:
        return float(1 / self.probability)


class WagerSheet(msgspec.Struct, frozen=True):
    """All figures of one wager, per unit wagered. `is_offered` is whether the table has it as it is set."""

    wager: str
    name: str
    strategy: str | None
    is_offered: bool
    outcomes: tuple[Outcome, ...]
    ev: Fraction
    player_return: Fraction
    house_edge: Fraction
    average_total_wager: Fraction
    element_of_risk: Fraction
    hit_frequency: Fraction
    variance: Fraction
    sd: float
    volatility_index: dict[int, float]
    hold_bands: tuple[Band, ...]
    fault_rounds: tuple[Detection, ...]

    @property
    def title(self) -> str:
        return f"{self.name}: {labels.STRATEGIES[self.strategy]}" if self.strategy else self.name


class ProgressiveSheet(msgspec.Struct, frozen=True):
    """The progressive's lines and meter, for those who take every tie to war and for those who never do."""

    unit: int
    seed: int
    envy: int
    war: Progressive
    surrender: Progressive

    @property
    def return_at_seed(self) -> Fraction:
        return self.war.return_without_meter + self.seed * self.war.return_per_meter_unit


class Sheet(msgspec.Struct, frozen=True):
    """The whole sheet. `changes` are leaves that are not as the book has them.

    `sha256` is over every leaf as it is set, so that equal rules have equal hashes.
    """

    rulebook: str
    title: str
    version: str
    extends: str | None
    edition: int
    decks: int
    options: dict[str, str]
    sha256: str
    best_play: dict[str, str]
    pays: tuple[Pay, ...]
    wagers: tuple[WagerSheet, ...]
    progressive: ProgressiveSheet | None
    readings: tuple[Reading, ...]
    changes: tuple[LeafValue, ...]
    meanings: dict[str, str]
    assumptions: tuple[str, ...]


def make_sheet(rules: Rulebook) -> Sheet:
    """The sheet of these rules over a fresh shoe."""
    found = study(rules, fresh(rules.shoe.decks))
    wagers = tuple(wagers_held(rules))
    return Sheet(
        rulebook=rules.id,
        title=rules.title,
        version=rules.version,
        extends=rules.extends,
        edition=rules.edition,
        decks=rules.shoe.decks,
        options={key: show(value) for key, value in rules.options.items()},
        sha256=hash_leaves(rules.leaves),
        best_play={**found.best_play()},
        pays=_pays(rules, wagers),
        wagers=tuple(
            _wager(found, wager, strategy)
            for wager in wagers
            for strategy in (("war", "surrender") if wager == "initial" else ("war",))
        ),
        progressive=_progressive(found) if "progressive" in wagers else None,
        readings=_readings(rules),
        changes=tuple(
            LeafValue(key, show(leaf.value))
            for key, leaf in rules.leaves.items()
            if any(clause.startswith("HOUSE-") for clause in leaf.clauses)
        ),
        meanings=labels.MEANINGS,
        assumptions=labels.assumptions(rules, wagers),
    )


def hash_leaves(leaves: Mapping[str, Leaf]) -> str:
    """SHA-256 of the keys and values as JSON, keys in order, without spaces."""
    values = {key: leaf.value for key, leaf in leaves.items()}
    return hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def as_data(sheet: Sheet) -> dict[str, Any]:
    """The sheet for JSON: a rational number is an object with its fraction in lowest terms and its decimal."""
    plain: dict[str, Any] = msgspec.to_builtins(sheet, enc_hook=_plain, str_keys=True)
    return {"format": "casinowar-par/1", **plain}


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return rational(value)
    raise TypeError(f"{type(value)} is not for JSON")


def _wager(found: Study, wager: str, strategy: Strategy) -> WagerSheet:
    figures = found.figures(wager, strategy)
    return WagerSheet(
        wager=wager,
        name=labels.wager_name(found.rules, wager),
        strategy=strategy if wager == "initial" else None,
        is_offered=wagers_held(found.rules)[wager],
        outcomes=_outcomes(found, figures, strategy),
        ev=figures.ev,
        player_return=1 + figures.ev,
        house_edge=figures.house_edge,
        average_total_wager=figures.average_total_wager,
        element_of_risk=figures.element_of_risk,
        hit_frequency=figures.hit_frequency,
        variance=figures.variance,
        sd=figures.sd,
        volatility_index=volatility(figures),
        hold_bands=bands(figures),
        fault_rounds=detections(figures),
    )


def _outcomes(found: Study, figures: Figures, strategy: Strategy) -> tuple[Outcome, ...]:
    """The lines of a wager, the dearest first; where two gain the same, the likelier first."""
    plan = found.plan(strategy)
    ways: dict[tuple[str, Fraction], int] = {}
    for outcome, weight in found.outcomes(strategy):
        choice = plan(outcome)
        gain = net(found.rules, figures.wager, outcome, choice)
        if gain is not None:
            key = labels.outcome_name(found.rules, figures.wager, outcome, choice), gain
            ways[key] = ways.get(key, 0) + weight
    total = sum(ways.values())
    lines = [
        Outcome(name, gain, Fraction(weight, total), gain * weight / total) for (name, gain), weight in ways.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.net, -line.probability)))


def _pays(rules: Rulebook, wagers: tuple[str, ...]) -> tuple[Pay, ...]:
    shown = ("initial", "war", *(wager for wager in wagers if wager not in ("initial", "war_perfect_pairs")))
    found = []
    for wager in shown:
        name = labels.wager_name(rules, wager)
        if wager == "perfect_pairs" and "war_perfect_pairs" in wagers:
            name = f"{name}, on the first and on the war cards"
        found += [
            Pay(
                wager,
                name,
                labels.situation(wager, key),
                _paid(rules, wager, cell),
                cell.clauses,
            )
            for (of, key), cell in rules.cells.items()
            if of == wager
        ]
    name = labels.wager_name(rules, "initial")
    lost = Pay("initial", name, "the tie is surrendered", f"lose {show_part(rules.surrender.forfeit)}", ())
    added = Pay("war", labels.wager_name(rules, "war"), "what is added to go to war", show_part(rules.war.stake), ())
    for of, (pay, leaf) in {"initial": (lost, "surrender.forfeit"), "war": (added, "war.stake")}.items():
        last = max(place for place, one in enumerate(found) if one.wager == of)
        found.insert(last + 1, msgspec.structs.replace(pay, clauses=rules.leaves[leaf].clauses))
    return (*found, *(_meter_pays(rules) if "progressive" in wagers else ()))


def _paid(rules: Rulebook, wager: str, cell: Cell) -> str:
    """`5:1`, and whether the stake stays with the house all the same."""
    if cell.odds is None:
        return cell.outcome
    is_kept = wager == "progressive" and not rules.progressive.stake_returned
    return f"{cell.odds}, stake kept" if is_kept else str(cell.odds)


def _meter_pays(rules: Rulebook) -> Iterator[Pay]:
    """What a jackpot brings beside its odds, to the bettor and to the others."""
    name, terms = labels.wager_name(rules, "progressive"), rules.progressive
    share = "all of the meter" if terms.meter_share == "1:1" else f"{terms.meter_share} of the meter"
    yield Pay("progressive", name, "suited four of a kind, also", share, rules.clauses["progressive.meter_share"])
    envy = f"{terms.envy:,} for each {terms.unit:,}"
    yield Pay("progressive", name, "another's jackpot (envy)", envy, rules.clauses["progressive.envy"])


def show_part(odds: str) -> str:
    """`1:2` of a wager as people say it."""
    return {"1:1": "an equal wager", "1:2": "half of it"}.get(odds, f"{odds} of it")


def _progressive(found: Study) -> ProgressiveSheet:
    rules = found.rules.progressive
    return ProgressiveSheet(
        rules.unit, rules.seed, rules.envy, progressive(found, "war"), progressive(found, "surrender")
    )


def _readings(rules: Rulebook) -> tuple[Reading, ...]:
    register = load_register()
    found = [(key, leaf) for key, leaf in rules.leaves.items() if leaf.ambiguity]
    found.sort(key=lambda item: int(cast(str, item[1].ambiguity).removeprefix("AMB-")))
    return tuple(
        Reading(
            leaf=key,
            value=show(leaf.value),
            is_set=key in rules.options,
            clauses=leaf.clauses,
            ambiguity=cast(str, leaf.ambiguity),
            register=register[cast(str, leaf.ambiguity)],
        )
        for key, leaf in found
    )
