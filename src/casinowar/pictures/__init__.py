"""Pictures of cards, chips, a table, a round, a stretch of rounds and a page of rules, as text, SVG and HTML.

They know no rule.

Everything here is a function of plain values, without script, font or file from outside, so that a notebook can show
it and a file can hold it.
"""

from casinowar.pictures.felt_scene import BoxScene, Scene
from casinowar.pictures.plain_table import plain_table
from casinowar.pictures.round_svg import Hand, RoundScene, Settled, plain_round, round_svg
from casinowar.pictures.rule_page import rule_page
from casinowar.pictures.stretch_svg import Course, StretchScene, plain_stretch, stretch_svg
from casinowar.pictures.table_svg import table_svg

__all__ = [
    "BoxScene",
    "Course",
    "Hand",
    "RoundScene",
    "Scene",
    "Settled",
    "StretchScene",
    "plain_round",
    "plain_stretch",
    "plain_table",
    "round_svg",
    "rule_page",
    "stretch_svg",
    "table_svg",
]
