"""A stretch of rounds as one SVG with both themes inside: a line for each player over exact bands of what may come."""

from collections.abc import Sequence
from html import escape

import msgspec

from casinowar.pictures.felt_scene import amount
from casinowar.pictures.theme import class_of, style

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 78, 548, 84, 246
APART = 15
MOST_LETTERS, MOST_SAID = 8, 72


class Course(msgspec.Struct, frozen=True):
    """What one player had won after each of the rounds that are drawn.

    >>> from casinowar.pictures import Course
    >>> Course("ana", (0, 500, -500)).sums[-1]
    -500
    """

    player: str
    sums: tuple[int, ...]


class StretchScene(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds that were played. `after` are the rounds that are drawn, the first one 0, and `courses` go by them.

    `levels` have for each of them the four edges of the bands, from the lowest, and `expected` what play comes to on
    average; both are empty where there is nothing to compare with. `says` are the wagers, `note` is about the bands.

    >>> from casinowar.pictures import Course, StretchScene, plain_stretch
    >>> courses = (Course("ana", (0, 500, -500)),)
    >>> scene = StretchScene(title="2 rounds", says="", note="", after=(0, 1, 2), courses=courses)
    >>> plain_stretch(scene).splitlines()[0]
    '2 rounds'
    """

    title: str
    says: str
    note: str
    after: tuple[int, ...]
    courses: tuple[Course, ...]
    expected: tuple[float, ...] = ()
    levels: tuple[tuple[float, ...], ...] = ()


def plain_stretch(scene: StretchScene) -> str:
    """The scene in plain lines: what each player had won in the end, and what play comes to on average.

    >>> course = Course("ana", (0, 25, 50))
    >>> scene = StretchScene(title="2 rounds, nz", says="War 25", note="", after=(0, 1, 2), courses=(course,))
    >>> print(plain_stretch(scene))
    2 rounds, nz
      War 25
      ana +50, lowest 0, highest +50
    """
    lines = [scene.title, *([f"  {scene.says}"] if scene.says else [])]
    lines += [f"  {_course_words(course)}" for course in scene.courses]
    if scene.expected:
        lines.append(f"  expected {_rounded(scene.expected[-1])}")
    return "\n".join(lines)


def _course_words(course: Course) -> str:
    low, high = min(course.sums), max(course.sums)
    last, lowest, highest = (amount(one, signed=True) for one in (course.sums[-1], low, high))
    return f"{course.player} {last}, lowest {lowest}, highest {highest}"


def _rounded(value: float) -> str:
    return amount(round(value), signed=True)


class Plot(msgspec.Struct, frozen=True):
    """Where a sum after some rounds lies in the picture."""

    low: float
    high: float
    after: tuple[int, ...]

    def x(self, after: int) -> float:
        """The place of a round from the left."""
        return LEFT + (RIGHT - LEFT) * after / (self.after[-1] or 1)

    def y(self, value: float) -> float:
        """The place of a sum from above."""
        return BOTTOM - (BOTTOM - TOP) * (value - self.low) / ((self.high - self.low) or 1)

    def points(self, values: Sequence[float]) -> list[str]:
        """A line through these sums."""
        return [f"{self.x(at):.1f} {self.y(one):.1f}" for at, one in zip(self.after, values, strict=True)]


def stretch_svg(scene: StretchScene) -> str:
    """The scene as SVG.

    >>> from casinowar.pictures import Course, StretchScene, stretch_svg
    >>> courses = (Course("ana", (0, 500, -500)),)
    >>> stretch_svg(StretchScene(title="2 rounds", says="", note="", after=(0, 1, 2), courses=courses))[:4]
    '<svg'
    """
    own = class_of(scene)
    every = [float(one) for course in scene.courses for one in course.sums]
    every += [edge for level in scene.levels for edge in level]
    plot = Plot(min(0.0, *every), max(0.0, *every), scene.after)
    words = scene.says if len(scene.says) <= MOST_SAID else scene.says[: MOST_SAID - 1] + "…"
    told = "; ".join(map(_course_words, scene.courses))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" '
        f'class="{own}" style="max-width:100%;height:auto"><title>{escape(scene.title)}</title>'
        f"<desc>{escape(told)}.</desc><style>{style(own)}</style>"
        f'<rect class="surface" width="{WIDTH}" height="{HEIGHT}" rx="12"/>'
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="12" fill="none" class="rule"/>'
        f'<text class="ink serif" x="20" y="37" font-size="22">{escape(scene.title)}</text>'
        f'<text class="ink2" x="20" y="58" font-size="13">{escape(words)}</text>{_head(scene)}'
        f"{_bands(scene, plot)}{_grid(plot)}{_mean(scene, plot)}{_courses(scene, plot)}"
        f'<text class="ink2" x="{LEFT}" y="266" font-size="13">1</text>'
        f'<text class="ink2" x="{RIGHT}" y="266" font-size="13" text-anchor="end">{scene.after[-1]:,}</text>'
        f'<text class="ink2" x="20" y="288" font-size="12">{escape(scene.note)}</text></svg>'
    )


def _head(scene: StretchScene) -> str:
    """The sum of a player who is alone, and what was to be expected."""
    head = ""
    if len(scene.courses) == 1:
        total = amount(scene.courses[0].sums[-1], signed=True)
        head += f'<text class="ink serif" x="620" y="38" font-size="26" text-anchor="end">{total}</text>'
    if scene.expected:
        words = f"expected {_rounded(scene.expected[-1])}"
        head += f'<text class="ink2" x="620" y="58" font-size="13" text-anchor="end">{words}</text>'
    return head


def _bands(scene: StretchScene, plot: Plot) -> str:
    if not scene.levels:
        return ""
    lowest, low, high, highest = (plot.points(edge) for edge in zip(*scene.levels, strict=True))
    return (
        f'<path class="outer edge" d="M{" ".join([*highest, *reversed(lowest)])} Z"/>'
        f'<path class="half" d="M{" ".join([*high, *reversed(low)])} Z"/>'
    )


def _mean(scene: StretchScene, plot: Plot) -> str:
    if not scene.expected:
        return ""
    return f'<path class="mean" fill="none" stroke-dasharray="5 4" d="M{" ".join(plot.points(scene.expected))}"/>'


def _grid(plot: Plot) -> str:
    """Lines at a round sum above and below nothing, with their words."""
    mark = round_below(max(plot.high, -plot.low))
    marks = [one for one in (mark, 0, -mark) if plot.low <= one <= plot.high]
    return "".join(
        f'<path class="rule" d="M{LEFT} {plot.y(one):.1f} H{RIGHT}"/><text class="ink2" x="{LEFT - 8}" '
        f'y="{plot.y(one) + 4.5:.1f}" font-size="13" text-anchor="end">'
        f"{amount(one, signed=True) if one else 'even'}</text>"
        for one in dict.fromkeys(marks)
    )


def round_below(value: float) -> int:
    """The greatest of 1, 2, 3, 5 with noughts behind it that is not above the value.

    >>> [round_below(one) for one in (0, 7, 375, 1_999)]
    [0, 5, 300, 1000]
    """
    if value < 1:
        return 0
    ten = int("1" + "0" * (len(str(int(value))) - 1))
    return max(one * ten for one in (1, 2, 3, 5) if one * ten <= value)


def _courses(scene: StretchScene, plot: Plot) -> str:
    """A line for each player and its sum at its end; sums of several players stand apart from each other."""
    is_alone = len(scene.courses) == 1
    line, ink = ("mine", "brass") if is_alone else ("mean", "ink")
    drawn = "".join(
        f'<path d="M{" ".join(plot.points(course.sums))}" fill="none" class="{line}" stroke-width="2.4" '
        f'stroke-linejoin="round"/><circle class="{"dot" if is_alone else "far"}" cx="{RIGHT}" '
        f'cy="{plot.y(course.sums[-1]):.1f}" r="5"/>'
        for course in scene.courses
    )
    ordered = sorted(scene.courses, key=lambda course: -course.sums[-1])
    places = spread([plot.y(course.sums[-1]) for course in ordered])
    labels = "".join(
        f'<text class="{ink}" x="{RIGHT + 10}" y="{at + 4.5:.1f}" font-size="{13 if is_alone else 11}" '
        f'font-weight="600">{escape(_label(course, is_alone))}</text>'
        for course, at in zip(ordered, places, strict=True)
    )
    return drawn + labels


def _label(course: Course, is_alone: bool) -> str:
    total = amount(course.sums[-1], signed=True)
    name = course.player if len(course.player) <= MOST_LETTERS else course.player[: MOST_LETTERS - 1] + "…"
    return total if is_alone else f"{name} {total}"


def spread(places: Sequence[float]) -> list[float]:
    """The places in descending order of height, each at least `APART` below the one before, none below the picture.

    >>> spread([90, 92, 200])
    [90, 105, 200]
    """
    found: list[float] = []
    for at in places:
        found.append(max(at, found[-1] + APART) if found else at)
    beyond = max(0.0, found[-1] - BOTTOM) if found else 0.0
    return [at - beyond for at in found] if beyond else found
