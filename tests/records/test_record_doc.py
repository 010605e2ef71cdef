"""The document of the round record: every act stands there with its fields, and nothing stands there that is no act."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

from casinowar.records.format import WRITTEN_ACTS
from casinowar.records.parse import TWO_SIGNED, Before

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "record.md"
ACTS: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in get_args(WRITTEN_ACTS)}


def part(begin: str, end: str) -> str:
    return DOCUMENT.read_text("utf-8").partition(f"\n{begin}\n")[2].partition(f"\n{end}\n")[0]


@cache
def rows() -> dict[str, tuple[str, str]]:
    """The fields and the words of each act."""
    found = re.findall(r"^\| `(\w+)` \|([^|\n]*)\|([^\n]*)\|$", part("## Acts", "## Before"), flags=re.MULTILINE)
    assert len({name for name, _, _ in found}) == len(found), "an act stands twice"
    return {name: (fields.strip(), words.strip()) for name, fields, words in found}


def choices(kind: Any) -> list[str]:
    kinds = [kind, *get_args(kind)]
    return [str(one) for each in kinds if get_origin(each) is Literal for one in get_args(each)]


def test_every_act_is_documented_and_nothing_else() -> None:
    assert sorted(rows()) == sorted(ACTS)


@pytest.mark.parametrize("name", ACTS)
def test_an_act_has_its_fields(name: str) -> None:
    """With a mark on those that may be left out; who signs is told once for all."""
    told = rows()[name][0].split(", ") if rows()[name][0] else []
    fields = [field for field in msgspec.structs.fields(ACTS[name]) if field.name not in ("by", "second")]
    assert sorted(told) == sorted(field.encode_name + ("" if field.required else "?") for field in fields)


@pytest.mark.parametrize("name", ACTS)
def test_what_a_field_may_be_is_told(name: str) -> None:
    """Beside the act, or once for all where it is a kind of wager."""
    text = rows()[name][1] + part("### A round", "Where a player banks:").partition("`wager` is")[2]
    for field in msgspec.structs.fields(ACTS[name]):
        for choice in choices(field.type):
            assert f"`{choice}`" in text, (field.name, choice)


def test_the_acts_that_two_sign_are_named() -> None:
    told = part("### Signatures", "## Before").partition("A second signature counts for ")[2].partition(";")[0]
    assert set(re.findall(r"`(\w+)`", told)) == TWO_SIGNED


def test_the_state_before_is_documented() -> None:
    told = re.findall(r"^\| `(\w+)` \|", part("## Before", "## Errors and refusals"), flags=re.MULTILINE)
    assert told == list(Before.__struct_fields__)
