"""Witnesses for the exact odds: physical cards counted one by one, the engine played through, and published tables.

The settlement here is written from the five sources and shares nothing with `casinowar.odds`. A deal is looked at once
and told as a `Sight`; what each wager nets is read off the sight.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.odds.boxes import covariance, total_variance
from casinowar.odds.composition import CARDS, Composition, by_card, by_rank, fresh
from casinowar.odds.figures import Strategy, Study, study
from casinowar.odds.progressive import progressive
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.variants import load_with

pytestmark = pytest.mark.slow

RANKS = "23456789TJQKA"
DECK = tuple(rank + suit for rank in RANKS for suit in "cdhs")
UNEVEN = {"Ac": 4, "Ad": 4, "Ah": 2, "As": 1, "Kc": 4, "Kd": 1, "Kh": 3, "7c": 2, "7d": 2, "7h": 4, "7s": 5}
"""Thirty-two cards of three ranks, no two suits alike: every line of the progressive is possible."""

PAIRS = {
    # table: decks, then what a perfect, a coloured and a mixed pair pay (WA 3.16)
    "P4a": (4, 30, 12, 5),
    "P6a": (6, 25, 12, 5),
    "P6b": (6, 30, 12, 5),
    "P6c": (6, 30, 10, 5),
    "P6d": (6, 25, 12, 6),
    "P8a": (8, 25, 12, 5),
    "P8b": (8, 25, 12, 6),
}
PAYS = {  # MA 11
    "suited_four_of_a_kind": 1000,
    "suited_double_tie": 200,
    "four_of_a_kind": 150,
    "double_tie": 30,
    "suited_tie": 15,
    "tie": 5,
}


class Sight(NamedTuple):
    """One deal as a dealer sees it; `second` and what follows only where the first cards tie.

    A pair is `suit`, `colour` or `other`, by what two cards of one rank have in common.
    """

    first: str
    is_ace: bool
    rank: str = ""
    pair: str = ""
    second: str = ""
    second_pair: str = ""
    is_four: bool = False
    is_one_suit: bool = False


class Terms(NamedTuple):
    """How a book pays, as its source has it: wins of the war in units of the initial wager, both wagers together."""

    war_win: int = 1
    war_tie: int = 2
    war_loss: int = -2
    pairs: str = ""
    suited_four: str = "identical"
    suited_double: str = "suited_ties"
    lines: str = "highest"
    on_surrender: str = "first_cards"
    is_stake_back: bool = False


class Case(NamedTuple):
    book: str
    options: dict[str, object]
    wagers: tuple[str, ...]
    terms: Terms

    @property
    def rules(self) -> Rulebook:
        return loaded(self.book, *self.options.items())


@cache
def loaded(book: str, *options: tuple[str, object]) -> Rulebook:
    """Many cases are of one rulebook, which is loaded once."""
    return load_with(book, dict(options))


def pairs_case(table: str) -> Case:
    options: dict[str, object] = {"shoe.decks": PAIRS[table][0], "perfect_pairs.table": table}
    return Case("wa", options, ("initial", "tie", "a_bomb", "perfect_pairs", "war_perfect_pairs"), Terms(pairs=table))


def progressive_case(four: str, double: str, lines: str, surrender: str, is_back: bool) -> Case:
    options: dict[str, object] = {
        "wager.progressive": True,
        "progressive.increment_bp": 0,
        "progressive.suited_four": four,
        "progressive.suited_double": double,
        "progressive.lines": lines,
        "progressive.on_surrender": surrender,
        "progressive.stake_returned": is_back,
    }
    terms = Terms(1, 2, -2, "", four, double, lines, surrender, is_back)
    return Case("ma", options, ("initial", "tie", "war_tie", "progressive"), terms)


READINGS = list(
    product(
        ("identical", "suited_ties"),
        ("suited_ties", "one_suit"),
        ("highest", "cumulative"),
        ("first_cards", "lost"),
        (False, True),
    )
)
CASES = {
    "nz": Case("nz", {}, ("initial", "tie"), Terms()),
    "ctg, literal": Case("ctg", {"payout.war_odds": "literal"}, ("initial", "tie"), Terms(2, 3, -2)),
    "ctg, standard": Case("ctg", {"payout.war_odds": "standard"}, ("initial", "tie"), Terms()),
    "ca": Case("ca", {"wager.war_tie": True}, ("initial", "tie", "war_tie"), Terms()),
    "ma, plain": Case("ma", {}, ("initial", "tie", "war_tie"), Terms()),
    **{f"wa, {table}": pairs_case(table) for table in PAIRS},
    **{f"ma, {' '.join(map(str, reading))}": progressive_case(*reading) for reading in READINGS},
}
PLAYED = ("nz", "ctg, literal", "ctg, standard", "ca", "wa, P6a", *(name for name in CASES if name.startswith("ma")))
"""What the engine plays: all five books, and Massachusetts under every reading."""


def compared(mine: str, dealers: str) -> str:
    left, right = RANKS.index(mine[0]), RANKS.index(dealers[0])
    return "tie" if left == right else "win" if left > right else "loss"


def shared(mine: str, dealers: str) -> str:
    if mine[1] == dealers[1]:
        return "suit"
    return "colour" if (mine[1] in "dh") == (dealers[1] in "dh") else "other"


def sight(mine: str, dealers: str, second: str, dealers_second: str) -> Sight:
    first = compared(mine, dealers)
    if first != "tie":
        return Sight(first, mine[0] == "A")
    result = compared(second, dealers_second)
    return Sight(
        first,
        mine[0] == "A",
        mine[0],
        shared(mine, dealers),
        result,
        shared(second, dealers_second) if result == "tie" else "",
        result == "tie" and second[0] == mine[0],
        mine[1] == dealers[1] == second[1] == dealers_second[1],
    )


def settle(terms: Terms, wager: str, seen: Sight, is_war: bool) -> Fraction | None:
    """What one unit nets; none where the wager cannot be placed."""
    if wager.startswith("war_") and not (seen.first == "tie" and is_war):
        return None
    if wager == "initial":
        return initial(terms, seen, is_war)
    if wager == "progressive":
        return pays(terms, lines(terms, seen, is_war))
    if wager == "a_bomb":
        return Fraction(10 if seen.is_ace else -1)
    if wager in ("tie", "war_tie"):
        return Fraction(10 if (seen.first if wager == "tie" else seen.second) == "tie" else -1)
    common = seen.pair if wager == "perfect_pairs" else seen.second_pair
    return Fraction(dict(zip(("suit", "colour", "other"), PAIRS[terms.pairs][1:], strict=True)).get(common, -1))


def initial(terms: Terms, seen: Sight, is_war: bool) -> Fraction:
    if seen.first != "tie":
        return Fraction(1 if seen.first == "win" else -1)
    if not is_war:
        return Fraction(-1, 2)
    return Fraction({"win": terms.war_win, "tie": terms.war_tie, "loss": terms.war_loss}[seen.second])


def lines(terms: Terms, seen: Sight, is_war: bool) -> tuple[str, ...]:
    """The lines of the progressive that are paid."""
    if seen.first != "tie" or (not is_war and terms.on_surrender == "lost"):
        return ()
    found = ["tie"]
    if seen.pair == "suit":
        found.append("suited_tie")
    if is_war and seen.second == "tie":
        found.append("double_tie")
        are_suited = seen.pair == "suit" and seen.second_pair == "suit"
        if seen.is_four:
            found.append("four_of_a_kind")
        if seen.is_one_suit if terms.suited_double == "one_suit" else are_suited:
            found.append("suited_double_tie")
        if seen.is_four and (seen.is_one_suit if terms.suited_four == "identical" else are_suited):
            found.append("suited_four_of_a_kind")
    return tuple(found) if terms.lines == "cumulative" else (max(found, key=lambda line: PAYS[line]),)


def pays(terms: Terms, made: tuple[str, ...]) -> Fraction:
    """The wager itself is not returned, whatever it wins, unless the operator reads it otherwise."""
    if not made:
        return Fraction(-1)
    return Fraction(sum(PAYS[line] for line in made) - (0 if terms.is_stake_back else 1))


# Counting physical cards


def laid_out(counts: dict[str, int]) -> tuple[str, ...]:
    return tuple(card for card, count in counts.items() for _ in range(count))


def composition(counts: dict[str, int]) -> Composition:
    return by_card(tuple(counts.get(card, 0) for card in CARDS))


def sights(cards: tuple[str, ...]) -> dict[Sight, int]:
    """Every ordered deal of four of these very cards; where the first two part, the rest is not looked at."""
    seen: Counter[Sight] = Counter()
    size = len(cards)
    for mine, dealers in permutations(range(size), 2):
        one, two = cards[mine], cards[dealers]
        if one[0] != two[0]:
            seen[sight(one, two, "", "")] += (size - 2) * (size - 3)
            continue
        left = [cards[at] for at in range(size) if at not in (mine, dealers)]
        for (second, other), ways in Counter(permutations(left, 2)).items():
            seen[sight(one, two, second, other)] += ways
    return seen


@cache
def one_deck() -> dict[Sight, int]:
    return sights(DECK)


@cache
def uneven() -> dict[Sight, int]:
    return sights(laid_out(UNEVEN))


def choices(case: Case, seen: dict[Sight, int], strategy: Strategy) -> dict[str, bool]:
    """Whether a tie of each rank goes to war; best play compares the two means, and goes to war where they agree."""
    if strategy != "best":
        return dict.fromkeys(RANKS, strategy == "war")
    means = {}
    for rank in RANKS:
        ways = {one: weight for one, weight in seen.items() if one.first == "tie" and one.rank == rank}
        if ways:
            total = sum(initial(case.terms, one, True) * weight for one, weight in ways.items())
            means[rank] = 2 * total >= -sum(ways.values())
    return means


Nets = tuple[Fraction | None, ...]


def counted(case: Case, seen: dict[Sight, int], strategy: Strategy) -> dict[Nets, Fraction]:
    """The joint distribution of all wagers of the case."""
    is_war = choices(case, seen, strategy)
    ways: Counter[Nets] = Counter()
    for one, weight in seen.items():
        ways[tuple(settle(case.terms, wager, one, is_war.get(one.rank, True)) for wager in case.wagers)] += weight
    total = sum(seen.values())
    return {nets: Fraction(weight, total) for nets, weight in ways.items()}


def marginal(joint: dict[Nets, Fraction], at: int) -> dict[Fraction, Fraction]:
    """One wager's distribution, given that it is placed."""
    chances: dict[Fraction, Fraction] = {}
    for nets, chance in joint.items():
        gain = nets[at]
        if gain is not None:
            chances[gain] = chances.get(gain, Fraction(0)) + chance
    placed = sum(chances.values())
    return {gain: chance / placed for gain, chance in chances.items()}


def check_agreement(found: Study, case: Case, joint: dict[Nets, Fraction], strategy: Strategy) -> None:
    """Joint distribution, each wager's own, and its mean and variance worked out here."""
    assert found.joint(case.wagers, strategy) == joint
    for at, wager in enumerate(case.wagers):
        alone = marginal(joint, at)
        if not alone:
            with pytest.raises(ValueError, match="never placed"):
                found.figures(wager, strategy)
            continue
        figures = found.figures(wager, strategy)
        assert figures.distribution == alone, wager
        mean = sum(gain * chance for gain, chance in alone.items())
        assert figures.ev == -figures.house_edge == mean, wager
        assert figures.variance == sum((gain - mean) ** 2 * chance for gain, chance in alone.items()), wager
        assert figures.hit_frequency == sum(chance for gain, chance in alone.items() if gain > 0), wager


STRATEGIES: tuple[Strategy, ...] = ("war", "surrender", "best")


@pytest.mark.parametrize("name", CASES)
def test_one_deck_card_by_card(name: str) -> None:
    """All 52 x 51 first deals, and after each of 156 ties all 50 x 49 war deals; suited ties need a second deck."""
    case = CASES[name]
    found = study(case.rules, fresh(1))
    assert found.found.total == 52 * 51 * 50 * 49 == sum(one_deck().values())
    for strategy in STRATEGIES:
        check_agreement(found, case, counted(case, one_deck(), strategy), strategy)


@pytest.mark.parametrize("name", ["nz", "ctg, literal", "ca"])
def test_shoes_without_suits(name: str) -> None:
    """The same where only the ranks that are left are known."""
    case = CASES[name]
    for seen, shoe in ((one_deck(), fresh(1)), (uneven(), composition(UNEVEN))):
        for strategy in STRATEGIES:
            check_agreement(study(case.rules, by_rank(shoe.ranks)), case, counted(case, seen, strategy), strategy)


@pytest.mark.parametrize("name", CASES)
def test_uneven_shoe_card_by_card(name: str) -> None:
    case = CASES[name]
    found = study(case.rules, composition(UNEVEN))
    for strategy in STRATEGIES:
        check_agreement(found, case, counted(case, uneven(), strategy), strategy)


def test_every_wager_of_every_book_has_a_witness() -> None:
    for case in CASES.values():
        assert set(study(case.rules, fresh(1)).wagers()) == set(case.wagers)


@pytest.mark.parametrize("strategy", ["war", "surrender"])
@pytest.mark.parametrize("reading", READINGS)
def test_lines_of_the_progressive(reading: tuple[str, str, str, str, bool], strategy: Strategy) -> None:
    """Each line's chance is how often it is paid; all six occur in the uneven shoe."""
    case = progressive_case(*reading)
    ways: Counter[str] = Counter()
    back = Fraction(0)
    for one, weight in uneven().items():
        made = lines(case.terms, one, strategy == "war")
        ways.update(dict.fromkeys(made, weight))
        back += weight * (pays(case.terms, made) + 1)
    total = sum(uneven().values())
    found = progressive(study(case.rules, composition(UNEVEN)), strategy)
    assert found.lines == {line: Fraction(ways[line], total) for line in PAYS}
    assert found.return_without_meter == back / total
    assert strategy == "surrender" or found.jackpot > 0
    assert found.return_per_meter_unit == found.jackpot / 500


@pytest.mark.parametrize("hitters", ["split", "full_each"])
@pytest.mark.parametrize("four", ["identical", "suited_ties"])
def test_break_even_meter_beside_another_bettor(four: str, hitters: str) -> None:
    """Six physical cards to two bettors and the dealer, always to war: at the break-even meter one unit comes back."""
    counts = {"Ah": 7, "As": 3, "2c": 1}
    rules = load_with(
        "ma", {"wager.progressive": True, "progressive.suited_four": four, "progressive.hitters": hitters}
    )
    terms = Terms(suited_four=four)
    back = part = envy = Fraction(0)
    deals = Counter(permutations(laid_out(counts), 6))
    total = sum(deals.values())
    for (one, two, dealer, again, other, dealers_second), ways in deals.items():
        mine = lines(terms, sight(one, dealer, again, dealers_second), is_war=True)
        theirs = lines(terms, sight(two, dealer, other, dealers_second), is_war=True)
        back += ways * (pays(terms, mine) + 1)
        do_i, do_they = ("suited_four_of_a_kind" in made for made in (mine, theirs))
        part += Fraction(ways * do_i, 2 if do_they and hitters == "split" else 1)
        envy += ways * do_they
    found = progressive(study(rules, composition(counts)))
    meter, without_envy = found.break_even_meter[1], found.break_even_without_envy[1]
    assert meter is not None
    assert without_envy is not None
    assert (500 * back + meter * part + 100_000 * envy) / total == 500
    assert (500 * back + without_envy * part) / total == 500


counts_by_card = st.dictionaries(st.sampled_from(CARDS), st.integers(1, 5), min_size=1, max_size=14).filter(
    lambda counts: 7 <= sum(counts.values()) <= 20
)


@settings(max_examples=60, deadline=None)
@given(counts=counts_by_card, name=st.sampled_from(sorted(CASES)), strategy=st.sampled_from(STRATEGIES))
def test_any_small_shoe_card_by_card(counts: dict[str, int], name: str, strategy: Strategy) -> None:
    case = CASES[name]
    seen = sights(laid_out(counts))
    joint = counted(case, seen, strategy)
    check_agreement(study(case.rules, composition(counts)), case, joint, strategy)
    on_ranks = case._replace(wagers=tuple(one for one in case.wagers if one in ("initial", "tie", "war_tie", "a_bomb")))
    by_ranks = study(case.rules, by_rank(composition(counts).ranks))
    check_agreement(by_ranks, on_ranks, counted(on_ranks, seen, strategy), strategy)


@settings(max_examples=20, deadline=None)
@given(counts=counts_by_card)
def test_six_cards_are_enough_without_a_burn(counts: dict[str, int]) -> None:
    cards = laid_out(counts)[:6]
    case = CASES["nz"]._replace(options={"war.burn": 0})
    joint = counted(case, sights(cards), "war")
    check_agreement(study(case.rules, composition(dict(Counter(cards)))), case, joint, "war")


def test_burned_cards_change_nothing() -> None:
    """Seven physical cards in the order of the shoe, three of them burned between the deals."""
    counts = {"Ah": 3, "As": 1, "Kd": 2, "2c": 2}
    case = CASES["ma, suited_ties suited_ties highest lost True"]
    seen: Counter[Sight] = Counter()
    for (one, two, _, _, _, second, other), ways in Counter(permutations(laid_out(counts), 7)).items():
        seen[sight(one, two, second, other)] += ways
    check_agreement(study(case.rules, composition(counts)), case, counted(case, seen, "war"), "war")


# The engine


STAKE = 1000
WAR_DEAL = ("war_tie", "war_perfect_pairs")


def done(rules: Rulebook, table: Table, *commands: c.Command) -> Table:
    for command in commands:
        answer = step(rules, table, command)
        assert not isinstance(answer, Refusal), (command, answer)
        table = answer[1]
    return table


def laid(wager: str) -> c.Command:
    return c.PlaceWager(player="ana", box=1, wager=wager, amount=STAKE)  # type: ignore[arg-type]


def opened(case: Case) -> Table:
    """A table in the middle of a shoe, its meter at nothing, with one stake on every wager of box 1."""
    rules = case.rules
    opening: list[c.Command] = [
        c.OpenTable(meter=0 if "progressive" in case.wagers else None),
        c.BuyIn(player="ana", amount=100 * STAKE),
        c.ResumeTable(shoe_left=52 * rules.shoe.decks, rounds=1),
    ]
    if rules.bank.by == "player":
        opening += [c.BuyIn(player="bea", amount=100 * STAKE), c.AcceptBank(player="bea", box=8, stake=100 * STAKE)]
    return done(rules, Table(), *opening, *(laid(wager) for wager in case.wagers if wager not in WAR_DEAL))


def netted(table: Table, wagers: tuple[str, ...]) -> Nets:
    """What came of each wager, in stakes; the war wager is part of the initial one."""
    assert table.round.is_over
    nets = {spot[1]: wager.paid + wager.returned - wager.amount for spot, wager in table.round.wagers.items()}
    assert table.players["ana"] - 100 * STAKE == sum(nets.values())
    nets["initial"] += nets.pop("war", 0)
    return tuple(Fraction(nets[wager], STAKE) if wager in nets else None for wager in wagers)


Dealt = tuple[str, ...]
Deals = Iterable[tuple[Dealt, int, Iterable[tuple[Dealt, int]]]]
"""First cards with their ways, and after a tie the second cards with theirs."""


def played(case: Case, deals: Deals, strategy: Strategy) -> dict[Nets, int]:
    """What the engine pays in every deal, with the ways that each comes about."""
    rules, start = case.rules, opened(case)
    ways: Counter[Nets] = Counter()
    late = [laid(wager) for wager in case.wagers if wager in WAR_DEAL]
    for first, weight, seconds in deals:
        table = done(rules, start, c.Deal(cards=tuple(map(Card, first))))
        if table.round.is_over:
            ways[netted(table, case.wagers)] += weight * sum(more for _, more in seconds)
            continue
        if strategy == "surrender":
            table = done(rules, table, c.Surrender(player="ana", box=1))
            ways[netted(table, case.wagers)] += weight * sum(more for _, more in seconds)
            continue
        at_war = done(rules, table, c.GoToWar(player="ana", box=1), *late)
        for second, more in seconds:
            faces = (*[None] * rules.war.burn, *map(Card, second))
            ways[netted(done(rules, at_war, c.Deal(cards=faces)), case.wagers)] += weight * more
    return ways


def drawn(counts: dict[str, int]) -> Iterator[tuple[Dealt, int, dict[str, int]]]:
    """Two faces out of these counts, the ways to draw them, and what is left."""
    for one, two in product(counts, repeat=2):
        ways = counts[one] * (counts[two] - (one == two))
        if ways > 0:
            left = {face: count - (face == one) - (face == two) for face, count in counts.items()}
            yield (one, two), ways, left


def face_deals(counts: dict[str, int]) -> Deals:
    for first, ways, left in drawn(counts):
        rest = sum(left.values())
        parted = [(("", ""), rest * (rest - 1))]
        is_tie = first[0][0] == first[1][0]
        yield first, ways, [(second, more) for second, more, _ in drawn(left)] if is_tie else parted


def check_engine(case: Case, counts: dict[str, int], found: Study, strategy: Strategy) -> None:
    ways = played(case, face_deals(counts), strategy)
    total = sum(ways.values())
    size = sum(counts.values())
    assert total == size * (size - 1) * (size - 2) * (size - 3)
    check_agreement(found, case, {nets: Fraction(weight, total) for nets, weight in ways.items()}, strategy)


@pytest.mark.parametrize("strategy", ["war", "surrender"])
@pytest.mark.parametrize("name", ["nz", "ctg, literal", "ctg, standard", "ca", "ma, plain"])
def test_engine_plays_one_deck_by_rank(name: str, strategy: Strategy) -> None:
    """Where no wager asks for suits, one face stands for its rank: 169 first deals, 2197 wars."""
    case = CASES[name]
    check_engine(case, dict.fromkeys((rank + "h" for rank in RANKS), 4), study(case.rules, fresh(1)), strategy)


@pytest.mark.parametrize("strategy", ["war", "surrender"])
@pytest.mark.parametrize("name", PLAYED)
def test_engine_plays_the_uneven_shoe_by_card(name: str, strategy: Strategy) -> None:
    """121 first deals, 41 of them ties with 121 wars each, all wagers down at once."""
    case = CASES[name]
    check_engine(case, UNEVEN, study(case.rules, composition(UNEVEN)), strategy)


@pytest.mark.long
def test_engine_plays_one_deck_by_card() -> None:
    """Every first deal of 52 cards, and every war after each of the 156 ties: 2652 deals and 382,200 wars."""
    case = CASES["wa, P6a"]
    check_engine(case, dict.fromkeys(DECK, 1), study(case.rules, fresh(1)), "war")


# Two boxes


TWO_BOXES = {"Ah": 2, "As": 1, "Kd": 2, "2c": 2}


@pytest.mark.parametrize("strategy", ["war", "surrender"])
@pytest.mark.parametrize("wagers", [("initial", "initial"), ("initial", "tie"), ("tie", "tie"), ("a_bomb", "initial")])
def test_covariance_of_two_boxes(wagers: tuple[str, str], strategy: Strategy) -> None:
    """Six physical cards: two players and the dealer, then the same again, whether or not they are at war."""
    case = CASES["wa, P6a"]
    one_sum = two_sum = both = Fraction(0)
    deals = Counter(permutations(laid_out(TWO_BOXES), 6))
    total = sum(deals.values())
    for (one, two, dealer, again, other, dealers_second), ways in deals.items():
        mine = settle(case.terms, wagers[0], sight(one, dealer, again, dealers_second), strategy == "war")
        theirs = settle(case.terms, wagers[1], sight(two, dealer, other, dealers_second), strategy == "war")
        assert mine is not None
        assert theirs is not None
        one_sum += ways * mine
        two_sum += ways * theirs
        both += ways * mine * theirs
    found = study(case.rules, composition(TWO_BOXES))
    expected = both / total - one_sum / total * two_sum / total
    assert covariance(found, *wagers, strategy) == expected
    assert expected != 0


@pytest.mark.parametrize("wagers", [("war_tie", "initial"), ("war_tie", "war_tie")])
def test_covariance_where_a_wager_may_not_be_placed(wagers: tuple[str, str]) -> None:
    """A tie wager on the war deal nets nothing in a round without a war for it."""
    case = CASES["ca"]
    sums = [Fraction(0)] * 3
    deals = Counter(permutations(laid_out(TWO_BOXES), 6))
    total = sum(deals.values())
    for (one, two, dealer, again, other, dealers_second), ways in deals.items():
        mine = settle(case.terms, wagers[0], sight(one, dealer, again, dealers_second), is_war=True) or Fraction(0)
        theirs = settle(case.terms, wagers[1], sight(two, dealer, other, dealers_second), is_war=True) or Fraction(0)
        sums = [before + ways * more for before, more in zip(sums, (mine, theirs, mine * theirs), strict=True)]
    expected = sums[2] / total - sums[0] / total * sums[1] / total
    assert covariance(study(case.rules, composition(TWO_BOXES)), *wagers) == expected


def test_variance_of_three_boxes() -> None:
    """The sum over three boxes, of eight physical cards: four first, four second."""
    case = CASES["nz"]
    deals = Counter(permutations(laid_out({"Ah": 3, "Kd": 3, "2c": 2}), 8))
    mean = square = Fraction(0)
    for cards, ways in deals.items():
        hands = zip(cards[:3], cards[4:7], strict=True)
        nets = [initial(case.terms, sight(one, cards[3], two, cards[7]), is_war=True) for one, two in hands]
        mean += ways * sum(nets)
        square += ways * sum(nets) ** 2
    total = sum(deals.values())
    found = study(case.rules, composition({"Ah": 3, "Kd": 3, "2c": 2}))
    assert total_variance(found, 3) == square / total - (mean / total) ** 2


# Published figures and limits


PUBLISHED = {
    # decks: house edge in hundredths of a percent with the bonus for a second tie, without it, surrendering, on tie
    1: (206, 242, 294, 3529),
    2: (224, 270, 340, 2524),
    3: (229, 279, 355, 2194),
    4: (231, 284, 362, 2029),
    5: (232, 286, 367, 1931),
    6: (233, 288, 370, 1865),
    7: (234, 289, 372, 1818),
    8: (234, 290, 373, 1783),
}
"""The Wizard of Odds' table (wizardofodds.com/games/casino-war), as reprinted at
www.i-online-casinos.com/games/casino-war-odds.php."""


@pytest.mark.parametrize("decks", PUBLISHED)
def test_published_table(decks: int) -> None:
    bonus = study(load_with("nz", {}), fresh(decks))
    plain = study(load_with("nz", {"payout.war.on_tie": "1:1"}), fresh(decks))
    edges = (
        bonus.figures("initial", "war").house_edge,
        plain.figures("initial", "war").house_edge,
        bonus.figures("initial", "surrender").house_edge,
        bonus.figures("tie").house_edge,
    )
    assert tuple(round(10_000 * edge) for edge in edges) == PUBLISHED[decks]


@pytest.mark.parametrize("decks", range(1, 21))
def test_closed_forms(decks: int) -> None:
    """With n decks: 4n of a rank among 52n; a second tie is of another rank, or of the same with two cards gone."""
    size, of_rank = 52 * decks, 4 * decks
    tie = Fraction(of_rank - 1, size - 1)
    second_ties = 12 * of_rank * (of_rank - 1) + (of_rank - 2) * (of_rank - 3)
    second = Fraction(second_ties, (size - 2) * (size - 3))
    parted = (1 - second) / 2
    found = study(load_with("nz", {}), fresh(decks))
    assert found.figures("initial").ev == tie * (parted + 2 * second - 2 * parted)
    assert found.figures("initial").average_total_wager == 1 + tie
    assert found.figures("initial").element_of_risk == -tie * (2 * second - parted) / (1 + tie)
    assert found.figures("initial", "surrender").ev == -tie / 2
    assert found.figures("initial", "surrender").average_total_wager == 1
    assert found.figures("tie").ev == 11 * tie - 1
    assert study(load_with("wa", {}), fresh(decks)).figures("a_bomb").ev == Fraction(11, 13) - 1


def test_six_decks() -> None:
    found = study(load_with("ma", {}), fresh(6)).figures("initial")
    assert found.ev == Fraction(-23138, 993023)
    assert f"{float(found.element_of_risk):.4f} {found.sd:.4f}" == "0.0217 1.0576"
    literal = study(load_with("ctg", {}), fresh(6)).figures("initial")
    assert f"{float(literal.ev):.5f}" == "0.01641"


LIMITS = {
    # 1/13 to tie; then 6/13 to win, 1/13 to tie, 6/13 to lose
    ("nz", "initial", "war"): Fraction(1 * 6 + 2 * 1 - 2 * 6, 13 * 13),
    ("ctg", "initial", "war"): Fraction(2 * 6 + 3 * 1 - 2 * 6, 13 * 13),
    ("nz", "initial", "surrender"): Fraction(-1, 2 * 13),
    ("nz", "tie", "war"): Fraction(10 - 12, 13),
    ("ma", "war_tie", "war"): Fraction(10 - 12, 13),
    # of 52 cards 1 makes a perfect pair, 1 a coloured pair, 2 mixed pairs
    ("wa", "perfect_pairs", "war"): Fraction(25 + 12 + 2 * 5 - 48, 52),
    ("wa", "war_perfect_pairs", "war"): Fraction(25 + 12 + 2 * 5 - 48, 52),
}
LIMIT_LINES = {
    "suited_four_of_a_kind": Fraction(1, 52**3),
    "suited_double_tie": Fraction(1, 52**2),
    "four_of_a_kind": Fraction(1, 13**3),
    "double_tie": Fraction(1, 13**2),
    "suited_tie": Fraction(1, 52),
    "tie": Fraction(1, 13),
}


def test_the_first_limit_is_four_in_169() -> None:
    assert LIMITS["nz", "initial", "war"] == Fraction(-4, 169)


@pytest.mark.parametrize(("book", "wager", "strategy"), LIMITS)
def test_limits_of_many_decks(book: str, wager: str, strategy: Strategy) -> None:
    """The distance to the limit falls as one over the number of decks."""
    limit = LIMITS[book, wager, strategy]
    rules = load_with(book, {})
    near, far = (study(rules, fresh(decks)).figures(wager, strategy).ev - limit for decks in (10**6, 10**4))
    assert 0 < abs(near) < Fraction(1, 10**6)
    assert abs(far / near - 100) < Fraction(1, 10)


def test_limits_of_the_lines() -> None:
    rules = load_with("ma", {"wager.progressive": True, "progressive.lines": "cumulative"})
    found = progressive(study(rules, fresh(10**6))).lines
    assert {line: round(chance / LIMIT_LINES[line], 4) for line, chance in found.items()} == dict.fromkeys(PAYS, 1)
