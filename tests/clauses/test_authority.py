"""Whose each command of staff is: every book's table, written from its source, against every command and every role."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, decide, step
from casinowar.engine import commands as c
from casinowar.engine.roles import STAFF, at_least, case_of
from casinowar.engine.signatures import OWN
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook
from casinowar.rulebooks.authority import AuthorityRules
from casinowar.rulebooks.load import load_data, raw_leaves, read_book

SPOT: dict[str, Any] = {"player": "ana", "box": 1, "wager": "initial"}

COMMANDS: dict[str, c.Command] = {
    "open_betting": c.OpenBetting(),
    "called_wager": c.PlaceWager(**SPOT, amount=500, called=True),
    "no_more_bets": c.NoMoreBets(),
    "deal": c.Deal(),
    "settle": c.Settle(),
    "end_round": c.EndRound(),
    "confirm_war_wager": c.ConfirmWarWager(player="ana", box=1),
    "correct_card": c.CorrectCard(card=Card("2c")),
    "show_cut_card": c.ShowCutCard(),
    "offer_bank": c.OfferBank(player="ana"),
    "rotate_bank": c.RotateBank(),
    "surrender": c.Surrender(player="ana", box=1, reason="absent"),
    "inspect_cards": c.InspectCards(),
    "verify_cards": c.VerifyCards(),
    "spread_for_inspection": c.SpreadForInspection(),
    "wash": c.Wash(),
    "shuffle": c.Shuffle(),
    "swap_batch": c.SwapBatch(),
    "offer_cut": c.OfferCut(player="ana"),
    "cut": c.Cut(position=100),
    "decline_cut": c.DeclineCut(player="ana"),
    "place_marker": c.PlaceMarker(from_back=78),
    "load_shoe": c.LoadShoe(cards=312),
    "initial_burn": c.InitialBurn(),
    "idle_spread": c.IdleSpread(),
    "change_dealer": c.ChangeDealer(dealer="d2"),
    "shuffle_vacant": c.SupervisorShuffle(reason="vacant"),
    "shuffle_suspect": c.SupervisorShuffle(reason="suspect"),
    "shuffle_discretion": c.SupervisorShuffle(reason="discretion"),
    "replace_cards": c.ReplaceCards(),
    "replace_damaged": c.ReplaceCards(cards=(Card("2c"),)),
    "open_table": c.OpenTable(),
    "resume_table": c.ResumeTable(),
    "buy_in": c.BuyIn(player="ana", amount=1),
    "seat_player": c.SeatPlayer(player="ana", box=1),
    "vacate_seat": c.VacateSeat(player="ana"),
    "grant_multi_box": c.GrantMultiBox(player="ana", boxes=2),
    "revoke_multi_box": c.RevokeMultiBox(player="ana"),
    "set_bettors_per_area": c.SetBettorsPerArea(bettors=2),
    "direct_box_max": c.DirectBoxMax(amount=500),
    "direct_player_max": c.DirectPlayerMax(amount=500),
    "tick": c.Tick(seconds=1),
    "announce_limits": c.AnnounceLimits(minimum=500),
    "change_limits": c.ChangeLimits(minimum=500, basis="empty"),
    "announce_decks": c.AnnounceDecks(decks=8),
    "announce_closing": c.AnnounceClosing(),
    "close_table": c.CloseTable(),
    "report_face_up_card": c.ReportFaceUpCard(),
    "report_extra_draw": c.ReportExtraDraw(exposed=False),
    "report_misdelivered": c.ReportMisdelivered(box=1, action="burn"),
    "report_missed_hand": c.ReportMissedHand(box=1),
    "report_missed_offer": c.ReportMissedOffer(player="ana", box=1, cards=0),
    "report_forgotten_burn": c.ReportForgottenBurn(),
    "report_missing_cut_card": c.ReportMissingCutCard(),
    "report_missed_shuffle": c.ReportMissedShuffle(),
    "report_exposed_before_shoe": c.ReportExposedBeforeShoe(),
    "report_damaged_card": c.ReportDamagedCard(),
    "report_wager": c.ReportWager(**SPOT, amount=500),
    "report_contravention": c.ReportContravention(player="ana", reason="late"),
    "report_shuffler_fault": c.ReportShufflerFault(),
    "shuffler_fault_void": c.ReportShufflerFault(boxes=(1,)),
    "reconstruct": c.Reconstruct(moves=(c.Move(origin=1, to=-1),)),
    "void_hand": c.VoidHand(box=1),
    "void_player": c.VoidPlayer(player="ana"),
    "void_round": c.VoidRound(),
    "invalidate_disruption": c.InvalidateRound(cause="fire"),
    "invalidate_fraud": c.InvalidateRound(cause="fraud"),
    "release_players": c.ReleasePlayers(players=("ana",)),
    "rule": c.Rule(action="stand", reason="seen"),
    "rule_void": c.Rule(action="void_hand", reason="seen", box=1),
    "exclude_player": c.ExcludePlayer(player="ana"),
    "flag_partnership": c.FlagPartnership(players=("ana", "ben")),
}
"""A command of staff for each case that a book can name apart."""

HOUSE = {
    **dict.fromkeys(COMMANDS, "dealer"),
    **dict.fromkeys(
        ("surrender", "verify_cards", "shuffle_vacant", "shuffle_suspect", "shuffle_discretion", "buy_in"), "supervisor"
    ),
    **dict.fromkeys(("seat_player", "vacate_seat", "grant_multi_box", "revoke_multi_box"), "supervisor"),
    **dict.fromkeys(("set_bettors_per_area", "direct_box_max", "direct_player_max"), "supervisor"),
    **dict.fromkeys(("announce_limits", "change_limits", "announce_decks", "announce_closing"), "supervisor"),
    **dict.fromkeys(("report_shuffler_fault", "shuffler_fault_void", "reconstruct", "void_hand"), "supervisor"),
    **dict.fromkeys(("void_player", "void_round", "release_players", "rule", "rule_void"), "supervisor"),
    **dict.fromkeys(("exclude_player", "flag_partnership"), "supervisor"),
    **dict.fromkeys(("replace_cards", "replace_damaged", "open_table", "resume_table"), "operator"),
    **dict.fromkeys(("invalidate_disruption", "invalidate_fraud"), "operator"),
}
"""The least role where the book names nobody."""

NAMED: dict[str, dict[str, tuple[str, ...]]] = {
    "nz": {
        "called_wager": ("dealer", "NZ-5.12-ii"),  # the dealer has time to place it
        "no_more_bets": ("dealer", "NZ-8.4"),
        "initial_burn": ("dealer", "NZ-8.3-i"),
        "deal": ("dealer", "NZ-8.4"),
        "settle": ("dealer", "NZ-8.5.1", "NZ-8.5.2"),
        "end_round": ("dealer", "NZ-8.10"),
        "inspect_cards": ("dealer", "NZ-6.1"),  # and the Game Supervisor, each alone
        "offer_cut": ("dealer", "NZ-7.3-iii"),
        "cut": ("dealer", "NZ-7.5-ii"),  # a casino employee
        "place_marker": ("dealer", "NZ-7.7a-i"),
        "load_shoe": ("dealer", "NZ-7.7"),
        "shuffle_vacant": ("manager", "NZ-7.1d"),  # the Casino Supervisor
        "shuffle_suspect": ("supervisor", "NZ-7.1e"),  # a Game Supervisor or Casino Supervisor
        "replace_cards": ("operator", "NZ-7.8"),
        "grant_multi_box": ("operator", "NZ-5.7", "NZ-5.8"),
        "revoke_multi_box": ("operator", "NZ-5.8"),
        "set_bettors_per_area": ("supervisor", "NZ-5.9-ii"),  # the Game Supervisor
        "direct_box_max": ("operator", "NZ-5.10-i"),
        "direct_player_max": ("operator", "NZ-5.10-ii"),
        "shuffler_fault_void": ("operator", "NZ-9.10"),
        "void_hand": ("operator", "NZ-9.4a"),
        "rule_void": ("operator", "NZ-9.4a"),
    },
    "wa": {
        "initial_burn": ("dealer", "WA-4.6"),
        "deal": ("dealer", "WA-4.8"),
        "settle": ("dealer", "WA-4.9", "WA-4.13"),
        "shuffle": ("dealer", "WA-4.14"),
        "vacate_seat": ("operator", "WA-6.2"),
        "grant_multi_box": ("operator", "WA-6.3"),
        "revoke_multi_box": ("operator", "WA-6.3"),
        "announce_limits": ("operator", "WA-6.4"),
        "change_limits": ("operator", "WA-6.4"),
        "announce_decks": ("manager", "WA-2.3b"),  # with the Table Games Manager's approval
        "shuffler_fault_void": ("manager", "WA-5.6"),
        "void_hand": ("operator", "WA-5.4-ii"),
        "void_player": ("operator", "WA-6.6a"),
        "exclude_player": ("operator", "WA-6.6b"),
        "rule": ("operator", "WA-6.11"),
        "rule_void": ("operator", "WA-5.4-ii", "WA-6.11"),
        "invalidate_disruption": ("operator", "WA-6.9a"),
        "invalidate_fraud": ("operator", "WA-6.9b"),
    },
    "ctg": {
        "open_betting": ("dealer", "CTG-P1"),
        "deal": ("dealer", "CTG-D1"),
        "settle": ("dealer", "CTG-F1", "CTG-F3"),
        "shuffle": ("dealer", "CTG-S1"),
        "load_shoe": ("dealer", "CTG-S3"),
        "void_hand": ("supervisor", "CTG-G6"),  # the Pit Boss, for all of these
        "void_round": ("supervisor", "CTG-G6"),
        "rule": ("supervisor", "CTG-G6"),
        "rule_void": ("supervisor", "CTG-G6"),
    },
    "ma": {
        "no_more_bets": ("dealer", "MA-7b-i"),
        "initial_burn": ("dealer", "MA-7a-i"),
        "deal": ("dealer", "MA-7c"),
        "settle": ("dealer", "MA-8a", "MA-8g"),
        "end_round": ("dealer", "MA-8h-iii"),
        "confirm_war_wager": ("dealer", "MA-8e-i"),
        "inspect_cards": ("dealer", "MA-4b-i"),
        "verify_cards": ("supervisor", "MA-4b-i"),  # the floorperson
        "shuffle": ("dealer", "MA-5a-i"),
        "offer_cut": ("dealer", "MA-5b"),
        "place_marker": ("dealer", "MA-5f-ii"),
        "shuffle_discretion": ("operator", "MA-5c4"),  # the licensee
        "release_players": ("operator", "MA-10a-iii"),  # the licensee
    },
    "ca": {
        "no_more_bets": ("dealer", "CA-DP-2a"),
        "initial_burn": ("dealer", "CA-DP-1a"),
        "deal": ("dealer", "CA-DP-5"),
        "settle": ("dealer", "CA-RP-1", "CA-RP-7"),
        "end_round": ("dealer", "CA-RP-8c"),
        "confirm_war_wager": ("dealer", "CA-RP-5a"),
    },
}
"""Whom each book names: the role, and the clauses that name it."""

CALLED: dict[str, dict[str, tuple[str, ...]]] = {
    "nz": {
        "supervisor": ("Game Supervisor", "NZ-5.9-ii", "NZ-6.1"),
        "manager": ("Casino Supervisor", "NZ-7.1d"),
        "operator": ("Casino Operator", "NZ-5.7", "NZ-9.4a"),
    },
    "wa": {
        "supervisor": ("Table Inspector", "WA-1.1-TI"),
        "manager": ("Table Games Manager", "WA-1.1-TGM"),
        "operator": ("Casino Operator", "WA-1.1-OP"),
    },
    "ctg": {"supervisor": ("Pit Boss", "CTG-G6")},
    "ma": {
        "supervisor": ("floorperson", "MA-4b-i"),
        "operator": ("licensee", "MA-5c4", "MA-10a-iii"),
    },
    "ca": {},
}
"""What each book calls a role; elsewhere it goes by its own name."""

HOUSES = {("nz", "void_round"): "operator", ("wa", "void_round"): "operator"}
"""Where the book is silent and the house does as with a hand: to void all hands is to void each of them."""

SEEN: dict[tuple[str, str], tuple[str, ...]] = {
    ("nz", "shuffle"): ("NZ-7.2b",),
    ("nz", "void_round"): ("NZ-9.4a",),
    ("nz", "rule"): ("NZ-9.4-ii",),
    ("nz", "replace_damaged"): ("NZ-9.6",),
    ("nz", "reconstruct"): ("NZ-9.4-i",),
    ("wa", "void_round"): ("WA-5.4-ii",),
    ("wa", "announce_closing"): ("WA-6.7",),
    ("wa", "replace_cards"): ("WA-2.7-i",),
    ("wa", "replace_damaged"): ("WA-2.7-i",),
    ("wa", "reconstruct"): ("WA-5.4-i",),
    ("wa", "flag_partnership"): ("WA-5.8",),
    ("ma", "report_shuffler_fault"): ("MA-10e",),
}
"""Clauses that speak of the act and name nobody for it."""

PEOPLE = {role: f"{role}:{role[0]}1" for role in ("player", "auditor", *STAFF)}


def table_under(rules: Rulebook) -> Table:
    table = Table()
    players = (c.BuyIn(player="ana", amount=100_000), c.BuyIn(player="ben", amount=100_000))
    for command in (c.OpenTable(), *players, c.ResumeTable(rounds=1, shoe_left=100)):
        done = step(rules, table, command)
        assert not isinstance(done, Refusal)
        table = done[1]
    return table


def refused_roles(rules: Rulebook, command: c.Command) -> dict[str, Refusal]:
    """The roles that are told that the command is not theirs."""
    table = table_under(rules)
    answers = {role: decide(rules, table, replace(command, by=by)) for role, by in PEOPLE.items()}
    refusals = {role: answer for role, answer in answers.items() if isinstance(answer, Refusal)}
    return {role: answer for role, answer in refusals.items() if answer.reason == "not_entitled"}


def old_reading(book: str) -> dict[str, object]:
    """Every leaf of the ambiguity as it was read before: the last of what is allowed."""
    leaves = raw_leaves(read_book(book))
    return {key: leaf["allowed"][-1] for key, leaf in leaves.items() if leaf.get("ambiguity") == "AMB-79"}


def as_stored_before(book: str) -> Rulebook:
    """A book as it was frozen before it had a table: without the leaves, and in wa with who may void."""
    data = {key: group for key, group in read_book(book).items() if key not in ("authority", "roles")}
    if book == "wa":
        clauses = ["WA-5.4-ii", "WA-6.6a", "WA-6.6b", "WA-6.11"]
        data["irreg"] = {**data["irreg"], "void_by": {"value": "operator", "clauses": clauses}}
    return load_data(data)


def test_every_case_of_every_command_of_staff_is_walked() -> None:
    rules = load_rulebook("nz")
    assert {type(command) for command in COMMANDS.values()} == set(get_args(c.Command)) - set(OWN)
    assert {case_of(rules, command) for command in COMMANDS.values()} == set(COMMANDS)
    assert set(COMMANDS) == set(AuthorityRules.__struct_fields__) - {"higher", "inspect_cards_second"}


NAMED_CASES = [
    pytest.param(book, case, role, clauses, id=f"{book}-{case}", marks=pytest.mark.clause(*clauses))
    for book, table in NAMED.items()
    for case, (role, *clauses) in table.items()
]


@pytest.mark.parametrize(("book", "case", "role", "clauses"), NAMED_CASES)
def test_a_command_takes_the_role_that_its_clause_names(book: str, case: str, role: str, clauses: list[str]) -> None:
    """Those below are refused, with the role and the clauses; those above may too, but where two are named apart."""
    rules = load_rulebook(book)
    refused = refused_roles(rules, COMMANDS[case])
    may = ("dealer",) if case == "inspect_cards" else at_least(role)  # type: ignore[arg-type]
    assert set(refused) == set(PEOPLE) - set(may)
    assert {(no.takes, no.clauses) for no in refused.values()} == {(role, tuple(clauses))}


def seen(book: str, case: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.clause(*SEEN[book, case])] if (book, case) in SEEN else []


HOUSE_CASES = [
    pytest.param(book, case, id=f"{book}-{case}", marks=seen(book, case)) for book in BOOKS for case in COMMANDS
]


@pytest.mark.parametrize(("book", "case"), HOUSE_CASES)
def test_where_the_book_names_nobody_it_is_the_houses_default(book: str, case: str) -> None:
    if case in NAMED[book]:
        assert not load_rulebook(book).leaves[f"authority.{case}"].supplied
        return
    rules = load_rulebook(book)
    # A wager found wrong is confirmed by the floor where the limits have no answer of their own.
    is_confirmed = case == "report_wager" and book in ("nz", "ca", "ma")
    role = "supervisor" if is_confirmed else HOUSES.get((book, case), HOUSE[case])
    assert set(refused_roles(rules, COMMANDS[case])) == set(PEOPLE) - set(at_least(role))  # type: ignore[arg-type]
    leaf = rules.leaves.get(f"authority.{case}")
    assert leaf is None or leaf.supplied
    assert (leaf.see if leaf else ()) == SEEN.get((book, case), ())


CHANGED = [
    pytest.param(book, case, id=f"{book}-{case}", marks=pytest.mark.clause(*clauses))
    for book, table in NAMED.items()
    for case, (role, *clauses) in table.items()
    if role != HOUSE[case] and not (book == "wa" and case in ("void_hand", "void_round", "void_player"))
    if not (book == "wa" and case in ("exclude_player", "rule", "rule_void"))
] + [pytest.param("nz", "void_round", id="nz-void_round", marks=pytest.mark.clause("NZ-9.4a"))]
"""What the book names otherwise than it was read before; of voids and rulings wa always named the operator."""


@pytest.mark.parametrize(("book", "case"), CHANGED)
def test_the_old_reading_is_an_option(book: str, case: str) -> None:
    rules = load_rulebook(book, {f"authority.{case}": HOUSE[case]})
    assert set(refused_roles(rules, COMMANDS[case])) == set(PEOPLE) - set(at_least(HOUSE[case]))  # type: ignore[arg-type]


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_stored_before_plays_by_the_old_reading(book: str) -> None:
    """And so does the book of today with every such option set so."""
    before, today = as_stored_before(book), load_rulebook(book, old_reading(book))
    assert not any(key.startswith(("authority.", "roles.")) for key in before.leaves)
    for case, command in COMMANDS.items():
        assert set(refused_roles(before, command)) == set(refused_roles(today, command)), case
    dealers = set(PEOPLE) - {"dealer"}
    assert set(refused_roles(before, c.Deal())) == dealers
    assert set(refused_roles(before, COMMANDS["surrender"])) == set(PEOPLE) - {"supervisor"}
    if book == "nz":
        assert set(refused_roles(before, c.VoidHand(box=1))) == {"player", "auditor", "dealer"}
        assert set(refused_roles(before, COMMANDS["grant_multi_box"])) == {"player", "auditor", "dealer"}


HIGHER = [pytest.param(book, marks=[pytest.mark.clause("NZ-7.1e")] if book == "nz" else []) for book in BOOKS]
"""NZ-7.1e alone names two roles for one act."""


@pytest.mark.parametrize("book", HIGHER)
def test_a_higher_role_may_do_what_a_lower_one_may(book: str) -> None:
    """By the old reading the dealer's own acts were the dealer's alone."""
    assert set(refused_roles(load_rulebook(book), c.Deal())) == {"player", "auditor"}
    alone = load_rulebook(book, {"authority.higher": False})
    assert set(refused_roles(alone, c.Deal())) == {"player", "auditor", "supervisor", "manager", "operator"}


@pytest.mark.clause("NZ-6.1")
def test_where_two_must_sign_nobody_stands_in_for_the_other() -> None:
    """The dealer and the Game Supervisor each inspect on their own: two operators are no dealer."""
    rules = load_rulebook("nz")
    table = step(rules, Table(), c.OpenTable())
    assert not isinstance(table, Refusal)
    signed = {
        ("dealer:dee", "supervisor:sue"): None,
        ("dealer:dee", "manager:mae"): "not_entitled",
        ("dealer:dee", "operator:oli"): "not_entitled",
        ("dealer:dee", "dealer:dan"): "not_entitled",
        ("supervisor:sue", "supervisor:sam"): "not_entitled",
        ("operator:oli", "supervisor:sue"): "not_entitled",
        ("supervisor:sue", "dealer:dee"): "not_entitled",
    }
    for (by, second), reason in signed.items():
        answer = decide(rules, table[1], c.InspectCards(by=by, second=second))
        assert (answer.reason if isinstance(answer, Refusal) else None) == reason, (by, second)


@pytest.mark.clause("MA-4b-i")
def test_nobody_verifies_what_they_have_inspected() -> None:
    """The dealer inspects and the floorperson verifies: one name under two roles is one person."""
    rules, table = load_rulebook("ma"), Table()
    for command in (c.OpenTable(), c.InspectCards(by="dealer:Una")):
        done = step(rules, table, command)
        assert not isinstance(done, Refusal)
        table = done[1]
    same = decide(rules, table, c.VerifyCards(by="supervisor:una"))
    assert isinstance(same, Refusal)
    assert (same.reason, same.clauses) == ("same_person", ("MA-4b-i",))
    assert not isinstance(decide(rules, table, c.VerifyCards(by="supervisor:sue")), Refusal)


CALLED_CASES = [
    pytest.param(book, role, name, id=f"{book}-{role}", marks=pytest.mark.clause(*clauses))
    for book, roles in CALLED.items()
    for role, (name, *clauses) in roles.items()
]


@pytest.mark.parametrize(("book", "role", "name"), CALLED_CASES)
def test_a_role_is_called_as_the_book_calls_it(book: str, role: str, name: str) -> None:
    assert getattr(load_rulebook(book).roles, role) == name


@pytest.mark.parametrize("book", BOOKS)
def test_other_roles_go_by_their_own_name(book: str) -> None:
    rules = load_rulebook(book)
    for role in STAFF:
        if role not in CALLED[book]:
            assert getattr(rules.roles, role) == role
