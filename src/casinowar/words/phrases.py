"""Words for telling: why a command was refused, what a burn is called, and how names, lists and amounts are put."""

from collections.abc import Iterable

from casinowar.cards import Card
from casinowar.engine.commands import Limit

REASONS = {
    "amount_not_positive": "the amount is not above zero",
    "another_card_next": "another card lies next, and its face was seen",
    "area_above_maximum": "the wagers on the area would exceed its maximum",
    "area_full": "the area has all the bettors it may have",
    "area_maximum_above_table_maximum": "the area's maximum is above the table's",
    "area_reserved": "the last place on the area is kept for a player with first right to it",
    "bank_box": "the box is the bank's",
    "bank_may_not_bet": "the bank may not bet against itself",
    "bank_must_pass": "the bank has been held as long as it may be and passes on",
    "bank_not_offered": "the bank is offered to another player first",
    "bank_taken": "the bank is taken",
    "betting_begun": "wagers already lie on the layout",
    "betting_closed": "betting is closed",
    "box_taken": "another player has the box",
    "coupon_not_taken": "coupons are not taken there",
    "no_match": "the bank has nothing left to match a war",
    "too_few_seated": "too few players are seated",
    "bank_in_play": "this player banks the round and keeps the seat",
    "bank_not_optional": "the bank may not be declined",
    "consent_missing": "not everybody at the table agrees",
    "coupon_above_wager": "the coupon is worth more than the wager beside it",
    "name_taken": "no player can go by that name",
    "no_limits": "those are no limits",
    "notice_too_short": "the notice has not stood long enough",
    "players_present": "there are players at the table",
    "table_closed": "the table is closed",
    "called_wager": "wagers are not taken by call",
    "chips_gone": "somebody has left with the chips that would have to come back",
    "card_unseen": "the face of the card that is due is not known",
    "cards_due": "no card was given for what is due",
    "cut_due": "the cards have not been cut",
    "cut_out_of_bounds": "the cut is too near to an end of the stack",
    "decision_open": "a player has yet to choose between war and surrender",
    "house_cannot_bank": "the house may not bank",
    "initial_required": "the opening wager must come first",
    "insufficient_funds": "the player's chips do not cover it",
    "marker_due": "the cutting card has not been put into the stack",
    "marker_moved": "the cutting card does not lie where it was put",
    "marker_out_of_bounds": "the cutting card lies where it may not",
    "no_bank": "nobody has taken the bank",
    "no_cards": "no card is left in the shoe",
    "no_cut": "no cut is due",
    "no_decision": "this player is not being asked for a decision",
    "no_grant": "the player holds no grant",
    "no_round": "there is no round to act on",
    "no_shoe": "a shuffle is due and the record holds no further shoe",
    "no_shuffle_due": "no shuffle is due",
    "no_wager": "there is no such wager on the table",
    "no_war_wager": "there is no war wager for it to go with",
    "not_asked_yet": "another player is asked first",
    "not_entitled": "whoever acts is not entitled to",
    "not_in_the_book": "the rulebook does not provide for it",
    "not_seated": "the player has no seat",
    "not_the_bank": "the player does not hold the bank",
    "not_the_cutter": "the cut is another person's",
    "player_above_maximum": "the player's wagers on the box would exceed the maximum",
    "round_in_progress": "a round is in progress",
    "seat_taken": "another player has the seat",
    "shoe_is_short": "the shoe cannot be refilled in the middle of a round",
    "shuffle_due": "a shuffle is due first",
    "table_is_open": "the table is already open",
    "table_not_vacant": "the table was not vacant",
    "too_many_boxes": "the player may not bet on so many boxes",
    "too_many_cards": "more cards were given than are due",
    "unknown_box": "there is no such box",
    "unknown_player": "there is no such player",
    "wager_above_maximum": "the wager is above the maximum",
    "wager_below_minimum": "the wager is below the minimum",
    "wager_locked": "the wager may no longer be touched",
    "wager_not_offered": "this wager is not offered",
    "wager_odd": "the wager must be an even amount",
    "wager_off_unit": "the wager is not a multiple of the unit",
    "war_is_declared": "a war wager is made by going to war",
    "wrong_number_of_cards": "the decks do not hold that many cards",
    "card_exhausted": "the decks hold no more of that card",
    "bank_may_stay": "the bank has not been held as long as it may be",
    "burn_sealed": "the burned card is shown to nobody",
    "continuous_shuffler": "a continuous shuffler is in use",
    "decks_fixed": "the number of decks is another one",
    "inspect_due": "the cards have not been inspected",
    "no_burn": "no card has been burned",
    "no_burn_due": "no burn is due",
    "no_card_to_correct": "there is no card that can still be corrected",
    "no_dealer_error": "no dealer's error has been reported in this round",
    "no_hand": "there is no such hand in the round",
    "no_hand_due": "no card is due there",
    "no_idle_spread": "the cards do not lie spread",
    "no_incident": "nothing has been reported that could be put right",
    "no_marker": "a continuous shuffler takes no cutting card",
    "no_partnership": "a partnership is two players or more",
    "no_pre_shuffled_cards": "no cards that came shuffled are about to be used",
    "no_shuffler": "there is no shuffling machine",
    "no_such_batch": "there is no such batch",
    "not_reconstructed": "the cards do not come right that way",
    "not_the_last_card": "that is not where the last card was dealt",
    "nothing_to_settle": "there is nothing to settle now",
    "out_of_the_round": "the player is out of the round",
    "partnership_above_maximum": "players who bet together would exceed the maximum",
    "pay_table_due": "name the pay table of pairs that goes with that number of decks",
    "player_excluded": "the player is excluded from the game",
    "pre_load_due": "the cards have not been shuffled before they go into the machine",
    "reason_due": "give a reason",
    "reconstruct_instead": "the book has the cards put back where they belong: reconstruct",
    "result_known": "wagers have been settled on these cards",
    "ruling_due": "what was reported waits for a ruling",
    "same_card": "that is the card that was entered",
    "same_person": "two signatures are two persons",
    "second_signature_due": "it takes a second person's signature",
    "settlement_due": "wagers are still to be settled",
    "shuffle_step_missing": "the shuffle lacks a step that the book asks for",
    "spread_due": "the cards have not been spread for inspection",
    "step_done": "that has been done",
    "strip_too_early": "the cards have not been riffled often enough to be stripped",
    "swap_batch_due": "the batches have not been changed",
    "too_many_bettors": "the book does not allow so many bettors",
    "verify_due": "the inspection has not been verified",
    "wash_due": "the cards have not been washed",
    "wrong_number_of_decks": "the book does not allow that number of decks",
}
"""Why a command was refused, in words."""


BURNS = {
    "opening": "Opening burn",
    "opening_value": "Burned for the value of that card",
    "midround": "Burn of the new stack",
    "new_dealer": "New dealer's burn",
    "round": "Burn before the round",
    "war": "Burned before the war",
    "war_banker": "Burned before the bank's card",
}


def reason_in_words(reason: str) -> str:
    return REASONS.get(reason, reason.replace("_", " "))


def limit_in_words(limit: Limit) -> str:
    top = f"to {limit.maximum:,}" if limit.maximum is not None else "or more"
    return f"{limit.minimum:,} {top}" + (f" in units of {limit.unit:,}" if limit.unit > 1 else "")


def signed(amount: int) -> str:
    return f"{amount:+,}" if amount else "0"


def listed(names: Iterable[str]) -> str:
    *most, last = [plain(name) for name in names] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


PREPARED = {
    "inspect": "The decks are sorted and checked",
    "verify": "The inspection is verified",
    "spread": "The cards are spread for inspection",
    "wash": "The cards are washed and stacked",
    "pre_load": "Before they go into the machine the cards are taken through",
    "shuffle": "The cards are shuffled",
    "swap_batch": "The used batch goes into the shuffler, and the other comes out",
}
"""What is done with cards on their way into the shoe."""


def words(name: str) -> str:
    return name.replace("_", " ")


def plain(name: str) -> str:
    """A name that cannot break the line or steer the terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in name)


def cite(clauses: Iterable[str]) -> str:
    ids = ", ".join(dict.fromkeys(clauses))
    return f" [{ids}]" if ids else ""


def place(box: int, dealer: str) -> str:
    return f"box {box}" if box else dealer


def rack(hands: Iterable[tuple[int, tuple[Card, ...]]], dealer: str) -> str:
    return ", ".join(f"{place(box, dealer)} {' '.join(cards)}" for box, cards in hands)
