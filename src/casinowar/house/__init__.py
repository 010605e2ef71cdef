"""The house: live tables, purses, roles, limits of players, and the settings of all of it."""
