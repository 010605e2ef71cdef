"""The view: what each viewer may see of a table, with the display clauses of the five books."""

from typing import Any

import msgspec
import pytest

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import candidates
from casinowar.engine.state import BankTurn
from casinowar.engine.view import View, Viewer, view, view_event
from casinowar.engine.view.signs import layout, signs
from casinowar.rulebooks import Rulebook, conflict, load_rulebook

ANA = Viewer("player", "ana")
WATCHER = Viewer("watcher")
BOOKS = ("nz", "wa", "ctg", "ca", "ma")
LIMIT = c.Limit(minimum=500, maximum=50_000, unit=500)


def _bet(player: str, box: int, amount: int = 1000, wager: c.WagerName = "initial") -> c.PlaceWager:
    return c.PlaceWager(player=player, box=box, wager=wager, amount=amount)


def _at(rules: Rulebook, *commands: c.Command) -> Table:
    """A table after these commands, none of which may be refused."""
    table = Table()
    opening: list[c.Command] = [c.OpenTable(limit=LIMIT)]
    opening += [c.BuyIn(player=who, amount=100_000) for who in ("ana", "ben", "cat")]
    return _step(rules, table, *opening, *commands)


def _dealt(rules: Rulebook, *faces: str, bank: bool = False) -> Table:
    """Ana on box 1 and ben on box 2 with 1000 each, and these cards turned one after the other."""
    start: list[c.Command] = [c.AcceptBank(player="cat", box=3, stake=50_000)] if bank else []
    start += [_bet("ana", 1), _bet("ben", 2), c.Cut(player="cat" if bank else "ana", position=100)]
    table = _at(rules, *start, c.LoadShoe(cards=312, cut_card=200, presumed=True))
    return _turned(rules, table, *faces)


def _turned(rules: Rulebook, table: Table, *faces: str) -> Table:
    for face in faces:
        done = step(rules, table, c.Deal(cards=(None if face == "xx" else Card(face),)))
        assert not isinstance(done, Refusal), (face, done)
        table = done[1]
    return table


def _step(rules: Rulebook, table: Table, *commands: c.Command) -> Table:
    for command in commands:
        done = step(rules, table, command)
        assert not isinstance(done, Refusal), (command, done)
        table = done[1]
    return table


def _shown(seen: View) -> str:
    return msgspec.json.encode(seen).decode()


@pytest.mark.clause("NZ-3.2")
@pytest.mark.clause("NZ-3.3a")
@pytest.mark.clause("NZ-3.3b")
def test_every_wager_that_is_offered_has_its_own_labelled_spot() -> None:
    rules = load_rulebook("nz")
    spots = {spot.wager: spot.label for spot in layout(rules, _at(rules))}
    assert spots == {"initial": "Casino War", "war": "Go to War", "tie": "Tie"}
    perth = load_rulebook("wa", {"wager.a_bomb": False})
    offered = [spot.wager for spot in layout(perth, _at(perth))]
    assert offered == ["initial", "war", "tie", "perfect_pairs", "war_perfect_pairs"]


@pytest.mark.clause("CA-TAB-3")
@pytest.mark.clause("CTG-B6")
def test_the_tie_has_a_spot_of_its_own_and_the_main_one_is_war_in_the_guide() -> None:
    bank, guide = load_rulebook("ca"), load_rulebook("ctg")
    assert [spot.label for spot in layout(bank, _at(bank)) if spot.wager == "tie"] == [bank.names.tie]
    assert layout(guide, _at(guide))[0].label == "War"


@pytest.mark.clause("NZ-5.14")
def test_the_odds_of_every_wager_are_on_the_panel() -> None:
    """Even money, 10 to 1 for the tie, 1 to 1 for a war won and 2 to 1 for a war tied."""
    rules = load_rulebook("nz")
    panel = {(spot.wager, odds.situation): odds.pays for spot in layout(rules, _at(rules)) for odds in spot.odds}
    assert panel["initial", "on_win"] == "1:1"
    assert panel["tie", "on_win"] == "10:1"
    assert panel["war", "on_win"] == "1:1"
    assert panel["war", "on_tie"] == "2:1"
    assert panel["initial", "on_war_win"] == "push"
    assert all(odds.clauses for spot in layout(rules, _at(rules)) for odds in spot.odds)


@pytest.mark.clause("NZ-5.10-iii")
def test_a_sign_tells_the_maxima_that_are_directed() -> None:
    rules = load_rulebook("nz")
    assert (signs(rules, _at(rules)).box_maximum, signs(rules, _at(rules)).player_maximum) == (None, None)
    directed = _at(rules, c.DirectBoxMax(amount=9000), c.DirectPlayerMax(amount=4000))
    assert (signs(rules, directed).box_maximum, signs(rules, directed).player_maximum) == (9000, 4000)
    option = load_rulebook("nz", {"limits.area_total_max": 8000})
    assert signs(option, _at(option)).box_maximum == 8000
    back = _at(option, c.DirectBoxMax(amount=7000), c.DirectBoxMax(amount=0))
    assert signs(option, back).box_maximum == 8000


@pytest.mark.clause("WA-2.3c")
def test_the_number_of_decks_is_on_a_sign() -> None:
    rules = load_rulebook("wa", {"shoe.decks": 4})
    assert signs(rules, _at(rules)).decks == 4
    announced = signs(rules, _at(rules, c.AnnounceDecks(decks=8, perfect_pairs="P8a"), c.Tick(seconds=600)))
    assert announced.decks == 4
    assert [(one.about, one.says, one.seconds_left) for one in announced.notices] == [("decks", "8 decks", 1200)]


@pytest.mark.clause("WA-0-i")
@pytest.mark.clause("WA-AM")
def test_the_version_of_the_rules_and_what_was_amended_are_shown() -> None:
    rules = load_rulebook("wa")
    shown = signs(rules, _at(rules))
    assert "RAG/554" in shown.version
    assert "12 April 2019" in shown.version
    assert [one.partition(":")[0] for one in shown.amendments] == [
        "RAG 499, 16 October 2015",
        "RAG 554, 12 April 2019",
    ]
    assert "3.4, 3.14, 4.11" in shown.amendments[1]
    assert "1.1, 2.3, 5.6" in shown.amendments[0]


@pytest.mark.clause("WA-6.4")
@pytest.mark.clause("CTG-G1")
@pytest.mark.parametrize("book", BOOKS)
def test_the_limits_are_on_a_sign_for_everybody(book: str) -> None:
    rules = load_rulebook(book)
    for viewer in (ANA, WATCHER, Viewer("dealer")):
        assert view(rules, _at(rules), viewer).signs.limit == LIMIT


@pytest.mark.clause("WA-6.7")
@pytest.mark.clause("WA-6.4c")
def test_notices_tell_how_long_they_must_still_stand() -> None:
    rules = load_rulebook("wa")
    limits = c.AnnounceLimits(minimum=1000, maximum=50_000, unit=500)
    table = _at(rules, limits, c.Tick(seconds=60), c.AnnounceClosing(), c.Tick(seconds=240))
    left = {one.about: one.seconds_left for one in signs(rules, table).notices}
    assert left == {"limits": 600 - 300, "closing": 600 - 240}


SURRENDER = {
    "nz": ("NZ-1.2-SUR", "NZ-5.2b"),
    "wa": ("WA-1.1-SUR", "WA-4.10a"),
    "ctg": ("CTG-F5", "CTG-O3"),
    "ca": ("CA-STD-3a", "CA-RP-3a-i", "CA-RP-3a-ii"),
    "ma": ("MA-8c1-i", "MA-8c1-ii"),
}


@pytest.mark.parametrize("book", [pytest.param(book, marks=pytest.mark.clause(*SURRENDER[book])) for book in BOOKS])
def test_what_a_surrender_gives_up_stands_beside_the_odds(book: str) -> None:
    told = signs(load_rulebook(book), Table()).surrender
    assert (told.situation, told.pays, told.clauses) == ("on_surrender", "1:2", SURRENDER[book])


@pytest.mark.clause("CA-N1")
def test_whose_game_it_is_and_under_which_agreement() -> None:
    rules = load_rulebook("ca", {"sign.agreement_ref": "agreement 7 of 2026"})
    shown = signs(rules, _at(rules))
    assert (shown.owner, shown.agreement_ref) == ("SHFL Entertainment, Inc.", "agreement 7 of 2026")
    assert signs(load_rulebook("ca"), Table()).agreement_ref == ""
    assert signs(load_rulebook("nz"), Table()).owner == ""


@pytest.mark.clause("CA-RP-5c")
@pytest.mark.clause("MA-8e-ii")
@pytest.mark.parametrize("book", ["ca", "ma"])
def test_the_first_cards_of_a_war_stay_exposed(book: str) -> None:
    rules = load_rulebook(book)
    is_banked = book == "ca"
    table = _dealt(rules, "xx", "Kh", "5d", "Kd", bank=is_banked)
    done = step(rules, table, c.GoToWar(player="ana", box=1))
    assert not isinstance(done, Refusal)
    seen = view(rules, _turned(rules, done[1], "xx", "xx", "xx", "9h"), WATCHER)
    assert seen.boxes[0].cards == ("Kh", "9h")
    assert seen.boxes[0].is_at_war
    assert seen.dealer == ("Kd",)


@pytest.mark.clause("CA-RP-10c")
def test_the_banks_button_is_where_the_bank_sits() -> None:
    rules = load_rulebook("ca")
    seen = view(rules, _dealt(rules, bank=True), WATCHER)
    assert seen.bank is not None
    assert (seen.bank.player, seen.bank.box, seen.bank.left) == ("cat", 3, 50_000)
    assert view(load_rulebook("nz"), _at(load_rulebook("nz")), WATCHER).bank is None


@pytest.mark.clause("CA-BS-5a")
@pytest.mark.parametrize("model", ["covered", "payoff_cap", "revolving", "action_cap"])
def test_how_far_a_bank_reaches_is_told_at_every_stage(model: str) -> None:
    """Ana has 10 on a win and 5 on a tie, which cannot both be; Ben has 10. A tied war pays 2 to 1, a tie 10 to 1."""
    rules = load_rulebook("ca", {"bank.model": model})

    def told(table: Table) -> tuple[int, int, int]:
        seen = view(rules, table, WATCHER).bank
        assert seen is not None
        return seen.covers, seen.left, seen.in_use

    table = _at(rules, c.AcceptBank(player="cat", box=3, stake=50_000))
    assert told(table) == (50_000, 50_000, 0)
    bets = (_bet("ana", 1), _bet("ana", 1, 500, "tie"), _bet("ben", 2))
    table = _at(rules, c.AcceptBank(player="cat", box=3, stake=50_000), *bets)
    assert told(table) == (50_000, 50_000, 5000 + 1000)
    small = _at(rules, c.AcceptBank(player="cat", box=3, stake=4000), *bets)
    assert told(small) == (4000, 4000, 4000)

    table = _step(rules, table, c.Cut(player="cat", position=100), c.LoadShoe(cards=312, cut_card=200, presumed=True))
    # Ana's card ties: her tie is paid 5000 of the cover, and Ben's card has won 1000; her first wager is undecided.
    table = _turned(rules, table, "xx", "9h", "Kd", "9s")
    assert told(table) == (50_000, 44_000, 6000 + 1000)
    table = _step(rules, table, c.GoToWar(player="ana", box=1))
    # The bank has matched her war with 1000, and a tied war would take 1000 more.
    assert told(table) == (50_000, 43_000, 7000 + 1000)


@pytest.mark.clause("WA-6.8")
@pytest.mark.clause("WA-6.5f-g")
def test_no_advice_unless_the_player_who_chooses_asks_for_it() -> None:
    """War costs less than half a wager: it wins 6, ties 1 and loses 6 times in 13, so 2/13 - 6/13 * 2 + 6/13 < 1/2."""
    rules = load_rulebook("wa")
    table = _dealt(rules, "2c", "xx", "xx", "Kh", "5d", "Kd")
    assert view(rules, table, ANA).advice is None
    assert view(rules, table, Viewer("player", "ana", asks_advice=True)).advice == "go_to_war"
    assert view(rules, table, Viewer("player", "ben", asks_advice=True)).advice is None
    assert view(rules, table, Viewer("watcher", "ana", asks_advice=True)).advice is None
    names = set(View.__struct_fields__)
    assert not names & {"history", "count", "ev", "edge", "odds_left", "probability"}


@pytest.mark.clause("NZ-8.3-ii")
def test_a_burned_card_is_shown_to_the_player_who_asked_and_to_nobody_else() -> None:
    shown = e.BurnViewed("ana", Card("2c"), clauses=("NZ-8.3-ii",))
    assert view_event(shown, ANA) == shown
    for other in (Viewer("player", "ben"), WATCHER, Viewer("dealer"), Viewer("auditor")):
        assert view_event(shown, other) == e.BurnViewed("ana", None, clauses=("NZ-8.3-ii",))


@pytest.mark.parametrize("book", ["ca", "ma"])
@pytest.mark.parametrize("role", ["player", "watcher", "dealer", "supervisor", "auditor"])
def test_no_view_holds_the_face_of_a_burned_card(book: str, role: Any) -> None:
    rules = load_rulebook(book)
    table = _dealt(rules, "2c", "Kh", "5d", bank=book == "ca")
    assert '"2c"' not in _shown(view(rules, table, Viewer(role, "ana")))


def test_money_of_others_is_for_staff() -> None:
    rules = load_rulebook("nz")
    table = _dealt(rules)
    assert view(rules, table, ANA).balance == 99_000
    assert (view(rules, table, ANA).balances, view(rules, table, ANA).house) == (None, None)
    assert view(rules, table, WATCHER).balance is None
    assert view(rules, table, Viewer("supervisor")).balances == {"ana": 99_000, "ben": 99_000, "cat": 100_000}


def test_the_dealer_sees_the_procedure_and_what_waits_for_a_ruling() -> None:
    rules = load_rulebook("ctg")
    table = _dealt(rules, "xx", "Kh")
    assert [one.act for one in view(rules, table, Viewer("dealer")).procedure] == ["draw", "draw", "settle"]
    assert view(rules, table, ANA).procedure == ()
    done = step(rules, table, c.ReportMissedHand(box=2))
    assert not isinstance(done, Refusal)
    assert view(rules, done[1], Viewer("supervisor")).incident == "missed_hand"
    assert view(rules, done[1], ANA).incident is None


@pytest.mark.clause("NZ-8.7.1-ii")
def test_every_open_table_shows_the_war_wager_in_the_same_way() -> None:
    first, second = load_rulebook("nz"), load_rulebook("nz", {"war.method": "B"})
    told = conflict(second, [first])
    assert told is not None
    assert "war.method = B" in told
    assert "NZ-8.7.1-ii" in told
    assert conflict(load_rulebook("nz", {"shoe.decks": 8}), [first]) is None
    assert conflict(second, [load_rulebook("ma")]) is None
    assert conflict(second, []) is None


@pytest.mark.clause("WA-6.6b")
def test_who_is_excluded_is_told_so_alone_and_offered_no_wager() -> None:
    rules = load_rulebook("wa")
    table = _at(rules, c.ExcludePlayer(player="ana", reason="marked cards", by="operator:olga"))
    ana, ben = view(rules, table, ANA), view(rules, table, Viewer("player", "ben"))
    assert (ana.is_excluded, ana.open_wagers) == (True, ())
    assert not any(box.open_wagers for box in ana.boxes)
    assert not ben.is_excluded
    assert "initial" in ben.open_wagers


@pytest.mark.clause("CA-DEF-PD-ii", "CA-RP-10a")
def test_whose_the_bank_is_to_take_is_told_to_each() -> None:
    rules = load_rulebook("ca")
    seats = [c.SeatPlayer(player=who, box=box) for box, who in enumerate(("ana", "ben", "cat"), 1)]

    def told(table: Table) -> tuple[str | None, list[str]]:
        """To whom it is offered, and who could take it."""
        viewers = {who: view(rules, table, Viewer("player", who)) for who in ("ana", "ben", "cat")}
        return viewers["ana"].bank_offered_to, [who for who, seen in viewers.items() if seen.can_bank]

    table = _at(rules, *seats)
    assert told(table) == (None, ["ana", "ben", "cat"]), "nobody has banked yet"
    assert told(_step(rules, table, c.AcceptBank(player="cat", box=3, stake=5000))) == (None, [])
    table = msgspec.structs.replace(table, bank_turn=BankTurn("cat", 3, rounds=2))
    assert told(table) == ("ana", ["ana"]), "after two rounds it passes on"
    table = _step(rules, table, c.DeclineBank(player="ana"))
    assert told(table) == ("ben", ["ben"])
    table = _step(rules, table, c.DeclineBank(player="ben"))
    assert told(table) == (None, ["ana", "ben"]), "all have declined, so that it waits for whoever wants it after all"
    assert not view(rules, table, WATCHER).can_bank


@pytest.mark.clause("CA-DEF-PD-ii", "CA-RP-10a")
def test_a_bank_that_nobody_has_had_is_offered_to_each_player_once() -> None:
    """By box, without those who have declined. Where all have, it is offered anew; two boxes are one participant."""
    rules = load_rulebook("ca")
    table = Table(seats={3: "ana", 1: "ben", 2: "ana"}, players={"ana": 5000, "ben": 5000}, arrivals=("ana", "ben"))
    assert candidates(rules, table) == ["ben", "ana"]
    table = _step(rules, table, c.DeclineBank(player="ben"))
    assert candidates(rules, table) == ["ana"]
    table = _step(rules, table, c.DeclineBank(player="ana"))
    assert candidates(rules, table) == ["ben", "ana"]
    last = msgspec.structs.replace(table, bank_turn=BankTurn("ben", 1, rounds=2))
    assert candidates(rules, last) == ["ana"]
    assert view(rules, last, WATCHER).bank_offered_to == "ana", "nobody else could bank"
