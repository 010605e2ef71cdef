"""The table as one SVG with both themes inside: felt, cards and chips, the dealer's sentence, and what each box won."""

from html import escape

from casinowar.pictures.card_svg import card_svg, chip_svg
from casinowar.pictures.felt_scene import BoxScene, Scene, amount
from casinowar.pictures.plain_table import plain_table
from casinowar.pictures.theme import class_of, style

WIDTH, LEFT = 640, 24
CARD = 46
MOST_LETTERS, MOST_CHIPS = 12, 90


def table_svg(scene: Scene, scale: int = 1) -> str:
    """The scene as SVG. `scale` is how many of the smallest unit the chip of one stands for.

    >>> from casinowar.pictures import BoxScene, Scene, table_svg
    >>> table_svg(Scene(title="Round 1", dealer=("9s",), boxes=(BoxScene(box=1, cards=("Th",)),)))[:4]
    '<svg'
    """
    columns = max(1, len(scene.boxes))
    step = (WIDTH - 2 * LEFT) / columns
    height = 330 if scene.boxes else 190
    card = min(CARD, step / 2.2)
    boxes = "".join(
        _box(box, WIDTH - LEFT - step * (at + 0.5), card, step, scale) for at, box in enumerate(scene.boxes)
    )
    own = class_of(scene)
    dealer = "".join(
        card_svg(face, WIDTH / 2 + (at - (len(scene.dealer) - 1) / 2) * (CARD + 12), 132, CARD)
        for at, face in enumerate(scene.dealer)
    )
    chips = ", ".join(f"{player} {amount(held)}" for player, held in scene.balances)
    chips = chips if len(chips) <= MOST_CHIPS else chips[: MOST_CHIPS - 1] + "…"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img" '
        f'class="{own}" style="max-width:100%;height:auto"><title>{escape(scene.title)}</title>'
        f"<desc>{escape(plain_table(scene))}</desc><style>{style(own, scene.felt)}</style>"
        f'<rect class="felt" width="{WIDTH}" height="{height}" rx="12"/>'
        f'<path class="lit" d="M0 168 Q{WIDTH / 2:g} 224 {WIDTH} 168 V{height - 12} Q{WIDTH} {height} {WIDTH - 12} '
        f'{height} H12 Q0 {height} 0 {height - 12} Z"/>'
        f'<text class="ink" x="{LEFT}" y="30" font-size="14">{escape(scene.title)}</text>'
        f'<text class="ink" x="{LEFT}" y="48" font-size="12">{escape(chips)}</text>'
        f'<text class="ink serif" x="{WIDTH / 2:g}" y="80" font-size="28" text-anchor="middle">'
        f"{escape(scene.says)}</text>"
        f"{dealer}{boxes}</svg>"
    )


def _box(box: BoxScene, x: float, card: float, step: float, scale: int) -> str:
    cards = "".join(
        card_svg(face, x + (at - (len(box.cards) - 1) / 2) * (card + 8), 226, card, is_at_war=box.is_at_war)
        for at, face in enumerate(box.cards)
    )
    total = sum(chips for _, chips in box.wagers)
    chips = (
        chip_svg(total // scale, x, 284, 15)
        if total
        else f'<circle fill="none" class="line" cx="{x:g}" cy="284" r="15"/>'
    )
    player = box.player if len(box.player) <= MOST_LETTERS else box.player[: MOST_LETTERS - 1] + "…"
    who = f"{box.box} {player}".rstrip()
    told = amount(box.net, signed=True) if box.net is not None else amount(total) if total else ""
    small = min(13.0, step / 6)
    return (
        f"{cards}{chips}"
        f'<text class="ink" x="{x + 19:g}" y="289" font-size="{small:g}">{told}</text>'
        f'<text class="ink" x="{x:g}" y="316" font-size="{small:g}" text-anchor="middle">{escape(who)}</text>'
    )
