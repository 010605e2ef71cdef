"""The rulebook: every rule of one authority as typed leaves, each with the clauses it rests on.

The groups below are the whole vocabulary. A file may not say anything else, and `load` refuses a value that the
vocabulary or the book does not allow.
"""

from typing import Annotated, Literal

import msgspec

from casinowar.cards import Card
from casinowar.rulebooks.authority import AuthorityRules, RoleNames

Count = Annotated[int, msgspec.Meta(ge=0)]
End = Literal["farthest_left", "farthest_right"]


class Leaf(msgspec.Struct, frozen=True):
    """One rule: its value, the clauses it rests on, what an operator may set it to, and the ambiguity it decides.

    `scope` is `casino` where every open table of the casino must have the same. `cases` has which of the clauses speak
    of which case, where they differ in that; none speaks of a case in which the book is silent. `supplied`: the book is
    silent altogether, the value is a house default, and there are no clauses. `see` has clauses that only bear on it.

    >>> from casinowar import rulebooks
    >>> leaf = rulebooks.load_rulebook("nz").leaves["shoe.decks"]
    >>> leaf.value, leaf.clauses, leaf.allowed
    (6, ('NZ-3.4a',), '4, 5, 6, 7, 8')
    """

    value: object
    clauses: tuple[str, ...]
    allowed: str | None = None
    ambiguity: str | None = None
    scope: Literal["table", "casino"] = "table"
    cases: dict[str, tuple[str, ...]] = {}
    supplied: bool = False
    see: tuple[str, ...] = ()


class HouseNote(msgspec.Struct, frozen=True):
    """A leaf that a house rulebook changed: what it has and what the books before it have, and which forbid it."""

    text: str
    forbidden_by: tuple[str, ...] = ()


class Odds(msgspec.Struct, frozen=True):
    """`2:1` pays two for each one staked, on top of the stake.

    >>> from casinowar import rulebooks
    >>> odds = rulebooks.load_rulebook("nz").cells["tie", "on_win"].odds
    >>> odds.numerator, odds.denominator
    (10, 1)
    """

    numerator: int
    denominator: int

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}"


class Cell(msgspec.Struct, frozen=True):
    """What becomes of a wager in one situation: win at odds, push, or lose.

    >>> from casinowar import rulebooks
    >>> rulebooks.load_rulebook("nz").cells["war", "on_tie"]
    Cell(outcome='win', odds=Odds(numerator=2, denominator=1), clauses=('NZ-5.4b', 'NZ-5.13c'))
    """

    outcome: Literal["win", "push", "lose"]
    odds: Odds | None
    clauses: tuple[str, ...]


class Pass(msgspec.Struct, frozen=True):
    """One round of the dealer along the boxes: which wagers, from which side, and whether takes precede pays."""

    wagers: tuple[str, ...]
    from_right: bool
    takes_first: bool


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What the layout calls each wager."""

    initial: str
    war: str
    tie: str
    war_tie: str | None = None
    a_bomb: str | None = None
    perfect_pairs: str | None = None
    war_perfect_pairs: str | None = None
    progressive: str | None = None


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    boxes: Count
    bettors_per_area: Count
    bettors_counted_by: Literal["area", "box"]
    backline: bool = True
    multi_box: bool
    max_boxes_per_player: Count
    present: Literal["seated", "seated_or_betting"] = "seated"


class LimitRules(msgspec.Struct, frozen=True, kw_only=True):
    on_under_min: Literal["reject", "play_as_placed", "honour_once_then_reject"]
    on_over_max: Literal["reject", "clamp_advise", "clamp_return"]
    on_off_unit: Literal["reject", "floor_to_unit"]
    change: tuple[str, ...]
    require_even: bool
    unit_from: Literal["zero", "minimum"] = "zero"
    area_total_max: Count = 0
    area_total_scope: Literal["area", "box"] = "area"
    player_box_max: Count = 0
    linked_players: tuple[tuple[str, ...], ...] = ()
    partnership: Literal["layout", "area"] = "layout"


class WagerRules(msgspec.Struct, frozen=True, kw_only=True):
    tie: bool
    war_tie: bool
    a_bomb: bool
    perfect_pairs: bool
    war_perfect_pairs: bool
    progressive: bool
    tie_only: bool
    called: bool
    locked: Literal["when_placed", "at_close"]
    match_play: bool = False


class PriorityRules(msgspec.Struct, frozen=True, kw_only=True):
    """Who has first right to a place that is short: nobody where the book is silent.

    `full` is what becomes of whoever has it where the places are taken: refused, or another gives way.
    """

    area: Literal["seated", "none"] = "none"
    tie: Literal["initial", "none"] = "none"
    war_perfect_pairs: Literal["war", "war_only", "none"] = "none"
    full: Literal["refused", "gives_way"] = "refused"


class BettingRules(msgspec.Struct, frozen=True, kw_only=True):
    opens: Literal["freely", "by_invitation"] = "freely"
    closes: Literal["call", "first_card"]


class DealRules(msgspec.Struct, frozen=True, kw_only=True):
    first: Literal["from_left", "from_right"]
    war: Literal["from_left", "from_right"]
    to: Literal["any_wager", "initial"]
    dealer: Literal["last", "first"]
    war_dealer: Literal["last", "first"]


class SettleRules(msgspec.Struct, frozen=True, kw_only=True):
    first: tuple[str, ...]
    war: Literal["from_left", "from_right"]


class DecisionRules(msgspec.Struct, frozen=True, kw_only=True):
    timing: Literal["after_settlement", "in_pass"]
    order: Literal["any", "from_left", "from_right"]


class SurrenderRules(msgspec.Struct, frozen=True, kw_only=True):
    forfeit: str
    odd_unit: Literal["player", "house"]


class WarRules(msgspec.Struct, frozen=True, kw_only=True):
    stake: str
    burn: Count
    burn_place: Literal["rack", "beside_dealer"]
    method: Literal["A", "B"]
    exempt: bool
    burn_before_banker: Count = 0


class ShoeRules(msgspec.Struct, frozen=True, kw_only=True):
    decks: Count
    shuffler: Literal["manual", "batch_auto", "continuous"]
    batches: Count
    cut_cards: Count
    cut_offered: bool
    cut_by: Literal["players", "dealer"]
    cut_depth: Count
    cutter_start: Literal["first_arrival", "otherwise"]
    cutter_rule: Literal["last_cut_card", "first_seated", "any_seated"]
    cutter_dealer_hand: End
    cutter_otherwise: End
    cut_pass_direction: Literal["cw", "ccw"]
    cut_last: Literal["staff", "dealer", "supervisor"]
    marker_from_back: Count
    initial_burn: Literal["none", "one_down", "face_up_plus_value"]
    round_burn: Count
    new_dealer_burn: Count
    cut_first_card: Literal["shuffle_now", "finish_round"]
    cut_mid_round: Literal["finish_round", "none"]
    short: Literal["shuffle_discards", "pit_boss", "none"]
    short_discharges: bool
    midround_burn: Literal["none", "as_opening"]
    loaded: Literal["marked", "unmarked"] = "marked"
    discretion: tuple[str, ...] = ()
    burn_value: dict[str, int] = {}
    end_cover: bool = False
    continuous_sets: Count = 1
    reshuffle: bool = True
    shuffle_steps: tuple[str, ...] = ()
    riffles_before_strip: Count = 0


class OpeningRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with cards that are new to the table, or have lain idle, before they come into the shoe."""

    inspection: Literal["none", "two_people", "verified"] = "none"
    spread: bool = False
    wash: bool = False
    shuffle: bool = True
    idle_spread: bool = False
    skip_player_inspection: bool = False
    pre_load_shuffle: bool = False
    pre_load_cut: bool = False
    reshuffle_pre_shuffled: bool = False
    player_rights: bool = False


class BurnRules(msgspec.Struct, frozen=True, kw_only=True):
    """Who may see the card burned when a shoe is opened, and when it is burned: before the wagers or after them."""

    visibility: Literal["hidden", "sealed", "viewable", "face_up"]
    due: Literal["at_deal", "when_loaded"] = "at_deal"


class SignRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a table tells beside its rules: whose game it is, under which agreement, and what was amended."""

    owner: str = ""
    agreement_ref: str = ""
    amendments: tuple[str, ...] = ()


class DiscardRules(msgspec.Struct, frozen=True, kw_only=True):
    """When the cards of a hand that is out of the round go to the rack, and in what order the rest do at its end."""

    timing: Literal["at_end", "when_surrendered", "before_war"]
    order: Literal["by_hand", "by_deal"]


class IrregularityRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the book has done about each thing that goes wrong; `pit_boss` and `floor_ruling` wait for a ruling."""

    face_up: Literal["discard", "use"]
    multi_face_up: Literal["discard_each", "void_all_reshuffle", "pit_boss"]
    unexposed_extra: Literal["next_card", "discard"]
    exposed_extra: Literal["discard", "use_if_needed_else_burn", "burn", "forward", "dealer_next"]
    exposed_between: Literal["as_extra", "burn"] = "as_extra"
    misdealt: Literal["reconstruct_else_void", "forward_only", "pit_boss", "floor_ruling"]
    missed_hand: Literal["reconstruct_else_void", "void_refund", "pit_boss", "floor_ruling"]
    missed_war_hand: Literal["as_first_deal", "pit_boss", "floor_ruling"] = "as_first_deal"
    missed_offer: Literal["rewind", "discard", "pit_boss", "floor_ruling"]
    forgotten_burn: Literal["continue", "pit_boss"]
    missing_cut_card: Literal["reshuffle_at_end", "pit_boss"]
    missed_shuffle: Literal["reshuffle_at_end", "pit_boss"]
    exposed_before_shoe: Literal["reshuffle", "pit_boss"]
    damaged_card: Literal["replace_at_end", "pit_boss"]
    shuffler_fault: Literal["none", "reshuffle", "reshuffle_void_hands", "void_hands", "void_round_or_hands"] = "none"
    wrong_wager: Literal["as_limited", "confirmed"]
    wrong_wager_until: Literal["war", "settlement"] = "war"
    void_scope: Literal["open", "all"]
    void_by: Literal["floor", "operator"] = "floor"
    arbiter: Literal["operator", "pit_boss", "floor", "licensee"]
    release: bool = False
    contravention: Literal["none", "refund", "forfeit"] = "none"
    contravention_scope: Literal["open", "all"] = "open"
    invalidate: tuple[str, ...] = ()
    invalidate_scope: Literal["all", "open"] = "all"


class PairsRules(msgspec.Struct, frozen=True, kw_only=True):
    table: str | None = None


class PayoutRules(msgspec.Struct, frozen=True, kw_only=True):
    """`payout.WAGER.on_SITUATION`: odds such as `2:1`, `push` or `lose`; the cells are made of it."""

    initial: dict[str, str]
    war: dict[str, str]
    tie: dict[str, str]
    war_tie: dict[str, str] = {}
    a_bomb: dict[str, str] = {}
    perfect_pairs: dict[str, str] = {}
    progressive: dict[str, str] = {}
    war_odds: str | None = None


class FaceUpRules(msgspec.Struct, frozen=True, kw_only=True):
    """Over what several face-up cards are counted, in books that void the hands for them."""

    face_up_scope: Literal["round", "shoe"] = "round"


class NoticeRules(msgspec.Struct, frozen=True, kw_only=True):
    """Minutes that a sign must have stood before what it says may happen."""

    limits: Count = 0
    decks: Count = 0
    close: Count = 0


class SeatRules(msgspec.Struct, frozen=True, kw_only=True):
    """After how many rounds without a wager a seat may be asked for; none where the book is silent."""

    abstain_rounds: Count = 0


class BankRules(msgspec.Struct, frozen=True, kw_only=True):
    """Who pays: the house, or a player with a stake that the others cannot win more than.

    `after_exhaustion` is for the models that take a losing wager whole; `covered` leaves no such choice.
    """

    by: Literal["house", "player"] = "house"
    optional: bool = True
    max_consecutive: Count = 0
    rotation: Literal["cw", "ccw"] = "cw"
    model: Literal["payoff_cap", "revolving", "action_cap", "covered"] = "payoff_cap"
    after_exhaustion: Literal["return_all", "collect_losers"] = "return_all"
    least_seated: Count = 0


class ProgressiveRules(msgspec.Struct, frozen=True, kw_only=True):
    """The progressive's meter and its envy; its lines are cells of `payout.progressive`. Amounts in minor units."""

    unit: Count = 500
    seed: Count = 1_000_000
    increment_bp: Count = 1000
    meter_share: str = "1:1"
    envy: Count = 100_000
    envy_base: Literal["recipient", "hitter"] = "recipient"
    stake_returned: bool = False
    suited_four: Literal["identical", "suited_ties"] = "identical"
    suited_double: Literal["suited_ties", "one_suit"] = "suited_ties"
    lines: Literal["highest", "cumulative"] = "highest"
    on_surrender: Literal["first_cards", "lost"] = "first_cards"
    hitters: Literal["split", "full_each"] = "split"


class CardRules(msgspec.Struct, frozen=True, kw_only=True):
    """How cards rank, and how they come to the table; `approval_ref` is the regulator's where it must approve."""

    ranks: str
    provenance: Literal["fresh", "pre_checked", "pre_shuffled", "mfr_pre_shuffled"] = "fresh"
    approval_ref: str = ""


class Rulebook(msgspec.Struct, frozen=True, kw_only=True):
    """One authority's rules with every leaf resolved: what the engine plays by.

    `edition` is that of the book, or of the one that a house rulebook extends. `notes` explain the clauses of a house
    rulebook, `HOUSE-` and the leaf's key. `origin` is the name it was loaded by, without its edition,
    `has_shared_limits` whether a wager's limits hang on what others have placed, and `deck_choices` has the deck counts
    that an operator may set, each with the pay tables of pairs that go with it. `lost_ties` has the lost cell of a tie
    wager by whether the player's card was the higher one.

    >>> import casinowar
    >>> rules = casinowar.load_rulebook("nz")
    >>> rules
    <Rulebook nz, edition 2: New Zealand>
    >>> rules.war.burn, rules.leaves["war.burn"].clauses, rules.cells["war", "on_tie"].odds
    (3, ('NZ-8.8-ii',), Odds(numerator=2, denominator=1))
    """

    id: str
    title: str
    version: str
    extends: str | None = None
    edition: int = 1
    cards: CardRules
    names: Names
    table: TableRules
    limits: LimitRules
    wager: WagerRules
    priority: PriorityRules
    betting: BettingRules
    deal: DealRules
    settle: SettleRules
    decision: DecisionRules
    surrender: SurrenderRules
    war: WarRules
    shoe: ShoeRules
    discard: DiscardRules
    burn: BurnRules
    irreg: IrregularityRules
    payout: PayoutRules
    open: OpeningRules = OpeningRules()
    sign: SignRules = SignRules()
    perfect_pairs: PairsRules = PairsRules()
    ma: FaceUpRules = FaceUpRules()
    notice: NoticeRules = NoticeRules()
    seat: SeatRules = SeatRules()
    bank: BankRules = BankRules()
    progressive: ProgressiveRules = ProgressiveRules()
    roles: RoleNames = RoleNames()
    authority: AuthorityRules = AuthorityRules()

    leaves: dict[str, Leaf]
    clauses: dict[str, tuple[str, ...]]
    options: dict[str, object]
    ranks: dict[Card, int]
    passes: tuple[Pass, ...]
    cells: dict[tuple[str, str], Cell]
    lost_ties: dict[tuple[str, bool], Cell] = {}
    forfeit: Odds
    war_stake: Odds
    marker_bounds: tuple[int, int]
    deck_choices: dict[int, tuple[str, ...]]
    asks_from_right: bool
    has_shared_limits: bool = False
    origin: str = ""
    notes: dict[str, HouseNote] = {}

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}, edition {self.edition}: {self.title}>"

    def _repr_html_(self) -> str:
        """Every leaf with its value and its clauses, for notebooks."""
        from casinowar.pictures.rule_page import rule_page

        rows = ((key, _value_words(leaf.value), ", ".join(leaf.clauses)) for key, leaf in sorted(self.leaves.items()))
        return rule_page(self.title, f"{self.id}, edition {self.edition}, {self.version}", rows)


def _value_words(value: object) -> str:
    """A leaf's value in words: an empty list, too."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)
