"""Rulings for reading: the list of incidents, one ruling, one incident across books, and docs/incidents.md."""

import textwrap
from collections.abc import Sequence
from typing import Any

from casinowar.reports.clauses import COMMAND, anchor, wrap
from casinowar.reports.rulings.incidents import GROUPS, INCIDENTS
from casinowar.reports.rulings.rulings import DecidingLeaf, RecordingAct, Ruling, Second, ambiguities, rule_on
from casinowar.rulebooks import BOOKS, SILENT, Rulebook, citation, load_rulebook
from casinowar.rulebooks.editions import edition_name

WIDTH = 80
NARROWEST = 40
_LABEL = 9
_UNBROKEN: dict[str, Any] = {"break_on_hyphens": False}
PARTLY = "the book is silent in part; house default"
_SECONDS: dict[Second, str] = {
    "none": "no second signature",
    "after_the_result": "a second person signs once the dealer's card lies",
    "for_a_void_after_the_result": "a second person signs a void once the dealer's card lies",
}

_HEAD = """\
Written by `{command}` from the rulebooks and the words of `casinowar ruling`. Each row is one book's ruling on one
incident, with the clauses that decide it; where no clause does, the book is silent and the ruling is a house default,
with the clauses that only bear on it as *see also*. Where it is silent about a part of the ruling, the leaves of that
part are named. A shuffler that a book allows but does not presume has a row of its
own.
"""


def tell_list(rules: Rulebook | None, width: int = WIDTH) -> str:
    """The incidents by group; with a rulebook, its ruling under each."""
    pad = max(len(one.slug) for one in INCIDENTS) + 4
    lines = [f"Rulings under {edition_name(rules.id, rules.edition)}: {rules.title}"] if rules else []
    for group, title in GROUPS.items():
        lines += ["", title] if lines else [title]
        for one in INCIDENTS:
            if one.group == group:
                text = _list_line(rule_on(rules, one)) if rules else one.what
                lines += _hang(f"  {one.slug}", text, pad, width)
    return "\n".join(lines)


def tell_ruling(told: Ruling, elsewhere: list[list[Ruling]], width: int = WIDTH) -> str:
    lines = [
        *_wrap(f"{told.incident} under {edition_name(told.rulebook, told.edition)} ({told.title})", width),
        *_wrap(told.what, width),
        "",
        *_body(told, width),
        *_hang("Dispute", told.last_word, _LABEL, width),
        "Clauses",
        *(_wrap(silence(told), width, 2) if told.silent else []),
        *(line for clause, text in told.clauses.items() for line in _wrap(f"{clause}: {text}", width, 2)),
        *(_wrap(f"{PARTLY}: {', '.join(told.partly)}", width, 2) if told.partly else []),
        *(["See also"] if told.see else []),
        *(line for clause, text in told.see.items() for line in _wrap(f"{clause}: {text}", width, 2)),
        "Leaves",
        *(line for leaf in told.leaves for line in _wrap(_leaf(leaf), width, 2)),
        "Elsewhere",
    ]
    for group in elsewhere:
        books = ", ".join(one.rulebook for one in group)
        text = "the same" if group[0].is_as(told) else _difference(told, group[0])
        lines += _wrap(f"{books}: {text}{f' [{SILENT}]' if group[0].silent else ''}", width, 2)
    return "\n".join(lines)


def silence(told: Ruling) -> str:
    """The words for a silent book, with the ambiguities that it leaves.

    What only bears on it comes below, as see also.
    """
    open_questions = ambiguities(told)
    return f"{SILENT} ({', '.join(open_questions)})" if open_questions else SILENT


def _list_line(told: Ruling) -> str:
    if told.partly:
        return f"{told.ruling} [{PARTLY}: {', '.join(told.partly)}]"
    return f"{told.ruling} [{silence(told)}]" if told.silent else told.ruling


def _leaf(leaf: DecidingLeaf) -> str:
    ambiguity = f" {leaf.ambiguity}" if leaf.ambiguity else ""
    return f"{leaf.key} = {leaf.told} [{citation(leaf.clauses)}]{ambiguity}"


def _difference(mine: Ruling, other: Ruling) -> str:
    if other.ruling != mine.ruling:
        return other.ruling
    return f"{other.ruling} Open wagers: {other.open} Settled: {other.settled}"


def tell_across(groups: list[list[Ruling]], width: int = WIDTH) -> str:
    """One incident in several books, those that do the same together."""
    lines = _wrap(f"{groups[0][0].incident}: {groups[0][0].what}", width)
    for group in groups:
        lines += ["", *_wrap(", ".join(f"{told.rulebook} ({told.title})" for told in group), width)]
        are_called_alike = len({tuple(act.called for act in told.acts) for told in group}) == 1
        lines += _body(group[0], width, are_called_alike)
        for number, told in enumerate(group):
            cited = silence(told) if told.silent else ", ".join(told.clauses)
            cited += f"; {PARTLY}: {', '.join(told.partly)}" if told.partly else ""
            text = f"{told.rulebook}: {cited}. {told.last_word}"
            lines += _hang("" if number else "Clauses", text, _LABEL, width)
    return "\n".join(lines)


def _body(told: Ruling, width: int, is_called: bool = True) -> list[str]:
    """The lines of a ruling. With `is_called`, roles have the book's own names."""
    lines = [
        *_hang("Ruling", told.ruling, _LABEL, width),
        *_hang("Cards", told.cards, _LABEL, width),
        *_hang("Wagers", f"Open: {told.open}", _LABEL, width),
        *_hang("", f"Settled: {told.settled}", _LABEL, width),
    ]
    for number, act in enumerate(told.acts):
        lines += [
            *_hang("" if number else "Record", f"{act.do} {{{', '.join(act.fields)}}}", _LABEL, width),
            *_hang("", f"{_givers(act, is_called)}; {_SECONDS[act.second]}", _LABEL + 2, width),
        ]
    return lines


def _givers(act: RecordingAct, is_called: bool) -> str:
    """Who gives an act: `by supervisor or operator, a void by operator`."""
    roles, voids = (act.called, act.void_called) if is_called else (act.roles, act.void_roles)
    return f"by {_either(roles)}" + (f", a void by {_either(voids)}" if voids else "")


def _either(roles: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(roles[:-1]), roles[-1]]))


def _hang(label: str, text: str, pad: int, width: int) -> list[str]:
    """A label with its text beside it, or in a narrow place below it."""
    if label.startswith(" ") and width < WIDTH:
        return [label, *_wrap(text, width, 6)]
    return textwrap.wrap(
        text, max(width, NARROWEST), initial_indent=f"{label:<{pad}}", subsequent_indent=" " * pad, **_UNBROKEN
    )


def _wrap(text: str, width: int, margin: int = 0) -> list[str]:
    return textwrap.wrap(
        text, max(width, NARROWEST), initial_indent=" " * margin, subsequent_indent=" " * (margin + 2), **_UNBROKEN
    )


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
