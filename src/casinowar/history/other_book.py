"""The same cards under another book: the wagers, choices and faces of a round, played by other rules."""

from collections.abc import Iterator

import msgspec

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, evolve, step
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import draws_due
from casinowar.engine.events import DEALER, Draw
from casinowar.engine.state import Round
from casinowar.errors import CasinoWarError
from casinowar.history.log_walk import Moment
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, WAR_DEAL
from casinowar.words.phrases import dealer_name, join_names, plain, wager_name
from casinowar.words.refusals import reason_in_words

BANKER = "the bank"
CHIPS = 10**15
"""More than any wager, so that no limit of money comes between the cards and their result."""

MOST_STEPS = 500


class CannotPlay(CasinoWarError, ValueError):
    """The round cannot be told under the other book, and why."""


class Under(msgspec.Struct, frozen=True):
    """The round as played, and in a few words what was left out or taken for granted."""

    story: list[Moment]
    round: Round
    says: str


def play_under(rules: Rulebook, was: Rulebook, round_: Round) -> Under:
    """Play the cards of a finished round of `was` under `rules`."""
    if any(laid.outcome == "void" for laid in round_.wagers.values()) or not round_.hands.get(DEALER):
        raise CannotPlay("the round was void or had no cards: there is nothing to compare")
    play = _Play(rules, was, round_)
    play.run()
    return Under(play.story, play.table.round, play.says())


class _Play:
    """One round of the other book, driven to its end."""

    def __init__(self, rules: Rulebook, was: Rulebook, round_: Round) -> None:
        self.rules, self.was, self.round = rules, was, round_
        self.table = Table()
        self.story: list[Moment] = []
        self.left_out: dict[str, list[str]] = {}
        self.box_of = self._boxes()
        self.came_from = {to: box for box, to in self.box_of.items()}
        self.placed: set[tuple[int, str, str]] = set()

    def run(self) -> None:
        self._open()
        for (box, wager, player), laid in self.round.wagers.items():
            if wager in FIRST_DEAL:
                self._place(box, wager, player, laid.amount)
        if self.table.round.is_over or not self.table.round.wagers:
            raise CannotPlay("no wager of the round has a place in this book")
        for _ in range(MOST_STEPS):
            if self._is_over():
                return
            if self.table.phase == "deciding":
                self._decide()
            else:
                self._bet_on_war()
                # Whose card comes when is settled by the call that closes the betting.
                self._must(c.Deal(cards=tuple(self._faces()) if self.table.queue else ()))
        raise CannotPlay("the round comes to no end under this book")

    def _is_over(self) -> bool:
        return self.table.round.is_over

    def _boxes(self) -> dict[int, int]:
        """The boxes of the other book: each keeps its number where that book has it, else it takes a free one."""
        used = list(dict.fromkeys(box for box, _, _ in self.round.wagers))
        kept = {box: box for box in used if box <= self.rules.table.boxes}
        free = [box for box in range(1, self.rules.table.boxes + 1) if box not in kept]
        moved = [box for box in used if box not in kept]
        is_banked = self.rules.bank.by == "player"
        if len(free) < len(moved) + is_banked:
            raise CannotPlay("this book has too few boxes for it")
        return kept | dict(zip(moved, free, strict=False))

    def _open(self) -> None:
        players = list(dict.fromkeys(player for _, _, player in self.round.wagers))
        self._must(c.OpenTable(limit=c.Limit()), is_told=False)
        is_banked = self.rules.bank.by == "player"
        for player in [*players, *([BANKER] if is_banked else [])]:
            self._must(c.BuyIn(player=player, amount=CHIPS), is_told=False)
        self._must(c.ResumeTable(rounds=self.round.number - 1, shoe_left=52 * self.rules.shoe.decks), is_told=False)
        if is_banked:
            box = max(set(range(1, self.rules.table.boxes + 1)) - set(self.box_of.values()))
            self._must(c.AcceptBank(player=BANKER, box=box, stake=CHIPS), is_told=False)

    def _must(self, command: c.Command, *, is_told: bool = True) -> None:
        refusal = self._try(command, is_told=is_told)
        if refusal is not None:
            raise CannotPlay(f"it cannot be played under this book: {reason_in_words(refusal.reason)}")

    def _try(self, command: c.Command, *, is_told: bool = True) -> Refusal | None:
        done = step(self.rules, self.table, command)
        if isinstance(done, Refusal):
            return done
        for event in done[0]:
            self.table = evolve(self.table, event)
            if is_told:
                self.story.append((self.rules, event, self.table))
        self.table = done[1]
        return None

    def _place(self, box: int, wager: str, player: str, amount: int) -> None:
        """Place a wager. One that the other book does not take is left out, and the text says so."""
        if (box, wager, player) in self.placed:
            return
        self.placed.add((box, wager, player))
        name = f"{plain(player)}'s {wager_name(self.was, wager)}"
        place = c.PlaceWager(player=player, box=self.box_of[box], wager=wager, amount=amount)  # type: ignore[arg-type]
        refusal = self._try(place)
        if refusal is not None:
            self.left_out.setdefault(reason_in_words(refusal.reason), []).append(name)

    def _decide(self) -> None:
        """Decide as the player chose then. A player who was not asked then goes to war, which costs less."""
        at, player = self.table.round.asked[0]
        if self.round.wagers[self.came_from[at], "initial", player].outcome == "surrender":
            self._must(c.Surrender(player=player, box=at))
            return
        self._must(c.GoToWar(player=player, box=at))
        self._bet_on_war()

    def _bet_on_war(self) -> None:
        if self.table.phase not in ("deciding", "war_betting"):
            return
        for (box, wager, player), laid in self.round.wagers.items():
            if wager in WAR_DEAL and self.box_of[box] in self.table.round.at_war:
                self._place(box, wager, player, laid.amount)

    def _faces(self) -> Iterator[Card | None]:
        """The faces of the cards that this book draws next; what it burns has none."""
        given: dict[int, int] = {}
        for draw in draws_due(self.rules, self.table):
            yield self._face(draw, given)

    def _face(self, draw: Draw, given: dict[int, int]) -> Card | None:
        if not isinstance(draw, int):
            return None
        number = len(self.table.round.hands.get(draw, ())) + given.get(draw, 0)
        given[draw] = given.get(draw, 0) + 1
        hand = self.round.hands.get(self.came_from.get(draw, draw) if draw else DEALER, ())
        if number >= len(hand):
            raise CannotPlay("this book draws a card that was not dealt then")
        return hand[number]

    def says(self) -> str:
        told = [
            f"{join_names(names)} are left out, each because {why}."
            if len(names) > 1
            else f"{names[0]} is left out: {why}."
            for why, names in self.left_out.items()
        ]
        moved = [f"box {box} plays as box {to}" for box, to in self.box_of.items() if box != to]
        told += [f"{join_names(moved)[:1].upper()}{join_names(moved)[1:]}."] if moved else []
        if self.rules.bank.by == "player":
            told.append(f"The {dealer_name(self.rules)} is taken to cover every wager.")
        return " ".join(told) or "Every wager has its place in this book. Limits are set aside."
