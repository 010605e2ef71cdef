"""The sealed shoes of a live table: made, kept, listed and ended."""
