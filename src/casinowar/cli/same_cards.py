"""The same cards under several books: one box against the dealer, played through a record of each book."""

from typing import Any

import msgspec

from casinowar.cards import Card
from casinowar.engine.decide.betting import is_offered
from casinowar.records import parse_record, replay, result
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, WAGERS, WAR_DEAL

PLAYER, BANKER = "player", "bank"
CHIPS = 10**9


class CardsError(ValueError):
    """Cards that do not make a round, and why."""


def check_cards(rules: Rulebook, cards: list[Card], choice: str) -> None:
    """Refuse cards that make no round: two without a war or with a surrender, four for a war."""
    if len(cards) not in (2, 4):
        raise CardsError(f"{len(cards)} cards: name the player's and the dealer's, and for a war the next of each")
    is_tie = rules.ranks[cards[0]] == rules.ranks[cards[1]]
    if is_tie and len(cards) == 2 and choice == "war":
        raise CardsError(f"{cards[0]} and {cards[1]} tie: name the two cards of the war too, or --strategy surrender")
    if len(cards) == 4 and not (is_tie and choice == "war"):
        raise CardsError(f"{cards[0]} and {cards[1]} bring no war: name these two cards alone")


def play_cards(book: str, rules: Rulebook, cards: list[Card], choice: str, stake: int) -> Any:
    """The finished round of the record's result: every wager of the book at this stake, on these cards.

    Burns lie between the cards with faces that nobody saw. The shoe has been opened before.
    """
    first = [kind for kind in FIRST_DEAL if is_offered(rules, kind)]
    second = [kind for kind in WAR_DEAL if is_offered(rules, kind)]
    acts: list[dict[str, Any]] = []
    players = {PLAYER: CHIPS}
    if rules.bank.by == "player":
        players[BANKER] = CHIPS
        acts.append({"do": "accept_bank", "player": BANKER, "box": rules.table.boxes, "stake": CHIPS})
    acts += [_place(kind, stake) for kind in first]
    acts.append({"do": "deal"})
    if len(cards) == 4:
        acts += [
            {"do": "go_to_war", "player": PLAYER, "box": 1},
            *(_place(kind, stake) for kind in second),
            {"do": "deal"},
        ]
    elif rules.ranks[cards[0]] == rules.ranks[cards[1]]:
        acts.append({"do": choice, "player": PLAYER, "box": 1})
    record = {
        "format": "casinowar-record/1",
        "rulebook": book,
        "shoe": _shoe(rules, cards),
        "players": players,
        "before": {"shoe_loaded": True},
        "acts": acts,
    }
    told = result(replay(msgspec.structs.replace(parse_record(record), rulebook=rules)))
    if told["refusals"]:
        refused = told["refusals"][0]
        raise CardsError(f"{rules.id} refuses {acts[refused['act']]['do']}: {refused['reason']}")
    return told["rounds"][0]


def _place(kind: str, stake: int) -> dict[str, Any]:
    return {"do": "place_wager", "player": PLAYER, "box": 1, "wager": kind, "amount": stake}


def _shoe(rules: Rulebook, cards: list[Card]) -> list[str]:
    """The cards in the order in which they leave the shoe, with the burns of this book between them."""
    shoe = ["xx"] * rules.shoe.round_burn
    shoe += cards[:2] if rules.deal.dealer == "last" else cards[1::-1]
    if len(cards) == 4:
        burns, more = ["xx"] * rules.war.burn, ["xx"] * rules.war.burn_before_banker
        mine, theirs = cards[2:]
        shoe += [*burns, mine, *more, theirs] if rules.deal.war_dealer == "last" else [*burns, *more, theirs, mine]
    return shoe


def nets(round_: Any) -> dict[str, int]:
    """What each wager came to, and all of them together."""
    found = {line["wager"]: line["net"] for line in round_["settlements"] if line["player"] == PLAYER}
    return {kind: found[kind] for kind in WAGERS if kind in found} | {"all": sum(found.values())}
