"""A scene: what lies on a table, in plain values, for whoever draws it."""

import msgspec

SYMBOLS = str.maketrans("cdhs", "♣♦♥♠")


Felt = tuple[tuple[str, str, str], tuple[str, str, str]]
"""The colours of a felt in the dark and in the light: the felt, its lit half, its lines."""


class BoxScene(msgspec.Struct, frozen=True, kw_only=True):
    """One box: whose it is, its cards, the wagers by name, and what came of them, where that is known.

    >>> from casinowar.pictures import BoxScene, Scene, plain_table
    >>> print(plain_table(Scene(title="", boxes=(BoxScene(box=1, cards=("Th",), wagers=(("War", 500),), net=500),))))
    <BLANKLINE>
      Box 1   10♥      War 500 (+500)
    """

    box: int
    player: str = ""
    cards: tuple[str, ...] = ()
    wagers: tuple[tuple[str, int], ...] = ()
    is_at_war: bool = False
    net: int | None = None


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A table: its title, the dealer's one sentence, the cards, and a line for each player's chips.

    `felt` has the colours of the felt in the dark and in the light: the felt, its lit half, its lines.

    >>> from casinowar.pictures import Scene, plain_table
    >>> print(plain_table(Scene(title="Round 1", dealer=("9s",), balances=(("ana", 1_000),))))
    Round 1
      Dealer  9♠
      ana has 1,000
    """

    title: str
    says: str = ""
    dealer: tuple[str, ...] = ()
    dealer_name: str = "Dealer"
    boxes: tuple[BoxScene, ...] = ()
    balances: tuple[tuple[str, int], ...] = ()
    felt: Felt = (
        ("#163642", "#1F4554", "#476977"),
        ("#ACC8D3", "#C8DDE6", "#678692"),
    )


def face(card: str) -> str:
    """A card with its symbol, 10 written out: `10♥`."""
    return card[0].replace("T", "10") + card[1].translate(SYMBOLS)


def faces(cards: tuple[str, ...]) -> str:
    """Cards in a row: `10♥ 9♠`."""
    return " ".join(map(face, cards))


def amount(value: int, *, signed: bool = False) -> str:
    """An amount with thousands parted and a minus that is one: `−1,000`."""
    told = f"{abs(value):,}"
    return f"−{told}" if value < 0 else f"+{told}" if signed and value else told
