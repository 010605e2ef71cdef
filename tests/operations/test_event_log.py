"""The server's own log: lines with fields, in two forms, without secrets, and the same for what uvicorn says."""

import ast
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from casinowar.web.event_log import LEFT_OUT, Form, is_secret, line_maker, open_log
from casinowar.web.log_noise import NoiseFilter
from tests.support.live_server import Caller, running
from tests.web.test_web_marked import HOUSE, Tap, play, secrets

SRC = Path(__file__).parents[2] / "src" / "casinowar"
MADE = 1_777_665_600.123
"""The first of May 2026, 20:00 UTC."""


def line(form: Form, event: str, **fields: Any) -> str:
    level, name = fields.pop("level", logging.ERROR), "casinowar.test"
    exc_info = fields.pop("exc_info", None)
    record = logging.LogRecord(name, level, "", 0, event, (), exc_info)
    record.created = MADE
    record.__dict__.update(fields)
    return line_maker(form).format(record)


def test_a_line_of_text_has_the_moment_the_level_the_logger_the_event_and_its_fields() -> None:
    told = line("text", "a table was stopped", table="nz", error="it holds 5, not 0")
    head = "2026-05-01 20:00:00.123Z ERROR casinowar.test: a table was stopped"
    assert told == f'{head} table=nz error="it holds 5, not 0"'


def test_a_line_of_json_has_the_same() -> None:
    assert json.loads(line("json", "request", level=logging.INFO, status=200, ms=1.5)) == {
        "at": "2026-05-01T20:00:00.123Z",
        "level": "info",
        "logger": "casinowar.test",
        "event": "request",
        "status": 200,
        "ms": 1.5,
    }


@pytest.mark.parametrize("form", ["text", "json"])
def test_nobody_can_write_a_line_of_their_own(form: Form) -> None:
    forged = "\n2026-05-01 20:00:01.000Z INFO casinowar: all is well\r\u2028\x1b[2J"
    try:
        raise ValueError(forged)
    except ValueError:
        told = line(form, f"x{forged}", path=f"/{forged}", exc_info=sys.exc_info())
    heads = [one for one in told.splitlines() if one[:4] in ("2026", '{"at')]
    assert len(heads) == 1
    assert "\x1b" not in told
    assert "\r" not in told


def test_a_traceback_is_indented_in_text_and_a_field_in_json_and_has_no_values_of_variables() -> None:
    try:
        held = "what-a-variable-holds" * 2
        raise RuntimeError(len(held))
    except RuntimeError:
        info = sys.exc_info()
    text = line("text", "the clock stumbled", exc_info=info).splitlines()
    assert text[1] == "  Traceback (most recent call last):"
    assert all(one.startswith("  ") for one in text[1:])
    told = json.loads(line("json", "the clock stumbled", exc_info=info))
    assert "RuntimeError: 42" in told["exception"]
    assert "what-a-variable-holdswhat" not in str(told)


@pytest.mark.parametrize("name", ["password", "token", "login_token", "tickets", "seed", "cookie", "salt", "api_key"])
def test_a_field_that_is_called_as_a_secret_is_left_out(name: str) -> None:
    assert is_secret(name)
    told = json.loads(line("json", "careless", **{name: "hunter2"}))
    assert told[name] == LEFT_OUT
    assert "hunter2" not in line("text", "careless", **{name: "hunter2"})


def test_of_an_object_the_kind_alone_is_written() -> None:
    class Shoe:
        def __repr__(self) -> str:
            return "the next card is Kh"

    told = json.loads(line("json", "dealing", shoe=Shoe(), table="nz"))
    assert told["shoe"] == "Shoe"


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    for file in sorted(SRC.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("log", "access")
                and node.func.attr in ("debug", "info", "warning", "error", "exception", "critical")
            ):
                yield f"{file.relative_to(SRC)}:{node.lineno}", node


def test_each_call_of_the_log_names_an_event_in_constant_words_and_gives_the_rest_as_fields() -> None:
    calls = list(log_calls())
    assert len(calls) > 20
    wrong = [
        where
        for where, call in calls
        if len(call.args) != 1
        or not isinstance(call.args[0], ast.Constant)
        or "%" in str(call.args[0].value)
        or any(one.arg not in ("extra", "exc_info") for one in call.keywords)
    ]
    assert not wrong


def test_two_faults_of_one_event_are_both_told_and_the_count_is_a_field() -> None:
    now, told = 0.0, list[dict[str, Any]]()
    noise, logger = NoiseFilter(lambda: now), logging.getLogger("casinowar.test.noise")
    handler = logging.Handler()
    handler.emit = lambda record: told.append(json.loads(line_maker("json").format(record)))  # type: ignore[method-assign]
    handler.addFilter(noise)
    logger.handlers, logger.propagate = [handler], False
    for table in ("nz", "wa", "nz", "nz"):
        logger.error("an act of the dealer failed", extra={"table": table})
    assert [one["table"] for one in told] == ["nz", "wa"]
    now = 60.0
    noise.tell_counts()
    assert told[-1]["more"] == 2
    assert told[-1]["table"] == "nz"


def test_what_no_stranger_can_cause_is_told_when_it_happens_and_of_each_table() -> None:
    now, told = 0.0, list[tuple[str, str]]()
    noise = NoiseFilter(lambda: now)

    def tell(logger: str, words: str, **fields: str) -> None:
        record = logging.makeLogRecord({"name": logger, "levelno": logging.WARNING, "msg": words, **fields})
        if noise.filter(record):
            told.append((words, *fields.values()))  # type: ignore[arg-type]

    for table in ("nz", "wa", "nz"):
        tell("casinowar.house.shared_tables", "the lease of a table is lost", table=table)
        tell("casinowar.web.socket.hub", "a table could not be told of", table=table)
        tell("casinowar.store.postgres.medium", "the connection to the database is lost")
    assert told == [
        ("the lease of a table is lost", "nz"),
        ("a table could not be told of", "nz"),
        ("the connection to the database is lost",),
        ("the lease of a table is lost", "wa"),
        ("the connection to the database is lost",),
        ("the connection to the database is lost",),
    ]


@contextmanager
def logged_to(file: Path, form: Form) -> Iterator[None]:
    """The log of this process in a file, from the lowest level on; afterwards it is as it was."""
    root, names = logging.getLogger(), ("casinowar", "casinowar.access")
    handlers, level, levels = root.handlers[:], root.level, [logging.getLogger(name).level for name in names]
    try:
        open_log(form, "debug", file, requests=True)
        root.setLevel(logging.DEBUG)
        yield
    finally:
        root.handlers[0].close()
        root.handlers[:] = handlers
        root.setLevel(level)
        for name, before in zip(names, levels, strict=True):
            logging.getLogger(name).setLevel(before)


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_line_at_any_level_holds_a_seed_a_card_to_come_a_password_or_a_token(tmp_path: Path, form: Form) -> None:
    file = tmp_path / "server.log"
    with logged_to(file, form), running(tmp_path, HOUSE) as live:
        guest = Caller(live).guest()
        auditor = live.staff("una", "auditor", "supervisor", "dealer")
        ticket = guest.ticket()
        assert guest.ask("POST", "/api/login", {"name": "una", "password": "not the right one"}).status == 401
        assert guest.ask("GET", f"/healthz?ticket={ticket}").status == 422
        tap = Tap(live)
        tap.watch(guest, "player")
        tap.watch(auditor, "auditor")
        play(live, tap, guest, auditor, rounds=2)
        logging.getLogger("casinowar.web").exception("a fault on purpose", extra={"token": ticket})
        kept = live.call(partial(secrets, live))
        for socket in tap.sockets:
            socket.close()
    told = file.read_text("utf-8")
    assert told.count("\n") > 50, "the requests are in it"
    tokens = {str(one.cookie).partition("=")[2] for one in (guest, auditor)}
    for secret in {*kept, *tokens, ticket, "a long enough one", "not the right one"}:
        assert len(secret) > 8
        assert secret not in told
    if form == "json":
        lines = [json.loads(one) for one in told.splitlines()]
        assert all(isinstance(one["event"], str) and one["at"] and one["logger"] for one in lines)
        assert {"casinowar.access", "casinowar.web"} <= {one["logger"] for one in lines}
