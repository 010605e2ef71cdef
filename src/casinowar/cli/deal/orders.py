"""Orders that a dealer types at a table of real cards: who does what, with which card or how many chips."""

from collections.abc import Callable

from casinowar.cli.deal.arguments import (
    OrderError,
    Words,
    find_player,
    parse_box,
    parse_chips,
    parse_count,
    parse_face,
    parse_stakes,
)
from casinowar.cli.deal.typed_acts import read_operation
from casinowar.dealers import RealTable
from casinowar.engine import commands as c

Reader = Callable[[RealTable, Words], list[c.Command]]


def _bet(real: RealTable, words: Words) -> list[c.Command]:
    stakes = parse_stakes(real, words, "bet NAME BOX AMOUNT, or bet NAME BOX tie AMOUNT")
    return [c.PlaceWager(player=who, box=box, wager=wager, amount=much) for who, box, wager, much in stakes]


def _amend(real: RealTable, words: Words) -> list[c.Command]:
    stakes = parse_stakes(real, words, "amend NAME BOX [WAGER] AMOUNT, with the new total")
    return [c.AmendWager(player=who, box=box, wager=wager, amount=much) for who, box, wager, much in stakes]


def _withdraw(real: RealTable, words: Words) -> list[c.Command]:
    stakes = parse_stakes(real, [*words, "1"], "withdraw NAME BOX [WAGER]")
    return [c.WithdrawWager(player=who, box=box, wager=wager) for who, box, wager, _ in stakes]


def _chooser(real: RealTable, words: Words, verb: str) -> tuple[str, int, str]:
    """The player who chooses, the box, and the words left over. They need not be typed where only one can choose."""
    asked = real.table.round.asked if real.table.phase == "deciding" else ()
    named = find_player(real, words[0]) if words else None
    boxes = [(player, box) for box, player in asked if named in (None, player)]
    if len(words) >= 2:
        return find_player(real, words[0]), parse_box(words[1]), " ".join(words[2:])
    if len(boxes) != 1:
        raise OrderError(f"Type {verb} NAME BOX.")
    return (*boxes[0], "")


def _war(real: RealTable, words: Words) -> list[c.Command]:
    player, box, _ = _chooser(real, words, "war")
    return [c.GoToWar(player=player, box=box)]


def _surrender(real: RealTable, words: Words) -> list[c.Command]:
    player, box, reason = _chooser(real, words, "surrender")
    return [c.Surrender(player=player, box=box, reason=reason)]


def _buy(real: RealTable, words: Words) -> list[c.Command]:
    if len(words) < 2:
        who = words[0] if words else "NAME"
        raise OrderError(f"{'How much' if words else 'Who, and how much'}? Type buy {who} AMOUNT.")
    return [c.BuyIn(player=find_player(real, words[0]), amount=parse_chips(" ".join(words[1:])))]


def _seat(real: RealTable, words: Words) -> list[c.Command]:
    if len(words) != 2:
        raise OrderError("Type seat NAME BOX.")
    return [c.SeatPlayer(player=find_player(real, words[0]), box=parse_box(words[1]))]


def _for_player(make: Callable[[str], c.Command], usage: str) -> Reader:
    def read(real: RealTable, words: Words) -> list[c.Command]:
        if len(words) != 1:
            raise OrderError(f"Type {usage}.")
        return [make(find_player(real, words[0]))]

    return read


def _cut(real: RealTable, words: Words) -> list[c.Command]:
    """`cut card` says that the cutting card shows; otherwise somebody cuts, in the middle unless a depth is named."""
    if [word.lower() for word in words] == ["card"]:
        return [c.ShowCutCard()]
    following = real.next_step
    due = following.command if following is not None and following.act == "cut" else None
    player = due.player if isinstance(due, c.Cut) else None
    position = 26 * real.rules.shoe.decks
    if words and not words[0].isdigit():
        player, words = find_player(real, words[0]), words[1:]
    usage = "cut NAME, or cut NAME DEPTH; cut card when the cutting card shows"
    return [c.Cut(player=player, position=parse_count(words, usage) if words else position)]


def _bank(real: RealTable, words: Words) -> list[c.Command]:
    if len(words) < 3:
        raise OrderError("Type bank NAME BOX STAKE.")
    stake = parse_chips(" ".join(words[2:]))
    return [c.AcceptBank(player=find_player(real, words[0]), box=parse_box(words[1]), stake=stake)]


def _fix(real: RealTable, words: Words) -> list[c.Command]:
    if len(words) != 1:
        raise OrderError("Type fix and the card that lies there, such as fix kd.")
    return [c.CorrectCard(card=parse_face(words[0]))]


def _for_count(make: Callable[[int], c.Command], usage: str) -> Reader:
    return lambda real, words: [make(parse_count(words, usage))]


READERS: dict[str, Reader] = {
    "bet": _bet,
    "amend": _amend,
    "withdraw": _withdraw,
    "war": _war,
    "surrender": _surrender,
    "buy": _buy,
    "seat": _seat,
    "leave": _for_player(lambda player: c.VacateSeat(player=player), "leave NAME"),
    "cut": _cut,
    "pass": _for_player(lambda player: c.DeclineCut(player=player), "pass NAME, who does not want to cut"),
    "bank": _bank,
    "decline": _for_player(lambda player: c.DeclineBank(player=player), "decline NAME, who does not want to bank"),
    "relinquish": _for_player(lambda player: c.RelinquishBank(player=player), "relinquish NAME, who gives up the bank"),
    "dealer": _for_player(lambda dealer: c.ChangeDealer(dealer=dealer), "dealer NAME"),
    "fix": _fix,
    "time": _for_count(lambda minutes: c.Tick(seconds=60 * minutes), "time MINUTES"),
    "load": _for_count(lambda cards: c.LoadShoe(cards=cards), "load CARDS, where the stack has not the usual number"),
    "marker": _for_count(
        lambda cards: c.PlaceMarker(from_back=cards), "marker CARDS: how many lie behind the cutting card"
    ),
    "act": read_operation,
}
