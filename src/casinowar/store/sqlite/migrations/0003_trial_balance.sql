-- What all accounts together hold, kept by the database itself with every change of a balance, so that the trial balance
-- behind a commit does not have to read every account. It is zero; the audit compares it with the sum of all balances.

CREATE TABLE trial_balance (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    total INTEGER NOT NULL
) STRICT;

INSERT INTO trial_balance SELECT 1, coalesce(sum(balance), 0) FROM balances;

CREATE TRIGGER trial_balance_stays BEFORE DELETE ON trial_balance
BEGIN SELECT RAISE(ABORT, 'the trial balance is never deleted'); END;
CREATE TRIGGER balances_count_when_new AFTER INSERT ON balances
BEGIN UPDATE trial_balance SET total = total + NEW.balance; END;
CREATE TRIGGER balances_count_when_moved AFTER UPDATE ON balances
BEGIN UPDATE trial_balance SET total = total + NEW.balance - OLD.balance; END;
