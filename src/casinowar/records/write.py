"""A round record written from what was played."""

from typing import Any

from casinowar.records.opening_state import written
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.frozen import freeze


def book_of(rules: Rulebook) -> dict[str, Any]:
    """The rules as a record's `book`."""
    book = written(freeze(rules))
    book.setdefault("notes", {})
    return book
