"""People at the page: each with a browser context of their own, who act by role and accessible name."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect

from tests.support.live_server import Caller, LiveServer

PATIENCE_MS = 20_000
"""A busy machine is slow, and a test waits for what it wants to see as long as this."""

MAIN = {"nz": "Casino War", "wa": "Casino War", "ctg": "War", "ca": "Primary", "ma": "Initial"}
"""What each book calls the first wager."""

DESK, PHONE = (1280, 860), (390, 844)
WATCHED = """
window.__wrong = [];
document.addEventListener('securitypolicyviolation', (one) =>
  window.__wrong.push(`policy: ${one.violatedDirective} ${one.blockedURI}`));
"""


class Person:
    """Somebody before a window. What the page did wrong meanwhile is in `wrong`."""

    def __init__(self, browser: Browser, live: LiveServer, address: str | None = None, **options: Any) -> None:
        width, height = options.pop("size", DESK)
        options.setdefault("reduced_motion", "reduce")
        self.live, self.address = live, address or live.address
        self.wrong: list[str] = []
        self.context: BrowserContext = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(WATCHED)
        self.context.on("request", self._asked)
        self.page: Page = self.context.new_page()
        expect.set_options(timeout=PATIENCE_MS)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))

    def _asked(self, request: Request) -> None:
        own = (self.address, self.address.replace("http", "ws", 1), "data:", "blob:")
        if not request.url.startswith(own):
            self.wrong.append(f"asked outside: {request.url}")

    def close(self) -> None:
        """Whatever else a test looked at, nothing may have gone wrong on its pages."""
        wrong = self.wrong
        for page in self.context.pages:
            if page.url.startswith("http"):
                wrong = [*wrong, *page.evaluate("window.__wrong ?? []")]
        self.context.close()
        assert wrong == []

    # Getting somewhere.

    def go(self, path: str = "/") -> "Person":
        self.page.goto(self.address + path)
        return self

    def guest(self) -> str:
        """Become a guest as the page would, without its lobby; gives the name."""
        told = self.context.request.post(f"{self.address}/api/guest", data={})
        assert told.ok, told.text()
        return str(told.json()["player"])

    def wants(self, name: str, *wishes: str) -> None:
        """This browser knows that its player has asked for the cut or the bank, which pass a newcomer by."""
        kept = json.dumps(json.dumps({"player": name, "wishes": wishes}))
        self.context.add_init_script(f"try {{ localStorage.setItem('casinowar-wishes', {kept}) }} catch {{}}")

    def known(self, caller: Caller) -> "Person":
        """This browser holds the session of a caller, as one who has logged in."""
        name, _, value = (caller.cookie or "").partition("=")
        self.context.add_cookies([{"name": name, "value": value, "url": self.address}])
        return self

    def seated(self, table: str, box: int, *wishes: str) -> str:
        """A guest who sits in a box and looks at the table."""
        name = self.guest()
        self.wants(name, *wishes)
        self.go(f"/table/{table}")
        self.button(re.compile(rf"^Box {box} is free")).click()
        expect(self.page.get_by_text("Put a chip on your box").or_(self.button("Take the bank")).first).to_be_visible()
        self.see(self.button(re.compile("^Shoe sealed")))
        return name

    # Looking.

    def button(self, name: str | re.Pattern[str], *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def see(self, what: Locator, timeout: float = PATIENCE_MS) -> Locator:
        expect(what.first).to_be_visible(timeout=timeout)
        return what.first

    def see_text(self, text: str | re.Pattern[str], timeout: float = PATIENCE_MS) -> Locator:
        return self.see(self.page.get_by_text(text), timeout)

    def see_caller(self, text: str | re.Pattern[str], timeout: float = PATIENCE_MS) -> None:
        """The dealer's line, where screen readers hear it."""
        expect(self.page.locator("[aria-live=polite]").filter(has_text=text).first).to_be_attached(timeout=timeout)

    def until(self, is_so: Callable[[], bool], timeout: float = PATIENCE_MS) -> None:
        """Wait for what is told nowhere on the page."""
        for _ in range(int(timeout / 100)):
            if is_so():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"it never came to be so:\n{self.page.locator('main').aria_snapshot()}")

    # By keyboard.

    def tab_to(self, what: Locator, most: int = 150) -> Locator:
        """Go on with the tabulator until this has the focus, which can be seen."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if what.and_(self.page.locator(":focus")).count():
                expect(what.and_(self.page.locator(":focus-visible"))).to_have_count(1)
                return what.first
        raise AssertionError(f"the tabulator never came to {what}")

    def type_into(self, field: Locator, text: str) -> None:
        """Whatever stood in the field makes way for the text."""
        self.tab_to(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def enter(self, what: Locator) -> None:
        self.tab_to(what)
        self.page.keyboard.press("Enter")

    # Playing.

    def spot(self, label: str, box: int) -> Locator:
        return self.button(re.compile(rf"^{re.escape(label)}\b[^,]*, box {box}\b"))

    def press(self, label: str, box: int) -> None:
        """A press on a spot, once the page says that the spot takes one: a press before that puts nothing down."""
        expect(self.spot(label, box)).to_have_accessible_name(re.compile("press to bet"), timeout=PATIENCE_MS)
        self.spot(label, box).click()

    def put_down(self, label: str, box: int) -> None:
        """A chip on a spot that takes one; where wagers stay as they lie, it has to be placed."""
        self.press(label, box)
        expect(self.spot(label, box)).to_have_accessible_name(re.compile(r" down(?!, back)| in hand"))
        place = self.button(re.compile("^Place the bets"))
        if place.is_visible():
            place.click()

    def bet(self, label: str, box: int, lies: str = r"[\d.]+") -> None:
        """A chip on a spot, which is told once it lies there."""
        self.put_down(label, box)
        expect(self.spot(label, box)).to_have_accessible_name(re.compile(rf", {lies} down(?!, back)"))

    def ready(self) -> None:
        self.button(re.compile("^Ready")).click()

    def view(self, table: str) -> Any:
        """What the server shows this person of a table."""
        told = self.context.request.get(f"{self.address}/api/tables/{table}")
        assert told.ok, told.text()
        return told.json()


NewPerson = Callable[..., Person]
