"""Wagers that a book has and that are off at a table, and how a player turns them on."""

from casinowar.engine.decide.betting import is_offered
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import OPTIONAL
from casinowar.words.phrases import wager_name


def off_wagers(rules: Rulebook) -> dict[str, str]:
    """The names of the wagers that the book has, and that are off at this table."""
    off = (kind for kind in OPTIONAL if not is_offered(rules, kind) and rules.leaves[f"wager.{kind}"].allowed)
    return {kind: wager_name(rules, kind) for kind in off}
