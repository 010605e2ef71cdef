"""A round that is over, gathered for whoever draws it: the cards, what each wager won, and the clause."""

from casinowar.dealers.table_scene import felt_of
from casinowar.engine.events import DEALER
from casinowar.engine.state import Round, Table, Wager
from casinowar.pictures import Hand, RoundScene, Settled
from casinowar.pictures.felt_scene import amount
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import ON_WAR, WAGERS
from casinowar.words.phrases import wager_name

RANK_WORDS = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
MOST_BACKS = 3


def round_scene(rules: Rulebook, table: Table) -> RoundScene:
    """The round that is over at this table."""
    round_ = table.round
    dealers = round_.hands.get(DEALER, ())
    boxes = [box for box in sorted(round_.hands) if box != DEALER]
    ties = {box: _ties(round_.hands[box], dealers) for box in boxes}
    is_tied = tuple(any(at < len(ties[box]) and ties[box][at] for box in boxes) for at in range(len(dealers)))
    is_beside = rules.war.burn_place == "beside_dealer" and any(len(hand) > 1 for hand in round_.hands.values())
    return RoundScene(
        title=f"Round {round_.number}",
        book=rules.title,
        says=_says(rules, round_, boxes),
        net=sum(map(net_of, round_.wagers.values())) if len({who for _, _, who in round_.wagers}) == 1 else None,
        dealer=Hand(name=rules.roles.dealer.capitalize(), cards=dealers, ties=is_tied),
        boxes=tuple(Hand(name=f"Box {box}", cards=round_.hands[box], ties=ties[box]) for box in boxes),
        burned=min(MOST_BACKS, rules.war.burn) if is_beside else 0,
        settled=tuple(_settled(rules, round_)),
        felt=felt_of(rules),
    )


def net_of(wager: Wager) -> int:
    """What came of a wager."""
    return wager.paid + wager.returned - wager.amount


def _ties(cards: tuple[str, ...], dealers: tuple[str, ...]) -> tuple[bool, ...]:
    """Which card of a hand has the rank of the dealer's; of two, the later one, which counts."""
    same = [mine[0] == theirs[0] for mine, theirs in zip(cards, dealers, strict=False)]
    return tuple(is_same and not any(same[at + 1 :]) for at, is_same in enumerate(same))


def _says(rules: Rulebook, round_: Round, boxes: list[int]) -> str:
    """The one sentence of the round: `Nine against seven`."""
    dealers = round_.hands.get(DEALER, ())
    if not boxes or not dealers:
        return "Nobody bet"
    box = next((one for one in boxes if len(round_.hands[one]) > 1), boxes[0])
    at = min(len(dealers), len(round_.hands[box])) - 1
    mine, theirs = (RANK_WORDS[cards[at][0]] for cards in (round_.hands[box], dealers))
    if len(boxes) == 1:
        return f"{mine.capitalize()} against {theirs}"
    if len(round_.hands[box]) > 1:
        return f"Box {box}, {mine} against {theirs}"
    return f"{rules.roles.dealer.capitalize()} has {'an' if theirs[0] in 'ae' else 'a'} {theirs}"


def _wager_words(rules: Rulebook, wager: str, chips: int) -> str:
    """The wager with its amount: `Perfect Pairs 5, second` of one on the cards of a war that shares its name."""
    name = wager_name(rules, ON_WAR.get(wager, wager))  # type: ignore[call-overload]
    is_shared = wager in ON_WAR and wager_name(rules, wager) != getattr(rules.names, wager)
    return f"{name} {amount(chips)}, second" if is_shared else f"{wager_name(rules, wager)} {amount(chips)}"


def _settled(rules: Rulebook, round_: Round) -> list[Settled]:
    """A line for each wager, under the name of box and player where there are several."""
    places = sorted({(box, who) for box, _, who in round_.wagers})
    lines: list[Settled] = []
    for place in places:
        if len(places) > 1:
            lines.append(Settled(f"Box {place[0]}, {place[1]}"))
        laid = [(wager, one) for (box, wager, who), one in round_.wagers.items() if (box, who) == place]
        for wager, one in sorted(laid, key=lambda pair: [*WAGERS].index(pair[0])):  # type: ignore[arg-type]
            lines.append(Settled(_wager_words(rules, wager, one.amount), net_of(one), next(iter(one.clauses), "")))
    if round_.banker is not None:
        lines.append(Settled(f"{round_.banker} banks", -sum(map(net_of, round_.wagers.values()))))
    return lines
