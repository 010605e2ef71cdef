"""Write a record of what was played, read it again, replay it to the same chips, and tell it."""

import casinowar
from casinowar import records

session = casinowar.Session("ma", seed="record", players={"ana": 10_000, "ben": 10_000})
for _ in range(3):
    session.play_round(casinowar.strategies.always("tie"))
text = records.write(session.record())  # A path as second argument writes a file.
record = records.parse(text)
assert records.replay(record).table == session.table
print(records.tell(record))
