"""The incidents that `casinowar ruling` knows: what happened, and the leaves of a rulebook that decide it."""

import msgspec

from casinowar.reports.rulings.effects import REVERSED, Words

GROUPS = {
    "shoe": "Cards from the shoe",
    "deal": "The deal",
    "shuffle": "Shuffle and shuffler",
    "wager": "Wagers found wrong after the deal",
    "player": "Players",
    "round": "Voids and the last word",
}

NOTHING = Words()


class Incident(msgspec.Struct, frozen=True):
    """An incident. `topics` are the leaves that decide it, in order; `own` is told first, whatever they say.

    Where the leaf `alone[0]` has the value `alone[1]`, it decides by itself; `is_alone_silent` where its clauses then
    only bear on the incident. `decides` are the leaves without whose
    clauses the book is silent, the topics unless some are named. `cites` are further leaves that are cited, `see` those
    that only bear on it, and `cases` says of which case of a leaf the incident is one.
    """

    slug: str
    group: str
    what: str
    topics: tuple[str, ...]
    own: Words = NOTHING
    alone: tuple[str, str] | None = None
    is_alone_silent: bool = False
    decides: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    cases: dict[str, str] = {}


_NO_SHOE = ("shoe.shuffler", "continuous")
_FOUND = ("irreg.wrong_wager",)

INCIDENTS = (
    Incident("face-up-card", "shoe", "A card lies face up in the shoe.", ("irreg.face_up",)),
    Incident(
        "face-up-cards",
        "shoe",
        "More than one card lies face up in the shoe.",
        ("irreg.multi_face_up",),
        alone=("irreg.face_up", "use"),
    ),
    Incident(
        "extra-draw-unexposed",
        "shoe",
        "A card was drawn in error and nobody saw its face.",
        ("irreg.unexposed_extra",),
    ),
    Incident(
        "extra-draw-exposed",
        "shoe",
        "A card was drawn in error and its face was seen.",
        ("irreg.exposed_extra", "irreg.exposed_between"),
    ),
    Incident(
        "wrong-burn",
        "shoe",
        "A card was burned that was not to be burned.",
        ("irreg.unexposed_extra",),
        Words("It is a card drawn in error; if its face was seen, see extra-draw-exposed."),
    ),
    Incident(
        "misdelivered-card",
        "deal",
        "A card was dealt to a hand where it was not due.",
        ("irreg.misdealt", "irreg.release"),
        cases={"irreg.void_scope": "released"},
    ),
    Incident(
        "misdeal",
        "deal",
        "Cards lie at wrong places, or were dealt in a wrong order.",
        ("irreg.misdealt", "irreg.release"),
        cases={"irreg.void_scope": "released"},
    ),
    Incident(
        "missed-hand",
        "deal",
        "A box was passed over when its card was due.",
        ("irreg.missed_hand", "irreg.missed_war_hand"),
        cases={"irreg.void_scope": "missed"},
    ),
    Incident(
        "missed-offer",
        "deal",
        "War or surrender was not offered, or not done as chosen.",
        ("irreg.missed_offer",),
    ),
    Incident("forgotten-burn", "deal", "A burn that was due was left out.", ("irreg.forgotten_burn",)),
    Incident(
        "missing-cut-card",
        "shuffle",
        "The cutting card was never put into the cards.",
        ("irreg.missing_cut_card",),
        alone=_NO_SHOE,
        cases={"irreg.missing_cut_card": "shoe"},
    ),
    Incident(
        "missed-shuffle",
        "shuffle",
        "The cutting card had shown, and no shuffle followed.",
        ("irreg.missed_shuffle",),
        alone=_NO_SHOE,
    ),
    Incident(
        "exposed-before-shoe",
        "shuffle",
        "A card was seen between the shuffle and the shoe.",
        ("irreg.exposed_before_shoe",),
    ),
    Incident(
        "damaged-card",
        "shuffle",
        "A card is found to be damaged.",
        ("irreg.damaged_card",),
        cases={"irreg.damaged_card": "one"},
    ),
    Incident(
        "too-few-cards",
        "shuffle",
        "The shoe runs dry within a round.",
        ("shoe.short",),
        alone=_NO_SHOE,
        is_alone_silent=True,
    ),
    Incident(
        "shuffler-fault",
        "shuffle",
        "The shuffling machine jams, stops or gives no card.",
        ("irreg.shuffler_fault",),
        cases={"irreg.void_scope": "round"},
    ),
    Incident(
        "wager-below-minimum",
        "wager",
        "A wager below the minimum.",
        ("irreg.wrong_wager", "limits.on_under_min"),
        Words(open="Plays for what lies there."),
        decides=_FOUND,
        cases={"irreg.wrong_wager": "under_min", "irreg.wrong_wager_until": "under_min"},
    ),
    Incident(
        "wager-above-maximum",
        "wager",
        "A wager above the maximum.",
        ("irreg.wrong_wager", "limits.on_over_max"),
        Words(open="Plays for the maximum; the rest goes back."),
        decides=_FOUND,
        cases={"irreg.wrong_wager": "over_max", "irreg.wrong_wager_until": "over_max"},
    ),
    Incident(
        "wager-off-unit",
        "wager",
        "A wager that is no multiple of the unit.",
        ("irreg.wrong_wager", "limits.on_off_unit", "limits.unit_from"),
        decides=_FOUND,
        cases={"irreg.wrong_wager": "off_unit", "irreg.wrong_wager_until": "off_unit"},
    ),
    Incident("contravention", "player", "A player has broken a rule.", ("irreg.contravention",)),
    Incident(
        "partnership",
        "player",
        "Players bet together to get past the maximum.",
        ("limits.linked_players",),
        see=("limits.player_box_max",),
    ),
    Incident(
        "exclusion",
        "player",
        "A player is to play no further.",
        ("irreg.contravention/exclusion",),
        cases={"irreg.contravention": "exclude"},
    ),
    Incident(
        "invalidated-round",
        "round",
        "Fire, fraud or the like has spoilt a round.",
        ("irreg.invalidate",),
    ),
    Incident(
        "void-hand",
        "round",
        "A hand is declared void.",
        ("irreg.void_scope",),
        cases={"irreg.void_scope": "hand"},
        own=Words("The hand counts as not played. Doing it twice changes nothing.", acts=("void_hand",)),
    ),
    Incident(
        "void-round",
        "round",
        "A whole round is declared void.",
        ("irreg.arbiter",),
        Words(
            "The round counts as not played; it can be so declared until the next round's first wager.",
            "All hands go to the discard rack.",
            "All go back.",
            REVERSED,
            ("void_round",),
        ),
        decides=("irreg.void_scope",),
        cites=("irreg.void_scope",),
        cases={"irreg.void_scope": "round"},
    ),
    Incident(
        "dispute",
        "round",
        "Somebody disputes what was done, or no rule fits.",
        ("irreg.arbiter",),
        Words(
            "Whoever has the last word rules, and gives the reason.",
            "As ruled: they stand, the deal is rebuilt, or they are shuffled again.",
            "As ruled: they stand, or those of the hand or of the round go back.",
            "As ruled: they stand, or a void takes them back.",
            ("rule",),
        ),
    ),
)

BY_SLUG = {incident.slug: incident for incident in INCIDENTS}
