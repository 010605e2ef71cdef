"""Rulebooks: five authorities' rules as data, and the catalogue of their clauses."""

from casinowar.rulebooks.catalogue import KINDS, Clause, load_clauses
from casinowar.rulebooks.load import BOOKS, RulebookError, load_file, load_rulebook
from casinowar.rulebooks.model import WAGERS, Cell, Leaf, Odds, Rulebook

__all__ = [
    "BOOKS",
    "KINDS",
    "WAGERS",
    "Cell",
    "Clause",
    "Leaf",
    "Odds",
    "Rulebook",
    "RulebookError",
    "load_clauses",
    "load_file",
    "load_rulebook",
]
