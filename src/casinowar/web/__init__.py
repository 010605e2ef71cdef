"""The live table's server, its accounts, and what it tells each viewer; needs the extra `server`."""

from casinowar.extras import require

SERVER = ("apsw", "argon2", "cryptography", "fastapi", "prometheus_client", "uvicorn", "websockets")
require("casinowar.web", "server", *SERVER)
