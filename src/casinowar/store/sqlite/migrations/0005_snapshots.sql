-- Snapshots of what the events of a stream come to, so that a start need not read all of them. They prove nothing: each
-- counts only while its hash is the one of the chain at its version, and the audit makes them again from the events.

CREATE TABLE snapshots (
    stream TEXT NOT NULL,
    format TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    events_head BLOB NOT NULL CHECK (length(events_head) = 32),
    layout BLOB NOT NULL,
    body BLOB NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    UNIQUE (stream, version, format)
) STRICT;
