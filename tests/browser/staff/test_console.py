"""The console and the pit together: whose act is due, what waits for a signature, and what a dealer passes on."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from casinowar.engine.view.procedure import Step, procedure
from casinowar.house.settings import BotSettings, HouseSettings
from tests.browser.conftest import METER, table
from tests.browser.people import NewPerson, Person
from tests.support.live_server import Caller, LiveServer, running

pytestmark = pytest.mark.long

WHY = "as the book asks"
TABLES = (
    table("signed", dealer="real"),
    table("inspected", "wa", dealer="real"),
    table("inspected-too", "wa", dealer="real"),
    table("cut", dealer="real"),
    table("verified", "ma", dealer="real", **METER["ma"]),
    table("banked", "ca", dealer="real", bots=()),
    table("drawn", "ma", dealer="real"),
    table("voided", "wa", dealer="real"),
    table("idle", dealer="human", bots=(BotSettings(box=2),)),
    table("corrected", dealer="real"),
    table("narrow", "ma", dealer="real", **METER["ma"]),
    table("scanned", dealer="real"),
)
DO_IT = re.compile("^Do it")


class Floor:
    """The house with its staff, who can also act without a window."""

    def __init__(self, live: LiveServer) -> None:
        self.live = live
        self.dora = live.staff("dora", "dealer")
        self.sue = live.staff("sue", "supervisor")
        self.sam = live.staff("sam", "supervisor")
        self.oz = live.staff("oz", "operator")
        self.una = live.staff("una", "dealer", "supervisor")

    def head(self, name: str) -> Step:
        at = self.live.server.house.tables[name]
        return self.live.call(lambda: procedure(at.rules, at.table)[0])

    def seated(self, name: str, *boxes: int) -> list[Caller]:
        players = [Caller(self.live).guest() for _ in boxes]
        for player, box in zip(players, boxes, strict=True):
            assert player.command(name, {"do": "sit", "box": box}).status == 200
        return players

    def step(self, name: str, faces: Iterator[str]) -> None:
        """What is due, by whoever's it is, without a window."""
        head = self.head(name)
        if head.act == "cut" or head.role is not None:
            position = 26 * self.live.server.house.tables[name].rules.shoe.decks
            cut = {"do": "cut", "position": position, **({"player": head.player} if head.player else {})}
            asked = cut if head.act == "cut" else {"do": "verify_cards"}
            answer = self.sue.command(name, asked, **{"as": "supervisor", "reason": WHY})
        else:
            answer = self.dora.command(name, {"do": "next"}, **{"as": "dealer"})
        if answer.json.get("code") == "card_unseen":
            answer = self.dora.command(name, {"do": "enter", "card": next(faces)}, **{"as": "dealer"})
        request = answer.json.get("request")
        if request:
            sign = {"do": "countersign", "request": request}
            answer = self.sue.command(name, sign, **{"as": "supervisor", "reason": WHY})
        assert answer.status == 200, answer.json

    def until(self, name: str, *acts: str, faces: str = "") -> None:
        coming = iter(faces.split())
        while self.head(name).act not in acts:
            self.step(name, coming)

    def bet(self, name: str, player: Caller, box: int, wager: str = "initial", amount: int = 500) -> None:
        laid = {"do": "place_wager", "player": player.name, "box": box, "wager": wager, "amount": amount}
        answer = player.command(name, laid)
        assert answer.status == 200, answer.json


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[Floor]:
    with running(tmp_path_factory.mktemp("console"), HouseSettings(tables=TABLES)) as live:
        yield Floor(live)


def now(dealer: Person) -> Locator:
    """The act at the head of the list."""
    return dealer.page.locator("[aria-current=step]")


def console(new_person: NewPerson, floor: Floor, who: Caller, name: str) -> Person:
    dealer = new_person(floor.live).known(who).go(f"/dealer/{name}")
    dealer.see(now(dealer))
    return dealer


def waiting(person: Person, name: str) -> Locator:
    """What waits for the floor at a table, beside the pit's tables."""
    region = person.page.get_by_role("region", name="Waiting for you")
    return region.get_by_role("article").filter(has_text=re.compile(rf", {name}\b"))


def pit(new_person: NewPerson, floor: Floor, who: Caller) -> Person:
    person = new_person(floor.live).known(who).go("/pit")
    person.see(person.page.get_by_role("heading", name="Waiting for you"))
    return person


@pytest.mark.clause("NZ-6.1")
def test_an_act_that_waits_for_a_signature_waits_once_and_says_so_only_as_long_as_it_does(
    floor: Floor, new_person: NewPerson
) -> None:
    dealer = console(new_person, floor, floor.dora, "signed")
    entry = dealer.page.get_by_role("region", name="Card entry")
    dealer.see(entry)
    before = entry.bounding_box()
    for _ in range(3):
        dealer.page.keyboard.press("Space")
    expect(now(dealer)).to_contain_text("waits for a second signature in the pit")
    expect(dealer.button(DO_IT)).to_have_count(0)
    dealer.page.keyboard.press("Space")
    assert entry.bounding_box() == before, "a message has moved the keypad"

    sue = pit(new_person, floor, floor.sue)
    card = waiting(sue, "signed")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("First signature, dealer dora")
    refuse = card.get_by_role("button", name="Refuse")
    expect(refuse).to_be_disabled()
    expect(refuse).to_have_accessible_description("Still to fill in: reason.")
    card.get_by_label("Reason").fill("a card is missing")
    expect(card).not_to_contain_text("Still to fill in")
    refuse.click()
    expect(card).to_have_count(0)
    expect(now(dealer)).not_to_contain_text("waits for")

    dealer.button(DO_IT).click()
    expect(card).to_have_count(1)
    expect(now(dealer)).to_contain_text("Inspect the cards")
    card.get_by_label("Reason").fill("counted too")
    card.get_by_role("button", name="Sign as second").click()
    expect(now(dealer)).to_contain_text("Spread the cards")
    expect(dealer.button(DO_IT)).to_be_enabled()
    expect(dealer.page.locator("main")).not_to_contain_text("second signature")
    expect(card).to_have_count(0)


def test_whoever_asked_takes_it_back(floor: Floor, new_person: NewPerson) -> None:
    dealer = console(new_person, floor, floor.dora, "corrected")
    dealer.page.keyboard.press("Space")
    dealer.page.get_by_label("Reason").fill("the wrong box of cards")
    dealer.button("Take it back").click()
    expect(dealer.button(DO_IT)).to_be_enabled()
    expect(dealer.button("Take it back")).to_have_count(0)


@pytest.mark.clause("WA-4.4-ii")
def test_a_last_cut_is_the_inspectors_and_waits_in_the_pit(floor: Floor, new_person: NewPerson) -> None:
    """Nobody is seated: six decks, so that the middle is at 156."""
    floor.until("inspected", "cut")
    dealer = console(new_person, floor, floor.dora, "inspected")
    expect(now(dealer)).to_contain_text("waits for the Table Inspector")
    expect(dealer.button(DO_IT)).to_have_count(0)
    sue = pit(new_person, floor, floor.sue)
    card = waiting(sue, "inspected")
    expect(card).to_contain_text("Cut")
    card.get_by_role("button", name="Do it").click()
    form = sue.page.get_by_role("form", name="Cut the cards")
    decks = floor.live.server.house.tables["inspected"].rules.shoe.decks
    expect(form.get_by_label("Cards from the top")).to_have_value(str(26 * decks))
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name=re.compile("^Apply")).click()
    expect(now(dealer)).to_contain_text("Put the cutting card in")
    expect(dealer.button(DO_IT)).to_be_enabled()
    sue.page.keyboard.press("Escape")
    expect(card).to_have_count(0)


@pytest.mark.clause("WA-4.4-ii")
def test_an_inspector_at_the_console_cuts_there(floor: Floor, new_person: NewPerson) -> None:
    floor.until("inspected-too", "cut")
    una = console(new_person, floor, floor.una, "inspected-too")
    una.button("Do it as Table Inspector").click()
    form = una.page.get_by_role("form", name="Cut the cards")
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name=re.compile("^Apply")).click()
    expect(now(una)).to_contain_text("Put the cutting card in")


@pytest.mark.clause("NZ-7.4a")
@pytest.mark.clause("NZ-7.5-i")
def test_a_players_cut_is_noted_or_passed_on(floor: Floor, new_person: NewPerson) -> None:
    first, second = floor.seated("cut", 2, 5)
    floor.until("cut", "cut")
    by, other = (first, second) if floor.head("cut").player == first.name else (second, first)
    dealer = console(new_person, floor, floor.dora, "cut")
    expect(now(dealer)).to_contain_text(f"Cut by {by.name}")
    dealer.button("Pass the cut on").click()
    expect(now(dealer)).to_contain_text(f"waits for {other.name}")
    position = dealer.page.get_by_label("Cards from the top")
    expect(position).to_have_value(str(26 * floor.live.server.house.tables["cut"].rules.shoe.decks))
    position.fill("100")
    dealer.button(f"{other.name} cuts").click()
    expect(now(dealer)).not_to_contain_text("Cut by")
    assert floor.live.server.house.tables["cut"].table.cut_made


@pytest.mark.clause("MA-4b-i")
def test_the_floor_verifies_and_learns_so_in_the_pit(floor: Floor, new_person: NewPerson) -> None:
    dealer = console(new_person, floor, floor.dora, "verified")
    dealer.page.keyboard.press("Space")
    expect(now(dealer)).to_contain_text("Have the inspection verified")
    expect(now(dealer)).to_contain_text("waits for the floorperson")
    expect(dealer.button(DO_IT)).to_have_count(0)
    sue = pit(new_person, floor, floor.sue)
    expect(sue.page.get_by_role("article").filter(has_text="verified").first).to_contain_text("Waiting for the floor")
    card = waiting(sue, "verified")
    expect(card.get_by_role("button", name=re.compile("^Clause MA-4b"))).to_be_visible()
    card.get_by_role("button", name="Do it").click()
    form = sue.page.get_by_role("form", name="Verify the inspection")
    form.get_by_label("Reason").fill("all there")
    form.get_by_role("button", name=re.compile("^Apply")).click()
    expect(now(dealer)).not_to_contain_text("waits for")


@pytest.mark.clause("CA-RP-10a")
@pytest.mark.clause("CA-STD-4")
def test_the_procedure_offers_the_bank_and_shows_who_holds_it(floor: Floor, new_person: NewPerson) -> None:
    ann, ben = floor.seated("banked", 3, 6)
    floor.until("banked", "offer_bank")
    dealer = console(new_person, floor, floor.dora, "banked")
    expect(dealer.page.get_by_role("banner")).not_to_contain_text("Float")
    expect(dealer.page.get_by_role("banner")).to_contain_text("Bank nobody yet")
    expect(now(dealer)).to_contain_text(f"Offer the bank to {ann.name}")
    dealer.page.keyboard.press("Space")
    expect(now(dealer)).to_contain_text(f"waits for {ann.name}")
    expect(dealer.button(DO_IT)).to_have_count(0)
    assert ann.command("banked", {"do": "decline_bank", "player": ann.name}).status == 200
    expect(now(dealer)).to_contain_text(f"Offer the bank to {ben.name}")
    taken = {"do": "accept_bank", "player": ben.name, "box": 6, "stake": 20_000}
    assert ben.command("banked", taken).status == 200
    expect(dealer.page.get_by_role("banner")).to_contain_text(f"Bank {ben.name}")
    expect(dealer.page.get_by_role("banner")).to_contain_text("1 of 2")
    expect(dealer.page.get_by_role("banner")).to_contain_text("covers 200 more")
    expect(dealer.page.get_by_role("row").filter(has_text=ben.name)).to_contain_text("banks")
    felt = dealer.page.get_by_role("img", name=re.compile("^The table"))
    expect(felt.locator("text", has_text="BANK")).to_be_visible()
    expect(felt.locator("text", has_text="Player/dealer")).to_be_visible()


@pytest.mark.clause("MA-10a-ii")
def test_what_the_floor_decides_is_sent_to_the_pit_as_filled_in(floor: Floor, new_person: NewPerson) -> None:
    [ann] = floor.seated("drawn", 2)
    floor.until("drawn", "invite")
    floor.bet("drawn", ann, 2)
    floor.until("drawn", "draw")
    dealer = console(new_person, floor, floor.dora, "drawn")
    dealer.page.keyboard.press("F8")
    panel = dealer.see(dealer.page.get_by_role("complementary", name="Incident"))
    panel.get_by_role("button", name="A card was drawn in error").click()
    form = panel.get_by_role("form")
    form.get_by_label("Its face was seen").check()
    form.get_by_label("Its face, optional").fill("ZZ")
    expect(form).to_contain_text("Cannot be read: its face.")
    form.get_by_label("Its face, optional").fill("7c")
    form.get_by_label("Burn it").check()
    expect(form).to_contain_text("this takes the floorperson")
    form.get_by_label("As the book has it").check()
    expect(form).not_to_contain_text("Not possible")
    form.get_by_label("Burn it").check()
    expect(form.get_by_role("button", name="Send to pit")).to_be_disabled()
    form.get_by_label("Reason").fill("it stuck to the last one")
    form.get_by_role("button", name="Send to pit").click()
    expect(form.get_by_role("alert")).to_contain_text("waits in the pit. The floor decides.")

    sue = pit(new_person, floor, floor.sue)
    card = waiting(sue, "drawn")
    expect(card).to_contain_text("Passed on by dealer dora: it stuck to the last one")
    expect(card).to_contain_text("Out of play: 7♣")
    card.get_by_label("Reason").fill("burn it")
    card.get_by_role("button", name="Do it so").click()
    expect(card).to_have_count(0)
    expect(form.get_by_role("alert")).to_contain_text("The request waits no more")


@pytest.mark.clause("WA-5.4-ii")
def test_the_second_signer_sees_what_moves_and_the_first_that_it_was_signed(
    floor: Floor, new_person: NewPerson
) -> None:
    """Ann's king beats the nine and ben's two loses: 5 and 5 on the first wager, and 5 on a tie that is lost."""
    ann, ben = floor.seated("voided", 2, 4)
    floor.until("voided", "invite", faces="3s")
    floor.bet("voided", ann, 2)
    floor.bet("voided", ben, 4)
    floor.bet("voided", ben, 4, "tie")
    floor.until("voided", "end_round", faces="Kd 2c 9h")
    sue = pit(new_person, floor, floor.sue)
    sue.button("voided", exact=True).click()
    dialog = sue.page.get_by_role("dialog", name="voided")
    told = dialog.get_by_role("listitem").filter(has=sue.button("Void the round", exact=True))
    expect(told).not_to_contain_text("this takes")
    sue.page.keyboard.press("Escape")

    oz = pit(new_person, floor, floor.oz)
    oz.button("voided", exact=True).click()
    oz.page.get_by_role("dialog").get_by_role("button", name="Void the round", exact=True).click()
    form = oz.page.get_by_role("form", name="Void the round")
    form.get_by_label("Reason").fill("a card was seen")
    moves = [
        "Casino War of 5, box 2, is void: it had won 5, which is taken back",
        "Casino War of 5, box 4, is void: it had lost 5, which goes back",
        "Tie of 5, box 4, is void: it had lost 5, which goes back",
    ]
    for line, move in enumerate(moves):
        expect(form.get_by_role("listitem").nth(line)).to_contain_text(move)
    ends = "All hands are void, by Casino Operator oz and a second person (the book is silent; house default)"
    expect(form.get_by_role("listitem").last).to_have_text(ends)
    form.get_by_role("button", name=re.compile("^Ask for the second signature")).click()

    card = waiting(sue, "voided")
    for line, move in enumerate(moves):
        expect(card.get_by_role("listitem").nth(line)).to_contain_text(move)
    expect(card).to_contain_text("the book is silent; house default")
    expect(card).to_contain_text(re.compile(r"at \d\d:\d\d"))
    card.get_by_label("Reason").fill("I saw it too")
    card.get_by_role("button", name="Sign as second").click()
    expect(form.get_by_role("alert")).to_contain_text("The request waits no more")
    expect(form).not_to_contain_text("Not possible")


def test_cards_that_a_scanner_types_at_once_are_all_entered_until_one_is_refused(
    floor: Floor, new_person: NewPerson
) -> None:
    """Two boxes and the dealer are due a card each: the fourth has no place, and the fifth waits behind it."""
    ann, ben = floor.seated("scanned", 2, 4)
    floor.until("scanned", "invite")
    floor.bet("scanned", ann, 2)
    floor.bet("scanned", ben, 4)
    floor.until("scanned", "draw")
    dealer = console(new_person, floor, floor.dora, "scanned")
    expect(now(dealer)).to_contain_text("One card to")
    dealer.page.keyboard.type("Kd2c9h7cTd")
    expect(dealer.page.locator("main")).to_contain_text("Not entered either: 10♦.")
    seen = ann.ask("GET", "/api/tables/scanned").json["view"]
    assert {box["box"]: box["cards"] for box in seen["boxes"] if box["cards"]} == {2: ["Kd"], 4: ["2c"]}
    assert seen["dealer"] == ["9h"]


def test_a_sealed_shoe_without_players_is_nobodys_act(floor: Floor, new_person: NewPerson) -> None:
    dealer = console(new_person, floor, floor.dora, "idle")
    expect(now(dealer)).to_contain_text("waits for a player to sit down")
    expect(dealer.button(DO_IT)).to_have_count(0)


def edges(what: Locator) -> tuple[float, float]:
    """Left and right."""
    box = what.bounding_box()
    assert box is not None
    return box["x"], box["x"] + box["width"]


def test_what_is_ruled_on_and_what_is_paid_stay_in_sight_on_a_narrow_screen(
    floor: Floor, new_person: NewPerson
) -> None:
    [ann] = floor.seated("narrow", 2)
    floor.until("narrow", "invite")
    for wager in ("initial", "tie", "progressive"):
        floor.bet("narrow", ann, 2, wager)
    floor.until("narrow", "draw")
    dealer = new_person(floor.live, size=(1024, 768)).known(floor.dora).go("/dealer/narrow")
    dealer.see(now(dealer))
    dealer.page.keyboard.press("F8")
    panel = dealer.see(dealer.page.get_by_role("complementary", name="Incident"))
    entry = dealer.page.get_by_role("region", name="Card entry")
    for shown in (dealer.page.get_by_role("img", name=re.compile("^The table")), entry):
        left, right = edges(shown)
        assert edges(panel)[1] <= left
        assert right <= 1024
    dealer.page.keyboard.press("Escape")
    expect(now(dealer)).to_be_visible()

    phone = new_person(floor.live, size=(390, 844)).known(floor.dora).go("/dealer/narrow")
    phone.see(now(phone))
    takings = phone.page.get_by_role("region", name="Pay and take per box")
    expect(takings).to_contain_text("Casino War Progressive 5")
    for column in ("Take", "Pay", "Back"):
        assert edges(takings.get_by_role("columnheader", name=column))[1] <= 390
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for key in ("2", "A", "clubs", "spades", "Correct"):
        expect(phone.button(key, exact=True)).to_be_in_viewport(ratio=1)
    phone.button("9", exact=True).click()
    phone.button("hearts").click()
    entered = phone.page.get_by_role("region", name="Card entry").get_by_role("img", name="nine of hearts")
    expect(entered).to_be_visible()
    assert phone.page.evaluate("scrollY") == 0
