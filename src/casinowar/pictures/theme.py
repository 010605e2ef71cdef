"""The theme of a picture: its colours by class, dark, and light where the reader's screen is."""

from zlib import crc32

from casinowar.pictures.felt_scene import Felt

SANS = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
SERIF = "'EB Garamond', 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, serif"
MONO = "ui-monospace, Consolas, 'DejaVu Sans Mono', monospace"

Colours = tuple[str, str]
"""In the dark, and in the light."""

FILLS: dict[str, Colours] = {
    "surface": ("#171A18", "#FBFAF6"),
    "outer": ("#212523", "#FFFFFF"),
    "half": ("#323734", "#DAD7D0"),
    "dot": ("#DAB56D", "#745519"),
    "far": ("#BFBEB6", "#434A44"),
}
LINES: dict[str, Colours] = {
    "rule": ("#323734", "#DAD7D0"),
    "edge": ("#6F7772", "#808179"),
    "mean": ("#BFBEB6", "#434A44"),
    "mine": ("#DAB56D", "#745519"),
    "war": ("#F28A6A", "#A73920"),
}
TEXTS: dict[str, Colours] = {
    "ink": ("#EEEBE2", "#1D2320"),
    "ink2": ("#BFBEB6", "#434A44"),
    "brass": ("#DAB56D", "#745519"),
    "win": ("#9BE5B4", "#1C5E39"),
}


PAPER: Colours = ("#FBF8F0", "#FFFFFF")
BORDER: Colours = ("#C9C2B2", "#5E6963")


def class_of(scene: object) -> str:
    """The class of a picture. Those of two pictures on one page must not reach into each other."""
    return f"cw{crc32(repr(scene).encode('utf-8', 'backslashreplace')):08x}"


def style(own: str, felt: Felt | None = None) -> str:
    """The style of a picture of this class, with the colours of a felt where it has one."""
    rules = [(f".{name}", "fill", both) for name, both in FILLS.items()]
    rules += [(f".{name}", "stroke", both) for name, both in LINES.items()]
    if felt is not None:
        cloth, lit, line = zip(*felt, strict=True)
        rules += [(".felt", "fill", cloth), (".lit", "fill", lit), (".line", "stroke", line)]
    rules += [(".paper", "fill", PAPER), (".paper", "stroke", BORDER), (".inner", "stroke", PAPER)]
    rules += [(f"text.{name}", "fill", both) for name, both in TEXTS.items()]
    dark, light = ("".join(f".{own} {name}{{{what}:{both[at]}}}" for name, what, both in rules) for at in (0, 1))
    return (
        f".{own} text{{font-family:{SANS};font-variant-numeric:lining-nums tabular-nums}}"
        f".{own} text.serif{{font-family:{SERIF}}}.{own} text.mono{{font-family:{MONO}}}"
        f".{own} .war{{stroke-width:6}}"
        f"{dark}@media(prefers-color-scheme:light){{{light}}}"
    )
