"""What can be read of a store in a SQLite file."""

from casinowar.store.sql_reader import CHAINS, HEAD, LOWEST, SNAPSHOT, SqlReader, as_bytes, as_int, stream_head
from casinowar.store.sqlite.medium import Medium

__all__ = ["CHAINS", "HEAD", "LOWEST", "SNAPSHOT", "Reader", "as_bytes", "as_int", "stream_head"]


class Reader(Medium, SqlReader):
    """The part of the store that reads the file."""
