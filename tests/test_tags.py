"""What stands in databases and files of others is pinned: tags, field names, format strings, migrations.

`tags.json` beside this test is kept by hand and compared with the code; nothing writes it. A name that is gone or
changed makes what was stored unreadable.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import casinowar
from casinowar import protocol as f
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.house.settings import BotSettings, TableSettings, Timers
from casinowar.rulebooks import Leaf
from casinowar.rulebooks.model import HouseNote
from casinowar.store.checkpoints import Checkpoint
from casinowar.store.contract import CommandRecord
from casinowar.store.envelope import FORMAT, UPCASTS, VERSIONS, Envelope
from casinowar.store.events import OWN
from casinowar.store.ledger import Posting
from tests.support.commandline import run

FILE = Path(__file__).with_name("tags.json")
PINNED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SOURCE = Path(str(casinowar.__file__)).parent
FORMATS = re.compile(r"casinowar-[a-z]+/\d+|casinowar/[a-z/]+/v\d+|casinowar practice shoe \d+")
VALUES = (
    c.Limit,
    c.Move,
    e.Item,
    Posting,
    Leaf,
    HouseNote,
    Envelope,
    CommandRecord,
    Checkpoint,
    TableSettings,
    Timers,
    BotSettings,
)
"""What is stored inside of events and commands, around them and beside them."""

UNIONS: dict[str, tuple[str, Iterable[type]]] = {
    "events": ("name", get_args(e.Event)),
    "own_events": ("name", OWN),
    "commands": ("do", get_args(c.Command)),
    "live_commands": ("do", get_args(f.LiveCommand)),
    "client_frames": ("type", get_args(f.ClientFrame)),
    "server_frames": ("type", get_args(f.ServerFrame)),
}
"""Each with the field that holds the tag."""

STORED = ("events", "own_events", "commands", "live_commands")
Fields = Mapping[str, str]


def tag_of(kind: type) -> str:
    config: Any = getattr(kind, "__struct_config__", None)
    return str(config.tag)


def fields_of(kind: Any) -> dict[str, str]:
    """Each field as it is written, and whether it may be left out."""
    return {one.encode_name: "required" if one.required else "default" for one in msgspec.structs.fields(kind)}


def name_faults(what: str, pinned: Iterable[str], found: Iterable[str]) -> Iterator[str]:
    """A sentence for every name that is gone, and for every one that nobody has pinned yet."""
    pinned, found = list(pinned), list(found)
    for name in pinned:
        if name not in found:
            yield f"{what}: {name!r} is gone, and what was stored with it can no longer be read: put it back"
    for name in found:
        if name not in pinned:
            yield f"{what}: {name!r} is new: add it by hand to tests/{FILE.name}, and never change it afterwards"
    for name in {name for name in found if found.count(name) > 1}:
        yield f"{what}: {name!r} is the tag of two things"


def field_faults(what: str, pinned: Fields, found: Fields) -> Iterator[str]:
    """The same for the fields of one thing that is stored."""
    for name, is_pinned in pinned.items():
        if name not in found:
            yield f"{what}: its field {name!r} is gone, and what was stored has it: put it back"
        elif (is_pinned, found[name]) == ("default", "required"):
            yield f"{what}: its field {name!r} had a default and has none now: what was stored may lack it"
        elif is_pinned != found[name]:
            yield f"{what}: its field {name!r} has a default now: note that by hand in tests/{FILE.name}"
    for name in found:
        if name not in pinned and found[name] == "required":
            yield f"{what}: its field {name!r} is new and has no default: what was stored lacks it: give it one"
        elif name not in pinned:
            yield f"{what}: its field {name!r} is new: add it by hand to tests/{FILE.name}"


@pytest.mark.parametrize("union", UNIONS)
def test_no_tag_is_gone_renamed_or_unknown(union: str) -> None:
    tag_field, kinds = UNIONS[union]
    assert not list(name_faults(union, PINNED[union], map(tag_of, kinds)))
    fields = {str(getattr(kind, "__struct_config__").tag_field) for kind in kinds}  # noqa: B009
    assert fields == {tag_field}


def test_engine_and_store_share_no_tag() -> None:
    assert not set(PINNED["events"]) & set(PINNED["own_events"])
    assert not set(PINNED["commands"]) & set(PINNED["live_commands"])


@pytest.mark.parametrize("union", STORED)
def test_no_field_of_what_is_stored_is_gone_or_new_without_a_default(union: str) -> None:
    kinds = {tag_of(kind): kind for kind in UNIONS[union][1]}
    told = (field_faults(tag, fields, fields_of(kinds[tag])) for tag, fields in PINNED[union].items() if tag in kinds)
    assert not [fault for faults in told for fault in faults]


def test_values_inside_of_what_is_stored_keep_their_fields() -> None:
    kinds = {kind.__name__: kind for kind in VALUES}
    assert not list(name_faults("values", PINNED["values"], kinds))
    told = (field_faults(name, fields, fields_of(kinds[name])) for name, fields in PINNED["values"].items())
    assert not [fault for faults in told for fault in faults]


def test_an_event_in_a_new_version_has_every_step_from_the_old_ones() -> None:
    assert FORMAT == 1
    assert PINNED["event_versions"] == VERSIONS
    steps = {(name, version) for name, current in VERSIONS.items() for version in range(1, current)}
    assert steps == set(UPCASTS)


def test_no_format_string_is_gone_or_unknown() -> None:
    """Wherever in the source they stand."""
    texts = (file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    found = sorted({one for text in texts for one in FORMATS.findall(text)})
    assert not list(name_faults("formats", PINNED["formats"], found))


def test_no_migration_is_changed() -> None:
    """A database has the digests of those that made it, and is refused by a program that has others."""
    scripts = SOURCE.rglob("*.sql")
    found = {_migration_name(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in scripts}
    assert not list(name_faults("migrations", PINNED["migrations"], found))
    changed = [name for name, digest in PINNED["migrations"].items() if found.get(name) != digest]
    assert not changed, f"{changed}: a migration that was run is never changed: write another one"


def _migration_name(file: Path) -> str:
    """Those of PostgreSQL are numbered from 1 as well."""
    return f"postgres/{file.name}" if "postgres" in file.parts else file.name


def test_odds_in_json_keep_their_fields() -> None:
    told = json.loads(run("odds", "--rulebook", "nz", "--json").out)
    assert not set(PINNED["odds_fields"]) - set(told), "others read these fields: put them back"


# The twins: each kind of change makes a sentence.


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (["a", "b"], None),
        (["a"], "'b' is gone"),
        (["a", "c"], "'b' is gone"),
        (["a", "b", "c"], "'c' is new: add it by hand"),
        (["a", "b", "b"], "'b' is the tag of two things"),
    ],
)
def test_a_changed_name_is_told(found: list[str], said: str | None) -> None:
    faults = list(name_faults("events", ["a", "b"], found))
    assert bool(faults) == (said is not None)
    assert said is None or any(said in fault for fault in faults)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"player": "required", "by": "default"}, None),
        ({"who": "required", "by": "default"}, "'player' is gone"),
        ({"player": "required", "by": "required"}, "'by' had a default and has none now"),
        ({"player": "default", "by": "default"}, "'player' has a default now"),
        ({"player": "required", "by": "default", "at": "required"}, "'at' is new and has no default"),
        ({"player": "required", "by": "default", "at": "default"}, "'at' is new: add it by hand"),
    ],
)
def test_a_changed_field_is_told(found: Fields, said: str | None) -> None:
    faults = list(field_faults("wager_placed", {"player": "required", "by": "default"}, found))
    assert bool(faults) == (said is not None)
    assert said is None or any(said in fault for fault in faults)
