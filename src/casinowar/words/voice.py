"""The voice of whoever tells events: how amounts, cards and signatures are written in a sentence."""

from collections.abc import Iterable

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands import Limit
from casinowar.engine.roles import ARBITERS, STAFF, signature_words
from casinowar.rulebooks import Rulebook
from casinowar.words.phrases import dealer_name, limit_in_words, money_words, place, plain, wager_name, words

SYMBOLS = str.maketrans({"T": "10", "c": "♣", "d": "♦", "h": "♥", "s": "♠"})


class Voice(msgspec.Struct, frozen=True):
    """The way to write amounts, cards and names in sentences. `Voice(rules)` writes as a replay does.

    Amounts have `digits` behind the point. Cards are `Ts`, or `10♠` with symbols; `unseen` is a card without a face.
    `between` stands between role and person where the book has no name of its own for the role.
    """

    rules: Rulebook
    digits: int = 0
    has_symbols: bool = False
    unseen: str = "a card nobody saw"
    between: str = ":"

    def amount(self, minor: int) -> str:
        return money_words(minor, self.digits)

    def limit(self, limit: Limit) -> str:
        return limit_in_words(limit, self.digits)

    def card(self, card: Card | None) -> str:
        return self.unseen if card is None else card.translate(SYMBOLS) if self.has_symbols else card

    def cards(self, cards: Iterable[Card | None]) -> str:
        return " ".join("xx" if card is None else self.card(card) for card in cards)

    def hands(self, hands: Iterable[tuple[int, tuple[Card, ...]]], dealer: str) -> str:
        """The hands in words: `box 1 Kh 7c, dealer 9d`."""
        return ", ".join(f"{place(box, dealer)} {self.cards(cards)}" for box, cards in hands)

    def wager(self, wager: str) -> str:
        return wager_name(self.rules, wager)

    @property
    def dealer(self) -> str:
        return dealer_name(self.rules)

    def signer(self, by: str, second: str | None = None) -> str:
        """Who signed, in words: `Table Inspector sue and Casino Operator olga`."""
        return " and ".join(plain(self._named(one)) for one in (by, second) if one)

    def _named(self, signature: str) -> str:
        named = signature_words(self.rules, signature)
        role, _, person = signature.partition(":")
        if named != signature or role not in (*STAFF, *ARBITERS):
            return named
        return f"{role}{self.between}{person}" if person else words(role)


def live_voice(rules: Rulebook, digits: int) -> Voice:
    """The voice of a live table: money of the house, cards with symbols."""
    return Voice(rules, digits, has_symbols=True, unseen="a card, its face not noted", between=" ")
