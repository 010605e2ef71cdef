"""Phrases of every sentence: names of wagers and places, lists, citations, amounts and limits."""

from collections.abc import Iterable

from casinowar.engine.commands import Limit
from casinowar.rulebooks import Rulebook

SITUATIONS = {
    ("initial", "on_win"): "your card is higher",
    ("initial", "on_loss"): "your card is lower",
    ("initial", "on_war_win"): "at war, your second card is higher",
    ("initial", "on_war_tie"): "at war, the second cards tie",
    ("initial", "on_war_loss"): "at war, your second card is lower",
    ("war", "on_win"): "your second card is higher",
    ("war", "on_tie"): "the second cards tie",
    ("war", "on_loss"): "your second card is lower",
    ("tie", "on_win"): "the first cards tie",
    ("tie", "on_loss"): "they do not",
    ("war_tie", "on_win"): "the second cards tie",
    ("war_tie", "on_loss"): "they do not",
    ("a_bomb", "on_win"): "your first card is an ace",
    ("a_bomb", "on_loss"): "it is not",
    ("progressive", "on_loss"): "the first cards do not tie",
}
PAIRS = {
    "on_perfect": "same rank and suit as the dealer's",
    "on_coloured": "same rank and colour",
    "on_mixed": "same rank, other colour",
    "on_loss": "no pair",
}


def join_names(names: Iterable[str]) -> str:
    """Names in a row: `ana, ben and cleo`, or `nobody`."""
    *most, last = [plain(name) for name in names] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def words(name: str) -> str:
    """The words of a stored name: `place wager` of `place_wager`."""
    return name.replace("_", " ")


def plain(name: str) -> str:
    """A name that cannot break the line or steer the terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in name)


def cite(clauses: Iterable[str]) -> str:
    """The clauses in brackets, each once: ` [NZ-9.1, NZ-9.2]`."""
    ids = ", ".join(dict.fromkeys(clauses))
    return f" [{ids}]" if ids else ""


def place(box: int, dealer: str) -> str:
    """The name of a box: `box 1`, or the dealer for box 0."""
    return f"box {box}" if box else dealer


def wager_name(rules: Rulebook, wager: str) -> str:
    """The wager's name on the layout; where a war-deal wager shares it, the deal is added."""
    name: str = getattr(rules.names, wager, None) or words(wager)
    first = wager.removeprefix("war_")
    return f"{name} on the war" if first != wager and name == getattr(rules.names, first) else name


def situation_in_words(wager: str, situation: str) -> str:
    """The result of the cards behind a settlement cell, told to the player."""
    return SITUATIONS.get((wager, situation)) or PAIRS.get(situation) or words(situation[3:])


def dealer_name(rules: Rulebook) -> str:
    """The name of the hand that everybody plays against: the bank's or the dealer's."""
    return "bank" if rules.bank.by == "player" else "dealer"


def money_words(minor: int, digits: int, sign: str = "") -> str:
    """An amount in whole units. With two digits behind the point, 2500 is 25 and 1250 is 12.50."""
    whole, rest = divmod(abs(minor), 10**digits)
    before = "−" if minor < 0 else "+" if sign and minor else ""
    return f"{before}{whole:,}" + (f".{rest:0{digits}d}" if rest else "")


def format_gain(amount: int) -> str:
    """A gain or a loss in minor units: `+1,000`."""
    return f"{amount:+,}" if amount else "0"


def limit_in_words(limit: Limit, digits: int = 0) -> str:
    """A limit in words: `5 to 100 in units of 5`."""
    top = f"to {money_words(limit.maximum, digits)}" if limit.maximum is not None else "or more"
    unit = f" in units of {money_words(limit.unit, digits)}" if limit.unit > 1 else ""
    return f"{money_words(limit.minimum, digits)} {top}{unit}"


def limit_for_player(limit: Limit) -> str:
    """A limit for the player: `minimum 5, maximum 100, in steps of 5`."""
    maximum = "no maximum" if limit.maximum is None else f"maximum {limit.maximum}"
    steps = f", in steps of {limit.unit}" if limit.unit > 1 else ""
    return f"minimum {limit.minimum}, {maximum}{steps}"
