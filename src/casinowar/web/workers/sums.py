"""The sums that the reckoner's process works out: odds, stretches, PAR sheets and replays of records."""

from typing import Any

import msgspec

from casinowar.odds.composition import CompositionError
from casinowar.reports.explorer import SettingRefused, explore, load_changed, parse_sets, plot_stretch
from casinowar.reports.par.data import as_data, make_sheet
from casinowar.web.workers.replays import replay_record


def worked_out(what: str, of: dict[str, Any]) -> bytes:
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
        case "par":
            return par(of["rulebook"], settings, of["format"])
        case _:
            raise ValueError(f"no such sum: {what}")


def par(rulebook: str, settings: dict[str, object], form: str) -> bytes:
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
