"""The figures of `casinowar odds` for reading: aligned tables within 80 columns, made from the data that JSON has."""

from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from casinowar.cli.odds.studies_text import tell_bank, tell_boxes, tell_counting, tell_removal, tell_war_or_surrender
from casinowar.cli.terminal.text_tables import fold, percent, room, rows
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.editions import edition_name
from casinowar.rulebooks.resolve import show

Data = Mapping[str, Any]
BESIDE = {
    "best_play": "best play",
    "at_the_seed": "at seed",
    "first_box": "first",
    "last_box": "last",
    "half_a_unit": "with half a unit",
}
SAYS = 43
CHOICES = {"war": "always war", "surrender": "always surrender", "best": "best play"}


STUDIES: dict[str, Callable[[Any], list[str]]] = {
    "bank": tell_bank,
    "boxes": tell_boxes,
    "removal": tell_removal,
    "counting": tell_counting,
}


def tell_odds(rules: Rulebook, data: Data, *, with_fractions: bool = False) -> str:
    sections = [_head(rules, data), _wagers(data), _initial(data), _best_play(data)]
    if "progressive" in data["wagers"]:
        sections += [_lines(data["wagers"]["progressive"]), _meters(data["wagers"]["progressive"])]
    if "combined" in data:
        sections.append(_combined(data["combined"]))
    if "rounding" in data:
        sections.append(_rounding(data["rounding"]))
    sections += [tell(data[key]) for key, tell in STUDIES.items() if key in data]
    if "readings" in data:
        sections.append(_readings(data["readings"], with_fractions))
    if with_fractions:
        sections.append(_fractions(data))
    return "\n\n".join("\n".join(section) for section in sections)


def _head(rules: Rulebook, data: Data) -> list[str]:
    decks = "1 deck" if data["decks"] == 1 else f"{data['decks']} decks"
    left = "" if data["cards"] == 52 * data["decks"] else f", {data['cards']} cards left"
    found = fold(f"{edition_name(rules.id, rules.edition)}, {rules.title}: {decks}{left}")
    for key, value in data["options"].items():
        found += fold(f"with {key} = {show(value)}", "  ")
    return found


def _wagers(data: Data) -> list[str]:
    table = [["Wager", "House edge", "Element of risk", "Deviation", "Wins"]]
    for strategy, figures in data["wagers"]["initial"]["by_decision"].items():
        table.append([f"initial, {CHOICES[strategy]}", *_figures(figures)])
    for wager, figures in data["wagers"].items():
        if wager != "initial":
            table.append([wager + _remark(wager, figures), *_figures(figures)])
    found = list(rows(table))
    for wager, why in data.get("not_valued", {}).items():
        found += fold(f"{wager} {why}")
    return found


def _figures(figures: Data) -> list[str]:
    return [
        percent(figures["house_edge"]),
        percent(figures["element_of_risk"]),
        f"{figures['sd']:.4f}",
        percent(figures["hit_frequency"]),
    ]


def _remark(wager: str, figures: Data) -> str:
    remarks = []
    if "given" in figures:
        remarks.append("on a war")
    if wager == "progressive":
        remarks.append("no meter")
    if not figures["offered"]:
        remarks.append("off")
    return f" ({', '.join(remarks)})" if remarks else ""


def _initial(data: Data) -> list[str]:
    initial = data["wagers"]["initial"]
    average = initial["average_total_wager"]["decimal"]
    return [
        *fold(f"Initial wager of one unit, {CHOICES[initial['strategy']]}"),
        *_distribution(initial),
        *fold(f"On average {average:.4f} units are put at risk."),
    ]


def _distribution(figures: Data) -> Iterator[str]:
    table = [["Net", "Chance"], *([one["net"], percent(one["probability"])] for one in figures["distribution"])]
    return rows(table, left=0)


def _best_play(data: Data) -> list[str]:
    best = data["best_play"]
    ranks = best["by_rank"]
    proof = tell_war_or_surrender(data["war_or_surrender"])
    if not ranks:
        return [*fold("Best play: with these cards there can be no tie."), *proof]
    if best["war_is_never_worse"]:
        wars = [one["war"]["decimal"] for one in ranks.values()]
        low, high = f"{min(wars):+.4f}", f"{max(wars):+.4f}"
        worth = low if low == high else f"{low} to {high}"
        surrender = next(iter(ranks.values()))["surrender"]["decimal"]
        return [*fold(f"Best play: war at every tie. It is worth {worth}, surrender {surrender:+.4f}."), *proof]
    table = [["Best play at a tie of", "War", "Surrender", "Choose"]]
    for rank, one in ranks.items():
        table.append([rank, f"{one['war']['decimal']:+.4f}", f"{one['surrender']['decimal']:+.4f}", one["choice"]])
    return [*rows(table), *proof]


def _lines(told: Data) -> list[str]:
    table = [["Progressive line", "Pays", "Chance", "1 in"]]
    for line, one in told["lines"].items():
        chance = one["probability"]["decimal"]
        often = f"{1 / chance:,.1f}" if chance else "never"
        table.append([line, one["pays"], percent(one["probability"], 5), often])
    return [
        *rows(table),
        *fold(
            f"Comes back without the meter: {percent(told['return_without_meter'])}; "
            f"at the seed: {percent(told['return_at_seed'])}."
        ),
        *fold(
            "Whoever surrenders every tie gets back "
            f"{percent(told['by_decision']['surrender']['return_without_meter'])} and never the meter "
            f"(progressive.on_surrender = {told['on_surrender']})."
        ),
    ]


def _meters(told: Data) -> list[str]:
    """The break-even meters, rounded up: the least whole meter at which the wager is worth its price."""
    table = [["Break-even meter, other bettors", "With envy", "Without envy"]]
    for others, meter in told["break_even_meter"].items():
        table.append([others, _meter(meter), _meter(told["break_even_without_envy"][others])])
    return [*rows(table), *fold(f"In minor units, for a wager of {told['unit']:,}.")]


def _meter(meter: Data | None) -> str:
    if meter is None:
        return "none"
    numerator, _, denominator = meter["fraction"].partition("/")
    if int(numerator) <= 0:
        return "always"
    return f"{-(-int(numerator) // int(denominator or 1)):,}"


def _combined(told: Data) -> list[str]:
    units = " + ".join(wager if count == 1 else f"{count} {wager}" for wager, count in told["units"].items())
    return [
        *fold(f"Together, {CHOICES[told['strategy']]}: {units}"),
        *_distribution(told),
        *fold(
            f"A round costs {told['house_edge']['decimal']:.5f} units on average, with a deviation of "
            f"{told['sd']:.4f}; element of risk {percent(told['element_of_risk'])}."
        ),
    ]


def _rounding(told: Data) -> list[str]:
    stake = told["stake"]
    table = [[f"A stake of {stake:,}, house edge", "In exact parts", "Odd to player", "Odd to house"]]
    for row in told["wagers"]:
        name = row["wager"] + (f", {CHOICES[row['strategy']]}" if row["strategy"] else "")
        exact = f"{-row['exact']['decimal'] / stake:.4%}"
        table.append([name, exact, *(_met(row["house_edge"][odd]) for odd in ("player", "house"))])
    refused = "is refused" if stake % 2 and told["require_even"] else "would be refused" if stake % 2 else "is accepted"
    note = (
        f"The book gives the odd unit to the {told['odd_unit']}. Where even stakes are required, {stake:,} {refused}."
    )
    return [*rows(table), *fold(note)]


def _met(edge: Data | None) -> str:
    return "not played" if edge is None else f"{edge['decimal']:.4%}"


def _readings(told: Data, with_fractions: bool) -> list[str]:
    found = fold("House edge under each reading; * is taken")
    for one in told["priced"]:
        found += ["", *fold(f"{one['ambiguity']}, {one['about']}: {one['wager']}")]
        found += fold(one["given"], "  ") if one["given"] else []
        for case in one["readings"]:
            found += _reading(case, with_fractions)
        if not any(case["taken"] for case in one["readings"]):
            found += fold("As it is set, the book has none of these.", "  ")
    found += _skipped(told["skipped"])
    found += ["", "Without effect on any edge"]
    for amb, reason in told["no_effect"].items():
        found += wrap(f"{amb}: {reason}", room(), subsequent_indent="    ", initial_indent="  ")
    return found


def _skipped(skipped: list[Data]) -> list[str]:
    """Readings without a price, together where the reason is the same."""
    by_reason: dict[str, list[str]] = {}
    for one in skipped:
        by_reason.setdefault(one["reason"], []).append(one["ambiguity"])
    told = [f"{', '.join(dict.fromkeys(ambiguities))}: {reason}" for reason, ambiguities in by_reason.items()]
    return (
        ["", *fold("Not priced with these cards"), *(line for one in told for line in fold(one, "  "))] if told else []
    )


def _reading(case: Data, with_fractions: bool) -> Iterator[str]:
    mark = "*" if case["taken"] else " "
    beside = "".join(f"  {name} {percent(case[key])}" for key, name in BESIDE.items() if key in case)
    lead, edge = f" {mark}({case['reading']}) ", percent(case["house_edge"])
    line = f"{lead}{case['says']:<{SAYS}}{edge:>9}{beside}"
    if len(line) <= room():
        yield line
    else:
        yield from wrap(f"{lead}{case['says']}", room(), subsequent_indent="      ", drop_whitespace=True)
        yield from wrap(f"{edge}{beside}", room(), initial_indent="      ", subsequent_indent="      ")
    if with_fractions:
        yield from wrap(f"{case['house_edge']['fraction']:>58}", room(), subsequent_indent="      ")


def _fractions(data: Data) -> list[str]:
    table = [["Exact", "", ""]]
    for strategy, figures in data["wagers"]["initial"]["by_decision"].items():
        table += _exact(f"initial, {strategy}", figures)
    for wager, figures in data["wagers"].items():
        if wager != "initial":
            table += _exact(wager, figures)
    for one in data["wagers"]["initial"]["distribution"]:
        table.append(["initial net", one["net"], one["probability"]["fraction"]])
    for line, one in data["wagers"].get("progressive", {}).get("lines", {}).items():
        table.append(["progressive line", line, one["probability"]["fraction"]])
    if "combined" in data:
        table += _exact("together", data["combined"])
    return list(rows(table, left=2))


def _exact(name: str, figures: Data) -> list[list[str]]:
    keys = ("house_edge", "element_of_risk", "variance")
    return [[name if at == 0 else "", key.replace("_", " "), figures[key]["fraction"]] for at, key in enumerate(keys)]
