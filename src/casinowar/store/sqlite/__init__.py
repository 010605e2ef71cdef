"""The store in a SQLite file: its connection, its migrations, and the store itself."""
