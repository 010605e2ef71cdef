"""Rulings for the floor: what a rulebook has done about an incident, with its clauses, and how others differ."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec

from casinowar.engine import commands as c
from casinowar.engine.signatures import BY_ROLE, FLOOR, OPERATORS, SIGNED
from casinowar.records.acts import Act
from casinowar.reports.books import house_line
from casinowar.reports.incidents import GROUPS, INCIDENTS, Incident
from casinowar.reports.ruling_words import PLAY_ON, STAND, WORDS, Words
from casinowar.rulebooks import Rulebook, load_clauses
from casinowar.rulebooks.resolve import describe, show

ACTS: dict[str, Any] = {str(act.__struct_config__.tag): act for act in get_args(Act)}
_COMMANDS: dict[str, type] = {str(command.__struct_config__.tag): command for command in get_args(c.Command)}
_ENGINE = {"deal_war": "deal", "initial_burn": "deal", "settle_war": "settle", "replace_all_cards": "replace_cards"}
Second = Literal["none", "after_the_result", "for_a_void_after_the_result"]


class ActTold(msgspec.Struct, frozen=True):
    """The act that records it: its fields, those that may be left out with `?`, who gives it, who else signs."""

    do: str
    fields: tuple[str, ...]
    roles: tuple[str, ...]
    second: Second


class LeafTold(msgspec.Struct, frozen=True):
    key: str
    value: object
    told: str
    clauses: tuple[str, ...]


class Ruling(msgspec.Struct, frozen=True):
    """What one book has done about one incident."""

    incident: str
    what: str
    rulebook: str
    title: str
    ruling: str
    cards: str
    open: str
    settled: str
    last_word: str
    acts: tuple[ActTold, ...]
    clauses: dict[str, str]
    leaves: tuple[LeafTold, ...]

    def is_as(self, other: "Ruling") -> bool:
        """Whether both books do the same, whatever they cite for it."""
        return _gist(self) == _gist(other)


def _gist(told: Ruling) -> tuple[str, ...]:
    return told.ruling, told.cards, told.open, told.settled, *(f"{act.do} {act.roles}" for act in told.acts)


def rule_on(rules: Rulebook, incident: Incident) -> Ruling:
    topics = _topics(rules, incident)
    chain = [incident.own, *(said(rules, topic) for topic in topics)]
    acts = _acts(rules, chain)
    last = ["irreg.arbiter"] if any(act.do == "rule" for act in acts) else []
    keys = dict.fromkeys([*(_key(topic) for topic in (*topics, *incident.topics)), *incident.cites, *last])
    leaves = tuple(
        LeafTold(key, rules.leaves[key].value, describe(rules.leaves[key]), rules.clauses[key])
        for key in keys
        if key in rules.leaves
    )
    cited = dict.fromkeys(clause for leaf in leaves for clause in leaf.clauses)
    return Ruling(
        incident.slug,
        incident.what,
        rules.id,
        rules.title,
        " ".join(words.ruling for words in chain if words.ruling),
        " ".join(dict.fromkeys(words.cards for words in chain if words.cards)) or "None is moved.",
        next((words.open for words in chain if words.open), PLAY_ON),
        next((words.settled for words in chain if words.settled), STAND),
        said(rules, "irreg.arbiter").ruling,
        acts,
        {clause: _paraphrase(rules, clause) for clause in cited},
        leaves,
    )


def _topics(rules: Rulebook, incident: Incident) -> list[str]:
    """The topics that decide, each followed by those that follow from it."""
    if incident.alone and value_of(rules, incident.alone[0]) == incident.alone[1]:
        return [incident.alone[0]]
    topics: dict[str, None] = {}
    for topic in incident.topics:
        topics[topic] = None
        topics.update(dict.fromkeys(_following(rules, topic)))
    return list(topics)


def _following(rules: Rulebook, topic: str) -> Iterator[str]:
    for one in said(rules, topic).then:
        yield one
        yield from _following(rules, one)


def said(rules: Rulebook, topic: str) -> Words:
    """The words for the value that the book has."""
    value = value_of(rules, _key(topic))
    words = WORDS[topic][_name(rules, _key(topic))]
    return msgspec.structs.replace(words, ruling=words.ruling.replace("{value}", _listed(show(value))))


def value_of(rules: Rulebook, key: str) -> object:
    group, _, name = key.partition(".")
    return getattr(getattr(rules, group), name)


def _name(rules: Rulebook, key: str) -> str:
    """A value as the table of words names it; of a list only whether the book has one."""
    value = value_of(rules, key)
    if isinstance(value, tuple):
        return "some" if rules.leaves.get(key) and (value or rules.leaves[key].allowed) else "none"
    return show(value)


def _key(topic: str) -> str:
    return topic.partition("/")[0]


def _listed(text: str) -> str:
    """`fire, riot or act of God`."""
    *others, last = text.replace("_", " ").replace("god", "God").split("; ")
    return f"{', '.join(others)} or {last}" if others else last


def _acts(rules: Rulebook, chain: Sequence[Words]) -> tuple[ActTold, ...]:
    roles: dict[str, tuple[str, ...]] = {}
    for words in chain:
        for act in words.acts:
            roles.setdefault(act, words.by or _roles(rules, _COMMANDS[_ENGINE.get(act, act)]))
    return tuple(ActTold(act, _fields(act), who, _second(act)) for act, who in roles.items())


def _roles(rules: Rulebook, command: type) -> tuple[str, ...]:
    if command in OPERATORS and rules.irreg.void_by == "operator":
        return ("operator",)
    return BY_ROLE.get(command, FLOOR)


def _second(act: str) -> Second:
    command = _COMMANDS[_ENGINE.get(act, act)]
    if command is c.Rule:
        return "for_a_void_after_the_result"
    return "after_the_result" if command in SIGNED else "none"


def _fields(act: str) -> tuple[str, ...]:
    """`box`, `exposed`, `cards?`; what a field may be follows it where there is a choice."""
    told = []
    for field in msgspec.structs.fields(ACTS[act]):
        kinds = [field.type, *get_args(field.type)]
        choices = [str(one) for kind in kinds if get_origin(kind) is Literal for one in get_args(kind)]
        name = field.encode_name + ("" if field.required else "?")
        told.append(f"{name} = {' | '.join(choices)}" if choices else name)
    return tuple(told)


def _paraphrase(rules: Rulebook, clause: str) -> str:
    if clause in rules.notes:
        return house_line(rules, clause).partition(f"{clause}: ")[2]
    return load_clauses()[clause].text


def others(mine: Ruling, books: Sequence[Rulebook], incident: Incident) -> list[list[Ruling]]:
    """What other books do, those that do the same together; the ones that do as this book come first."""
    told = [rule_on(rules, incident) for rules in books if rules.id != mine.rulebook]
    groups = grouped(told)
    return sorted(groups, key=lambda group: not group[0].is_as(mine))


def grouped(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    groups: dict[tuple[str, ...], list[Ruling]] = {}
    for told in rulings:
        groups.setdefault(_gist(told), []).append(told)
    return list(groups.values())


def list_data(rules: Rulebook | None = None) -> dict[str, Any]:
    """Every incident; with a rulebook, what it has done about each."""
    listed: list[dict[str, Any]] = [
        {"incident": one.slug, "group": GROUPS[one.group], "what": one.what}
        | ({"ruling": rule_on(rules, one).ruling} if rules else {})
        for one in INCIDENTS
    ]
    return ({"rulebook": rules.id} if rules else {}) | {"incidents": listed}


def as_data(told: Ruling) -> dict[str, Any]:
    """One ruling for JSON."""
    data: dict[str, Any] = msgspec.to_builtins(told)
    wagers = {"open": data.pop("open"), "settled": data.pop("settled")}
    clauses = [{"id": clause, "text": text} for clause, text in data.pop("clauses").items()]
    return {**data, "wagers": wagers, "clauses": clauses}


def ruling_data(told: Ruling, elsewhere: list[list[Ruling]]) -> dict[str, Any]:
    """The same with what other books do."""
    differ = [
        {
            "rulebooks": [one.rulebook for one in group],
            "is_same": group[0].is_as(told),
            "ruling": group[0].ruling,
            "cards": group[0].cards,
            "wagers": {"open": group[0].open, "settled": group[0].settled},
        }
        for group in elsewhere
    ]
    return {**as_data(told), "others": differ}
