"""Amounts that would be accepted, as ranges: found by asking the decider's own ladder where its answer can change."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from math import lcm

from msgspec.structs import replace

from casinowar.engine.commands import AnnounceLimits, ChangeLimits, Command, Limit
from casinowar.engine.decide.limits import refuse_amount, refuse_together
from casinowar.engine.events import Refusal
from casinowar.engine.state import Spot, Table
from casinowar.rulebooks import Rulebook

Accepts = Callable[[int], bool]
ENDLESS = (1 << 63) - 1
"""Where a range stops that nothing bounds; a longer one has no `len` in Python."""

ANYBODY = "anybody"

Ladder = tuple[int, str, Limit, bool]
_KNOWN: dict[Ladder, tuple[Rulebook, tuple[range, ...]]] = {}
MOST_KNOWN = 256
"""Ladders of limits that are kept: one for each book, kind of wager and limit."""


def spot_totals(rules: Rulebook, table: Table, spot: Spot, laid: int) -> list[range]:
    """The totals that may lie on a spot, of which `laid` lies there already, in ascending ranges."""
    _, wager, player = spot
    top = laid + table.players[player]
    ranges = cut_off(_ladder(rules, table.limit_of(wager), wager, player in table.reminded), top)
    is_shared = wager != "progressive" and (rules.has_shared_limits or not table.floor.is_plain)
    if not is_shared or not ranges or refuse_together(rules, table, spot, ranges[-1][-1]) is None:
        return ranges
    beyond = range(1, ranges[-1][-1])
    room = bisect_left(beyond, True, key=lambda total: refuse_together(rules, table, spot, total) is not None)
    return cut_off(ranges, room)


def least_wager(rules: Rulebook, limit: Limit, wager: str = "initial") -> int | None:
    """The least that keeps the limit, else the least that would be taken; None where no wager is possible.

    It asks for somebody who has been told the limit.
    """
    ranges = _ladder(rules, limit, wager, is_reminded=True)
    for one in ranges:
        if one[-1] >= limit.minimum:
            return one[max(0, -(-(limit.minimum - one[0]) // one.step))]
    return ranges[0][0] if ranges else None


def refuse_limits(rules: Rulebook, command: Command) -> Refusal | None:
    """Refuse limits at which nobody could bet, for whoever takes commands: the engine decides logs that hold such."""
    if not isinstance(command, AnnounceLimits | ChangeLimits) or command.unit < 1:
        return None
    limit = Limit(minimum=command.minimum, maximum=command.maximum, unit=command.unit)
    return Refusal("no_limits") if least_wager(rules, limit) is None else None


def _ladder(rules: Rulebook, limit: Limit, wager: str, is_reminded: bool) -> tuple[range, ...]:
    """The totals that limits allow by themselves, whatever the player has and others have put down."""
    key = (id(rules), wager, limit, is_reminded)
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        alone = replace(rules, has_shared_limits=False)
        _KNOWN[key] = (rules, tuple(_climb(alone, limit, wager, is_reminded)))
    return _KNOWN[key][1]


def _climb(rules: Rulebook, limit: Limit, wager: str, is_reminded: bool) -> list[range]:
    """Ask the ladder, at a table where nothing else lies and nobody lacks chips."""
    reminded = frozenset([ANYBODY] if is_reminded else [])
    table = Table(limit=limit, players={ANYBODY: ENDLESS}, reminded=reminded)
    spot = (1, wager, ANYBODY)

    def accepts(total: int) -> bool:
        return refuse_amount(rules, table, spot, total, total) is None

    if wager == "progressive":
        return accepted_ranges(accepts, ENDLESS - 1, (), (rules.progressive.unit,))
    cuts = [limit.minimum, limit.minimum + 1]
    if limit.unit > 1:
        cuts += [limit.unit, limit.minimum + limit.unit]
    if limit.maximum is not None:
        cuts += [limit.maximum, limit.maximum + 1]
    steps = (1, 2, limit.unit, lcm(2, limit.unit)) if rules.limits.require_even else (1, limit.unit)
    return accepted_ranges(accepts, ENDLESS - 1, cuts, steps)


def cut_off(ranges: Iterable[range], top: int) -> list[range]:
    """The ranges as far as this amount."""
    return [
        one if one[-1] <= top else range(one[0], one[0] + (top - one[0]) // one.step * one.step + 1, one.step)
        for one in ranges
        if one[0] <= top
    ]


def accepted_ranges(accepts: Accepts, top: int, cuts: Iterable[int], steps: Iterable[int]) -> list[range]:
    """The accepted whole numbers from 1 to `top`.

    Between two cuts the answer is the same for all multiples of one of the steps and no for all other numbers, so that
    a few questions settle each stretch.
    """
    starts = sorted({1, *(cut for cut in cuts if 1 < cut <= top)})
    ordered = sorted(set(steps))
    ranges: list[range] = []
    for start, end in zip(starts, [*starts[1:], top + 1], strict=True):
        for step in ordered:
            first = -(-start // step) * step
            if first < end and accepts(first) and (first + step >= end or accepts(first + step)):
                _join(ranges, first, (end - 1) // step * step, step)
                break
    return ranges


def _join(ranges: list[range], first: int, last: int, step: int) -> None:
    """Add a stretch, to the one before it where both are one progression."""
    if ranges:
        before, gap = ranges[-1], first - ranges[-1][-1]
        if (len(before) == 1 or before.step == gap) and (first == last or step == gap):
            ranges[-1] = range(before[0], last + 1, gap)
            return
    ranges.append(range(first, last + 1, step))


def moved(ranges: Iterable[range], by: int, least: int = 1) -> list[range]:
    """The ranges moved down by so much, without what is below `least` then."""
    out = []
    for one in ranges:
        first = one[0] - by
        if first < least:
            first += -(-(least - first) // one.step) * one.step
        if first <= one[-1] - by:
            out.append(range(first, one[-1] - by + 1, one.step))
    return out
