-- Accounts, their sessions, and what the operator asked for on the command line.

-- The name is the player's id in the game. Guests, and they alone, have no password.
CREATE TABLE accounts (
    name TEXT COLLATE NOCASE PRIMARY KEY CHECK (length(name) BETWEEN 2 AND 24),
    password_hash TEXT,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    CHECK ((password_hash IS NULL) = (name LIKE 'guest-%'))
) STRICT, WITHOUT ROWID;

-- The token itself is nowhere: `digest` is its SHA-256.
CREATE TABLE sessions (
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    account TEXT COLLATE NOCASE NOT NULL REFERENCES accounts (name),
    opened_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_account ON sessions (account);
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- Everybody is a player until it is revoked, which locks the account.
CREATE TABLE role_requests (
    number INTEGER PRIMARY KEY,
    account TEXT COLLATE NOCASE NOT NULL REFERENCES accounts (name),
    role TEXT NOT NULL CHECK (role IN ('player', 'dealer', 'supervisor', 'operator', 'auditor')),
    is_granted INTEGER NOT NULL CHECK (is_granted IN (0, 1)),
    requested_by TEXT NOT NULL CHECK (length(requested_by) > 0),
    reason TEXT NOT NULL CHECK (length(reason) BETWEEN 3 AND 200),
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX role_requests_by_account ON role_requests (account, role);

CREATE TRIGGER accounts_keep_their_names BEFORE UPDATE OF name, created_at ON accounts
BEGIN SELECT RAISE(ABORT, 'the name of an account never changes'); END;
CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts
BEGIN SELECT RAISE(ABORT, 'an account is never deleted'); END;
CREATE TRIGGER role_requests_are_kept BEFORE UPDATE ON role_requests
BEGIN SELECT RAISE(ABORT, 'role_requests is append-only'); END;
CREATE TRIGGER role_requests_stay BEFORE DELETE ON role_requests
BEGIN SELECT RAISE(ABORT, 'role_requests is append-only'); END;

-- REPLACE cannot put a request in the place of another.
CREATE TRIGGER role_requests_follow BEFORE INSERT ON role_requests
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM role_requests)
BEGIN SELECT RAISE(ABORT, 'role_requests follow each other without a gap'); END;
