-- A role between supervisor and operator. The table is made anew, since SQLite cannot change a CHECK; every request that
-- was made stays as it is, under its number.

CREATE TABLE role_requests_anew (
    number INTEGER PRIMARY KEY,
    account TEXT COLLATE NOCASE NOT NULL REFERENCES accounts (name),
    role TEXT NOT NULL CHECK (role IN ('player', 'dealer', 'supervisor', 'manager', 'operator', 'auditor')),
    is_granted INTEGER NOT NULL CHECK (is_granted IN (0, 1)),
    requested_by TEXT NOT NULL CHECK (length(requested_by) > 0),
    reason TEXT NOT NULL CHECK (length(reason) BETWEEN 3 AND 200),
    at INTEGER NOT NULL
) STRICT;

INSERT INTO role_requests_anew SELECT * FROM role_requests ORDER BY number;

DROP TABLE role_requests;
ALTER TABLE role_requests_anew RENAME TO role_requests;

CREATE INDEX role_requests_by_account ON role_requests (account, role);

CREATE TRIGGER role_requests_are_kept BEFORE UPDATE ON role_requests
BEGIN SELECT RAISE(ABORT, 'role_requests is append-only'); END;
CREATE TRIGGER role_requests_stay BEFORE DELETE ON role_requests
BEGIN SELECT RAISE(ABORT, 'role_requests is append-only'); END;

-- REPLACE cannot put a request in the place of another.
CREATE TRIGGER role_requests_follow BEFORE INSERT ON role_requests
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM role_requests)
BEGIN SELECT RAISE(ABORT, 'role_requests follow each other without a gap'); END;
