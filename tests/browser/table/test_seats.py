"""A full table on a phone: one waits in line, the other is told, and the unused seat changes hands."""

import os
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import UNHURRIED, Opened, table
from tests.browser.people import NewPerson, Person
from tests.support.live_server import Caller

SMALL = (390, 664)
"""Safari on a phone, with its bars."""

TIMERS = {name: getattr(UNHURRIED, name) for name in UNHURRIED.__struct_fields__} | {"offer": 600}


def picture(person: Person, name: str) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        person.page.screenshot(path=Path(folder) / f"{name}.png")


def test_who_waits_gets_the_seat_that_is_not_used_and_both_are_told(opened: Opened, new_person: NewPerson) -> None:
    live, clocks = opened(
        table("stacked-little", options={"table.boxes": 1}, timers=type(UNHURRIED)(**TIMERS)),
    )
    ann, ben = new_person(live, size=SMALL), new_person(live, size=SMALL)
    ann.seated("stacked-little", 1)
    ben.guest()
    ben.go("/table/stacked-little")
    ben.see_text("Every seat is taken")
    expect(ben.page.get_by_text("Take a free seat")).to_have_count(0)
    picture(ben, "full")
    ben.button("Wait for a seat").click()
    ben.see_text("You wait for a seat")
    ben.see_text("you are next")
    picture(ben, "waits")

    visitor = new_person(live, size=SMALL).go("/")
    visitor.see_text("Full, 1 waits")
    visitor.see(visitor.page.get_by_role("link", name="Full: wait for a seat at stacked-little"))
    picture(visitor, "lobby")

    clocks.forward(live, 1)
    ann.see_text("Somebody waits for a seat. Bet soon, or yours is given up.")
    picture(ann, "wanted")
    clocks.forward(live, 1)
    ann.see_text("Your seat was given up: you had not bet, and somebody waited. Your chips are in your purse.")
    expect(ann.button("Take a seat")).to_have_count(0)
    picture(ann, "given_up")
    ben.see_text("A seat is free, and kept for you for a few seconds.")
    picture(ben, "kept")
    ben.button("Take your seat").click()
    ben.see_text("Put a chip on your box")
    ann.see(ann.button("Wait for a seat"))


def test_who_stops_waiting_is_out_of_the_line(opened: Opened, new_person: NewPerson) -> None:
    live, clocks = opened(table("stacked-little", options={"table.boxes": 1}))
    sitter = Caller(live).guest()
    assert sitter.command("stacked-little", {"do": "sit", "box": 1}).status == 200
    ben = new_person(live, size=SMALL)
    ben.guest()
    ben.go("/table/stacked-little")
    ben.button("Wait for a seat").click()
    ben.button("Stop waiting").click()
    ben.see(ben.button("Wait for a seat"))
    clocks.forward(live, 2)
    assert live.call(lambda: live.server.house.tables["stacked-little"].box_of(sitter.name)) == 1
