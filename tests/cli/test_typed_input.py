"""What people type is understood: books and cards in any case, amounts with their thousands set apart."""

import re
import shlex
from pathlib import Path

import pytest

from casinowar.cards import DECK, parse_card
from casinowar.cli.terminal.bets import BetError, parse_amount
from casinowar.house.settings_file import load_tables
from casinowar.records import RecordError, parse_record, read_toml
from casinowar.rulebooks import BOOKS, RulebookError, load_rulebook
from tests.support.commandline import run
from tests.web.test_serve import started

README = Path(__file__).parents[2] / "README.md"


# Cards


@pytest.mark.parametrize("card", DECK)
def test_a_card_in_any_case(card: str) -> None:
    symbol = dict(zip("cdhs", "♣♦♥♠", strict=True))[card[1]]
    spelt = {card.lower(), card.upper(), card.swapcase(), card[0] + symbol}
    spelt |= {f"10{card[1]}", f"10{card[1].upper()}", f"10{symbol}"} if card[0] == "T" else set()
    assert {parse_card(text) for text in spelt} == {card}


@pytest.mark.parametrize("text", ["", "k", "kx", "hk", "1h", "kh ", "k h", "00h", "K\u0131", "Ⅷh"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


def test_cards_of_an_option() -> None:
    assert run("compare", "nz", "--cards", "kh KD 9♠ 10c").out == run("compare", "nz", "--cards", "Kh Kd 9s Tc").out


@pytest.mark.parametrize("changed", [{"rulebook": "NZ"}, {"shoe": "2c kh"}, {"shoe": "2c K♥"}, {"shoe": "2c 10H"}])
def test_a_record_has_one_spelling(changed: dict[str, str]) -> None:
    """Programs read it, and what one of them takes all of them must."""
    record = {"format": "casinowar-record/1", "rulebook": "nz", "shoe": "2c Kh 10h"}
    assert parse_record(record).rulebook.id == "nz"
    with pytest.raises(RecordError, match=next(iter(changed))):
        parse_record({**record, **changed})


# Books


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_in_any_case(book: str) -> None:
    for text in (book.upper(), book.capitalize()):
        assert load_rulebook(text) == load_rulebook(book)


@pytest.mark.parametrize(
    "call",
    [
        "odds --rulebook {}",
        "rules show {}",
        "rules diff {} ma",
        "rules clause NZ-5.1 --rulebook {}",
        "ruling --rulebook {} missed-hand",
        "compare {} ma",
        "par --rulebook {} --json",
        "solve payout.tie.on_win --wager tie --edge 5% --rulebook {}",
        "play --rulebook {} --seed x",
        "deal --rulebook {}",
    ],
)
def test_every_command_takes_a_book_in_any_case(call: str) -> None:
    usual, loud = (run(*call.format(book).split(), stdin="quit\n") for book in ("nz", "NZ"))
    assert usual.status == 0, usual.err
    assert loud == usual


def test_a_saved_session_names_its_book_as_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "session.toml"
    assert run("play", "--rulebook", "NZ", "--save", str(path), stdin="quit\n").status == 0
    assert read_toml(path.read_text())["rulebook"] == "nz"


def test_house_rulebooks_and_tables_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours.toml").write_text('extends = "NZ"\n[shoe]\ndecks = 8\n')
    assert load_rulebook(str(tmp_path / "ours.toml")).shoe.decks == 8
    (tmp_path / "tables.toml").write_text('[[tables]]\nname = "one"\nrulebook = "CTG"\n')
    (table,) = load_tables(tmp_path / "tables.toml").tables
    assert table.rulebook == "ctg"
    (tmp_path / "casinowar").mkdir()
    (tmp_path / "casinowar" / "Nz.toml").write_text('extends = "wa"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_rulebook("Nz").id == "nz"
    with pytest.raises(RulebookError, match="is taken by a book"):
        load_rulebook(str(tmp_path / "casinowar" / "Nz.toml"))


@pytest.mark.parametrize("args", [("foo",), ("nz", "foo"), ("foo", "--set", "shoe.decks=6"), ("foo", "--decks", "2")])
def test_compare_blames_the_book(args: tuple[str, ...]) -> None:
    told = run("compare", *args).error
    assert told.startswith("casinowar compare: Invalid value for BOOK: unknown rulebook 'foo'")


# Amounts


@pytest.mark.parametrize(
    ("text", "chips"),
    [("1000", 1000), ("1,000", 1000), ("1'000", 1000), ("1’000", 1000), ("1 000", 1000), ("12,345,678", 12345678)],
)
def test_thousands_set_apart(text: str, chips: int) -> None:
    assert parse_amount(text) == chips
    assert f"You buy chips for {chips} and have {10_000 + chips}." in run("play", stdin=f"buy {text}\nquit\n").out
    told = run("deal", stdin=f"buy ana {text}\nquit\nno\n").out
    assert f"  ana: {chips:,} (0)" in told.replace("+0", "0")


@pytest.mark.parametrize(
    "text", ["1,5", "1.000", "1,00", "1,0000", "1,000.50", "1,000'000", "1 00", "-5", "1_000", "½", "١"]
)
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(BetError, match="whole numbers"):
        parse_amount(text)
    told = run("play", stdin=f"buy {text}\nquit\n").out
    assert "Chips are whole numbers, such as 1000 or 1,000." in told
    assert "with 10000 chips (+0)" in told


def test_amounts_of_options() -> None:
    told = run("play", "--bank", "20,000", "--min", "1'000", "--max", "2,000", "--unit", "1,000", stdin="quit\n").out
    assert "minimum 1000, maximum 2000, in steps of 1000" in told
    assert "You sit at box 1 with 20000 chips." in told
    wrong = run("play", "--bank", "1,5").error
    assert "Invalid value for '--bank': '1,5': chips are whole numbers, such as 1000 or 1,000" in wrong
    seated = run("deal", "--players", "ana=1,000,ben=500,123=2,000,000", stdin="quit\nno\n").out
    assert re.findall(r"^  (\w+): ([\d,]+) ", seated, re.M) == [("ana", "1,000"), ("ben", "500"), ("123", "2,000,000")]
    limits = run("deal", stdin="act announce_limits minimum=1,000 maximum=20,000\nquit\nno\n").out
    assert "1,000" in limits or "1000" in limits


def test_a_bare_buy_asks() -> None:
    told = run("play", stdin="buy\n1,000\nbuy\n\nquit\n").out
    assert told.count("How much do you buy?") == 2
    assert "You buy chips for 1000 and have 11000." in told
    assert "with 11000 chips" in told
    dealt = run("deal", stdin="buy\nbuy ana\nquit\nno\n").out
    assert "Who, and how much? Type buy NAME AMOUNT." in dealt
    assert "How much? Type buy ana AMOUNT." in dealt


# What is told at the start


def test_a_book_with_a_progressive_says_so() -> None:
    told = " ".join(run("play", "--rulebook", "ma", stdin="quit\n").out.split())
    assert "Casino War Progressive is off here: --option wager.progressive=on plays with it." in told
    on = run("play", "--rulebook", "ma", "--option", "wager.progressive=on", stdin="quit\n").out
    assert "is off here" not in on
    assert "The progressive's meter stands at" in on
    assert "rogressive" not in run("play", "--rulebook", "nz", stdin="quit\n").out


def test_a_page_that_is_not_built_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from casinowar.web.http.page_files import how_to_build

    monkeypatch.setenv("CASINOWAR_PAGE", str(tmp_path))
    told = how_to_build()
    assert told is not None
    assert re.fullmatch(r"the page is not built: python (\S+) makes it; the interface works without it", told)
    assert Path(told.split()[6]).name == "build.py"
    (tmp_path / "index.html").write_text("<!DOCTYPE html>")
    assert how_to_build() is None


def test_serve_says_in_one_line_that_the_page_is_not_built(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    with started("--data", str(tmp_path / "house"), "--port", "0", env={"CASINOWAR_PAGE": str(page)}) as server:
        assert server.get("/healthz") == 200
        status, _, err = server.end()
    assert status == 0, err
    told = [line for line in err.splitlines() if "not built" in line]
    assert len(told) == 1, err
    assert re.fullmatch(
        r"casinowar serve: the page is not built: python \S+build\.py makes it; the interface works without it", told[0]
    )


def test_the_transcript_of_the_readme_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line by line; `...` stands for lines that the console says by itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    found = re.search(r"```\n\$ casinowar (deal .+)\n((?:.|\n)+?)```", README.read_text("utf-8"))
    assert found is not None
    shown = found[2]
    typed = re.findall(r"> (.+)$", shown, re.M)
    assert len(typed) > 10
    told = run(*shlex.split(found[1]), stdin="".join(f"{line}\n" for line in typed))
    assert (told.status, told.err) == (0, "")
    pattern = "".join("(?:(?!Next:).*\n)+" if line == "..." else re.escape(line) + "\n" for line in shown.splitlines())
    assert re.fullmatch(pattern, told.out), told.out
    assert run("replay", "--strict", "night.toml").status == 0
