"""A stretch of play: many rounds of the same wagers, their result, what they cost, and the risk of ruin."""
