"""The store in a PostgreSQL database. It needs the extra `postgres`, which brings asyncpg."""

from casinowar.extras import require

require("casinowar.store.postgres", "postgres", "asyncpg")
