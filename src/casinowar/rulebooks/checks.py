"""Checks of a book: what one leaf needs of others before it can be played, and what the tables of a casino share."""

from collections.abc import Iterable, Iterator

from casinowar.cards import RANKS
from casinowar.rulebooks.catalogue import citation
from casinowar.rulebooks.model import BankRules, Leaf, Rulebook
from casinowar.rulebooks.resolve import show
from casinowar.rulebooks.shelf import BOOKS
from casinowar.rulebooks.wagers import SIDE

NEEDS: dict[tuple[str, object], tuple[str, ...]] = {
    ("wager.progressive", True): tuple(
        f"progressive.{part}" for part in ("unit", "seed", "increment_bp", "meter_share", "envy")
    ),
    ("bank.by", "player"): tuple(f"bank.{part}" for part in BankRules.__struct_fields__ if part != "by"),
    ("shoe.initial_burn", "face_up_plus_value"): ("shoe.burn_value",),
}
"""Leaves that a book must bring along when another leaf has this value."""

METER_SHARE = "progressive.meter_share"
MOST_DECKS = 100
AT_LEAST_ONE = (
    "table.boxes",
    "table.max_boxes_per_player",
    "shoe.decks",
    "shoe.batches",
    "progressive.unit",
    "bank.max_consecutive",
)


def find_fault(rules: Rulebook) -> str | None:
    """The first reason why this book cannot be played, if there is one."""
    return next((fault for check in CHECKS for fault in check(rules)), None)


def _missing(rules: Rulebook) -> Iterator[str]:
    for (key, value), needed in NEEDS.items():
        if key in rules.leaves and rules.leaves[key].value == value:
            yield from (
                f"{one} is missing: {_describe(key, rules.leaves[key])}" for one in needed if one not in rules.leaves
            )


def _too_small(rules: Rulebook) -> Iterator[str]:
    for key in AT_LEAST_ONE:
        if key in rules.leaves and rules.leaves[key].value == 0:
            yield f"{_describe(key, rules.leaves[key])}: allowed is 1 or more"


def _unsettled(rules: Rulebook) -> Iterator[str]:
    """Every wager of the first deal is settled in some pass; the progressive has a pass of its own."""
    passed = {wager for one in rules.passes for wager in one.wagers}
    offered: list[str] = [
        "initial",
        *(wager for wager in SIDE if wager != "progressive" and getattr(rules.wager, wager)),
    ]
    for wager in offered:
        if wager not in passed:
            on = "" if wager == "initial" else f"wager.{wager} is on, and "
            yield f"{on}no pass of settle.first settles {wager}: write 'settle {wager} from right'"
    passes = [wager for one in rules.passes for wager in one.wagers]
    for wager in sorted(passed):
        if passes.count(wager) > 1:
            yield f"settle.first settles {wager} {passes.count(wager)} times: name it in one pass"


def _is_own(rules: Rulebook) -> bool:
    """Whether somebody else than this package wrote the book, or a part of it."""
    return rules.extends is not None or rules.id not in BOOKS


def _together(rules: Rulebook) -> Iterator[str]:
    """What a house may not have at once; the packaged books do not."""
    if not _is_own(rules):
        return
    if rules.wager.tie_only and rules.deal.to == "initial":
        told = _describe("wager.tie_only", rules.leaves["wager.tie_only"])
        yield f"{told}: deal.to = initial gives no card to a box without an initial wager, so nothing would settle it"
    if rules.wager.progressive and rules.bank.by == "player":
        told = _describe("wager.progressive", rules.leaves["wager.progressive"])
        yield f"{told}: bank.by = player, and a player's bank does not fund a meter"
    is_unmarked = rules.shoe.loaded == "unmarked"
    if "shoe.loaded" in rules.leaves and is_unmarked != (rules.shoe.shuffler == "continuous"):
        told = _describe("shoe.loaded", rules.leaves["shoe.loaded"])
        yield f"{told}: shoe.shuffler = {rules.shoe.shuffler}, and a continuous shuffler alone takes no cutting card"


def _bank(rules: Rulebook) -> Iterator[str]:
    """A bank that covers what it takes leaves no loser to collect when it is used up."""
    if rules.bank.model == "covered" and rules.bank.after_exhaustion != "return_all":
        told = _describe("bank.after_exhaustion", rules.leaves["bank.after_exhaustion"])
        yield f"{told}: bank.model = covered gives back what is not covered; set bank.model = payoff_cap beside it"


def _odds(rules: Rulebook) -> Iterator[str]:
    if rules.forfeit.numerator > rules.forfeit.denominator:
        forfeit = rules.leaves["surrender.forfeit"]
        yield f"{_describe('surrender.forfeit', forfeit)}: allowed is at most the whole wager, 1:1"
    if rules.war_stake.numerator == 0:
        yield f"{_describe('war.stake', rules.leaves['war.stake'])}: a war needs a stake"
    share, _, whole = rules.progressive.meter_share.partition(":")
    if share.isdecimal() and whole.isdecimal() and int(share) > int(whole):
        yield f"{_describe(METER_SHARE, rules.leaves[METER_SHARE])}: allowed is at most 1:1"
    for (wager, situation), cell in rules.cells.items():
        key = f"payout.{wager}.{situation}"
        if wager == "progressive" and (cell.odds is None) != (situation == "on_loss"):
            allowed = "lose" if situation == "on_loss" else "odds such as 5:1"
            yield f"{_describe(key, rules.leaves[key])}: allowed is {allowed}"


def _cards(rules: Rulebook) -> Iterator[str]:
    """The cut, the cutting card and a whole round must find room in the shoe."""
    shoe, cards = rules.shoe, 52 * rules.shoe.decks
    if shoe.decks > MOST_DECKS:
        yield f"{_describe('shoe.decks', rules.leaves['shoe.decks'])}: allowed is at most {MOST_DECKS}"
    has = f"the {shoe.decks} {'deck' if shoe.decks == 1 else 'decks'} of shoe.decks"
    if shoe.cut_offered and 2 * shoe.cut_depth > cards:
        yield f"{_describe('shoe.cut_depth', rules.leaves['shoe.cut_depth'])}: in {has} it is at most {cards // 2}"
    if shoe.marker_from_back > cards:
        yield f"{_describe('shoe.marker_from_back', rules.leaves['shoe.marker_from_back'])}: {has} hold {cards} cards"
    burns = 1 + shoe.new_dealer_burn + shoe.round_burn + rules.war.burn + rules.war.burn_before_banker
    needed = 2 * (rules.table.boxes + 1) + burns
    if needed > cards:
        boxes = _describe("table.boxes", rules.leaves["table.boxes"])
        yield f"{boxes}: a round may need {needed} cards, and {has} hold {cards}"
    is_enough = shoe.marker_from_back >= needed and shoe.cut_mid_round == "finish_round"
    if _is_own(rules) and shoe.short == "none" and not is_enough:
        short = _describe("shoe.short", rules.leaves["shoe.short"])
        yield f"{short}: a round may need {needed} cards, so shoe.marker_from_back must keep as many"


def _burn_values(rules: Rulebook) -> Iterator[str]:
    if rules.shoe.initial_burn != "face_up_plus_value":
        return
    values = rules.shoe.burn_value
    plain = {rank for rank in RANKS if rank in "23456789T"}
    for rank in RANKS:
        if rank not in plain | values.keys():
            yield f"shoe.burn_value says nothing of {rank}"
    for rank, count in values.items():
        if rank not in RANKS or not 1 <= count <= 52:
            yield f"shoe.burn_value: {rank} = {count}: allowed are the ranks {RANKS}, each with 1 to 52 cards"


def _describe(key: str, leaf: Leaf) -> str:
    value = {True: "on", False: "off"}.get(leaf.value) if isinstance(leaf.value, bool) else leaf.value
    return f"{key} = {value} ({citation(leaf.clauses)})"


def _opening(rules: Rulebook) -> Iterator[str]:
    if rules.cards.provenance == "mfr_pre_shuffled" and not rules.cards.approval_ref:
        told = _describe("cards.provenance", rules.leaves["cards.provenance"])
        yield f"{told}: name the approval in cards.approval_ref"
    for key in ("open.skip_player_inspection", "open.pre_load_shuffle", "open.pre_load_cut"):
        if rules.shoe.shuffler == "manual" and key in rules.leaves and rules.leaves[key].value:
            yield f"{_describe(key, rules.leaves[key])}: shoe.shuffler = manual has no machine to load"
    if rules.shoe.continuous_sets > 1 and rules.shoe.shuffler != "continuous":
        told = _describe("shoe.continuous_sets", rules.leaves["shoe.continuous_sets"])
        yield f"{told}: shoe.shuffler = {rules.shoe.shuffler} is not continuous"


CHECKS = (_missing, _too_small, _unsettled, _together, _bank, _odds, _cards, _burn_values, _opening)


def conflict(rules: Rulebook, open_tables: Iterable[Rulebook]) -> str | None:
    """Why a table under these rules may not open beside those that are open, if there is a reason.

    >>> from casinowar import rulebooks
    >>> nz = rulebooks.load_rulebook("nz")
    >>> print(rulebooks.conflict(nz, [nz]))
    None
    """
    for other in open_tables:
        if other.id != rules.id:
            continue
        for key, leaf in rules.leaves.items():
            theirs = other.leaves[key].value if key in other.leaves else leaf.value
            if leaf.scope == "casino" and theirs != leaf.value:
                told = f"{key} = {show(leaf.value)} ({citation(leaf.clauses)})"
                return f"{told}: an open table has {show(theirs)}, and every table must have the same"
    return None
