"""The round record: parse it, replay it, tell it, write it.

>>> import casinowar
>>> from casinowar import records
>>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
>>> played = session.play_round()
>>> text = records.write(session.record())
>>> record = records.parse(text)
>>> records.replay(record).table.players
{'ana': 10001}
>>> print(records.tell(record).splitlines()[-3].strip())
At the close
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from casinowar.records.parse import Record, RecordError, parse_record, read_json, read_toml
from casinowar.records.replay import Replay, replay
from casinowar.records.result import result
from casinowar.records.write import format_record

__all__ = [
    "Record",
    "RecordError",
    "Replay",
    "parse",
    "parse_record",
    "read_json",
    "read_toml",
    "replay",
    "result",
    "tell",
    "write",
]


def parse(source: Mapping[str, Any] | str | Path) -> Record:
    """The record in a file, in a text of TOML or JSON, or as data already.

    >>> parse('{"format": "casinowar-record/1", "rulebook": "nz", "shoe": "", "acts": []}').rulebook.id
    'nz'
    """
    if isinstance(source, Mapping):
        return parse_record(source)
    if not isinstance(source, Path | str):
        raise TypeError(f"a record is a text of TOML or JSON, a Path or a mapping, and not {source!r}")
    text = source.read_text("utf-8") if isinstance(source, Path) else source
    is_json = text.lstrip().startswith("{")
    return parse_record(read_json(text) if is_json else read_toml(text))


def write(record: Mapping[str, Any], file: Path | None = None) -> str:
    """The record as text, and into the file where one is named: TOML, or JSON for a file that ends so.

    >>> write({"rulebook": "nz"})
    'rulebook = "nz"\\n'
    """
    text = format_record(dict(record), ".toml" if file is None else file.suffix)
    if file is not None:
        file.write_text(text, "utf-8")
    return text


def tell(record: Record, replayed: Replay | None = None) -> str:
    """What happened, as a person would tell it, each ruling with its clauses.

    >>> "At the close" in tell(parse({"format": "casinowar-record/1", "rulebook": "nz", "shoe": "", "acts": []}))
    True
    """
    from casinowar.records import narrative

    return narrative.tell(record, replay(record) if replayed is None else replayed)
