"""The picture of a simulation as SVG: the fan of bankrolls, or every mean with its error beside the exact figure."""

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10
from typing import Any

from casinowar.cli.simulate.figures_text import tell_seed
from casinowar.sim import Result

Data = Mapping[str, Any]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 64, 24, 56, 48
INK, PALE, LINE, BAND = "#1d2430", "#667085", "#d0d5dd", "#2f6f9f"
BANDS = (("1%", "99%", 0.16), ("5%", "95%", 0.22), ("25%", "75%", 0.34))
ROW = 44
MOST_Z = 5.0


def draw(result: Result, data: Data) -> str:
    """The picture that fits: paths where nights were played, else means."""
    return _fan(data) if result.plan.session else _means(data)


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" role="img" aria-label="{escape(title)}" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="{INK}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>'
        f'<text x="{LEFT - 44}" y="24" font-size="16" font-weight="600">{escape(title)}</text>'
        f"{''.join(parts)}</svg>\n"
    )


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str = LINE, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width:g}"/>'


def _ticks(most: float, wanted: int = 5) -> list[float]:
    """Round numbers from 0 to the most."""
    rough = (most or 1) / wanted
    size: float = 10 ** floor(log10(rough))
    step = next(size * by for by in (1, 2, 5, 10) if size * by >= rough)
    return [step * at for at in range(int(most / step + 1e-9) + 1)]


def _fan(data: Data) -> str:
    paths = data["paths"]
    points = [0, *paths["points"]]
    last: int = points[-1]
    rows = {share: [paths["bankroll"], *row] for share, row in paths["bankrolls"].items()}
    most = max(max(row) for row in rows.values()) * 1.05 or 1.0

    def x(round_number: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * round_number / last

    def y(units: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * units / most

    parts = []
    for tick in _ticks(most):
        parts += [_line(LEFT, y(tick), WIDTH - RIGHT, y(tick)), _text(LEFT - 8, y(tick) + 4, f"{tick:g}", "end", PALE)]
    for tick in _ticks(points[-1]):
        parts.append(_text(x(tick), HEIGHT - BOTTOM + 20, f"{tick:,.0f}", "middle", PALE))
    for low, high, opacity in BANDS:
        edge = [(x(at), y(v)) for at, v in zip(points, rows[high], strict=True)]
        edge += [(x(at), y(v)) for at, v in reversed(list(zip(points, rows[low], strict=True)))]
        told = " ".join(f"{one:.1f},{two:.1f}" for one, two in edge)
        parts.append(f'<polygon points="{told}" fill="{BAND}" fill-opacity="{opacity}"/>')
    middle = " ".join(f"{x(at):.1f},{y(v):.1f}" for at, v in zip(points, rows["50%"], strict=True))
    parts.append(f'<polyline points="{middle}" fill="none" stroke="{BAND}" stroke-width="2"/>')
    told = f"{paths['nights']:,} nights with {paths['bankroll']:g} units; {paths['ruin']:.3%} ruined"
    parts += [
        _text(LEFT - 44, 43, f"{told}. Median, and the middle 50, 90 and 98 percent.", fill=PALE),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "rounds", "middle", PALE),
    ]
    return _svg(HEIGHT, f"Bankroll over a night, {data['rulebook']}", parts)


def _means(data: Data) -> str:
    named = data["wagers"]
    height = TOP + ROW * len(named) + BOTTOM + 12
    left, right = 170, WIDTH - 216
    middle = (left + right) / 2
    bottom = TOP + 12 + ROW * len(named)

    def x(z: float) -> float:
        return middle + (right - left) / 2 * max(-MOST_Z, min(MOST_Z, z)) / MOST_Z

    parts = [
        _text(
            LEFT - 44,
            43,
            f"{data['rounds']:,} rounds, {tell_seed(data['seed'])}. Bars: 1 and 2 standard errors.",
            fill=PALE,
        )
    ]
    for tick in range(-4, 5, 2):
        is_exact = tick == 0
        parts.append(_line(x(tick), TOP, x(tick), bottom, INK if is_exact else LINE, 1.5 if is_exact else 1))
        parts.append(_text(x(tick), bottom + 18, "exact" if is_exact else f"{tick:+d}", "middle", PALE))
    parts.append(_text(middle, bottom + 38, "standard errors from the exact figure", "middle", PALE))
    for at, (wager, one) in enumerate(named.items()):
        y = TOP + 12 + ROW * at + ROW / 2
        parts.append(_text(LEFT - 44, y + 4, wager))
        parts.append(_text(right + 14, y - 4, f"{one['mean']:+.7f} ± {one['standard_error']:.1e}"))
        exact = "no exact figure" if one["exact"] is None else f"exact {one['exact']['decimal']:+.7f}"
        parts.append(_text(right + 14, y + 13, exact, fill=PALE))
        if one["z"] is not None:
            z = one["z"]
            parts += [_line(x(z - 2), y, x(z + 2), y, BAND, 2), _line(x(z - 1), y, x(z + 1), y, BAND, 6)]
            parts.append(f'<circle cx="{x(z):.1f}" cy="{y:.1f}" r="5" fill="{INK}"/>')
    return _svg(height, f"Means beside the exact figures, {data['rulebook']}", parts)
