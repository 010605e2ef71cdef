"""Copies of a house that are kept elsewhere: made while its server runs, and put back where there is nothing."""
