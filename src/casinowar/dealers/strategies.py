"""Strategies: how a player plays, as plain functions from what the player sees to what the player does.

A strategy is asked once while wagers can be placed, once for each hand that must choose war or surrender, once before
the cards of a war where the book has wagers on them, and where players bank, once when the bank is offered. It gives a
command, several, or none, and any function that does so will do:

>>> import casinowar
>>> def timid(seen):
...     return seen.surrender() if seen.choices else seen.bet(500)
>>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
>>> session.play_round(timid).net
{'ana': 500}

For figures over many rounds there is the simulation kernel, which plays millions in a second: see `casinowar.simulate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, get_args

from casinowar.cards import Card, composition
from casinowar.dealers.player_view import PlayerView
from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered
from casinowar.errors import Refused, require_whole, require_word
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, SIDE, WAR_DEAL

Answer = c.Command | Iterable[c.Command] | None
"""The answer of a strategy: a command, several, or none."""

Strategy = Callable[[PlayerView], Answer]
"""From what a player sees to what the player does: a command, several in their order, or none."""

OnTie = Literal["war", "surrender"]
"""The two answers to a tie."""


def always_war(seen: PlayerView) -> Answer:
    """Bet the least and go to every war; give up only what a war cannot be paid for.

    >>> import casinowar
    >>> casinowar.Session("nz", seed="dawn", players={"ana": 10_000}).play_round(always_war).number
    1
    """
    return _choice(seen, "war") if seen.phase == "deciding" else _least(seen)


def always_surrender(seen: PlayerView) -> Answer:
    """Bet the least and give up on every tie.

    >>> import casinowar
    >>> casinowar.Session("wa", seed="dawn", players={"ana": 10_000}).play_round(always_surrender).number
    1
    """
    return _choice(seen, "surrender") if seen.phase == "deciding" else _least(seen)


def optimum(seen: PlayerView) -> Answer:
    """Bet the least on what the book has, and choose on a tie what exact odds of a fresh shoe say is worth more.

    >>> import casinowar
    >>> casinowar.Session("ctg", seed="dawn", players={"ana": 10_000}).play_round(optimum).number
    1
    """
    if seen.phase != "deciding" or not seen.choices:
        return _least(seen)
    rank = seen.hand(seen.choices[0].box)[0][0]
    best: OnTie = "war" if _best_play(seen.rules).get(rank, "war") == "war" else "surrender"
    return _choice(seen, best)


def flat(amount: int, on_tie: OnTie = "war") -> Strategy:
    """Bet the same amount in each round, and do the same on each tie.

    >>> import casinowar
    >>> casinowar.Session("nz", seed="dawn", players={"ana": 10_000}).play_round(flat(700)).wagers["ana"]
    700
    """
    require_whole(amount=amount)
    require_word(get_args(OnTie), on_tie=on_tie)

    def play(seen: PlayerView) -> Answer:
        if seen.phase == "deciding":
            return _choice(seen, on_tie)
        return seen.bet(amount) if seen.phase == "betting" and seen.least() is not None else None

    return play


def always(wager: c.WagerName, strategy: Strategy = always_war, amount: int | None = None) -> Strategy:
    """Play a strategy and put this side wager beside it whenever it can be placed: the least, or this amount.

    >>> import casinowar
    >>> session = casinowar.Session("wa", seed="dawn", players={"ana": 10_000})
    >>> session.play_round(always("tie")).wagers["ana"]
    2
    """
    require_word((*SIDE, *WAR_DEAL), wager=wager)
    if amount is not None:
        require_whole(amount=amount)

    def play(seen: PlayerView) -> Answer:
        answers = several(strategy(seen))
        spot = seen.box if seen.boxes or not answers else getattr(answers[0], "box", seen.box)
        if (
            spot is None
            or seen.phase not in ("betting", "deciding", "war_betting")
            or not is_offered(seen.rules, wager)
        ):
            return answers
        least = seen.least(wager, spot)
        is_placed = any(isinstance(one, c.PlaceWager) and one.wager == wager for one in answers)
        is_betting = any(isinstance(one, c.PlaceWager) for one in answers) or bool(seen.boxes)
        if least is None or is_placed or not is_betting:
            return answers
        return [*answers, seen.bet(least if amount is None else amount, wager, spot)]

    return play


def never(wager: c.WagerName, strategy: Strategy = always_war) -> Strategy:
    """Play a strategy without this wager.

    >>> import casinowar
    >>> session = casinowar.Session("wa", seed="dawn", players={"ana": 10_000})
    >>> session.play_round(never("tie", always("tie"))).wagers["ana"]
    1
    """
    require_word((*FIRST_DEAL, *WAR_DEAL), wager=wager)

    def play(seen: PlayerView) -> Answer:
        answers = several(strategy(seen))
        return [one for one in answers if not (isinstance(one, c.PlaceWager) and one.wager == wager)]

    return play


def counter(wager: c.WagerName = "tie", strategy: Strategy = always_war, amount: int | None = None) -> Strategy:
    """Play a strategy, and put a side wager beside it when the cards not yet seen favour it: exactly, by the odds.

    At a table that does not offer the wager there is nothing to count for: it is `Refused`.

    >>> import casinowar
    >>> session = casinowar.Session("wa", seed="dawn", players={"ana": 10_000})
    >>> session.play_round(counter("a_bomb")).wagers["ana"]
    1
    """
    require_word(SIDE, wager=wager)
    beside = always(wager, strategy, amount)

    def play(seen: PlayerView) -> Answer:
        if not is_offered(seen.rules, wager):
            offered = ", ".join(one for one in SIDE if is_offered(seen.rules, one))
            raise Refused("wager_not_offered", f"{seen.rules.id} has no {wager} to count for: it has {offered}")
        is_good = seen.phase == "betting" and not seen.is_shuffle_due and _is_favoured(seen, wager)
        return beside(seen) if is_good else strategy(seen)

    return play


def banker(stake: int, strategy: Strategy = always_war) -> Strategy:
    """Take the bank with this stake whenever it is offered, and play a strategy in the other rounds.

    >>> import casinowar
    >>> session = casinowar.Session("ca", seed="dawn", players={"ana": 10_000, "ben": 10_000})
    >>> played = session.play_round({"ana": banker(5_000), "ben": always_war})
    >>> sum(played.net.values())
    0
    """
    require_whole(stake=stake)

    def play(seen: PlayerView) -> Answer:
        return seen.take_bank(stake) if seen.can_bank else strategy(seen)

    return play


def several(answer: Answer) -> list[c.Command]:
    """The commands of an answer, in their order."""
    if answer is None:
        return []
    return list(answer) if isinstance(answer, Iterable) else [answer]


def _least(seen: PlayerView) -> Answer:
    """The least initial wager, and before a war nothing more."""
    least = seen.least() if seen.phase == "betting" and not seen.boxes else None
    return None if least is None else seen.bet(least)


def _choice(seen: PlayerView, wanted: OnTie) -> Answer:
    """The wanted choice, or a surrender where a war cannot be paid for."""
    choices: list[c.Command] = [one.command for one in seen.legal if isinstance(one.command, c.GoToWar | c.Surrender)]
    kind = c.GoToWar if wanted == "war" else c.Surrender
    return next((one for one in choices if isinstance(one, kind)), choices[0] if choices else None)


_BEST: dict[int, tuple[Rulebook, dict[str, str]]] = {}
MOST_BOOKS = 16
"""Rulebooks whose best play is kept."""


def _best_play(rules: Rulebook) -> dict[str, str]:
    """The best choice for each rank of a tie, from a fresh shoe; worked out once for a rulebook."""
    from casinowar.odds import fresh, study

    if id(rules) not in _BEST:
        if len(_BEST) >= MOST_BOOKS:
            _BEST.pop(next(iter(_BEST)))
        _BEST[id(rules)] = (rules, dict(study(rules, fresh(rules.shoe.decks)).best_play()))
    return _BEST[id(rules)][1]


def _is_favoured(seen: PlayerView, wager: c.WagerName) -> bool:
    """Whether the wager gains on the cards that have not been seen."""
    from casinowar.odds import CompositionError, by_card, study
    from casinowar.odds.composition import CARDS

    left = composition(seen.rules.shoe.decks)
    left.subtract(seen.cards_seen)
    try:
        return study(seen.rules, by_card(tuple(left[Card(card)] for card in CARDS))).figures(wager).ev > 0
    except CompositionError:
        return False
