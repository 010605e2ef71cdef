"""The password of a database is told nowhere, also where its URL is wrong: no error, no line of the log, no metric."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from casinowar.store.postgres.connection import shown
from tests.support.commandline import run
from tests.support.live_server import Caller, running

PARTS = ("seKRet", "worDPart")
WRONG = (
    "postgresql://ana:seKRet@127.0.0.1:1/x",
    "postgresql://ana:seKRet/worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet#worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet?worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet@worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet[worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet%worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet:worDPart@127.0.0.1:1/x",
    "postgresql://ana:seKRet@127.0.0.1:worDPart/x",
    "postgresql://ana:seKRet/x",
    "postgresql://127.0.0.1:1/x?user=ana&password=seKRet@worDPart",
    "postgresql://127.0.0.1:1/x?port=seKRet",
    "postgres:ana:seKRet@127.0.0.1/x",
    "postgressql://ana:seKRet@127.0.0.1/x",
    "mysql://ana:seKRet@127.0.0.1/x",
)


def commands(url: str, folder: Path) -> Iterator[tuple[str, ...]]:
    data = ("--data", str(folder))
    yield "serve", *data, "--no-open", "--port", "0", "--database", url
    yield "audit", "--database", url
    yield "prove", "--database", url
    yield "admin", "migrate", "--database", url
    yield "admin", "accounts", "--database", url
    yield "admin", "backup", str(folder / "kept"), *data, "--database", url
    yield "admin", "restore", str(folder), *data, "--database", url
    yield "admin", "copy", str(folder), url
    yield "admin", "copy", url, str(folder / "new")


@pytest.mark.parametrize("url", WRONG)
def test_no_command_tells_the_password_of_a_wrong_url(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each says in one line that there is nothing to work on, which for an audit is another thing than a finding."""
    (tmp_path / "checkpoints.key").write_bytes(b"x")
    with caplog.at_level(logging.DEBUG):
        for words in commands(url, tmp_path):
            done = run(*words)
            assert done.status == 2, (words, done)
            assert "Traceback" not in done.err, words
            assert not [part for part in PARTS if part in done.out + done.err], (words, done)
    assert not [part for part in PARTS if part in caplog.text]


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--no-open", "--port", "0", "--data"),
        ("audit",),
        ("audit", "--data"),
        ("prove", "--table", "nz"),
        ("prove", "--table", "nz", "--data"),
        ("admin", "accounts", "--data"),
        ("admin", "add", "ana", "--data"),
        ("admin", "backup"),
        ("admin", "backup", "kept", "--data"),
        ("admin", "restore"),
        ("admin", "restore", "kept", "--data"),
        ("serve",),
        ("admin", "accounts"),
        (),
    ],
)
def test_a_url_in_the_place_of_a_folder_makes_none_and_is_not_repeated(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new house was served from a folder of that name, and a backup with its key lay in another."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    done = run(*words, "postgresql://ana:seKRet@127.0.0.1:1/x")
    assert done.status == 2
    assert "seKRet" not in done.out + done.err
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]
    if words not in ((), ("serve",), ("admin", "accounts")):
        assert "this is an address: a database is named by --database or CASINOWAR_DATABASE" in done.err


def test_the_form_of_an_address_is_told_all_the_same() -> None:
    told = run("audit", "--database", "mysql://ana:seKRet@127.0.0.1/x")
    assert told.error.startswith(
        "casinowar audit: Invalid value for --database: write sqlite:///PATH or postgresql://USER@HOST/NAME"
    )


def test_what_is_told_of_a_url_that_is_right() -> None:
    assert (
        shown("postgresql://ana:x%2Fy@db.example:5432/house?sslmode=require")
        == "postgresql://ana@db.example:5432/house"
    )
    assert shown("postgresql://ana:x@h1:1,h2:2/house") == "postgresql://ana@h1:1,h2:2/house"
    assert shown("postgresql://ana@/house?host=/run/postgresql") == "postgresql://ana@/run/postgresql/house"


def test_a_house_that_is_served_tells_nobody_the_password(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor do the words of the process in which it is audited."""
    url = database.replace("casinowar@", "casinowar:seKRet@")
    assert url != database
    words: list[object] = []
    begin = asyncio.create_subprocess_exec

    async def begin_noted(*given, **more):  # type: ignore[no-untyped-def]
        words.extend(given)
        assert "seKRet" in more["env"]["CASINOWAR_DATABASE"]
        return await begin(*given, **more)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begin_noted)
    with caplog.at_level(logging.DEBUG), running(tmp_path, database=url) as live:
        auditor = live.staff("una", "auditor")
        open_to_all = ("/metrics", "/readyz", "/healthz", "/api/tables")
        told = [Caller(live).ask("GET", path).body.decode() for path in open_to_all]
        live.call(lambda: live.server.audit.start(0))
        while live.server.audit.state.state == "running":
            live.call(lambda: None)
        told += [
            auditor.ask("GET", "/api/pit").body.decode(),
            str(live.server.audit.state),
            str(live.server.accounts.path),
        ]
    assert live.server.audit.state.state == "sound"
    assert words
    assert "seKRet" not in " ".join(map(str, words)) + "".join(told) + caplog.text
