-- The log of events and commands, the ledger, the chains with their tree, snapshots and seeds: the tables of the SQLite
-- store. What is written here is never changed. Names are compared byte by byte.

CREATE TABLE identity (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    identity TEXT COLLATE "C" NOT NULL
);

CREATE TABLE events (
    position BIGINT PRIMARY KEY,
    stream TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    name TEXT COLLATE "C" NOT NULL,
    entry BYTEA NOT NULL,
    hash BYTEA NOT NULL CHECK (octet_length(hash) = 32),
    UNIQUE (stream, version)
);

CREATE TABLE commands (
    number BIGINT PRIMARY KEY,
    actor TEXT COLLATE "C" NOT NULL,
    command TEXT COLLATE "C" NOT NULL,
    entry BYTEA NOT NULL,
    hash BYTEA NOT NULL CHECK (octet_length(hash) = 32),
    UNIQUE (actor, command)
);

CREATE TABLE postings (
    position BIGINT NOT NULL REFERENCES events (position),
    line BIGINT NOT NULL CHECK (line >= 0),
    account TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (position, line)
);

CREATE INDEX postings_by_account ON postings (account, position);

-- Nobody owes but issuance, floats and the other side of a meter; nothing grows past what JSON can count.
CREATE TABLE balances (
    account TEXT COLLATE "C" PRIMARY KEY,
    balance BIGINT NOT NULL CHECK (abs(balance) < 9007199254740992),
    CONSTRAINT nobody_owes CHECK (
        balance >= 0 OR account = 'issuance' OR starts_with(account, 'float:') OR starts_with(account, 'meter_memo:')
    )
);

-- What all accounts together hold. Whoever writes to the log locks this row first, so that positions have no gap.
CREATE TABLE trial_balance (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    total BIGINT NOT NULL
);

INSERT INTO trial_balance VALUES (1, 0);

CREATE TABLE checkpoints (
    number BIGINT PRIMARY KEY,
    document BYTEA NOT NULL
);

CREATE TABLE seeds (
    commitment TEXT COLLATE "C" PRIMARY KEY CHECK (length(commitment) = 64),
    seed BYTEA NOT NULL CHECK (octet_length(seed) = 32)
);

CREATE TABLE old_chains (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    events BIGINT NOT NULL,
    events_head BYTEA NOT NULL,
    commands BIGINT NOT NULL,
    commands_head BYTEA NOT NULL
);

CREATE TABLE heads (
    stream TEXT COLLATE "C" PRIMARY KEY,
    version BIGINT NOT NULL,
    events_head BYTEA NOT NULL CHECK (octet_length(events_head) = 32),
    commands BIGINT NOT NULL,
    commands_head BYTEA NOT NULL CHECK (octet_length(commands_head) = 32),
    covered BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX heads_to_cover ON heads (stream) WHERE commands > covered;

CREATE TABLE leaves (
    number BIGINT PRIMARY KEY,
    stream TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    events_head BYTEA NOT NULL,
    commands BIGINT NOT NULL,
    commands_head BYTEA NOT NULL
);

CREATE INDEX leaves_by_stream ON leaves (stream, number);

CREATE TABLE tree (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    size BIGINT NOT NULL,
    parts BYTEA NOT NULL
);

INSERT INTO tree VALUES (1, 0, '');

CREATE TABLE snapshots (
    stream TEXT COLLATE "C" NOT NULL,
    format TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    events_head BYTEA NOT NULL CHECK (octet_length(events_head) = 32),
    layout BYTEA NOT NULL,
    body BYTEA NOT NULL,
    digest BYTEA NOT NULL CHECK (octet_length(digest) = 32),
    UNIQUE (stream, version, format)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER identity_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON identity EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON events EXECUTE FUNCTION refuse_change();
CREATE TRIGGER commands_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON commands EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON postings EXECUTE FUNCTION refuse_change();
CREATE TRIGGER balances_stay BEFORE DELETE OR TRUNCATE ON balances EXECUTE FUNCTION refuse_change();
CREATE TRIGGER trial_balance_stays BEFORE DELETE OR TRUNCATE ON trial_balance EXECUTE FUNCTION refuse_change();
CREATE TRIGGER checkpoints_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoints EXECUTE FUNCTION refuse_change();
CREATE TRIGGER seeds_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON seeds EXECUTE FUNCTION refuse_change();
CREATE TRIGGER old_chains_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON old_chains EXECUTE FUNCTION refuse_change();
CREATE TRIGGER heads_stay BEFORE DELETE OR TRUNCATE ON heads EXECUTE FUNCTION refuse_change();
CREATE TRIGGER leaves_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON leaves EXECUTE FUNCTION refuse_change();
CREATE TRIGGER tree_stays BEFORE DELETE OR TRUNCATE ON tree EXECUTE FUNCTION refuse_change();

-- What is added follows what is there, without a gap; all rows of a statement are looked at together.
CREATE FUNCTION events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT max(position) - min(position) + 1 <> count(*)
            OR min(position) <> 1 + coalesce((SELECT max(position) FROM events
                WHERE position < (SELECT min(position) FROM added)), 0) FROM added)
        OR EXISTS (SELECT 1 FROM added GROUP BY stream HAVING max(version) - min(version) + 1 <> count(*)
            OR min(version) <> 1 + coalesce((SELECT max(version) FROM events
                WHERE events.stream = added.stream AND version < min(added.version)), 0))
        OR EXISTS (SELECT 1 FROM (SELECT version - lag(version) OVER (PARTITION BY stream ORDER BY position) AS step
            FROM added) AS steps WHERE step <> 1)
    THEN
        RAISE EXCEPTION 'events follow each other without a gap' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER events_follow AFTER INSERT ON events REFERENCING NEW TABLE AS added
EXECUTE FUNCTION events_follow();

CREATE FUNCTION numbers_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_broken BOOLEAN;
BEGIN
    EXECUTE format('SELECT max(number) - min(number) + 1 <> count(*)
        OR min(number) <> 1 + coalesce((SELECT max(number) FROM %I
            WHERE number < (SELECT min(number) FROM added)), 0) FROM added', TG_TABLE_NAME) INTO is_broken;
    IF is_broken THEN
        RAISE EXCEPTION '% follow each other without a gap', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER commands_follow AFTER INSERT ON commands REFERENCING NEW TABLE AS added
EXECUTE FUNCTION numbers_follow();
CREATE TRIGGER checkpoints_follow AFTER INSERT ON checkpoints REFERENCING NEW TABLE AS added
EXECUTE FUNCTION numbers_follow();
CREATE TRIGGER leaves_follow AFTER INSERT ON leaves REFERENCING NEW TABLE AS added
EXECUTE FUNCTION numbers_follow();

-- The total is kept whoever moves a balance. What moves nothing on the whole does not touch its row.
CREATE FUNCTION balances_count_when_new() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE moved BIGINT := (SELECT coalesce(sum(balance), 0) FROM added);
BEGIN
    IF moved <> 0 THEN UPDATE trial_balance SET total = total + moved; END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION balances_count_when_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE moved BIGINT := (SELECT coalesce(sum(balance), 0) FROM now_there)
    - (SELECT coalesce(sum(balance), 0) FROM was_there);
BEGIN
    IF moved <> 0 THEN UPDATE trial_balance SET total = total + moved; END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER balances_count_when_new AFTER INSERT ON balances REFERENCING NEW TABLE AS added
EXECUTE FUNCTION balances_count_when_new();
CREATE TRIGGER balances_count_when_moved AFTER UPDATE ON balances
REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there EXECUTE FUNCTION balances_count_when_moved();

-- Whoever will write to the log waits here for the others, and learns where it ends.
CREATE FUNCTION lock_log(OUT held BIGINT, OUT events BIGINT, OUT commands BIGINT) LANGUAGE plpgsql AS $$
BEGIN
    SELECT total INTO held FROM trial_balance FOR UPDATE;
    SELECT coalesce(max(position), 0) INTO events FROM events;
    SELECT coalesce(max(number), 0) INTO commands FROM commands;
END $$;
