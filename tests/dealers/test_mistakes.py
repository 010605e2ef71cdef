"""Mistakes of who writes a program: each is one line that says what was wanted, and none is a fault of the engine's."""

from collections.abc import Callable
from typing import Any

import pytest

import casinowar
from casinowar import Limit, PlaceWager, Refused, Session, odds, records, rulebooks, sim, strategies
from casinowar.dealers import RealTable
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e

LIMIT = Limit(minimum=500, maximum=5_000, unit=100)


def table(book: str = "nz", chips: int = 100_000, **more: Any) -> Session:
    return Session(book, seed="mistakes", players={"ana": chips}, **more)


def play(session: Session, strategy: strategies.Strategy) -> None:
    """Long enough for a tie."""
    for _ in range(200):
        session.play_round(strategy)


@pytest.mark.parametrize(("amount", "reason"), [(100, "below_minimum"), (9_000, "above_maximum"), (550, "off_unit")])
def test_an_amount_outside_the_limits_is_told_with_the_limits(amount: int, reason: str) -> None:
    takes = rf"wager_{reason}: .* \(initial on box 1 takes 500 to 5,000 in steps of 100\)$"
    with pytest.raises(Refused, match=takes):
        table(limit=LIMIT).must(PlaceWager(player="ana", box=1, wager="initial", amount=amount))
    with pytest.raises(
        Refused, match=r"takes 500 to 5,000 in steps of 100\); the strategy of ana was asked for wagers$"
    ):
        table(limit=LIMIT).play_round(strategies.flat(amount))


def test_what_no_amount_would_mend_is_told_without_amounts() -> None:
    for player, box in (("ana", 99), ("ben", 1)):
        with pytest.raises(Refused, match=r"there is no such (box|player)$"):
            table().must(PlaceWager(player=player, box=box, wager="initial", amount=500))


@pytest.mark.parametrize("book", ["wa", "ma"])
def test_a_strategy_that_bets_when_it_is_asked_for_wagers_on_a_war_is_told_so(book: str) -> None:
    session = table(book)
    with pytest.raises(Refused, match=r"betting_closed: .* was asked for wagers on a war: it may bet `war_tie`"):
        play(session, lambda seen: seen.war() if seen.choices else seen.bet(500))


def test_a_strategy_that_bets_when_it_is_offered_the_bank_is_told_so() -> None:
    with pytest.raises(Refused, match=r"no_bank: .* was asked whether to take the bank: it may give `seen.take_bank"):
        table("ca").play_round(lambda seen: seen.bet(500))


def test_a_strategy_that_bets_on_a_tie_is_told_so() -> None:
    session = table()
    with pytest.raises(Refused, match=r"the strategy of ana was asked for war or surrender$"):
        play(session, lambda seen: seen.bet(500))


@pytest.mark.parametrize("wrong", [None, "war", 5], ids=repr)
def test_a_strategy_can_be_called(wrong: Any) -> None:
    for given in (wrong, {"ana": wrong}):
        with pytest.raises(TypeError, match=r"a strategy is a function from a PlayerView .* that of ana is "):
            table().play_round(given)


@pytest.mark.parametrize("wrong", ["war", 5, [None], ["war"], casinowar.Table()], ids=lambda one: type(one).__name__)
def test_an_answer_is_a_command(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"several, or None: that of ana gave (?!'w')"):
        table().play_round(lambda seen: wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        PlaceWager(player="ben", box=2, wager="initial", amount=500),
        c.AcceptBank(player="ben", box=2, stake=500),
        PlaceWager(player="ana", box=1, wager="initial", amount=500, called=True),
        PlaceWager(player="ana", box=1, wager="initial", amount=500, by="dealer:d1"),
        c.BuyIn(player="ana", amount=500),
        c.Cut(player=None, position=100),
        c.Deal(),
        c.CloseTable(),
        c.VoidRound(),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_strategy_does_the_acts_of_its_own_player_alone(wrong: casinowar.Command) -> None:
    """Also after an act of its own, which is not done either."""
    session = table()
    session.buy_in("ben", 1_000)
    money = session.table.players

    def answer(seen: casinowar.PlayerView) -> list[casinowar.Command]:
        return [seen.bet(500), wrong]

    with pytest.raises(Refused, match=r"^not_entitled: .* own player's acts alone: that of ana gave ") as told:
        session.play_round({"ana": answer})
    assert type(wrong).__name__ in told.value.says
    assert (session.table.players, session.table.is_closed, session.table.has_wagers) == (money, False, False)


def test_a_strategy_may_seat_itself_and_sign_its_own_acts() -> None:
    session = table()

    def answer(seen: casinowar.PlayerView) -> list[casinowar.Command]:
        bet = PlaceWager(player="ana", box=4, wager="initial", amount=500, by="player:ana")
        return [c.SeatPlayer(player="ana", box=4), bet] if seen.phase == "betting" else [seen.surrender()]

    assert session.play_round(answer).wagers == {"ana": 500}
    assert session.table.seats == {4: "ana"}


@pytest.mark.parametrize(
    ("says", "make"),
    [
        ("on_tie = 'fold': it is one of war, surrender", lambda: strategies.flat(5, "fold")),  # type: ignore[arg-type]
        ("wager = 'bomb': it is one of tie, a_bomb, .*, war_tie,", lambda: strategies.always("bomb")),  # type: ignore[arg-type]
        ("wager = 'initial': it is one of tie, a_bomb", lambda: strategies.always("initial")),
        ("wager = 'bomb': it is one of initial, tie", lambda: strategies.never("bomb")),  # type: ignore[arg-type]
        ("wager = 'war_tie': it is one of tie, a_bomb", lambda: strategies.counter("war_tie")),
    ],
)
def test_a_strategy_is_made_of_words_that_there_are(says: str, make: Callable[[], object]) -> None:
    with pytest.raises(casinowar.CasinoWarError, match=says) as told:
        make()
    assert isinstance(told.value, ValueError)


@pytest.mark.parametrize("wrong", ["surender", "", None, 5], ids=repr)
def test_odds_are_of_a_strategy_that_there_is(wrong: Any) -> None:
    """Figures of another strategy would be taken for those that were asked for."""
    rules = casinowar.load_rulebook("nz")
    study = odds.study(rules, odds.fresh(6))
    for ask in (lambda: study.figures("initial", wrong), lambda: odds.odds("nz", strategy=wrong)):
        with pytest.raises(casinowar.CasinoWarError, match=r"^strategy = .*: it is one of war, surrender, best$"):
            ask()


def test_nothing_is_counted_for_a_wager_that_the_table_does_not_offer() -> None:
    with pytest.raises(Refused, match=r"^wager_not_offered: nz has no a_bomb to count for: it has tie$"):
        table().play_round(strategies.counter("a_bomb"))


def test_a_closed_table_says_that_it_is_closed() -> None:
    session = table()
    session.must(c.CloseTable())
    for act in (session.play_round, session.go_on, session.prepare):
        with pytest.raises(Refused, match="table_closed: the table is closed"):
            act()


def test_a_session_is_opened_with_what_can_be_played() -> None:
    with pytest.raises(TypeError, match="players are names with their chips"):
        Session("nz", players=["ana"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cannot buy in for -5: the amount is not above zero"):
        table(chips=-5)


IMPOSSIBLE = [Limit(minimum=500, maximum=50), Limit(minimum=100, maximum=200, unit=300)]


@pytest.mark.parametrize("limit", IMPOSSIBLE)
def test_no_table_has_limits_at_which_nobody_could_bet(limit: Limit) -> None:
    real = RealTable(casinowar.load_rulebook("nz"))
    for opens in (lambda: table(limit=limit), lambda: RealTable(real.rules, limit)):
        with pytest.raises(ValueError, match=f"^nobody could bet at these limits: minimum {limit.minimum}, maximum "):
            opens()
    terms: dict[str, Any] = {"minimum": limit.minimum, "maximum": limit.maximum, "unit": limit.unit}
    for command in (c.ChangeLimits(basis="empty", **terms), c.AnnounceLimits(**terms)):
        for there in (Session("nz"), real):
            assert there.do(command) == Refusal("no_limits")
        with pytest.raises(Refused, match=r"^no_limits: those are no limits at which anybody could bet$"):
            table().must(command, c.Tick(seconds=60))


def test_a_record_of_limits_at_which_nobody_could_bet_is_still_replayed() -> None:
    terms = {"minimum": 100, "maximum": 200, "unit": 300}
    change = {"do": "change_limits", "basis": "empty", **terms}
    again = records.replay(records.parse({**table().record(), "limits": terms, "acts": [change]}))
    assert [told.event.limit for told in again.story if isinstance(told.event, e.LimitsChanged)] == [IMPOSSIBLE[1]]
    assert not again.refusals


@pytest.mark.parametrize("name", ["", " ", "\t\u2003"])
def test_no_player_is_called_by_blanks(name: str) -> None:
    """A record that has such a player is replayed."""
    with pytest.raises(ValueError, match=r"^.* cannot buy in for 100: no player can go by that name$"):
        Session("nz", players={name: 100})
    for there in (table(), RealTable(casinowar.load_rulebook("nz"))):
        assert there.do(c.BuyIn(player=name, amount=100)) == Refusal("name_taken")
    if name:
        bet = {"do": "place_wager", "player": name, "box": 1, "wager": "initial", "amount": 100}
        again = records.replay(records.parse({**table().record(), "players": {name: 100}, "acts": [bet]}))
        assert (again.refusals, again.table.players) == ((), {name: 0})


WRONG: list[tuple[str, Any]] = [
    ("a command is one such as PlaceWager, and no str", lambda: table().must("war")),  # type: ignore[arg-type]
    ("a command is one such as PlaceWager", lambda: casinowar.decide(table().rules, casinowar.Table(), None)),  # type: ignore[arg-type]
    ("an event is one such as CardDealt, and not 5", lambda: casinowar.name(5)),  # type: ignore[arg-type]
    ("a record is a text", lambda: records.parse(None)),  # type: ignore[arg-type]
    ("what is replayed is what `records.parse` gives", lambda: records.replay("nz")),  # type: ignore[arg-type]
    ("a study is of a Rulebook and a Composition", lambda: odds.study("nz", odds.fresh(6))),  # type: ignore[arg-type]
    ("a study is of a Rulebook and a Composition", lambda: odds.study(table().rules, 6)),  # type: ignore[arg-type]
    ("a number of decks is an int", lambda: odds.fresh("six")),  # type: ignore[arg-type]
    ("settings are leaves with their values", lambda: rulebooks.load_with("nz", None)),  # type: ignore[arg-type]
    ("options are leaves with their values, .*, and not 5$", lambda: casinowar.load_rulebook("nz", 5)),  # type: ignore[arg-type]
    ("a result is of what `casinowar.replay` gives, and not of 'x'", lambda: casinowar.result("x")),  # type: ignore[arg-type]
    ("a plan is of a Rulebook, .*, and not of 'nz'", lambda: sim.make_plan("nz")),  # type: ignore[arg-type]
    ("wagers are names, or names with their stakes, and not 5", lambda: casinowar.simulate("nz", wagers=5)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("says", "mistake"), WRONG, ids=range(len(WRONG)))
def test_what_is_of_the_wrong_kind_is_told_with_what_is_wanted(says: str, mistake: Any) -> None:
    with pytest.raises(TypeError, match=says):
        mistake()


@pytest.mark.parametrize("given", [None, 5, (), [casinowar.Card("Kh")] * 5], ids=repr)
@pytest.mark.parametrize("book", ["nz", "ca"])
def test_a_shuffle_gives_all_cards_back(book: str, given: Any) -> None:
    told = f"{len(given)} of them" if isinstance(given, list | tuple) else repr(given)
    session = Session(book, shuffle=lambda cards: given, players={"ana": 10_000, "ben": 10_000})
    with pytest.raises(TypeError, match=rf"^a shuffle gives back all \d+ cards in another order, and not {told}$"):
        session.play_round(strategies.flat(100))


@pytest.mark.parametrize("wrong", [5, None, b"Kh", ("K", "h")], ids=repr)
def test_what_is_no_text_is_no_card(wrong: Any) -> None:
    with pytest.raises(ValueError, match=" is not a card: write a rank 2 3 "):
        casinowar.parse_card(wrong)


def test_a_name_that_nobody_has_is_told_with_those_that_there_are() -> None:
    session = table()
    for ask in (session.view, session.legal_commands):
        with pytest.raises(ValueError, match=r"nobody called 'ben' has chips at this table: ana$"):
            ask("ben")


def test_a_wager_that_nobody_has_is_told_so() -> None:
    with pytest.raises(ValueError, match=r"there is no wager 'bomb' .* `Study.wagers\(\)`"):
        odds.study(table().rules, odds.fresh(6)).figures("bomb")


def test_a_new_shoe_has_a_deck() -> None:
    with pytest.raises(odds.CompositionError, match="0 decks: a new shoe has one deck or more"):
        odds.fresh(0)
