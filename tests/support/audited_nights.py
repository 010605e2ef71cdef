"""Nights for the audit's tests: a house in which everything happens that an audit looks at, and one told otherwise."""

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

from casinowar.cards import DECK
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.fairness import practice_bytes
from casinowar.house.house import Who
from casinowar.house.journal import RoleRequest
from casinowar.house.settings import TableSettings
from casinowar.protocol import Done, Refused
from casinowar.store import MemoryStore, Proposal, Recalled, Recorded, Store
from tests.support.live_night import STAFF, Night, table

PEOPLE = ("ann", "ben", "cat")
QUICK = {"pause": 0, "card": 0}
SHOE = table("t", "nz", options={"shoe.decks": 4}, timers=QUICK)
CONTINUOUS = table("c", "nz", options={"shoe.decks": 4, "shoe.shuffler": "continuous"}, timers=QUICK)


def open_night(*tables: TableSettings, store: Store | None = None) -> Night:
    """A house whose staff have their roles by the operator's requests, and one who has lost it again."""
    night = Night(*tables, store=store, source=practice_bytes("audit"))
    wanted = [(account, role) for account, roles in sorted(STAFF.items()) for role in sorted(roles)]
    requests = [RoleRequest(n, *one, True, "console", "for tonight") for n, one in enumerate(wanted, start=1)]
    requests += [RoleRequest(90, "zed", "dealer", True, "console", "on trial")]
    night.house.import_roles([*requests, RoleRequest(91, "zed", "dealer", False, "console", "went home")])
    return night


def done(answer: Done | Refused) -> None:
    assert isinstance(answer, Done), answer


def play_night(store: Store, rounds: int = 4) -> Night:
    """Two tables and a third that is opened later; a shoe voided and others played out; purses, limits, staff."""
    chance = random.Random(11)
    night = open_night(SHOE, CONTINUOUS, store=store)
    night.sit(*PEOPLE)
    night.play(rounds, PEOPLE, chance)
    night.until_ready()
    night.must("sue", "supervisor", "the cards look marked", do="supervisor_shuffle", reason="suspect")
    night.play(rounds, PEOPLE, chance)
    _staff(night)
    night.sit("dan", table="c")
    for _ in range(2):
        night.until_ready("c")
        night.bet("dan", table="c")
        night.until_over("c")
    _purses(night)
    night.house = night.open()
    night.come(*PEOPLE)
    night.until_tie("ann", "ben")
    for box, player in night.live.table.round.asked:
        night.must(player, do="go_to_war", player=player, box=box)
    night.until(lambda: night.live.table.round.is_over)
    night.must("cat", do="leave")
    return night


def _staff(night: Night) -> None:
    night.until_ready()
    night.must("sam", "supervisor", "a spill", do="pause")
    night.must("sam", "supervisor", "dry again", do="resume")
    night.until_tie("ann", "ben")
    refused = night.act("una", "operator", "the wrong cards came out", do="void_round", reason="as ruled")
    assert isinstance(refused, Refused), refused
    assert refused.request is not None, refused
    night.must("sam", "supervisor", "I saw it", do="countersign", request=refused.request)
    opened = table("late", "wa", timers=QUICK)
    done(night.house.open_table(Who("una", STAFF["una"]), "open-late", opened, "a full house"))


def _purses(night: Night) -> None:
    oz = Who("oz", STAFF["oz"])
    done(night.house.fund(oz, "fund-1", "ann", 5_000, "a prize"))
    done(night.house.fund(oz, "fund-2", "ann", -2_000, "a prize too large"))
    done(night.house.set_limits("ben", "limits-1", 90_000, 600))
    done(night.house.take_break("dan", "break-1", 30))


def deal_by_hand(night: Night, name: str, player: str, rounds: int, chance: random.Random) -> None:
    """A dealer who takes each step, with faces as they come where the cards are real, and one player."""
    night.sit(player, table=name)
    live = night.at(name)
    for _ in range(120 * rounds):
        if live.rounds_done == rounds:
            return
        phase, asked = live.table.phase, live.table.round.asked
        if phase == "betting" and live.is_ready and not live.table.has_wagers and not is_shuffle_due(live.table):
            night.bet(player, table=name)
        elif phase == "deciding" and asked:
            night.must(player, table=name, do="go_to_war", player=player, box=asked[0][0])
        else:
            answer = night.act("dora", "dealer", table=name, do="next")
            if isinstance(answer, Refused):
                _help_dealer(night, name, player, answer, chance)
            night.wait(20_000)
    raise AssertionError((name, live.rounds_done, answer))


def _help_dealer(night: Night, name: str, player: str, refused: Refused, chance: random.Random) -> None:
    match refused.code:
        case "card_unseen":
            night.act("dora", "dealer", table=name, do="enter", card=chance.choice(DECK))
        case "cut_due":
            night.act(player, table=name, do="cut", player=player, position=100)
        case "second_signature_due":
            night.act("sam", "supervisor", "as I saw", table=name, do="countersign", request=refused.request)


Change = Callable[[Recalled], Iterable[Recorded]]


Forged = TypeVar("Forged", bound=Store)


def retold(store: Store, change: Change, seeds: Callable[[str], bytes | None] | None = None) -> MemoryStore:
    """The same log written anew in memory."""
    return retell(store, change, MemoryStore(), seeds)


def retell(store: Store, change: Change, forged: Forged, seeds: Callable[[str], bytes | None] | None = None) -> Forged:
    """The same log written anew with other events, as one could who has the program and every key.

    Chains, postings and balances are all in order then; only what the events say can give it away.
    """
    seed_of = seeds or store.seed
    for stream, actor, command, recalled in _commands(store):
        events = tuple(event for one in recalled for event in change(one))
        kept = tuple((one, seed) for one in _commitments(events) if (seed := seed_of(one)) is not None)
        forged.commit(
            Proposal(
                stream=stream,
                expected=forged.version(stream),
                actor=actor,
                command=command,
                body=b"",
                answer="",
                events=events,
                seeds=kept,
            )
        )
    return forged


def _commitments(events: Iterable[Recorded]) -> list[str]:
    return [event.commitment for event in events if hasattr(event, "commitment")]


def _commands(store: Store) -> Iterable[tuple[str, str, str, list[Recalled]]]:
    recalled = sorted((one for stream in store.streams() for one in store.read(stream)), key=lambda one: one.position)
    together: list[Recalled] = []
    for one in recalled:
        if together and (one.actor, one.command) != (together[0].actor, together[0].command):
            yield together[0].stream, together[0].actor, together[0].command, together
            together = []
        together.append(one)
    if together:
        yield together[0].stream, together[0].actor, together[0].command, together
