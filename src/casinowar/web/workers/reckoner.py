"""The reckoner: a process beside the server that works out odds or reads records, so that no table waits for it.

Work that takes too long is given up, and its process ended.
"""

import asyncio
from collections import Counter, OrderedDict
from typing import Any

import msgspec

from casinowar.odds.composition import CompositionError
from casinowar.reports.explorer import SettingRefused, explore, load_changed, parse_sets, plot_stretch
from casinowar.reports.night_plot import plot_night
from casinowar.reports.par.data import as_data, make_sheet
from casinowar.web.http.errors import WebError
from casinowar.web.workers.replays import replay_record
from casinowar.web.workers.spare_process import SpareProcess, run_process

SECONDS = 10.0
MOST_WAITING = 32
MOST_KEPT = 200


class Sum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The work that is wanted: `odds`, `session`, `night`, `par` or `record`, and of what."""

    what: str
    of: dict[str, Any]


class Worked(msgspec.Struct, frozen=True):
    """The result of a sum: JSON or a file as it is sent, or in `refused` why there is none, under a code."""

    content: bytes = b""
    refused: str | None = None
    code: str = "setting_refused"


class Reckoner:
    """The server's side: it sends one sum after the other, and keeps the last answers, since a sum has one answer.

    At most `most_each` sums of one address wait or run. Counted by account, six guests could take all the room.
    """

    def __init__(self, most_each: int, most_kept: int = MOST_KEPT) -> None:
        self._most_each = most_each
        self._process = SpareProcess("casinowar.web.workers.reckoner")
        self._lock = asyncio.Lock()
        self._waiting: Counter[str] = Counter()
        self._most_kept = most_kept
        self._kept: OrderedDict[bytes, Worked] = OrderedDict()

    async def work_out(self, wanted: Sum, who: str) -> bytes:
        key = msgspec.msgpack.encode(wanted)
        found = self._kept.get(key) or await self._request(key, who)
        self._kept[key] = found
        self._kept.move_to_end(key)
        while len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)
        if found.refused is not None:
            raise WebError(found.code, found.refused)
        return found.content

    async def _request(self, request: bytes, who: str) -> Worked:
        if self._waiting[who] >= self._most_each:
            raise WebError("too_fast", "you have asked for as much as is worked out at a time: wait a little", (), 1)
        if self._waiting.total() >= MOST_WAITING:
            raise WebError("too_fast", "many others have asked before you: try again in a moment", (), 1)
        self._waiting[who] += 1
        try:
            async with self._lock:
                return await asyncio.wait_for(self._exchange(request), SECONDS)
        except TimeoutError:
            self.stop()
            raise WebError("too_long") from None
        except (OSError, EOFError):
            self.stop()
            raise WebError("internal") from None
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]

    async def _exchange(self, request: bytes) -> Worked:
        return msgspec.msgpack.decode(await self._process.exchange(request), type=Worked)

    @property
    def pid(self) -> int | None:
        """The process that runs now."""
        return self._process.pid

    def stop(self) -> None:
        """End the process; the next sum starts another."""
        self._process.stop()

    async def close(self) -> None:
        """End the process, and return when it is gone."""
        await self._process.close()


def answer(request: bytes) -> bytes:
    """The answer to one request, in the process."""
    wanted = msgspec.msgpack.decode(request, type=Sum)
    try:
        worked = Worked(work_out(wanted.what, wanted.of))
    except SettingRefused as error:
        worked = Worked(refused=str(error)[:300])
    except WebError as error:
        worked = Worked(refused=error.fault.says, code=error.fault.code)
    return msgspec.msgpack.encode(worked)


def work_out(what: str, of: dict[str, Any]) -> bytes:
    """Work out odds, a stretch, a night, a PAR sheet, or the replay of a record."""
    if what == "record":
        return msgspec.json.encode(replay_record(of["text"], of["rulebook"]))
    settings = parse_sets(of["set"])
    match what:
        case "odds":
            return msgspec.json.encode(explore(of["rulebook"], settings, of["strategy"]))
        case "session":
            told = plot_stretch(
                of["rulebook"],
                settings,
                of["kind"],
                of["strategy"],
                of["rounds"],
                of["bankroll"],
                of["wager"],
                of["pace"],
            )
            return msgspec.json.encode(told)
        case "night":
            rulebook, strategy, bankroll, wager = (of[name] for name in ("rulebook", "strategy", "bankroll", "wager"))
            return msgspec.json.encode(plot_night(rulebook, settings, strategy, of["rounds"], bankroll, wager))
        case "par":
            return _par(of["rulebook"], settings, of["format"])
        case _:
            raise ValueError(f"no such sum: {what}")


def _par(rulebook: str, settings: dict[str, object], form: str) -> bytes:
    """The PAR sheet as one file."""
    rules = load_changed(rulebook, settings)
    try:
        sheet = make_sheet(rules)
    except CompositionError as error:
        raise SettingRefused(str(error)) from None
    match form:
        case "html":
            from casinowar.reports.par import html

            return html.render(sheet).encode()
        case "xlsx":
            from casinowar.reports.par import xlsx

            return xlsx.render(sheet)
        case _:
            return msgspec.json.encode(as_data(sheet))


if __name__ == "__main__":
    run_process(answer)
