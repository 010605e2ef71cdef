-- The servers that work on this database now, what they tell each other of their tables, and tickets for sockets.

-- `number` is that of the lock which the server's connection holds: where nobody holds it, the server is gone. One that
-- is paused does not put off `awake_until`, which is by the clock of the database. Whoever knows the secret may speak to
-- a server at its address, for clients that it has let in.
CREATE TABLE servers (
    number BIGINT PRIMARY KEY,
    address TEXT COLLATE "C" NOT NULL,
    secret TEXT COLLATE "C" NOT NULL CHECK (length(secret) >= 32),
    is_leaving BIGINT NOT NULL CHECK (is_leaving IN (0, 1)),
    awake_until TIMESTAMPTZ NOT NULL
);

-- Who is at each table, as its server told it last. What is over need not be taken up by anybody.
CREATE TABLE table_people (
    stream TEXT COLLATE "C" PRIMARY KEY,
    is_over BIGINT NOT NULL CHECK (is_over IN (0, 1)),
    people BYTEA NOT NULL
);

-- A ticket is good at every server, once. The ticket itself is nowhere: `digest` is its SHA-256.
CREATE TABLE tickets (
    digest BYTEA PRIMARY KEY CHECK (octet_length(digest) = 32),
    account TEXT COLLATE "C" NOT NULL,
    login BYTEA NOT NULL CHECK (octet_length(login) = 32),
    ends_at BIGINT NOT NULL
);

CREATE INDEX tickets_by_end ON tickets (ends_at);
