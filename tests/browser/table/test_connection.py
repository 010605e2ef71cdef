"""A lost connection: the page says so, comes back by itself, and the same decision is before the player."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from msgspec.structs import replace
from playwright.sync_api import Browser, Route, WebSocket, expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import stack_shoes
from tests.support.live_server import ROOMY, LiveServer, running

SETTINGS = HouseSettings(tables=(table("stacked-ties-back"),))
LOST = re.compile("^The connection is lost")


@contextmanager
def silent(live: LiveServer) -> Iterator[None]:
    """The server's one thread is held. To the page it is as a stopped process: the sockets are open, nobody answers."""
    is_over = Event()
    holder = Thread(target=live.call, args=(lambda: is_over.wait(19),))
    holder.start()
    try:
        yield
    finally:
        is_over.set()
        holder.join()


def test_a_player_comes_back_to_the_same_decision_after_the_server_was_gone(
    browser: Browser, page_is_built: None, tmp_path: Path
) -> None:
    stack_shoes()
    with running(tmp_path, SETTINGS) as live:
        port = live.port
        ann = Person(browser, live)
        ann.seated("stacked-ties-back", 2)
        ann.bet("Casino War", 2)
        ann.ready()
        ann.see(ann.button(re.compile("^Surrender")))
        ann.page.evaluate("window.__same = true")
    ann.see_text(re.compile("^The connection is lost|is being stopped"))
    expect(ann.button(re.compile("^Surrender"))).to_be_disabled()
    expect(ann.button(re.compile("^Go to war.*Not connected"))).to_be_disabled()
    with running(tmp_path, SETTINGS, port=port):
        war = ann.button(re.compile("^Go to war.*place 5 more"))
        expect(war).to_be_enabled(timeout=30_000)
        war.click()
        ann.see_text(re.compile("this round, 2 wagers"), 40_000)
        assert ann.page.evaluate("window.__same") is True
        ann.close()


def test_a_socket_that_breaks_in_mid_decision_is_opened_again(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-ties-back"))
    ann = new_person(live)
    ann.seated("stacked-ties-back", 2)
    ann.bet("Casino War", 2)
    ann.ready()
    ann.see(ann.button(re.compile("^Surrender")))
    sockets = live.metric("casinowar_sockets")
    live.call(lambda: live.server.hub.end_all("slow_reader"))
    ann.until(lambda: live.metric("casinowar_sockets") == sockets)
    ann.button(re.compile("^Surrender")).click()
    ann.see_text(re.compile("surrendered, 2.50 back"))


def test_a_server_that_falls_silent_is_noticed_and_what_was_asked_is_done_once(
    opened: Opened, new_person: NewPerson
) -> None:
    live, _ = opened(table("stacked-ties-back"))
    ann = new_person(live)
    ann.seated("stacked-ties-back", 2)
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    with silent(live):
        ann.spot("Casino War", 2).click()
        ann.page.wait_for_timeout(2_000)
        expect(ann.page.get_by_text(LOST)).to_have_count(0)
        ann.see_text(LOST, 6_000)
        expect(ann.button(re.compile(r"^Bet\b"))).to_be_disabled()
    # Asked on the old socket and on the new one, and 5 is down.
    ann.until(lambda: live.metric('casinowar_commands_total{kind="place_wager",outcome="done"}') == 2)
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    expect(ann.spot("Casino War", 2)).to_have_accessible_name(re.compile(r", 5(\.00)? down(?!, back)"))
    expect(ann.page.get_by_text(LOST)).to_have_count(0)


def test_a_device_without_a_network_is_told_at_once_and_comes_back_with_it(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    # No chance in the pauses: after the third attempt, at 2.2 seconds, the next is made at 4.7.
    ann.page.add_init_script("Math.random = () => 0.99")
    ann.go("/table/stacked-two").see(ann.button(re.compile("is free: sit here")))
    ann.context.set_offline(True)
    ann.see_text(LOST, 2_000)
    ann.page.wait_for_timeout(2_500)
    ann.context.set_offline(False)
    expect(ann.page.get_by_text(LOST)).to_have_count(0, timeout=1_500)
    expect(ann.button(re.compile("is free: sit here")).first).to_be_enabled()


def test_one_page_too_many_says_so_and_goes_on_when_another_is_closed(
    browser: Browser, page_is_built: None, tmp_path: Path
) -> None:
    stack_shoes()
    with running(tmp_path, SETTINGS, replace(ROOMY, sockets_per_account=1)) as live:
        ann = Person(browser, live)
        ann.guest()
        ann.go("/table/stacked-ties-back").see(ann.button(re.compile("is free: sit here")))
        first, ann.page = ann.page, ann.context.new_page()
        ann.go("/table/stacked-ties-back").see_text(re.compile("^Too many pages of this house are open"))
        first.close()
        ann.see(ann.button(re.compile("is free: sit here")))
        ann.close()


def test_who_is_somebody_else_by_now_is_told_and_begins_anew(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    ann.go("/table/stacked-two").see(ann.button(re.compile("is free: sit here")))
    ann.page.get_by_role("link", name="casinowar", exact=True).click()
    watch = ann.page.get_by_role("link", name="Watch stacked-two", exact=True)
    ann.see(watch)
    # As in another tab of this browser.
    told = ann.context.request.post(
        f"{ann.address}/api/register", data={"name": "ann-anew", "password": "a long enough one"}
    )
    assert told.ok, told.text()
    watch.click()
    ann.see_text("Your session has ended.")
    ann.button("Begin anew").click()
    watch.click()
    ann.see(ann.button(re.compile("is free: sit here")))


def test_a_page_that_cannot_be_loaded_says_so_and_comes_with_the_connection(new_person: NewPerson) -> None:
    ann = new_person().go()
    ann.see(ann.page.get_by_role("main"))
    ann.page.evaluate("window.__same = true")
    ann.context.set_offline(True)
    ann.page.get_by_role("link", name="Odds", exact=True).first.click()
    ann.see_text("This page has not come from the server.")
    ann.context.set_offline(False)
    ann.see_text(re.compile("house edge"))
    # With its own style sheet, which has the rules beside the figures.
    expect(ann.page.locator("main")).to_have_css("display", "grid")
    assert ann.page.evaluate("window.__same") is True


def test_who_has_left_before_being_somebody_is_not_at_the_table(new_person: NewPerson) -> None:
    ann = new_person().go()
    held: list[Route] = []
    opened: list[WebSocket] = []
    ann.page.on("websocket", lambda one: opened.append(one))
    ann.page.route("**/api/guest", lambda route: held.append(route))
    ann.page.get_by_role("link", name="Watch stacked-two", exact=True).click()
    ann.until(lambda: len(held) == 1)
    ann.page.go_back()
    ann.see(ann.page.get_by_role("link", name="Watch stacked-two", exact=True))
    with ann.page.expect_response("**/api/session"):
        held[0].continue_()
    ann.page.wait_for_timeout(500)
    assert opened == []
