"""docs/formats.md: every example is run, and its format and fields are those of the page."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.test_command_table import ROWS
from tests.support.commandline import run

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
EXAMPLES = re.findall(r"^\| `(casinowar-[a-z-]+/1)` \| `casinowar (.+?)` \| (`.+?) \| .+ \|$", PAGE, re.MULTILINE)
IN_A_HOUSE = re.findall(
    r"^\| `(casinowar-[a-z-]+/1)` \| `casinowar ([a-z ]+?)(?: [A-Z-].*?)?` \| [^|]+ \|$", PAGE, re.MULTILINE
)


@pytest.mark.parametrize(("format", "call", "fields"), EXAMPLES, ids=lambda words: words.split("`")[0][:40])
def test_an_example_prints_what_the_page_says(
    format: str, call: str, fields: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    args = shlex.split(call)
    done = run(*args, *([] if "--json" in args else ["--json"]))
    data = json.loads(done.out)
    assert data.pop("format") == format
    assert set(re.findall(r"`(\w+)`", fields)) == set(data)


def test_the_page_has_the_formats_of_all_commands() -> None:
    printed = {format for row in ROWS.values() for format in re.findall(r"`(casinowar-[a-z-]+/1)`", row[1])}
    assert len(EXAMPLES) > 12
    assert printed == {format for format, _, _ in EXAMPLES} | {format for format, _ in IN_A_HOUSE}
