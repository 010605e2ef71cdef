"""The words for each value of a leaf that decides an incident: the ruling, the cards, the wagers, and the acts.

Every told ruling comes from this table. A topic is a leaf, with a part after `/` where the same leaf decides something
else as well.
"""

import msgspec

from casinowar.engine.roles import FLOOR

STAND = "Stand."
PLAY_ON = "Play on."
REVERSED = "Reversed: what was won is taken back, and every stake goes back, lost ones too."

_SCOPE = "irreg.void_scope/without_declaration"
"""For hands that are void by a report or by a ruling: nobody has to declare them so."""


class Words(msgspec.Struct, frozen=True):
    """The words for one value of a leaf. `then` are topics that follow from it, `by` the roles where they are fewer.

    `rulings` are the actions that a `rule` may have here, where they are fewer.
    `variants` has the ruling of books whose clause says more, or less, than the value does.
    """

    ruling: str = ""
    cards: str = ""
    open: str = ""
    settled: str = ""
    acts: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    variants: tuple[tuple[str, str], ...] = ()


def _waits(*acts: str, cards: str = "Stay where they are until the ruling.") -> Words:
    return Words(
        "It waits for a ruling: until then no card is dealt and nothing is settled.",
        cards,
        "Wait for the ruling.",
        "Stand, unless the round is ruled void.",
        (*acts, "rule"),
        ("irreg.arbiter", _SCOPE),
    )


def _silent(ruling: str) -> Words:
    """The book has no rule: what is left is the last word of whoever has it."""
    return Words(ruling, "As ruled.", "As ruled.", "As ruled.", ("rule",))


def _chosen(ruling: str, cards: str) -> Words:
    """A card drawn in error that goes where the book has it, unless whoever rules chooses another place."""
    return Words(ruling, cards, acts=("report_extra_draw",))


def _limits(ruling: str, by: tuple[str, ...] = ()) -> Words:
    return Words(ruling, acts=("report_wager",), by=by, then=("irreg.wrong_wager_until",))


_VOID = {
    "open": Words(
        "Of a void hand, open wagers go back and settled ones stand.",
        "Those of a void hand go to the discard rack.",
        "Those on the hand go back.",
        "Stand; of a void hand, reversed only where `void_hand` says `decided`.",
    ),
    "all": Words(
        "Of a void hand, every wager goes back, settled ones too.",
        "Those of a void hand go to the discard rack.",
        "Those on the hand go back.",
        f"Of a void hand: {REVERSED[0].lower()}{REVERSED[1:]}",
    ),
}

_REBUILT = "Play on as rebuilt; those on a hand that is void go back."

WORDS: dict[str, dict[str, Words]] = {
    "irreg.face_up": {
        "discard": Words(
            "The card is not used, and the next card takes its place.",
            "It goes to the discard rack.",
            acts=("report_face_up_card",),
        ),
        "use": Words(
            "The card is used as the next card.",
            "It is dealt where a card is due; if this round needs none, it goes to the discard rack.",
            acts=("report_face_up_card",),
        ),
    },
    "irreg.multi_face_up": {
        "discard_each": Words(
            "None of the cards is used, and the next one takes its place; more than one has no further consequence.",
            "Each goes to the discard rack.",
            acts=("report_face_up_card",),
        ),
        "void_all_reshuffle": Words(
            "With the second one all hands of the round are void, and the cards are shuffled again.",
            "The hands go to the discard rack with the cards that lay face up; all are shuffled before the next round.",
            "All go back.",
            REVERSED,
            ("report_face_up_card",),
            ("ma.face_up_scope",),
        ),
        "pit_boss": _waits("report_face_up_card", cards="Each goes to the discard rack; the hands wait."),
    },
    "ma.face_up_scope": {
        "round": Words("They are counted within one round."),
        "shoe": Words("They are counted over the whole shoe."),
    },
    "irreg.unexposed_extra": {
        "next_card": Words(
            "Nobody saw its face: the card is used as the next card.",
            "It is the next card of the shoe.",
            acts=("report_extra_draw",),
        ),
        "discard": Words("The card is not used.", "It goes to the discard rack unseen.", acts=("report_extra_draw",)),
    },
    "irreg.exposed_extra": {
        "discard": Words(
            "Its face was seen: the card is not used, and where one is due another is drawn.",
            "It goes to the discard rack.",
            acts=("report_extra_draw",),
        ),
        "use_if_needed_else_burn": Words(
            "The card is used as the next card although its face was seen; if the round needs no more, it is burned.",
            "It is the next card of the shoe, or goes to the discard rack at the end of the round.",
            acts=("report_extra_draw",),
        ),
        "burn": _chosen(
            "The card is burned, unless it is ruled to go forward or to be the dealer's next card.",
            "It goes to the discard rack, to the next hand that is due one, or to the dealer.",
        ),
        "forward": _chosen(
            "The card goes forward as the next card, unless it is ruled to be burned or to be the dealer's next card.",
            "It goes to the next hand that is due one, to the dealer, or to the discard rack.",
        ),
        "dealer_next": _chosen(
            "The card is the dealer's next card, unless it is ruled to go forward or to be burned.",
            "It goes to the dealer, to the next hand that is due one, or to the discard rack.",
        ),
    },
    "irreg.exposed_between": {
        "burn": Words("Between rounds it is burned: nobody may bet on a card that lies open."),
        "as_extra": Words("Between rounds it is dealt with in the same way."),
    },
    "irreg.misdealt": {
        "reconstruct_else_void": Words(
            "The deal is rebuilt as it would be without the error. A hand that cannot be rebuilt is void.",
            "They go where they would lie, who lacks one is dealt it in order, and what is left over goes to the "
            "discard rack.",
            _REBUILT,
            acts=("reconstruct", "void_hand"),
            then=("irreg.void_scope",),
            variants=(
                (
                    "NZ-9.4-ii",
                    "The deal is rebuilt as it would be without the error, and everybody abides by it. A hand that "
                    "cannot be rebuilt is void; hands dealt after the error stand.",
                ),
                (
                    "WA-5.4-i",
                    "The hand is rebuilt as it would be without the error. If every effort fails, the {operator} may "
                    "have it declared void.",
                ),
            ),
        ),
        "forward_only": Words(
            "No card goes backwards: it goes on to the next hand that is due one, is the dealer's next card, or is "
            "burned.",
            "The card goes where it is ruled to, and the place where it lay is due a card again.",
            acts=("report_misdelivered",),
        ),
        "pit_boss": _waits("report_misdelivered"),
        "floor_ruling": _waits("report_misdelivered"),
    },
    "irreg.release": {
        "on": Words(
            "Players may be let out of the hand for the dealer's error.",
            open="Play on; those of players who are let out go back.",
            acts=("release_players",),
            then=(_SCOPE,),
        ),
        "off": Words("The book does not speak of letting players out of the hand."),
    },
    "irreg.missed_hand": {
        "reconstruct_else_void": Words(
            "The hand gets its card in the order of the deal, as if it had not been passed over. If that cannot be "
            "done, it is void.",
            "The next card is the missed hand's; cards that lie wrong already are moved.",
            _REBUILT,
            acts=("report_missed_hand", "reconstruct", "void_hand"),
            then=("irreg.void_scope",),
            variants=(
                (
                    "WA-5.4-i",
                    "The hand gets its card in the order of the deal, as if it had not been passed over. If every "
                    "effort fails, the {operator} may have it declared void.",
                ),
            ),
        ),
        "void_refund": Words(
            "The hand is void, and the player is in again from the next round.",
            "The hand gets none; nobody else's is moved.",
            "Those on the hand go back; the others play on.",
            acts=("report_missed_hand",),
            then=(_SCOPE,),
        ),
        "pit_boss": _waits("report_missed_hand"),
        "floor_ruling": _waits("report_missed_hand"),
    },
    "irreg.missed_war_hand": {
        "as_first_deal": Words("The same holds when the cards of a war are dealt."),
        "pit_boss": _waits(),
        "floor_ruling": Words(
            "When the cards of a war are dealt, no card comes until somebody has ruled.",
            acts=("rule",),
            then=("irreg.arbiter",),
        ),
    },
    "irreg.missed_offer": {
        "rewind": Words(
            "The player chooses now. Cards dealt meanwhile count as not drawn, although they were seen.",
            "They are the next cards of the shoe again, in their order.",
            "If the player was taken to war, that wager goes back until the choice is made.",
            acts=("report_missed_offer",),
        ),
        "discard": Words(
            "The player chooses now. Cards dealt meanwhile are out of play.",
            "They go to the discard rack, and others are dealt.",
            "If the player was taken to war, that wager goes back until the choice is made.",
            acts=("report_missed_offer",),
        ),
        "pit_boss": _waits("report_missed_offer"),
        "floor_ruling": _waits("report_missed_offer"),
    },
    "irreg.forgotten_burn": {
        "continue": Words(
            "The round goes on as if nothing had happened.",
            "The burn is left out, and the next card is dealt.",
            acts=("report_forgotten_burn",),
        ),
        "pit_boss": _waits("report_forgotten_burn"),
    },
    "irreg.missing_cut_card": {
        "reshuffle_at_end": Words(
            "The round is finished, and the cards are shuffled again after it.",
            "After the round all come out of the shoe, are shuffled, and get their cutting card.",
            acts=("report_missing_cut_card",),
        ),
        "pit_boss": _waits("report_missing_cut_card"),
    },
    "irreg.missed_shuffle": {
        "reshuffle_at_end": Words(
            "The round is finished, and the shuffle follows at once.",
            "They are shuffled before another round.",
            acts=("report_missed_shuffle",),
        ),
        "pit_boss": _waits("report_missed_shuffle"),
    },
    "shoe.shuffler": {
        "continuous": Words(
            "It cannot happen here: a continuous shuffler has no cutting card, and its shoe has no end.",
            "Discards go back into the shuffler after each round.",
        ),
    },
    "irreg.exposed_before_shoe": {
        "reshuffle": Words(
            "The stack is shuffled again before it goes into the shoe.",
            "All are shuffled again.",
            acts=("report_exposed_before_shoe",),
        ),
        "pit_boss": _waits("report_exposed_before_shoe"),
    },
    "irreg.damaged_card": {
        "replace_at_end": Words(
            "The round is finished with it; then another card like it takes its place.",
            "It is replaced when the round is over, or at once between rounds.",
            acts=("report_damaged_card",),
            variants=(("WA-2.7-i", "The round is finished with it; then another card like it may take its place."),),
        ),
        "pit_boss": _waits("report_damaged_card"),
    },
    "shoe.short": {
        "shuffle_discards": Words(
            "The discards are shuffled and cut, and the round is finished with them.",
            "Those on the layout stay; all in the discard rack are the shoe.",
            acts=("load_shoe", "deal"),
            then=("shoe.midround_burn", "shoe.short_discharges"),
        ),
        "pit_boss": Words(
            "It waits for a ruling: the discards are shuffled and cut and the round goes on, or the round is void.",
            "Those dealt stand; what is due waits.",
            "Wait for the ruling.",
            "Stand, unless the round is ruled void.",
            acts=("rule", "load_shoe", "deal"),
            rulings=("shuffle_discards", "void_round"),
            then=("irreg.arbiter", "shoe.midround_burn", "shoe.short_discharges"),
        ),
        "none": _silent("Nothing is shuffled within a round, so the round cannot be finished."),
    },
    "shoe.midround_burn": {
        "none": Words("There is no opening burn again."),
        "as_opening": Words("The opening burn is made again, if enough cards are left."),
    },
    "shoe.short_discharges": {
        "on": Words("The shuffle that a cutting card seen before had called for is done with it."),
        "off": Words("A cutting card seen before still calls for a shuffle after the round."),
    },
    "irreg.shuffler_fault": {
        "none": _silent("The book has no rule for the way in which this table shuffles (shoe.shuffler)."),
        "reshuffle": Words(
            "A stack that is being made is shuffled again.",
            "A shoe that is being dealt goes on.",
            acts=("report_shuffler_fault",),
        ),
        "reshuffle_void_hands": Words(
            "A stack that is being made is shuffled again; hands that the fault has touched may be void.",
            "A shoe that is being dealt goes on.",
            "Play on; those on the hands named go back.",
            acts=("report_shuffler_fault",),
            then=(_SCOPE,),
        ),
        "void_hands": Words(
            "The hands that the fault has touched may be declared void.",
            "The others stay.",
            "Those on the hands named go back; the others play on.",
            acts=("report_shuffler_fault",),
            then=(_SCOPE,),
        ),
        "void_round_or_hands": Words(
            "Case by case, the round is void, or the hands that the fault has touched.",
            "Without boxes named, all hands go to the discard rack.",
            "All go back, or those on the hands named.",
            "Reversed with the round; of a hand alone, as for every void hand.",
            ("report_shuffler_fault",),
            (_SCOPE,),
        ),
    },
    "irreg.wrong_wager": {
        "as_limited": _limits("Found after the deal, the dealer has it played as the limits allow."),
        "confirmed": _limits(
            "Found after the deal, it is played as the limits allow once the {supervisor} confirms it, and the player "
            "is told the limits.",
            FLOOR,
        ),
    },
    "irreg.wrong_wager_until": {
        "war": Words(settled="Stand: a wager already settled, or gone to war, is not changed."),
        "settlement": Words(
            "That holds throughout the round: a war wager is then cut to the same amount, and its rest goes back.",
            settled="Stand: a wager already settled is not changed.",
        ),
    },
    "limits.on_under_min": {
        "reject": Words("Seen when it is placed, it is refused."),
        "play_as_placed": Words(
            "Seen when it is placed, it is taken, and plays for what was placed. The player is told the limits."
        ),
        "honour_once_then_reject": Words(
            "Seen when it is placed, a player's first is honoured with a reminder of the limits, and any other refused."
        ),
    },
    "limits.on_over_max": {
        "reject": Words("Seen when it is placed, it is refused."),
        "clamp_advise": Words(
            "Seen when it is placed, it is taken for the maximum, and the player is told the limits."
        ),
        "clamp_return": Words("Seen when it is placed, it is taken for the maximum, and the rest goes back."),
    },
    "limits.on_off_unit": {
        "reject": Words("Seen when it is placed, it is refused."),
        "floor_to_unit": Words(
            "Seen when it is placed, it is taken for the nearest whole unit below, and the player is told the limits."
        ),
    },
    "limits.unit_from": {
        "zero": Words(open="Plays for the nearest unit below, counted from zero; the rest goes back."),
        "minimum": Words(open="Plays for the nearest unit below, counted from the minimum; the rest goes back."),
    },
    "irreg.contravention": {
        "none": _silent("The book has no remedy of its own; whoever has the last word rules."),
        "refund": Words(
            "The {operator} may void the player's hand and wagers, and exclude the player.",
            "A hand on which nobody else bets goes to the discard rack.",
            "The player's go back.",
            acts=("report_contravention", "void_player", "exclude_player"),
            then=("irreg.contravention_scope",),
        ),
        "forfeit": Words(
            "The {operator} may declare the player's wagers forfeit, and exclude the player.",
            "A hand on which nobody else bets goes to the discard rack.",
            "The player's are lost to the house.",
            acts=("report_contravention", "void_player", "exclude_player"),
            then=("irreg.contravention_scope/forfeit",),
        ),
    },
    "irreg.contravention_scope": {
        "open": Words(then=("irreg.void_scope",)),
        "all": Words(
            "It holds for every wager of that player in the round, until the next round's first wager.",
            settled="The player's are reversed: winnings are taken back, and stakes go back, lost ones too.",
        ),
    },
    "irreg.contravention_scope/forfeit": {
        "open": Words(settled=STAND),
        "all": Words(
            "It holds for every wager of that player in the round, until the next round's first wager.",
            settled="What the player's have brought is taken back, and the stakes are kept.",
        ),
    },
    "irreg.contravention/exclusion": {
        "none": _silent("The book names no right to exclude; whoever has the last word rules."),
        **dict.fromkeys(
            ("refund", "forfeit"),
            Words(
                "The {operator} may exclude the player, who then has neither a seat nor a wager here.",
                "A hand in play is played out.",
                "Before the close the player's go back; in play they are played out.",
                acts=("exclude_player",),
            ),
        ),
    },
    "limits.linked_players": {
        "none": _silent("The book does not speak of it; whoever has the last word rules."),
        "some": Words(
            acts=("flag_partnership",),
            then=("limits.partnership",),
        ),
    },
    "limits.partnership": {
        "area": Words(
            "On one area the players' wagers are one wager against the maximum; what goes beyond is refused from then "
            "on.",
            open="What lies above the maximum goes back, from the wager placed last.",
            settled=STAND,
        ),
        "layout": Words(
            "Together the players may not bet more on one kind of wager than one of them could; what goes beyond is "
            "refused from then on.",
            open="Those that lie play on.",
        ),
    },
    "irreg.invalidate": {
        "none": _silent(
            "The book names nothing around a round for which it is cancelled; whoever has the last word rules."
        ),
        "some": Words(
            "The {operator} may cancel the round for {value}, until the next round's first wager.",
            "All hands go to the discard rack.",
            acts=("invalidate_round",),
            then=("irreg.invalidate_scope",),
        ),
    },
    "irreg.invalidate_scope": {
        "all": Words("Every wager of the round goes back.", open="All go back.", settled=REVERSED),
        "open": Words("Wagers that are not settled go back.", open="All go back.", settled=STAND),
    },
    "irreg.void_scope": {
        value: msgspec.structs.replace(words, then=("authority.void_hand",)) for value, words in _VOID.items()
    },
    _SCOPE: _VOID,
    "authority.void_hand": {
        "dealer": Words("The dealer declares it void."),
        "supervisor": Words("The {supervisor}, or somebody above, declares it void."),
        "manager": Words("The {manager}, or somebody above, declares it void, or has it signed by the {supervisor}."),
        "operator": Words("The {operator} declares it void, or the {supervisor} with the signature of the {operator}."),
    },
    "irreg.arbiter": {
        "operator": Words(
            "The {operator} has the last word.",
            variants=(
                ("WA-6.11", "The {operator} has the last word, which the Gaming and Wagering Commission may review."),
            ),
        ),
        "pit_boss": Words("The {supervisor} has the last word."),
        "floor": Words("The floor has the last word."),
        "licensee": Words("The licensee has the last word."),
    },
}
