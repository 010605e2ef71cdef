"""Every side wager of every book, put down by a person: won and lost, with its amount, its clause and the balance."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import expect

from casinowar.cards import DECK
from casinowar.house.settings import HouseSettings, Timers
from casinowar.rulebooks import WAGERS, load_clauses, load_rulebook
from tests.browser.conftest import BOOKS, table
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import LAID, as_named, stack_shoes
from tests.support.live_server import LiveServer, running

BOX = 2
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_WORDS = dict(zip("23456789TJQKA", (*NUMBERS, "jack", "queen", "king", "ace"), strict=True))
SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
FACES = """
window.__faces = new Set();
const look = () => document.querySelectorAll('[aria-label]').forEach((one) => window.__faces.add(one.ariaLabel));
new MutationObserver(look).observe(document, {subtree: true, childList: true, attributes: true});
"""
"""Whatever was called by a name on the page, however briefly."""

HURRIED = "const wait = window.setTimeout; window.setTimeout = (act, ms) => wait(act, ms / 5);"
"""Cards are dealt one by one as ever, and are looked at for a fifth of the time."""
CHIP = {"initial": 25}
SIDE_CHIP = 5
BEGINS_WITH = 1000
PATIENT = Timers(betting=120, decision=120, war_betting=120, cut=0, entropy=0, bank=120, pause=0, card=0.01)


class Round(NamedTuple):
    """Wagers of the first deal, the choice on a tie, wagers on the war's deal, and what comes of them.

    `felt` says what an area tells at the end and which clauses its result opens; `strip` are clauses under the felt.
    `net` is what the round brings, with the arithmetic of the clauses.
    """

    down: tuple[str, ...]
    net: float
    felt: dict[str, tuple[str, ...]]
    strip: tuple[str, ...]
    choice: Literal["war", "surrender"] | None = None
    later: tuple[str, ...] = ()


class Evening(NamedTuple):
    book: str
    cards: str
    """Those that are burned unseen as x; where players bank, one of the house plays along in a later box."""

    labels: dict[str, str]
    rounds: tuple[Round, ...]
    options: dict[str, object] | None = None

    @property
    def table(self) -> str:
        return f"{LAID}{self.cards.replace(' ', '')}"

    @property
    def burned(self) -> set[str]:
        """The faces that lie where the cards are given as x; none of them is dealt."""
        given = re.findall("x|[A-Z0-9][a-z]", self.cards)
        laid = as_named(self.table, DECK * load_rulebook(self.book).shoe.decks)
        faces = {face for name, face in zip(given, laid, strict=False) if name == "x"}
        assert not faces & set(given)
        return set(faces)


NZ = Evening(
    "nz",
    "x 9h9d Kh5d",
    {"initial": "Casino War", "tie": "Tie"},
    (
        Round(("initial", "tie"), 10 * 5 - 12.5, {"Tie": ("+50", "NZ-5.6", "NZ-5.13d")}, ("NZ-5.6",), "surrender"),
        Round(("initial", "tie"), 25 - 5, {"Tie": ("−5",), "Casino War": ("+25", "NZ-5.3a")}, ("NZ-5.6",)),
    ),
)
WA = Evening(
    "wa",
    "Acx AhAh xxx9h9s 9h5d 9h9d xxx5hKd",
    {"initial": "Casino War", "tie": "Tie", "a_bomb": "A Bomb", "perfect_pairs": "Perfect Pairs"},
    (
        # Two aces of hearts: a tie, a bomb and a perfect pair; then nines of two colours, which are a mixed pair.
        Round(
            ("initial", "tie", "a_bomb", "perfect_pairs"),
            10 * 5 + 10 * 5 + 25 * 5 + 5 * 5 + 25 + 25,
            {
                "Tie": ("+50", "WA-3.10a", "WA-3.11"),
                "A Bomb": ("+50", "WA-3.12a", "WA-3.13"),
                "Perfect Pairs": ("+150", "WA-1.1-PERF", "WA-3.16-6", "WA-1.1-MIX"),
                "Casino War": ("+25", "WA-3.5a-ii"),
                "Go to War": ("+25", "WA-3.8a"),
            },
            ("WA-1.1-MIX",),
            "war",
            ("war_perfect_pairs",),
        ),
        Round(
            ("initial", "tie", "a_bomb", "perfect_pairs"),
            25 - 5 - 5 - 5,
            {"Tie": ("−5",), "A Bomb": ("−5",), "Perfect Pairs": ("−5",)},
            ("WA-3.10b", "WA-3.12b", "WA-3.15b"),
        ),
        Round(("initial",), -25 - 25 - 5, {"Perfect Pairs": ("−5",)}, ("WA-3.15b",), "war", ("war_perfect_pairs",)),
    ),
)
CTG = Evening(
    "ctg",
    "x 8h8d Qh4d",
    {"initial": "War", "tie": "Tie"},
    (
        Round(("initial", "tie"), 10 * 5 - 12.5, {"Tie": ("+50", "CTG-F2", "CTG-O1")}, ("CTG-F2",), "surrender"),
        Round(("initial", "tie"), 25 - 5, {"Tie": ("−5",), "War": ("+25", "CTG-F4")}, ("CTG-F1",)),
    ),
)
CA = Evening(
    "ca",
    "x 9h4d9d xxx9s9c Kh4d5d 9h4d9d xxx5hKd",
    {"initial": "Primary", "tie": "Tie"},
    (
        # The war's deal ties as well: the war wager has 2 to 1, and so both ties win.
        Round(
            ("initial", "tie"),
            10 * 5 + 10 * 5 + 2 * 25,
            {
                "Tie": ("+100", "CA-RP-1c", "CA-PO-2", "CA-DEF-TW"),
                "War": ("+50", "CA-RP-7c"),
                "Primary": ("back 25", "CA-RP-7c"),
            },
            ("CA-DEF-TW",),
            "war",
            ("war_tie",),
        ),
        Round(("initial", "tie"), 25 - 5, {"Tie": ("−5",), "Primary": ("+25", "CA-RP-1b")}, ("CA-RP-1b",)),
        Round(("initial",), -25 - 25 - 5, {"Tie": ("−5",)}, ("CA-DEF-TW",), "war", ("war_tie",)),
    ),
    {"wager.war_tie": True},
)
MA = Evening(
    "ma",
    "x 9h9d xxx9s9c Kh5d 9h9d xxx5hKd",
    {"initial": "Initial", "tie": "Tie", "progressive": "Casino War Progressive"},
    (
        # Four nines in all, and not of one suit: 150 to 1. A progressive wager itself does not come back.
        Round(
            ("initial", "tie", "progressive"),
            10 * 5 + 10 * 5 + 2 * 25 + 150 * 5 - 5,
            {
                "Tie": ("+100", "MA-8a3", "MA-9a2", "MA-8g3"),
                "War": ("+50", "MA-8g3"),
                "Initial": ("back 25", "MA-8g3"),
                "Casino War Progressive": ("+745", "MA-11-T3"),
            },
            ("MA-8g3", "MA-11-T3"),
            "war",
            ("war_tie",),
        ),
        Round(
            ("initial", "tie", "progressive"),
            25 - 5 - 5,
            {"Tie": ("−5",), "Casino War Progressive": ("−5",)},
            ("MA-8a2", "MA-11a"),
        ),
        Round(
            ("initial", "progressive"),
            -25 - 25 - 5 + 5 * 5 - 5,
            {"Tie": ("−5",), "Casino War Progressive": ("+20", "MA-11-T6")},
            ("MA-8g1", "MA-11-T6"),
            "war",
            ("war_tie",),
        ),
    ),
    {"wager.progressive": True},
)
SAYS = {clause.id: clause.text for clause in load_clauses().values()}
EVENINGS = {one.book: one for one in (NZ, WA, CTG, CA, MA)}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = tuple(
        table(one.table, one.book, timers=PATIENT, title=one.book, options=one.options or {})
        for one in EVENINGS.values()
    )
    with running(tmp_path_factory.mktemp("wagers"), HouseSettings(tables=tables)) as live:
        yield live


@pytest.mark.parametrize("book", BOOKS)
def test_no_wager_that_a_book_can_offer_is_left_out_here(book: str) -> None:
    """Whatever the operator may offer is put down, won and lost below; a wager nobody plays fails here."""
    evening = EVENINGS[book]
    rules = load_rulebook(book, evening.options or {})
    offered = {wager for wager in WAGERS if wager in ("initial", "war") or getattr(rules.wager, wager)}
    can_be = {wager for wager in WAGERS if f"wager.{wager}" in rules.options}
    played = {wager for one in evening.rounds for wager in (*one.down, *one.later)}
    played |= {"war" for one in evening.rounds if one.choice == "war"} | {"war"}
    assert offered | can_be == played
    for wager in played - {"initial", "war"}:
        area = evening.labels[wager.removeprefix("war_")]
        told = [one.felt[area][0] for one in evening.rounds if wager in (*one.down, *one.later)]
        assert {text[0] for text in told} == {"+", "−"}, f"{wager} is to be won once and lost once"


def frames_of(person: Person) -> list[str]:
    """What the server sends over this person's socket from now on."""
    frames: list[str] = []
    person.page.on("websocket", lambda socket: socket.on("framereceived", lambda one: frames.append(str(one))))
    return frames


def put_down(person: Person, label: str, wager: str) -> None:
    amount = CHIP.get(wager, SIDE_CHIP)
    person.page.get_by_role("radio", name=f"Chip {amount}", exact=True).click()
    person.put_down(label, BOX)
    expect(person.spot(label, BOX)).to_have_accessible_name(re.compile(rf", {amount} down(, press to bet)?$"))


def leave_the_bank_to_others(person: Person, name: str) -> None:
    def is_taken() -> bool:
        view = person.view(name)["view"]
        return view["bank"] is not None and view["phase"] == "betting"

    person.until(is_taken)


def play(person: Person, evening: Evening, one: Round) -> None:
    if evening.book == "ca":
        leave_the_bank_to_others(person, evening.table)
    expect(person.button(re.compile(r"^Bet\b"))).to_be_enabled()
    for wager in one.down:
        put_down(person, evening.labels[wager], wager)
    person.ready()
    if one.choice == "surrender":
        person.button(re.compile("^Surrender")).click()
    if one.choice == "war":
        person.button(re.compile("^Go to war.*place 25 more")).click()
        for wager in one.later:
            put_down(person, evening.labels[wager.removeprefix("war_")], wager)
        if one.later:
            person.button(re.compile("^Deal")).click()
    wagers = len(one.down) + len(one.later) + (one.choice == "war")
    person.see_text(re.compile(rf"this round, {wagers} wagers?$"))


def read_clauses(person: Person, *clauses: str) -> None:
    """What one click has opened: the clauses under their ids, in words."""
    told = person.see(person.page.get_by_role("dialog", name=clauses[0], exact=True))
    for clause in clauses:
        expect(told.get_by_role("heading", name=clause, exact=True)).to_be_visible()
        expect(told).to_contain_text(SAYS[clause])
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def amount(number: float) -> str:
    return f"{number:,.2f}".removesuffix(".00")


@pytest.mark.parametrize(
    "evening",
    [
        pytest.param(NZ, id="nz", marks=pytest.mark.clause("NZ-5.6", "NZ-5.13d")),
        pytest.param(
            WA,
            id="wa",
            marks=pytest.mark.clause(
                *("WA-3.10a", "WA-3.10b", "WA-3.11", "WA-3.12a", "WA-3.12b", "WA-3.13", "WA-3.14a", "WA-3.14b"),
                *("WA-3.15a", "WA-3.15b", "WA-3.16-6"),
            ),
        ),
        pytest.param(CTG, id="ctg", marks=pytest.mark.clause("CTG-F1", "CTG-F2", "CTG-O1")),
        pytest.param(CA, id="ca", marks=pytest.mark.clause("CA-RP-1b", "CA-RP-1c", "CA-PO-2", "CA-DEF-TW")),
        pytest.param(
            MA,
            id="ma",
            marks=pytest.mark.clause(
                *("MA-8a2", "MA-8a3", "MA-8e-iii", "MA-8g1", "MA-8g3", "MA-9a2"),
                *("MA-11a", "MA-11-T3", "MA-11-T6", "MA-11-F1"),
            ),
        ),
    ],
)
def test_side_wagers_are_won_and_lost_on_the_page(evening: Evening, new_person: NewPerson) -> None:
    ann = new_person(size=(1440, 900))
    ann.context.add_init_script(HURRIED + FACES)
    heard = frames_of(ann)
    ann.seated(evening.table, BOX)
    layout = ann.view(evening.table)["view"]["layout"]
    assert {spot["wager"].removeprefix("war_"): spot["label"] for spot in layout if spot["wager"] != "war"} == (
        evening.labels
    )
    dock = ann.page.get_by_role("region", name="What you can do")
    strip = ann.page.get_by_role("region", name="Rulings of this round")
    has: float = BEGINS_WITH
    for one in evening.rounds:
        play(ann, evening, one)
        has += one.net
        sign = "+" if one.net > 0 else "−"
        expect(dock).to_contain_text(re.compile(rf"Balance\s*{re.escape(amount(has))}\s*0 on the layout"))
        expect(dock).to_contain_text(f"{sign}{amount(abs(one.net))}")
        for label, (says, *clauses) in one.felt.items():
            if says.startswith("−"):
                expect(ann.spot(label, BOX)).to_have_accessible_name(re.compile(rf", {says}(, press to bet)?$"))
            else:
                ann.button(f"{label} {says}: which clause", exact=True).click()
                read_clauses(ann, *clauses)
        for clause in one.strip:
            strip.get_by_role("button", name=f"Clause {clause}: what it says", exact=True).click()
            read_clauses(ann, clause)
    # No burned face was ever drawn, nor did the server tell it to this browser.
    drawn = set(ann.page.evaluate("[...window.__faces]"))
    assert "nine of hearts" in drawn or "eight of hearts" in drawn
    assert not drawn & {f"{RANK_WORDS[face[0]]} of {SUIT_WORDS[face[1]]}" for face in evening.burned}
    assert any('"card_burned"' in frame for frame in heard)
    assert not [frame for frame in heard for face in evening.burned if f'"{face}"' in frame]
