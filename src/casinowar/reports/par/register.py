"""What the register of ambiguities says of each reading, packed so that sheets can be made without the page."""

import re
import tomllib
from functools import cache
from importlib.resources import files

import msgspec

PACKED = "register.toml"


class Entry(msgspec.Struct, frozen=True):
    """An ambiguity: what is unclear, the readings, the one that the book takes, why, and what hangs on it."""

    question: str
    readings: str
    taken: str
    why: str
    changes: str


@cache
def load_register() -> dict[str, Entry]:
    """The entries by their ids, as packed. The dict is shared: do not change it."""
    text = (files("casinowar.reports.par") / PACKED).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Entry])


def parse_register(text: str) -> dict[str, Entry]:
    """The entries of the register's page."""
    sections = re.findall(r"^## (AMB-\d+)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    return {name: _entry(body) for name, body in sections}


def dump_register(entries: dict[str, Entry]) -> str:
    """The register as TOML: a table for each entry."""
    tables = (
        "\n".join(
            [f"[{name}]", *(f"{field} = {_quote(text)}" for field, text in msgspec.structs.asdict(entry).items())]
        )
        for name, entry in entries.items()
    )
    return "# Packed from docs/ambiguities.md by `python -m casinowar.reports.par`.\n\n" + "\n\n".join(tables) + "\n"


def _entry(body: str) -> Entry:
    question, *items = re.split(r"^- ", body, flags=re.MULTILINE)
    fields = dict(" ".join(item.split()).partition(": ")[::2] for item in items)
    return Entry(
        question=_plain(question).strip("* "),
        readings=_plain(fields["Readings"]),
        taken=_plain(fields["Taken"]),
        why=_plain(fields["Why"]),
        changes=_plain(fields["Changes"]),
    )


def _plain(text: str) -> str:
    """The text without line ends, marks of code, and the addresses of links."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(text.split())).replace("`", "")


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
