"""Studies of `casinowar odds` beyond one box, for reading: the bank, boxes together, removal, counting, the proof."""

from collections.abc import Mapping
from typing import Any

from casinowar.cli.terminal.text_tables import fold, percent, rows

Data = Mapping[str, Any]
SHOWN = 24
"""Most lines of a distribution that are told; the rest is in the JSON."""


def tell_bank(told: Data) -> list[str]:
    who = "The player who banks" if told["by"] == "player" else "The house"
    against = "1 box" if told["boxes"] == 1 else f"{told['boxes']} boxes"
    covered = "all" if told["covers_all"] else f"{_plain(told['coverage'])} in all"
    found = fold(f"{who} against {against} of one unit, war on every tie, covering {covered}")
    if not told["covers_all"]:
        after = "" if told["model"] == "covered" else f", bank.after_exhaustion = {told['after_exhaustion']}"
        found += fold(f"bank.model = {told['model']}{after}", "  ")
    # Who sits first from the dealer's left is settled first, which matters where the bank may run out.
    edges = told["edge_by_box"]
    by_box = [[f"Edge on box {at}", percent(edge)] for at, edge in enumerate(edges, 1)] if len(edges) > 1 else []
    found += rows(
        [
            ["Edge, per unit on the boxes", percent(told["edge"])],
            ["Gain per round, in units", f"{told['ev']['decimal']:.5f}"],
            ["Deviation", f"{told['sd']:.4f}"],
            ["Return on what is put in", percent(told["return_on_coverage"])],
            *by_box,
        ]
    )
    spread = told["distribution"]
    nets = [[one["net"], percent(one["probability"])] for one in spread[:SHOWN]]
    found += ["", *rows([["Net", "Chance"], *nets], left=0)]
    if len(spread) > SHOWN:
        found += fold(f"and {len(spread) - SHOWN} more, which --json has.")
    return found


def tell_boxes(told: Data) -> list[str]:
    count = told["boxes"]
    found = [
        *fold(f"{count} boxes of one unit that share the dealer's card" if count > 1 else "1 box of one unit"),
        *rows(
            [
                ["Gain per round, in units", f"{told['ev']['decimal']:.5f}"],
                ["Deviation together", f"{told['sd']:.4f}"],
                ["Variance together", f"{told['variance']['decimal']:.4f}"],
                ["Variance, each at its own table", f"{told['variance_if_apart']['decimal']:.4f}"],
                ["Covariance of two boxes", f"{told['covariance']['decimal']:.5f}"],
                ["Correlation of two boxes", f"{told['correlation']['decimal']:.4f}"],
            ]
        ),
    ]
    between = [[name, f"{value['decimal']:.5f}"] for name, value in told["between_two_boxes"].items()]
    return [*found, "", *rows([["Covariance across two boxes", ""], *between])] if between else found


def tell_removal(told: Data) -> list[str]:
    found = fold("Effect of one card gone, on the expected value")
    for wager, one in told["wagers"].items():
        effects = "exactly 0 for every card" if one["is_zero"] else _group(one["by_card"])
        found += fold(f"{wager}: {effects}", "  ")
    found += fold(told["reason"])
    if "two_cards" in told:
        names = list(told["two_cards"])
        shared = list(told["two_cards"][names[0]])
        table = [["Two cards gone that share", *names]]
        table += [[one, *(_small(told["two_cards"][name][one]) for name in names)] for one in shared]
        found += ["", *rows(table)]
    return found


def _group(by_card: Mapping[str, Data]) -> str:
    """Cards with one effect are told together, by rank where all of its suits have it."""
    groups: dict[str, list[str]] = {}
    for card, effect in by_card.items():
        groups.setdefault(effect["fraction"], []).append(card)
    told = []
    for cards in sorted(groups.values(), key=len):
        is_rest = len(groups) > 1 and len(cards) == max(len(group) for group in groups.values())
        names = "all others" if is_rest else ", ".join(_ranks(cards, by_card))
        told.append(f"{names} {_small(by_card[cards[0]])}")
    return "; ".join(told)


def _ranks(cards: list[str], by_card: Mapping[str, Data]) -> list[str]:
    found = []
    for card in cards:
        rank = card.rstrip("cdhs")
        suits = [one for one in by_card if one.rstrip("cdhs") == rank]
        name = rank if all(one in cards for one in suits) else card
        if name not in found:
            found.append(name)
    return found


def tell_counting(told: list[Data]) -> list[str]:
    found = fold(
        "Counting: how often a wager is worth more than nothing, and what a unit wagered then brings per round"
    )
    table = [["Cards left", "Wager", "How often", "Brings", "At best"]]
    for depth in told:
        for wager, one in depth["wagers"].items():
            at_most = "" if one["is_exact"] else "<="
            table.append([str(depth["left"]), wager, at_most + _small(one["chance"], ""), *_gain(one, at_most)])
    found += rows(table, left=2)
    if any(not one["is_exact"] for depth in told for one in depth["wagers"].values()):
        found += fold("<= is a bound: the truth is between nothing and it.")
    return found


def _gain(one: Data, at_most: str) -> list[str]:
    return [at_most + _small(one["gain"], ""), _small(one["best"])]


def tell_war_or_surrender(told: Data) -> list[str]:
    """The proof in a sentence: a line in the chance of a second tie, which is all that the cards can change."""
    line = f"War is worth {told['margin']['formula']} more than surrender, for a chance t of a second tie"
    if told["war_is_never_worse"]:
        return fold(f"{line}: never worse, whatever cards are left.")
    turns = told["turns_at"]
    where = f", the same at t = {turns['fraction']}" if turns else ""
    cards = told["exception"]
    such = f" With {' '.join(f'{rank}:{n}' for rank, n in cards.items())} surrender is better." if cards else ""
    return fold(f"{line}{where}.{such}")


def _small(value: Data, sign: str = "+") -> str:
    """A percentage with digits enough to be seen."""
    share = value["decimal"]
    if not share:
        return "0%"
    return f"{share:{sign}.4%}" if abs(share) >= 1e-6 else f"{100 * share:{sign}.1e}%"


def _plain(value: Data) -> str:
    units = str(value["fraction"])
    return f"{units} unit" if units == "1" else f"{units} units"
