"""The account of the leaves: which of them the kernel plays, and why no count can hang on the others.

A leaf that is in neither list is refused, and so is a value that the kernel does not play.
"""

from collections.abc import Iterator

from casinowar.rulebooks import Rulebook

PLAYED = frozenset(
    {
        "cards.ranks",
        "table.boxes",
        "wager.tie",
        "wager.war_tie",
        "wager.a_bomb",
        "wager.perfect_pairs",
        "wager.war_perfect_pairs",
        "wager.progressive",
        "wager.tie_only",
        "limits.require_even",
        "limits.area_total_max",
        "limits.player_box_max",
        "deal.first",
        "deal.war",
        "deal.to",
        "deal.dealer",
        "deal.war_dealer",
        "settle.first",
        "settle.war",
        "decision.timing",
        "decision.order",
        "surrender.forfeit",
        "surrender.odd_unit",
        "war.stake",
        "war.burn",
        "war.method",
        "war.burn_before_banker",
        "shoe.decks",
        "shoe.shuffler",
        "shoe.marker_from_back",
        "shoe.initial_burn",
        "shoe.round_burn",
        "shoe.cut_first_card",
        "shoe.cut_mid_round",
        "shoe.short",
        "shoe.short_discharges",
        "shoe.midround_burn",
        "shoe.loaded",
        "shoe.burn_value",
        "shoe.reshuffle",
        "open.shuffle",
        "discard.timing",
        "perfect_pairs.table",
        "payout.war_odds",
        "bank.by",
        "bank.max_consecutive",
        "bank.rotation",
        "bank.model",
        "bank.after_exhaustion",
        "bank.least_seated",
        "progressive.unit",
        "progressive.seed",
        "progressive.increment_bp",
        "progressive.meter_share",
        "progressive.envy",
        "progressive.stake_returned",
        "progressive.suited_four",
        "progressive.suited_double",
        "progressive.lines",
        "progressive.on_surrender",
        "progressive.hitters",
    }
)
"""Leaves that the kernel plays, or that say which plans are refused; every leaf of `payout` is one too."""

NO_PERSON = "it says who does something, and a simulation has no persons"
NO_FAULT = "nothing goes wrong in a simulation"
ONE_EACH = "each box has one player, who has no other"
STAKES = "stakes are the plan's, and there is no limit"
CUTTER = "every order of the cards is equally likely, whoever cuts and however deep"
HANDLING = "every order of the cards is equally likely, however they were brought to it"

NO_MATTER = {
    "authority": NO_PERSON,
    "roles": NO_PERSON,
    "names": "it is a name on the layout",
    "sign": "it is what a sign says",
    "notice": "limits and decks stay as they are while a table is simulated",
    "seat": "nobody leaves a seat",
    "irreg": NO_FAULT,
    "ma": NO_FAULT,
    "priority": ONE_EACH,
    "open": HANDLING,
    "cards.provenance": HANDLING,
    "cards.approval_ref": "it is a reference",
    "table.bettors_per_area": ONE_EACH,
    "table.bettors_counted_by": ONE_EACH,
    "table.backline": ONE_EACH,
    "table.multi_box": ONE_EACH,
    "table.max_boxes_per_player": ONE_EACH,
    "table.present": "limits stay as they are",
    "limits.on_under_min": STAKES,
    "limits.on_over_max": STAKES,
    "limits.on_off_unit": STAKES,
    "limits.change": STAKES,
    "limits.unit_from": STAKES,
    "limits.area_total_scope": "a total above area_total_max is refused for either scope",
    "limits.linked_players": ONE_EACH,
    "limits.partnership": ONE_EACH,
    "wager.called": "wagers lie there, however they came",
    "wager.locked": "nobody changes a wager",
    "wager.match_play": "nobody has a coupon",
    "betting.opens": "wagers lie there before the first card",
    "betting.closes": "wagers lie there before the first card",
    "war.burn_place": "burned cards stay out of play until the next shuffle wherever they lie",
    "war.exempt": STAKES,
    "shoe.batches": "every stack is a full one, shuffled anew",
    "shoe.continuous_sets": "every stack is a full one, shuffled anew",
    "shoe.cut_cards": "where the cutting card lies is marker_from_back",
    "shoe.cut_offered": CUTTER,
    "shoe.cut_by": CUTTER,
    "shoe.cut_depth": CUTTER,
    "shoe.cutter_start": CUTTER,
    "shoe.cutter_rule": CUTTER,
    "shoe.cutter_dealer_hand": CUTTER,
    "shoe.cutter_otherwise": CUTTER,
    "shoe.cut_pass_direction": CUTTER,
    "shoe.cut_last": CUTTER,
    "shoe.new_dealer_burn": "the dealer does not change",
    "shoe.discretion": "nobody orders a shuffle",
    "shoe.end_cover": "it covers the last card and moves none",
    "shoe.shuffle_steps": HANDLING,
    "shoe.riffles_before_strip": HANDLING,
    "discard.order": "the rack is shuffled before it is dealt from again",
    "burn.visibility": "who counts sees the cards that are turned up, and no burned one that lies face down",
    "burn.due": "the same cards are burned before the wagers as after them; a marker among them is refused",
    "bank.optional": "every player takes the bank in turn",
    "progressive.envy_base": "everybody's stake is the same",
}
"""Leaves, or groups of them, that no count can hang on, each with the reason."""


def reason(key: str) -> str | None:
    """Why no count can hang on a leaf; none where the kernel plays it, or does not know it."""
    if is_played(key):
        return None
    return NO_MATTER.get(key) or NO_MATTER.get(key.partition(".")[0])


def is_played(key: str) -> bool:
    return key in PLAYED or (key.startswith("payout.") and key.count(".") == 2)


def has_cutting_card(rules: Rulebook) -> bool:
    """Whether a cutting card lies in the stack; rules without the leaf go by the shuffler."""
    return rules.shoe.loaded == "marked" if "shoe.loaded" in rules.leaves else rules.shoe.shuffler != "continuous"


def unplayed(rules: Rulebook) -> Iterator[str]:
    """What of a rulebook the kernel does not play, leaf by leaf."""
    for key in rules.leaves:
        if not is_played(key) and reason(key) is None:
            yield f"{key}: the simulation does not know this leaf"
    for key, value, told in _values(rules):
        yield f"{key} = {value}: {told}"


def _values(rules: Rulebook) -> Iterator[tuple[str, object, str]]:
    """Leaves whose value is not played, with why."""
    shoe = rules.shoe
    if shoe.shuffler == "manual" and not shoe.reshuffle:
        yield "shoe.reshuffle", "false", "the simulation shuffles every stack"
    if shoe.shuffler == "manual" and not rules.open.shuffle:
        yield "open.shuffle", "false", "the simulation shuffles every stack"
    if shoe.round_burn > 1:
        # A cutting card between two burns calls for a shuffle at once or after the round, by how the cards are brought
        # to the engine: together or one by one. The kernel has no such difference, and no book two burns.
        yield "shoe.round_burn", shoe.round_burn, "the simulation burns at most one card before a round"
    if has_cutting_card(rules) and shoe.shuffler == "continuous":
        yield "shoe.loaded", shoe.loaded, "a continuous shuffler has no cutting card"
    if rules.bank.by == "player" and rules.decision.timing == "in_pass":
        yield "decision.timing", "in_pass", "the simulation asks after the pass where a player banks"
    if rules.bank.by == "player" and rules.wager.progressive:
        yield "wager.progressive", "true", "a player's bank does not fund a meter"
