"""Aligned text as wide as the terminal, up to 80 columns: tables, folded sentences and percentages."""

from collections.abc import Iterator, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

WIDTH, LEAST = 80, 30
GAP = "  "

Table = Sequence[Sequence[str]]


def room() -> int:
    """Columns that may be used: those of the terminal, or of COLUMNS, and never more than 80."""
    return max(LEAST, min(WIDTH, get_terminal_size((WIDTH, 24)).columns))


def rows(table: Table, *, left: int = 1) -> Iterator[str]:
    """Lines of a table: the first `left` columns to the left, the others to the right.

    Where it is too wide, as many columns as fit stand together and the others below them, under the same first column.
    Where not even two fit, a row is folded.
    """
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    blocks = _blocks(widths)
    if blocks is None:
        yield from (line for row in table for line in _fold_row(row))
        return
    for number, block in enumerate(blocks):
        if number:
            yield ""
        for row in table:
            cells = (f"{row[at]:<{widths[at]}}" if at < left else f"{row[at]:>{widths[at]}}" for at in block)
            yield GAP.join(cells).rstrip()


def _blocks(widths: Sequence[int]) -> list[list[int]] | None:
    """The blocks of columns that stand together, about as many in each, and the first column in all of them.

    None where some column has no room.
    """
    others = range(1, len(widths))
    for most in range(max(1, len(others)), 0, -1):
        count = -(-len(others) // most) or 1
        size = -(-len(others) // count)
        blocks = [[0, *others[at : at + size]] for at in range(0, max(1, len(others)), size or 1)]
        if all(sum(widths[at] for at in block) + len(GAP) * (len(block) - 1) <= room() for block in blocks):
            return blocks
    return None


def _fold_row(row: Sequence[str]) -> list[str]:
    """A row as a sentence; further lines of it are set in."""
    return wrap(GAP.join(cell for cell in row if cell), room(), subsequent_indent="    ") or [""]


def fold(text: str, indent: str = "") -> list[str]:
    return wrap(text, room(), initial_indent=indent, subsequent_indent=indent + "  ")


def refold(text: str) -> str:
    """Fold lines that are too wide: they go on below, set in further than they began."""
    found = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        found += [line] if len(line) <= room() else wrap(line, room(), subsequent_indent=indent)
    return "\n".join(found)


def percent(rational: Mapping[str, Any], places: int = 3) -> str:
    return f"{rational['decimal']:.{places}%}"
