"""Rulings on incidents: what each book has done, in words and as data."""
