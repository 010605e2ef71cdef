"""The live table's server, its accounts, and what it tells each viewer; needs the extra `server`."""
