"""The live table's server, its accounts, and what it tells each viewer; needs the extra `server`."""

from casinowar.extras import require

SERVER = ("apsw", "argon2", "cryptography", "prometheus_client", "starlette", "uvicorn", "websockets")
require("casinowar.web", "server", *SERVER)
