"""Work beside the thread that deals: reading the log, sums, audits, and stories of rounds."""
