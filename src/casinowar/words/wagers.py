"""Names of wagers on the layout, and of the results that each wager wins or loses on."""

from casinowar.rulebooks import Rulebook
from casinowar.words.phrases import words

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
