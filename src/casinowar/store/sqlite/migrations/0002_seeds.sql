-- Seeds of sealed shoes, apart from the log: whoever reads the log must not learn the cards to come.

CREATE TABLE seeds (
    commitment TEXT PRIMARY KEY CHECK (length(commitment) = 64),
    seed BLOB NOT NULL CHECK (length(seed) = 32)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER seeds_are_kept BEFORE UPDATE ON seeds BEGIN SELECT RAISE(ABORT, 'seeds is append-only'); END;
CREATE TRIGGER seeds_stay BEFORE DELETE ON seeds BEGIN SELECT RAISE(ABORT, 'seeds is append-only'); END;
CREATE TRIGGER seeds_are_new BEFORE INSERT ON seeds
WHEN EXISTS (SELECT 1 FROM seeds WHERE commitment = NEW.commitment)
BEGIN SELECT RAISE(ABORT, 'seeds is append-only'); END;
