"""Making a sealed shoe: the commitment, players' entropy, the seal, the cut, and the book's own steps on the way."""

from collections import Counter

from casinowar.cards import Card, composition
from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine.decide.draw_order import is_mid_round, is_shuffle_due
from casinowar.engine.decide.floor import decks_due, rules_due
from casinowar.engine.view.procedure import procedure
from casinowar.fairness import SealedShoe, SealRefused
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from casinowar.records.piles import in_hands
from casinowar.rulebooks import Rulebook
from casinowar.store import EntropyAdded, EntropyPromised, ShoeCommitted, ShoeCut, ShoeOpened, ShoeSealed, resolved

PLAYED_OUT = (None, "cut_card")
"""Why a table shuffles when its shoe has simply come to its end."""


def commit_shoe(live: LiveTable, draft: Draft) -> None:
    """Commit to a new shoe: draw a seed and bind it.

    A notice of other decks that has stood long enough counts from here on.
    """
    change_decks(draft)
    rules, table = draft.rules, draft.table
    cards, number = _cards(rules, table), len(live.keeper.listed) + 1
    shoe = SealedShoe.begin(
        f"{live.stream}/{number}",
        cards,
        _cut_bounds(rules, sum(cards.values())),
        kind="continuous" if rules.shoe.shuffler == "continuous" else "shoe",
        previous=live.keeper.previous,
        source=live.source,
    )
    header, commitment = shoe.header, shoe.commitment.hex()
    previous = None if header.previous is None else header.previous.hex()
    draft.seeds.append((commitment, shoe.keep().seed))
    told = header.shoe, header.kind, header.counts, header.cut_bounds, previous, commitment
    draft.note(ShoeCommitted(*told, number=number))


def change_decks(draft: Draft) -> None:
    rules = rules_due(draft.rules, draft.table)
    if rules is not draft.rules:
        draft.rules = rules
        draft.note(resolved(rules))


def _cards(rules: Rulebook, table: Table) -> Counter[Card]:
    """The cards of a new shoe: all, or in the middle of a round those that lie in nobody's hand."""
    in_play = Counter(card for card in in_hands(table) if card is not None) if is_mid_round(table) else Counter()
    return composition(rules.shoe.decks) - in_play


def _cut_bounds(rules: Rulebook, cards: int) -> tuple[int, int] | None:
    """The bounds of the cut: the book's, in proportion where the stack lacks the cards in play."""
    if not rules.shoe.cut_offered or rules.shoe.shuffler == "continuous" or cards < 2:
        return None
    full, depth = 52 * rules.shoe.decks, max(1, rules.shoe.cut_depth)
    least = max(1, depth * cards // full)
    return least, max(least, min(cards - 1, (full - depth) * cards // full))


def promise(live: LiveTable, draft: Draft, player: str, promised: str) -> Refusal | None:
    """Bind a seat to its entropy for the shoe in the making."""
    box = live.box_of(player)
    if box is None:
        return Refusal("not_seated")
    if live.keeper.stage != "promising":
        return Refusal("no_entropy_now")
    try:
        live.keeper.copy().promise_entropy(box, player, bytes.fromhex(promised))
    except SealRefused:
        return Refusal("entropy_refused")
    draft.note(EntropyPromised(box, player, promised))
    return None


def add_entropy(live: LiveTable, draft: Draft, player: str, entropy: str) -> Refusal | None:
    """Show the entropy that a player promised, once nobody can promise any more."""
    if live.keeper.stage != "showing":
        return Refusal("no_entropy_now")
    shoe = live.keeper.copy()
    box = next((one.seat for one in shoe.contributions if one.player == player), None)
    if box is None:
        return Refusal("entropy_refused")
    try:
        shoe.add_entropy(box, player, bytes.fromhex(entropy))
    except SealRefused:
        return Refusal("entropy_refused")
    draft.note(EntropyAdded(box, player, entropy))
    return None


def close_promises(live: LiveTable, draft: Draft) -> None:
    """Close the promises: who promised shows entropy now; where nobody did, the shoe is sealed at once."""
    shoe = live.keeper.shoe
    assert shoe is not None
    if shoe.contributions:
        live.keeper.is_showing = True
    else:
        seal_shoe(live, draft)


def seal_shoe(live: LiveTable, draft: Draft) -> None:
    """Seal the shoe: fix its order and publish the root; then take the book's steps, as far as the cut."""
    shoe = live.keeper.copy()
    root = shoe.seal()
    seal = shoe.seal_digest
    assert seal is not None
    draft.note(ShoeSealed(root.hex(), seal.hex()))
    load(draft, shoe)


def load(draft: Draft, shoe: SealedShoe) -> None:
    """Take the book's steps that load the shoe, up to a cut that somebody must make first."""
    while is_shuffle_due(draft.table):
        following = procedure(draft.rules, draft.table)[0]
        if following.act == "cut":
            if following.player is not None:
                draft.must(c.OfferCut(player=following.player))
            return
        if following.act == "load" and shoe.header.cut_bounds is not None and shoe.cut_made is None:
            draft.note(ShoeCut(shoe.house_cut().position, None))
        assert following.command is not None
        draft.must(following.command)


def cut(live: LiveTable, draft: Draft, player: str, position: int) -> None:
    """Cut the sealed cards where the engine has taken a player's cut, in proportion where they are fewer."""
    shoe = live.keeper.copy()
    bounds = shoe.header.cut_bounds
    if bounds is not None:
        at = position * shoe.header.size // (52 * draft.rules.shoe.decks)
        made = shoe.cut(player, min(max(at, bounds[0]), bounds[1]))
        draft.note(ShoeCut(made.position, player))
    load(draft, shoe)


def house_cut(live: LiveTable, draft: Draft) -> None:
    """Cut the cards for the house, since nobody at the table does: the seed says where."""
    shoe = live.keeper.copy()
    full, depth = 52 * draft.rules.shoe.decks, draft.rules.shoe.cut_depth
    position = full // 2
    if shoe.header.cut_bounds is not None:
        made = shoe.house_cut().position
        draft.note(ShoeCut(made, None))
        position = made * full // shoe.header.size
    draft.must(c.Cut(position=min(max(position, depth, 1), full - max(depth, 1))))
    load(draft, shoe)


def open_shoe(live: LiveTable, draft: Draft) -> None:
    """Open the shoe: as finished at its cutting card or its last card, and as void otherwise."""
    table, keeper, shoe = draft.table, live.keeper, live.keeper.copy()
    is_played_out = table.shuffle in PLAYED_OUT or not table.shoe_left
    if keeper.stage == "dealing" and is_played_out and keeper.listed.is_at_end:
        draft.note(ShoeOpened("finished", None, shoe.open().seed.hex()))
        return
    is_other_decks = decks_due(draft.rules, table) != draft.rules.shoe.decks and keeper.stage != "dealing"
    cause = live.shoe_end.cause(table, is_other_decks=is_other_decks)
    draft.note(ShoeOpened("voided", cause.reason, shoe.void(cause.reason).seed.hex(), cause.by))
