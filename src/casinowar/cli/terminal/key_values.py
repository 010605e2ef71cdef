"""KEY=VALUE as it is typed, and values clipped for the line of an error."""

from collections.abc import Iterable

import click

WORDS: dict[str, object] = {"true": True, "on": True, "false": False, "off": False}
LONGEST = 60


def clip(text: object) -> str:
    """A value as an error repeats it: not more than 60 characters of it."""
    told = str(text)
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 3]}..."


def clip_words(text: str, values: Iterable[object] = ()) -> str:
    """An error with these values clipped in it, and any other word that is longer than a value may be."""
    for value in values:
        text = text.replace(str(value), clip(value))
    return " ".join(clip(word) for word in text.split(" "))


def parse_settings(
    texts: Iterable[str], hint: str = "--set", example: str = "payout.war.on_tie=3:1", *, may_be_empty: bool = False
) -> dict[str, object]:
    """`payout.war.on_tie=3:1`, `shoe.decks=8`, `wager.tie=off`: numbers and truth values are read as such."""
    settings: dict[str, object] = {}
    for text in texts:
        key, separator, value = (part.strip() for part in text.partition("="))
        if not (key and separator and (value or may_be_empty)):
            raise click.BadParameter(f"{clip(text)!r}: write KEY=VALUE, as in {example}", param_hint=hint)
        is_number = value.isascii() and value.isdigit() and len(value) < 20
        settings[key] = int(value) if is_number else WORDS.get(value.lower(), value)
    return settings
