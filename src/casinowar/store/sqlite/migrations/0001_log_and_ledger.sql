-- The log of events and commands, the ledger, and the checkpoints. What is written here is never changed.

CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    identity TEXT NOT NULL
) STRICT;

CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    name TEXT NOT NULL,
    entry BLOB NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    UNIQUE (stream, version)
) STRICT;

CREATE TABLE commands (
    number INTEGER PRIMARY KEY,
    actor TEXT NOT NULL,
    command TEXT NOT NULL,
    entry BLOB NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    UNIQUE (actor, command)
) STRICT;

CREATE TABLE postings (
    position INTEGER NOT NULL REFERENCES events (position),
    line INTEGER NOT NULL CHECK (line >= 0),
    account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (position, line)
) STRICT, WITHOUT ROWID;

CREATE INDEX postings_by_account ON postings (account, position);

CREATE TABLE balances (
    account TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (
        balance >= 0 OR account = 'issuance' OR account GLOB 'float:*' OR account GLOB 'meter_memo:*'
    )
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY,
    document BLOB NOT NULL
) STRICT;

CREATE TRIGGER identity_is_kept BEFORE UPDATE ON identity BEGIN SELECT RAISE(ABORT, 'identity is append-only'); END;
CREATE TRIGGER identity_stays BEFORE DELETE ON identity BEGIN SELECT RAISE(ABORT, 'identity is append-only'); END;
CREATE TRIGGER events_are_kept BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER commands_are_kept BEFORE UPDATE ON commands BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER commands_stay BEFORE DELETE ON commands BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER postings_are_kept BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER postings_stay BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER balances_stay BEFORE DELETE ON balances BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END;
CREATE TRIGGER checkpoints_are_kept BEFORE UPDATE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints is append-only'); END;
CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints is append-only'); END;

-- The next event is the one behind the last, and the next of its stream; REPLACE cannot slip one in instead of another.
CREATE TRIGGER events_follow BEFORE INSERT ON events
WHEN NEW.position <> (SELECT coalesce(max(position), 0) + 1 FROM events)
    OR NEW.version <> (SELECT coalesce(max(version), 0) + 1 FROM events WHERE stream = NEW.stream)
BEGIN SELECT RAISE(ABORT, 'events follow each other without a gap'); END;
CREATE TRIGGER commands_follow BEFORE INSERT ON commands
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM commands)
    OR EXISTS (SELECT 1 FROM commands WHERE actor = NEW.actor AND command = NEW.command)
BEGIN SELECT RAISE(ABORT, 'commands follow each other, each id once'); END;
CREATE TRIGGER postings_are_new BEFORE INSERT ON postings
WHEN EXISTS (SELECT 1 FROM postings WHERE position = NEW.position AND line = NEW.line)
BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER checkpoints_follow BEFORE INSERT ON checkpoints
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM checkpoints)
BEGIN SELECT RAISE(ABORT, 'checkpoints follow each other without a gap'); END;
