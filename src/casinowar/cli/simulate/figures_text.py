"""A simulation for reading: aligned tables as wide as the terminal, made from the data that JSON has."""

from collections.abc import Mapping
from math import ceil, log10
from typing import Any

from casinowar.cli.simulate.progress_bar import clock, short_number
from casinowar.cli.simulate.verdict import DIFFERS, FAILS, HOLDS, MOST_Z, SAME, SILENT, TOO_FEW, is_held_to_exact
from casinowar.cli.terminal.text_tables import fold, rows
from casinowar.rulebooks.editions import edition_name
from casinowar.sim import Plan

Data = Mapping[str, Any]
STATUS = {
    HOLDS: "holds",
    FAILS: "FAILS",
    DIFFERS: "differs",
    SAME: "alike",
    TOO_FEW: "too few",
    SILENT: "none",
}
SHOWN_NETS = 16


def tell_simulation(plan: Plan, data: Data, *, has_compiled: bool = False) -> str:
    """The figures as text; no rate where the time is that of the compiler for the most part."""
    sections = [_head(plan, data, has_compiled), _wagers(data), _verdicts(plan, data), _results(data)]
    sections += [tell(data[key]) for key, tell in SECTIONS.items() if key in data]
    if "rulings" in data:
        sections.append(_rulings(data["rulings"]))
    return "\n\n".join("\n".join(section) for section in sections if section)


def _head(plan: Plan, data: Data, has_compiled: bool) -> list[str]:
    rules = plan.rules
    decks = "1 deck" if data["decks"] == 1 else f"{data['decks']} decks"
    boxes = "1 box" if data["boxes"] == 1 else f"{data['boxes']} boxes"
    shoe = "a new shoe every round" if data["fresh"] else "the shoe dealt on"
    found = fold(f"{edition_name(rules.id, rules.edition)}, {rules.title}: {decks}, {boxes}, {_strategy(data)}, {shoe}")
    took = ""
    if data["seconds"] is not None:
        rate = "compiling included" if has_compiled else f"{short_number(data['rounds_per_second'])} a second"
        took = f" in {_seconds(data['seconds'])}, {rate}"
    return found + fold(f"{data['rounds']:,} rounds{took}; {tell_seed(data['seed'])}")


def tell_seed(seed: int | list[int]) -> str:
    """The seed, or how many there are where files were added up."""
    return f"seed {seed}" if isinstance(seed, int) else f"{len(seed):,} seeds"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 100 else clock(seconds)


def _strategy(data: Data) -> str:
    names = {"war": "always war", "surrender": "always surrender", "best": "best play"}
    bars = "".join(f", {wager} when a unit is worth more than {bar}" for wager, bar in data.get("counted", {}).items())
    return names.get(data["strategy"], str(data["strategy"])) + bars


def _wagers(data: Data) -> list[str]:
    table = [["Wager", "Mean", "Error", "Exact", "z", "Verdict", "Wins"]]
    for wager, one in data["wagers"].items():
        places = _places(one["standard_error"])
        exact = "" if one["exact"] is None else f"{one['exact']['decimal']:+.{places}f}"
        z = "" if one["z"] is None else f"{one['z']:+.2f}"
        status = STATUS[data["verdict"][wager]["status"]]
        mean, error = f"{one['mean']:+.{places}f}", f"{one['standard_error']:.1e}"
        table.append([wager, mean, error, exact, z, status, f"{one['hit_frequency']:.3%}"])
    return list(rows(table))


def _places(error: float) -> int:
    """Digits behind the point: two more than the error makes certain."""
    return min(10, max(4, ceil(-log10(error)) + 1)) if 0 < error < 1 else 4


def _verdicts(plan: Plan, data: Data) -> list[str]:
    found: list[str] = []
    told = data["verdict"]
    by_status = {status: [wager for wager, one in told.items() if one["status"] == status] for status in STATUS}
    if is_held_to_exact(plan):
        if by_status[HOLDS]:
            found += fold(f"Within {MOST_Z:.0f} standard errors of the exact figures: {', '.join(by_status[HOLDS])}.")
        if by_status[FAILS]:
            found += fold(
                f"NOT within {MOST_Z:.0f} standard errors: {', '.join(by_status[FAILS])}. With a new shoe every round "
                "the exact figure must hold: one of the two is wrong."
            )
    elif by_status[SAME] or by_status[DIFFERS]:
        found += _differences(plan, data, by_status)
    for wager in by_status[TOO_FEW]:
        found += fold(f"{wager}: too few rounds to judge.")
    for wager in by_status[SILENT]:
        found += fold(f"{wager} {told[wager]['question']}.")
    return found + _needed(data)


def _differences(plan: Plan, data: Data, by_status: Mapping[str, list[str]]) -> list[str]:
    """How far the means are from those of a fresh shoe, which is no fault."""
    why = (
        "who cannot pay for a war surrenders"
        if plan.session and plan.fresh
        else "the shoe is dealt to the cutting card"
    )
    found = fold(f"Beside a fresh shoe ({why}, so that a difference is no fault):")
    for wager in (*by_status[SAME], *by_status[DIFFERS]):
        error = data["wagers"][wager]["standard_error"]
        difference = data["verdict"][wager]["difference"]
        places = _places(error)
        seen = "is seen" if wager in by_status[DIFFERS] else "none is seen"
        found += fold(f"{wager} {difference:+.{places}f} ± {error:.{places}f}: {seen}", "  ")
    if by_status[DIFFERS]:
        found += fold("Whether the rules pay as computed, --fresh tells.")
    return found


def _needed(data: Data) -> list[str]:
    """How many rounds the question needs."""
    found = []
    for wager, one in data["verdict"].items():
        if one["rounds_needed"] is not None:
            found.append([wager, _about(one["rounds_needed"]), one["question"]])
    if not found:
        return []
    lines = ["", "Rounds that are needed"]
    for wager, count, question in found:
        lines += fold(f"{wager}: {count} {question}", "  ")
    return lines


def _about(number: int) -> str:
    """A number in two digits, such as 2.1e7."""
    digits, _, power = f"{number:.1e}".partition("e")
    return f"{digits}e{int(power)}" if number >= 1000 else f"{number}"


def _results(data: Data) -> list[str]:
    """The net results of the first wager, with how often each came."""
    wager, one = next(iter(data["wagers"].items()))
    spread = list(one["histogram"].items())
    total = sum(count for _, count in spread) or 1
    table = [["Net", "Times", "Share"], *([net, f"{n:,}", f"{n / total:.5%}"] for net, n in spread[:SHOWN_NETS])]
    more = fold(f"and {len(spread) - SHOWN_NETS} more, which --json has.") if len(spread) > SHOWN_NETS else []
    return [*fold(f"Results of {wager}, per unit"), *rows(table, left=0), *more]


def _shoe(told: Data) -> list[str]:
    return [
        "Shoes",
        *rows(
            [
                ["Dealt to the end", f"{told['shoes']:,}"],
                ["Rounds of a shoe", f"{told['rounds_per_shoe']:.3f} ± {told['rounds_sd']:.3f}"],
                ["Cards of a shoe", f"{told['cards_per_shoe']:.3f} ± {told['cards_sd']:.3f}"],
                ["Ran dry", f"{told['dry']:,}"],
                ["Rounds void for it", f"{told['void']:,}"],
            ]
        ),
    ]


def _bank(told: Data) -> list[str]:
    covered = "every wager" if told["coverage"] is None else f"{told['coverage']:g} units in all"
    return [
        *fold(f"The player who banks, covering {covered}"),
        *rows(
            [
                ["Gain per round, in units", f"{told['mean']:+.6f}"],
                ["Error", f"{told['standard_error']:.1e}"],
                ["Deviation", f"{told['sd']:.4f}"],
                ["Rounds with a short bank", f"{told['short']:,}"],
            ]
        ),
    ]


def _paths(told: Data) -> list[str]:
    last = {share: row[-1] for share, row in told["bankrolls"].items()}
    ruin_error = (told["ruin"] * (1 - told["ruin"]) / told["nights"]) ** 0.5
    after = "" if told["rounds_to_ruin"] is None else f", after {told['rounds_to_ruin']:,.1f} rounds"
    ends = told["beyond"]
    to_a_bin = f"Bankrolls and falls of this table are to within {_amount(told['within'])} units."
    return [
        *fold(f"{told['nights']:,} nights of {told['session']:,} rounds with {_amount(told['bankroll'])} units"),
        *rows(
            [
                ["Ruined", f"{told['ruin']:.4%} ± {ruin_error:.4%}{after}"],
                ["Gain of a night", f"{told['mean']:+.3f} ± {told['standard_error']:.3f}"],
                ["Deviation of a night", f"{told['sd']:.3f}"],
                ["Deepest fall, mean", f"{told['drawdown_mean']:.3f}"],
            ]
        ),
        "",
        *rows(
            [
                ["Nights not above", "Bankroll at the end", "Deepest fall"],
                *(
                    [
                        share,
                        _amount(last[share], ends["least"], ends["most"]),
                        _amount(told["drawdown"][share], None, ends["deepest"]),
                    ]
                    for share in last
                ),
            ]
        ),
        *(fold(to_a_bin) if told["within"] else ()),
    ]


def _amount(value: float, least: float | None = None, most: float | None = None) -> str:
    """An amount in full; one at an end of the bins is told as such."""
    beyond = " or less" if value == least else " or more" if value == most else ""
    return f"{value:,.15g}{beyond}"


def _covariance(told: Data) -> list[str]:
    found: list[str] = []
    for key, title in (("one_box", "Covariance on one box"), ("two_boxes", "Covariance of two boxes")):
        if (pairs := told[key]) is not None:
            named = list(pairs)
            table = [[title, *named], *([one, *(f"{pairs[one][two]:+.5f}" for two in named)] for one in named)]
            found += ["", *rows(table)] if found else list(rows(table))
    return found


def _rulings(told: Data) -> list[str]:
    dry = told["dry_shoe"]
    times = "never" if not dry["times"] else "once" if dry["times"] == 1 else f"{dry['times']:,} times"
    return fold(f"The book leaves a dry shoe to the pit boss; ruling {dry['ruling']}, needed {times}.")


SECTIONS = {"shoe": _shoe, "bank": _bank, "paths": _paths, "covariance": _covariance}
