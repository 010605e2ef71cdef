"""The words of a PAR sheet: names of outcomes and situations, numbers for people, what figures mean and presume."""

from fractions import Fraction

from casinowar.odds.outcomes import Outcome
from casinowar.odds.wagers import Choice, lines, side_situation
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import WAR_DEAL

Number = int | float | Fraction
SITUATIONS = {
    ("initial", "on_win"): "the player's card is higher",
    ("initial", "on_loss"): "the dealer's card is higher",
    ("initial", "on_war_win"): "the war is won",
    ("initial", "on_war_tie"): "the war is tied",
    ("initial", "on_war_loss"): "the war is lost",
    ("war", "on_win"): "the war is won",
    ("war", "on_tie"): "the war is tied",
    ("war", "on_loss"): "the war is lost",
    ("tie", "on_win"): "the first cards tie",
    ("tie", "on_loss"): "they do not",
    ("war_tie", "on_win"): "the war cards tie",
    ("war_tie", "on_loss"): "they do not",
    ("a_bomb", "on_win"): "the player's first card is an ace",
    ("a_bomb", "on_loss"): "it is not",
}
SHORT_SITUATIONS = {
    ("tie", "on_win"): "tie",
    ("tie", "on_loss"): "no tie",
    ("war_tie", "on_win"): "war cards tie",
    ("war_tie", "on_loss"): "no tie",
    ("a_bomb", "on_win"): "ace",
    ("a_bomb", "on_loss"): "no ace",
}
"""Situations as a line of outcomes names them; those not here it names as the pay table does."""

PAIRS = {
    "perfect": "perfect pair: same rank and suit",
    "coloured": "coloured pair: same rank and colour",
    "mixed": "mixed pair: same rank, other colour",
    "loss": "no pair",
}
LINES = {
    "suited_four_of_a_kind": "suited four of a kind",
    "suited_double_tie": "suited double tie",
    "four_of_a_kind": "four of a kind",
    "double_tie": "double tie",
    "suited_tie": "suited tie",
    "tie": "tie",
    "loss": "no line",
}
_INITIAL = {
    ("win", None): "first card wins",
    ("loss", None): "first card loses",
    ("tie", None): "tie, surrendered",
    ("tie", "win"): "tie, war won",
    ("tie", "tie"): "tie, war tied",
    ("tie", "loss"): "tie, war lost",
}

STRATEGIES = {"war": "always war", "surrender": "always surrender"}

MEANINGS = {
    "Expected value": "What the player gains on average for one unit of the wager; the contributions add up to it.",
    "Return": "What comes back on average of one unit wagered, the stake included: one plus the expected value.",
    "House edge": "What the house keeps on average of one unit of the wager itself. It is the usual figure.",
    "Element of risk": "The same loss for one unit of all that is put at risk, war wagers included. It is smaller "
    "than the edge where a war adds to the wager, and the right figure to compare with games that add no wagers.",
    "Average total wager": "All that is put at risk on average for one unit of the wager.",
    "Hit frequency": "How often the wager ends with a gain.",
    "Volatility index": "1.645 times the standard deviation of one round: half the width of the 90 % band for one "
    "round. With 1.960 and 2.576 it is that of the 95 % and 99 % bands. For n rounds, divide by the square root of n.",
    "Hold band": "The hold is what the house has kept of all that was wagered. It lies in the band with the chance "
    "named, if nothing is wrong.",
    "Error of a band": "Sums of rounds are taken as normal. The chance of a band is off by this much at most "
    "(Berry-Esseen); a dash where so few rounds allow no such promise.",
    "Telling a fault from luck": "So many rounds until a hold that is off by the fault's size leaves the band with a "
    "chance of 90 %, whichever way it is off.",
}


def situation(wager: str, key: str) -> str:
    """The situation in which a cell of the pay table is paid."""
    if wager == "progressive":
        return LINES[key.removeprefix("on_")]
    if wager.endswith("perfect_pairs"):
        return PAIRS[key.removeprefix("on_")]
    return SITUATIONS[wager, key]


def outcome_name(rules: Rulebook, wager: str, outcome: Outcome, choice: Choice) -> str:
    """What an outcome is to this wager; outcomes of one name are one line of the sheet."""
    match wager:
        case "initial":
            return _INITIAL[outcome.first, outcome.second if choice == "war" else None]
        case "progressive":
            return " and ".join(LINES[line] for line in lines(rules, outcome, choice) or ("loss",))
    key = side_situation(wager, outcome)
    return SHORT_SITUATIONS.get((wager, key)) or situation(wager, key)


def wager_name(rules: Rulebook, wager: str) -> str:
    """The layout's name; the wagers on the war cards are told apart from those on the first."""
    name = getattr(rules.names, wager) or wager.replace("_", " ")
    return f"{name}, on the war cards" if wager in WAR_DEAL else str(name)


def assumptions(rules: Rulebook, wagers: tuple[str, ...]) -> tuple[str, ...]:
    """What the figures take for granted, as far as it concerns these wagers."""
    decks = rules.shoe.decks
    found = [
        f"Every round starts from a fresh shoe of {decks} {'deck' if decks == 1 else 'decks'}, {52 * decks} cards; "
        "each order of them is as likely as any other. Rounds later in a shoe have the same averages as long as nobody "
        "bets by the cards gone.",
        "Cards that are burned unseen, the other hands and the cutting card change nothing: before it is turned, each "
        "card left is equally likely to be the next.",
        "One box and a stake of one unit on each wager. Chips are small enough that half of a wager can be paid; where "
        f"they are not, the odd chip goes to the {rules.surrender.odd_unit}.",
        "Wagers other than the initial do not depend on what the player does with a tie, unless they say so. The "
        "sheets named always war take every tie to war.",
        "No mistakes of dealing, no voided rounds, no promotions, no commissions.",
        "The bands and the rounds that tell a fault from luck take rounds as independent and stakes as equal: one box "
        "a round. Boxes of one round share the dealer's cards and count for less.",
    ]
    if any(wager in WAR_DEAL for wager in wagers):
        found.append(
            "Wagers on the war cards are valued given that they can be placed: after a tie, averaged over the ties. "
            "A round of theirs is a war."
        )
    if "progressive" in wagers:
        found.append(
            "The progressive is valued for its odds alone, without meter and envy; the meter and the envy are told "
            "apart. Every tie is taken to war, for its lines as well."
        )
    if rules.bank.by == "player":
        found.append("The player who banks covers every wager in full. Fees of the house are not counted.")
    return tuple(found)


def decimal(value: Number, digits: int) -> str:
    """A decimal with so many digits: `−0.023301`, `1,234.50`."""
    text = f"{float(value):,.{digits}f}"
    return (text if float(text.replace(",", "")) else text.lstrip("-")).replace("-", "−")


def gain(value: Number, digits: int) -> str:
    """The decimal with a plus where it is a gain."""
    text = decimal(value, digits)
    return text if text.startswith("−") or not text.strip("0.,") else f"+{text}"


def percent(value: Number, digits: int) -> str:
    return f"{decimal(float(value) * 100, digits)} %"


def fraction(value: Fraction) -> str:
    return str(value).replace("-", "−")


def net(value: Fraction) -> str:
    """A gain or a loss as a fraction: `+1`, `−1/2`, `0`."""
    return f"+{value}" if value > 0 else fraction(value)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
