"""The audit of all openings under one table name: what another process can do by itself, and its report."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress

import msgspec

from casinowar.audit.bodies import TableBodies
from casinowar.audit.findings import Finding, in_words
from casinowar.audit.house import HouseAudit
from casinowar.audit.quick_log import QuickLog, require
from casinowar.audit.quick_table import QuickTable
from casinowar.audit.rounds import RoundAudit
from casinowar.audit.shoes import ChainAudit, ShoeAudit
from casinowar.audit.stream_log import Source, StreamFacts, StreamLog, StreamMarks
from casinowar.audit.tables import TableAudit
from casinowar.store.ledger import accounts_of

OnRounds = Callable[[int], None]
"""Told how many rounds have ended since the last time."""


class Openings(msgspec.Struct, frozen=True):
    """The streams under one table name, in their order. Up to the versions `audited` they were audited before.

    `chosen` are the rounds to look at, as places in the order in which they come; without it all are. `marks` is what
    the whole log asks about each stream. Without `is_replayed` their logs are only read for that.
    """

    name: str
    streams: tuple[str, ...]
    events: int
    chosen: frozenset[int] | None = None
    is_written: bool = False
    audited: dict[str, int] = {}
    marks: dict[str, StreamMarks] = {}
    is_replayed: bool = True


class StreamReport(msgspec.Struct):
    """What came of the audit of one stream.

    `accounts` are those of its table after the last event, where nothing was found that would explain a difference.
    A table `is_over` that is closed, with no chips and no shoe left there.
    """

    stream: str
    facts: StreamFacts
    findings: list[Finding] = []
    rounds: int = 0
    replayed: int = 0
    records: int = 0
    shoes: int = 0
    is_closed: bool | None = None
    is_over: bool = False
    stopped: str | None = None
    accounts: dict[str, int] = {}


class Report(msgspec.Struct):
    """The reports on all openings of a name, and the chain that their shoes form."""

    streams: list[StreamReport]
    chain: ChainAudit


def audit_openings(source: Source, house: HouseAudit, openings: Openings, on_rounds: OnRounds) -> Report:
    """Walk the streams of a table's name one after the other."""
    if not openings.is_replayed:
        return read_logs(source, openings)
    counted = 0

    def count(rounds: int) -> None:
        nonlocal counted
        counted += rounds
        on_rounds(rounds)

    try:
        return _audit_quickly(source, house, openings, count)
    except Exception:  # Whatever is wrong, the audit event by event says what.
        on_rounds(-counted)
    return _audit_thoroughly(source, house, openings, on_rounds)


def _audit_quickly(source: Source, house: HouseAudit, openings: Openings, on_rounds: OnRounds) -> Report:
    """The report on openings in which nothing is wrong; it raises where there is a doubt, or something special."""
    require(openings.chosen is None and not openings.is_written and not any(openings.audited.values()))
    chain, reports = ChainAudit(), []
    for stream in openings.streams:
        listed = house.listed.get(stream)
        require(listed is not None and listed.settings.get("dealer") != "real")
        rounds = RoundAudit(stream)
        shoes = ShoeAudit(openings.name, stream, source.seed, chain, is_sealed=True)
        marks = openings.marks.get(stream, StreamMarks())
        log, bodies = QuickLog(source, stream, marks), TableBodies(stream, source.snapshot_rows(stream))
        table = TableAudit(StreamLog(source, stream, marks), shoes, bodies, house.staff, rounds.follow)
        QuickTable(log, table, bodies, rounds).walk(on_rounds)
        report = StreamReport(stream, log.facts)
        require(not rounds.finish())
        _tell(report, table, rounds)
        reports.append(report)
    return Report(reports, chain)


def _audit_thoroughly(source: Source, house: HouseAudit, openings: Openings, on_rounds: OnRounds) -> Report:
    """The report on any openings, with all that is wrong there."""
    chain, met = ChainAudit(), 0

    def is_chosen() -> bool:
        nonlocal met
        met += 1
        return openings.chosen is None or met - 1 in openings.chosen

    reports = []
    for stream in openings.streams:
        listed = house.listed.get(stream)
        is_sealed = listed is None or listed.settings.get("dealer") != "real"
        rounds = RoundAudit(stream, is_chosen, is_written=openings.is_written or not is_sealed)
        shoes = ShoeAudit(openings.name, stream, source.seed, chain, is_sealed=is_sealed)
        log = StreamLog(source, stream, openings.marks.get(stream, StreamMarks()))
        bodies = TableBodies(stream, source.snapshot_rows(stream))
        table = TableAudit(log, shoes, bodies, house.staff, rounds.follow, openings.audited.get(stream, 0), on_rounds)
        report = StreamReport(stream, log.facts)
        reports.append(report)
        try:
            _audit_stream(report, table, rounds)
            if listed is None and (table.table.players or len(shoes.listed)):
                report.findings.append(Finding(stream, "was played at and is in no list of tables"))
        except Exception as error:  # An error that an altered row causes is a finding too.
            report.findings.append(Finding(stream, f"cannot be read: {in_words(error)}"))
    return Report(reports, chain)


def _audit_stream(report: StreamReport, table: TableAudit, rounds: RoundAudit) -> None:
    report.findings += table.findings()
    is_sound = not report.findings
    report.findings += rounds.finish()
    _tell(report, table, rounds)
    if not is_sound:
        report.accounts = {}


def _tell(report: StreamReport, table: TableAudit, rounds: RoundAudit) -> None:
    """Tell what the table came to."""
    report.rounds, report.replayed, report.records = len(table.rounds), rounds.replayed, rounds.records
    report.shoes = len(table.shoes.listed)
    report.is_closed, report.stopped = table.table.is_closed, table.stopped
    has_left = any(table.table.players.values()) or table.shoes.listed.is_running
    report.is_over = table.table.is_closed and not has_left
    report.accounts = accounts_of(report.stream, table.table)


def read_logs(source: Source, openings: Openings) -> Report:
    """Read the logs of the streams for their facts alone."""
    reports = []
    for stream in openings.streams:
        log = StreamLog(source, stream, openings.marks.get(stream, StreamMarks()))
        with suppress(Exception):  # The facts of a log that cannot be read are not sound.
            deque(log, maxlen=0)
        reports.append(StreamReport(stream, log.facts))
    return Report(reports, ChainAudit())
