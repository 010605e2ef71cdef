"""The pit: floats and meters, hold against theory, purses, the audit, a stopped table cleared."""

import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random

from playwright.sync_api import Locator, Route, expect

from casinowar.store.sqlite.connection import execute
from casinowar.web.run import STORE_FILE
from tests.browser.conftest import Opened, table
from tests.browser.floor import apply, beside, card, done, managed
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.support.edited_rows import Editor
from tests.support.live_server import Caller

TIE = Fraction(23, 311)
AGAIN = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
WAR = {-2: TIE * (1 - AGAIN) / 2, -1: (1 - TIE) / 2, 1: (1 - TIE) / 2 + TIE * (1 - AGAIN) / 2, 2: TIE * AGAIN}
"""A unit on the first wager with six decks, every tie gone to war: 23 of 311 cards tie, and again 2:1 is paid."""


def percent(share: float) -> str:
    return f"{'−' if share < 0 else ''}{abs(share) * 100:.2f} %"


def test_each_table_shows_its_float_and_meter_right_after_a_round(opened: Opened, new_person: NewPerson) -> None:
    """Box 2 has a two against a king: all its wagers go to the house, and a tenth of the progressive to the meter."""
    live, _ = opened(
        table("laid-x2cKd.nz"),
        table("laid-x2cKd.ma", "ma", options={"wager.progressive": True}, meter=100_000),
        table("stacked-ca", "ca"),
    )
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("Float 0")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("No round finished yet")
    expect(card(floor, "laid-x2cKd.ma")).to_contain_text("meter 1,000")
    expect(card(floor, "stacked-ca")).to_contain_text("No float: players bank")

    first = Player(live, "laid-x2cKd.nz")
    first.bet()
    first.bet("tie")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("No round finished yet")
    first.deal()
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("Float 10")
    expect(card(floor, "laid-x2cKd.nz")).to_contain_text("1 of 7 boxes taken")
    second = Player(live, "laid-x2cKd.ma")
    second.bet()
    second.bet("progressive")
    second.deal()
    expect(card(floor, "laid-x2cKd.ma")).to_contain_text("Float 10")
    expect(card(floor, "laid-x2cKd.ma")).to_contain_text("meter 1,000.50")
    told = floor.page.get_by_role("definition")
    expect(told).to_have_text(["3 of 3", "4", "20", "+20", "0"])

    # Players bank there: what they stake is none of the house's.
    third = Player(live, "stacked-ca")
    third.act(do="decline_bank", player=third.name)
    floor.until(lambda: live.call(lambda: live.server.house.tables["stacked-ca"].table.bank is not None))
    third.bet()
    third.deal()
    tables = live.staff("sam", "supervisor").ask("GET", "/api/pit").json["tables"]
    assert {one["name"]: one["hold"]["staked"] > 0 for one in tables}["stacked-ca"]
    floor.page.reload()
    expect(told).to_have_text(["3 of 3", "5", "20", "+20", "0"])


def test_hold_stands_on_its_line_with_theory_and_band(opened: Opened, new_person: NewPerson) -> None:
    """Two rounds at 5: a two against a king is lost, an ace against a king is won."""
    live, _ = opened(table("laid-x2cKdAsKh.nz"))
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    theory = -sum(net * chance for net, chance in WAR.items())
    variance = sum(net**2 * chance for net, chance in WAR.items()) - theory**2
    ann = Player(live, "laid-x2cKdAsKh.nz")
    for rounds, held in ((1, 1.0), (2, 0.0)):
        ann.bet()
        ann.deal()
        reach = 1.96 * sqrt(variance / rounds)
        band = f"band {percent(float(theory) - reach)} to {percent(float(theory) + reach)}"
        told = f"Hold {percent(held)}, theory {percent(float(theory))}, {band}"
        floor.see(card(floor, "laid-x2cKdAsKh.nz").get_by_role("img", name=told))
        expect(card(floor, "laid-x2cKdAsKh.nz")).to_contain_text(f"theory {percent(float(theory))}")
    # Both together: nothing won, and two rounds at 5 should have brought 5 · 2 · 2.33 %.
    floor.see(floor.page.get_by_role("img", name=f"Floor result 0, theory {10 * float(theory):.2f}"))


def test_an_operator_funds_a_purse_and_sees_what_it_will_hold(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    ann = Caller(live).guest()
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Fund a purse").click()
    form = floor.page.get_by_role("dialog", name="Fund a purse")
    form.get_by_label("Player").fill("nobody")
    form.get_by_role("button", name="Look up").click()
    expect(form.get_by_role("alert")).to_contain_text("nobody has this name")
    form.get_by_label("Player").fill(ann.name)
    form.get_by_role("button", name="Look up").click()
    for typed, after, holds in (("250.50", "1,250.50", 125_050), ("-50.50", "1,200", 120_000)):
        form.get_by_label("Amount").fill(typed)
        expect(form.get_by_role("definition").last).to_have_text(after)
        form.get_by_label("Reason").fill("lost on the way to the table")
        form.get_by_role("button", name="Fund", exact=True).click()
        expect(form.get_by_role("status")).to_have_text("Done.")
        expect(form.get_by_role("definition").first).to_have_text(after)
        assert ann.ask("GET", "/api/me").json["purse"] == holds


def test_a_purse_is_funded_once_however_often_it_is_pressed_and_its_answer_lost(
    opened: Opened, new_person: NewPerson
) -> None:
    live, _ = opened(table("stacked-nz"))
    ann = Caller(live).guest()
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Fund a purse").click()
    form = floor.page.get_by_role("dialog", name="Fund a purse")
    form.get_by_label("Player").fill(ann.name)
    form.get_by_role("button", name="Look up").click()
    fund, says = form.get_by_role("button", name="Fund", exact=True), form.get_by_role("status")

    def fill(amount: str) -> None:
        form.get_by_label("Amount").fill(amount)
        form.get_by_label("Reason").fill("lost on the way to the table")

    fill("100")
    fund.dblclick()
    expect(says).to_have_text("Done.")
    assert ann.ask("GET", "/api/me").json["purse"] == 100_000 + 10_000

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    floor.page.route("**/fund", lose, times=1)
    fill("50")
    fund.click()
    expect(form.get_by_role("alert")).to_contain_text("cannot be reached")
    assert ann.ask("GET", "/api/me").json["purse"] == 110_000 + 5_000
    fund.click()
    expect(says).to_have_text("Done.")
    assert ann.ask("GET", "/api/me").json["purse"] == 110_000 + 5_000
    expect(form.get_by_role("definition").first).to_have_text("1,150")


def audited(person: Person) -> Locator:
    audit = beside(person, "Audit")
    audit.get_by_label("Reason").fill("before the night ends")
    audit.get_by_role("button", name="Audit now").click()
    return audit.get_by_role("status")


def test_the_audit_says_that_a_log_is_sound_and_what_was_tampered_with(
    opened: Opened, new_person: NewPerson, tmp_path: Path
) -> None:
    live, _ = opened(table("shuffled"))
    ann = Player(live, "shuffled")
    ann.bet("tie")
    ann.deal()
    floor = new_person(live).known(live.staff("otto", "auditor")).go("/pit")
    expect(beside(floor, "Audit")).to_contain_text("Not audited since the start")
    state = audited(floor)
    expect(state).to_contain_text("Log unbroken, every round replays", timeout=60_000)
    expect(state).to_contain_text("Ledger balances to zero")
    expect(state).to_contain_text("1 sealed shoe not opened yet")

    editor = Editor(tmp_path / STORE_FILE, Random(1))
    execute(
        editor.db, "UPDATE events SET entry = CAST(replace(entry, '500', '600') AS BLOB) WHERE name = 'wager_placed'"
    )
    editor.close(is_rechained=False)
    expect(audited(floor)).to_contain_text("The audit found something", timeout=60_000)
    expect(state.get_by_role("paragraph").nth(2)).to_contain_text(re.compile("event|hash|chain", re.IGNORECASE))
    expect(state).not_to_contain_text("Log unbroken")


def test_a_stopped_table_is_cleared_once_the_books_are_right_again(opened: Opened, new_person: NewPerson) -> None:
    """A chip appears behind the ledger's back; the next commit at the table finds it."""
    live, _ = opened(table("stacked-nz"))
    ann = Player(live, "stacked-nz")
    store = live.server.house.store
    moved = "UPDATE balances SET balance = balance + {} WHERE account = 'issuance'"
    wager = {"do": "place_wager", "player": ann.name, "box": 2, "wager": "initial", "amount": 500}
    floor = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    expect(card(floor, "stacked-nz")).to_contain_text("Bets open")
    live.call(lambda: execute(store._db, moved.format(1)))  # type: ignore[attr-defined]
    assert ann.command("stacked-nz", wager).json["code"] == "table_stopped"
    expect(card(floor, "stacked-nz")).to_contain_text("Stopped")
    expect(beside(floor, "Audit")).to_contain_text("Ledger is off by 0.01")
    waiting = beside(floor, "Waiting for you")
    expect(waiting).to_contain_text(re.compile("Stopped: .*together hold 1"))
    waiting.get_by_role("button", name="Look into it").click()
    form = managed(floor, "stacked-nz", "Clear the stopped table")
    apply(form, reason="looks good to me")
    expect(form.get_by_role("alert")).not_to_be_empty()
    live.call(lambda: execute(store._db, moved.format(-1)))  # type: ignore[attr-defined]
    apply(form, reason="a chip was counted twice")
    done(floor)
    floor.page.keyboard.press("Escape")
    expect(card(floor, "stacked-nz")).to_contain_text("Bets open")
    expect(beside(floor, "Waiting for you")).to_contain_text("Nothing waits.")
    expect(beside(floor, "Audit")).to_contain_text("Ledger balances to zero")
    assert ann.command("stacked-nz", wager).status == 200
