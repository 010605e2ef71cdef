-- Accounts, their logins, and what the operator asked for on the command line: what the accounts' own file has.

-- The name is the player's id in the game, and nobody else has it with other capitals. Guests alone have no password.
CREATE TABLE accounts (
    name TEXT COLLATE "C" PRIMARY KEY CHECK (length(name) BETWEEN 2 AND 24),
    password_hash TEXT,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    CONSTRAINT guests_have_no_password CHECK ((password_hash IS NULL) = starts_with(lower(name), 'guest-'))
);

CREATE UNIQUE INDEX accounts_by_name ON accounts (lower(name));

-- The token itself is nowhere: `digest` is its SHA-256.
CREATE TABLE sessions (
    digest BYTEA PRIMARY KEY CHECK (octet_length(digest) = 32),
    account TEXT COLLATE "C" NOT NULL REFERENCES accounts (name),
    opened_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
);

CREATE INDEX sessions_by_account ON sessions (account);
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- Everybody is a player until it is revoked, which locks the account.
CREATE TABLE role_requests (
    number BIGINT PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL REFERENCES accounts (name),
    role TEXT COLLATE "C" NOT NULL
        CHECK (role IN ('player', 'dealer', 'supervisor', 'manager', 'operator', 'auditor')),
    is_granted BIGINT NOT NULL CHECK (is_granted IN (0, 1)),
    requested_by TEXT NOT NULL CHECK (length(requested_by) > 0),
    reason TEXT NOT NULL CHECK (length(reason) BETWEEN 3 AND 200),
    at BIGINT NOT NULL
);

CREATE INDEX role_requests_by_account ON role_requests (account, role);

-- Failures of those who try passwords, by name and by address, so that another process counts on.
CREATE TABLE failures (
    kind TEXT COLLATE "C" NOT NULL,
    tried TEXT COLLATE "C" NOT NULL,
    moments TEXT COLLATE "C" NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (kind, tried)
);

CREATE INDEX failures_by_time ON failures (last);

-- Another number after each change, by which a process knows that what it remembers may be old.
CREATE TABLE account_changes (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    changes BIGINT NOT NULL
);

INSERT INTO account_changes VALUES (1, 0);

CREATE FUNCTION count_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE account_changes SET changes = changes + 1;
    RETURN NULL;
END $$;

CREATE TRIGGER accounts_count AFTER INSERT OR UPDATE ON accounts EXECUTE FUNCTION count_account_change();
CREATE TRIGGER sessions_count AFTER INSERT OR UPDATE OR DELETE ON sessions EXECUTE FUNCTION count_account_change();
CREATE TRIGGER role_requests_count AFTER INSERT ON role_requests EXECUTE FUNCTION count_account_change();

CREATE FUNCTION keep_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.name <> OLD.name OR NEW.created_at <> OLD.created_at THEN
        RAISE EXCEPTION 'the name of an account never changes' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER accounts_keep_their_names BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION keep_name();
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts EXECUTE FUNCTION refuse_change();
CREATE TRIGGER role_requests_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON role_requests
EXECUTE FUNCTION refuse_change();
CREATE TRIGGER role_requests_follow AFTER INSERT ON role_requests REFERENCING NEW TABLE AS added
EXECUTE FUNCTION numbers_follow();
