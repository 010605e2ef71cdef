"""A page of rules as HTML: each leaf with its value and its clauses, for a notebook."""

from collections.abc import Iterable
from html import escape

CELL = 'style="text-align:left;padding:2px 12px 2px 0;vertical-align:top"'


def rule_page(title: str, says: str, rows: Iterable[tuple[str, str, str]]) -> str:
    """A title, a sentence, and a table of leaves: key, value, clauses.

    >>> "<td" in rule_page("New Zealand", "nz", [("war.burn", "3", "NZ-8.8-ii")])
    True
    """
    lines = "".join(
        f"<tr>{''.join(f'<td {CELL}>{part}</td>' for part in (f'<code>{escape(key)}</code>', escape(value)))}"
        f"<td {CELL}><small>{escape(clauses)}</small></td></tr>"
        for key, value, clauses in rows
    )
    head = "".join(f"<th {CELL}>{name}</th>" for name in ("leaf", "value", "clauses"))
    return (
        f"<div><strong>{escape(title)}</strong> <span>{escape(says)}</span>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
    )
