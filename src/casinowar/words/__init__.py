"""Words: events, refusals, amounts and names as people say them."""
