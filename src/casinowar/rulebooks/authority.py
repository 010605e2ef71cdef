"""Authority: what a book calls each role of staff, and which role each of their commands takes.

The defaults are those of books that were stored before they named them. A book has a leaf for what one of its clauses
leaves to somebody; of everything else the default here is the house's own.
"""

from typing import Literal

import msgspec

Staff = Literal["dealer", "supervisor", "manager", "operator"]
"""From the lowest to the highest."""


class RoleNames(msgspec.Struct, frozen=True, kw_only=True):
    """What the book calls each role."""

    dealer: str = "dealer"
    supervisor: str = "supervisor"
    manager: str = "manager"
    operator: str = "operator"


class AuthorityRules(msgspec.Struct, frozen=True, kw_only=True):
    """The least role for each command of staff. Where cases of one command are named apart, each has its own field.

    With `higher` a higher role may do what a lower one may. Without it the dealer's own acts are the dealer's alone,
    and the surrender for a player is the supervisor's alone.
    """

    higher: bool = False

    open_betting: Staff = "dealer"
    called_wager: Staff = "dealer"
    no_more_bets: Staff = "dealer"
    deal: Staff = "dealer"
    settle: Staff = "dealer"
    end_round: Staff = "dealer"
    confirm_war_wager: Staff = "dealer"
    correct_card: Staff = "dealer"
    show_cut_card: Staff = "dealer"
    offer_bank: Staff = "dealer"
    rotate_bank: Staff = "dealer"
    surrender: Staff = "supervisor"

    inspect_cards: Staff = "dealer"
    inspect_cards_second: Staff = "supervisor"
    verify_cards: Staff = "supervisor"
    spread_for_inspection: Staff = "dealer"
    wash: Staff = "dealer"
    shuffle: Staff = "dealer"
    swap_batch: Staff = "dealer"
    offer_cut: Staff = "dealer"
    cut: Staff = "dealer"
    decline_cut: Staff = "dealer"
    place_marker: Staff = "dealer"
    load_shoe: Staff = "dealer"
    initial_burn: Staff = "dealer"
    idle_spread: Staff = "dealer"
    change_dealer: Staff = "dealer"
    shuffle_vacant: Staff = "supervisor"
    shuffle_suspect: Staff = "supervisor"
    shuffle_discretion: Staff = "supervisor"
    replace_cards: Staff = "operator"
    replace_damaged: Staff = "operator"

    open_table: Staff = "operator"
    resume_table: Staff = "operator"
    buy_in: Staff = "supervisor"
    seat_player: Staff = "supervisor"
    vacate_seat: Staff = "supervisor"
    grant_multi_box: Staff = "supervisor"
    revoke_multi_box: Staff = "supervisor"
    set_bettors_per_area: Staff = "supervisor"
    direct_box_max: Staff = "supervisor"
    direct_player_max: Staff = "supervisor"
    tick: Staff = "dealer"
    announce_limits: Staff = "supervisor"
    change_limits: Staff = "supervisor"
    announce_decks: Staff = "supervisor"
    announce_closing: Staff = "supervisor"
    close_table: Staff = "dealer"

    report_face_up_card: Staff = "dealer"
    report_extra_draw: Staff = "dealer"
    report_misdelivered: Staff = "dealer"
    report_missed_hand: Staff = "dealer"
    report_missed_offer: Staff = "dealer"
    report_forgotten_burn: Staff = "dealer"
    report_missing_cut_card: Staff = "dealer"
    report_missed_shuffle: Staff = "dealer"
    report_exposed_before_shoe: Staff = "dealer"
    report_damaged_card: Staff = "dealer"
    report_wager: Staff = "dealer"
    report_contravention: Staff = "dealer"
    report_shuffler_fault: Staff = "supervisor"
    shuffler_fault_void: Staff = "supervisor"

    reconstruct: Staff = "supervisor"
    void_hand: Staff = "supervisor"
    void_player: Staff = "supervisor"
    void_round: Staff = "supervisor"
    invalidate_disruption: Staff = "operator"
    invalidate_fraud: Staff = "operator"
    release_players: Staff = "supervisor"
    rule: Staff = "supervisor"
    rule_void: Staff = "supervisor"
    exclude_player: Staff = "supervisor"
    flag_partnership: Staff = "supervisor"
