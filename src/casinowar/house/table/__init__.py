"""One live table: who asks for what, what is due, who sees what."""
