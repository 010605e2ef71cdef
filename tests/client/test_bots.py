"""The example bot at a real server, in every book and as the bank; the client without asyncio, and typed events."""

import asyncio
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from casinowar.client import Ended, HouseEvent, Refused, SyncClient, TypedEvent, commands, typed_events
from casinowar.engine import events as e
from casinowar.protocol import RoundLine
from casinowar.rulebooks import BOOKS
from tests.client import test_client_real_server as real

ROOT = Path(__file__).resolve().parents[2]
QUICK = "{ betting = 30, decision = 30, cut = 5, entropy = 2, pause = 0, card = 0 }"
BOTS = {"ca": '[{ strategy = "bank" }, { strategy = "war" }]'}
TABLES = "guest_purse = 1000000\n" + "".join(
    f'\n[[tables]]\nname = "{book}"\nrulebook = "{book}"\ntimers = {QUICK}\nbots = {BOTS.get(book, "[]")}\n'
    for book in BOOKS
)
TABLES += f"""
[[tables]]
name = "bankless"
rulebook = "ca"
timers = {QUICK.replace("betting = 30", "betting = 6")}
bots = [{{ strategy = "war" }}]
"""
"""At the last one nobody but who comes there takes the bank."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(real, "TABLES", TABLES)
        with real.serving(tmp_path_factory.mktemp("bots")) as (address, _):
            yield address


def play_a_round(url: str, table: str, *role: str) -> None:
    words = [sys.executable, str(ROOT / "examples" / "bot.py"), url, table, "1", *role]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].lstrip("-").isdigit()


@pytest.mark.parametrize("book", BOOKS)
def test_the_bot_plays_rounds_in_every_book(url: str, book: str) -> None:
    play_a_round(url, book)


def test_the_bot_takes_the_bank(url: str) -> None:
    """Somebody else looks on, and is told that a guest has taken it, and that a round was played against it."""
    with SyncClient(url) as client:
        client.guest()
        table = client.watch("bankless")
        play_a_round(url, "bankless", "bank")
        told: list[TypedEvent] = []
        while not any(isinstance(one.event, e.RoundEnded) for one in told):
            happened = table.wait(10)
            assert happened is not None
            told += typed_events(happened)
    taken = next(one.event for one in told if isinstance(one.event, e.BankAccepted))
    assert taken.player.startswith("guest-")
    settled = [one.event.player for one in told if isinstance(one.event, e.WagerSettled)]
    assert settled
    assert taken.player not in settled


def test_rounds_of_others_are_none_of_the_bot() -> None:
    """It has played where it has a wager, or the bank."""
    is_played = runpy.run_path(str(ROOT / "examples" / "bot.py"))["is_played"]
    laid = (1, "initial", "ben", 500, "lose", 0, 0)
    lines = {
        "others": RoundLine(1, 9, (), (laid,), bank=("cat", 500)),
        "own": RoundLine(2, 9, (), (laid, (2, "initial", "ann", *laid[3:]))),
        "banked": RoundLine(3, 9, (), (laid,), bank=("ann", 500)),
        "nobody's": RoundLine(4, 9, (), ()),
    }
    assert [name for name, line in lines.items() if is_played(line, "ann")] == ["own", "banked"]


@pytest.mark.parametrize(
    ("words", "status"),
    [(("bot.py",), 2), (("bot.py", "--help"), 0), (("bot.py", "http://x", "nz", "some"), 2)]
    + [(("tasks/live_bot.py", *args), 1) for args in ((), ("--help",))],
)
def test_a_bot_without_an_address_tells_its_usage(words: tuple[str, ...], status: int) -> None:
    command = [sys.executable, str(ROOT / "examples" / words[0]), *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
    assert (done.stdout or done.stderr).startswith("usage: ")


def test_the_task_of_a_newcomer_sits_down_and_bets(url: str) -> None:
    words = [sys.executable, str(ROOT / "examples" / "tasks" / "live_bot.py"), url]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_the_client_without_asyncio_and_what_it_is_told(url: str) -> None:
    news: list[str] = []
    with SyncClient(url, on_connection=news.append) as client:
        player = client.guest().player
        table = client.watch("nz")
        assert {line.name for line in client.lobby()} == {*BOOKS, "bankless"}
        table.do(commands.Sit(box=3))
        assert (table.box, table.player, client.me().purse) == (3, player, 1_000_000)
        with pytest.raises(Refused):
            table.do(commands.GoToWar(player=player, box=3))
        with pytest.raises(TypeError):
            table.do(commands.PlaceWager(player=player, box=3, wager="initial", amount=1.0))  # type: ignore[arg-type]
        events: list[TypedEvent] = []
        while not any(isinstance(one.event, e.PlayerSeated) for one in events):
            happened = table.wait()
            assert happened is not None
            events += typed_events(happened)
        seated = next(one for one in events if isinstance(one.event, e.PlayerSeated))
        assert isinstance(seated.event, e.PlayerSeated)
        assert (seated.event.player, seated.event.box) == (player, 3)
        assert seated.says
        assert all(isinstance(one.event, HouseEvent) or one.event.clauses is not None for one in events)
        assert news == ["connected"]
        assert client._loop is not None
        client._loop.call_soon_threadsafe(client.client.drop)
        while news[-1] != "connected_again":
            table.wait()
        assert news == ["connected", "lost", "connected_again"]
        table.do(commands.Leave())
    with pytest.raises(Ended):
        table.do(commands.Sit(box=3))


def test_a_client_without_asyncio_is_open_inside_its_context_alone(url: str) -> None:
    client = SyncClient(url)
    asked = asyncio.sleep(0)
    for call in (client.guest, lambda: client.watch("nz"), lambda: client.client, lambda: client.run(asked)):
        with pytest.raises(Ended, match=r"^not_open: it is a context: `with SyncClient\(url\) as client:`$"):
            call()
    with client:
        assert client.guest().player
        with pytest.raises(Ended, match=r"^closed: a client is opened once"):
            client.__enter__()
        assert client.lobby()
    with pytest.raises(Ended, match=r"^closed: the client was closed$"):
        client.lobby()
    with pytest.raises(Ended, match=r"^closed: a client is opened once"):
        client.__enter__()


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    with SyncClient("http://127.0.0.1:9") as client, pytest.raises((OSError, Refused)):
        client.guest()
