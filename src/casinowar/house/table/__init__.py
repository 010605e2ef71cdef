"""One live table: the commands to it, what is due, and who sees what."""
