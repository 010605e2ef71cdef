"""The scene of an environment as people look at it: lines of text, or a picture of the felt."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from casinowar.cards import RED, Card
from casinowar.engine import DEALER
from casinowar.envs.engine_table import EngineTable
from casinowar.envs.glyphs import HEIGHT, WIDTH, bitmap
from casinowar.words.phrases import money_words
from casinowar.words.voice import Voice

FRAMES = ["ansi", "rgb_array"]
FELT, INK, PAPER, RED_INK, GOLD = (24, 92, 62), (20, 24, 28), (250, 248, 240), (190, 24, 40), (244, 214, 120)
CARD, GAP, MARGIN, LINE, LETTER = (56, 78), 10, 16, 34, 20
SIZE = (512, 130)
"""Width of the picture, and the height of each row: the dealer's, and one for each box in play."""


def frame(env: gymnasium.Env[Any, Any], mode: str | None, engine: EngineTable) -> Any:
    """What `render` gives in a mode; without one, a warning as Gymnasium has it."""
    if mode is None:
        gymnasium.logger.warn("render was called without a render_mode: choose ansi or rgb_array when you make it")
        return None
    return text(engine) if mode == "ansi" else picture(engine)


def rows(engine: EngineTable) -> list[tuple[str, tuple[Card, ...], str]]:
    """The dealer and every box in play: its name, its cards, and what lies there or came of it."""
    table, voice = engine.table, Voice(engine.rules, has_symbols=True)
    round_ = table.round
    told = [("Dealer", round_.hands.get(DEALER, ()), "")]
    for box in sorted({box for box, _, _ in round_.wagers} | set(round_.boxes)):
        wagers = [(who, wager, laid) for (at, wager, who), laid in round_.wagers.items() if at == box]
        names = ", ".join(dict.fromkeys(who for who, _, _ in wagers))
        laid_there = ", ".join(f"{voice.wager(wager)} {money_words(laid.amount, 0)}" for _, wager, laid in wagers)
        if wagers and all(laid.outcome is not None for _, _, laid in wagers):
            net = sum(laid.paid + laid.returned - laid.amount for _, _, laid in wagers)
            laid_there += f", in all {'+' if net > 0 else ''}{money_words(net, 0)}"
        told.append((f"Box {box} {names}", round_.hands.get(box, ()), laid_there))
    return told


def text(engine: EngineTable) -> str:
    """The table in lines: who has which cards, and what lies there."""
    voice = Voice(engine.rules, has_symbols=True)
    lines = [
        f"{name:18}{' '.join(f'{voice.card(card):>3}' for card in cards):10}{there}".rstrip()
        for name, cards, there in rows(engine)
    ]
    return "\n".join([*lines, ""])


def picture(engine: EngineTable) -> NDArray[np.uint8]:
    """The table as a picture of rows of pixels, each red, green and blue."""
    told = rows(engine)
    image = np.full((2 * MARGIN + SIZE[1] * max(2, len(told)), SIZE[0], 3), FELT, np.uint8)
    for at, (name, cards, there) in enumerate(told):
        top = MARGIN + SIZE[1] * at
        write(image, name.upper(), (MARGIN, top), 2, GOLD)
        for place, card in enumerate(cards):
            draw_card(image, card, (MARGIN + place * (CARD[0] + GAP), top + LINE - 8))
        for line, words in enumerate(there.upper().split(", ")):
            write(image, words, (MARGIN + 2 * (CARD[0] + GAP) + GAP, top + LINE - 6 + LETTER * line), 2, PAPER)
    return image


def draw_card(image: NDArray[np.uint8], card: Card, corner: tuple[int, int]) -> None:
    left, top = corner
    image[top : top + CARD[1], left : left + CARD[0]] = INK
    image[top + 1 : top + CARD[1] - 1, left + 1 : left + CARD[0] - 1] = PAPER
    ink = RED_INK if card[1] in RED else INK
    write(image, card[0].replace("T", "10"), (left + 6, top + 6), 2, ink)
    write(image, card[1], (left + CARD[0] - 6 * WIDTH - 6, top + CARD[1] - 6 * HEIGHT - 6), 6, ink)


def write(image: NDArray[np.uint8], words: str, corner: tuple[int, int], scale: int, ink: tuple[int, int, int]) -> None:
    """Write words with pixels of this size; what would not fit is left out."""
    left, top = corner
    for letter in words:
        drawn = np.kron(bitmap(letter), np.ones((scale, scale), bool))
        height, width = drawn.shape
        if left + width > image.shape[1]:
            return
        image[top : top + height, left : left + width][drawn] = ink
        left += width + scale
