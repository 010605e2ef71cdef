"""One sentence for each settled, limited or reversed wager: what it wins, what goes back, and what is taken back."""

from collections.abc import Sequence

from casinowar.engine import events as e
from casinowar.engine.state import Wager
from casinowar.words.phrases import join_names, plain, words
from casinowar.words.voice import Voice


def tell_settlement(voice: Voice, event: e.WagerSettled | e.WagerLimited) -> str:
    """A line of the dealer's settlement; it begins with a small letter, as one of a list."""
    what = f"box {event.box}, {plain(event.player)}: {voice.wager(event.wager)}"
    if isinstance(event, e.WagerSettled):
        return f"{what} {voice.amount(event.amount)} {_outcome(voice, event)}"
    back = voice.amount(event.placed - event.amount)
    return f"{what} {voice.amount(event.placed)} is covered for {voice.amount(event.amount)}, and {back} goes back"


def _outcome(voice: Voice, event: e.WagerSettled) -> str:
    paid, returned = voice.amount(event.paid), voice.amount(event.returned)
    match event.outcome:
        case "win" if event.items:
            kept = f", {returned} of the stake back" if event.returned else ", stake not returned"
            return f"wins {paid}: {join_names(_item(voice, item) for item in event.items)}{kept}"
        case "win":
            kept = "" if event.returned == event.amount else f", {returned} of the stake back"
            return f"wins {paid}{_odds(voice, event)}{kept}"
        case "lose" if event.taken_back:
            return f"is forfeit: the {voice.amount(event.taken_back)} that it brought is taken back"
        case "lose":
            return f"loses all but {returned}" if event.returned else "loses"
        case "push":
            return "pushes, stake back"
        case "returned" if event.bank_left is None:
            return "goes back"
        case "returned" if event.bank_left:
            return f"goes back: the {voice.amount(event.bank_left)} that the bank has left cover none of it"
        case "returned":
            return "goes back: the bank has nothing left to cover it"
        case _:
            return f"is {event.outcome}, {returned} back"


def _odds(voice: Voice, event: e.WagerSettled) -> str:
    """The odds of a win; where a player banks, also whether the bank paid all that was due, and what it has left."""
    if event.odds is None:
        return ""
    if event.bank_left is None:
        return f" at {event.odds}"
    numerator, denominator = map(int, event.odds.split(":"))
    due = event.amount * numerator // denominator
    short = f" of the {voice.amount(due)} due" if event.paid < due else ""
    left = f"has {voice.amount(event.bank_left)} left to pay with" if event.bank_left else "is used up"
    return f"{short} at {event.odds}, and the bank {left}"


def _item(voice: Voice, item: e.Item) -> str:
    amount = voice.amount(item.amount)
    match item.item:
        case "odds":
            return f"{amount} at {item.odds} for {words(item.of)}"
        case "meter":
            return f"{amount} of the meter"
        case "envy":
            return f"{amount} envy for {plain(item.of)}'s hand"


def _void(voice: Voice, void: e.WagerReversed) -> str:
    whose = f"{plain(void.player)}'s {voice.wager(void.wager)} of {voice.amount(void.amount)}"
    return f"{whose}, box {void.box}, is void"


def tell_reversed(voice: Voice, void: e.WagerReversed, before: Sequence[e.Event] | None = None) -> str:
    """The sentence of a void. With the events before it, it says what the wager had won."""
    if before is None:
        return f"{_void(voice, void)}: the stake goes back, and anything that it had won is taken back"
    paid = _paid(void, before)
    won = f"{voice.amount(paid)} that it won is taken back, and " if paid else ""
    return f"{_void(voice, void)}: {won}the stake goes back"


def _paid(void: e.WagerReversed, before: Sequence[e.Event]) -> int:
    """What the wager had won in its own round, and not a wager on the same spot in an earlier one."""
    spot = (void.player, void.box, void.wager)
    for event in reversed(before):
        match event:
            case e.WagerSettled() if (event.player, event.box, event.wager) == spot:
                return event.paid
            case e.WagerPlaced() if (event.player, event.box, event.wager) == spot:
                return 0
            case e.WarDeclared() if (event.player, event.box, "war") == spot:
                return 0
    return 0


def preview_reversed(voice: Voice, void: e.WagerReversed, laid: Wager) -> str:
    """What would become of a wager if it were void, by what has come of it so far."""
    net = 0 if laid.outcome is None else laid.paid + laid.returned - laid.amount
    if laid.outcome is None:
        follows = "it goes back"
    elif net == 0:
        follows = "it had come out even, nothing moves"
    elif net > 0:
        follows = f"it had won {voice.amount(net)}, which is taken back"
    else:
        follows = f"it had lost {voice.amount(-net)}, which goes back"
    return f"{_void(voice, void)}: {follows}"
