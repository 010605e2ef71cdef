-- Each stream has chains of its own, and a tree over their heads grows with every checkpoint.

-- Where the two chains over the whole store end; what comes behind is in the chains of its stream.
CREATE TABLE old_chains (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    events INTEGER NOT NULL,
    events_head BLOB NOT NULL,
    commands INTEGER NOT NULL,
    commands_head BLOB NOT NULL
) STRICT;

INSERT INTO old_chains SELECT
    1,
    (SELECT coalesce(max(position), 0) FROM events),
    coalesce((SELECT hash FROM events ORDER BY position DESC LIMIT 1), x''),
    (SELECT coalesce(max(number), 0) FROM commands),
    coalesce((SELECT hash FROM commands ORDER BY number DESC LIMIT 1), x'');

-- The last links of each stream's chains; `covered` is the number of commands in its last leaf.
CREATE TABLE heads (
    stream TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    events_head BLOB NOT NULL CHECK (length(events_head) = 32),
    commands INTEGER NOT NULL,
    commands_head BLOB NOT NULL CHECK (length(commands_head) = 32),
    covered INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX heads_to_cover ON heads (stream) WHERE commands > covered;

-- The leaves of the tree, in order: the heads of the streams that had changed at each checkpoint.
CREATE TABLE leaves (
    number INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    events_head BLOB NOT NULL,
    commands INTEGER NOT NULL,
    commands_head BLOB NOT NULL
) STRICT;

CREATE INDEX leaves_by_stream ON leaves (stream, number);

-- The right edge of the tree: the roots of its full parts one behind the other, the largest first.
CREATE TABLE tree (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    size INTEGER NOT NULL,
    parts BLOB NOT NULL
) STRICT;

INSERT INTO tree VALUES (1, 0, x'');

CREATE TRIGGER old_chains_are_kept BEFORE UPDATE ON old_chains
BEGIN SELECT RAISE(ABORT, 'old_chains is append-only'); END;
CREATE TRIGGER old_chains_stay BEFORE DELETE ON old_chains
BEGIN SELECT RAISE(ABORT, 'old_chains is append-only'); END;
CREATE TRIGGER heads_stay BEFORE DELETE ON heads BEGIN SELECT RAISE(ABORT, 'a head is never deleted'); END;
CREATE TRIGGER leaves_are_kept BEFORE UPDATE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END;
CREATE TRIGGER leaves_stay BEFORE DELETE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END;
CREATE TRIGGER leaves_follow BEFORE INSERT ON leaves
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM leaves)
BEGIN SELECT RAISE(ABORT, 'leaves follow each other without a gap'); END;
CREATE TRIGGER tree_stays BEFORE DELETE ON tree BEGIN SELECT RAISE(ABORT, 'the tree is never deleted'); END;
