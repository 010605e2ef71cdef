"""Rulings for reading: the list of incidents, one ruling, and one incident across books, in lines that fit."""

import textwrap
from collections.abc import Sequence
from typing import Any

from casinowar.reports.incidents import GROUPS, INCIDENTS
from casinowar.reports.rulings import Ruling, Second, rule_on
from casinowar.rulebooks import Rulebook

WIDTH = 80
NARROWEST = 40
_LABEL = 9
_UNBROKEN: dict[str, Any] = {"break_on_hyphens": False}
_SECONDS: dict[Second, str] = {
    "none": "no second signature",
    "after_the_result": "a second person signs once the dealer's card lies",
    "for_a_void_after_the_result": "a second person signs a void once the dealer's card lies",
}


def tell_list(rules: Rulebook | None, width: int = WIDTH) -> str:
    """The incidents by group; with a rulebook, its ruling under each."""
    pad = max(len(one.slug) for one in INCIDENTS) + 4
    lines = [f"Rulings under {rules.id}: {rules.title}"] if rules else []
    for group, title in GROUPS.items():
        lines += ["", title] if lines else [title]
        for one in INCIDENTS:
            if one.group == group:
                text = rule_on(rules, one).ruling if rules else one.what
                lines += _hung(f"  {one.slug}", text, pad, width)
    return "\n".join(lines)


def tell_ruling(told: Ruling, elsewhere: list[list[Ruling]], width: int = WIDTH) -> str:
    lines = _wrapped(f"{told.incident} under {told.rulebook} ({told.title})", width)
    lines += [*_wrapped(told.what, width), "", *_body(told, width)]
    lines += _hung("Dispute", told.last_word, _LABEL, width)
    lines += ["Clauses"]
    lines += [line for clause, text in told.clauses.items() for line in _wrapped(f"{clause}: {text}", width, 2)]
    lines += ["Leaves"]
    lines += [line for leaf in told.leaves for line in _wrapped(f"{leaf.key} = {leaf.told}", width, 2)]
    lines += ["Elsewhere"]
    for group in elsewhere:
        books = ", ".join(one.rulebook for one in group)
        text = "the same" if group[0].is_as(told) else _difference(told, group[0])
        lines += _wrapped(f"{books}: {text}", width, 2)
    return "\n".join(lines)


def _difference(mine: Ruling, other: Ruling) -> str:
    if other.ruling != mine.ruling:
        return other.ruling
    return f"{other.ruling} Open wagers: {other.open} Settled: {other.settled}"


def tell_across(groups: list[list[Ruling]], width: int = WIDTH) -> str:
    """One incident in several books, those that do the same together."""
    lines = _wrapped(f"{groups[0][0].incident}: {groups[0][0].what}", width)
    for group in groups:
        lines += ["", *_wrapped(", ".join(f"{told.rulebook} ({told.title})" for told in group), width)]
        lines += _body(group[0], width)
        label = "Clauses"
        for told in group:
            text = f"{told.rulebook}: {', '.join(told.clauses)}. {told.last_word}"
            lines += _hung(label, text, _LABEL, width)
            label = ""
    return "\n".join(lines)


def _body(told: Ruling, width: int) -> list[str]:
    lines = _hung("Ruling", told.ruling, _LABEL, width)
    lines += _hung("Cards", told.cards, _LABEL, width)
    lines += _hung("Wagers", f"Open: {told.open}", _LABEL, width)
    lines += _hung("", f"Settled: {told.settled}", _LABEL, width)
    label = "Record"
    for act in told.acts:
        lines += _hung(label, f"{act.do} {{{', '.join(act.fields)}}}", _LABEL, width)
        lines += _hung("", f"by {_either(act.roles)}; {_SECONDS[act.second]}", _LABEL + 2, width)
        label = ""
    return lines


def _either(roles: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(roles[:-1]), roles[-1]]))


def _hung(label: str, text: str, pad: int, width: int) -> list[str]:
    """A label with its text beside it, or in a narrow place below it."""
    if label.startswith(" ") and width < WIDTH:
        return [label, *_wrapped(text, width, 6)]
    return textwrap.wrap(
        text, max(width, NARROWEST), initial_indent=f"{label:<{pad}}", subsequent_indent=" " * pad, **_UNBROKEN
    )


def _wrapped(text: str, width: int, margin: int = 0) -> list[str]:
    return textwrap.wrap(
        text, max(width, NARROWEST), initial_indent=" " * margin, subsequent_indent=" " * (margin + 2), **_UNBROKEN
    )
