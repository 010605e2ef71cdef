"""Sessions and rounds draw themselves: what stands in the pictures is what was played, and the bands are exact."""

import random
import xml.etree.ElementTree as ET
from fractions import Fraction
from typing import Any

import pytest

import casinowar
from casinowar import Session, strategies
from casinowar.dealers.round_scene import round_scene
from casinowar.dealers.stretch_scene import RoundResult, nets_of, sampled, stretch_scene
from casinowar.engine import commands as c
from casinowar.odds import fresh, study
from casinowar.odds.figures import Figures, combined
from casinowar.odds.stretch.bands import SHARES, bands
from casinowar.odds.stretch.results import exact_results
from casinowar.pictures import Course, StretchScene, plain_stretch, stretch_svg

MOST_BYTES = 40_000
SEVEN = [f"player {box}" for box in range(1, 8)]


def text_of(drawn: str) -> str:
    root = ET.fromstring(drawn)
    return " | ".join(text for one in root.iter() if one.tag.endswith("text") and (text := "".join(one.itertext())))


class Printer:
    def __init__(self) -> None:
        self.told = ""

    def text(self, told: str) -> None:
        self.told += told


def plain(drawn: Any) -> str:
    printer = Printer()
    drawn._repr_pretty_(printer, False)
    return printer.told


def every_wager(book: str, amount: int = 500) -> strategies.Strategy:
    rules = casinowar.load_rulebook(book)
    play = strategies.flat(amount)
    for wager in ("tie", "war_tie", "a_bomb", "perfect_pairs", "war_perfect_pairs"):
        play = strategies.always(wager, play, 100) if getattr(rules.wager, wager) else play
    return play


def play(book: str, players: list[str], rounds: int) -> Session:
    session = Session(book, seed="drawn", players=dict.fromkeys(players, 10_000_000))
    strategy = every_wager(book)
    for _ in range(rounds):
        session.play_round(strategies.banker(10**6, strategy) if book == "ca" else strategy)
    return session


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_what_a_session_keeps_of_its_rounds_is_what_the_players_have(book: str) -> None:
    players = ["ana", "ben", "cat"]
    session = play(book, players, 150)
    session.must(c.BuyIn(player="ana", amount=77))
    assert len(session._rounds) == 150
    for player in players:
        won = sum(nets_of(one).get(player, 0) for one in session._rounds)
        assert session.table.players[player] == 10_000_000 + won + 77 * (player == "ana")
    fork = session.clone()
    fork.play_round(strategies.banker(10**6, every_wager(book)) if book == "ca" else every_wager(book))
    assert (len(fork._rounds), len(session._rounds)) == (151, 150)


def test_a_session_of_one_player_is_a_line_over_exact_bands() -> None:
    session = Session("nz", seed="4711", players={"ana": 100_000})
    for _ in range(60):
        played = session.play_round(strategies.flat(25))
    scene = stretch_scene(session.rules, session._rounds, session.seed)
    assert (scene.title, scene.says) == ("60 rounds, New Zealand", "Casino War 25, always to war, seed 4711")
    assert scene.note == "inner band: half of all sessions; outer: nine of ten; exact"
    assert scene.courses[0].sums[-1] == session.table.players["ana"] - 100_000
    figures = combined(study(session.rules, fresh(6)), {"initial": 25})
    exact = exact_results(figures, 60)
    assert scene.levels[-1] == tuple(float(exact.quantile(share)) for share in SHARES)
    assert scene.expected[-1] == pytest.approx(float(60 * figures.ev))
    told = text_of(session._repr_svg_())
    assert "expected −35" in told
    assert "even" in told
    assert plain(session).splitlines()[:2] == [scene.title, f"  {scene.says}"]
    assert str(session) in plain(session)
    assert played.number == 60


def test_a_session_in_a_round_and_before_the_first_is_the_table() -> None:
    session = Session("nz", seed="on", players={"ana": 1_000})
    assert "Place your bets" in text_of(session._repr_svg_())
    session.play_round()
    assert "1 round, New Zealand" in text_of(session._repr_svg_())
    session.must(session.view("ana").bet(10))
    assert "Place your bets" in text_of(session._repr_svg_())
    assert plain(session) == str(session)


def test_several_players_have_a_line_each_and_bands_where_they_bet_alike() -> None:
    session = Session("nz", seed="two", players=dict.fromkeys(("ana", "ben"), 100_000))
    for _ in range(20):
        session.play_round(strategies.flat(25))
    alike = stretch_scene(session.rules, session._rounds, session.seed)
    assert [course.player for course in alike.courses] == ["ana", "ben"]
    assert alike.levels
    for _ in range(2):
        session.play_round({"ana": strategies.flat(25), "ben": strategies.flat(50)})
    unlike = stretch_scene(session.rules, session._rounds, session.seed)
    assert not unlike.levels
    assert "no bands" in unlike.note
    bank = play("ca", ["ana", "ben"], 4)
    assert not stretch_scene(bank.rules, bank._rounds, None).levels


def test_the_words_of_a_session_say_how_ties_were_answered_and_what_lay() -> None:
    rules = casinowar.load_rulebook("wa")
    session = Session(rules, seed="words", players={"ana": 1_000_000})
    for number in range(60):
        session.play_round(strategies.flat(50 + 50 * (number % 2), "surrender"))
    scene = stretch_scene(rules, session._rounds, None)
    assert scene.says == "Casino War 50 to 100, always surrender"
    for _ in range(40):
        session.play_round(strategies.flat(50))
    mixed = stretch_scene(rules, session._rounds, None)
    assert mixed.says.endswith("to war or surrender")
    assert mixed.note.endswith("exact for always to war")


@pytest.mark.parametrize("book", casinowar.BOOKS)
def test_a_round_has_the_cards_and_each_wager_with_its_clause(book: str) -> None:
    session = play(book, ["ana", "ben"], 1)
    strategy = every_wager(book)
    played = session.play_round(strategies.banker(10**6, strategy) if book == "ca" else strategy)
    while not any(len(hand) > 1 for hand in played.hands.values()):
        played = session.play_round(strategies.banker(10**6, strategy) if book == "ca" else strategy)
    scene, laid = round_scene(played.rules, played.table), played.table.round.wagers
    lines = [one for one in scene.settled if one.net is not None]
    assert sorted(one.net or 0 for one in lines if one.clause) == sorted(
        one.paid + one.returned - one.amount for one in laid.values()
    )
    clauses = casinowar.load_clauses()
    assert all(one.clause in clauses for one in lines if "banks" not in one.name)
    assert scene.burned == (3 if book == "wa" else 0)
    told = text_of(played._repr_svg_())
    for one in lines:
        assert one.name[:20] in told
        assert one.name in plain(played)
    at_war = next(hand for hand in scene.boxes if len(hand.cards) > 1)
    assert any(at_war.ties)
    assert any(scene.dealer.ties)


def test_rings_are_on_the_cards_that_tie_last() -> None:
    session = Session("nz", seed="rings", players={"ana": 10_000_000})
    seen = set()
    for _ in range(2_000):
        played = session.play_round(strategies.flat(25))
        mine, theirs = played.hands[1], played.hands[0]
        if len(mine) == 2:
            is_twice = mine[1][0] == theirs[1][0]
            scene = round_scene(played.rules, played.table)
            assert scene.boxes[0].ties == (not is_twice, is_twice)
            seen.add(is_twice)
    assert seen == {True, False}


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma"])
def test_a_full_table_fits_the_picture(book: str) -> None:
    session = play(book, SEVEN, 40)
    for drawn in (session._repr_svg_(), session.play_round(every_wager(book))._repr_svg_()):
        ET.fromstring(drawn)
        assert len(drawn.encode()) < MOST_BYTES
        assert "script" not in drawn
        assert "href" not in drawn
        assert " id=" not in drawn
        assert "prefers-color-scheme:light" in drawn


def test_two_pictures_never_share_a_class_unless_they_are_the_same() -> None:
    session = Session("nz", seed="classes", players={"ana": 100_000})
    drawn = {session.play_round(strategies.flat(25))._repr_svg_() for _ in range(50)}
    drawn |= {session.clone()._repr_svg_(), session._repr_svg_()}
    classes = [ET.fromstring(one).attrib["class"] for one in drawn]
    assert len(set(classes)) == len(drawn)


def test_a_round_without_a_wager_is_drawn() -> None:
    session = Session("nz", seed="empty", players={"ana": 100})
    played = session.play_round(lambda seen: None)
    ET.fromstring(played._repr_svg_())
    assert plain(played) == str(played)


UNEVEN = Figures(
    "a", {Fraction(-2): Fraction(1, 10), Fraction(-1): Fraction(2, 5), Fraction(1): Fraction(1, 2)}, Fraction(1)
)
WIDE = Figures("b", {Fraction(-3, 2): Fraction(3, 4), Fraction(7): Fraction(1, 4)}, Fraction(1))


def test_bands_are_those_of_every_course_of_mixed_rounds() -> None:
    rounds = [UNEVEN, WIDE, UNEVEN, UNEVEN, WIDE, WIDE, UNEVEN]
    results = {Fraction(0): Fraction(1)}
    found = bands(rounds, range(1, 8))
    assert (found.method, found.after) == ("exact", tuple(range(1, 8)))
    for at, one in enumerate(rounds):
        moved: dict[Fraction, Fraction] = {}
        for won, chance in results.items():
            for net, more in one.distribution.items():
                moved[won + net] = moved.get(won + net, Fraction(0)) + chance * more
        results = moved
        reached, wanted = Fraction(0), []
        shares = list(SHARES)
        for won in sorted(results):
            reached += results[won]
            while shares and reached >= shares[0]:
                wanted.append(float(won))
                shares.pop(0)
        assert found.levels[at] == tuple(wanted)


def test_bands_of_many_rounds_are_as_the_power_and_too_many_go_by_the_normal_law() -> None:
    exact = exact_results(UNEVEN, 400)
    assert bands([UNEVEN] * 400, [400]).levels == (tuple(float(exact.quantile(share)) for share in SHARES),)
    wide = Figures("c", {Fraction(-1): Fraction(999_999, 10**6), Fraction(100_003): Fraction(1, 10**6)}, Fraction(1))
    beyond = bands([wide] * 300, [300])
    assert (beyond.method, len(beyond.levels[0])) == ("normal", 4)


def test_the_played_line_lies_within_the_bands_as_often_as_they_say() -> None:
    """The twin of the bands: half of all sessions end within the inner one, nine of ten within the outer one."""
    figures = combined(study(casinowar.load_rulebook("nz"), fresh(6)), {"initial": 2})
    low, inner, upper, high = bands([figures] * 30, [30]).levels[0]
    nets, chances = zip(*figures.distribution.items(), strict=True)
    chance = random.Random(1)
    ends = [sum(chance.choices(nets, [float(one) for one in chances], k=30)) for _ in range(4_000)]
    assert sum(low <= end <= high for end in ends) / 4_000 == pytest.approx(0.93, abs=0.03)
    assert sum(inner <= end <= upper for end in ends) / 4_000 == pytest.approx(0.57, abs=0.06)


def test_rounds_are_sampled_from_the_first_to_the_last() -> None:
    assert sampled(3, 120) == (0, 1, 2, 3)
    assert sampled(1_001, 100)[-2:] == (1_001 - 1_001 % 11 - (0 if 1_001 % 11 else 11), 1_001)
    assert len(sampled(100_000, 120)) <= 122


def test_a_name_cannot_break_a_stretch() -> None:
    course = Course("</text><script>x", (0, 5))
    scene = StretchScene(title="<b>", says="&", note='"', after=(0, 1), courses=(course,) * 2)
    assert "<script" not in stretch_svg(scene)
    ET.fromstring(stretch_svg(scene))
    assert "lowest" in plain_stretch(scene)
    assert nets_of(RoundResult({}, None)) == {}
