"""Refusals in words: every reason of the engine and of the live table, and whether it rests on a rule of a book."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from casinowar.engine import Refusal
from casinowar.engine.commands import Limit
from casinowar.engine.roles import takes_words
from casinowar.protocol import Refused
from casinowar.rulebooks import SILENT, Rulebook
from casinowar.words.phrases import cite, words

HOUSE: Literal["house"] = "house"


class Reason(NamedTuple):
    """Why a command is refused.

    `says` speaks of the player, to whoever deals or reads. `live` speaks to the player and to staff alike, where that
    takes other words. `you` is a whole sentence to the player at a terminal.
    `rests_on` the house means that no rule of a book is applied: the person, the purse or the program stands in the
    way, and no clause is missing.
    """

    says: str
    rests_on: Literal["book", "house"] = "book"
    live: str = ""
    you: str = ""


REASONS = {
    "amount_not_positive": Reason("the amount is not above zero", HOUSE, you="That is no amount: 1 chip at least."),
    "another_card_next": Reason("another card lies next, and its face was seen"),
    "area_above_maximum": Reason("the wagers on the area would exceed its maximum"),
    "area_full": Reason("the area has all the bettors it may have"),
    "area_maximum_above_table_maximum": Reason("the area's maximum is above the table's"),
    "area_reserved": Reason("the last place on the area is kept for a player with first right to it"),
    "away_from_play": Reason("you have taken a break that is not over yet", HOUSE),
    "bank_below_minimum": Reason("the bank's stake is below the least at this table", HOUSE),
    "bank_box": Reason("the box is the bank's"),
    "bank_in_play": Reason(
        "this player banks the round and keeps the seat", live="whoever banks the round keeps the seat"
    ),
    "bank_may_not_bet": Reason("the bank may not bet against itself"),
    "bank_may_stay": Reason("the bank has not been held as long as it may be"),
    "bank_must_pass": Reason("the bank has been held as long as it may be and passes on"),
    "bank_not_offered": Reason("the bank is offered to another player first"),
    "bank_not_optional": Reason("the bank may not be declined"),
    "bank_taken": Reason("the bank is taken"),
    "betting_begun": Reason("wagers already lie on the layout"),
    "betting_closed": Reason("betting is closed"),
    "box_taken": Reason("another player has the box", you="Somebody else plays that box."),
    "burn_sealed": Reason("the burned card is shown to nobody"),
    "by_is_the_servers": Reason("who acts is for the server to say: leave out `by` and `second`", HOUSE),
    "call_taken": Reason("somebody is coming already", HOUSE),
    "called_already": Reason("the floor has been called already", HOUSE),
    "called_wager": Reason("wagers are not taken by call"),
    "card_exhausted": Reason("the decks hold no more of that card"),
    "card_unseen": Reason("the face of the card that is due is not known", HOUSE),
    "cards_are_sealed": Reason(
        "the cards of this table come from a sealed shoe, so that nobody deals them by hand", HOUSE
    ),
    "cards_due": Reason("no card was given for what is due", HOUSE),
    "chips_are_kept": Reason(
        "a void waits for its second signature, and what it would take stays here until it is answered", HOUSE
    ),
    "chips_gone": Reason("somebody has left with the chips that would have to come back", HOUSE),
    "consent_missing": Reason("not everybody at the table agrees"),
    "continuous_shuffler": Reason("a continuous shuffler is in use"),
    "coupon_above_wager": Reason("the coupon is worth more than the wager beside it"),
    "coupon_not_taken": Reason("coupons are not taken there"),
    "cut_due": Reason("the cards have not been cut"),
    "cut_out_of_bounds": Reason(
        "the cut is too near to an end of the stack", you="The cut must be {least_cut} to {most_cut} cards deep."
    ),
    "dealer_is_automatic": Reason("this table has an automatic dealer", HOUSE),
    "decision_open": Reason("a player has yet to choose between war and surrender"),
    "decks_fixed": Reason("the number of decks is another one"),
    "draining": Reason("the server is closing down", HOUSE),
    "entropy_refused": Reason("that is not what was promised, or this seat has contributed already", HOUSE),
    "house_cannot_bank": Reason("the house may not bank"),
    "id_reused": Reason(
        "the id was used before: what it was used for is done; only another command needs a new id", HOUSE
    ),
    "initial_required": Reason(
        "the opening wager must come first", you="That wager needs a {initial} wager beside it."
    ),
    "inspect_due": Reason("the cards have not been inspected"),
    "insufficient_funds": Reason(
        "the player's chips do not cover it",
        HOUSE,
        live="there are not chips enough for it",
        you="You do not have that many chips.",
    ),
    "loss_limit": Reason("it could exceed the loss limit that you have set for today", HOUSE),
    "malformed_command": Reason("the command cannot be read", HOUSE),
    "marker_due": Reason("the cutting card has not been put into the stack"),
    "marker_moved": Reason("the cutting card does not lie where it was put"),
    "marker_out_of_bounds": Reason("the cutting card lies where it may not"),
    "name_taken": Reason("no player can go by that name", HOUSE),
    "no_bank": Reason("nobody has taken the bank", you="Nobody has taken the bank."),
    "no_burn": Reason("no card has been burned"),
    "no_burn_due": Reason("no burn is due"),
    "no_call": Reason("nobody has called the floor here", HOUSE),
    "no_card_to_correct": Reason("there is no card that can still be corrected", HOUSE),
    "no_cards": Reason("no card is left in the shoe"),
    "no_cut": Reason("no cut is due"),
    "no_dealer_error": Reason("no dealer's error has been reported in this round"),
    "no_decision": Reason("this player is not being asked for a decision", live="no decision is asked for there"),
    "no_entropy_now": Reason("no entropy is taken at this moment", HOUSE),
    "no_grant": Reason("the player holds no grant", live="there is no grant of several boxes"),
    "no_hand": Reason("there is no such hand in the round"),
    "no_hand_due": Reason("no card is due there"),
    "no_idle_spread": Reason("the cards do not lie spread"),
    "no_incident": Reason("nothing has been reported that could be put right"),
    "no_limits": Reason("those are no limits at which anybody could bet", HOUSE),
    "no_marker": Reason("a continuous shuffler takes no cutting card"),
    "no_match": Reason("the bank has nothing left to match a war", you="The bank has nothing left to match your war."),
    "no_partnership": Reason("a partnership is two players or more"),
    "no_pre_shuffled_cards": Reason("no cards that came shuffled are about to be used"),
    "no_round": Reason("there is no round to act on"),
    "no_shoe": Reason("a shuffle is due and the record holds no further shoe"),
    "no_shuffle_due": Reason("no shuffle is due"),
    "no_shuffler": Reason("there is no shuffling machine"),
    "no_such_batch": Reason("there is no such batch"),
    "no_such_request": Reason("nothing waits for a second signature under that name", HOUSE),
    "no_such_table": Reason("there is no such table", HOUSE),
    "no_wager": Reason("there is no such wager on the table", HOUSE),
    "no_war_wager": Reason("there is no war wager for it to go with"),
    "not_allowed": Reason("your account does not have that role", HOUSE),
    "not_asked_yet": Reason("another player is asked first"),
    "not_by_hand": Reason("the server does that by itself", HOUSE),
    "not_entitled": Reason("whoever acts is not entitled to", HOUSE),
    "not_in_the_book": Reason("the rulebook does not provide for it", HOUSE),
    "not_reconstructed": Reason("the cards do not come right that way"),
    "not_seated": Reason("the player has no seat", HOUSE, live="that takes a seat at the table"),
    "not_stopped": Reason("the table is not stopped", HOUSE),
    "not_the_bank": Reason("the player does not hold the bank", live="that is for whoever holds the bank"),
    "not_the_cutter": Reason("the cut is another person's"),
    "not_the_last_card": Reason("that is not where the last card was dealt"),
    "not_waiting": Reason("you do not wait for a seat here", HOUSE),
    "not_watching": Reason("whoever waits for a seat looks at the table: watch it first", HOUSE),
    "not_written": Reason("the store did not take it: try again", HOUSE),
    "nothing_due": Reason("there is no next step to take now", HOUSE),
    "nothing_to_settle": Reason("there is nothing to settle now"),
    "notice_too_short": Reason("the notice has not stood long enough"),
    "out_of_service": Reason("the server has stopped taking commands: its storage failed", HOUSE),
    "out_of_the_round": Reason("the player is out of the round", live="whoever's wagers are void is out of the round"),
    "own_purse": Reason("nobody funds their own purse: ask another operator", HOUSE),
    "partnership_above_maximum": Reason("players who bet together would exceed the maximum"),
    "pay_table_due": Reason("name the pay table of pairs that goes with that number of decks"),
    "place_is_kept": Reason("the last place on this box is kept for whoever sits there", HOUSE),
    "player_above_maximum": Reason(
        "the player's wagers on the box would exceed the maximum",
        live="the wagers of one player on the box would exceed the maximum",
    ),
    "player_excluded": Reason(
        "the player is excluded from the game", live="whoever is excluded from the game takes no part in it"
    ),
    "players_present": Reason("there are players at the table"),
    "plays_here": Reason(
        "you play at this table, so that you are not its staff before its next round without you", HOUSE
    ),
    "pre_load_due": Reason("the cards have not been shuffled before they go into the machine"),
    "purse_full": Reason("the purse would hold more than can be counted", HOUSE),
    "purse_not_low": Reason("there is still enough in the purse", HOUSE),
    "reason_due": Reason("give a reason", HOUSE, live="staff must give a reason of 3 to 200 printable characters"),
    "reconstruct_instead": Reason("the book has the cards put back where they belong: reconstruct"),
    "result_known": Reason("wagers have been settled on these cards"),
    "round_in_progress": Reason("a round is in progress"),
    "ruling_due": Reason("what was reported waits for a ruling"),
    "same_card": Reason("that is the card that was entered", HOUSE),
    "same_person": Reason("two signatures are two persons", HOUSE),
    "seat_is_free": Reason("there is a free seat: take it", HOUSE),
    "seat_is_kept": Reason("the free seat is kept for somebody who has waited: wait in line for the next", HOUSE),
    "seat_taken": Reason("another player has the seat", HOUSE),
    "seated_already": Reason("you have a seat here", HOUSE),
    "second_signature_due": Reason("it takes a second person's signature"),
    "settlement_due": Reason("wagers are still to be settled"),
    "shoe_is_short": Reason("the shoe cannot be refilled in the middle of a round"),
    "shoe_not_ready": Reason("the shoe is still being sealed", HOUSE),
    "shuffle_due": Reason("a shuffle is due first"),
    "shuffle_step_missing": Reason("the shuffle lacks a step that the book asks for"),
    "spread_due": Reason("the cards have not been spread for inspection"),
    "stale": Reason("the table has moved on: look again", HOUSE),
    "step_done": Reason("that has been done"),
    "strip_too_early": Reason("the cards have not been riffled often enough to be stripped"),
    "swap_batch_due": Reason("the batches have not been changed"),
    "table_closed": Reason("the table is closed", HOUSE),
    "table_is_open": Reason("the table is already open", HOUSE),
    "table_not_vacant": Reason("the table was not vacant"),
    "table_refused": Reason("table refused", HOUSE),
    "table_stopped": Reason("the table is stopped until staff have looked into its accounts", HOUSE),
    "time_limit": Reason("the time that you have set for today is over", HOUSE),
    "too_few_seated": Reason("too few players are seated"),
    "too_many_bettors": Reason("the book does not allow so many bettors"),
    "too_many_boxes": Reason(
        "the player may not bet on so many boxes", live="too many boxes", you="You may not play more boxes than that."
    ),
    "too_many_cards": Reason("more cards were given than are due", HOUSE),
    "too_many_requests": Reason("as many things wait for a signature here as can", HOUSE),
    "too_many_seats": Reason(
        "your network has as many seats as this house gives one network; the host can start the house with --hall",
        HOUSE,
    ),
    "too_many_tables": Reason(
        "there are as many private tables as the house allows, or as many of yours or of your network", HOUSE
    ),
    "too_many_wait": Reason("as many wait for a seat here as can", HOUSE),
    "unknown_box": Reason("there is no such box", HOUSE, you="There is no such box."),
    "unknown_player": Reason("there is no such player", HOUSE),
    "unknown_version": Reason("the table has not been at that version yet", HOUSE),
    "verify_due": Reason("the inspection has not been verified"),
    "void_answered": Reason(
        "you asked for it in this round and nobody signed: somebody else of the floor has to ask", HOUSE
    ),
    "void_waits": Reason(
        "a void waits for its second signature, and nothing is bet or dealt until it is answered", HOUSE
    ),
    "wager_above_maximum": Reason("the wager is above the maximum", you="That is above the maximum of {maximum}."),
    "wager_below_minimum": Reason("the wager is below the minimum", you="That is below the minimum of {minimum}."),
    "wager_locked": Reason("the wager may no longer be touched"),
    "wager_not_offered": Reason("this wager is not offered", you="This table does not offer that wager."),
    "wager_odd": Reason(
        "the wager must be an even amount", you="That wager must be an even number, so that it can be halved."
    ),
    "wager_off_unit": Reason("the wager is not a multiple of the unit", you="{wager} goes in steps of {unit}."),
    "war_is_declared": Reason("a war wager is made by going to war"),
    "wash_due": Reason("the cards have not been washed"),
    "wrong_number_of_cards": Reason("the decks do not hold that many cards"),
    "wrong_number_of_decks": Reason("the book does not allow that number of decks"),
}


def reason_in_words(reason: str) -> str:
    return REASONS[reason].says if reason in REASONS else words(reason)


def is_silent_reason(reason: str, clauses: Sequence[str]) -> bool:
    """Whether a refusal applies a rule that the book does not have: a house default."""
    return not clauses and (reason not in REASONS or REASONS[reason].rests_on == "book")


def cite_refusal(refusal: Refusal) -> str:
    """The refusal's clauses, ` [NZ-9.1]`, or that the book is silent."""
    return f" [{SILENT}]" if is_silent_reason(refusal.reason, refusal.clauses) else cite(refusal.clauses)


def tell_refusal(rules: Rulebook, refusal: Refusal) -> str:
    """The refusal as a replay and the dealer's console tell it: `the wager is below the minimum [NZ-9.1]`."""
    takes = f": {takes_words(rules, refusal.takes)}" if refusal.takes else ""
    return f"{reason_in_words(refusal.reason)}{takes}{cite_refusal(refusal)}"


def refuse_player(rules: Rulebook, refusal: Refusal, limit: Limit, wager: str = "") -> str:
    """The refusal as a sentence to the player at a terminal. `wager` is the name of the wager."""
    known = REASONS.get(refusal.reason)
    says = (known and known.you) or f"No: {reason_in_words(refusal.reason)}."
    if refusal.takes:
        says = f"No: {takes_words(rules, refusal.takes)}."
    bounds = {"least_cut": rules.shoe.cut_depth, "most_cut": 52 * rules.shoe.decks - rules.shoe.cut_depth}
    limits = {"minimum": limit.minimum, "maximum": limit.maximum, "unit": limit.unit}
    says = says.format(**limits, **bounds, initial=rules.names.initial, wager=wager or rules.names.initial)
    return says + cite_refusal(refusal)


def live_reason(reason: str) -> str:
    """The reason as a live table tells it to the player and to staff."""
    return (reason in REASONS and REASONS[reason].live) or reason_in_words(reason)


def refused(id: str, refusal: Refusal, request: str | None = None, detail: str = "") -> Refused:
    """The answer of a live table to the command of that id, with a stable code and a line for people."""
    says = live_reason(refusal.reason)
    says += f" ({SILENT})" if is_silent_reason(refusal.reason, refusal.clauses) else ""
    return Refused(id, refusal.reason, f"{says}: {detail}" if detail else says, refusal.clauses, request)
