"""The differences between the books, in a few plain rows for somebody who chooses a table."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import msgspec

from casinowar.odds.data import wagers_held
from casinowar.odds.outcomes import Outcome
from casinowar.odds.wagers import initial_net
from casinowar.rulebooks import Rulebook, head_of, load_rulebook
from casinowar.rulebooks.wagers import SIDE
from casinowar.words.phrases import wager_name


class BookHead(msgspec.Struct, frozen=True):
    id: str
    title: str


class BookCell(msgspec.Struct, frozen=True):
    """One book's cell. `is_different` marks a book that differs where most of the books agree."""

    says: str
    is_different: bool


class DifferenceRow(msgspec.Struct, frozen=True):
    about: str
    cells: tuple[BookCell, ...]


class Differences(msgspec.Struct, frozen=True):
    """`same` is what all the books share; each row has a cell for each book, in their order."""

    same: tuple[str, ...]
    books: tuple[BookHead, ...]
    rows: tuple[DifferenceRow, ...]


def short_title(rules: Rulebook) -> str:
    """The title where a heading has no room for all of it."""
    head = head_of(rules.id)
    return head.short or rules.title if head else rules.title


@cache
def differences(ids: tuple[str, ...]) -> Differences:
    books = [load_rulebook(id) for id in ids]
    heads = tuple(BookHead(rules.id, short_title(rules)) for rules in books)
    same = tuple(told.pop() for tell in SAME if len(told := {tell(rules) for rules in books}) == 1)
    return Differences(same, heads, tuple(_row(about, tell, books) for about, tell in ROWS.items()))


def _row(about: str, tell: Callable[[Rulebook], str], books: Sequence[Rulebook]) -> DifferenceRow:
    told = [tell(rules) for rules in books]
    usual, count = Counter(told).most_common(1)[0]
    return DifferenceRow(about, tuple(BookCell(says, 2 * count > len(told) and says != usual) for says in told))


def _odds(rules: Rulebook, key: str) -> str:
    return str(rules.leaves[key].value).replace(":", " to ")


def _aces(rules: Rulebook) -> str:
    return "aces high" if str(rules.cards.ranks).endswith("A") else "aces low"


def _forfeit(rules: Rulebook) -> str:
    return "surrender costs half" if _odds(rules, "surrender.forfeit") == "1 to 2" else "surrender costs something else"


SAME: tuple[Callable[[Rulebook], str], ...] = (
    _aces,
    lambda rules: f"winning wager {_odds(rules, 'payout.initial.on_win')}",
    lambda rules: f"Tie {_odds(rules, 'payout.tie.on_win')}",
    _forfeit,
)


def _banks(rules: Rulebook) -> str:
    return "The house" if rules.bank.by == "house" else "A player, in turn"


def _sides(rules: Rulebook) -> str:
    """The side wagers of the first deal, and those that an operator may add."""
    there = [wager for wager in wagers_held(rules) if wager in SIDE]
    names = [wager_name(rules, wager) for wager in there]
    envy = " with envy" if "progressive" in there and rules.progressive.envy else ""
    return ", ".join(names) + envy


def _decks(rules: Rulebook) -> str:
    allowed = rules.leaves["shoe.decks"].allowed or str(rules.shoe.decks)
    parts = allowed.split(", ")
    is_run = len(parts) > 2 and [int(part) for part in parts] == list(range(int(parts[0]), int(parts[-1]) + 1))
    if is_run:
        told = f"{parts[0]} to {parts[-1]}"
    else:
        told = " or ".join([", ".join(parts[:-1]), parts[-1]]) if parts[1:] else allowed
    return f"{told}, {rules.shoe.batches} sets in turn" if rules.shoe.batches > 1 else told


def _opening_burn(rules: Rulebook) -> str:
    match rules.shoe.initial_burn:
        case "none":
            return "None"
        case "face_up_plus_value":
            return "One face up, then its value"
        case _:
            may_skip = "none" in (rules.leaves["shoe.initial_burn"].allowed or "").split(", ")
            unseen = ", unseen" if rules.burn.visibility == "sealed" else ""
            return f"One{unseen}" + (", if the house wishes" if may_skip else "")


def _war(second: str) -> Callable[[Rulebook], str]:
    def units(rules: Rulebook) -> str:
        gain = str(initial_net(rules, Outcome("tie", second=second), "war"))
        return gain.replace("-", "−") if gain.startswith("-") else f"+{gain}"

    return units


def _war_tied(rules: Rulebook) -> str:
    """The result of a tied war in units, and which wagers pay it."""
    both = rules.leaves["payout.initial.on_war_tie"].value != "push"
    how = "both wagers pay" if both else "war pays"
    return f"{_war('tie')(rules)}: {how} {_odds(rules, 'payout.war.on_tie')}"


def _choosing(rules: Rulebook) -> str:
    return "All at once" if rules.decision.order == "any" else "In turn"


def _war_sides(rules: Rulebook) -> str:
    leaf = rules.leaves["wager.war_tie"]
    if rules.wager.war_tie:
        return "Yes"
    may = ", if the house offers it" if leaf.allowed else ""
    pairs = f", but {wager_name(rules, 'perfect_pairs')}" if rules.wager.war_perfect_pairs else ""
    return f"No{pairs}" if not may else f"Yes{may}"


ROWS: dict[str, Callable[[Rulebook], str]] = {
    "Who banks": _banks,
    "Side wagers": _sides,
    "Decks in the shoe": _decks,
    "Opening burn": _opening_burn,
    "War won, in units": _war("win"),
    "War tied, in units": _war_tied,
    "Tie wager on the war deal": _war_sides,
    "War or surrender": _choosing,
}
