"""What servers of one house do for each other: a client of any of them plays at every table."""
