"""A dealer with real cards, by keyboard: two keystrokes a card, the next act under one key, an incident ruled."""

import re

import pytest
from playwright.sync_api import Locator, expect

from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.view.procedure import Step, procedure
from casinowar.house.table.table import LiveTable
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.support.live_server import Caller, LiveServer

WHY = "as the book asks"


@pytest.fixture(scope="module")
def dora(house: LiveServer) -> Caller:
    return house.staff("dora", "dealer")


@pytest.fixture(scope="module")
def sue(house: LiveServer) -> Caller:
    return house.staff("sue", "supervisor")


def following(house: LiveServer, table: str) -> Step:
    live: LiveTable = house.server.house.tables[table]
    return house.call(lambda: procedure(live.rules, live.table)[0])


def load_shoe(house: LiveServer, table: str, dora: Caller, sue: Caller) -> None:
    """Every step of the book until the cards are in the shoe, two people looking at them."""
    live = house.server.house.tables[table]
    while house.call(lambda: is_shuffle_due(live.table)):
        step = following(house, table)
        if step.act == "cut":
            cutter = house.server.house.tables[table]
            players = Caller(house)
            players.cookie = CUTTERS[table].cookie
            position = 26 * cutter.rules.shoe.decks
            players.command(table, {"do": "cut", "player": step.player, "position": position})
        elif step.act == "verify":
            sue.command(table, {"do": "verify_cards"}, **{"as": "supervisor", "reason": WHY})
        else:
            answer = dora.command(table, {"do": "next"}, **{"as": "dealer"})
            request = answer.json.get("request")
            if request:
                sue.command(table, {"do": "countersign", "request": request}, **{"as": "supervisor", "reason": WHY})


CUTTERS: dict[str, Caller] = {}


def seated(house: LiveServer, table: str, box: int, dora: Caller, sue: Caller) -> Caller:
    """A player in a box at a table whose shoe is loaded, with a wager down."""
    ann = Caller(house).guest()
    CUTTERS[table] = ann
    assert ann.command(table, {"do": "sit", "box": box}).status == 200
    load_shoe(house, table, dora, sue)
    wager = {"do": "place_wager", "player": ann.name, "box": box, "wager": "initial", "amount": 1000}
    assert ann.command(table, wager).status == 200, ann.command(table, wager).json
    return ann


def step_on(dealer: Person, house: LiveServer, table: str, card: str) -> Step:
    """One act by keyboard: the face of a card that is turned up, Space for all else."""
    step, version = following(house, table), house.version(table)
    if step.act == "draw":
        expect(dealer.page.get_by_role("region", name="Card entry")).not_to_contain_text("No card is due")
        expect(dealer.button("clubs")).to_be_enabled()
    else:
        expect(dealer.button(re.compile("^Do it"))).to_be_enabled()
    for key in card if step.act == "draw" else ("Space",):
        dealer.page.keyboard.press(key)
    dealer.until(lambda: house.version(table) > version)
    return step


def test_a_round_of_real_cards_is_dealt_by_keyboard_alone(
    house: LiveServer, dora: Caller, sue: Caller, new_person: NewPerson
) -> None:
    ann = seated(house, "real", 2, dora, sue)
    dealer = new_person().known(dora).go("/dealer/real")
    for key in ("9", "clubs", "Correct"):
        expect(dealer.button(key, exact=True)).to_be_disabled()
    cards = iter(("9s", "9h", "Kd", "4c"))
    acts = []
    for _ in range(40):
        if following(house, "real").act == "decide":
            dealer.see_text(re.compile("chooses"))
            ann.command("real", {"do": "go_to_war", "player": ann.name, "box": 2})
        acts.append(step_on(dealer, house, "real", next(cards) if following(house, "real").act == "draw" else "").act)
        if acts[-1] == "end_round":
            break
    assert acts.count("draw") == 4
    assert acts[-1] == "end_round"
    told = ann.ask("GET", "/api/tables/real").json["rounds"][0]
    assert [hand[1] for hand in sorted(told["hands"])] == [["9h", "4c"], ["9s", "Kd"]]
    assert {(one[1], one[4]) for one in told["wagers"]} == {("initial", "push"), ("war", "win")}


def test_an_incident_is_previewed_before_it_is_ruled(
    house: LiveServer, dora: Caller, sue: Caller, new_person: NewPerson
) -> None:
    seated(house, "real-incident", 3, dora, sue)
    dealer = new_person().known(dora).go("/dealer/real-incident")
    while following(house, "real-incident").act != "draw":
        step_on(dealer, house, "real-incident", "")
    step_on(dealer, house, "real-incident", "Qd")
    dealer.page.keyboard.press("F8")
    panel = dealer.see(dealer.page.get_by_role("complementary", name="Incident"))
    panel.get_by_role("button", name=re.compile("^A card is damaged")).click()
    form = dealer.see(panel.get_by_role("form"))
    version = house.version("real-incident")
    expect(form).to_contain_text("Still to fill in: reason.")
    for field in form.get_by_role("textbox").all():
        name = field.get_attribute("id") or ""
        field.fill("bent at the corner" if name.endswith("-why") else "Qd")
    expect(form).to_contain_text("nothing has happened yet")
    expect(form).not_to_contain_text("Still to fill in")
    ruled = form.get_by_role("button", name=re.compile("^Apply ruling"))
    expect(ruled).to_be_enabled()
    expect(form.get_by_role("button", name=re.compile("^Clause NZ-")).first).to_be_visible()
    assert house.version("real-incident") == version
    ruled.click()
    dealer.until(lambda: house.version("real-incident") > version)
    dealer.see(panel.get_by_text("Done."))


def press_on(dealer: Person, house: LiveServer, table: str) -> Step:
    """One act at a table with a sealed shoe, where each card comes by itself."""
    step, version = following(house, table), house.version(table)
    expect(dealer.button(re.compile("^Do it"))).to_be_enabled()
    dealer.page.keyboard.press("Space")
    dealer.until(lambda: house.version(table) > version)
    return step


def done_so_far(dealer: Person) -> Locator:
    """The lines of the procedure that are ticked off."""
    listed = dealer.page.get_by_role("region", name="Procedure").get_by_role("listitem")
    return listed.filter(has=dealer.page.get_by_text("done", exact=True))


def test_the_steps_of_a_round_are_on_the_list_again_after_a_reload(
    house: LiveServer, dora: Caller, new_person: NewPerson
) -> None:
    table = "stacked-hand-reload"
    ann = Player(house, table)
    ann.bet()
    ann.bet("tie")
    dealer = new_person().known(dora).go(f"/dealer/{table}")
    # What was done before the console was opened comes by itself, and later than the first view.
    expect(done_so_far(dealer)).not_to_have_count(0)
    while press_on(dealer, house, table).act != "take":
        pass
    expect(done_so_far(dealer).filter(has_text="One card to the dealer")).to_have_count(1)
    before = done_so_far(dealer).all_inner_texts()
    now = dealer.page.get_by_role("region", name="Procedure").locator("[aria-current=step]")
    head = now.inner_text()
    assert len(before) >= 3, before
    dealer.page.reload()
    expect(done_so_far(dealer)).to_have_text(before, use_inner_text=True)
    assert now.inner_text() == head
    # Another console of the same table has the same list, and it goes on from there.
    other = new_person().known(dora).go(f"/dealer/{table}")
    expect(done_so_far(other)).to_have_text(before, use_inner_text=True)
    while press_on(dealer, house, table).act != "end_round":
        pass
    for one in (dealer, other):
        expect(done_so_far(one).filter(has_text="Cards to the rack")).to_have_count(1)
    assert done_so_far(dealer).all_inner_texts() == done_so_far(other).all_inner_texts()


def test_whoever_plays_at_a_table_does_not_deal_it(house: LiveServer, new_person: NewPerson) -> None:
    table = "stacked-hand-plays"
    nobody = Caller(house).guest()
    ann = new_person().known(nobody).go(f"/dealer/{table}")
    ann.see_text("The console is for dealers, supervisors and managers.")
    dan = house.staff("dan", "dealer")
    dan.name = "dan"
    player = Player(house, table, 4)
    player.bet()
    dealer = new_person().known(dan).go(f"/dealer/{table}")
    expect(dealer.button(re.compile("^Do it"))).to_be_enabled()
    assert dan.command(table, {"do": "sit", "box": 2}).status == 200
    wager = {"do": "place_wager", "player": "dan", "box": 2, "wager": "tie", "amount": 500}
    assert dan.command(table, wager).status == 200
    version = house.version(table)
    expect(dealer.page.get_by_role("table")).to_contain_text("dan")
    dealer.page.keyboard.press("Space")
    dealer.see_text(re.compile("You play at this table"))
    assert house.version(table) == version


def other_act(dealer: Person, act: str, **fields: str) -> Locator:
    """An act out of the console's list, by its form."""
    dealer.see(dealer.page.get_by_role("region", name="Procedure"))
    panel = dealer.page.get_by_role("complementary", name="Other acts")
    if not panel.is_visible():
        dealer.page.keyboard.press("F7")
    panel.get_by_role("button", name=re.compile(f"^{act}")).click()
    form = dealer.see(panel.get_by_role("form", name=act))
    for label, value in fields.items():
        form.get_by_label(label).select_option(value)
    return form


@pytest.mark.clause("CA-RP-10a")
@pytest.mark.clause("CA-RP-10b")
def test_the_bank_is_offered_and_passed_on_from_the_console_after_two_rounds(
    house: LiveServer, dora: Caller, new_person: NewPerson
) -> None:
    table = "stacked-hand-bank"
    ann, ben = Player(house, table, 1), Player(house, table, 3)
    dealer = new_person().known(dora).go(f"/dealer/{table}")

    def bank() -> str | None:
        held = house.call(lambda: house.server.house.tables[table].table.bank)
        return held.player if held else None

    form = other_act(dealer, "Offer the bank", Player=ann.name)
    form.get_by_role("button", name=re.compile("^Apply")).click()
    dealer.see_text("Done.")
    for _ in range(2):
        ann.act(do="accept_bank", player=ann.name, box=1, stake=10_000)
        assert bank() == ann.name
        ben.bet()
        while following(house, table).act != "end_round":
            assert dora.command(table, {"do": "next"}, **{"as": "dealer"}).status == 200
        early = other_act(dealer, "Pass the bank on")
        expect(early).to_contain_text("Not possible")
        dealer.page.keyboard.press("Escape")
        assert dora.command(table, {"do": "next"}, **{"as": "dealer"}).status == 200
        assert bank() is None
    again = {"do": "accept_bank", "player": ann.name, "box": 1, "stake": 10_000}
    assert ann.command(table, again).json["code"] == "bank_must_pass"
    form = other_act(dealer, "Pass the bank on")
    expect(form).to_contain_text(ben.name)
    form.get_by_role("button", name=re.compile("^Apply")).click()
    dealer.see_text("Done.")
    ben.act(do="accept_bank", player=ben.name, box=3, stake=10_000)
    assert bank() == ben.name


@pytest.mark.clause("NZ-9.4-i")
def test_cards_that_went_wrong_are_put_where_they_belong_and_the_deal_goes_on(
    house: LiveServer, dora: Caller, sue: Caller, new_person: NewPerson
) -> None:
    table = "real-rebuilt"
    rae = house.staff("rae", "dealer", "supervisor")
    ann = seated(house, table, 2, dora, sue)
    ben = Caller(house).guest()
    assert ben.command(table, {"do": "sit", "box": 5}).status == 200
    wager = {"do": "place_wager", "player": ben.name, "box": 5, "wager": "initial", "amount": 1000}
    assert ben.command(table, wager).status == 200
    dealer = new_person().known(rae).go(f"/dealer/{table}")
    for card in ("Qd", "4s"):
        while following(house, table).act != "draw":
            step_on(dealer, house, table, "")
        step_on(dealer, house, table, card)
    assert hands(ann, table) == {2: ["Qd"], 5: ["4s"]}
    dealer.page.keyboard.press("F8")
    panel = dealer.see(dealer.page.get_by_role("complementary", name="Incident"))
    panel.get_by_role("button", name=re.compile("^Put cards where they belong")).click()
    form = dealer.see(panel.get_by_role("form"))
    expect(form).to_contain_text("Still to fill in: moves, reason.")
    moves = form.get_by_label("Moves")
    moves.fill("2 to 5")
    expect(form.get_by_role("button", name=re.compile("^Apply ruling"))).to_be_disabled()
    expect(form).to_contain_text(": moves.")
    moves.fill("2>5")
    expect(form).to_contain_text("Not possible")
    moves.fill("2>5; 5>2")
    expect(form).not_to_contain_text("Not possible")
    form.get_by_label("Reason").fill("each was the other's card")
    form.get_by_role("button", name=re.compile("^Apply ruling")).click()
    dealer.see(panel.get_by_text("Done."))
    assert hands(ann, table) == {2: ["4s"], 5: ["Qd"]}
    dealer.page.keyboard.press("Escape")
    step_on(dealer, house, table, "9c")
    assert hands(ann, table) == {2: ["4s"], 5: ["Qd"], 0: ["9c"]}


def hands(caller: Caller, table: str) -> dict[int, list[str]]:
    view = caller.ask("GET", f"/api/tables/{table}").json["view"]
    found = {box["box"]: box["cards"] for box in view["boxes"]} | {0: view["dealer"]}
    return {box: cards for box, cards in found.items() if cards}
