"""Every round of a table's log, exported alone, replays to the money that the ledger posted for it."""

import json
import operator
import os
import random
from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from casinowar.cards import DECK, Card
from casinowar.dealers import RealTable
from casinowar.dealers import record_of as session_record
from casinowar.dealers.session import Session
from casinowar.engine import Event, Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.dealing import draws_due
from casinowar.fairness.shuffle import practice_shuffles
from casinowar.history.round_record import ToldRound, told_round
from casinowar.records import Replay, parse_record, read_json, read_toml, replay
from casinowar.records.write import book_of, format_record
from casinowar.rulebooks import Rulebook, load_rulebook
from casinowar.store import CashedOut, Recalled, stand
from casinowar.store.events import OWN
from tests.engine.test_incident_machine import PLAYERS, READINGS, TROUBLES, WAGERS, Bet, Floor, Plan, Trouble
from tests.support.commandline import run
from tests.support.logged_nights import STREAM, AutomaticNight, LiveNight, Taken, written
from tests.support.real_night import PLAYERS as REAL_PLAYERS
from tests.support.real_night import Night, as_told
from tests.support.witness import sound

pytestmark = pytest.mark.slow

NIGHTS = int(os.environ.get("NIGHTS", "40"))
"""Per book and kind of night."""

BOOKS = ("nz", "wa", "ctg", "ma", "ca")
ENDS = e.RoundEnded | e.RoundVoided | e.RoundInvalidated | e.RoundAmended
CHIPS = f"chips:{STREAM}:"


class Played:
    """One round as the log has it, told by versions alone: what was settled, and what the ledger held before and after.

    The ledger's postings are a second witness beside the engine: nothing of them goes into a record.
    """

    def __init__(self, log: list[Recalled], number: int) -> None:
        night = folded(log)
        first = max([at for which, at in night.ends if which < number], default=night.opened)
        last = max(at for which, at in night.ends if which == number)
        while last + 1 < len(log) and not isinstance(log[last + 1].event, OWN):
            last += 1
        while not isinstance(log[first + 1].event, OWN):
            first += 1
        self.log = log[first + 1 : last + 1]
        self.opening, self.closing = night.held[first], night.held[last]
        self.before, self.after = night.tables[first], night.tables[last]

    @property
    def events(self) -> list[Event]:
        return [one.event for one in self.log if not isinstance(one.event, OWN)]


class Folded:
    """A log, folded once for all of its rounds: the table and what the ledger held after each version."""

    def __init__(self, log: list[Recalled]) -> None:
        self.log = tuple(log)
        self.ends = [(one.event.number, at) for at, one in enumerate(log) if isinstance(one.event, ENDS)]
        self.opened = next(at for at, one in enumerate(log) if isinstance(one.event, e.TableOpened))
        self.tables: list[Table] = []
        self.held: list[Counter[str]] = []
        table, held = Table(), Counter[str]()
        for one in log:
            table, held = stand(table, one.event), Counter(held)
            for posting in one.postings:
                held[posting.account] += posting.amount
            self.tables.append(table)
            self.held.append(held)

    def is_of(self, log: list[Recalled]) -> bool:
        return len(self.log) == len(log) and all(map(operator.is_, self.log, log))


LAST: list[Folded] = []


def folded(log: list[Recalled]) -> Folded:
    """The log that was folded last, if it is this one: a test asks for round after round of the same night."""
    if not (LAST and LAST[0].is_of(log)):
        LAST[:] = [Folded(log)]
    return LAST[0]


def chips(held: Counter[str], players: Iterable[str]) -> dict[str, int]:
    return {player: held[CHIPS + player] for player in players}


def settled(events: Iterable[Event]) -> list[tuple[Any, ...]]:
    """Every wager that was settled or reversed, in order."""
    return [
        (one.wager, one.box, one.player, one.outcome, one.amount, one.odds, one.paid, one.returned, one.items)
        if isinstance(one, e.WagerSettled)
        else (one.wager, one.box, one.player, "reversed", one.amount)
        for one in events
        if isinstance(one, e.WagerSettled | e.WagerReversed)
    ]


def replayed(record: dict[str, Any]) -> Replay:
    return replay(parse_record(record))


def story(again: Replay) -> list[Event]:
    """What the record's acts led to, without its opening."""
    events = [told.event for told in again.story]
    return events[next(at for at, one in enumerate(events) if isinstance(one, e.TableResumed)) + 1 :]


def check_hidden(told: ToldRound, player: str = "") -> None:
    """As one player may see it: the same wagers and cards come to the same, and no chips of others are told."""
    whole = replayed(told.record)
    newcomers = [act["player"] for act in told.record["acts"] if act["do"] == "buy_in"]
    player = player or next(iter([*newcomers, *told.record["players"]]), "nobody")
    hidden = told.for_player(player)
    again = replayed(hidden)
    assert again.table.players.get(player, 0) == whole.table.players.get(player, 0), "one's own chips are as they were"
    assert settled(story(again)) == settled(story(whole))
    assert not again.refusals or len(again.refusals) == len(whole.refusals)
    assert not any(act["do"] in ("buy_in", "cash_out") for act in hidden["acts"] if act.get("player") != player)


def check(log: list[Recalled], number: int) -> dict[str, Any]:
    """The record of the round, after it has given the same money, meter, bank, events and table as the log."""
    told, expected = told_round(log, number), Played(log, number)
    record = told.record
    if number == 1 or number % 3 == 0:
        check_hidden(told)
    assert record["players"] == chips(expected.opening, record["players"])
    again = replayed(record)
    assert not again.refusals, (number, again.refusals[0], record["acts"][again.refusals[0].act])
    assert settled(story(again)) == settled(expected.events)
    assert again.table.players == chips(expected.closing, again.table.players)
    floats = f"float:{STREAM}"
    assert again.table.house == expected.closing[floats] - expected.opening[floats]
    assert again.table.meter == expected.closing[f"meter:{STREAM}"]
    assert (again.table.bank.chips if again.table.bank else 0) == expected.closing[f"bank:{STREAM}"]
    assert as_told(story(again)) == as_told(expected.events)
    assert seen(again.table) == seen(expected.after)
    return record


def seen(table: Table) -> Table:
    """The table without what a record does not carry: the float before, and the faces in the rack.

    No maximum for one kind of wager, beside a maximum for the others, is one that nobody reaches.
    """
    discards = sum(len(cards) for _, cards in table.rack)
    limits = {kind: replace(own, maximum=own.maximum or 2**53) for kind, own in table.limits.items()}
    return replace(table, house=0, bought_in=0, rack=((0, (None,) * discards),), limits=limits)


def rounds_of(log: list[Recalled]) -> list[int]:
    return sorted({one.event.number for one in log if isinstance(one.event, ENDS)})


class LoggedFloor(Floor):
    """The floor of the incident machine, which keeps what it did."""

    def __init__(self, book: str, plan: Plan) -> None:
        self.taken: list[Taken] = []
        super().__init__(book, plan)

    def do(self, command: c.Command, stack: tuple[Card, ...] = ()) -> bool:
        done = self.witness.do(command, stack)
        if isinstance(done, Refusal):
            return False
        self.taken.append((command, done))
        return True


def plan(book: str, seed: int) -> Plan:
    chance = random.Random(f"{book} {seed}")
    sides: list[str] = [wager for wager in WAGERS if wager not in ("initial", "war")]
    return Plan(
        options=tuple(sound({key: chance.choice(values) for key, values in READINGS[book].items()}).items()),
        bets=tuple(
            Bet(
                chance.choice(PLAYERS),
                chance.randint(1, 4),
                chance.choice(["initial"] * 8 + sides),
                500 * chance.randint(1, 6),
            )
            for _ in range(chance.randint(2, 12))
        ),
        troubles=(),
        stake=chance.choice((4000, 1500, 20_000)),
        ranks=chance.randint(1, 4),
        cards=chance.choice((chance.randint(1, 14), chance.randint(20, 60))),
        cut=chance.choice((None, chance.randint(0, 12))),
        seed=seed,
    )


def night_of_incidents(book: str, seed: int, rounds: int = 5) -> list[Recalled]:
    """Rounds in which something goes wrong now and then, also after they have ended."""
    chance = random.Random(seed)
    floor = LoggedFloor(book, plan(book, seed))
    for _ in range(rounds):
        troubles = tuple(
            Trouble(chance.randint(0, 16), chance.choice(sorted(TROUBLES)), chance.randrange(2**20))
            for _ in range(chance.randint(0, 3))
        )
        floor.bet()
        if not floor.table.round.wagers or floor.table.round.is_over:
            break
        floor.finish(troubles)
    return written(floor.witness.rules, PLAYERS, floor.taken, seed)


@pytest.mark.parametrize("book", BOOKS)
def test_every_round_of_a_night_with_incidents_replays_to_the_same_money(book: str) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(NIGHTS):
        log = night_of_incidents(book, seed)
        for number in rounds_of(log):
            check(log, number)
        kinds.update(e.name(one.event) for one in log if not isinstance(one.event, OWN))
        kinds["reloaded"] += sum(reloads(Played(log, number)) for number in rounds_of(log))
    told = {"round_ended", "round_voided", "hand_voided", "wager_reversed", "war_declared", "shoe_loaded"}
    assert told <= set(kinds) or NIGHTS < 40, told - set(kinds)
    assert kinds["reloaded"] or NIGHTS < 40, "no shoe ran dry in the middle of a round"


def reloads(round_: Played) -> int:
    """How often the shoe ran dry while the round was dealt."""
    table, times = round_.before, 0
    for one in round_.log:
        times += isinstance(one.event, e.ShoeLoaded) and table.phase == "dealing"
        table = stand(table, one.event)
    return times


REAL: tuple[tuple[str, dict[str, object]], ...] = (
    ("nz", {}),
    ("nz", {"shoe.shuffler": "continuous"}),
    ("wa", {}),
    ("ctg", {}),
    ("ma", {"wager.progressive": True, "shoe.cut_first_card": "shuffle_now"}),
    ("ca", {}),
)


def night_of_real_cards(book: str, options: dict[str, object], seed: int, steps: int = 150) -> list[Recalled]:
    """Faces typed in as they are turned, wrongly at first now and then; burns unseen; the cutting card as it shows."""
    taken: list[Taken] = []
    do = RealTable.do

    def kept(real: RealTable, command: c.Command) -> list[Event] | Refusal:
        done = do(real, command)
        if not isinstance(done, Refusal):
            taken.append((command, done))
        return done

    rules = load_rulebook(book, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RealTable, "do", kept)
        Night(rules, random.Random(seed), trouble=0.1 * (seed % 3)).play(steps)
    return written(rules, REAL_PLAYERS, taken, seed)


@pytest.mark.parametrize(("book", "options"), REAL)
def test_every_round_of_a_night_with_real_cards_replays_to_the_same_money(
    book: str, options: dict[str, object]
) -> None:
    kinds: set[str] = set()
    for seed in range(NIGHTS // 4):
        log = night_of_real_cards(book, options, seed)
        for number in rounds_of(log):
            record = check(log, number)
            kinds |= {str(act["do"]) for act in record["acts"]}
            burned = [one for one in Played(log, number).events if isinstance(one, e.CardBurned)]
            faces = " ".join((record["shoe"], *record["later_shoes"])).split()
            assert faces.count("xx") >= sum(one.card is None for one in burned) or record["before"].get("held")
    assert {"deal", "go_to_war", "surrender", "load_shoe"} <= kinds


AUTOMATIC: tuple[tuple[str, dict[str, object]], ...] = (
    ("nz", {}),
    ("nz", {"shoe.shuffler": "continuous", "shoe.decks": 4}),
    ("nz", {"shoe.shuffler": "batch_auto"}),
    ("wa", {"wager.a_bomb": True, "wager.perfect_pairs": True}),
    ("wa", {"shoe.shuffler": "continuous"}),
    ("ctg", {}),
    ("ma", {"wager.progressive": True}),
    ("ma", {"shoe.shuffler": "batch_auto", "shoe.cut_first_card": "shuffle_now"}),
    ("ca", {"wager.war_tie": True}),
    ("ca", {"bank.model": "revolving"}),
)


def directed(night: AutomaticNight) -> None:
    """What the floor does between rounds: time, signs, new limits, a new dealer, seats, grants."""
    chance = night.chance
    orders: list[c.Command] = [
        c.Tick(seconds=chance.choice((1, 30, 900, 1800))),
        c.AnnounceLimits(minimum=1000, maximum=10_000),
        c.ChangeLimits(minimum=1000, maximum=10_000, basis="notice", by="operator:o1"),
        c.ChangeLimits(minimum=500, maximum=20_000, basis="agreed", consents=("ana", "ben", "cat", "dan", "eva")),
        c.ChangeDealer(dealer=chance.choice(("dee", "dora"))),
        c.VacateSeat(player=chance.choice(PLAYERS)),
        c.SeatPlayer(player=chance.choice(PLAYERS), box=chance.choice((2, 4, 6))),
        c.GrantMultiBox(player="ana", boxes=2),
        c.SetBettorsPerArea(bettors=2),
        c.SupervisorShuffle(reason="discretion"),
        c.DirectBoxMax(amount=9_000),
        c.FlagPartnership(players=("ana", "ben")),
        c.AnnounceClosing(minutes=chance.choice((10, 25))),
        c.VoidPlayer(player=chance.choice(PLAYERS), reason="a device", by="operator:o1", second="supervisor:s2"),
        c.VoidRound(reason="seen on camera", by="supervisor:s1", second="supervisor:s2"),
        c.InvalidateRound(cause="fire", by="operator:o1", second="supervisor:s2"),
        c.IdleSpread(),
        c.ReportDamagedCard(card=DECK[0]),
    ]
    if not night.table.floor.clock:
        night.may(orders[0])
    elif chance.random() < 0.5:
        night.may(chance.choice(orders))


@pytest.mark.parametrize(("book", "options"), AUTOMATIC)
def test_every_round_of_an_automatic_night_replays_to_the_same_money(book: str, options: dict[str, object]) -> None:
    """Whole shoes that run dry in the end, several bettors at a box, chips that come and go within a round."""
    acts: set[str] = set()
    bettors = 0
    for seed in range(NIGHTS // 10):
        night = AutomaticNight(load_rulebook(book, options), seed)
        night.play(12, directed)
        log = night.log.read()
        for number in rounds_of(log):
            record = check(log, number)
            acts |= {str(act["do"]) for act in record["acts"]}
            closed = [one for one in Played(log, number).events if isinstance(one, e.BettingClosed)]
            bettors = max([bettors, *(len(who) for one in closed for who in one.bettors.values())])
    assert {"buy_in", "cash_out", "place_wager", "deal", "tick"} <= acts or NIGHTS < 40, acts
    assert bettors > 1 or book in ("ctg", "ma", "ca")


LIVE: tuple[tuple[str, dict[str, object]], ...] = (
    ("nz", {}),
    ("nz", {"shoe.shuffler": "continuous"}),
    ("wa", {"wager.perfect_pairs": True}),
    ("ctg", {}),
    ("ma", {"wager.progressive": True}),
    ("ca", {}),
)


@pytest.mark.parametrize(("book", "options"), LIVE)
def test_every_round_of_a_live_table_replays_to_the_same_money(book: str, options: dict[str, object]) -> None:
    """Its shoes are sealed, so that the log has no face of a burn and neither has any record."""
    log = LiveNight(book, options, seed=1).play(max(8, NIGHTS // 2))
    acts = {str(act["do"]) for number in rounds_of(log) for act in check(log, number)["acts"]}
    assert {"seat_player", "buy_in", "load_shoe", "place_wager", "deal"} <= acts


HOUSE = """
extends = "nz"
title = "Two notices"
version = "a house rulebook"

[payout.war]
on_tie = "3:1"
"""


def played(rules: Rulebook, seed: int, rounds: int = 8) -> list[Recalled]:
    night = AutomaticNight(rules, seed)
    night.play(rounds, directed)
    return night.log.read()


def test_a_round_under_a_house_rulebook_stands_alone(tmp_path: Path) -> None:
    """The file is gone when the record is read, and the war that ties is still paid as the house had it."""
    file = tmp_path / "notices.toml"
    file.write_text(HOUSE)
    rules = load_rulebook(str(file))
    log = played(rules, 1)
    file.unlink()
    for number in rounds_of(log):
        record = check(log, number)
        assert record["rulebook"] == rules.id
        assert record["book"]["leaves"]["payout.war.on_tie"] == {"value": "3:1", "clauses": ["HOUSE-payout.war.on_tie"]}
        assert parse_record(record).rulebook.leaves == rules.leaves
        assert parse_record(record).rulebook.notes == rules.notes


@pytest.mark.parametrize("book", ["ca", "ma"])
def test_the_record_of_a_house_rulebook_cites_a_lost_tie_by_its_case(tmp_path: Path, book: str) -> None:
    """A tie wager lost by a higher card rests on one clause, and lost by a lower card on another, in a record too."""
    file = tmp_path / "house.toml"
    file.write_text(f'extends = "{book}"\ntitle = "A house"\nversion = "1"\n\n[payout.tie]\non_win = "11:1"\n')
    rules = load_rulebook(str(file))
    cited = set[tuple[str, ...]]()
    for log in (played(rules, seed) for seed in (1, 2)):
        for number in rounds_of(log):
            for event in story(replayed(told_round(log, number).record)):
                if isinstance(event, e.WagerSettled) and event.wager == "tie" and event.outcome == "lose":
                    cited.add(event.clauses)
        assert parse_record(told_round(log, 1).record).rulebook.lost_ties == rules.lost_ties
    by_case = {cell.clauses for (wager, _), cell in rules.lost_ties.items() if wager == "tie"}
    # The players of these nights bet on a tie in Massachusetts only.
    assert cited or book == "ca"
    assert cited <= by_case
    assert len(by_case) == 2
    assert all(len(clauses) == 1 for clauses in by_case)


def announce_decks(night: AutomaticNight) -> None:
    """A sign for other decks after the second round, time for it to stand, and a shuffle."""
    match night.table.round.number:
        case 2:
            night.must(c.AnnounceDecks(decks=4, perfect_pairs="P4a" if night.rules.wager.perfect_pairs else None))
            night.must(c.Tick(seconds=3600))
        case 4:
            night.must(c.ReplaceCards(by="operator:o1"))


@pytest.mark.parametrize("is_house", [False, True])
def test_a_round_in_which_the_decks_change_replays_alone(tmp_path: Path, is_house: bool) -> None:
    """The fifth round begins with 6 decks and is dealt from 4; its record under a house rulebook holds both books."""
    file = tmp_path / "house.toml"
    file.write_text('extends = "wa"\ntitle = "House"\nversion = "1"\n\n[payout.war]\non_tie = "3:1"\n')
    rules = load_rulebook(str(file) if is_house else "wa", {"wager.perfect_pairs": True, "shoe.decks": 6})
    night = AutomaticNight(rules, 3)
    night.play(7, announce_decks)
    log = night.log.read()
    file.unlink()
    for number in rounds_of(log):
        record = check(log, number)
        decks = [parse_record(record).rulebook.shoe.decks]
        decks += [book.shoe.decks for book in parse_record(record).later_books]
        changes = [one for one in Played(log, number).events if isinstance(one, e.DecksChanged)]
        assert [one.decks for one in changes] == ([4] if number == 5 else [])
        assert decks == ([4] if number > 5 else [6, 4] if number == 5 and is_house else [6])
        assert ("change_decks" in [act["do"] for act in record["acts"]]) == (number == 5)


def test_a_packaged_book_that_has_changed_since_is_held_by_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    log = played(load_rulebook("nz", {"war.burn": 0}), 2)
    assert told_round(log, 1).record["options"] == {"war.burn": 0}
    monkeypatch.setattr("casinowar.history.round_record._compared", {})
    monkeypatch.setattr("casinowar.history.round_record._packaged", lambda book, edition, options: "another book")
    record = told_round(log, 1).record
    assert "options" not in record
    assert settled(story(replayed(record))) == settled(Played(log, 1).events)


@pytest.mark.parametrize("book", BOOKS)
def test_the_command_line_replays_a_round_to_the_same_balances(book: str, tmp_path: Path) -> None:
    log = played(load_rulebook(book), 4)
    for number in rounds_of(log)[::3]:
        record, expected = told_round(log, number).record, Played(log, number)
        for suffix, read in ((".json", read_json), (".toml", read_toml)):
            text = format_record(record, suffix)
            told = {key: part for key, part in read(text).items() if part not in ({}, [])}
            assert told == {key: part for key, part in record.items() if part not in ({}, [])}
            file = tmp_path / f"round{suffix}"
            file.write_text(text)
            ran = run("replay", "--json", "--strict", str(file))
            assert ran.status == 0, ran.err
            balances = json.loads(ran.out)["balances"]
            house = balances.pop("house")
            assert balances == chips(expected.closing, balances)
            assert house == expected.closing[f"float:{STREAM}"] - expected.opening[f"float:{STREAM}"]
            assert [one["number"] for one in json.loads(ran.out)["rounds"]] == [number]
            assert f"Round {number}" in run("replay", str(file)).out


def test_the_command_line_replays_a_house_rulebook_from_the_record_alone(tmp_path: Path) -> None:
    house = tmp_path / "gone.toml"
    house.write_text(HOUSE)
    log = played(load_rulebook(str(house)), 5)
    house.unlink()
    for suffix in (".json", ".toml"):
        file = tmp_path / f"round{suffix}"
        file.write_text(format_record(told_round(log, 2).record, suffix))
        ran = run("replay", "--json", "--strict", str(file))
        assert ran.status == 0, ran.err
        balances = json.loads(ran.out)["balances"]
        balances.pop("house")
        assert balances == chips(Played(log, 2).closing, balances)


# Twins: what is altered must show.


def outcome(record: dict[str, Any]) -> tuple[Any, ...]:
    again = replayed(record)
    return settled(story(again)), again.table.players, again.table.meter, again.table.round, again.refusals


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_with_one_card_altered_comes_to_other_money(book: str) -> None:
    """The dealer's card of a round without a war changes places with the lowest or the highest that can beat it."""
    log = played(load_rulebook(book), 6, rounds=10)
    altered = 0
    for number in rounds_of(log):
        events = Played(log, number).events
        dealers = [one.card for one in events if isinstance(one, e.CardDealt) and one.box == 0]
        initials = [one.outcome for one in events if isinstance(one, e.WagerSettled) and one.wager == "initial"]
        if len(dealers) != 1 or not {"win", "lose"} & set(initials):
            continue
        record = told_round(log, number).record
        other = "2" if "lose" in initials else "A"
        if dealers[0][0] == other:
            continue
        twin = deepcopy(record)
        key = "later_shoes" if record["later_shoes"] else "shoe"
        text = record[key][-1] if key == "later_shoes" else record[key]
        cards = text.split()
        if dealers[0] not in cards:
            continue
        at = max(i for i, card in enumerate(cards) if card == dealers[0])
        cards[at] = next(other + suit for suit in "cdhs" if cards.count(other + suit) < 4)
        twin[key] = [*record[key][:-1], " ".join(cards)] if key == "later_shoes" else " ".join(cards)
        assert outcome(twin) != outcome(record)
        altered += 1
    assert altered >= 3


def spot(act: dict[str, Any]) -> tuple[Any, ...]:
    return act.get("box"), act.get("wager"), act.get("player")


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_with_one_act_altered_or_left_out_comes_to_something_else(book: str) -> None:
    log = played(load_rulebook(book), 7, rounds=6)
    altered = 0
    for number in rounds_of(log):
        record = told_round(log, number).record
        withdrawn = [spot(act) for act in record["acts"] if act["do"] == "withdraw_wager"]
        for at, act in enumerate(record["acts"]):
            if spot(act) in withdrawn:
                continue
            if act["do"] in ("place_wager", "buy_in", "cash_out", "go_to_war", "surrender", "accept_bank"):
                left_out = {**record, "acts": [*record["acts"][:at], *record["acts"][at + 1 :]]}
                if act.get("amount") != 0:
                    assert outcome(left_out) != outcome(record), act
                    altered += 1
            if act.get("amount"):
                more = {**record, "acts": [*record["acts"][:at], {**act, "amount": act["amount"] + 500}]}
                more["acts"] += record["acts"][at + 1 :]
                assert outcome(more) != outcome(record), act
                altered += 1
    assert altered > 20


# What a record is of.


def table_with(*taken: c.Command, book: str = "nz", shoe: str = "", **options: object) -> list[Recalled]:
    """A log of these commands, at a table in the middle of whose shoe nothing is unusual; `deal` brings its faces."""
    rules = load_rulebook(book, {key.replace("__", "."): value for key, value in options.items()})
    night = AutomaticNight(rules, 9)
    night.play(1)
    for command in taken:
        night.must(command)
    return night.log.read()


def bet(player: str, box: int, amount: int = 1000) -> c.PlaceWager:
    return c.PlaceWager(player=player, box=box, wager="initial", amount=amount)


def faces(*cards: str) -> c.Deal:
    return c.Deal(cards=tuple(Card(card) for card in cards))


def test_a_round_that_was_voided_after_its_end_is_a_void_round() -> None:
    """Two sign it, and what ana won of the house goes back with the stake."""
    void = c.VoidRound(reason="the camera shows it", by="operator:o1", second="supervisor:s2")
    log = table_with(c.BuyIn(player="ana", amount=50_000), bet("ana", 2), faces("Kh", "9d"), c.Tick(seconds=5), void)
    record = check(log, 2)
    assert [act["do"] for act in record["acts"]] == ["buy_in", "place_wager", "deal", "tick", "void_round"]
    assert record["acts"][-1]["second"] == "supervisor:s2"
    again = replayed(record)
    assert again.table.players["ana"] == record["players"]["ana"] + 50_000
    unsigned = {**record, "acts": [*record["acts"][:-1], {**record["acts"][-1], "second": "supervisor:o1"}]}
    assert [one.reason for one in replayed(unsigned).refusals] == ["same_person"]


SEEN: dict[str, Any] = {"by": "operator:o1", "second": "supervisor:s2"}
LATE: dict[str, tuple[c.Command, ...]] = {
    book: (c.VoidRound(reason="seen on camera", **SEEN), *(c.InvalidateRound(cause="fire", **SEEN) for _ in fires))
    for book, fires in {"nz": (), "wa": (1,), "ctg": (), "ma": ()}.items()
}
LATE["wa"] += (c.VoidPlayer(player="ana", reason="a device", **SEEN),)


def a_war(night: AutomaticNight, second: str, *, carried_at: int) -> None:
    """Ana ties and goes to war with this second card against a nine; at one point she carries chips off."""
    box = next(box for box in range(1, 8) if night.table.seats.get(box, "ana") == "ana")
    faces_due = {box: (Card("9h"), Card(second)), 0: (Card("9d"), Card("9s"))}
    deals: c.Command | None = None
    plan = (c.BuyIn(player="ana", amount=50_000), bet("ana", box), deals, c.GoToWar(player="ana", box=box), deals)
    for at, command in enumerate(plan):
        if at == carried_at:
            night.log.write(CashedOut("ana", 1_000))
        if command is None:
            is_war = bool(night.table.round.at_war)
            drawn = draws_due(night.rules, night.table)
            command = c.Deal(cards=tuple(faces_due[draw][is_war] if isinstance(draw, int) else None for draw in drawn))
        night.must(command)


@pytest.mark.parametrize("second", ["Kh", "2h", "9c"])
@pytest.mark.parametrize(("book", "void"), [(book, void) for book, voids in LATE.items() for void in voids])
def test_a_war_that_is_void_after_chips_were_carried_away_replays_to_the_same_money(
    book: str, void: c.Command, second: str
) -> None:
    """Ana carries chips away at every point of the round; before the void she has enough left to give back."""
    for point in range(1, 6):
        night = AutomaticNight(load_rulebook(book), 9)
        night.play(1)
        a_war(night, second, carried_at=point)
        if point == 5:
            is_lost = second == "2h"
            night.log.write(CashedOut("ana", night.table.players["ana"] if is_lost else 1_000))
        night.must(void)
        log = night.log.read()
        record = check(log, 2)
        for player in PLAYERS:
            check_hidden(told_round(log, 2), player)
        assert "cash_out" in [act["do"] for act in record["acts"]]
        assert "go_to_war" in [act["do"] for act in record["acts"]]
        outcomes = {laid.outcome for laid in replayed(record).table.round.wagers.values()}
        assert outcomes == {"void"}, "everything of the round is void"


@pytest.mark.parametrize("second", ["Kh", "2h", "9c"])
@pytest.mark.parametrize("whose", ["bank", "bettor", "both"])
def test_so_does_one_against_a_player_who_banks(whose: str, second: str) -> None:
    night = AutomaticNight(load_rulebook("ca"), 9)
    night.play(1)
    for player in PLAYERS[:3]:
        night.must(c.BuyIn(player=player, amount=50_000))
    night.take_bank()
    assert night.table.bank is not None
    bank = night.table.bank.player
    box, bettor = next((box, player) for box, player in night.table.seats.items() if player != bank)
    deals: c.Command | None = None
    for command in (bet(bettor, box), deals, c.GoToWar(player=bettor, box=box), deals):
        if command is None:
            is_war = bool(night.table.round.at_war)
            faces_due = {box: ("9h", second)}
            drawn = draws_due(night.rules, night.table)
            turned = [faces_due.get(draw, ("9d", "9s"))[is_war] if isinstance(draw, int) else None for draw in drawn]
            command = c.Deal(cards=tuple(None if face is None else Card(face) for face in turned))
        night.must(command)
    assert night.table.round.is_over
    for player in {"bank": (bank,), "bettor": (bettor,), "both": (bank, bettor)}[whose]:
        night.log.write(CashedOut(player, 1_000))
    night.must(LATE["nz"][0])
    log = night.log.read()
    check(log, 2)
    for player in PLAYERS:
        check_hidden(told_round(log, 2), player)


def test_an_offenders_void_belongs_to_its_round_and_not_to_the_next() -> None:
    void = c.VoidPlayer(player="ana", reason="a device", **SEEN)
    log = table_with(
        c.BuyIn(player="ana", amount=50_000), bet("ana", 2), faces("Kh", "9d"), c.Tick(seconds=5), void,
        bet("ana", 2), faces("2h", "9d"), book="wa",
    )  # fmt: skip
    record = check(log, 2)
    assert [act["do"] for act in record["acts"]] == ["buy_in", "place_wager", "deal", "tick", "void_player"]
    assert replayed(record).table.players["ana"] == record["players"]["ana"] + 50_000
    assert [act["do"] for act in check(log, 3)["acts"]] == ["place_wager", "deal"]


@pytest.mark.parametrize("pairs", [True, False])
def test_a_session_whose_decks_have_changed_is_written_with_those_it_was_opened_with(pairs: bool) -> None:
    """Two rounds of 6 decks, one of 4: the record begins with 6 and replays to the same chips."""
    rules = load_rulebook("wa", {"wager.perfect_pairs": pairs})
    session = Session(rules, practice_shuffles("decks"), c.Limit(minimum=500, maximum=20_000))
    session.buy_in("ana", 100_000)
    for number in range(1, 5):
        assert not isinstance(session.do(bet("ana", 1)), Refusal)
        while not session.table.round.is_over:
            if session.is_cut_due:
                session.cut_in_the_middle()
            session.deal()
            if session.table.phase == "deciding":
                session.do(c.GoToWar(player="ana", box=1))
        if number == 2:
            notice = c.AnnounceDecks(decks=4, perfect_pairs="P4a" if pairs else None)
            for command in (notice, c.Tick(seconds=3600), c.ReplaceCards(by="operator:o1")):
                assert not isinstance(session.do(command), Refusal)
    assert [len(stack.cards) for stack in session.stacks] == [6 * 52, 4 * 52]
    record = session_record(session)
    again = replayed(record)
    assert not again.refusals
    assert again.table.players == session.table.players
    assert again.table.floor.decks == 4


def test_what_follows_the_end_belongs_to_the_next_round() -> None:
    log = table_with(
        bet("ana", 2), faces("Kh", "9d"), c.ChangeDealer(dealer="dee"), c.BuyIn(player="ana", amount=900),
        bet("ana", 2), faces("2h", "9d"),
    )  # fmt: skip
    assert [act["do"] for act in check(log, 2)["acts"]] == ["place_wager", "deal"]
    assert [act["do"] for act in check(log, 3)["acts"]] == ["change_dealer", "buy_in", "place_wager", "deal"]


def test_a_sealed_burn_has_no_face_even_where_the_command_told_it() -> None:
    """Three cards are burned before the war, and only the hands were seen."""
    log = table_with(
        c.BuyIn(player="ana", amount=5000), bet("ana", 2), faces("Kh", "Kd"), c.GoToWar(player="ana", box=2),
        faces("As", "Ac", "Ah", "Qh", "Jh"),
    )  # fmt: skip
    record = check(log, 2)
    assert record["shoe"].split()[:7] == ["Kh", "Kd", "xx", "xx", "xx", "Qh", "Jh"]
    assert not {"As", "Ac", "Ah"} & set(record["shoe"].split())


def test_cards_that_went_back_into_the_shoe_come_once_in_the_record() -> None:
    """The war was dealt without asking; its cards are the next ones again, and the second war is dealt from them."""
    war = c.GoToWar(player="ana", box=2)
    burns = c.Deal(cards=(None, None, None, Card("Qh")), hold=True)
    log = table_with(
        c.BuyIn(player="ana", amount=5000), bet("ana", 2), faces("Kh", "Kd"), war, burns,
        c.ReportMissedOffer(player="ana", box=2, cards=4), war, burns, c.Deal(cards=(Card("Jh"),)),
    )  # fmt: skip
    record = check(log, 2)
    assert record["shoe"].split()[:8] == ["Kh", "Kd", "xx", "xx", "xx", "Qh", "Jh", "xx"]
    assert len(record["shoe"].replace("cut ", "").split()) == Played(log, 2).before.shoe_left


def test_a_deal_that_the_dealer_signed_goes_as_far_as_it_went() -> None:
    """The settlement follows the last card in the same command, or waits for the next one."""
    at_once = c.Deal(cards=(Card("Kh"), Card("9d")), by="dealer:d1")
    log = table_with(bet("ana", 2), at_once)
    assert check(log, 2)["acts"][-1] == {"do": "deal", "cards": 2, "hold": False, "by": "dealer:d1"}
    held, rest = replace(at_once, hold=True), c.Deal(by="dealer:d1")
    log = table_with(bet("ana", 2), held, c.Tick(seconds=3), rest)
    deals = [act for act in check(log, 2)["acts"] if act["do"] == "deal"]
    assert deals == [
        {"do": "deal", "cards": 2, "by": "dealer:d1"},
        {"do": "deal", "cards": 0, "hold": False, "by": "dealer:d1"},
    ]


def test_a_card_seen_before_it_was_burned_has_its_face() -> None:
    """Drawn in error and seen by all, it is the next card, and the next card is the first of the war's burns."""
    log = table_with(
        c.BuyIn(player="ana", amount=5000), bet("ana", 2), faces("Kh", "Kd"), c.GoToWar(player="ana", box=2),
        c.ReportExtraDraw(exposed=True, card=Card("7s")),
        c.Deal(cards=(None, None, None, Card("Qh"), Card("Jh"))), book="wa",
    )  # fmt: skip
    assert check(log, 2)["shoe"].split()[:7] == ["Kh", "Kd", "7s", "xx", "xx", "Qh", "Jh"]


def play_out(night: AutomaticNight) -> None:
    while not night.table.round.is_over:
        night.go_on(lambda night: None)


def test_who_declined_the_bank_before_a_late_void_has_declined_it_in_the_next_round() -> None:
    """Ana banked round 1 and is asked again; she declines, round 1 is void, and then it is ben's turn, not hers."""
    night = AutomaticNight(load_rulebook("ca"), 12)
    for player in ("ana", "ben", "cat"):
        night.must(c.BuyIn(player=player, amount=50_000))
    night.must(c.AcceptBank(player="ana", box=2, stake=9000))
    night.must(bet("ben", 4))
    play_out(night)
    night.must(c.DeclineBank(player="ana"))
    night.must(c.VoidRound(reason="late", by="supervisor:s1", second="supervisor:s2"))
    night.must(c.AcceptBank(player="ben", box=4, stake=9000))
    night.must(bet("ana", 2))
    play_out(night)
    log = night.log.read()
    record = check(log, 2)
    assert record["before"]["bank_declined"] == ["ana"]
    twin = {**record, "before": {**record["before"], "bank_declined": []}}
    assert [one.reason for one in replayed(twin).refusals][:1] == ["bank_not_offered"]


def test_there_is_no_record_of_a_round_that_is_not_over() -> None:
    log = table_with(bet("ana", 2), faces("Kh", "9d"), bet("ana", 2))
    assert told_round(log, 2).record["before"]["rounds"] == 1
    for number in (0, -1, 3, 99):
        with pytest.raises(LookupError, match=f"no round {number} that is over"):
            told_round(log, number)


def test_a_log_without_its_commands_or_its_rules_is_no_source() -> None:
    log = table_with(bet("ana", 2), faces("Kh", "9d"))
    with pytest.raises(LookupError, match="no rules stand in the log"):
        told_round(log[1:], 2)
    untold = [one for one in log if not isinstance(one.event, OWN) or not hasattr(one.event, "command")]
    with pytest.raises(LookupError, match="does not tell the command behind version"):
        told_round(untold, 2)


# Records that somebody has changed.

CHANGED = int(os.environ.get("CHANGED", "600"))

UNSOUND: dict[str, tuple[dict[str, Any], str]] = {
    "a stranger has arrived": ({"arrivals": ["zoe"]}, "before.arrivals"),
    "a grant to a stranger": ({"grants": {"zoe": 2}}, "zoe"),
    "a held card that is none": ({"held": "1x"}, "before"),
    "a held card nobody saw": ({"held": "xx"}, "before.held"),
    "a bank at a house-banked table": (
        {"bank": {"player": "ana", "box": 1, "stake": 1, "chips": 1, "left": 1}},
        "before.bank",
    ),
    "decks that the book has not": ({"floor": {"decks_notice": {"decks": 99, "since": 0}}}, "decks_notice"),
    "a clock before time": ({"floor": {"clock": -1}}, "before.floor"),
    "an unknown sign": ({"floor": {"sign": 1}}, "sign"),
    "a step that no book has": ({"prepared": ["juggle"]}, "prepared"),
    "more cards than there are": ({"shoe_left": 10**9}, "fewer than 100,000"),
    "fewer discards than none": ({"discards": -1}, "before"),
    "an incident with no card": ({"incident": {"kind": "damaged_card", "card": "zz"}}, "before"),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_a_table_that_cannot_have_stood_so_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    changes, word = UNSOUND[name]
    record = told_round(table_with(bet("ana", 2), faces("Kh", "9d")), 2).record
    file = tmp_path / "round.json"
    file.write_text(format_record({**record, "before": {**record["before"], **changes}}, ".json"))
    ran = run("replay", str(file))
    assert word in ran.error


def test_a_record_with_anything_changed_is_refused_or_replayed_and_never_breaks() -> None:
    """Mostly something of the same type, so that it gets past the reading."""
    chance = random.Random(8)
    values: tuple[Any, ...] = (-1, 0, 3, 8, 10**9, 10**40, "", "xx", "Kh", "zoe", "ana", True, None, [], {}, ["ana"])
    answers: Counter[str] = Counter()
    logs = [night_of_incidents(book, 3) for book in BOOKS]
    records = [told_round(log, number).record for log in logs for number in rounds_of(log)]
    for _ in range(CHANGED):
        record = deepcopy(chance.choice((*records, book_record())))
        for _ in range(chance.randint(1, 3)):
            holder, key = chance.choice(places(record))
            like = [value for value in values if type(value) is type(holder[key])]
            holder[key] = deepcopy(chance.choice(like if like and chance.random() < 0.9 else values))
        try:
            replayed(record)
            answers["replayed"] += 1
        except ValueError as error:
            answers["refused"] += "\n" not in str(error)
    assert answers.total() == CHANGED
    assert min(answers.values()) > CHANGED // 10, answers


@cache
def book_record() -> dict[str, Any]:
    record = told_round(played(load_rulebook("nz"), 1, rounds=2), 2).record
    return {**{key: part for key, part in record.items() if key != "options"}, "book": book_of(load_rulebook("nz"))}


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in the record where something stands."""
    found: list[tuple[Any, Any]] = []
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        found += [(data, key), *places(part)]
    return found
