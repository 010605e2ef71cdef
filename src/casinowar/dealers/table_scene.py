"""What lies on a table, gathered for whoever draws it."""

from casinowar.engine.events import DEALER
from casinowar.engine.state import Round, Table
from casinowar.pictures import BoxScene, Scene
from casinowar.rulebooks import BOOKS, Rulebook, head_of
from casinowar.words.phrases import wager_name

SAYS = {
    "betting": "Place your bets",
    "closed": "No more bets",
    "dealing": "No more bets",
    "deciding": "War or surrender",
    "war_betting": "War",
}


def table_scene(rules: Rulebook, table: Table) -> Scene:
    """The table between rounds or in one."""
    round_, seats = table.round, table.seats
    wagers = round_.wagers
    boxes = sorted({*seats, *(box for box, _, _ in wagers), *(box for box in round_.hands if box != DEALER)})
    return Scene(
        title=f"{rules.title}, round {round_.number}",
        says="The round is over" if round_.is_over and wagers else SAYS[table.phase],
        dealer=round_.hands.get(DEALER, ()),
        dealer_name=rules.roles.dealer.capitalize(),
        boxes=tuple(_box(rules, round_, box, seats.get(box, "")) for box in boxes),
        balances=tuple(table.players.items()),
        felt=felt_of(rules),
    )


def _box(rules: Rulebook, round_: Round, box: int, seated: str) -> BoxScene:
    laid = {(wager, who): one for (at, wager, who), one in round_.wagers.items() if at == box}
    players = dict.fromkeys(who for _, who in laid)
    net = sum(one.paid + one.returned - one.amount for one in laid.values())
    return BoxScene(
        box=box,
        player=", ".join(players) or seated,
        cards=round_.hands.get(box, ()),
        wagers=tuple((wager_name(rules, wager), one.amount) for (wager, _), one in laid.items()),
        is_at_war=not round_.is_over and box in round_.at_war,
        net=net if laid and round_.is_over else None,
    )


Colours = tuple[str, str, str]


def felt_of(rules: Rulebook) -> tuple[Colours, Colours]:
    """The colours of the book's felt, of the book that it extends, or of the first book."""
    heads = (head_of(name) for name in (rules.id, (rules.extends or "").partition("@")[0], *BOOKS))
    felt = next(head.felt for head in heads if head is not None and head.felt is not None)
    dark, light = ((one.cloth, one.lit, one.line) for one in (felt.dark, felt.light))
    return dark, light
