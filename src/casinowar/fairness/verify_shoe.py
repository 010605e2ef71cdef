"""Check exported shoes (casinowar-shoe/1) with nothing but Python's standard library.

    python3 verify_shoe.py FILE [FILE...] [--commitment HEX] [--root HEX] [--seal HEX] [--entropy HEX]

`-` reads standard input. Several files are the shoes of one table, one after the other, in their order. The options
are what you noted at the table; without them the file is checked against itself alone. Exit status: 0 everything
agrees, 1 something is wrong (each line says where), 2 the file is not an exported shoe.

This file imports nothing of casinowar, so that you can read it, keep it, and need not trust the house's program.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

DOMAIN = b"casinowar-shoe/1"
DECK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
MOST = 65535
DIGEST = r"[0-9a-f]{64}"
ENTROPY = r"([0-9a-f]{2}){16,64}"


Finding = tuple[str, str]
"""Where something is wrong, and what."""


class Malformed(Exception):
    """The file is not an exported shoe."""


# How the file must look.


def read_shoe(text: str) -> dict[str, Any]:
    """The shoe in a text, every field present, nothing else there, every value of its kind."""
    try:
        shoe: dict[str, Any] = json.loads(text, object_pairs_hook=unique, parse_float=whole, parse_constant=whole)
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error)) from None
    fields = "format shoe kind counts cut_bounds previous commitment entropy root cut dealt fate reason seed"
    need_fields(shoe, fields, "the file", "number marker by")
    need(shoe["format"] == "casinowar-shoe/1", "format", "is not casinowar-shoe/1")
    need_text(shoe["shoe"], "shoe")
    need(shoe["kind"] in ("shoe", "continuous"), "kind", "is neither shoe nor continuous")
    need(isinstance(shoe["counts"], list) and len(shoe["counts"]) == 52, "counts", "is not a list of 52 numbers")
    for count in shoe["counts"]:
        need_number(count, 0, "counts")
    if shoe["cut_bounds"] is not None:
        bounds = shoe["cut_bounds"]
        need(isinstance(bounds, list) and len(bounds) == 2, "cut_bounds", "is not a pair of numbers")
        for bound in bounds:
            need_number(bound, 1, "cut_bounds")
    need_hex(shoe["commitment"], DIGEST, "commitment")
    for name in ("previous", "root", "seed"):
        if shoe[name] is not None:
            need_hex(shoe[name], DIGEST, name)
    need(isinstance(shoe["entropy"], list), "entropy", "is not a list")
    for at, one in enumerate(shoe["entropy"]):
        read_contribution(one, f"entropy[{at}]")
    if shoe["cut"] is not None:
        need_fields(shoe["cut"], "position player", "cut")
        need_number(shoe["cut"]["position"], 1, "cut.position")
        if shoe["cut"]["player"] is not None:
            need_text(shoe["cut"]["player"], "cut.player")
    need(isinstance(shoe["dealt"], list), "dealt", "is not a list")
    for at, one in enumerate(shoe["dealt"]):
        read_dealt(one, f"dealt[{at}]")
    need(shoe["fate"] in ("running", "finished", "voided"), "fate", "is not running, finished or voided")
    if shoe["reason"] is not None:
        need_text(shoe["reason"], "reason")
    if "number" in shoe:
        need_number(shoe["number"], 1, "number")
    if shoe.get("marker") is not None:
        need_number(shoe["marker"], 0, "marker")
    if "by" in shoe:
        need_text(shoe["by"], "by")
    return shoe


def read_contribution(one: Any, where: str) -> None:
    need_fields(one, "seat player promise bytes", where)
    need_number(one["seat"], 1, where + ".seat")
    need_text(one["player"], where + ".player")
    if one["promise"] is not None:
        need_hex(one["promise"], DIGEST, where + ".promise")
    if one["bytes"] is not None:
        need_hex(one["bytes"], ENTROPY, where + ".bytes")


def read_dealt(one: Any, where: str) -> None:
    act = one.get("act") if isinstance(one, dict) else None
    if act == "up":
        need_fields(one, "act place index card salt path", where)
        need_number(one["place"], 0, where + ".place")
        need_number(one["index"], 0, where + ".index")
        need(one["card"] in DECK, where + ".card", "is not a card")
        need_hex(one["salt"], DIGEST, where + ".salt")
        need(isinstance(one["path"], list), where + ".path", "is not a list")
        for sibling in one["path"]:
            need_hex(sibling, DIGEST, where + ".path")
    elif act == "down":
        need_fields(one, "act place", where)
        need_number(one["place"], 0, where + ".place")
    elif act == "put_back":
        need_fields(one, "act cards", where)
        need_number(one["cards"], 1, where + ".cards")
    else:
        raise Malformed(where + ": is not up, down or put_back")


def need(is_met: object, where: str, what: str) -> None:
    if not is_met:
        raise Malformed(where + ": " + what)


def need_fields(data: Any, names: str, where: str, more: str = "") -> None:
    """All of these fields; of some more, those that are there."""
    need(isinstance(data, dict), where, "is not an object")
    need(set(data) - set(more.split()) == set(names.split()), where, "does not have exactly the fields " + names)


def need_number(value: Any, least: int, where: str) -> None:
    need(type(value) is int and least <= value <= MOST, where, f"is not a number from {least} to {MOST}")


def need_text(value: Any, where: str) -> None:
    is_text = isinstance(value, str) and 0 < len(value) <= 200 and value.isprintable()
    need(is_text, where, "is not a text of 1 to 200 printable characters")


def need_hex(value: Any, pattern: str, where: str) -> None:
    is_hex = isinstance(value, str) and re.fullmatch(pattern, value)
    need(is_hex, where, "is not lower-case hexadecimal of its length")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field is there twice")
    return dict(pairs)


def whole(text: str) -> Any:
    raise ValueError(text + " is not a whole number")


# What is computed.


def tagged(tag: bytes, *parts: bytes) -> bytes:
    message = DOMAIN + b" " + tag + b"\0"
    for part in parts:
        message += number(len(part), 4) + part
    return hashlib.sha256(message).digest()


def number(value: int, size: int) -> bytes:
    return value.to_bytes(size, "big")


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def raw(text: Any) -> bytes:
    return bytes.fromhex(text or "")


def commitment_of(shoe: dict[str, Any]) -> bytes:
    counts = b"".join(number(count, 2) for count in shoe["counts"])
    bounds = b"".join(number(bound, 4) for bound in shoe["cut_bounds"] or [])
    name, kind = shoe["shoe"].encode("utf-8"), shoe["kind"].encode("ascii")
    return tagged(
        b"commitment", tagged(b"header", name, kind, counts, bounds, raw(shoe["previous"])), raw(shoe["seed"])
    )


def mix_of(shoe: dict[str, Any]) -> bytes:
    parts = [raw(shoe["commitment"])]
    for one in shoe["entropy"]:
        parts += [number(one["seat"], 2), one["player"].encode("utf-8"), raw(one["promise"]), raw(one["bytes"])]
    return tagged(b"mix", *parts)


def key_for(shoe: dict[str, Any], purpose: bytes) -> bytes:
    return mac(raw(shoe["seed"]), tagged(purpose, raw(shoe["commitment"]), mix_of(shoe)))


class Stream:
    """Blocks of HMAC-SHA-256 over 0, 1, 2 and so on, taken byte by byte."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.block = 0
        self.left = b""

    def below(self, bound: int) -> int:
        """A number below the bound: as many bits as the largest needs, drawn again while it is too large."""
        bits = (bound - 1).bit_length()
        size = -(-bits // 8)
        while True:
            while len(self.left) < size:
                self.left += mac(self.key, number(self.block, 8))
                self.block += 1
            drawn, self.left = int.from_bytes(self.left[:size], "big"), self.left[size:]
            drawn &= (1 << bits) - 1
            if drawn < bound:
                return drawn


def order_of(shoe: dict[str, Any]) -> list[str]:
    cards = [card for at, card in enumerate(DECK) for _ in range(shoe["counts"][at])]
    stream = Stream(key_for(shoe, b"order"))
    for last in reversed(range(1, len(cards))):
        chosen = stream.below(last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def leaf_of(index: int, card: str, salt: bytes) -> bytes:
    return hashlib.sha256(b"\0" + number(index, 4) + card.encode("ascii") + salt).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def split_of(size: int) -> int:
    """The largest power of two below the size: so many leaves hang on the left."""
    return 1 << (size - 1).bit_length() - 1


def root_of(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = split_of(len(leaves))
    return node_of(root_of(leaves[:split]), root_of(leaves[split:]))


def root_by_path(leaf: bytes, index: int, size: int, path: list[bytes]) -> "bytes | None":
    """The root to which a path leads, its last sibling being the one nearest to the root; None if it cannot be one."""
    if size == 1:
        return None if path else leaf
    if not path:
        return None
    split = split_of(size)
    if index < split:
        below = root_by_path(leaf, index, split, path[:-1])
        return None if below is None else node_of(below, path[-1])
    below = root_by_path(leaf, index - split, size - split, path[:-1])
    return None if below is None else node_of(path[-1], below)


# What must agree.


def check_shoe(shoe: dict[str, Any], noted: dict[str, Any]) -> list[Finding]:
    """All that is wrong, as pairs of where and what."""
    findings = list(check_steps(shoe)) or list(check_play(shoe))
    return findings + list(check_end(shoe)) + list(check_noted(shoe, noted))


def check_steps(shoe: dict[str, Any]) -> Iterator[Finding]:
    size, bounds, fate = sum(shoe["counts"]), shoe["cut_bounds"], shoe["fate"]
    if not 0 < size <= MOST:
        yield "counts", f"a shoe holds 1 to {MOST} cards"
    if bounds and shoe["kind"] == "continuous":
        yield "cut_bounds", "a continuous shuffler is not cut"
    if bounds and not 0 < bounds[0] <= bounds[1] < size:
        yield "cut_bounds", "a cut leaves cards on both sides"
    seats = [one["seat"] for one in shoe["entropy"]]
    if seats != sorted(set(seats)):
        yield "entropy", "seats do not stand once each in their order"
    if 0 < sum(one["promise"] is None for one in shoe["entropy"]) < len(seats):
        yield "entropy", "some seats promised and some did not"
    for at, one in enumerate(shoe["entropy"]):
        if one["bytes"] is None and one["promise"] is None:
            yield f"entropy[{at}]", "neither promise nor entropy"
        if one["bytes"] is not None and one["promise"] is not None:
            promise = tagged(b"promise", raw(shoe["commitment"]), number(one["seat"], 2), raw(one["bytes"]))
            if promise != raw(one["promise"]):
                yield f"entropy[{at}].promise", "the entropy is not what was promised"
    if (shoe["seed"] is None) != (fate == "running"):
        yield "seed", "a shoe is opened when it has ended, and not before"
    if (shoe["reason"] is None) != (fate != "voided"):
        yield "reason", "a voided shoe has a reason, and no other has"
    if shoe["root"] is None and fate == "finished":
        yield "root", "a shoe that was never sealed cannot have been played to its end"
    if shoe["root"] is None and (shoe["cut"] or shoe["dealt"]):
        yield "root", "cut or dealt before it was sealed"
    if shoe["cut"] and not bounds:
        yield "cut", "this shoe is not cut"
    if shoe["dealt"] and bounds and not shoe["cut"]:
        yield "cut", "dealt before it was cut"


def check_play(shoe: dict[str, Any]) -> Iterator[Finding]:
    opened, cut, bounds = shoe["seed"] is not None, shoe["cut"], shoe["cut_bounds"]
    if opened and commitment_of(shoe) != raw(shoe["commitment"]):
        yield "commitment", "is not that of the seed and of what was settled at the start"
    if cut and not bounds[0] <= cut["position"] <= bounds[1]:
        yield "cut.position", f"{cut['position']} is not within {bounds[0]} to {bounds[1]}"
    if cut and cut["player"] is None and opened:
        position = bounds[0] + Stream(key_for(shoe, b"cut")).below(bounds[1] - bounds[0] + 1)
        if position != cut["position"]:
            yield "cut.position", f"no player cut, and the stream gives {position}"
    yield from check_dealt(shoe, sum(shoe["counts"]), cut["position"] if cut else 0)
    if opened and shoe["root"] is not None:
        order, salt_key = order_of(shoe), key_for(shoe, b"salt")
        leaves = [leaf_of(index, card, mac(salt_key, number(index, 8))) for index, card in enumerate(order)]
        if root_of(leaves) != raw(shoe["root"]):
            yield "root", "seed and entropy give another order than the one that was sealed"
        for at, one in enumerate(shoe["dealt"]):
            if one["act"] == "up" and one["index"] < len(order) and one["card"] != order[one["index"]]:
                yield f"dealt[{at}].card", f"{one['card']}, and seed and entropy give {order[one['index']]}"


def check_dealt(shoe: dict[str, Any], size: int, cut: int) -> Iterator[Finding]:
    due = 0
    faces: dict[int, str] = {}
    for at, one in enumerate(shoe["dealt"]):
        where = f"dealt[{at}]"
        if one["act"] == "put_back":
            due -= one["cards"]
            if due < 0:
                yield where + ".cards", "more went back than had come out"
                return
            continue
        if one["place"] != due or due >= size:
            yield where + ".place", f"{one['place']} where {due} of {size} cards had come out"
            return
        due += 1
        if one["act"] == "down":
            continue
        if one["index"] != (one["place"] + cut) % size:
            yield where + ".index", f"place {one['place']} after this cut is another index than {one['index']}"
        leaf = leaf_of(one["index"], one["card"], raw(one["salt"]))
        path = [raw(sibling) for sibling in one["path"]]
        root = root_by_path(leaf, one["index"], size, path) if one["index"] < size else None
        if root is None or root != raw(shoe["root"]):
            yield where, one["card"] + " does not lead to the root by its index, salt and path"
        if faces.setdefault(one["place"], one["card"]) != one["card"]:
            yield where + ".card", "another card came from this place before"
    came = list(faces.values())
    for card in dict.fromkeys(came):
        held = shoe["counts"][DECK.index(card)]
        if came.count(card) > held:
            yield "dealt", f"{card} came {came.count(card)} times, and the shoe holds {held}"


def check_end(shoe: dict[str, Any]) -> Iterator[Finding]:
    """The number, the cutting card and the end. A shoe without a number is of an older program, which told less."""
    marker, fate = shoe.get("marker"), shoe["fate"]
    if marker is not None and (marker > sum(shoe["counts"]) or shoe["kind"] == "continuous"):
        yield "marker", "there is no such place for a cutting card"
    if "by" in shoe and fate != "voided":
        yield "by", "only a voided shoe was voided by somebody"
    if "number" not in shoe:
        return
    if not shoe["shoe"].endswith(f"/{shoe['number']}"):
        yield "number", "is not the one in the shoe's name"
    if (shoe["previous"] is None) != (shoe["number"] == 1):
        yield "previous", "the first shoe of a table has none before it, and every other has"
    if "by" not in shoe and fate == "voided":
        yield "by", "nobody is named who had it voided"
    if fate == "finished" and "marker" not in shoe:
        yield "marker", "is not told, and the shoe is called finished"
    elif fate == "finished" and not is_at_end(shoe):
        yield "fate", end_of(shoe)


def reached(shoe: dict[str, Any]) -> int:
    """How many cards were out at most."""
    return max([one["place"] + 1 for one in shoe["dealt"] if one["act"] != "put_back"], default=0)


def is_at_end(shoe: dict[str, Any]) -> bool:
    """Whether the cutting card has come, or all cards have; a continuous shuffler's stack is for one round."""
    if shoe["kind"] == "continuous":
        return reached(shoe) > 0
    marker = shoe.get("marker")
    return bool(reached(shoe) >= (sum(shoe["counts"]) if marker is None else marker))


def end_of(shoe: dict[str, Any]) -> str:
    came = f"called finished after {reached(shoe)} of {sum(shoe['counts'])} cards"
    if "marker" not in shoe:
        return came + ", and where its cutting card lay is not told"
    marker = shoe["marker"]
    return came + (", without a void" if marker is None else f", before its cutting card at {marker}")


def check_noted(shoe: dict[str, Any], noted: dict[str, Any]) -> Iterator[Finding]:
    if noted.get("commitment") not in (None, shoe["commitment"]):
        yield "commitment", "is not the one that was noted"
    if noted.get("root") not in (None, shoe["root"]):
        yield "root", "is not the one that was noted"
    if noted.get("seal") is not None:
        seal = tagged(b"seal", raw(shoe["commitment"]), mix_of(shoe), raw(shoe["root"]))
        if shoe["root"] is None or seal.hex() != noted["seal"]:
            yield "root", "commitment, entropy and root do not make the seal that was noted"
    if noted.get("entropy") is not None and noted["entropy"] not in [one["bytes"] for one in shoe["entropy"]]:
        yield "entropy", "does not hold what was noted"


def check_beside(shoe: dict[str, Any], before: list[dict[str, Any]]) -> Iterator[Finding]:
    """What is wrong with a shoe beside those that came before it at the same table."""
    if shoe["seed"] is not None and shoe["seed"] in [one["seed"] for one in before]:
        yield "seed", "an earlier shoe had the same seed"
    if shoe["shoe"] in [one["shoe"] for one in before]:
        yield "shoe", "an earlier shoe had the same name"
    if not before:
        return
    last = before[-1]
    if last["fate"] == "running":
        yield "previous", "the shoe before this one was never opened"
    if shoe["previous"] != last["commitment"] and not begins_anew(shoe, last):
        yield "previous", "is not the commitment of the shoe named before this one"
    if "number" in last and "number" not in shoe:
        yield "number", "is missing, and the shoe before this one has its number"
    elif "number" in last and shoe["number"] != last["number"] + 1:
        yield "number", f"{shoe['number']} where {last['number'] + 1} was due"


def begins_anew(shoe: dict[str, Any], last: dict[str, Any]) -> bool:
    """Whether it is the first shoe of another opening, as an older program began it: `nz.2/1` behind `nz/7`."""
    is_old = "number" not in shoe and "number" not in last and shoe["previous"] is None
    stream, _, place = str(shoe["shoe"]).rpartition("/")
    other = str(last["shoe"]).rpartition("/")[0]
    return bool(is_old and place == "1" and stream != other and table_of(stream) == table_of(other))


def table_of(stream: str) -> str:
    return re.sub(r"\.[0-9]+\Z", "", stream)


def remarks(shoe: dict[str, Any], before: list[dict[str, Any]]) -> Iterator[str]:
    """What is true and worth knowing, though nothing is wrong."""
    if shoe["fate"] == "voided":
        yield f"voided by {shoe.get('by', 'nobody who is named')}: {shoe['reason']}"
    if before and begins_anew(shoe, before[-1]):
        yield "a chain began anew here: a shoe that was left out before this one would not be seen"
    if "number" not in shoe and shoe["fate"] == "finished":
        is_few = shoe["kind"] == "shoe" and 2 * reached(shoe) < sum(shoe["counts"])
        if not is_at_end(shoe) if "marker" in shoe else is_few:
            yield end_of(shoe) + ": an older program called it so when a table closed"


def content_of(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    with open(file, "rb") as stream:
        return stream.read()


def main() -> int:
    parser = argparse.ArgumentParser(description="Check exported shoes (casinowar-shoe/1).")
    parser.add_argument("files", metavar="FILE", nargs="+")
    for name in ("commitment", "root", "seal", "entropy"):
        parser.add_argument("--" + name, metavar="HEX", type=str.lower, help="as you noted it at the table")
    options = parser.parse_args()
    noted = {name: getattr(options, name) for name in ("commitment", "root", "seal", "entropy")}
    for name, digits in noted.items():
        if digits is not None and not re.fullmatch(ENTROPY if name == "entropy" else DIGEST, digits):
            parser.error(f"--{name}: what was noted is {'32 to 128' if name == 'entropy' else 64} hexadecimal digits")
    if len(options.files) > 1 and any(noted.values()):
        parser.error("what you noted is of one shoe: name one file")
    before: list[dict[str, Any]] = []
    status = 0
    for file in options.files:
        try:
            shoe = read_shoe(content_of(file).decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError, Malformed) as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
        findings = check_shoe(shoe, noted) + list(check_beside(shoe, before))
        for where, what in findings:
            print(f"{file}: {where}: {what}")
        if not findings:
            opened = "opened" if shoe["seed"] else "not opened yet, its order is not checked"
            print(f"{file}: shoe {shoe['shoe']} agrees ({sum(shoe['counts'])} cards, {opened})")
        for remark in remarks(shoe, before):
            print(f"  note: {remark}")
        before.append(shoe)
        status = status or int(bool(findings))
    return status


if __name__ == "__main__":
    sys.exit(main())
