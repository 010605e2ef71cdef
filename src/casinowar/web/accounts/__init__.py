"""Accounts: names, passwords, logins and roles, in a file of their own."""
