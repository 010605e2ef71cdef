"""Refusals of the live table: the engine's reasons and its own, each with a stable code and a line for people."""

from casinowar.engine import Refusal
from casinowar.protocol.frames import Refused
from casinowar.rulebooks import SILENT
from casinowar.words.phrases import reason_in_words
from casinowar.words.silence import is_silent_refusal

REASONS = {
    "bank_below_minimum": "the bank's stake is below the least at this table",
    "bank_in_play": "whoever banks the round keeps the seat",
    "insufficient_funds": "there are not chips enough for it",
    "no_decision": "no decision is asked for there",
    "no_grant": "there is no grant of several boxes",
    "not_seated": "that takes a seat at the table",
    "not_the_bank": "that is for whoever holds the bank",
    "out_of_the_round": "whoever's wagers are void is out of the round",
    "player_above_maximum": "the wagers of one player on the box would exceed the maximum",
    "player_excluded": "whoever is excluded from the game takes no part in it",
    "too_many_boxes": "too many boxes",
    "away_from_play": "you have taken a break that is not over yet",
    "by_is_the_servers": "who acts is for the server to say: leave out `by` and `second`",
    "call_taken": "somebody is coming already",
    "called_already": "the floor has been called already",
    "cards_are_sealed": "the cards of this table come from a sealed shoe, so that nobody deals them by hand",
    "chips_are_kept": "a void waits for its second signature, and what it would take stays here until it is answered",
    "dealer_is_automatic": "this table has an automatic dealer",
    "entropy_refused": "that is not what was promised, or this seat has contributed already",
    "id_reused": "the id was used before: what it was used for is done; only another command needs a new id",
    "loss_limit": "it could exceed the loss limit that you have set for today",
    "malformed_command": "the command cannot be read",
    "no_call": "nobody has called the floor here",
    "no_entropy_now": "no entropy is taken at this moment",
    "no_such_request": "nothing waits for a second signature under that name",
    "no_such_table": "there is no such table",
    "not_allowed": "your account does not have that role",
    "not_by_hand": "the server does that by itself",
    "not_stopped": "the table is not stopped",
    "not_waiting": "you do not wait for a seat here",
    "not_watching": "whoever waits for a seat looks at the table: watch it first",
    "not_written": "the store did not take it: try again",
    "nothing_due": "there is no next step to take now",
    "own_purse": "nobody funds their own purse: ask another operator",
    "out_of_service": "the server has stopped taking commands: its storage failed",
    "draining": "the server is closing down",
    "plays_here": "you play at this table, so that you are not its staff before its next round without you",
    "purse_full": "the purse would hold more than can be counted",
    "purse_not_low": "there is still enough in the purse",
    "reason_due": "staff must give a reason of 3 to 200 printable characters",
    "seat_is_free": "there is a free seat: take it",
    "place_is_kept": "the last place on this box is kept for whoever sits there",
    "seat_is_kept": "the free seat is kept for somebody who has waited: wait in line for the next",
    "seated_already": "you have a seat here",
    "shoe_not_ready": "the shoe is still being sealed",
    "stale": "the table has moved on: look again",
    "table_stopped": "the table is stopped until staff have looked into its accounts",
    "time_limit": "the time that you have set for today is over",
    "too_many_seats": "your network has as many seats as this house gives one network; "
    "the host can start the house with --hall",
    "too_many_tables": "there are as many private tables as the house allows, or as many of yours or of your network",
    "too_many_wait": "as many wait for a seat here as can",
    "too_many_requests": "as many things wait for a signature here as can",
    "unknown_version": "the table has not been at that version yet",
    "void_answered": "you asked for it in this round and nobody signed: somebody else of the floor has to ask",
    "void_waits": "a void waits for its second signature, and nothing is bet or dealt until it is answered",
}
"""Of reasons that are the engine's too, these lines speak as well to the player as to staff."""


def refused(id: str, refusal: Refusal, request: str | None = None, detail: str = "") -> Refused:
    says = REASONS.get(refusal.reason) or reason_in_words(refusal.reason)
    says += f" ({SILENT})" if is_silent_refusal(refusal) else ""
    return Refused(id, refusal.reason, f"{says}: {detail}" if detail else says, refusal.clauses, request)
