"""A house on a busy evening, for its portrait: seats taken, a war at every table, a real shoe, work for the floor."""

import re

from msgspec.structs import replace

from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.view.procedure import Step, procedure
from casinowar.house.settings import BotSettings, TableSettings, Timers
from tests.browser.conftest import table
from tests.browser.people import MAIN, Person
from tests.support.live_server import Caller, LiveServer

PATIENT = Timers(betting=600, decision=600, war_betting=600, cut=0, entropy=0, bank=600, pause=0.2, card=0.01)
WAR = "xxx7c2h7s"
"""What follows a tie: three burned, then box 4, box 5 and the dealer."""

DEALT = {
    "nz": f"xKc4s9h9sAh6d9d{WAR}",
    "wa": f"2cxxKc4s9h9sAh6d9d{WAR}",
    "ctg": "xKc4s9h9sAh6d9d7c2h7s",
    "ca": "xKc9h9sAh9d7c2h7s",
    "ma": f"xKc4s9h9sAh6d9d{WAR}",
}
TITLES = {"nz": "Table 3", "wa": "Table 12", "ctg": "Table 30", "ca": "Table 7", "ma": "Table 21"}
NAMES = {book: f"laid-{cards}.{book}" for book, cards in DEALT.items()}
SIDES = {"nz": ("Tie",), "wa": ("Tie", "A Bomb", "Perfect Pairs"), "ctg": ("Tie",), "ca": ("Tie",), "ma": ("Tie",)}
BOX = 4
BOLD, CAUTIOUS, WILD = (BotSettings(strategy="war"), BotSettings(strategy="surrender"), BotSettings(strategy="tie"))
BANK = BotSettings(strategy="bank")
OTHERS = tuple(replace(bot, box=box) for box, bot in {1: WILD, 2: BOLD, 5: BOLD, 6: WILD, 7: CAUTIOUS}.items())
BANKING = tuple(replace(bot, box=box) for box, bot in {1: WILD, 5: BOLD, 6: BOLD, 7: BANK}.items())
METER: dict[str, object] = {"options": {"wager.progressive": True}, "meter": 2_531_045}
REAL = "table-22"
TABLES: tuple[TableSettings, ...] = (
    *(
        table(
            NAMES[book],
            book,
            title=TITLES[book],
            timers=PATIENT,
            bots=BANKING if book == "ca" else OTHERS,
            **(METER if book == "ma" else {}),
        )
        for book in ("wa", "nz", "ma", "ca", "ctg")
    ),
    table(REAL, "ma", title="Table 22", dealer="real", timers=PATIENT, **METER),
)
PEOPLE = {1: "kestrel", 2: "wren", 4: "ibis", 5: "heron", 6: "plover", 7: "tern"}
AWAY = "tern"
"""The one of them who does not look at the table."""

WHY = "as the book asks"


def lay_chips(person: Person, book: str) -> None:
    """Two chips on the main wager and one on each side wager."""
    name = NAMES[book]
    person.seated(name, BOX)
    if book == "ca":
        person.until(lambda: person.view(name)["view"]["bank"] is not None)
    person.page.get_by_role("radio", name="Chip 25", exact=True).click()
    person.bet(MAIN[book], BOX)
    if book != "ma":
        person.bet(MAIN[book], BOX, "50")
    person.page.get_by_role("radio", name="Chip 5", exact=True).click()
    for label in SIDES[book]:
        person.bet(label, BOX)


def tie(person: Person) -> None:
    person.ready()
    person.see(person.button(re.compile("^Surrender")))


def go_to_war(person: Person) -> None:
    person.button(re.compile("^Go to war")).click()
    deal = person.button(re.compile("^Deal"))
    over = person.page.get_by_text(re.compile("this round, [0-9]+ wagers"))
    person.see(deal.or_(over))
    if deal.is_visible():
        deal.click()
    person.see(over)


class RealShoe:
    """Six players at a table of real cards, and what its dealer does up to the second cards of a war."""

    def __init__(self, house: LiveServer, dealer: Caller, supervisor: Caller) -> None:
        self.house, self.dealer, self.supervisor = house, dealer, supervisor
        self.players = {box: house.staff(name) for box, name in PEOPLE.items()}

    def following(self) -> Step:
        live = self.house.server.house.tables[REAL]
        return self.house.call(lambda: procedure(live.rules, live.table)[0])

    def next(self, *, face: str = "") -> None:
        command = {"do": "enter", "card": face} if face else {"do": "next"}
        answer = self.dealer.command(REAL, command, **{"as": "dealer"})
        request = answer.json.get("request")
        if request:
            self.sign({"do": "countersign", "request": request})

    def sign(self, command: dict[str, object]) -> None:
        self.supervisor.command(REAL, command, **{"as": "supervisor", "reason": WHY})

    def load(self) -> None:
        live = self.house.server.house.tables[REAL]
        for box, player in self.players.items():
            player.command(REAL, {"do": "sit", "box": box})
        self.house.call(self._look)
        while self.house.call(lambda: is_shuffle_due(live.table)):
            step = self.following()
            if step.act == "cut":
                cut = {"do": "cut", "player": step.player, "position": 150}
                self.dealer.command(REAL, cut, **{"as": "dealer", "reason": WHY})
            elif step.act == "verify":
                self.sign({"do": "verify_cards"})
            else:
                self.next()

    def _look(self) -> None:
        for player in PEOPLE.values():
            self.house.server.house.present(player, REAL, player != AWAY)

    def play_to_the_war(self) -> None:
        """Boxes 2 and 5 tie with a jack and go to war; box 2 has its second card."""
        bets = {1: 2500, 2: 2500, 4: 4000, 5: 5000, 6: 2500, 7: 10_000}
        for box, amount in bets.items():
            self._bet(box, "initial", amount)
        for box, wager in ((2, "progressive"), (5, "progressive"), (4, "tie"), (6, "tie")):
            self._bet(box, wager, 500)
        faces = iter(("4h", "Jc", "7d", "Js", "Kd", "2c", "Jd", "Qd"))
        for _ in range(200):
            step = self.following()
            if step.act == "decide":
                box = step.box or 0
                self.players[box].command(REAL, {"do": "go_to_war", "player": step.player, "box": box})
            elif step.turns_card and step.burn is None:
                face = next(faces, "")
                if not face:
                    return
                self.next(face=face)
            else:
                self.next()

    def _bet(self, box: int, wager: str, amount: int) -> None:
        player = PEOPLE[box]
        place = {"do": "place_wager", "player": player, "box": box, "wager": wager, "amount": amount}
        answer = self.players[box].command(REAL, place)
        assert answer.status == 200, answer.json

    def ask_for_void(self) -> None:
        void = {"do": "void_hand", "box": 7, "reason": "no card was dealt to it"}
        self.supervisor.command(REAL, void, **{"as": "supervisor", "reason": "no card was dealt to it"})
