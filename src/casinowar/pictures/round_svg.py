"""A round as one SVG with both themes inside: at the left the felt with its cards, at the right what each wager won."""

from html import escape

import msgspec

from casinowar.pictures.card_svg import back_svg, card_svg
from casinowar.pictures.felt_scene import Felt, amount, faces
from casinowar.pictures.theme import class_of, style

WIDTH, FELT, ROW, TOP = 640, 320, 29, 62
NAME_AT, NET_AT, CLAUSE_AT = 340, 530, 620
MOST_ROWS = 26
MOST_LETTERS, MOST_CLAUSE = 23, 12
LEAST_STEP, MOST_STEP, MOST_WIDTH = 52, 98, 53
"""Rows of hands are so far apart, and cards as wide as fits."""


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand by its name, with those of its cards that tie.

    >>> from casinowar.pictures import Hand
    >>> Hand(name="Box 1", cards=("Th", "2h"), ties=(False, True)).cards
    ('Th', '2h')
    """

    name: str
    cards: tuple[str, ...]
    ties: tuple[bool, ...] = ()


class Settled(msgspec.Struct, frozen=True):
    """A line at the right: a wager with what came of it and the clause, or the name of a box, which has none.

    >>> from casinowar.pictures import Settled
    >>> Settled("Casino War 500", 500, "NZ-5.4a").net
    500
    """

    name: str
    net: int | None = None
    clause: str = ""


class RoundScene(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over. `burned` cards lie beside the dealer's, unseen; `net` is what its one player won.

    >>> from casinowar.pictures import Hand, RoundScene, Scene, plain_round
    >>> dealer, box = Hand(name="Dealer", cards=("9s",)), Hand(name="Box 1", cards=("Th",))
    >>> felt = Scene(title="").felt
    >>> scene = RoundScene(title="Round 1", book="nz", says="", net=500, dealer=dealer, boxes=(box,), felt=felt)
    >>> "10♥" in plain_round(scene)
    True
    """

    title: str
    book: str
    says: str
    net: int | None
    dealer: Hand
    boxes: tuple[Hand, ...]
    burned: int = 0
    settled: tuple[Settled, ...] = ()
    felt: Felt


def plain_round(scene: RoundScene) -> str:
    """The scene in plain lines.

    >>> felt = ("#000", "#111", "#222"), ("#fff", "#eee", "#ddd")
    >>> nine = Hand(name="Dealer", cards=("9d",))
    >>> ten = Hand(name="Box 1", cards=("Th",))
    >>> print(
    ...     plain_round(
    ...         RoundScene(
    ...             title="Round 1",
    ...             book="New Zealand",
    ...             says="Ten against nine",
    ...             net=50,
    ...             dealer=nine,
    ...             boxes=(ten,),
    ...             settled=(Settled("Casino War 50", 50, "NZ-5.3a"),),
    ...             felt=felt,
    ...         )
    ...     )
    ... )
    Round 1, New Zealand: +50
      Ten against nine
      Dealer  9♦
      Box 1   10♥
      Casino War 50                 +50  NZ-5.3a
    """
    lines = [f"{scene.title}, {scene.book}{_net_words(scene)}", f"  {scene.says}"]
    lines += [f"  {hand.name:7} {faces(hand.cards)}" for hand in (scene.dealer, *scene.boxes) if hand.cards]
    for one in scene.settled:
        told = "" if one.net is None else f" {amount(one.net, signed=True):>8}  {one.clause}"
        lines.append(f"  {one.name:24}{told}".rstrip())
    return "\n".join(lines)


def _net_words(scene: RoundScene) -> str:
    return "" if scene.net is None else f": {amount(scene.net, signed=True)}"


def round_svg(scene: RoundScene) -> str:
    """The scene as SVG.

    >>> from casinowar.pictures import Hand, RoundScene, Scene, round_svg
    >>> dealer, box = Hand(name="Dealer", cards=("9s",)), Hand(name="Box 1", cards=("Th",))
    >>> felt = Scene(title="").felt
    >>> scene = RoundScene(title="Round 1", book="nz", says="", net=500, dealer=dealer, boxes=(box,), felt=felt)
    >>> round_svg(scene)[:4]
    '<svg'
    """
    own = class_of(scene)
    settled, hands = _fitting(scene.settled), (scene.dealer, *scene.boxes)
    height = max(248, 60 + LEAST_STEP * len(hands), TOP + ROW * len(settled) + 20)
    step = min(MOST_STEP, (height - 60) / len(hands))
    width = min(MOST_WIDTH, (step - 14) / 1.4)
    cards = "".join(
        _hand(hand, 46 + step * (at + 0.5), width, scene.burned if at == 0 else 0) for at, hand in enumerate(hands)
    )
    rows = "".join(_row(one, TOP + ROW * (at + 0.5)) for at, one in enumerate(settled))
    net = "" if scene.net is None else amount(scene.net, signed=True)
    title = f"{scene.title}, {scene.book}"
    says = min(26.0, 560 / max(1, len(scene.says)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" role="img" '
        f'class="{own}" style="max-width:100%;height:auto"><title>{escape(title)}</title>'
        f"<desc>{escape(f'{scene.says}{_net_words(scene)}.')}</desc><style>{style(own, scene.felt)}</style>"
        f'<rect class="surface" width="{WIDTH}" height="{height:g}" rx="12"/>'
        f'<path class="felt" d="M12 0 H{FELT} V{height:g} H12 Q0 {height:g} 0 {height - 12:g} V12 Q0 0 12 0 Z"/>'
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:g}" rx="12" fill="none" class="rule"/>'
        f'<text class="ink serif" x="{FELT / 2:g}" y="36" font-size="{says:g}" text-anchor="middle">'
        f"{escape(scene.says)}</text>{cards}"
        f'<text class="ink" x="{NAME_AT}" y="36" font-size="16" font-weight="600">{escape(scene.title)}</text>'
        f'<text class="ink serif" x="{CLAUSE_AT}" y="37" font-size="26" text-anchor="end">{net}</text>{rows}</svg>'
    )


def _fitting(settled: tuple[Settled, ...]) -> tuple[Settled, ...]:
    """The lines that there is room for; the last one has what the others came to."""
    if len(settled) <= MOST_ROWS:
        return settled
    kept, others = settled[: MOST_ROWS - 1], [one for one in settled[MOST_ROWS - 1 :] if one.net is not None]
    return (*kept, Settled(f"{len(others)} more wagers", sum(one.net or 0 for one in others)))


def _hand(hand: Hand, y: float, width: float, burned: int) -> str:
    backs = "".join(back_svg(94 + 5 * at, y, width) for at in range(burned))
    cards = "".join(
        card_svg(card, 188 + at * (width + 12), y, width, is_at_war=any(hand.ties[at : at + 1]))
        for at, card in enumerate(hand.cards)
    )
    at = 28 if not burned else 14
    name = f'<text class="ink" x="{at}" y="{y + 4.5:g}" font-size="13">{escape(hand.name)}</text>'
    return f"{name}{backs}{cards}"


def _row(one: Settled, y: float) -> str:
    name = one.name if len(one.name) <= MOST_LETTERS else one.name[: MOST_LETTERS - 1] + "…"
    rule = f'<path class="rule" d="M{NAME_AT} {y + 10:g} H{CLAUSE_AT}"/>'
    if one.net is None:
        return (
            f'<text class="ink2" x="{NAME_AT}" y="{y:g}" font-size="13" font-weight="600">{escape(name)}</text>{rule}'
        )
    won = "win" if one.net > 0 else "ink"
    clause = one.clause if len(one.clause) <= MOST_CLAUSE else one.clause[: MOST_CLAUSE - 1] + "…"
    return (
        f'<text class="ink" x="{NAME_AT}" y="{y:g}" font-size="13">{escape(name)}</text>'
        f'<text class="{won}" x="{NET_AT}" y="{y:g}" font-size="13" font-weight="600" text-anchor="end">'
        f"{amount(one.net, signed=True)}</text>"
        f'<text class="ink2 mono" x="{CLAUSE_AT}" y="{y:g}" font-size="11" text-anchor="end">{escape(clause)}</text>'
        f"{rule}"
    )
