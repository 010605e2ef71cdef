"""Rulings for the floor: what a rulebook has done about an incident, with its clauses, and how others differ."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec

from casinowar.engine import commands as c
from casinowar.engine.roles import DEALERS, LEFT_TO_THE_OPERATOR, STAFF, at_least
from casinowar.engine.signatures import SIGNED
from casinowar.records.format import WRITTEN_ACTS
from casinowar.reports.books import house_line
from casinowar.reports.rulings.effects import PLAY_ON, STAND, WORDS, Words
from casinowar.reports.rulings.incidents import GROUPS, INCIDENTS, Incident
from casinowar.rulebooks import SILENT, Rulebook, clauses_in_case, load_clauses
from casinowar.rulebooks.authority import Staff
from casinowar.rulebooks.resolve import describe, show

ACTS: dict[str, Any] = {str(act.__struct_config__.tag): act for act in get_args(WRITTEN_ACTS)}


def _tag(command: Any) -> str:
    return str(command.__struct_config__.tag)


_COMMANDS: dict[str, type] = {_tag(command): command for command in get_args(c.Command)}
_ENGINE = {"deal_war": "deal", "initial_burn": "deal", "settle_war": "settle", "replace_all_cards": "replace_cards"}
Second = Literal["none", "after_the_result", "for_a_void_after_the_result"]


class RecordingAct(msgspec.Struct, frozen=True, omit_defaults=True):
    """The act that records it: its fields, those that may be left out with `?`, who gives it, who else signs.

    `called` are the roles as the book calls them. `void_roles` and `void_called` are who gives it where it is a void,
    unless these are the same.
    """

    do: str
    fields: tuple[str, ...]
    roles: tuple[str, ...]
    second: Second
    called: tuple[str, ...] = ()
    void_roles: tuple[str, ...] = ()
    void_called: tuple[str, ...] = ()


class DecidingLeaf(msgspec.Struct, frozen=True):
    """A leaf that decides, with the clauses of the case at hand; `supplied` where the book is silent about it."""

    key: str
    value: object
    told: str
    clauses: tuple[str, ...]
    supplied: bool = False
    see: tuple[str, ...] = ()
    ambiguity: str | None = None


class Ruling(msgspec.Struct, frozen=True):
    """What one book has done about one incident. `silent`: no clause of the book decides it, and a house default does;
    `see` are clauses that only bear on it. Where a ruling rests on clauses, `partly` are those of its leaves on which
    the book is silent all the same.
    """

    incident: str
    what: str
    rulebook: str
    title: str
    ruling: str
    cards: str
    open: str
    settled: str
    last_word: str
    acts: tuple[RecordingAct, ...]
    clauses: dict[str, str]
    leaves: tuple[DecidingLeaf, ...]
    edition: int
    silent: bool = False
    see: dict[str, str] = {}
    partly: tuple[str, ...] = ()

    def is_as(self, other: "Ruling") -> bool:
        """Whether both books do the same, whatever they cite for it."""
        return _gist(self) == _gist(other)


def _gist(told: Ruling) -> tuple[str, ...]:
    return told.ruling, told.cards, told.open, told.settled, *(f"{act.do} {act.roles}" for act in told.acts)


def rule_on(rules: Rulebook, incident: Incident) -> Ruling:
    topics = _topics(rules, incident)
    chain = [incident.own, *(words_for(rules, topic) for topic in topics)]
    acts = _acts(rules, incident, chain)
    last = ["irreg.arbiter"] if any(act.do == "rule" for act in acts) else []
    keys = dict.fromkeys(
        [*(_key(topic) for topic in (*topics, *_cited_topics(rules, incident, topics))), *incident.cites, *last]
    )
    leaves = tuple(_leaf(rules, incident, key) for key in keys if key in rules.leaves)
    own = [leaf for leaf in leaves if leaf.key in {_key(topic) for topic in incident.topics}]
    deciding = _deciding(rules, incident, topics)
    is_silent = not any(leaf.clauses for leaf in leaves if leaf.key in deciding)
    named = dict.fromkeys(clause for leaf in leaves for clause in leaf.clauses)
    cited = {} if is_silent else named
    seen = (clause for key in incident.see for clause in rules.clauses.get(key, ()))
    bearing = dict.fromkeys((*named, *(clause for leaf in own for clause in leaf.see), *seen))
    told = {_key(topic) for topic in topics if words_for(rules, topic).ruling}
    return Ruling(
        incident.slug,
        incident.what,
        rules.id,
        rules.title,
        " ".join(words.ruling for words in chain if words.ruling),
        " ".join(dict.fromkeys(words.cards for words in chain if words.cards)) or "None is moved.",
        next((words.open for words in chain if words.open), PLAY_ON),
        next((words.settled for words in chain if words.settled), STAND),
        words_for(rules, "irreg.arbiter").ruling,
        acts,
        {clause: _paraphrase(rules, clause) for clause in cited},
        leaves,
        rules.edition,
        is_silent,
        {clause: _paraphrase(rules, clause) for clause in bearing if clause not in cited},
        () if is_silent else tuple(leaf.key for leaf in leaves if leaf.supplied and leaf.key in told),
    )


def _cited_topics(rules: Rulebook, incident: Incident, topics: list[str]) -> list[str]:
    """The topics whose leaves are cited; beside one that decides alone only those that speak of its case."""
    if not _is_alone(incident, topics):
        return list(incident.topics)
    return [topic for topic in incident.topics if rules.leaves[topic].cases.get(show(value_of(rules, topics[0])))]


def _is_alone(incident: Incident, topics: list[str]) -> bool:
    return incident.alone is not None and topics == [incident.alone[0]]


def _deciding(rules: Rulebook, incident: Incident, topics: list[str]) -> set[str]:
    """The leaves without whose clauses the book is silent. A pit boss who decides whatever else comes up is a rule."""
    if _is_alone(incident, topics):
        return set() if incident.is_alone_silent else set(topics)
    keys = set(incident.decides) or {_key(topic) for topic in incident.topics}
    return keys | ({"irreg.arbiter"} if rules.irreg.arbiter == "pit_boss" else set())


def _leaf(rules: Rulebook, incident: Incident, key: str) -> DecidingLeaf:
    leaf = rules.leaves[key]
    case = "continuous" if rules.shoe.shuffler in leaf.cases else incident.cases.get(key, "")
    clauses = clauses_in_case(rules, key, case)
    return DecidingLeaf(key, leaf.value, describe(leaf), clauses, not clauses, leaf.see, leaf.ambiguity)


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
    for one in words_for(rules, topic).then:
        yield one
        yield from _following(rules, one)


def words_for(rules: Rulebook, topic: str) -> Words:
    """The words for the value that the book has."""
    value = value_of(rules, _key(topic))
    words = WORDS[topic][_name(rules, _key(topic))]
    ruling = next(
        (ruling for clause, ruling in words.variants if clause in rules.clauses.get(_key(topic), ())), words.ruling
    )
    ruling = ruling.replace("{value}", _join_or(show(value)))
    for role in STAFF:
        ruling = ruling.replace(f"{{{role}}}", getattr(rules.roles, role))
    return msgspec.structs.replace(words, ruling=ruling)


def value_of(rules: Rulebook, key: str) -> object:
    group, _, name = key.partition(".")
    return getattr(getattr(rules, group), name)


def _name(rules: Rulebook, key: str) -> str:
    """A value as the table of words names it; of a list only whether the book has one."""
    if key == "authority.void_hand" and rules.irreg.void_by == "operator":
        return "operator"
    value = value_of(rules, key)
    if isinstance(value, tuple):
        return "some" if rules.leaves.get(key) and (value or rules.leaves[key].allowed) else "none"
    return show(value)


def _key(topic: str) -> str:
    return topic.partition("/")[0]


def _join_or(text: str) -> str:
    """The values in words: `fire, riot or act of God`."""
    *others, last = text.replace("_", " ").replace("god", "God").split("; ")
    return f"{', '.join(others)} or {last}" if others else last


def _acts(rules: Rulebook, incident: Incident, chain: Sequence[Words]) -> tuple[RecordingAct, ...]:
    roles: dict[str, tuple[str, ...]] = {}
    actions = next((words.rulings for words in chain if words.rulings), ())
    for words in chain:
        for act in words.acts:
            roles.setdefault(act, words.by or _roles(rules, _COMMANDS[_ENGINE.get(act, act)]))
    return tuple(_act(rules, act, _fields(rules, incident, act, actions), who) for act, who in roles.items())


def _act(rules: Rulebook, act: str, fields: tuple[str, ...], who: tuple[str, ...]) -> RecordingAct:
    second = _second(rules, act)
    voids = _roles(rules, _COMMANDS[act], _VOIDS[act]) if second == "for_a_void_after_the_result" else who
    others = () if voids == who else voids
    return RecordingAct(act, fields, who, second, _role_names(rules, who), others, _role_names(rules, others))


def _role_names(rules: Rulebook, roles: Sequence[str]) -> tuple[str, ...]:
    return tuple(getattr(rules.roles, role) for role in roles)


_VOIDS = {"rule": "rule_void", "report_shuffler_fault": "shuffler_fault_void"}
"""The case of a command in which it voids, where it can also be something else."""


def _case(rules: Rulebook, tag: str) -> str:
    """The case of a command to which an incident comes in this book."""
    if tag == "report_shuffler_fault" and rules.irreg.shuffler_fault in ("void_hands", "void_round_or_hands"):
        return _VOIDS[tag]
    return "invalidate_disruption" if tag == "invalidate_round" else tag


def _roles(rules: Rulebook, command: type, case: str | None = None) -> tuple[str, ...]:
    if command in LEFT_TO_THE_OPERATOR and rules.irreg.void_by == "operator":
        return ("operator",)
    least: Staff = getattr(rules.authority, case or _case(rules, _tag(command)))
    return (least,) if command in DEALERS and not rules.authority.higher else at_least(least)


def _second(rules: Rulebook, act: str) -> Second:
    """The second signature that an act needs: none for what the book itself does, one for a void by judgement."""
    command = _COMMANDS[_ENGINE.get(act, act)]
    if command is c.Rule:
        return "for_a_void_after_the_result"
    if command is c.ReportShufflerFault and rules.irreg.shuffler_fault == "reshuffle":
        return "none"
    if command is c.ReportShufflerFault and rules.irreg.shuffler_fault == "reshuffle_void_hands":
        return "for_a_void_after_the_result"
    return "after_the_result" if command in SIGNED else "none"


def _fields(rules: Rulebook, incident: Incident, act: str, actions: tuple[str, ...]) -> tuple[str, ...]:
    """`box`, `exposed`, `cards?`; what a field may be follows it where there is a choice, as far as the book has it."""
    told = []
    is_command = issubclass(ACTS[act], c.CommandStruct)
    for field in sorted(msgspec.structs.fields(ACTS[act]), key=lambda one: is_command and one.name in c.SIGNATURES):
        kinds = [field.type, *get_args(field.type)]
        choices = [str(one) for kind in kinds if get_origin(kind) is Literal for one in get_args(kind)]
        match act, field.name:
            case "report_extra_draw", "action" if not _is_delivered(rules, incident):
                continue
            case "report_shuffler_fault", "boxes" if rules.irreg.shuffler_fault == "reshuffle":
                continue
            case _, "wager":
                choices = [one for one in choices if getattr(rules.wager, one, True)]
            case "rule", "action":
                choices = list(actions) or [one for one in choices if one != _DRY_SHOE]
        is_needed = field.required or (field.name == "boxes" and rules.irreg.shuffler_fault == "void_hands")
        name = field.encode_name + ("" if is_needed else "?")
        told.append(f"{name} = {' | '.join(choices)}" if choices else name)
    return tuple(told)


_DRY_SHOE = "shuffle_discards"
"""The ruling on a shoe that ran dry, and on nothing else."""


def _is_delivered(rules: Rulebook, incident: Incident) -> bool:
    """Whether somebody says where a card that was drawn in error goes: an exposed one, if the book leaves it open."""
    return "irreg.exposed_extra" in incident.topics and rules.irreg.exposed_extra in get_args(c.Delivery)


def _paraphrase(rules: Rulebook, clause: str) -> str:
    if clause in rules.notes:
        return house_line(rules, clause).partition(f"{clause}: ")[2]
    return load_clauses()[clause].text


def others(mine: Ruling, books: Sequence[Rulebook], incident: Incident) -> list[list[Ruling]]:
    """What other books do, those that do the same together; the ones that do as this book come first.

    Where a book is silent it stands apart from those that say so.
    """
    told = [rule_on(rules, incident) for rules in books if rules.id != mine.rulebook]
    groups = [
        group
        for is_silent in (False, True)
        for group in group_rulings([one for one in told if one.silent == is_silent])
    ]
    return sorted(groups, key=lambda group: not group[0].is_as(mine))


def group_rulings(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    groups: dict[tuple[str, ...], list[Ruling]] = {}
    for told in rulings:
        groups.setdefault(_gist(told), []).append(told)
    return list(groups.values())


def list_data(rules: Rulebook | None = None) -> dict[str, Any]:
    """Every incident; with a rulebook, what it has done about each."""
    listed: list[dict[str, Any]] = [
        {"incident": one.slug, "group": GROUPS[one.group], "what": one.what}
        | (_listed_ruling(rules, one) if rules else {})
        for one in INCIDENTS
    ]
    return ({"rulebook": rules.id, "edition": rules.edition} if rules else {}) | {"incidents": listed}


def _listed_ruling(rules: Rulebook, incident: Incident) -> dict[str, Any]:
    told = rule_on(rules, incident)
    return {
        "ruling": told.ruling,
        "clauses": list(told.clauses),
        "silent": told.silent,
        "ambiguities": list(ambiguities(told)),
        "partly": list(told.partly),
    }


def ambiguities(told: Ruling) -> tuple[str, ...]:
    """The unclear passages behind what the book is silent about."""
    return tuple(dict.fromkeys(leaf.ambiguity for leaf in told.leaves if leaf.supplied and leaf.ambiguity))


def as_data(told: Ruling) -> dict[str, Any]:
    """One ruling for JSON."""
    data: dict[str, Any] = msgspec.to_builtins(told)
    wagers = {"open": data.pop("open"), "settled": data.pop("settled")}
    clauses = [{"id": clause, "text": text} for clause, text in data.pop("clauses").items()]
    see = [{"id": clause, "text": text} for clause, text in data.pop("see").items()]
    return {**data, **({"says": SILENT} if told.silent else {}), "wagers": wagers, "clauses": clauses, "see": see}


def ruling_data(told: Ruling, elsewhere: list[list[Ruling]]) -> dict[str, Any]:
    """One ruling for JSON, with what other books do."""
    return {
        **as_data(told),
        "others": [
            {
                "rulebooks": [one.rulebook for one in group],
                "is_same": group[0].is_as(told),
                "silent": group[0].silent,
                "clauses": {one.rulebook: list(one.clauses) for one in group},
                "ruling": group[0].ruling,
                "cards": group[0].cards,
                "wagers": {"open": group[0].open, "settled": group[0].settled},
            }
            for group in elsewhere
        ],
    }
