"""HTTP as this server speaks it: operations, limits, the door, headers and errors."""
