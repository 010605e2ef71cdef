"""The history of a table, out of its log: rounds as lines, as stories and as records."""
