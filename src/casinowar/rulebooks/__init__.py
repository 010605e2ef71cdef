"""Rulebooks: five authorities' rules as data, and the catalogue of their clauses."""

from casinowar.rulebooks.catalogue import KINDS, SILENT, Clause, citation, clauses_in_case, load_clauses
from casinowar.rulebooks.checks import conflict
from casinowar.rulebooks.load import is_known, load_file, load_rulebook, sound_books, with_decks
from casinowar.rulebooks.model import Cell, Leaf, Odds, Rulebook
from casinowar.rulebooks.shelf import BOOKS, book_ids, head_of
from casinowar.rulebooks.toml_files import RulebookError
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
    "book_ids",
    "citation",
    "clauses_in_case",
    "conflict",
    "head_of",
    "is_known",
    "load_clauses",
    "load_file",
    "load_rulebook",
    "load_with",
    "sound_books",
    "with_decks",
]
