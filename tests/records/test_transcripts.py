"""Readable transcripts: each record in `transcripts/` is told exactly as the text beside it.

CASINOWAR_UPDATE=1 writes the texts anew. Read the difference before you keep it.
"""

import os
from pathlib import Path

import pytest

from casinowar.records import parse_record, read_toml, replay
from casinowar.records.narrative import tell

FOLDER = Path(__file__).parents[1] / "transcripts"
RECORDS = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_transcript(file: Path) -> None:
    record = parse_record(read_toml(file.read_text(encoding="utf-8")))
    told = tell(record, replay(record)) + "\n"
    expected = file.with_suffix(".txt")
    if os.environ.get("CASINOWAR_UPDATE") == "1":
        expected.write_text(told, encoding="utf-8")
    assert told.splitlines() == expected.read_text(encoding="utf-8").splitlines()
    assert max(len(line) for line in told.splitlines()) <= 80


def test_every_text_has_its_record() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == {file.stem for file in RECORDS}
