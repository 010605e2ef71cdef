"""What a program hands to the library: whole numbers for money, boxes and counts, and nothing that looks like one."""

import asyncio
import enum
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import pytest

from casinowar import protocol as frames
from casinowar.client import Live
from casinowar.dealers import RealTable, Session
from casinowar.engine import Refusal, Table, decide, step
from casinowar.engine import commands as c
from casinowar.engine.fields import check_fields
from casinowar.fairness import practice_shuffles
from casinowar.rulebooks import load_rulebook


class Chips(enum.IntEnum):
    HUNDRED = 100


class ForeignInt:
    """A whole number of another library, as numpy's are: it compares, adds and counts as an int."""

    def __index__(self) -> int:
        return 100

    def __eq__(self, other: object) -> bool:
        return other == 100

    def __hash__(self) -> int:
        return hash(100)

    def __repr__(self) -> str:
        return "int64(100)"


NO_NUMBERS = (100.0, 100.5, float("nan"), True, "100", Decimal(100), Fraction(100), Chips.HUNDRED, ForeignInt(), [100])
VALUES: dict[Any, Any] = {int: 1, str: "ana", bool: False}
COMMANDS: tuple[type[msgspec.Struct], ...] = get_args(c.Command)


def made(kind: type[msgspec.Struct], **given: Any) -> Any:
    """A command with something of the right type in each field that it must have."""
    fields = {field.name: _some(field.type) for field in msgspec.structs.fields(kind) if field.required}
    return kind(**{**fields, **given})


def _some(declared: Any) -> Any:
    if get_origin(declared) is Annotated:
        return _some(get_args(declared)[0])
    if declared in VALUES:
        return VALUES[declared]
    (value, *_) = get_args(declared) or ("Kh",)
    return () if getattr(declared, "__origin__", None) is tuple else value


OF_THE_HOUSE: tuple[type[msgspec.Struct], ...] = get_args(frames.LiveCommand)


NUMBERS = [
    (kind, field.name)
    for kind in (*COMMANDS, *OF_THE_HOUSE)
    for field in msgspec.structs.fields(kind)
    if field.type is int or int in get_args(field.type)
]


def test_there_are_numbers_to_check() -> None:
    names = {name for _, name in NUMBERS}
    assert {"amount", "box", "position", "cards", "stake", "seconds", "minimum", "maximum", "meter", "boxes"} <= names


@pytest.mark.parametrize("kind", [*COMMANDS, *OF_THE_HOUSE], ids=lambda kind: str(kind.__name__))
def test_a_command_of_the_right_types_is_answered(kind: type[msgspec.Struct]) -> None:
    check_fields(made(kind))


@pytest.mark.parametrize(("kind", "name"), NUMBERS, ids=lambda part: getattr(part, "__name__", part))
def test_no_number_but_an_int_comes_in(kind: type[msgspec.Struct], name: str) -> None:
    rules, table = load_rulebook("nz"), Table()
    for value in NO_NUMBERS:
        for ask in (step, decide):
            with pytest.raises(TypeError, match=rf"{kind.__name__}\.{name}"):
                ask(rules, table, made(kind, **{name: value}))


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_numbers_inside_of_others(value: Any) -> None:
    for command in (
        c.OpenTable(limit=value),
        c.OpenTable(limits={"tie": value}),
        c.Reconstruct(moves=(c.Move(origin=value, to=1),)),
        c.ReportShufflerFault(boxes=(1, value)),
        c.ResumeTable(bank_turn=("ana", value, 1)),
        c.ResumeTable(bank_turn=("ana", 1)),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match=type(command).__name__):
            step(load_rulebook("nz"), Table(), command)
    if not isinstance(value, list):
        with pytest.raises(TypeError, match=r"ResumeTable\.seats"):
            step(load_rulebook("nz"), Table(), c.ResumeTable(seats={value: "ana"}))


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", ["minimum", "maximum", "unit"])
def test_limits_are_of_numbers_wherever_they_go(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name} is an int"):
        c.Limit(**{name: value})


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_sessions_stay_as_they_were(value: Any) -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("types"))
    session.buy_in("ana", 1_000)
    wager = c.PlaceWager(player="ana", box=1, wager="initial", amount=100)
    with pytest.raises(TypeError):
        session.buy_in("ana", value)
    for second in (msgspec.structs.replace(wager, box=2, amount=value), c.Cut(player="ana", position=value)):
        with pytest.raises(TypeError):
            session.do(wager, second)
        with pytest.raises(TypeError):
            session.preview(wager, second)
    assert (session.table.players, session.chips, session.acts) == ({"ana": 1_000}, {"ana": 1_000}, [])
    with pytest.raises(TypeError):
        Session(load_rulebook("nz"), practice_shuffles("types"), c.Limit(minimum=value))
    with pytest.raises(TypeError):
        Session(load_rulebook("ma"), practice_shuffles("types"), meter=value)


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_tables_of_real_cards_stay_as_they_were(value: Any) -> None:
    real = RealTable(load_rulebook("ctg"))
    for command in (c.BuyIn(player="ana", amount=value), c.SeatPlayer(player="ana", box=value)):
        with pytest.raises(TypeError):
            real.do(command)
    assert (real.chips, real.acts, len(real.log)) == ({}, [], 2)


@pytest.mark.parametrize("face", ["Zz", "kh", "10h", 5, 2.0, True], ids=repr)
def test_no_face_but_of_a_deck_comes_in(face: Any) -> None:
    for command in (c.Deal(cards=(face,)), c.CorrectCard(card=face), c.ReportDamagedCard(card=face)):
        with pytest.raises(ValueError, match="no card of a deck"):
            step(load_rulebook("nz"), Table(), command)


WORDS = [
    (kind, field.name)
    for kind in (*COMMANDS, *OF_THE_HOUSE)
    for field in msgspec.structs.fields(kind)
    if get_origin(field.type) is Literal or any(get_origin(one) is Literal for one in get_args(field.type))
]


def test_there_are_words_to_check() -> None:
    assert {"wager", "action", "cause", "basis", "reason", "steps"} <= {name for _, name in WORDS}


@pytest.mark.parametrize("word", ["__class__", "__init__", "__struct_fields__", "nope", "", 5, b"tie", []], ids=repr)
@pytest.mark.parametrize(("kind", "name"), WORDS, ids=lambda part: getattr(part, "__name__", part))
def test_no_word_but_those_that_there_are_comes_in(kind: type[msgspec.Struct], name: str, word: Any) -> None:
    value = (word,) if name == "steps" else word
    with pytest.raises((TypeError, ValueError), match=rf"{kind.__name__}\.{name}"):
        check_fields(made(kind, **{name: value}))


@pytest.mark.parametrize("word", ["__class__", "__init__", "__struct_fields__", None], ids=repr)
def test_no_wager_but_those_that_there_are_is_looked_for(word: Any) -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("types"))
    session.buy_in("ana", 1_000)
    with pytest.raises((TypeError, ValueError), match=r"PlaceWager\.wager"):
        session.do(c.PlaceWager(player="ana", box=1, wager=word, amount=100))


@pytest.mark.parametrize("name", ["\ud83d", "a\udcff"], ids=ascii)
def test_half_a_character_is_no_name(name: str) -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("types"))
    with pytest.raises(ValueError, match="half a character"):
        session.buy_in(name, 1_000)
    assert session.table.players == {}
    assert isinstance(session.do(c.PlaceWager(player=name, box=1, wager="initial", amount=1)), Refusal)
    assert not isinstance(session.buy_in("😀", 1_000), Refusal)


def test_the_client_sends_no_float() -> None:
    class Line:
        async def send_command(self, command: frames.Command) -> frames.Done:
            raise AssertionError("it was sent")

    live = Live(Line(), frames.Watch(table="nz-1"), "ana", None)
    for value in NO_NUMBERS:
        with pytest.raises(TypeError, match=r"PlaceWager\.amount"):
            asyncio.run(live.do(made(c.PlaceWager, amount=value), expected=1))
