"""Rulebooks: five authorities' rules as data, and the catalogue of their clauses.

`show`, `diff`, `clause` and `check` look things up, by the names of `casinowar rules`; `list` is the books there are.

>>> from casinowar import rulebooks
>>> rulebooks.check("nz").title, rulebooks.clause("NZ-8.4a").book
('New Zealand', 'nz')
"""

from casinowar.rulebooks.catalogue import KINDS, SILENT, Clause, citation, clauses_in_case, load_clauses
from casinowar.rulebooks.checks import conflict
from casinowar.rulebooks.load import is_known, load_file, load_rulebook, sound_books, with_decks
from casinowar.rulebooks.lookup import book_list, check, clause, diff, show
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
    "book_list",
    "check",
    "citation",
    "clause",
    "clauses_in_case",
    "conflict",
    "diff",
    "head_of",
    "is_known",
    "load_clauses",
    "load_file",
    "load_rulebook",
    "load_with",
    "show",
    "sound_books",
    "with_decks",
]


list = book_list  # The name of the command; nothing of this module makes lists.
