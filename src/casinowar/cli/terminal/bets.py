"""A bet as a player types it, parsed: `1000`, `1000 tie 500`, `box 3 1000 perfect pairs 200`."""

import re
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

MOST_DIGITS = 15
SHORT_NAMES = {"progressive": "prog"}
WHOLE = "Chips are whole numbers, such as 1000 or 1,000."
GROUPED = r"[0-9]{1,3}([,'’ ])[0-9]{3}(\1[0-9]{3})*"
"""Thousands that are set apart. A point is not among the marks: to some it stands before a fraction."""
FILLERS = {"and", "on", "bet", "the", "chips", "plus", "for"}


class Stake(msgspec.Struct, frozen=True):
    """Chips for one wager on one box."""

    box: int
    wager: str
    amount: int


class BetError(ValueError):
    """A bet that cannot be read, and what to type instead."""


def off_in_words(wager: str, name: str) -> str:
    return f"{name} is off here: --option wager.{wager}=on plays with it."


def parse_bet(
    text: str, names: Mapping[str, str], box: int, least: int, off: Mapping[str, str] = MappingProxyType({})
) -> list[Stake]:
    """The stakes of one line, in the order in which they go down: box by box, the layout's first wager first.

    `names` are the wagers on offer by what the layout calls them; a bare amount is the first of them, and chips go to
    `box` unless the line says otherwise. `least` is for the examples, and `off` names what could be turned on.
    """
    stakes: dict[tuple[int, str], Stake] = {}
    words: list[str] = []
    for token in _tokens(text, names):
        if not token.isdigit():
            words.append(token)
            continue
        amount = parse_amount(token)
        if words == ["box"]:
            box, words = amount, []
            continue
        wager = find_wager(words, names, off) if words else next(iter(names))
        if (box, wager) in stakes:
            raise BetError(f"Two amounts for {names[wager]}. {example(names, least)}")
        stakes[box, wager] = Stake(box, wager, amount)
        words = []
    if words:
        what = "Which box" if words == ["box"] else f"How much on {names[find_wager(words, names, off)]}"
        raise BetError(f"{what}? {example(names, least)}")
    if not stakes:
        raise BetError(f"How much? {example(names, least)}")
    order = list(names)
    boxes = list(dict.fromkeys(stake.box for stake in stakes.values()))
    return sorted(stakes.values(), key=lambda stake: (boxes.index(stake.box), order.index(stake.wager)))


def parse_amount(text: str) -> int:
    """Chips: a whole number in digits, whose thousands may be set apart."""
    if re.fullmatch(GROUPED, text):
        text = re.sub(r"[^0-9]", "", text)
    if not (text.isascii() and text.isdigit()):
        raise BetError(WHOLE)
    if len(text) > MOST_DIGITS:
        raise BetError("Nobody has that many chips.")
    return int(text)


def find_wager(words: list[str], names: Mapping[str, str], off: Mapping[str, str]) -> str:
    """The one wager that the words can mean."""
    meant = _meant(words, names)
    if not meant and (could := _meant(words, off)):
        raise BetError(off_in_words(could[0], off[could[0]]))
    if len(meant) != 1:
        *others, last = names.values()
        choice = f"{', '.join(others)} or {last}" if others else last
        raise BetError(f"No wager here is called {' '.join(words)!r}: bet on {choice}.")
    return meant[0]


def _meant(words: list[str], names: Mapping[str, str]) -> list[str]:
    """The wagers of that name; without one, those with that first or last word, those initials or that short name."""
    typed = "".join(words)
    exact = [wager for wager, name in names.items() if typed in ("".join(_words(name)), wager.replace("_", ""))]
    return exact or [wager for wager, name in names.items() if typed in _short(wager, _words(name))]


def _short(wager: str, parts: list[str]) -> tuple[str | None, ...]:
    return parts[0], parts[-1], "".join(part[0] for part in parts), SHORT_NAMES.get(wager)


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", name.lower()) or [name]


def _tokens(text: str, names: Mapping[str, str]) -> list[str]:
    joined = re.sub(r"(?<=\d)[,'’](?=\d{3}\b)", "", text.lower())
    is_broken = re.search(r"\d[.,_]\d|(?<!\w)-\s*\d", joined)
    behind_digits = set(re.findall(r"\d([^\W\d_]+)", joined)) - FILLERS - {"box"}
    if is_broken or not all(_meant([word], names) for word in behind_digits):
        raise BetError(WHOLE)
    return [word for word in re.findall(r"\d+|[^\W\d_]+", joined) if word not in FILLERS]


def example(names: Mapping[str, str], least: int) -> str:
    """A bet that could be typed, with the first side wager that there is."""
    side = next(iter(list(names.values())[1:]), None)
    return f"E.g. {least}{f', or {least} {side.lower()} {least}' if side else ''}."
