"""What can be read of a store in a PostgreSQL database."""

from casinowar.store.postgres.medium import Medium
from casinowar.store.sql_reader import SNAPSHOTS, SqlReader


class Reader(Medium, SqlReader):
    """The part of the store that reads the database."""

    _migrations = SNAPSHOTS
