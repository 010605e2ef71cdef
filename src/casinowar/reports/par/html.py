"""A PAR sheet as one HTML file: no script, no address, plots inline, made to be printed in black and white."""

from importlib.resources import files
from itertools import groupby

from casinowar.extras import require

require("casinowar.reports.par.html", "report", "jinja2")

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from casinowar.reports.par import labels, plots
from casinowar.reports.par.data import Reading, Sheet
from casinowar.reports.par.luck import LEVELS, Z
from casinowar.reports.par.register import Entry

TEMPLATE = "sheet.html.jinja"


def render(sheet: Sheet) -> str:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(
        {
            "decimal": labels.decimal,
            "signed": labels.gain,
            "percent": labels.percent,
            "fraction": labels.fraction,
            "net": labels.net,
            "count": "{:,}".format,
            "first_capital": labels.capital,
            "distribution": lambda wager: Markup(plots.distribution(wager)),
            "contributions": lambda wager: Markup(plots.contributions(wager)),
            "funnel": lambda wager: Markup(plots.funnel(wager)),
        }
    )
    text = (files("casinowar.reports.par") / TEMPLATE).read_text(encoding="utf-8")
    return environment.from_string(text).render(
        sheet=sheet,
        pays=[list(pays) for _, pays in groupby(sheet.pays, key=lambda pay: pay.wager)],
        readings=_by_ambiguity(sheet),
        levels=LEVELS,
        z=Z,
        patterns=Markup(plots.PATTERNS),
    )


def _by_ambiguity(sheet: Sheet) -> list[tuple[str, Entry, list[Reading]]]:
    """An entry of the register is told once, beside all leaves that rest on it."""
    groups = [list(leaves) for _, leaves in groupby(sheet.readings, key=lambda one: one.ambiguity)]
    return [(leaves[0].ambiguity, leaves[0].register, leaves) for leaves in groups]
