"""The odds explorer over the web: exact, refused in one line where it cannot be, and never in the way of a table."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from casinowar.reports.explorer import MOST_POINTS, join_points, trim_tails
from casinowar.web.workers import reckoner
from tests.support.live_server import Caller, LiveServer, running


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house")) as live:
        yield live


def edge(live: LiveServer, query: str, wager: str, way: str = "") -> Fraction:
    figures = Caller(live).ask("GET", f"/api/odds?{query}").json["wagers"][wager]
    told = figures["by_decision"][way] if way else figures
    return Fraction(told["house_edge"]["fraction"])


@pytest.mark.parametrize("decks", [4, 6, 8])
def test_the_edges_are_exact(live: LiveServer, decks: int) -> None:
    """Of 52d − 1 cards that are left, 4d − 1 tie; the tie pays 10:1, and a surrender costs half."""
    tie = Fraction(4 * decks - 1, 52 * decks - 1)
    query = f"rulebook=nz&set=shoe.decks={decks}"
    assert edge(live, query, "tie") == 1 - 11 * tie
    assert edge(live, query, "initial", "surrender") == tie / 2


def test_a_changed_rule_is_shown_beside_the_books_own(live: LiveServer) -> None:
    """One more unit for a tie is worth the chance of a tie, 23 of 311 with six decks."""
    told = Caller(live).ask("GET", "/api/odds?rulebook=nz&set=payout.tie.on_win=11:1").json
    assert Fraction(told["difference"]["tie"][""]["fraction"]) == -Fraction(23, 311)
    assert Fraction(told["difference"]["initial"]["war"]["fraction"]) == 0
    leaf = next(leaf for leaf in told["leaves"] if leaf["key"] == "payout.tie.on_win")
    assert (leaf["value"], leaf["book"], leaf["is_changed"]) == ("11:1", "10:1", True)
    assert leaf["clauses"]
    assert not any(clause.startswith("HOUSE-") for clause in leaf["clauses"])
    assert [row["decks"] for row in told["by_decks"]] == [4, 5, 6, 7, 8]
    assert told["labels"]["initial"] == "Casino War"


@pytest.mark.parametrize(
    "setting", ["shoe.decks=9", "no.such=1", "payout.tie.on_win=3;1", "war.burn=500", "cards.ranks=AB", "shoe.decks="]
)
def test_what_the_book_cannot_be_is_refused_in_one_line(live: LiveServer, setting: str) -> None:
    answer = Caller(live).ask("GET", f"/api/odds?rulebook=nz&set={setting}")
    assert (answer.status, answer.json["code"]) == (409, "setting_refused")
    assert "\n" not in answer.json["says"]
    assert Caller(live).ask("GET", "/api/odds?rulebook=/etc/passwd").status == 404


def test_one_round_of_a_session_is_the_wagers_own_distribution(live: LiveServer) -> None:
    query = "rulebook=nz&kind=tie&rounds=1&wager=2500&bankroll=5000"
    told = Caller(live).ask("GET", f"/api/odds/session?{query}").json
    assert [net for net, _ in told["points"]] == [-2_500, 25_000]
    assert [chance for _, chance in told["points"]] == pytest.approx([288 / 311, 23 / 311])
    assert told["quantiles"]["50%"] == -2_500


def test_a_session_of_many_rounds_keeps_its_chances_and_its_mean(live: LiveServer) -> None:
    query = "rulebook=nz&rounds=200&wager=2500&bankroll=100000"
    told = Caller(live).ask("GET", f"/api/odds/session?{query}").json
    chances = [chance for _, chance in told["points"]]
    assert 0.999 <= sum(chances) <= 1
    mean = sum(net * chance for net, chance in told["points"]) / sum(chances)
    assert mean == pytest.approx(2_500 * float(Fraction(told["expected"]["fraction"])), rel=0.02)
    assert told["hour"]["rounds"] == 60


def test_many_points_are_gathered_and_thin_tails_cut_off() -> None:
    even = [(net, 1 / 4_000) for net in range(4_000)]
    assert len(join_points(even)) <= MOST_POINTS
    assert sum(chance for _, chance in join_points(even)) == pytest.approx(1)
    assert trim_tails([(0, 0.0001), (1, 0.0003), (2, 0.9995), (3, 0.0001)]) == [(2, 0.9995)]


@pytest.mark.parametrize(
    ("form", "begins", "media"), [("html", b"<!", "text/html"), ("xlsx", b"PK", "openxml"), ("json", b"{", "json")]
)
def test_a_par_sheet_comes_as_a_file(live: LiveServer, form: str, begins: bytes, media: str) -> None:
    answer = Caller(live).ask("GET", f"/api/par?rulebook=wa&format={form}")
    assert answer.status == 200
    assert answer.body.lstrip().startswith(begins)
    assert media in answer.headers["Content-Type"]
    assert answer.headers["Content-Disposition"] == f'attachment; filename="casinowar-wa-par.{form}"'


def test_it_is_worked_out_in_another_process_which_is_replaced_when_it_dies(live: LiveServer) -> None:
    import os
    import signal

    assert Caller(live).ask("GET", "/api/odds?rulebook=ma").status == 200
    process = live.server.reckoner.pid
    assert process is not None
    assert process != os.getpid()
    os.kill(process, signal.SIGKILL)
    first = Caller(live).ask("GET", "/api/odds?rulebook=ca").status
    assert first in (200, 500)
    assert Caller(live).ask("GET", "/api/odds?rulebook=ca&set=shoe.decks=7").status == 200


def test_what_takes_too_long_is_given_up(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = "/api/odds/session?rulebook=ma&kind=progressive&rounds=999"
    with monkeypatch.context() as patch:
        patch.setattr(reckoner, "SECONDS", 0.05)
        answer = Caller(live).ask("GET", slow)
        assert (answer.status, answer.json["code"]) == (503, "too_long")
    assert Caller(live).ask("GET", "/api/odds?rulebook=wa&set=shoe.decks=4").status == 200


@pytest.mark.parametrize(("is_own", "says"), [(True, "you have asked"), (False, "many others")])
def test_a_queue_that_is_too_long_is_refused(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch, is_own: bool, says: str
) -> None:
    if is_own:
        monkeypatch.setattr(live.server.reckoner, "_most_each", 0)
    else:
        monkeypatch.setattr(reckoner, "MOST_WAITING", 0)
    answer = Caller(live).ask("GET", "/api/odds?rulebook=ctg&set=payout.tie.on_win=9:1")
    assert (answer.status, answer.json["code"]) == (429, "too_fast")
    assert answer.json["says"].startswith(says)


@pytest.mark.parametrize(
    ("book", "setting", "says"),
    [
        ("ma", "payout.war.on_tie=abc", "War tied pays: write odds such as 2:1, push or lose."),
        ("ma", "payout.war.on_tie=0:0", "War tied pays: write odds such as 2:1, push or lose."),
        ("nz", "shoe.decks=9", "Decks in the shoe: write 4, 5, 6, 7 or 8."),
        ("nz", "war.burn=2.5", "Cards burned before a war: write a whole number, 0 or more."),
        ("nz", "war.burn=500", "Cards burned before a war: write at most 100 here."),
        ("nz", "wager.tie=7", "Tie wager offered: write on or off."),
        ("nz", "wager.progressive=on", "Progressive wager offered: this book does not say what it pays."),
        ("wa", "perfect_pairs.table=ZZ", "Pay table of the pairs wager: this book has no table of that name."),
        ("nz", "nonsense=4", "nonsense: this book has no such rule."),
    ],
)
def test_a_refusal_says_which_rule_and_what_to_write(live: LiveServer, book: str, setting: str, says: str) -> None:
    answer = Caller(live).ask("GET", f"/api/odds?rulebook={book}&set={setting}")
    assert (answer.status, answer.json["code"], answer.json["says"]) == (409, "setting_refused", says)


def test_a_bankroll_of_less_than_a_wager_is_no_session(live: LiveServer) -> None:
    query = "rulebook=nz&rounds=200&wager=2500&bankroll={}"
    answer = Caller(live).ask("GET", f"/api/odds/session?{query.format(2_499)}")
    assert (answer.status, answer.json["says"]) == (409, "Bankroll: bring at least one wager, or wager less.")
    assert Caller(live).ask("GET", f"/api/odds/session?{query.format(2_500)}").status == 200


@pytest.mark.clause("CA-RP-9c")
def test_whose_edge_it_is_is_told(live: LiveServer) -> None:
    told = {book: Caller(live).ask("GET", f"/api/odds?rulebook={book}").json["banked_by"] for book in ("nz", "ca")}
    assert told == {"nz": "house", "ca": "player"}
