"""A dispute: a round replayed step by step, forwards and back, the same cards under another book, a record as a file
and the round on paper.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route, expect

from casinowar.rulebooks.catalogue import load_clauses
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.browser.sizes import each_size, is_seen
from tests.support.live_server import LiveServer

pytestmark = pytest.mark.first

FIRST = Path(__file__).parents[2] / "transcripts" / "first.toml"
SPLIT = re.compile(r"(\d+)").split


def test_a_tied_war_is_replayed_and_pays_otherwise_under_another_book(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated("stacked-ties-replay", 2)
    ann.bet("Casino War", 2)
    ann.ready()
    ann.button(re.compile("^Go to war.*place 5 more")).click()
    ann.see_text("this round, 2 wagers", 40_000)

    ann.page.keyboard.press("l")
    ann.page.get_by_role("dialog").get_by_role("link", name=re.compile("Replay")).click()
    ann.see(ann.page.get_by_role("heading", name=re.compile("^Round 1, stacked-ties-replay")))
    steps = ann.page.get_by_role("group", name="Step through the round")
    here = (
        ann.page.locator("[aria-current=step]").get_by_role("button").or_(ann.page.locator("button[aria-current=step]"))
    )
    told = []
    for _ in range(3):
        told.append(here.first.text_content() or "")
        steps.get_by_role("button", name="Next").click()
        expect(here.first).not_to_have_text(told[-1])
    steps.get_by_role("button", name="Back", exact=False).last.click()
    expect(here.first).to_contain_text(told[2].strip())

    ann.page.get_by_label("The other book").select_option("ctg")
    other = ann.page.get_by_role("table").filter(has_text="Wager").first
    # A tied war: 2 to 1 on the second wager in New Zealand, 3 to 1 at the fun casino.
    expect(other.get_by_role("row", name=re.compile("^Round"))).to_contain_text("+10")
    expect(other.get_by_role("row", name=re.compile("^Round"))).to_contain_text("+15")
    expect(other).to_contain_text("differs")


def test_a_record_that_was_exported_is_replayed_to_the_same_money(new_person: NewPerson) -> None:
    """A two in the box against a king: the five on it are lost, under this book and any other."""
    ann = new_person()
    name = "laid-x2cKd.record"
    ann.seated(name, 2)
    ann.bet("Casino War", 2)
    ann.ready()
    ann.see_text("this round, 1 wager")
    record = ann.context.request.get(f"{ann.address}/api/tables/{name}/rounds/1/record").text()
    ann.go("/replay")
    ann.page.get_by_label("Text of a record").fill(record)
    ann.button("Replay", exact=True).click()
    ann.see(ann.page.get_by_role("heading", name="Your record"))
    money = ann.page.get_by_role("table").filter(has_text="Wager").first
    for row in ("Casino War", "Round"):
        expect(money.get_by_role("row", name=re.compile(f"^{row}"))).to_have_text(re.compile("−5"))
    # Before the cards go to the rack.
    ann.page.keyboard.press("End")
    ann.page.keyboard.press("ArrowLeft")
    for face in ("two of clubs", "king of diamonds"):
        ann.see(ann.page.get_by_role("img", name=face))


def test_on_a_phone_the_form_fits_and_the_review_is_seen_from_its_title_on(new_person: NewPerson) -> None:
    ann = new_person(size=(320, 640)).go("/replay")
    ann.page.get_by_label("Text of a record").fill(FIRST.read_text("utf-8"))
    assert ann.page.evaluate("document.documentElement.scrollWidth") == 320
    ann.button("Replay", exact=True).click()
    expect(ann.page.get_by_role("heading", name="Your record")).to_be_in_viewport(ratio=1)


@pytest.fixture(scope="module")
def warrior(house: LiveServer) -> Player:
    """Somebody whose first round ended in a tied war: nines against nines, and nines again."""
    ann = Player(house, "stacked-ties-steps")
    ann.bet()
    ann.bet("tie")
    ann.deal()
    ann.go_to_war()
    return ann


def reviewed(new_person: NewPerson, warrior: Player) -> Person:
    ann = new_person().known(warrior).go("/replay/stacked-ties-steps/1")
    ann.see(ann.page.get_by_role("heading", name="Round 1, stacked-ties-steps"))
    return ann


def here(person: Person) -> Locator:
    """The step that is being looked at, with its clauses and what they say."""
    return person.page.get_by_role("listitem").filter(has=person.page.locator("[aria-current=step]"))


def test_every_step_is_reached_by_keyboard_with_its_clauses_and_their_words(
    new_person: NewPerson, warrior: Player
) -> None:
    ann = reviewed(new_person, warrior)
    clauses = load_clauses()
    steps = ann.page.get_by_role("listitem").filter(has=ann.page.get_by_role("button", name=re.compile(r"^\d+")))
    count = steps.count()
    told = []
    for at in range(1, count + 1):
        expect(here(ann).get_by_role("button").first).to_have_text(re.compile(rf"^{at}\D"))
        named = here(ann).get_by_role("button", name=re.compile("^Clause NZ-")).all_inner_texts()
        for clause in named:
            expect(here(ann)).to_contain_text(clauses[clause].text)
        told.append((here(ann).inner_text(), named))
        ann.page.keyboard.press("ArrowRight")
    expect(here(ann).get_by_role("button").first).to_have_text(re.compile(rf"^{count}\D"))
    assert sum(bool(named) for _, named in told) > count / 2, "most steps have a rule behind them"
    paid = [text for text, named in told if "NZ-5.13c" in named]
    assert len(paid) == 1
    assert "A tied war pays 2 to 1 on the Go to War Wager." in paid[0]
    assert "+10" in paid[0]
    for key, at in (("ArrowLeft", count - 1), ("ArrowLeft", count - 2), ("Home", 1), ("End", count)):
        ann.page.keyboard.press(key)
        expect(here(ann).get_by_role("button").first).to_have_text(re.compile(rf"^{at}\D"))
        assert here(ann).inner_text() == told[at - 1][0]


def late(route: Route) -> None:
    route.request.frame.page.wait_for_timeout(50)
    route.continue_()


def test_the_whole_step_is_in_sight_with_its_words(new_person: NewPerson, warrior: Player) -> None:
    """In a low window too, and also when the words of its clauses come after it."""
    ann = new_person(size=(1024, 600)).known(warrior)
    ann.page.route("**/api/clauses/*", late)
    ann.go("/replay/stacked-ties-steps/1")
    ann.see(ann.page.get_by_role("heading", name="Round 1, stacked-ties-steps"))
    ann.page.keyboard.press("End")
    for _ in range(5):
        ann.page.keyboard.press("ArrowLeft")
        for clause in here(ann).get_by_role("button", name=re.compile("^Clause NZ-")).all_inner_texts():
            expect(here(ann)).to_contain_text(load_clauses()[clause].text)
        step, pane = here(ann).bounding_box(), here(ann).locator("xpath=..").bounding_box()
        assert step is not None
        assert pane is not None
        assert pane["y"] <= step["y"]
        assert step["y"] + step["height"] <= pane["y"] + pane["height"] <= 600


@pytest.mark.parametrize("form", ["JSON", "TOML"])
def test_a_record_is_saved_as_a_file_and_played_again_from_it(
    form: str, new_person: NewPerson, warrior: Player, tmp_path: Path
) -> None:
    """5 on a tied war brings 10, 5 on the tie 50."""
    ann = reviewed(new_person, warrior)
    ann.page.get_by_text("Record file", exact=True).click()
    with ann.page.expect_download() as download:
        ann.button(f"As {form}").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == f"stacked-ties-steps-round-1.{form.lower()}"

    ben = new_person()
    ben.guest()
    ben.go("/replay")
    ben.page.get_by_label("Record file").set_input_files(file)
    ben.see(ben.page.get_by_role("heading", name="Your record"))
    other = ben.page.get_by_role("table").filter(has_text="Wager").first
    expect(other.get_by_role("row", name=re.compile("^Round"))).to_contain_text("+60")
    ben.page.get_by_label("The other book").select_option("ctg")
    expect(other.get_by_role("row", name=re.compile("^Round"))).to_contain_text("+65")
    ben.button("Another record").click()
    ben.see(ben.page.get_by_role("heading", name="Replays"))


BROKEN: dict[str, tuple[bytes, str | re.Pattern[str]]] = {
    "words": (b"this is no record", re.compile(r"^Broken TOML: .* \(at line 1, column \d+\)\.$")),
    "cut off": (b'{"rulebook": "nz"', re.compile(r"^Broken JSON: .* line 1 column 18 .*\.$")),
    "nothing in it": (b"{}", re.compile(r"^Rulebook: .*\.$")),
    "no text": (b"\x00\xff\xfe", re.compile(r"^Broken TOML: .*\.$")),
    "empty": (b"", "This file is empty."),
    "far too large": (b" " * 3_000_000, "This is larger than the server takes."),
}


def test_a_broken_file_gives_one_clear_line_and_the_next_one_is_taken(
    new_person: NewPerson, warrior: Player, tmp_path: Path
) -> None:
    ann = new_person()
    ann.guest()
    ann.go("/replay")
    chosen = ann.page.get_by_label("Record file")
    for kind, (content, line) in BROKEN.items():
        file = tmp_path / f"{kind}.json"
        file.write_bytes(content)
        ann.page.get_by_label("Text of a record").fill("")
        chosen.set_input_files(file)
        expect(ann.page.get_by_role("alert")).to_have_text(line)
    good = warrior.ask("GET", "/api/tables/stacked-ties-steps/rounds/1/record").body
    (tmp_path / "good.json").write_bytes(good)
    chosen.set_input_files(tmp_path / "good.json")
    ann.see(ann.page.get_by_role("heading", name="Your record"))


def test_the_printed_sheet_has_the_round_and_nothing_to_press(new_person: NewPerson, warrior: Player) -> None:
    ann = reviewed(new_person, warrior)
    sheet = ann.page.locator("article").filter(has_text="Printed from")
    expect(ann.page.get_by_text("Printed from")).to_be_hidden()
    expect(here(ann)).to_be_visible()
    ann.page.emulate_media(media="print")
    expect(ann.page.get_by_text("Printed from")).to_be_visible()
    for role in ("button", "link", "slider", "combobox", "navigation"):
        expect(ann.page.get_by_role(role)).to_have_count(0)
    for text in (
        "Round 1, stacked-ties-steps",
        "Played under New Zealand",
        "NZ-5.13c",
        "A tied war pays 2 to 1 on the Go to War Wager.",
        warrior.name,
    ):
        expect(sheet).to_contain_text(text)
    for told in ("Dealer: 9", "Box 2: 9"):
        expect(sheet.get_by_role("listitem").filter(has_text=told)).to_have_count(1)
    # The day and the second at which it was over, by whose clock.
    expect(sheet).to_contain_text(re.compile(r"Over at \d{1,2} \w+ 20\d\d at \d\d:\d\d:\d\d \w+"))
    # 5.3 before 5.13, as in the book.
    named = sheet.locator("dt").all_inner_texts()
    assert named == sorted(named, key=lambda clause: [int(part) if part.isdigit() else part for part in SPLIT(clause)])
    assert sorted(named) != named
    rows = sheet.get_by_role("row")
    expect(rows).to_have_count(1 + 3)
    # NZ-8.5.1: the tie is settled first.
    expect(rows.nth(1)).to_contain_text("Tie")
    expect(rows.filter(has_text="Go to War").last).to_contain_text("+10")
    ann.page.emulate_media(media="screen")
    expect(ann.page.get_by_text("Printed from")).to_be_hidden()


WHOLE = ((320, 480), (390, 664), (844, 390), (1366, 625), (840, 525), (683, 312))
"""With a browser at 200 % in a low window as the last."""


def test_felt_sentence_and_buttons_are_seen_together_while_one_steps(new_person: NewPerson, warrior: Player) -> None:
    ann = reviewed(new_person, warrior)
    steps = ann.page.get_by_role("group", name="Step through the round")
    says = ann.page.get_by_role("listitem").locator("[aria-current=step] span").last
    for size in each_size(ann, "replay", WHOLE):
        ann.go("/replay/stacked-ties-steps/1")
        count = int((ann.page.get_by_role("slider", name="Steps of the round").get_attribute("max")) or 0)
        for _ in range(count - 2):
            # As one who looks for the button with the eyes: it is there without scrolling.
            assert is_seen(steps.get_by_role("button", name="Next"), size), size
            steps.get_by_role("button", name="Next").click()
            sentence = ann.page.get_by_text(says.inner_text(), exact=True).first
            felt = ann.page.get_by_role("group", name="Box 2 and the dealer at this step")
            cards = felt.get_by_role("img", name="nine of")
            dealt = [cards] if cards.count() else []
            for what in (felt, sentence, *dealt, steps.get_by_role("button")):
                assert is_seen(what, size), (size, what)
            bar = steps.bounding_box()
            drawn = felt.bounding_box()
            assert bar is not None
            assert drawn is not None
            assert drawn["y"] + drawn["height"] <= bar["y"], f"the felt lies behind the buttons at {size}"
            assert drawn["height"] > 200, size
        # Two cards each, after a war.
        expect(cards).to_have_count(4)


def test_no_two_targets_of_a_step_lie_over_each_other(new_person: NewPerson, warrior: Player) -> None:
    ann = reviewed(new_person, warrior)
    for size in each_size(ann, "replay-steps", ((320, 480), (390, 664), (1366, 625))):
        targets = ann.page.get_by_role("list").filter(has=ann.page.locator("[aria-current=step]")).get_by_role("button")
        boxes = [(one.inner_text(), one.bounding_box()) for one in targets.all()]
        for at, (name, one) in enumerate(boxes):
            assert one is not None
            assert one["height"] >= 44
            for other_name, other in boxes[at + 1 :]:
                assert other is not None
                is_beside = one["x"] + one["width"] <= other["x"] + 0.5 or other["x"] + other["width"] <= one["x"] + 0.5
                is_below = (
                    one["y"] + one["height"] <= other["y"] + 0.5 or other["y"] + other["height"] <= one["y"] + 0.5
                )
                assert is_beside or is_below, (size, name, other_name)
