"""Lookups by the names of the command line, as in `casinowar rules`: list, show, diff, clause, check."""

from casinowar.rulebooks.catalogue import Clause, load_clauses
from casinowar.rulebooks.files import is_path
from casinowar.rulebooks.load import load_file, load_rulebook, sound_books
from casinowar.rulebooks.model import Leaf, Rulebook
from casinowar.rulebooks.toml_files import RulebookError


def book_list() -> tuple[str, ...]:
    """The ids of all books that can be used, those of the user's own folder behind the five.

    >>> book_list()[:5]
    ('nz', 'wa', 'ctg', 'ca', 'ma')
    """
    return sound_books()


def show(book: Rulebook | str) -> dict[str, Leaf]:
    """Every leaf of a book by its key: its value, what an operator may set, its clauses.

    >>> show("nz")["war.burn"].value
    3
    """
    return dict(check(book).leaves)


def diff(one: Rulebook | str, other: Rulebook | str) -> dict[str, tuple[Leaf | None, Leaf | None]]:
    """The leaves whose values differ, each as in the one book and in the other; none where a book lacks it.

    >>> [leaf and leaf.value for leaf in diff("nz", "ma")["wager.war_tie"]]
    [False, True]
    """
    first, second = show(one), show(other)
    keys = dict.fromkeys([*first, *second])
    pairs = {key: (first.get(key), second.get(key)) for key in keys}
    return {key: (a, b) for key, (a, b) in pairs.items() if a is None or b is None or a.value != b.value}


def clause(id: str) -> Clause:
    """A clause of any book, in our own words.

    >>> clause("nz-8.4a").id
    'NZ-8.4a'
    """
    known = {name.casefold(): one for name, one in load_clauses().items()}
    found = known.get(id.casefold())
    if found is None:
        raise RulebookError(f"no clause {id!r}: ids look like NZ-5.13c")
    return found


def check(book: Rulebook | str) -> Rulebook:
    """A rulebook by its name or the path of its file, checked; what is wrong with it is a `RulebookError`.

    >>> check("wa").title
    'Crown Perth, Western Australia'
    """
    if isinstance(book, Rulebook):
        return book
    return load_file(book) if is_path(book) else load_rulebook(book)
