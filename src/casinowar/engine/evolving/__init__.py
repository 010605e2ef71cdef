"""What each event does to the table, by what it is about."""
