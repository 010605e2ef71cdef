"""The round record: read it, replay it, tell what came of it."""

from casinowar.records.parse import Record, RecordError, parse_record, read_json, read_toml
from casinowar.records.replay import Replay, replay
from casinowar.records.result import result

__all__ = ["Record", "RecordError", "Replay", "parse_record", "read_json", "read_toml", "replay", "result"]
