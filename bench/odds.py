"""How long all figures of one composition take, beside the same figures by enumeration of every deal.

Enumeration goes through every four faces that can be dealt in order, weighs them by the cards that are left, and hands
its counts to the same figures; so both must agree to the last digit, which is checked before anything is printed. It
stops at the first two cards where they part: without that it would take thirteen times as long.

The best time of each book is held to a limit of 10 ms; the exit status is 1 where one is over it.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter, process_time

import msgspec

from casinowar.odds.composition import CARDS, Composition, by_card, fresh
from casinowar.odds.figures import Strategy, Study, study
from casinowar.odds.outcomes import Outcome, Outcomes
from casinowar.odds.progressive import progressive
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.variants import load_with

BOOKS: dict[str, dict[str, object]] = {
    "nz": {},
    "wa": {},
    "ctg": {},
    "ca": {"wager.war_tie": True},
    "ma": {"wager.progressive": True},
}
"""Each book with all wagers that it can have."""

LIMIT_MS = 10.0
STRATEGIES: tuple[Strategy, ...] = ("war", "surrender", "best")


def full_set(found: Study) -> list[object]:
    """Every wager's distribution and all that follows from it, each way to play the initial wager, the progressive."""
    figures = [found.figures(wager) for wager in found.wagers()]
    figures += [found.figures("initial", strategy) for strategy in STRATEGIES[1:]]
    told: list[object] = [found.choices()]
    for one in figures:
        told.append((one.wager, one.distribution, one.average_total_wager))
        told.append((one.ev, one.house_edge, one.element_of_risk, one.variance, one.sd, one.hit_frequency))
    if "progressive" in found.wagers():
        told.append(progressive(found))
    return told


def enumerated(rules: Rulebook, composition: Composition) -> Study:
    """A study whose outcomes were counted deal by deal."""
    assert composition.cards is not None
    counts = dict(zip(CARDS, composition.cards, strict=True))
    weights: dict[Outcome, int] = {}
    rest = (composition.size - 2) * (composition.size - 3)
    for mine, dealers, ways in drawn(counts):
        if mine[0] != dealers[0]:
            add(weights, Outcome(compared(rules, mine, dealers), mine[0] == "A"), ways * rest)
            continue
        left = {card: count - (card == mine) - (card == dealers) for card, count in counts.items()}
        for second, other, more in drawn(left):
            result = compared(rules, second, other)
            outcome = Outcome(
                "tie",
                mine[0] == "A",
                mine[0],
                pair(mine, dealers),
                result,
                pair(second, other) if result == "tie" else None,
                result == "tie" and mine[0] == second[0],
                result == "tie" and mine[1] == dealers[1] == second[1] == other[1],
                mine == dealers == second == other,
            )
            add(weights, outcome, ways * more)
    merged: dict[Outcome, int] = {}
    for outcome, weight in weights.items():
        add(merged, msgspec.structs.replace(outcome, rank=None), weight)
    return Study(rules, composition, Outcomes(weights, merged, composition.size * (composition.size - 1) * rest, True))


def add(weights: dict[Outcome, int], outcome: Outcome, ways: int) -> None:
    weights[outcome] = weights.get(outcome, 0) + ways


def drawn(counts: dict[str, int]) -> Iterator[tuple[str, str, int]]:
    for one, of_one in counts.items():
        for two, of_two in counts.items():
            ways = of_one * (of_two - (one == two))
            if ways:
                yield one, two, ways


def compared(rules: Rulebook, mine: str, dealers: str) -> str:
    gap = rules.cards.ranks.index(mine[0]) - rules.cards.ranks.index(dealers[0])
    return "win" if gap > 0 else "loss" if gap else "tie"


def pair(mine: str, dealers: str) -> str:
    if mine[1] == dealers[1]:
        return "perfect"
    return "coloured" if (mine[1] in "dh") == (dealers[1] in "dh") else "mixed"


def compositions(decks: int, count: int) -> list[Composition]:
    """A fresh shoe, and others in which cards of every kind have been dealt."""
    return [
        fresh(decks),
        *(by_card(tuple(decks - (at + 3 * number) % 4 for at in range(52))) for number in range(count)),
    ]


def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """On the wall, and of the processor, which other work on the machine disturbs less."""
    wall, processor = perf_counter(), process_time()
    work()
    return 1000 * (perf_counter() - wall), 1000 * (process_time() - processor)


def measure(book: str, decks: int, repeat: int) -> dict[str, object]:
    rules = load_with(book, BOOKS[book])
    times = [
        milliseconds(lambda shoe=shoe: full_set(study(rules, shoe)))  # type: ignore[misc]
        for _ in range(repeat)
        for shoe in compositions(decks, 3)
    ]
    slow = milliseconds(lambda: full_set(enumerated(rules, fresh(decks))))
    for shoe in compositions(decks, 1):
        if full_set(study(rules, shoe)) != full_set(enumerated(rules, shoe)):
            sys.exit(f"{book}: counting and enumeration disagree")
    return {
        "rulebook": book,
        "decks": decks,
        "best_ms": round(min(wall for wall, _ in times), 2),
        "wall_ms": round(median(wall for wall, _ in times), 2),
        "processor_ms": round(median(processor for _, processor in times), 2),
        "enumeration_ms": round(slow[1]),
    }


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure all figures of one composition on one core.")
    parser.add_argument("--rulebook", choices=BOOKS, help="one book instead of all")
    parser.add_argument("--decks", type=int, default=6, metavar="N")
    parser.add_argument(
        "--repeat", type=int, default=15, metavar="K", help="how often each of four compositions is taken"
    )
    parser.add_argument(
        "--limit", type=float, default=LIMIT_MS, metavar="MS", help="fail where the best time of a book is over it"
    )
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    options = parser.parse_args()
    if options.decks < 4 or options.repeat < 1:
        parser.error("at least four decks and one repetition are needed")
    return options


def main() -> None:
    options = parse_options()
    books = [options.rulebook] if options.rulebook else list(BOOKS)
    rows = [measure(book, options.decks, options.repeat) for book in books]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    if options.json:
        print(json.dumps({"python": python, "repeat": options.repeat, "limit_ms": options.limit, "books": rows}))
    else:
        tell(python, options.decks, rows)
    slow = [f"{row['rulebook']} {row['best_ms']} ms" for row in rows if float(str(row["best_ms"])) > options.limit]
    if slow:
        sys.exit(f"over {options.limit:g} ms at best: {', '.join(slow)}")


def tell(python: str, decks: int, rows: list[dict[str, object]]) -> None:
    print(f"{python}, one core: all wagers of one composition of {decks} decks, in milliseconds: best and medians")
    print("book   best   wall  processor  by enumeration")
    for row in rows:
        times = f"{row['best_ms']:5.2f}  {row['wall_ms']:5.2f}  {row['processor_ms']:9.2f}"
        print(f"{row['rulebook']:4}  {times}  {row['enumeration_ms']:14,}")


if __name__ == "__main__":
    main()
