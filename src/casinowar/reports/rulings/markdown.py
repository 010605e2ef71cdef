"""A page of every incident in every book: the clauses that decide it, or that the book is silent."""

from casinowar.reports.clauses import COMMAND, anchor, wrap
from casinowar.reports.rulings.incidents import GROUPS, INCIDENTS
from casinowar.reports.rulings.rulings import Ruling, rule_on
from casinowar.reports.rulings.text import PARTLY, silence
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook

_HEAD = """\
Written by `{command}` from the rulebooks and the words of `casinowar ruling`. Each row is one book's ruling on one
incident, with the clauses that decide it; where no clause does, the book is silent and the ruling is a house default,
with the clauses that only bear on it as *see also*. Where it is silent about a part of the ruling, the leaves of that
part are named. A shuffler that a book allows but does not presume has a row of its
own.
"""


def incident_page() -> str:
    """The text of docs/incidents.md."""
    lines = ["# Incidents by book", "", *wrap(_HEAD.format(command=COMMAND))]
    for group, title in GROUPS.items():
        lines += ["", f"## {title}"]
        for incident in (one for one in INCIDENTS if one.group == group):
            lines += ["", f"### {incident.slug}", "", incident.what, "", "| book | source | ruling |", "|---|---|---|"]
            rulings = [(name, rule_on(rules, incident)) for name, rules in _tables()]
            lines += [_row(name, told) for name, told in rulings if _is_shown(name, told, dict(rulings))]
    return "\n".join(lines) + "\n"


def _tables() -> list[tuple[str, Rulebook]]:
    """Each book as it comes, and with each other shuffler that it allows."""
    found = []
    for book in BOOKS:
        rules = load_rulebook(book)
        found.append((book, rules))
        for shuffler in (rules.leaves["shoe.shuffler"].allowed or "").split(", "):
            if shuffler and shuffler != rules.shoe.shuffler:
                found.append((f"{book}, {shuffler}", load_rulebook(book, {"shoe.shuffler": shuffler})))
    return found


def _is_shown(name: str, told: Ruling, rulings: dict[str, Ruling]) -> bool:
    """Whether a row is shown: a shuffler's only where it makes a difference."""
    usual = rulings[name.partition(",")[0]]
    return told is usual or (told.ruling, told.clauses) != (usual.ruling, usual.clauses)


def _row(name: str, told: Ruling) -> str:
    see = f"; see also {_links(told.see)}" if told.silent and told.see else ""
    see += f"; {PARTLY}: {', '.join(f'`{key}`' for key in told.partly)}" if told.partly else ""
    return f"| {name} | {silence(told) if told.silent else _links(told.clauses)}{see} | {told.ruling} |"


def _links(clauses: dict[str, str]) -> str:
    return ", ".join(f"[{one}](clauses/{one.partition('-')[0].lower()}.md#{anchor(one)})" for one in clauses)
