"""The golden nights' table of real cards: rounds in which something goes wrong, each with what the book has done."""

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

from casinowar.cards import Card, composition, rank
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.view.procedure import procedure
from casinowar.house.table.table import LiveTable
from casinowar.protocol import Done, Refused

if TYPE_CHECKING:
    from tests.golden.night import GoldenNight

PLAYERS = ("ivy", "jon", "kim")
TROUBLES: tuple[dict[str, Any], ...] = (
    {"do": "report_extra_draw", "exposed": True, "card": "next"},
    {"do": "report_extra_draw", "exposed": False},
    {"do": "report_face_up_card", "card": "next"},
    {"do": "report_missed_hand", "box": 3},
    {"do": "report_misdelivered", "box": 2, "action": "forward"},
    {"do": "report_damaged_card", "card": "2c"},
    {"do": "report_missing_cut_card"},
    {"do": "report_wager", "player": "ivy", "box": 1, "wager": "initial", "amount": 2000},
    {"do": "reconstruct", "moves": [{"from": 2, "to": 3}]},
    {"do": "correct_card", "card": "next"},
    {"do": "void_player", "player": "kim", "reason": "touched the cards"},
    {"do": "release_players", "players": ["kim"]},
    {"do": "change_dealer", "dealer": "dora"},
    {"do": "show_cut_card"},
    {"do": "report_missed_shuffle"},
    {"do": "rule", "action": "void_round", "reason": "nobody is sure"},
)
"""What is reported when the first two boxes have their cards; what a book does not know is left."""


class RealDealer:
    """Dora with a shoe that the server does not know, and the floor beside her."""

    def __init__(self, night: "GoldenNight", table: str, chance: random.Random) -> None:
        self.night, self.table, self.chance = night, table, chance
        self.live: LiveTable = night.at(table)
        self.taken: list[str] = []
        self.has_exposed = False

    def play(self, book: str) -> None:
        self.night.sit(*PLAYERS, table=self.table)
        self.forget_burn()
        self.miss_offer()
        for trouble in TROUBLES:
            self.begin()
            self.draw(2)
            if trouble["do"] == "release_players":
                self.report({"do": "report_misdelivered", "box": 2, "action": "forward"})
            self.report(trouble)
            self.finish()
        if book == "ma":
            self.hit_the_progressive()
        self.begin()
        self.draw(1)

    def act(self, who: str, part: Any, why: str = "", **command: Any) -> Done | Refused:
        answer = self.night.act(who, part, why, table=self.table, **command)
        self.night.house.advance()
        return answer

    def must(self, who: str, part: Any, why: str = "", **command: Any) -> None:
        answer = self.act(who, part, why, **command)
        if isinstance(answer, Refused) and answer.request is not None:
            answer = self.act("sam", "supervisor", "I saw it too", do="countersign", request=answer.request)
        assert isinstance(answer, Done), (command, answer, self.live.table.phase)

    def face(self, wanted: str | None = None) -> Card:
        """A card that can come: what is known to come next, what is wanted, or any that is left."""
        piles = self.live.piles
        assert piles is not None
        if piles.coming and piles.coming[0]:
            return piles.coming[0]
        out = Counter(card for card in piles.out if card)
        left = sorted((composition(self.live.rules.shoe.decks) - out).elements())
        return Card(wanted) if wanted in left else self.chance.choice(left)

    def load(self) -> None:
        """Every step of the book until the stack is in the shoe; the first player cuts where players do."""
        for _ in range(40):
            self.night.house.advance()
            if not is_shuffle_due(self.live.table):
                return
            following = procedure(self.live.rules, self.live.table)[0]
            if following.act == "cut" and not self.has_exposed:
                self.has_exposed = True
                self.report({"do": "report_exposed_before_shoe"})
            elif following.act == "cut":
                middle = 26 * self.live.rules.shoe.decks
                if following.player:
                    self.must(following.player, "player", do="cut", player=following.player, position=middle)
                else:
                    part = "dealer" if following.role == "dealer" else "supervisor"
                    self.must("dora" if part == "dealer" else "sue", part, "nobody cuts", do="cut", position=middle)
            elif following.act == "verify":
                self.must("sue", "supervisor", "as the book asks", do="verify_cards")
            else:
                self.must("dora", "dealer", do="next")
        raise AssertionError(procedure(self.live.rules, self.live.table)[0])

    def begin(self, **sides: int) -> None:
        """A shoe, a bank where players bank, and wagers of everybody."""
        self.load()
        if self.live.rules.betting.opens == "by_invitation":
            self.must("dora", "dealer", do="next")
        banker = self.take_bank() if self.live.rules.bank.by == "player" else None
        for player in PLAYERS:
            for wager, amount in {"initial": 1000, **sides}.items() if player != banker else ():
                spot: dict[str, Any] = {"player": player, "box": self.live.box_of(player), "wager": wager}
                self.must(player, "player", do="place_wager", **spot, amount=amount)

    def take_bank(self) -> str:
        """Whoever banks the next round: the last of the players who may, unless somebody does already."""
        for player in reversed(PLAYERS):
            if self.live.table.bank is None:
                box = self.live.box_of(player)
                self.act(player, "player", do="accept_bank", player=player, box=box, stake=9000)
        assert self.live.table.bank is not None
        return self.live.table.bank.player

    def draw(self, cards: int, *faces: str) -> None:
        """So many cards to the boxes, with the burns before them."""
        while cards:
            is_dealt = procedure(self.live.rules, self.live.table)[0].act == "draw"
            self.step(*faces[:1] if is_dealt else ())
            faces = faces[1:] if is_dealt else faces
            cards -= is_dealt

    def step(self, *faces: str) -> None:
        answer = self.act("dora", "dealer", do="next")
        if isinstance(answer, Refused) and answer.code == "card_unseen":
            self.must("dora", "dealer", do="enter", card=self.face(*faces))
        elif isinstance(answer, Refused):
            assert answer.request is not None, (answer, self.live.table.phase)
            self.must("sam", "supervisor", "I saw it too", do="countersign", request=answer.request)

    def report(self, trouble: dict[str, Any]) -> bool:
        """Whether the book takes it; what waits for a ruling is ruled on."""
        command = {**trouble, "card": self.face()} if trouble.get("card") == "next" else trouble
        answer = self.act("dora", "dealer", "I saw it", **command)
        if isinstance(answer, Refused) and answer.request is None:
            answer = self.act("una", "operator", "I saw it", **command)
        if isinstance(answer, Refused) and answer.request is not None:
            answer = self.act("sam", "supervisor", "I saw it too", do="countersign", request=answer.request)
        if self.live.table.incident is not None:
            for action in ("void_hand", "reconstruct", "stand") if len(self.taken) % 2 else ("stand", "void_round"):
                rule = {"do": "rule", "action": action, "reason": "fair to all", "box": trouble.get("box")}
                if isinstance(self.act("una", "operator", "as I rule", **rule), Done):
                    break
        if isinstance(answer, Done):
            self.taken.append(trouble["do"])
        return isinstance(answer, Done)

    def finish(self, *faces: str) -> None:
        """Until the round is over; whoever is asked goes to war."""
        for _ in range(120):
            table = self.live.table
            if table.round.is_over:
                return
            if table.phase == "deciding":
                box, player = table.round.asked[0]
                if isinstance(self.act(player, "player", do="go_to_war", player=player, box=box), Refused):
                    self.must(player, "player", do="surrender", player=player, box=box)
                continue
            is_dealt = procedure(self.live.rules, table)[0].act == "draw"
            self.step(*faces[:1] if is_dealt else ())
            faces = faces[1:] if is_dealt else faces
        raise AssertionError(procedure(self.live.rules, self.live.table)[0])

    def forget_burn(self) -> None:
        self.begin()
        while not self.live.table.queue:
            self.step()
        self.report({"do": "report_forgotten_burn"})
        self.finish()

    def miss_offer(self) -> None:
        """The first player ties, and the dealer goes on without a word; the choice is offered after all."""
        self.begin()
        seats = len(self.live.table.round.wagers)
        self.draw(seats + 1, "9h", *("2c", "3c")[: seats - 1], "9d")
        while self.live.table.phase == "dealing":
            self.step()
        self.report({"do": "report_missed_offer", "player": "ivy", "box": 1, "cards": 1})
        self.finish()

    def hit_the_progressive(self) -> None:
        """Four identical cards in one hand and the dealer's: the first player takes the meter, the others envy."""
        held = {"progressive": 500}
        self.begin(**held)
        jack = next(card for card in ("Kh", "Qh", "Jh", "Th") if self.count_left(card) >= 4)
        others = [card for card in ("2c", "3c", "4c", "5c") if rank(Card(card)) != rank(Card(jack))][:2]
        self.draw(4, jack, *others, jack)
        self.finish(jack, jack)

    def count_left(self, card: str) -> int:
        piles = self.live.piles
        assert piles is not None
        return self.live.rules.shoe.decks - piles.out.count(Card(card))
