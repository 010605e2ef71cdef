"""The sealed shoe in the page: its browser adds entropy, its player cuts, its arithmetic checks every card."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.people import NewPerson


def test_a_player_adds_entropy_cuts_and_has_every_card_checked(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    ann.go("/table/sealed")
    ann.button(re.compile("^Box 2 is free")).click()
    cut = ann.see(ann.page.get_by_role("group", name="Cut the cards"))
    cut.get_by_role("spinbutton").fill("100")
    cut.get_by_role("button", name="Cut", exact=True).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.bet("Casino War", 2)
    seal = ann.view("sealed")["seal"]
    assert seal["cut"] == 100
    ann.ready()
    over = ann.button(re.compile("^Same again")).or_(ann.button(re.compile("^Surrender")))
    ann.see(over)
    ann.button(re.compile("^Shoe sealed, every card verified")).click()
    told = ann.see(ann.page.get_by_role("dialog"))
    for text in (
        "2 cards checked in this page",
        "saw the root before the first card",
        seal["root"],
        seal["commitment"],
    ):
        expect(told).to_contain_text(text)
    added = told.get_by_text(re.compile("^[0-9a-f]{64}$")).all_inner_texts()
    assert len(added) >= 3
    expect(told).to_contain_text("Added by this browser")
    told.get_by_role("button", name="Check in this page").first.click()
    expect(told).to_contain_text(re.compile("Every card so far agrees with the root"))


def other_faces(frame: dict[str, Any]) -> None:
    """Aces on the felt, in events and view alike, beside the proofs of the cards that were dealt."""
    for event in frame["events"]:
        if isinstance(event.get("card"), str):
            event["card"] = "A" + event["card"][1]
    view = frame["view"].get("view", {})
    for hand in [view.get("dealer", []), *(box["cards"] for box in view.get("boxes", []))]:
        hand[:] = ["A" + card[1] for card in hand]


def no_proofs(frame: dict[str, Any]) -> None:
    frame["proofs"] = []


@pytest.mark.parametrize("forge", [other_faces, no_proofs])
def test_a_house_that_shows_other_cards_than_the_sealed_ones_is_found_out(
    forge: Callable[[dict[str, Any]], None], new_person: NewPerson
) -> None:
    """Every face on the felt needs a proof of that very face: cards beside true proofs prove nothing."""
    ann = new_person()

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def passed_on(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame.get("type") == "events":
                forge(frame)
            socket.send(json.dumps(frame))

        server.on_message(passed_on)

    ann.page.route_web_socket(re.compile("/api/socket"), between)
    table = f"stacked-{forge.__name__.replace('_', '-')}"
    ann.seated(table, 2)
    ann.bet("Casino War", 2)
    ann.ready()
    expect(ann.button(re.compile("^A card does not match the seal"))).to_be_visible(timeout=20_000)
    expect(ann.button(re.compile("every card verified"))).to_have_count(0)
