"""What a golden night came to, as plain data: who holds what, what each round brought, and what happened."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from casinowar.engine import events as e
from casinowar.store import BookResolved, CashedOut, Recalled, Store
from casinowar.store.events import OWN, name_of

ENDS = e.RoundEnded | e.RoundVoided | e.RoundInvalidated
CARRIED = (e.BoughtIn, CashedOut)
"""Chips that come to the table or leave it are nobody's win."""


def facts_of(store: Store) -> dict[str, Any]:
    """Everything of a store that a later version must find in it again."""
    head = store.head()
    streams = {stream: list(store.read(stream)) for stream in store.streams()}
    return {
        "head": {
            "events": head.events,
            "events_head": head.events_head.hex(),
            "commands": head.commands,
            "commands_head": head.commands_head.hex(),
        },
        "balances": dict(sorted(store.balances().items())),
        "streams": {stream: _stream(stream, recalled) for stream, recalled in streams.items()},
    }


def _stream(stream: str, recalled: list[Recalled]) -> dict[str, Any]:
    kinds = Counter(name_of(one.event) for one in recalled)
    return {
        "events": len(recalled),
        "books": [one.event.digest for one in recalled if isinstance(one.event, BookResolved)],
        "kinds": dict(sorted(kinds.items())),
        "rounds": rounds_of(stream, recalled),
    }


def rounds_of(stream: str, recalled: Iterable[Recalled]) -> dict[str, Any]:
    """Of each round how it ended at last, and what every player won or lost in it by the ledger's postings."""
    rounds: dict[str, Any] = {}
    net: Counter[str] = Counter()
    number = None
    for one in recalled:
        if isinstance(one.event, OWN) and number is not None:
            _add(rounds, number, net)
            net, number = Counter(), None
        if isinstance(one.event, ENDS):
            number = str(one.event.number)
            rounds.setdefault(number, {"end": "", "net": {}})["end"] = name_of(one.event)
        if not isinstance(one.event, CARRIED):
            net.update(_won(stream, one))
    if number is not None:
        _add(rounds, number, net)
    return rounds


def _add(rounds: dict[str, Any], number: str, net: Counter[str]) -> None:
    """A round that was voided after its end has both parts together."""
    together = Counter(rounds[number]["net"])
    together.update(net)
    rounds[number]["net"] = dict(sorted(together.items()))


def _won(stream: str, one: Recalled) -> dict[str, int]:
    chips = f"chips:{stream}:"
    won: Counter[str] = Counter()
    for posting in one.postings:
        if posting.account.startswith(chips):
            won[posting.account.removeprefix(chips)] += posting.amount
    return dict(won)


def is_kept(old: Any, new: Any) -> bool:
    """Whether all that was told before is told now and means the same; more may be told beside it.

    Clauses are not compared: a citation may be put right.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        return all(key == "clauses" or (key in new and is_kept(part, new[key])) for key, part in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(is_kept, old, new))
    return type(old) is type(new) and bool(old == new)


def numbers_of(stream: Iterable[Recalled]) -> list[int]:
    """The rounds that are over."""
    numbers: dict[int, None] = {}
    for one in stream:
        if isinstance(one.event, ENDS):
            numbers[one.event.number] = None
    with suppress(KeyError):
        del numbers[0]
    return list(numbers)
