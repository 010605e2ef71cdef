"""The sealed shoe: its steps, its proofs, what it hides, and two verifiers that must agree on every vector and twin."""

import copy
import hashlib
import importlib.util
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinowar.cards import DECK, Card
from casinowar.fairness import (
    Noted,
    PutBack,
    SealedShoe,
    SealRefused,
    ShoeSeries,
    check_series,
    check_shoe,
    derivation,
    dump_shoe,
    export,
    load_shoe,
    promise,
    verify_shoe,
)
from casinowar.fairness.check import notes

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "sealed_shoe.json").read_text(encoding="utf-8"))
SHOES: dict[str, dict[str, Any]] = {shoe["name"]: shoe for shoe in VECTORS["shoes"]}
TWINS: list[dict[str, Any]] = VECTORS["twins"]
SIX_DECKS = DECK * 6


def alone() -> ModuleType:
    """The script loaded from its file, as somebody has it who has nothing else of ours."""
    spec = importlib.util.spec_from_file_location("verify_alone", str(verify_shoe.__file__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ALONE = alone()


def ours(text: str) -> list[str] | None:
    """Where our verifier finds something wrong; none where it cannot read the text."""
    try:
        shoe = load_shoe(text)
    except (ValueError, RecursionError):
        return None
    return [one.where for one in check_shoe(shoe)]


def theirs(text: str) -> list[str] | None:
    try:
        shoe = ALONE.read_shoe(text)
    except ALONE.Malformed:
        return None
    return [where for where, _ in ALONE.check_shoe(shoe, {})]


def both(data: object) -> list[str] | None:
    text = data if isinstance(data, str) else json.dumps(data)
    found = ours(text)
    assert theirs(text) == found
    return found


def changed(data: Any, path: list[Any], value: Any) -> Any:
    data = copy.deepcopy(data)
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return data


def sealed(*, bounds: tuple[int, int] | None = (52, 260), name: str = "t/1", seed: bytes = bytes(32)) -> SealedShoe:
    shoe = SealedShoe.begin(name, SIX_DECKS, bounds, source=lambda count: seed)
    shoe.add_entropy(1, "ana", b"a" * 16)
    shoe.seal()
    return shoe


def key(shoe: SealedShoe, purpose: derivation.Purpose) -> bytes:
    mixed = derivation.mix(shoe.commitment, shoe.contributions)
    return derivation.purpose_key(shoe.keep().seed, purpose, shoe.commitment, mixed)


# The vectors.


@pytest.mark.parametrize("name", SHOES)
def test_both_verifiers_accept_the_vector(name: str) -> None:
    assert both(SHOES[name]["export"]) == []


@pytest.mark.parametrize("name", SHOES)
def test_what_a_shoe_computes_is_frozen(name: str) -> None:
    vector = SHOES[name]
    shoe = replayed(vector)
    told = {name: vector["export"][name] for name in ("number", "marker", "by") if name in vector["export"]}
    assert json.loads(dump_shoe(export(shoe, **told))) == vector["export"]
    mixed = derivation.mix(shoe.commitment, shoe.contributions)
    assert derivation.header_digest(shoe.header).hex() == vector["header"]
    assert (shoe.commitment.hex(), mixed.hex()) == (vector["commitment"], vector["mix"])
    if vector["root"]:
        assert shoe.root is not None
        assert shoe.seal_digest is not None
        assert (shoe.root.hex(), shoe.seal_digest.hex()) == (vector["root"], vector["seal"])
        assert " ".join(derivation.order(shoe.header.stack, key(shoe, "order"))) == vector["order"]
        assert derivation.salts(1, key(shoe, "salt"))[0].hex() == vector["first_salt"]


def replayed(vector: dict[str, Any]) -> SealedShoe:
    """The vector's shoe made again by the steps that its export tells."""
    told = vector["export"]
    cards = [card for card, count in zip(DECK, told["counts"], strict=True) for _ in range(count)]
    bounds = tuple(told["cut_bounds"]) if told["cut_bounds"] else None
    shoe = SealedShoe.begin(
        told["shoe"],
        cards[::-1],
        bounds,
        kind=told["kind"],
        previous=bytes.fromhex(told["previous"]) if told["previous"] else None,
        source=lambda count: bytes.fromhex(vector["seed"])[:count],
    )
    for one in told["entropy"]:
        if one["promise"]:
            shoe.promise_entropy(one["seat"], one["player"], bytes.fromhex(one["promise"]))
    for one in reversed(told["entropy"]):
        if one["bytes"]:
            shoe.add_entropy(one["seat"], one["player"], bytes.fromhex(one["bytes"]))
    if told["root"]:
        shoe.seal()
    if told["cut"]:
        shoe.cut(told["cut"]["player"], told["cut"]["position"]) if told["cut"]["player"] else shoe.house_cut()
    for one in told["dealt"]:
        shoe.put_back(one["cards"]) if one["act"] == "put_back" else shoe.draw(face_up=one["act"] == "up")
    if told["fate"] == "finished":
        shoe.open()
    if told["fate"] == "voided":
        shoe.void(told["reason"])
    return shoe


def framed(tag: str, *parts: bytes) -> bytes:
    """The document's digest for one purpose, written a second time."""
    return hashlib.sha256(
        f"casinowar-shoe/1 {tag}\0".encode() + b"".join(bytes([0, 0, 0, len(part)]) + part for part in parts)
    ).digest()


def rfc_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 as RFC 2104 defines it, without the library's."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def test_the_vector_of_one_card_by_hand() -> None:
    """Every byte as the document lays it out: 9c alone, seat 65535 with 17 bytes."""
    vector = SHOES["one"]
    told, seed = vector["export"], bytes.fromhex(vector["seed"])
    assert DECK[7] == "9c"
    counts = bytes(2 * 7) + b"\x00\x01" + bytes(2 * 44)
    committed = framed("commitment", framed("header", b"one/1", b"shoe", counts, b"", b""), seed)
    assert committed.hex() == told["commitment"]
    mixed = framed("mix", committed, b"\xff\xff", b"z", b"", bytes.fromhex(told["entropy"][0]["bytes"]))
    assert mixed.hex() == vector["mix"]
    salt = rfc_hmac(rfc_hmac(seed, framed("salt", committed, mixed)), bytes(8))
    root = hashlib.sha256(b"\x00" + bytes(4) + b"9c" + salt).digest()
    assert told["dealt"] == [{"act": "up", "place": 0, "index": 0, "card": "9c", "salt": salt.hex(), "path": []}]
    assert root.hex() == told["root"]
    assert framed("seal", committed, mixed, root).hex() == vector["seal"]


def test_the_stream_is_blocks_of_hmac() -> None:
    source = derivation.stream(b"k" * 32)
    blocks = b"".join(rfc_hmac(b"k" * 32, bytes(7) + bytes([block])) for block in range(3))
    assert source(5) + source(60) + source(0) + source(31) == blocks


# Twins that must fail.


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin["name"].replace(" ", "_"))
def test_both_verifiers_find_the_twin_wrong_at_the_same_places(twin: dict[str, Any]) -> None:
    data = SHOES[twin["of"]]["export"]
    for path, value in twin["changes"]:
        data = changed(data, path, value)
    assert both(data) == twin["where"]


def test_a_card_that_comes_too_often_or_comes_back_as_another() -> None:
    """One deck has one of each; place 5 was dealt, put back and dealt again as the ninth line."""
    shoe = SHOES["deck"]["export"]
    dealt = shoe["dealt"]
    assert (dealt[5]["place"], dealt[7]["act"], dealt[8]["place"]) == (5, "put_back", 5)
    assert both(changed(shoe, ["dealt", 2, "card"], dealt[1]["card"])) == ["dealt[2]", "dealt", "dealt[2].card"]
    unseen = next(card for card in DECK if card not in [one.get("card") for one in dealt])
    again = changed(shoe, ["dealt", 8, "card"], unseen)
    assert both(again) == ["dealt[8]", "dealt[8].card", "dealt[8].card"]
    running = {**again, "fate": "running", "seed": None}
    assert both(running) == ["dealt[8]", "dealt[8].card"]


def test_a_name_used_twice_is_found() -> None:
    first, second = sealed(seed=b"1" * 32), sealed(seed=b"2" * 32)
    exports = [export(first), export(second)]
    assert [one.where for one in check_series(exports)[1]] == ["shoe", "previous", "previous"], "nor was one opened"
    read = [ALONE.read_shoe(dump_shoe(one)) for one in exports]
    assert [where for where, _ in ALONE.check_beside(read[1], read[:1])] == ["shoe", "previous", "previous"]


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path, data


def other(value: Any) -> list[Any]:
    """Neighbours of a value: another digit in each half of a text, numbers beside a number."""
    if isinstance(value, str) and len(value) >= 32:
        return [
            value[:at] + ("1" if value[at] == "0" else "0") + value[at + 1 :] for at in (0, len(value) // 2, -1 % 32)
        ]
    if isinstance(value, str):
        return ["2d" if value != "2d" else "3d"]
    return [value + 1, value - 1] if isinstance(value, int) else ["ab" * 32]


@pytest.mark.parametrize("name", ["deck", "seven", "one"])
def test_no_value_of_an_opened_shoe_can_be_another(name: str) -> None:
    """But for who cut and the words of a reason, which are the table's word alone."""
    tried = 0
    for path, value in leaves(SHOES[name]["export"]):
        for instead in other(value):
            if path == ("cut", "player") or (path == ("reason",) and value is not None):
                continue
            tried += 1
            assert both(changed(SHOES[name]["export"], list(path), instead)) != [], (path, instead)
    assert tried > 60


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing"),
        ("[]", "no object"),
        ("[" * 100_000, "nesting"),
        ("{}", "no fields"),
        ("nul", "broken"),
    ],
    ids=lambda one: one[:12],
)
def test_a_text_that_is_no_shoe(text: str, why: str) -> None:
    assert both(text) is None


@pytest.mark.parametrize("name", ["deck", "running"])
def test_a_truncated_export_is_no_shoe(name: str) -> None:
    text = json.dumps(SHOES[name]["export"])
    for length in range(0, len(text), 97):
        assert both(text[:length]) is None
    assert both(text) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["more"], 1),
        (["entropy", 0, "more"], 1),
        (["cut", "more"], 1),
        (["dealt", 0, "card"], "Kh"),
        (["dealt", 1, "more"], None),
        (["dealt", 7, "place"], 5),
        (["format"], "casinowar-shoe/2"),
        (["kind"], "box"),
        (["kind"], None),
        (["fate"], "lost"),
        (["shoe"], ""),
        (["shoe"], "x" * 201),
        (["shoe"], "two\nlines"),
        (["shoe"], "\ud800"),
        (["shoe"], 7),
        (["cut", "player"], "\u202e"),
        (["counts"], [1] * 51),
        (["counts"], [1] * 53),
        (["counts", 3], True),
        (["counts", 3], 1.0),
        (["counts", 3], -1),
        (["counts", 3], 65536),
        (["counts", 3], "1"),
        (["cut_bounds"], [10]),
        (["cut_bounds"], [0, 42]),
        (["cut", "position"], float("nan")),
        (["commitment"], None),
        (["root"], "AB" * 32),
        (["root"], "ab" * 31),
        (["root"], "ab" * 32 + "\n"),
        (["seed"], "ab" * 33),
        (["entropy"], None),
        (["entropy", 0, "bytes"], "ab" * 15),
        (["entropy", 0, "bytes"], "ab" * 65),
        (["entropy", 0, "bytes"], "ab" * 20 + "a"),
        (["entropy", 0, "seat"], 0),
        (["dealt", 1, "card"], "10h"),
        (["dealt", 1, "card"], "kH"),
        (["dealt", 1, "act"], "sideways"),
        (["dealt", 1, "path"], "ab" * 32),
        (["dealt", 1], []),
        (["dealt", 7, "cards"], 0),
        (["number"], 0),
        (["number"], None),
        (["number"], True),
        (["marker"], -1),
        (["marker"], "4"),
        (["by"], ""),
        (["by"], None),
        (["by"], "two\nlines"),
    ],
    ids=str,
)
def test_what_is_not_of_the_format_is_not_read(path: list[Any], value: Any) -> None:
    assert both(changed(SHOES["deck"]["export"], path, value)) is None


@pytest.mark.parametrize("field", list(SHOES["deck"]["export"]))
def test_no_field_may_be_missing_or_there_twice(field: str) -> None:
    data = dict(SHOES["deck"]["export"])
    twice = json.dumps(data)[:-1] + f', "{field}": {json.dumps(data[field])}}}'
    assert both(twice) is None
    del data[field]
    assert both(data) is None


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_verifiers_agree_on_random_damage(data: st.DataObject) -> None:
    shoe = SHOES[data.draw(st.sampled_from(["seven", "one", "unsealed", "continuous", "numbered", "thrown_away"]))][
        "export"
    ]
    for _ in range(data.draw(st.integers(1, 3))):
        path, _ = data.draw(st.sampled_from(list(leaves(shoe))))
        values = st.none() | st.integers(-2, 70_000) | st.sampled_from(["ab" * 32, "Kh", "voided", "shoe", ""])
        shoe = changed(shoe, list(path), data.draw(values))
    both(shoe)


# What a player noted.


@pytest.mark.parametrize(
    ("noted", "where"),
    [("commitment", "commitment"), ("root", "root"), ("seal", "root"), ("entropy", "entropy")],
)
def test_a_shoe_that_agrees_with_itself_and_not_with_what_was_noted(noted: str, where: str) -> None:
    vector = SHOES["deck"]
    right = {**{name: vector[name] for name in ("commitment", "root", "seal")}}
    right["entropy"] = vector["export"]["entropy"][1]["bytes"]
    shoe, read = load_shoe(json.dumps(vector["export"])), ALONE.read_shoe(json.dumps(vector["export"]))
    assert check_shoe(shoe, Noted(**{noted: right[noted]})) == ALONE.check_shoe(read, {noted: right[noted]}) == []
    wrong = right[noted][:-1] + ("0" if right[noted][-1] != "0" else "1")
    assert [one.where for one in check_shoe(shoe, Noted(**{noted: wrong}))] == [where]
    assert [one for one, _ in ALONE.check_shoe(read, {noted: wrong})] == [where]


def test_a_root_swapped_together_with_its_seed_is_found_by_the_seal() -> None:
    """The house makes the whole shoe again with another seed: the file agrees with itself, and not with the note."""
    honest, forged = sealed(seed=b"h" * 32), sealed(seed=b"f" * 32)
    assert honest.seal_digest is not None
    for shoe in (honest, forged):
        shoe.house_cut()
        shoe.open()
    assert check_shoe(export(forged)) == []
    note = Noted(commitment=honest.commitment.hex(), seal=honest.seal_digest.hex())
    assert [one.where for one in check_shoe(export(forged), note)] == ["commitment", "root"]
    assert check_shoe(export(honest), note) == []


def test_what_is_worth_knowing_of_a_shoe() -> None:
    said = {name: " / ".join(notes(load_shoe(json.dumps(shoe["export"])))) for name, shoe in SHOES.items()}
    assert "without promises" in said["deck"]
    assert said["seven"] == "1 promised entropy and withheld it"
    assert "no player added entropy" in said["continuous"]
    assert "voided: shuffler fault" in said["voided"]
    assert "not opened yet" in said["running"]


# Several shoes.


def test_shoes_of_a_table_follow_each_other() -> None:
    series = ShoeSeries("nz-1")
    exports = []
    for _ in range(3):
        shoe = series.begin(SIX_DECKS, (52, 260))
        shoe.seal()
        assert series.unopened == 1
        shoe.open()
        exports.append(export(shoe))
    assert series.unopened == 0
    assert [line.shoe for line in series.shoe_list] == ["nz-1/1", "nz-1/2", "nz-1/3"]
    assert exports[0].previous is None
    assert [one.previous for one in exports[1:]] == [one.commitment for one in exports[:2]]
    assert check_series(exports) == [[], [], []]
    assert [[one.where for one in found] for found in check_series([exports[0], exports[2]])] == [[], ["previous"]]
    assert len({one.seed for one in exports}) == 3


def test_the_next_shoe_waits_until_the_last_is_opened() -> None:
    series = ShoeSeries("nz-1")
    first = series.begin(SIX_DECKS, None)
    with pytest.raises(SealRefused, match="not opened"):
        series.begin(SIX_DECKS, None)
    first.void("nobody came")
    second = series.begin(SIX_DECKS[:100], None, "continuous")
    assert [line.fate for line in series.shoe_list] == ["voided", "running"]
    after_restart = ShoeSeries("nz-1", last=SealedShoe.resume(second.keep()), had=2)
    with pytest.raises(SealRefused, match="not opened"):
        after_restart.begin(SIX_DECKS, None)
    assert after_restart.current is not None
    after_restart.current.void("closed")
    third = after_restart.begin(SIX_DECKS, None)
    assert (third.header.shoe, third.header.previous) == ("nz-1/3", second.commitment)


def test_a_seed_used_twice_is_found_and_gives_another_order() -> None:
    series = ShoeSeries("t", source=lambda count: b"s" * count)
    shoes = []
    for _ in range(2):
        shoe = series.begin(SIX_DECKS, None)
        shoe.seal()
        shoes.append((shoe, [shoe.draw()[0] for _ in range(20)]))
        shoe.open()
    exports = [export(shoe) for shoe, _ in shoes]
    assert shoes[0][1] != shoes[1][1]
    assert [check_shoe(one) for one in exports] == [[], []]
    assert [[one.where for one in found] for found in check_series(exports)] == [[], ["seed"]]
    read = [ALONE.read_shoe(dump_shoe(one)) for one in exports]
    assert [where for where, _ in ALONE.check_beside(read[1], read[:1])] == ["seed"]


def test_a_continuous_shuffler_seals_each_round_anew() -> None:
    series = ShoeSeries("csm")
    rounds = []
    for _ in range(4):
        shoe = series.begin(SIX_DECKS, None, "continuous")
        shoe.add_entropy(1, "ana", b"browser entropy!")
        shoe.seal()
        rounds.append(tuple(shoe.draw()[0] for _ in range(14)))
        shoe.open()
        assert check_shoe(export(shoe)) == []
    assert len(set(rounds)) == 4
    assert [line.fate for line in series.shoe_list] == ["finished"] * 4


# The steps.


def test_each_card_verifies_at_once_and_all_cards_come() -> None:
    shoe = sealed()
    shoe.cut("ana", 52)
    cards = []
    for place in range(312):
        card, proof = shoe.draw()
        assert proof.index == (place + 52) % 312
        cards.append(card)
        if place % 50 == 0:
            assert both(dump_shoe(export(shoe))) == []
    assert sorted(cards) == sorted(SIX_DECKS)
    assert shoe.cards_left == 0
    with pytest.raises(SealRefused, match="empty"):
        shoe.draw()


@pytest.mark.parametrize("position", [52, 100, 260])
def test_the_cut_takes_the_front_to_the_back(position: int) -> None:
    """The sealed order stays the same; only where the dealing begins is the player's."""
    uncut, cut = sealed(bounds=None), sealed()
    cut.cut("ana", position)
    order = derivation.order(cut.header.stack, key(cut, "order"))
    assert [cut.draw()[0] for _ in range(312)] == [*order[position:], *order[:position]]
    assert uncut.root != cut.root, "the bounds of the cut are bound too"


@pytest.mark.parametrize("position", [-1, 0, 51, 261, 312])
def test_a_cut_out_of_bounds_is_refused(position: int) -> None:
    shoe = sealed()
    with pytest.raises(SealRefused, match="52 to 260"):
        shoe.cut("ana", position)
    shoe.cut("ana", 52)


def test_the_house_cut_is_not_chosen() -> None:
    """Evenly over its bounds; here every one of three positions comes from some seed, and none else does."""
    found = set()
    for number in range(60):
        shoe = SealedShoe.begin("t", DECK, (20, 22), source=lambda count, number=number: bytes([number]) * count)  # type: ignore[misc]
        shoe.seal()
        first, again = shoe.house_cut(), SealedShoe.resume(shoe.keep()).cut_made
        assert first == again
        found.add(first.position)
    assert found == {20, 21, 22}


BEGUN, SEALED, CUT, OPENED = range(4)
STEPS: dict[str, Callable[[SealedShoe], object]] = {
    "promise": lambda shoe: shoe.promise_entropy(7, "zoe", bytes(32)),
    "entropy": lambda shoe: shoe.add_entropy(7, "zoe", bytes(16)),
    "seal": lambda shoe: shoe.seal(),
    "cut": lambda shoe: shoe.cut("ana", 100),
    "house cut": lambda shoe: shoe.house_cut(),
    "draw": lambda shoe: shoe.draw(),
    "put back": lambda shoe: shoe.put_back(1),
    "show": lambda shoe: shoe.show(0),
    "open": lambda shoe: shoe.open(),
    "void": lambda shoe: shoe.void("x"),
}
ALLOWED = {
    BEGUN: {"promise", "entropy", "seal", "void"},
    SEALED: {"cut", "house cut", "open", "void"},
    CUT: {"draw", "put back", "show", "open", "void"},
    OPENED: set[str](),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("reached", [BEGUN, SEALED, CUT, OPENED])
def test_a_step_is_allowed_in_its_time_only(reached: int, step: str) -> None:
    shoe = SealedShoe.begin("t", SIX_DECKS, (52, 260))
    if reached >= SEALED:
        shoe.seal()
    if reached >= CUT:
        shoe.cut("ana", 99)
        shoe.draw(face_up=False)
    if reached >= OPENED:
        shoe.open()
    before = dump_shoe(export(shoe))
    if step in ALLOWED[reached]:
        STEPS[step](shoe)
        return
    with pytest.raises(SealRefused):
        STEPS[step](shoe)
    assert dump_shoe(export(shoe)) == before


@pytest.mark.parametrize(
    ("cards", "bounds", "more"),
    [
        ((), None, {}),
        (("Xx",), None, {}),
        (DECK, (0, 10), {}),
        (DECK, (10, 52), {}),
        (DECK, (30, 20), {}),
        (DECK, (10, 42), {"kind": "continuous"}),
        (DECK * 1261, None, {}),
        (DECK, None, {"source": lambda count: bytes(31)}),
    ],
)
def test_shoes_that_cannot_begin(cards: tuple[Card, ...], bounds: tuple[int, int] | None, more: dict[str, Any]) -> None:
    with pytest.raises(SealRefused):
        SealedShoe.begin("t", cards, bounds, **more)


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, "\ud800"])
def test_names_are_printable(name: str) -> None:
    with pytest.raises(SealRefused):
        SealedShoe.begin(name, DECK, None)
    shoe = SealedShoe.begin("t", DECK, None)
    with pytest.raises(SealRefused):
        shoe.add_entropy(1, name, bytes(16))
    with pytest.raises(SealRefused):
        shoe.void(name)


@pytest.mark.parametrize(("seat", "size"), [(0, 16), (65536, 16), (1, 15), (1, 65)])
def test_entropy_has_a_seat_and_a_size(seat: int, size: int) -> None:
    shoe = SealedShoe.begin("t", DECK, None)
    with pytest.raises(SealRefused):
        shoe.add_entropy(seat, "ana", bytes(size))
    assert shoe.contributions == ()


def test_a_seat_contributes_once() -> None:
    shoe = SealedShoe.begin("t", DECK, None)
    shoe.add_entropy(1, "ana", b"a" * 16)
    for again in (b"a" * 16, b"b" * 16):
        with pytest.raises(SealRefused, match="already"):
            shoe.add_entropy(1, "ana", again)
    with pytest.raises(SealRefused, match="shown already"):
        shoe.promise_entropy(2, "ben", bytes(32))


def test_promises_come_before_all_entropy_and_bind() -> None:
    """The last to speak cannot choose with the others' entropy before them, nor mirror another's promise."""
    shoe = SealedShoe.begin("t", DECK, None)
    mine = promise(shoe.commitment, 1, b"a" * 16)
    shoe.promise_entropy(1, "ana", mine)
    shoe.promise_entropy(2, "ben", mine)
    with pytest.raises(SealRefused, match="promised no entropy"):
        shoe.add_entropy(3, "cy", b"c" * 16)
    with pytest.raises(SealRefused, match="not what was promised"):
        shoe.add_entropy(1, "ana", b"b" * 16)
    with pytest.raises(SealRefused, match="another player"):
        shoe.add_entropy(1, "eve", b"a" * 16)
    shoe.add_entropy(1, "ana", b"a" * 16)
    with pytest.raises(SealRefused, match="not what was promised"):
        shoe.add_entropy(2, "ben", b"a" * 16)
    with pytest.raises(SealRefused, match="shown already"):
        shoe.promise_entropy(3, "cy", bytes(32))
    with pytest.raises(SealRefused):
        shoe.add_entropy(1, "ana", b"a" * 16)
    shoe.seal()
    shoe.open()
    assert both(dump_shoe(export(shoe))) == []


def test_all_that_players_bring_moves_the_order() -> None:
    def order(*entropy: tuple[int, str, bytes]) -> tuple[Card, ...]:
        shoe = SealedShoe.begin("t", DECK, None, source=lambda count: bytes(count))
        for one in entropy:
            shoe.add_entropy(*one)
        shoe.seal()
        return tuple(shoe.draw()[0] for _ in range(52))

    a, b = b"a" * 16, b"b" * 16
    orders = [
        order(),
        order((1, "ana", a)),
        order((1, "ana", b)),
        order((2, "ana", a)),
        order((1, "ann", a)),
        order((1, "ana", a), (2, "ben", a)),
        order((1, "ana", a), (2, "ben", b)),
        order((1, "ana", a + b"b"), (2, "ben", b)),
        order((1, "ana", a), (2, "ben", b"b" + b)),
    ]
    assert len(set(orders)) == len(orders), "equal entropy does not cancel, and bytes do not slip between players"
    assert order((2, "ben", b), (1, "ana", a)) == order((1, "ana", a), (2, "ben", b)), "by seat, not by arrival"


def test_cards_put_back_come_again_the_same() -> None:
    shoe = sealed()
    shoe.house_cut()
    first = [shoe.draw() for _ in range(5)]
    shoe.put_back(3)
    assert [shoe.draw() for _ in range(3)] == first[2:]
    assert shoe.dealt[5] == PutBack(3)
    shoe.open()
    assert both(dump_shoe(export(shoe))) == []
    for cards in (0, 6):
        with pytest.raises(SealRefused):
            sealed(bounds=None).put_back(cards)


def test_a_burned_card_can_be_shown_later() -> None:
    shoe = sealed()
    shoe.house_cut()
    burned = shoe.draw(face_up=False)
    assert json.loads(dump_shoe(export(shoe)))["dealt"] == [{"act": "down", "place": 0}]
    assert shoe.show(0) == burned
    assert export(shoe).dealt[0].card == burned[0]  # type: ignore[union-attr]
    assert both(dump_shoe(export(shoe))) == []
    with pytest.raises(SealRefused, match="no such card"):
        shoe.show(1)


@pytest.mark.parametrize("name", SHOES)
def test_a_shoe_survives_a_restart_at_every_step(name: str) -> None:
    shoe = replayed(SHOES[name])
    again = SealedShoe.resume(shoe.keep())
    assert (again.keep(), dump_shoe(export(again))) == (shoe.keep(), dump_shoe(export(shoe)))
    if name == "running":
        assert [again.draw() for _ in range(9)] == [shoe.draw() for _ in range(9)]


@st.composite
def shoes(draw: st.DrawFn) -> SealedShoe:
    """Any shoe at any step, restarted now and then on its way."""
    cards = draw(st.lists(st.sampled_from(DECK), min_size=2, max_size=40))
    bounds = draw(st.none() | st.tuples(*[st.integers(1, len(cards) - 1)] * 2).map(lambda pair: (min(pair), max(pair))))
    seed, entropy = st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=64)
    previous = draw(st.none() | seed)
    shoe = SealedShoe.begin(draw(NAMES), cards, bounds, previous=previous, source=lambda count: draw(seed))
    brought = draw(st.dictionaries(st.integers(1, 65535), st.tuples(NAMES, entropy, st.booleans()), max_size=4))
    promised = draw(st.booleans())
    for seat, (player, brings, _) in brought.items() if promised else ():
        shoe.promise_entropy(seat, player, promise(shoe.commitment, seat, brings))
    for seat, (player, brings, is_shown) in brought.items():
        if is_shown or not promised:
            shoe.add_entropy(seat, player, brings)
    if draw(st.integers(0, 9)) == 0:
        shoe.void(draw(NAMES))
        return shoe
    shoe.seal()
    shoe = SealedShoe.resume(shoe.keep())
    if bounds:
        shoe.cut(draw(NAMES), draw(st.integers(*bounds))) if draw(st.booleans()) else shoe.house_cut()
    for act in draw(st.lists(st.sampled_from(["up", "down", "back", "show", "restart"]), max_size=30)):
        out = len(cards) - shoe.cards_left
        if act in ("up", "down") and shoe.cards_left:
            shoe.draw(face_up=act == "up")
        elif act == "back" and out:
            shoe.put_back(draw(st.integers(1, out)))
        elif act == "show" and out:
            shoe.show(draw(st.integers(0, out - 1)))
        elif act == "restart":
            shoe = SealedShoe.resume(shoe.keep())
    end = draw(st.sampled_from(["running", "finished", "voided"]))
    if end != "running":
        shoe.open() if end == "finished" else shoe.void(draw(NAMES))
    return shoe


NAMES = st.text(min_size=1, max_size=20).filter(str.isprintable)


@settings(max_examples=100, deadline=None)
@given(shoes())
def test_every_shoe_that_can_be_made_is_accepted_by_both(shoe: SealedShoe) -> None:
    assert both(dump_shoe(export(shoe))) == []


# What must not leave it.


def test_nothing_undealt_leaves_a_running_shoe() -> None:
    """Looked for in text and as bytes: seed, keys, salts; and no face of a burned card, nor its proof."""
    seed = hashlib.sha256(b"marked").digest()
    shoe = sealed(seed=seed)
    shoe.house_cut()
    faces = [shoe.draw(face_up=place != 1) for place in range(10)]
    salts = derivation.salts(312, key(shoe, "salt"))
    keys = [key(shoe, "order"), key(shoe, "salt"), key(shoe, "cut")]
    shown = {proof.index for place, (_, proof) in enumerate(faces) if place != 1}
    secret = [seed, *keys, *(salt for index, salt in enumerate(salts) if index not in shown)]
    public = dump_shoe(export(shoe)) + repr(shoe) + str(shoe) + repr(shoe.keep()) + f"{shoe.keep()}"
    assert not [one for one in secret if one.hex() in public or str(one) in public]
    assert [salts[index].hex() in public for index in sorted(shown)] == [True] * 9
    assert shoe.seed is None
    assert "down" in public
    assert '"card"' not in json.dumps(json.loads(dump_shoe(export(shoe)))["dealt"][1])
    shoe.void("over")
    assert seed.hex() in dump_shoe(export(shoe)), "the search finds a seed where there is one"


def test_a_shoe_is_not_copied_by_accident() -> None:
    for copier in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="not copied"):
            copier(sealed())


def test_the_commitment_is_no_other_digest() -> None:
    """Whoever publishes a digest that the order is drawn from has published the order."""
    shoe = sealed(seed=b"s" * 32)
    mixed = derivation.mix(shoe.commitment, shoe.contributions)
    keys = [key(shoe, "order"), key(shoe, "salt"), key(shoe, "cut")]
    plain = hashlib.sha256(b"s" * 32).digest()
    digests = [shoe.commitment, mixed, shoe.root, shoe.seal_digest, derivation.header_digest(shoe.header), plain, *keys]
    assert len(set(digests)) == len(digests)


def test_the_document_tells_the_format_and_its_smallest_vector() -> None:
    page = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
    told = dict(line.split() for line in page.split("```")[3].strip().splitlines())
    vector = SHOES["one"]
    entropy, salt = vector["export"]["entropy"][0]["bytes"], vector["first_salt"]
    digests = {name: vector[name] for name in ("seed", "header", "commitment", "mix", "root", "seal")}
    assert told == {**digests, "entropy": entropy, "salt": salt}
    table = page.split("exactly these fields")[1].split("A verifier checks")[0]
    assert [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")] == list(vector["export"])
