"""Reading a bet as a player types it: `1000`, `1000 tie 500`, `box 3 1000 perfect pairs 200`."""

import re
from collections.abc import Mapping

import msgspec

MOST_DIGITS = 15
FILLERS = {"and", "on", "bet", "the", "chips", "plus", "for"}


class Stake(msgspec.Struct, frozen=True):
    """Chips for one wager on one box."""

    box: int
    wager: str
    amount: int


class BetError(ValueError):
    """A bet that cannot be read, and what to type instead."""


def parse_bet(text: str, names: Mapping[str, str], box: int, least: int) -> list[Stake]:
    """The stakes of one line, in the order in which they go down: box by box, the layout's first wager first.

    `names` are the wagers on offer by what the layout calls them; a bare amount is the first of them, and chips go to
    `box` unless the line says otherwise. `least` is for the examples.
    """
    stakes: dict[tuple[int, str], Stake] = {}
    words: list[str] = []
    for token in _tokens(text):
        if not token.isdigit():
            words.append(token)
            continue
        amount = parse_amount(token)
        if words == ["box"]:
            box, words = amount, []
            continue
        wager = find_wager(words, names, least) if words else next(iter(names))
        if (box, wager) in stakes:
            raise BetError(f"Two amounts for {names[wager]}. {example(names, least)}")
        stakes[box, wager] = Stake(box, wager, amount)
        words = []
    if words:
        what = "Which box" if words == ["box"] else f"How much on {names[find_wager(words, names, least)]}"
        raise BetError(f"{what}? {example(names, least)}")
    if not stakes:
        raise BetError(f"How much? {example(names, least)}")
    order = list(names)
    boxes = list(dict.fromkeys(stake.box for stake in stakes.values()))
    return sorted(stakes.values(), key=lambda stake: (boxes.index(stake.box), order.index(stake.wager)))


def parse_amount(text: str) -> int:
    """Chips: a whole number in digits."""
    if not (text.isascii() and text.isdigit()):
        raise BetError("Chips are whole numbers, such as 1000.")
    if len(text) > MOST_DIGITS:
        raise BetError("Nobody has that many chips.")
    return int(text)


def find_wager(words: list[str], names: Mapping[str, str], least: int) -> str:
    """The wager that the words mean: its name, the start of its name or of its later words, or its initials."""
    typed = "".join(words)
    exact = [wager for wager, name in names.items() if typed in (_join(name.split()), _join(wager.split("_")))]
    near = exact or [wager for wager, name in names.items() if _is_short_for(typed, name, wager)]
    if len(near) != 1:
        raise BetError(f"{' '.join(words)!r} is no wager of this table. {example(names, least)}")
    return near[0]


def _is_short_for(typed: str, name: str, wager: str) -> bool:
    spellings = (name.lower().split(), wager.split("_"))
    return any(
        typed == "".join(word[0] for word in parts)
        or any(_join(parts[start:]).startswith(typed) for start in range(len(parts)))
        for parts in spellings
    )


def _join(parts: list[str]) -> str:
    return re.sub(r"\W", "", "".join(parts).lower())


def _tokens(text: str) -> list[str]:
    joined = re.sub(r"(?<=\d)[,'](?=\d{3}\b)", "", text.lower())
    if re.search(r"\d[.,]\d|(?<!\w)-\s*\d", joined):
        raise BetError("Chips are whole numbers, such as 1000.")
    return [word for word in re.findall(r"\d+|[^\W\d_]+", joined) if word not in FILLERS]


def example(names: Mapping[str, str], least: int) -> str:
    """A bet that could be typed, with the first side wager that there is."""
    side = next(iter(list(names.values())[1:]), None)
    return f"E.g. {least}{f', or {least} {side.lower()} {least}' if side else ''}."
