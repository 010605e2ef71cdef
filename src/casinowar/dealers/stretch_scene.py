"""The rounds of a session, gathered for whoever draws them: what each player had won, and bands of what may come.

The bands are exact for the wagers that were made, round by round, each dealt from a fresh shoe. There are none for who
banked, bet on several boxes at once, or laid a coupon; nor for several players who bet differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from casinowar.dealers.round_scene import net_of
from casinowar.engine.state import Spot, Wager
from casinowar.pictures import Course, StretchScene
from casinowar.pictures.felt_scene import amount
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import WAGERS, WAR_DEAL
from casinowar.words.phrases import wager_name

if TYPE_CHECKING:
    from casinowar.odds.figures import Figures

MOST_POINTS, MOST_LEVELS = 120, 60
MOST_STAKES = 40
"""Sessions with more different stakes than this have no bands."""

Stakes = tuple[tuple[str, int], ...]


class RoundResult(msgspec.Struct, frozen=True, gc=False):
    """What a session keeps of each round that is over: the wagers as they were settled, and who banked."""

    wagers: Mapping[Spot, Wager]
    banker: str | None


def stretch_scene(rules: Rulebook, rounds: Sequence[RoundResult], seed: str | None) -> StretchScene:
    """The rounds of a session, of which there is at least one."""
    after = sampled(len(rounds), MOST_POINTS)
    nets = [nets_of(one) for one in rounds]
    players = list(dict.fromkeys(player for one in nets for player in one))
    courses = tuple(Course(player, tuple(_sums(nets, player, after))) for player in players)
    choices = {choice for one in rounds for choice in _choices(one)}
    stakes = _stakes_alike(rounds, players)
    words = [_stakes_words(rules, stakes)] if stakes else []
    words += [_choice_words(choices)] if choices else []
    words += [f"seed {seed}"] if seed is not None else []
    scene = StretchScene(
        title=f"{len(rounds):,} round{'s' * (len(rounds) > 1)}, {rules.title}",
        says=", ".join(words),
        note="" if stakes else "no bands: the wagers of a bank, of several boxes and of several players differ",
        after=after,
        courses=courses,
    )
    return _with_bands(scene, rules, stakes, choices) if stakes else scene


def sampled(rounds: int, most: int) -> tuple[int, ...]:
    """The rounds that are drawn, from before the first to the last, evenly apart."""
    step = -(-rounds // most)
    return (*range(0, rounds, step), rounds)


def nets_of(one: RoundResult) -> dict[str, int]:
    """What each player won in a round, whoever banked too."""
    nets: dict[str, int] = {}
    for (_, _, player), wager in one.wagers.items():
        nets[player] = nets.get(player, 0) + net_of(wager)
    if one.banker is not None:
        nets[one.banker] = nets.get(one.banker, 0) - sum(nets.values())
    return nets


def _sums(nets: Sequence[Mapping[str, int]], player: str, after: Sequence[int]) -> Iterable[int]:
    total, sums = 0, [0]
    for one in nets:
        total += one.get(player, 0)
        sums.append(total)
    return (sums[at] for at in after)


def _choices(one: RoundResult) -> set[str]:
    """How ties were answered: a war wager lies there, or the initial one was given up."""
    found = {"war" for _, wager, _ in one.wagers if wager == "war"}
    return found | {"surrender" for laid in one.wagers.values() if laid.outcome == "surrender"}


def _choice_words(choices: set[str]) -> str:
    if len(choices) > 1:
        return "to war or surrender"
    return "always to war" if "war" in choices else "always surrender"


def _stakes_alike(rounds: Sequence[RoundResult], players: Sequence[str]) -> list[Stakes]:
    """What lay on each wager in each round, of every player alike; empty where that cannot be said."""
    found: list[Stakes] = []
    on_war: dict[str, int] = {}
    for one in rounds:
        mine: dict[str, dict[str, int]] = {}
        boxes: dict[str, set[int]] = {}
        for (box, wager, player), laid in one.wagers.items():
            boxes.setdefault(player, set()).add(box)
            mine.setdefault(player, {})[wager] = laid.amount
            if laid.coupon or (laid.match and laid.match < laid.amount):
                return []
        if one.banker in players or any(len(of) > 1 for of in boxes.values()) or len(mine) < len(players):
            return []
        first = [{name: laid for name, laid in of.items() if name not in ("war", *WAR_DEAL)} for of in mine.values()]
        if any(other != first[0] for other in first[1:]):
            return []
        on_war |= {name: laid for of in mine.values() for name, laid in of.items() if name in WAR_DEAL}
        found.append(tuple(first[0].items()))
    every = set(found)
    if len(every) > MOST_STAKES or not all(every):
        return []
    full = {stakes: tuple(sorted((dict(stakes) | on_war).items(), key=_order)) for stakes in every}
    return [full[stakes] for stakes in found]


def _order(stake: tuple[str, int]) -> int:
    return [*WAGERS].index(stake[0])  # type: ignore[arg-type]


def _stakes_words(rules: Rulebook, stakes: Sequence[Stakes]) -> str:
    """Each wager with its amount, or the least and the most of it: `Casino War 25, Tie 5 to 10`."""
    laid: dict[str, list[int]] = {}
    for one in set(stakes):
        for wager, chips in one:
            laid.setdefault(wager, []).append(chips)
    told = []
    for wager, amounts in sorted(laid.items(), key=lambda pair: _order((pair[0], 0))):
        low, high = amount(min(amounts)), amount(max(amounts))
        told.append(f"{wager_name(rules, wager)} {low}{f' to {high}' if low != high else ''}")
    return ", ".join(told)


def _with_bands(scene: StretchScene, rules: Rulebook, stakes: Sequence[Stakes], choices: set[str]) -> StretchScene:
    """The scene with bands, where the odds know every wager that was made."""
    from casinowar.odds import CompositionError
    from casinowar.odds.stretch.bands import bands

    try:
        known = _figures(rules, set(stakes), "surrender" if choices == {"surrender"} else "war")
    except (CompositionError, KeyError, ValueError):
        return msgspec.structs.replace(scene, note="no bands: the odds have no figures for these wagers")
    found = bands([known[one] for one in stakes], scene.after)
    how = "exact" if found.method == "exact" else "by the normal law"
    if len(choices) > 1:
        how += " for always to war"
    if rules.bank.by == "player":
        how += ", the bank covering all"
    return msgspec.structs.replace(
        scene,
        note=f"inner band: half of all sessions; outer: nine of ten; {how}",
        expected=(0.0, *found.expected),
        levels=((0.0, 0.0, 0.0, 0.0), *found.levels),
    )


def _figures(rules: Rulebook, every: set[Stakes], strategy: str) -> dict[Stakes, Figures]:
    from casinowar.odds import fresh, study
    from casinowar.odds.figures import combined

    exact = study(rules, fresh(rules.shoe.decks))
    return {stakes: combined(exact, dict(stakes), strategy) for stakes in every}  # type: ignore[arg-type]
