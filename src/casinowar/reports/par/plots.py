"""Plots as inline SVG: bars and the funnel of hold bands. Patterns and dashes, not colours, tell things apart."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor, log10, sqrt

from casinowar.reports.par.data import Outcome, WagerSheet
from casinowar.reports.par.labels import gain, percent
from casinowar.reports.par.luck import LEVELS, ROUNDS, Z

WIDTH = 720
_LABELS = 250
_LETTERS = 36
_ROW = 20
_TOP = 8
_DASHES = {90: "none", 95: "7 3", 99: "2 3"}
_FILLS = {"gain": "#333", "even": "#fff", "loss": "url(#hatch)"}

PATTERNS = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>'
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" fill="#fff"/><line x1="0" y1="0" x2="0" y2="6" stroke="#333" stroke-width="3"/>'
    "</pattern></defs></svg>"
)
"""What the plots of a page share."""


def distribution(sheet: WagerSheet) -> str:
    """Draw how likely each outcome is, by powers of ten where some are too rare for plain lengths."""
    least = min(float(one.probability) for one in sheet.outcomes)
    return _likelihood_by_powers(sheet.outcomes, least) if least < 0.004 else _likelihood(sheet.outcomes)


def contributions(sheet: WagerSheet) -> str:
    """Draw what each outcome adds to the return, losses to the left and gains to the right."""
    values = [float(one.contribution) for one in sheet.outcomes]
    left, right = _LABELS + 78, WIDTH - 78
    low, high = min(0.0, *values), max(0.0, *values)
    scale = (right - left) / ((high - low) or 1)
    zero = left - low * scale
    height = _TOP + _ROW * len(values) + 24
    parts = [_line(zero, _TOP, zero, height - 22)]
    for row, (one, value) in enumerate(zip(sheet.outcomes, values, strict=True)):
        y = _TOP + row * _ROW
        end = zero + value * scale
        parts += [
            _label(one, y),
            _bar(min(zero, end), y, abs(end - zero), one),
            _text(end - 6, y + 14, _added(value), "end")
            if value < 0
            else _text(end + 6, y + 14, _added(value), "start"),
        ]
    parts.append(
        _text(
            (_LABELS + WIDTH) / 2,
            height - 6,
            "contribution to the return, units for one unit wagered",
            "middle",
            "axis",
        )
    )
    return _svg(height, parts, f"{sheet.title}: contribution of each outcome to the return")


def funnel(sheet: WagerSheet) -> str:
    """Draw the hold bands around the edge, which narrow with the rounds."""
    left, right, top, bottom = 84, WIDTH - 16, 12, 212
    edge, most = float(sheet.house_edge), Z[99] * sheet.sd / sqrt(ROUNDS[0]) or 0.01
    first, last = log10(ROUNDS[0]), log10(ROUNDS[-1])

    def x(power: float) -> float:
        return left + (power - first) / (last - first) * (right - left)

    def y(hold: float) -> float:
        return top + (edge + most - hold) / (2 * most) * (bottom - top)

    parts = []
    for tick in _ticks(edge - most, edge + most):
        parts += [
            _grid(left, y(tick), right, y(tick)),
            _text(left - 8, y(tick) + 4, percent(tick, 1 if most < 1 else 0), "end"),
        ]
    for power in range(round(first), round(last) + 1):
        parts += [
            _grid(x(power), top, x(power), bottom),
            _text(x(power), bottom + 18, f"{10**power:,}", "end" if power == last else "middle"),
        ]
    powers = [first + step / 20 for step in range(round((last - first) * 20) + 1)]
    for level in LEVELS:
        for side in (1, -1):
            points = [(x(power), y(edge + side * Z[level] * sheet.sd / sqrt(10**power))) for power in powers]
            parts.append(_curve(points, _DASHES[level]))
    parts.append(f'<line x1="{left}" y1="{y(edge):.1f}" x2="{right}" y2="{y(edge):.1f}" class="edge"/>')
    for row, level in enumerate(reversed(LEVELS)):
        at = top + 14 + row * 18
        parts += [
            _curve([(right - 178, at), (right - 138, at)], _DASHES[level]),
            _text(right - 130, at + 4, f"{level} % of the time", "start"),
        ]
    at = top + 14 + len(LEVELS) * 18
    parts += [
        f'<line x1="{right - 178}" y1="{at}" x2="{right - 138}" y2="{at}" class="edge"/>',
        _text(right - 130, at + 4, f"edge {percent(edge, 2)}", "start"),
        _text((left + right) / 2, bottom + 38, "rounds", "middle", "axis"),
        f'<text transform="translate(14 {(top + bottom) / 2:.0f}) rotate(-90)" text-anchor="middle" class="axis">'
        "hold of the house</text>",
    ]
    return _svg(bottom + 46, parts, f"{sheet.title}: hold bands by rounds")


def _likelihood(outcomes: Sequence[Outcome]) -> str:
    top = max(float(one.probability) for one in outcomes)
    ticks = [tick for tick in _ticks(0, top) if tick <= top]
    scale = (WIDTH - 100 - _LABELS) / top
    return _likelihood_bars(
        outcomes, [(tick, f"{tick * 100:g} %") for tick in ticks], lambda chance: chance * scale, ""
    )


def _likelihood_by_powers(outcomes: Sequence[Outcome], least: float) -> str:
    lowest = floor(log10(least))
    scale = (WIDTH - 100 - _LABELS) / -lowest
    ticks = [(10.0**power, f"10^{power}" if power else "1") for power in range(lowest, 1)]
    return _likelihood_bars(outcomes, ticks, lambda chance: (log10(chance) - lowest) * scale, ", by powers of ten")


def _likelihood_bars(
    outcomes: Sequence[Outcome], ticks: list[tuple[float, str]], length: Callable[[float], float], how: str
) -> str:
    height = _TOP + _ROW * len(outcomes) + 42
    parts = []
    for value, name in ticks:
        at = _LABELS + length(value)
        parts += [_grid(at, _TOP, at, height - 40), _power(at, height - 24, name)]
    for row, one in enumerate(outcomes):
        y = _TOP + row * _ROW
        size = length(float(one.probability))
        parts += [
            _label(one, y),
            _bar(_LABELS, y, size, one),
            _text(_LABELS + size + 6, y + 14, _chance(one), "start"),
        ]
    parts += [
        _line(_LABELS, _TOP, _LABELS, height - 40),
        _text((_LABELS + WIDTH - 100) / 2, height - 6, f"probability{how}", "middle", "axis"),
    ]
    return _svg(height, parts, f"probability of each outcome{how}")


def _chance(one: Outcome) -> str:
    """The chance of an outcome, with enough digits for a rare one."""
    chance = float(one.probability)
    return percent(chance, 4 if chance >= 0.0001 else 6)


def _added(value: float) -> str:
    return gain(value, 6 if abs(value) < 10 else 2)


def _power(x: float, y: float, name: str) -> str:
    base, mark, power = name.partition("^")
    if not mark:
        return _text(x, y, name, "middle")
    raised = f'<tspan dy="-5" font-size="9">{power.replace("-", "−")}</tspan>'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{base}{raised}</text>'


def _ticks(low: float, high: float) -> list[float]:
    """Three to seven round values between two ends."""
    span = (high - low) or 1.0
    step = 10.0 ** floor(log10(span))
    step *= next(part for part in (0.2, 0.5, 1, 2) if span / (step * part) <= 7)
    return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _kind(one: Outcome) -> str:
    return "gain" if one.net > 0 else "loss" if one.net < 0 else "even"


def _label(one: Outcome, y: float) -> str:
    name = one.name if len(one.name) <= _LETTERS else f"{one.name[: _LETTERS - 1]}…"
    return _text(_LABELS - 8, y + 14, name, "end")


def _bar(x: float, y: float, width: float, one: Outcome) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y + 3:.1f}" width="{max(width, 0.8):.1f}" height="{_ROW - 6}" '
        f'fill="{_FILLS[_kind(one)]}" stroke="#333"/>'
    )


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    styled = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{styled}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#111"/>'


def _grid(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="grid"/>'


def _curve(points: Iterable[tuple[float, float]], dashes: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="#111" stroke-width="1.3" stroke-dasharray="{dashes}"/>'


def _svg(height: float, parts: Iterable[str], title: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
