"""Rulebooks: five authorities' rules as data, and the catalogue of their clauses."""

from casinowar.rulebooks.catalogue import KINDS, SILENT, Clause, citation, clauses_in_case, load_clauses
from casinowar.rulebooks.checks import conflict
from casinowar.rulebooks.load import BOOKS, RulebookError, load_file, load_rulebook, with_decks
from casinowar.rulebooks.model import Cell, Leaf, Odds, Rulebook
from casinowar.rulebooks.variants import load_with
from casinowar.rulebooks.wagers import WAGERS

__all__ = [
    "BOOKS",
    "KINDS",
    "SILENT",
    "WAGERS",
    "Cell",
    "Clause",
    "Leaf",
    "Odds",
    "Rulebook",
    "RulebookError",
    "citation",
    "clauses_in_case",
    "conflict",
    "load_clauses",
    "load_file",
    "load_rulebook",
    "load_with",
    "with_decks",
]
