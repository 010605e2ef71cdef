-- Several servers on one database: who decides a table, and what they share.

-- Each table's stream is decided by one server at a time. The fence grows with every new owner, and a transaction that
-- commits to the stream holds this row: a server that has lost its lease cannot commit. The owner is the number of a
-- lock that its connection holds; `until` is by the clock of the database.
CREATE TABLE leases (
    stream TEXT COLLATE "C" PRIMARY KEY,
    fence BIGINT NOT NULL CHECK (fence > 0),
    owner BIGINT,
    until TIMESTAMPTZ NOT NULL
);

CREATE FUNCTION fences_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.stream <> OLD.stream OR NEW.fence < OLD.fence
        OR (NEW.owner IS NOT NULL AND NEW.owner IS DISTINCT FROM OLD.owner AND NEW.fence = OLD.fence)
    THEN
        RAISE EXCEPTION 'a new owner of a lease has a new fence' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER fences_grow BEFORE UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION fences_grow();
CREATE TRIGGER leases_stay BEFORE DELETE OR TRUNCATE ON leases EXECUTE FUNCTION refuse_change();

-- Take these locks until the end of the transaction: numbers that stand for ids and streams, and rows of purses. Without
-- waiting, say whether all of them were free. What is taken stays with the transaction either way.
CREATE FUNCTION take_locks(numbers BIGINT[], purses TEXT[], waits BOOLEAN) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    number BIGINT;
    taken BIGINT;
BEGIN
    FOREACH number IN ARRAY numbers LOOP
        IF waits THEN
            PERFORM pg_advisory_xact_lock(number);
        ELSIF NOT pg_try_advisory_xact_lock(number) THEN
            RETURN FALSE;
        END IF;
    END LOOP;
    IF waits THEN
        PERFORM 1 FROM balances WHERE account = ANY (purses) ORDER BY account FOR UPDATE;
        RETURN TRUE;
    END IF;
    SELECT count(*) INTO taken
    FROM (SELECT 1 FROM balances WHERE account = ANY (purses) ORDER BY account FOR UPDATE SKIP LOCKED) AS free;
    RETURN taken = (SELECT count(*) FROM balances WHERE account = ANY (purses));
END $$;

-- All that a commit must know of what others may change, looked at behind the locks: the stored answer to its id, where
-- its stream stands, whose it is, and what the purses hold.
CREATE FUNCTION look_up(
    numbers BIGINT[], purses TEXT[], waits BOOLEAN, of_actor TEXT, of_command TEXT, of_stream TEXT,
    OUT is_free BOOLEAN, OUT answered BYTEA, OUT at_version BIGINT, OUT at_commands BIGINT,
    OUT at_fence BIGINT, OUT at_owner BIGINT, OUT accounts TEXT[], OUT held BIGINT[]
) LANGUAGE plpgsql AS $$
BEGIN
    is_free := take_locks(numbers, purses, waits);
    IF NOT is_free THEN
        RETURN;
    END IF;
    SELECT entry INTO answered FROM commands WHERE actor = of_actor AND command = of_command;
    SELECT version, commands INTO at_version, at_commands FROM heads WHERE stream = of_stream;
    SELECT fence, owner INTO at_fence, at_owner FROM leases WHERE stream = of_stream FOR SHARE;
    SELECT array_agg(account), array_agg(balance) INTO accounts, held FROM balances WHERE account = ANY (purses);
END $$;
