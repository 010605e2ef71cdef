"""Cards and chips as SVG, with ranks and suits as lines of our own, as the page draws them.

Paper, its border and the inner line are of the theme: a picture that has cards has its style.
"""

RANKS = {
    "A": "M3 58 L20 4 L37 58 M9 40 H31",
    "K": "M6 4 V56 M36 4 L8 34 M16 26 L37 56",
    "Q": "M20 4 C9 4 4 14 4 28 C4 43 9 53 20 53 C31 53 36 43 36 28 C36 14 31 4 20 4 Z M23 42 L37 58",
    "J": "M12 4 H32 M26 4 V42 C26 52 20 56 14 56 C8 56 4 52 4 44",
    "T": "M5 10 V56 M24 4 C18 4 15 12 15 30 C15 48 18 56 25 56 C32 56 36 48 36 30 C36 12 32 4 24 4 Z",
    "9": "M35 22 C35 12 29 4 20 4 C11 4 5 11 5 20 C5 30 11 36 20 36 C28 36 35 31 35 22 C35 42 28 56 12 56",
    "8": "M20 4 C11 4 7 10 7 16 C7 24 13 28 20 29 C29 30 36 35 36 43 C36 51 29 56 20 56 C11 56 4 51 4 43 "
    "C4 35 11 30 20 29 C27 28 33 24 33 16 C33 10 29 4 20 4 Z",
    "7": "M4 4 H36 L16 57",
    "6": "M28 4 C12 8 5 24 5 38 C5 50 11 56 20 56 C29 56 35 49 35 40 C35 31 29 25 20 25 C12 25 5 30 5 39",
    "5": "M33 4 H9 L7 28 C10 25 14 23 19 23 C29 23 35 30 35 39 C35 49 29 56 19 56 C11 56 6 53 3 47",
    "4": "M28 57 V4 L3 41 H38",
    "3": "M5 11 C8 6 13 4 19 4 C28 4 33 9 33 16 C33 24 27 28 17 28 C29 28 36 33 36 42 C36 51 29 56 19 56 "
    "C11 56 6 53 3 48",
    "2": "M5 16 C6 8 12 4 20 4 C29 4 35 10 35 18 C35 32 14 40 5 56 H37",
}
SUITS = {
    "h": "M20 37 C8 27 2 21 2 13 C2 7 6 3 11 3 C15 3 18 5 20 9 C22 5 25 3 29 3 C34 3 38 7 38 13 C38 21 32 27 20 37 Z",
    "d": "M20 2 L35 20 L20 38 L5 20 Z",
    "s": "M20 2 C28 11 38 17 38 25 C38 30 34 33 30 33 C27 33 24 32 22 29 C22 33 24 36 27 38 H13 C16 36 18 33 18 29 "
    "C16 32 13 33 10 33 C6 33 2 30 2 25 C2 17 12 11 20 2 Z",
    "c": "M20 2 C25 2 29 6 29 11 C29 13 28 15 27 17 C33 15 38 19 38 25 C38 30 34 33 30 33 C27 33 24 32 22 29 C22 33 "
    "24 36 27 38 H13 C16 36 18 33 18 29 C16 32 13 33 10 33 C6 33 2 30 2 25 C2 19 7 15 13 17 C12 15 11 13 11 11 "
    "C11 6 15 2 20 2 Z",
}
LATTICE = (
    "M7 35 L35 7 M7 63 L63 7 M7 91 L91 7 M7 119 L93 33 M21 133 L93 61 M49 133 L93 89 M77 133 L93 117 M93 35 L65 7 "
    "M93 63 L37 7 M93 91 L9 7 M93 119 L7 33 M79 133 L7 61 M51 133 L7 89 M23 133 L7 117"
)
SMALL, SMALL_RANK, TALL_RANK = 44, "translate(12 12) scale(1.15)", "translate(10 10)"
"""A card that is less wide has a larger rank and one suit."""

TALL_SUIT = "translate(48 88) scale(1.15)"

RED, INK, PAPER = "#b3261e", "#1b1d1c", "#fbf8f0"
BACK = "#8c2f2b"

CHIPS = (
    (1, "#e4dcc6", 4, "#1b1d1c", "#7d7666"),
    (5, "#a8322c", 5, "#ffffff", "#fbf3e4"),
    (25, "#1f6b45", 6, "#ffffff", "#fbf3e4"),
    (100, "#23262b", 8, "#ffffff", "#fbf3e4"),
    (500, "#5b3f8c", 3, "#ffffff", "#fbf3e4"),
    (1000, "#c58a1e", 10, "#1b1507", "#fbf3e4"),
)
"""By value: fill, edge marks, ink, edge. Colour never speaks alone: each value has its own number of marks."""


def card_svg(card: str, x: float, y: float, width: float, *, is_at_war: bool = False) -> str:
    """A card with its middle at this point; one at war has a ring."""
    rank, suit = card[0], card[1]
    colour = RED if suit in "dh" else INK
    inner = f'<path d="{SUITS[suit]}" fill="none" class="inner" stroke-width="2.5" transform="translate(8 8) '
    inner = inner + 'scale(0.6)"/>' if suit in "dh" else ""
    ring = '<rect x="-6" y="-6" width="112" height="152" rx="14" fill="none" class="war"/>' if is_at_war else ""
    is_small = width < SMALL
    places = ("translate(46 86) scale(1.25)",) if is_small else ("translate(12 78) scale(0.75)", TALL_SUIT)
    suits = "".join(f'<g transform="{at}"><path d="{SUITS[suit]}" fill="{colour}"/>{inner}</g>' for at in places)
    return (
        f'<g transform="translate({x:g} {y:g}) scale({width / 100:g}) translate(-50 -70)">{ring}'
        f'<rect x="0.5" y="0.5" width="99" height="139" rx="9" class="paper"/>'
        f'<path d="{RANKS[rank]}" transform="{SMALL_RANK if is_small else TALL_RANK}" fill="none" stroke="{colour}" '
        f'stroke-width="9" stroke-linejoin="round" stroke-linecap="round"/>{suits}</g>'
    )


def back_svg(x: float, y: float, width: float) -> str:
    """A card face down, with its middle at this point."""
    return (
        f'<g transform="translate({x:g} {y:g}) scale({width / 100:g}) translate(-50 -70)">'
        f'<rect x="0.5" y="0.5" width="99" height="139" rx="9" class="paper"/>'
        f'<rect x="7" y="7" width="86" height="126" rx="5" fill="{BACK}"/>'
        f'<path d="{LATTICE}" fill="none" stroke="{PAPER}" stroke-width="1.2" opacity="0.5"/></g>'
    )


def chip_svg(units: int, x: float, y: float, r: float) -> str:
    """A chip of the greatest value that the amount holds, with its middle at this point."""
    value, fill, marks, ink, edge = next((one for one in reversed(CHIPS) if one[0] <= units), CHIPS[0])
    text = f"{value // 1000}K" if value >= 1000 else str(value)
    size = 11 if value >= 100 else 13
    edges = "".join(
        f'<rect x="-3.5" y="-24" width="7" height="7" fill="{edge}" transform="rotate({360 * turn // marks})"/>'
        for turn in range(marks)
    )
    return (
        f'<g transform="translate({x:g} {y:g}) scale({r / 24:g})"><circle r="24" fill="{fill}"/>{edges}'
        f'<circle r="15" fill="{fill}" stroke="{edge}" stroke-width="1.5"/><text text-anchor="middle" y="4.5" '
        f'fill="{ink}" font-size="{size}" font-weight="600">{text}</text></g>'
    )
