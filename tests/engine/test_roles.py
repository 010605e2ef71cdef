"""Refusals by role: every command against every role by the old reading, and where two people must sign.

Whose each command is by the books' own tables is in `tests/clauses/test_authority.py`.
"""

from typing import Any, get_args

import msgspec
import pytest

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, decide, step
from casinowar.engine import commands as c
from casinowar.rulebooks import Rulebook, load_rulebook
from tests.clauses.test_authority import old_reading

ROLES = {
    "player": "player:ana",
    "other player": "player:ben",
    "dealer": "dealer:d1",
    "supervisor": "supervisor:s1",
    "manager": "manager:m1",
    "operator": "operator:o1",
}
OWN = "player"
ANY_PLAYER = "player, other player"
DEALER = "dealer"
STAFF = "dealer, supervisor, manager, operator"
FLOOR = "supervisor, manager, operator"
OPERATOR = "operator"
SPOT: dict[str, Any] = {"player": "ana", "box": 1, "wager": "initial"}

ENTITLED: tuple[tuple[c.Command, str], ...] = (
    (c.OpenTable(), OPERATOR),
    (c.ResumeTable(), OPERATOR),
    (c.BuyIn(player="ana", amount=1), FLOOR),
    (c.SeatPlayer(player="ana", box=1), f"{OWN}, {FLOOR}"),
    (c.VacateSeat(player="ana"), f"{OWN}, {FLOOR}"),
    (c.GrantMultiBox(player="ana", boxes=2), FLOOR),
    (c.RevokeMultiBox(player="ana"), FLOOR),
    (c.AcceptBank(player="ana", box=1, stake=1000), OWN),
    (c.DeclineBank(player="ana"), OWN),
    (c.RelinquishBank(player="ana"), OWN),
    (c.OfferBank(player="ana"), DEALER),
    (c.RotateBank(), DEALER),
    (c.PlaceWager(**SPOT, amount=500), OWN),
    (c.PlaceWager(**SPOT, amount=500, called=True), DEALER),
    (c.AmendWager(**SPOT, amount=500), OWN),
    (c.WithdrawWager(**SPOT), OWN),
    (c.NoMoreBets(), DEALER),
    (c.Deal(), DEALER),
    (c.GoToWar(player="ana", box=1), OWN),
    (c.Surrender(player="ana", box=1), OWN),
    (c.Surrender(player="ana", box=1, reason="absent"), f"{OWN}, supervisor"),
    (c.OpenBetting(), DEALER),
    (c.Settle(), DEALER),
    (c.EndRound(), DEALER),
    (c.ConfirmWarWager(player="ana", box=1), DEALER),
    (c.CorrectCard(card=Card("2c")), DEALER),
    (c.Cut(player="ana", position=100), f"{OWN}, {STAFF}"),
    (c.Cut(position=100), STAFF),
    (c.DeclineCut(player="ana"), f"{OWN}, {STAFF}"),
    (c.PlaceMarker(from_back=78), DEALER),
    (c.LoadShoe(cards=312), DEALER),
    (c.InitialBurn(), DEALER),
    (c.ShowCutCard(), DEALER),
    (c.SupervisorShuffle(reason="suspect"), FLOOR),
    (c.ReplaceCards(), OPERATOR),
    (c.ChangeDealer(dealer="d2"), STAFF),
    (c.InspectCards(), DEALER),
    (c.VerifyCards(), FLOOR),
    (c.SpreadForInspection(), DEALER),
    (c.Wash(), DEALER),
    (c.Shuffle(), DEALER),
    (c.SwapBatch(), DEALER),
    (c.OfferCut(player="ana"), DEALER),
    (c.IdleSpread(), STAFF),
    (c.PlayerRequestInspect(player="ana"), OWN),
    (c.PlayerRequireFullShuffle(player="ana"), OWN),
    (c.PlayerRequestsSpread(player="ana"), OWN),
    (c.ViewInitialBurn(player="ana"), OWN),
    (c.Tick(seconds=1), STAFF),
    (c.AnnounceLimits(minimum=500), FLOOR),
    (c.ChangeLimits(minimum=500, basis="empty"), FLOOR),
    (c.AnnounceClosing(), FLOOR),
    (c.CloseTable(), STAFF),
    (c.AnnounceDecks(decks=8), FLOOR),
    (c.DirectBoxMax(amount=500), FLOOR),
    (c.DirectPlayerMax(amount=500), FLOOR),
    (c.SetBettorsPerArea(bettors=2), FLOOR),
    (c.ReportFaceUpCard(), STAFF),
    (c.ReportExtraDraw(exposed=False), STAFF),
    (c.ReportMisdelivered(box=1, action="burn"), STAFF),
    (c.ReportMissedHand(box=1), STAFF),
    (c.ReportMissedOffer(player="ana", box=1, cards=0), STAFF),
    (c.ReportForgottenBurn(), STAFF),
    (c.ReportMissingCutCard(), STAFF),
    (c.ReportMissedShuffle(), STAFF),
    (c.ReportExposedBeforeShoe(), STAFF),
    (c.ReportShufflerFault(), FLOOR),
    (c.ReportDamagedCard(), STAFF),
    (c.ReportWager(**SPOT, amount=500), FLOOR),
    (c.Reconstruct(moves=(c.Move(origin=1, to=-1),)), FLOOR),
    (c.VoidHand(box=1), FLOOR),
    (c.VoidPlayer(player="ana"), FLOOR),
    (c.VoidRound(), FLOOR),
    (c.InvalidateRound(cause="fire"), OPERATOR),
    (c.ReleasePlayers(players=("ana",)), FLOOR),
    (c.Rule(action="stand", reason="seen"), FLOOR),
    (c.ReportContravention(player="ana", reason="late"), STAFF),
    (c.ExcludePlayer(player="ana"), FLOOR),
    (c.FlagPartnership(players=("ana", "ben")), FLOOR),
)
"""Who may give each command. Chips go to a player from the floor, cards are the dealer's, wagers the bettor's own."""


def table_of(book: str, *commands: c.Command) -> tuple[Rulebook, Table]:
    rules, table = load_rulebook(book), Table()
    players = (c.BuyIn(player="ana", amount=100_000), c.BuyIn(player="ben", amount=100_000))
    for command in (c.OpenTable(), *players, *commands):
        done = step(rules, table, command)
        assert not isinstance(done, Refusal), (command, done)
        table = done[1]
    return rules, table


def refusal_of(rules: Rulebook, table: Table, command: c.Command) -> str | None:
    answer = decide(rules, table, command)
    return answer.reason if isinstance(answer, Refusal) else None


def faces(text: str, *, hold: bool = False) -> c.Deal:
    return c.Deal(cards=tuple(Card(card) for card in text.split()), hold=hold)


def bet(player: str, box: int) -> c.PlaceWager:
    return c.PlaceWager(player=player, box=box, wager="initial", amount=1000)


SHOE = c.ResumeTable(rounds=1, shoe_left=100)


def test_every_command_is_in_the_table() -> None:
    assert {type(command) for command, _ in ENTITLED} == set(get_args(c.Command))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("command", "entitled"), ENTITLED, ids=lambda one: getattr(type(one), "__name__", ""))
def test_who_may_give_a_command(command: c.Command, entitled: str, role: str) -> None:
    """Whatever else is said of it, `not_entitled` is said to those, and only those, whose command it is not."""
    for book in ("nz", "wa", "ctg", "ca", "ma"):
        _, table = table_of(book, SHOE)
        rules = load_rulebook(book, old_reading(book))
        reason = refusal_of(rules, table, msgspec.structs.replace(command, by=ROLES[role]))
        assert (reason == "not_entitled") == (role not in _entitled(book, command, entitled)), (book, reason)


def _entitled(book: str, command: c.Command, entitled: str) -> set[str]:
    """In wa the operator's own; in wa and ctg a dealer finds a wrong wager without anybody's confirmation."""
    roles = set(entitled.split(", "))
    if book == "wa" and isinstance(command, c.VoidHand | c.VoidPlayer | c.VoidRound | c.Rule | c.ExcludePlayer):
        roles -= {"supervisor", "manager"}
    if book in ("wa", "ctg") and isinstance(command, c.ReportWager):
        roles.add("dealer")
    return roles


@pytest.mark.clause("CTG-G3-i", "WA-5.7a")
@pytest.mark.parametrize("book", ["wa", "ctg"])
def test_a_dealer_finds_a_wrong_wager_where_the_book_needs_nobody_to_confirm_it(book: str) -> None:
    rules, table = table_of(book, SHOE, bet("ana", 1), faces("Kh", hold=True))
    found = c.ReportWager(**SPOT, amount=500, by="dealer:d1")
    assert refusal_of(rules, table, found) is None
    assert refusal_of(rules, table, msgspec.structs.replace(found, by="player:ana")) == "not_entitled"


@pytest.mark.parametrize("signature", ["", "cleaner:c1", "supervisor", "Supervisor:s1", "supervisors:s1", ":s1"])
def test_what_is_no_signature_entitles_nobody(signature: str) -> None:
    """A role and a person; a role alone is nobody."""
    rules, table = table_of("nz", SHOE, bet("ana", 1), faces("Kh", hold=True))
    assert refusal_of(rules, table, c.VoidRound(by=signature)) == "not_entitled"


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma", "ca"])
@pytest.mark.parametrize("player", ["player:ana", "player:ben", "player:s1"])
def test_a_player_cannot_void(book: str, player: str) -> None:
    bank = (c.AcceptBank(player="ben", box=2, stake=50_000),) if book == "ca" else ()
    rules, table = table_of(book, SHOE, *bank, bet("ana", 1), faces("Kh Kd"))
    assert table.phase == "deciding"
    voids: tuple[c.Command, ...] = (
        c.VoidHand(box=1, by=player, second="supervisor:s2"),
        c.VoidPlayer(player="ana", by=player, second="supervisor:s2"),
        c.VoidRound(by=player, second="supervisor:s2"),
        c.InvalidateRound(cause="fire", by=player, second="supervisor:s2"),
        c.ReleasePlayers(players=("ana",), by=player, second="supervisor:s2"),
        c.Rule(action="void_round", reason="mine", by=player, second="supervisor:s2"),
        c.Rule(action="void_hand", reason="mine", box=1, by=player, second="supervisor:s2"),
    )
    for command in voids:
        assert refusal_of(rules, table, command) == "not_entitled"


@pytest.mark.clause("WA-6.7")
def test_a_dealer_closes_a_table_only_after_the_floor_has_announced_it() -> None:
    rules, table = table_of("wa", SHOE, c.SeatPlayer(player="ana", box=1))
    close = c.CloseTable(by="dealer:d1")
    assert refusal_of(rules, table, close) == "notice_too_short"
    assert refusal_of(rules, table, c.AnnounceClosing(by="dealer:d1")) == "not_entitled"
    announced = (SHOE, c.SeatPlayer(player="ana", box=1), c.AnnounceClosing(by="supervisor:s1"))
    rules, table = table_of("wa", *announced, c.Tick(seconds=599))
    assert refusal_of(rules, table, close) == "notice_too_short"
    rules, table = table_of("wa", *announced, c.Tick(seconds=600))
    assert refusal_of(rules, table, close) is None
    assert refusal_of(rules, table, c.CloseTable(by="player:ana")) == "not_entitled"


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma", "ca"])
def test_a_dealer_closes_no_table_without_notice_even_an_empty_one(book: str) -> None:
    """The floor's to say in any book, also where no minutes are named."""
    rules, table = table_of(book)
    assert refusal_of(rules, table, c.CloseTable(by="dealer:d1")) == "notice_too_short"
    assert refusal_of(rules, table, c.CloseTable(by="operator:o1")) is None
    _, announced = table_of(book, c.AnnounceClosing(), c.Tick(seconds=600))
    assert refusal_of(rules, announced, c.CloseTable(by="dealer:d1")) is None


KNOWN = (SHOE, bet("ana", 1), faces("Kh Kd"))
UNKNOWN = (SHOE, bet("ana", 1), faces("Kh", hold=True))
VOIDS: tuple[tuple[str, c.Command], ...] = (
    ("nz", c.VoidHand(box=1)),
    ("nz", c.VoidRound()),
    ("nz", c.Rule(action="void_hand", reason="seen", box=1)),
    ("nz", c.Rule(action="void_round", reason="seen")),
    ("wa", c.VoidPlayer(player="ana")),
    ("wa", c.InvalidateRound(cause="fire")),
    ("ctg", c.Rule(action="void_round", reason="seen")),
    ("ma", c.VoidRound()),
)


@pytest.mark.parametrize(("book", "command"), VOIDS)
def test_a_void_after_the_result_takes_a_second_person(book: str, command: c.Command) -> None:
    """Not the same person again under another role, and not a dealer or a player."""
    rules, table = table_of(book, *KNOWN)
    signed = msgspec.structs.replace(command, by="operator:o1")
    seconds = {
        None: "second_signature_due",
        "operator:o1": "same_person",
        "supervisor:o1": "same_person",
        "dealer:d1": "not_entitled",
        "player:ben": "not_entitled",
        "operator": "not_entitled",
        "supervisor:s2": None,
        "operator:o2": None,
    }
    reasons = {who: refusal_of(rules, table, msgspec.structs.replace(signed, second=who)) for who in seconds}
    assert reasons == seconds


@pytest.mark.parametrize(("book", "command"), VOIDS)
def test_a_void_before_the_result_takes_one(book: str, command: c.Command) -> None:
    rules, table = table_of(book, *UNKNOWN)
    assert refusal_of(rules, table, msgspec.structs.replace(command, by="operator:o1")) is None
    again = msgspec.structs.replace(command, by="operator:o1", second="operator:o1")
    assert refusal_of(rules, table, again) == "same_person"


def test_a_void_of_a_round_that_is_over_takes_two() -> None:
    rules, table = table_of("nz", SHOE, bet("ana", 1), faces("Kh 2d"))
    assert table.round.is_over
    assert refusal_of(rules, table, c.VoidRound(by="operator:o1")) == "second_signature_due"
    assert refusal_of(rules, table, c.VoidRound(by="operator:o1", second="supervisor:s2")) is None


@pytest.mark.clause("NZ-9.4a")
def test_one_of_two_signatures_is_that_of_the_role_which_the_book_names() -> None:
    rules, table = table_of("nz", SHOE, bet("ana", 1), faces("Kh 2d"))
    pairs = {
        ("supervisor:s1", None): "not_entitled",
        ("supervisor:s1", "supervisor:s2"): "not_entitled",
        ("supervisor:s1", "manager:m1"): "not_entitled",
        ("supervisor:s1", "operator:o1"): None,
        ("operator:o1", "supervisor:s1"): None,
        ("dealer:d1", "operator:o1"): "not_entitled",
        ("operator:o1", "dealer:d1"): "not_entitled",
        ("supervisor:o1", "operator:o1"): "same_person",
        (None, "supervisor:s1"): "not_entitled",
        (None, "operator:o1"): None,
    }
    for (by, second), reason in pairs.items():
        assert refusal_of(rules, table, c.VoidRound(by=by, second=second)) == reason, (by, second)
    old = load_rulebook("nz", old_reading("nz"))
    assert refusal_of(old, table, c.VoidRound(by="supervisor:s1")) == "second_signature_due"
    assert refusal_of(old, table, c.VoidRound(by="supervisor:s1", second="supervisor:s2")) is None


def test_a_ruling_that_lets_it_stand_takes_one() -> None:
    rules, table = table_of("ctg", *KNOWN)
    assert refusal_of(rules, table, c.Rule(action="stand", reason="seen", by="supervisor:s1")) is None


@pytest.mark.clause("MA-10a-iii")
def test_releasing_players_after_the_result_takes_two() -> None:
    dealt = (bet("ana", 1), bet("ben", 2), faces("Kh", hold=True), c.ReportMisdelivered(box=1, action="burn"))
    rules, table = table_of("ma", SHOE, *dealt)
    release = c.ReleasePlayers(players=("ana",), by="operator:o1")
    assert refusal_of(rules, table, release) is None
    rules, table = table_of("ma", SHOE, *dealt, faces("2c 3c 4c", hold=True))
    assert refusal_of(rules, table, release) == "second_signature_due"
    assert refusal_of(rules, table, msgspec.structs.replace(release, second="supervisor:o1")) == "same_person"
    assert refusal_of(rules, table, msgspec.structs.replace(release, second="supervisor:s1")) is None


@pytest.mark.clause("NZ-6.1")
def test_new_cards_are_inspected_by_two_people() -> None:
    rules, table = table_of("nz")
    inspect = c.InspectCards(by="dealer:d1")
    seconds = {
        None: "second_signature_due",
        "dealer:d1": "same_person",
        "supervisor:d1": "same_person",
        "player:ana": "not_entitled",
        "supervisor:s1": None,
    }
    reasons = {who: refusal_of(rules, table, msgspec.structs.replace(inspect, second=who)) for who in seconds}
    assert reasons == seconds
    assert refusal_of(rules, table, c.InspectCards(by="player:ana", second="supervisor:s1")) == "not_entitled"


def test_a_refusal_for_the_role_comes_before_any_other() -> None:
    """Nobody learns from a refusal what is going on at a table that is not theirs to rule."""
    rules, table = table_of("nz")
    assert refusal_of(rules, table, c.VoidHand(box=1, by="player:ana")) == "not_entitled"
    assert refusal_of(rules, table, c.VoidHand(box=1, by="operator:o1")) == "no_hand"
    _, closed = table_of("nz", c.CloseTable())
    assert refusal_of(rules, closed, c.VoidHand(box=1, by="player:ana")) == "not_entitled"
    assert refusal_of(rules, closed, c.VoidHand(box=1, by="operator:o1")) == "table_closed"
