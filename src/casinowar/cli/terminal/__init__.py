"""The terminal as several commands share it: the screen, output, files, options and bets."""
