"""Every report in every phase of every book: it is taken or refused for a reason, never an error, and play goes on.

A round with ties and wars is dealt card by card; at each of its moments every report is tried with fields that fit
and with fields that do not, and from each table that came of one the round is played to its end.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from casinowar.cards import Card
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.view import Viewer, view
from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook
from casinowar.words.refusals import REASONS

pytestmark = pytest.mark.slow

PLAYERS = ("ana", "ben", "cat")
SHUFFLERS: dict[str, tuple[dict[str, Any], ...]] = {
    "nz": ({}, {"shoe.shuffler": "batch_auto"}, {"shoe.shuffler": "continuous"}),
    "wa": ({}, {"shoe.shuffler": "continuous"}, {"irreg.wrong_wager_until": "war"}),
    "ctg": ({},),
    "ca": ({},),
    "ma": ({}, {"shoe.shuffler": "batch_auto"}, {"wager.progressive": True}),
}
CASES = [(book, options) for book in BOOKS for options in SHUFFLERS[book]]
NINE, TEN, TWO = Card("9h"), Card("Th"), Card("2c")


def money(table: Table) -> int:
    bank = table.bank.chips if table.bank else 0
    return sum(table.players.values()) + table.house + table.escrow + bank


def done(rules: Rulebook, table: Table, command: c.Command) -> Table:
    answer = step(rules, table, command)
    assert not isinstance(answer, Refusal), (command, answer)
    return answer[1]


def bets(rules: Rulebook) -> Iterator[c.Command]:
    """Ana and ben on boxes of their own and cat where she may, with a side wager each."""
    sides: list[c.WagerName] = [wager for wager in ("tie", "progressive") if getattr(rules.wager, wager)]
    if rules.bank.by == "player":
        yield c.SeatPlayer(player="cat", box=3)
        yield c.AcceptBank(player="cat", box=3, stake=50_000)
    for box, player in enumerate(PLAYERS, 1):
        for wager in ("initial", *sides) if player != "cat" or rules.bank.by == "house" else ():
            yield c.PlaceWager(player=player, box=box, wager=wager, amount=1000)
    yield c.NoMoreBets()


def face_of(rules: Rulebook, table: Table, burn: str | None) -> Card | None:
    """Ties on the first cards, and no tie on the second ones."""
    if burn is not None:
        turned = burn in ("opening", "midround") and rules.shoe.initial_burn == "face_up_plus_value"
        return TWO if turned else None
    return TEN if table.round.at_war and table.queue[:1] != (0,) else NINE


def following(rules: Rulebook, table: Table) -> c.Command | None:
    """What somebody does next: the dealer's own step, or a choice of whoever is waited for."""
    steps = procedure(rules, table)
    if not steps:
        return None
    first = steps[0]
    match first.act:
        case "rule":
            return c.Rule(action="stand", reason="go on")
        case "decide":
            assert first.player is not None
            assert first.box is not None
            return c.GoToWar(player=first.player, box=first.box)
        case "cut":
            return c.Cut(player=first.player, position=60) if first.command is None else first.command
        case "invite" | "offer_bank":
            return None
    if first.turns_card:
        card = table.held or face_of(rules, table, first.burn)
        return c.Deal(cards=(card,), hold=True)
    return first.command


@cache
def moments(book: str, index: int) -> tuple[Table, ...]:
    """The table before, in and after a round, at every step of it."""
    rules = load_rulebook(book, SHUFFLERS[book][index])
    table = done(rules, Table(), c.OpenTable(limit=c.Limit(minimum=500, maximum=5000, unit=500)))
    for player in PLAYERS:
        table = done(rules, table, c.BuyIn(player=player, amount=100_000))
    found = [table]
    plan = list(bets(rules))
    while plan or not table.round.is_over:
        is_betting = table.phase == "betting" and table.shuffle is None and plan
        command = plan.pop(0) if is_betting else following(rules, table)
        assert command is not None
        table = done(rules, table, command)
        found.append(table)
    found.append(done(rules, table, c.CloseTable()) if not rules.notice.close else table)
    return tuple(found)


def reports() -> Iterator[c.Command]:
    boxes = (-1, 0, 1, 2, 3, 99)
    for card in (None, NINE, Card("Ks")):
        yield c.ReportFaceUpCard(card=card)
        yield c.ReportDamagedCard(card=card)
        for exposed in (False, True):
            for action in (None, "forward", "dealer_next", "burn"):
                yield c.ReportExtraDraw(exposed=exposed, card=card, action=action)
    for box in boxes:
        for action in ("forward", "dealer_next", "burn"):
            yield c.ReportMisdelivered(box=box, action=action)  # type: ignore[arg-type]
        yield c.ReportMissedHand(box=box)
        yield c.ReportShufflerFault(boxes=(box,))
    yield c.ReportShufflerFault(boxes=(1, 1, 2))
    for player in ("ana", "cat", "zoe", ""):
        for box in (0, 1, 2, 9):
            for cards in (-1, 0, 1, 3, 4, 6, 10**6):
                yield c.ReportMissedOffer(player=player, box=box, cards=cards)
            yield c.ReportMissedOffer(player=player, box=box, cards=4, faces=(None, None, None, TEN))
            yield c.ReportMissedOffer(player=player, box=box, cards=2, faces=(TEN,))
            for wager in ("initial", "tie", "war", "war_tie", "a_bomb", "war_perfect_pairs", "progressive"):
                for amount in (-5, 0, 1, 700, 1200, 9000, 10**9):
                    yield c.ReportWager(player=player, box=box, wager=wager, amount=amount)
        yield c.ReportContravention(player=player, reason="a device")
    yield c.ReportContravention(player="ana", reason="")
    yield c.ReportShufflerFault()
    yield c.ReportForgottenBurn()
    yield c.ReportMissingCutCard()
    yield c.ReportMissedShuffle()
    yield c.ReportExposedBeforeShoe()


REPORTS = tuple(reports())
Answer = tuple[list[Event], Table] | Refusal
Answered = tuple[c.Command, Answer]


def answered(rules: Rulebook, table: Table) -> list[Answered]:
    """Every report at this table, with what the engine says to it."""
    return [(command, step(rules, table, command)) for command in REPORTS]


def with_incidents(rules: Rulebook, tables: tuple[Table, ...]) -> Iterator[tuple[Table, list[Answered]]]:
    """These, and the first table of each kind of incident that then waits for a ruling; each with all reports."""
    kinds: set[tuple[str, str]] = set()
    for table in tables:
        answers = answered(rules, table)
        yield table, answers
        for _, answer in answers:
            if isinstance(answer, Refusal) or answer[1].incident is None:
                continue
            kind = (answer[1].incident.kind, table.phase)
            if kind not in kinds:
                kinds.add(kind)
                yield answer[1], answered(rules, answer[1])


def played_out(rules: Rulebook, table: Table) -> Table:
    """To the end of the round, or to where no shoe is left."""
    for _ in range(400):
        if table.round.is_over or table.is_closed or table.phase == "betting":
            return table
        command = following(rules, table)
        assert command is not None
        answer = step(rules, table, command)
        if isinstance(answer, Refusal) and isinstance(command, c.GoToWar):
            answer = step(rules, table, c.Surrender(player=command.player, box=command.box))
        assert not isinstance(answer, Refusal), (command, answer)
        table = answer[1]
    raise AssertionError("the round does not end")


def test_the_reports_are_all_there() -> None:
    """A report that is new in the engine is tried here as well."""
    tried = {type(command) for command in REPORTS}
    known = {kind for name, kind in vars(c).items() if name.startswith("Report")}
    assert tried == known


@pytest.mark.parametrize(("book", "index"), [(book, SHUFFLERS[book].index(options)) for book, options in CASES])
def test_the_round_goes_through_every_phase(book: str, index: int) -> None:
    phases = {table.phase for table in moments(book, index)}
    rules = load_rulebook(book, SHUFFLERS[book][index])
    wanted = {"betting", "dealing", "deciding", "war_betting"} | (
        {"closed"} if rules.betting.closes == "call" else set()
    )
    assert phases >= wanted


def try_reports(book: str, index: int) -> None:
    """From tables that are the same in everything the round goes on in the same way, and is played out once."""
    rules = load_rulebook(book, SHUFFLERS[book][index])
    taken: set[type] = set()
    gone_on: set[bytes] = set()
    for table, answers in with_incidents(rules, moments(book, index)):
        for command, answer in answers:
            if isinstance(answer, Refusal):
                assert answer.reason in REASONS, (command, answer)
                continue
            events, after = answer
            taken.add(type(command))
            assert events
            assert money(after) == after.bought_in, (command, table.phase)
            if (written := msgspec.msgpack.encode(after)) in gone_on:
                continue
            gone_on.add(written)
            procedure(rules, after)
            view(rules, after, Viewer("player", "ana"))
            end = played_out(rules, after)
            assert money(end) == end.bought_in, (command, table.phase)
            assert end.escrow == 0 or not end.round.is_over, (command, table.phase)
    assert {c.ReportFaceUpCard, c.ReportExtraDraw, c.ReportWager} <= taken


@pytest.mark.parametrize(("book", "index"), [(book, SHUFFLERS[book].index(options)) for book, options in CASES])
def test_every_report_is_taken_or_refused_with_a_reason(book: str, index: int) -> None:
    try_reports(book, index)


def raises(table: Table, command: c.Command, answer: Answer) -> Answer:
    if isinstance(command, c.ReportMissedHand) and table.phase == "deciding":
        raise KeyError(command.box)
    return answer


def gives_a_unit(table: Table, command: c.Command, answer: Answer) -> Answer:
    if isinstance(answer, Refusal) or not isinstance(command, c.ReportExtraDraw):
        return answer
    return answer[0], msgspec.structs.replace(answer[1], house=answer[1].house + 1)


def has_no_reason(table: Table, command: c.Command, answer: Answer) -> Answer:
    return Refusal("so it is") if isinstance(answer, Refusal) and table.phase == "war_betting" else answer


@pytest.mark.parametrize("errs", [raises, gives_a_unit, has_no_reason])
def test_an_engine_that_errs_over_one_report_is_found(
    monkeypatch: pytest.MonkeyPatch, errs: Callable[[Table, c.Command, Answer], Answer]
) -> None:
    """The twins."""
    right = step

    def wrong(rules: Rulebook, table: Table, command: c.Command) -> Answer:
        answer = right(rules, table, command)
        return errs(table, command, answer) if command in REPORTS else answer

    monkeypatch.setitem(globals(), "step", wrong)
    with pytest.raises((AssertionError, KeyError)):
        try_reports("nz", 0)
